//! Candidates about numbers that were never given to a thread.

use super::kinds::Kinds;
use braid_check::threads::System;
use braid_logic::{Quantifier, Sort, Substitution, Term};

/// Candidates: numbers that instances of a template have were given, and for the others what the program reads at a thread's number is `first`.
pub(super) fn about_numbers(
    system: &System<'_>,
    kinds: &Kinds,
    first: impl Fn(usize, Term) -> Option<Term>,
) -> Vec<Term> {
    let (pool, Some(used)) = (system.pool, system.given) else { return Vec::new() };
    let mut found = Vec::new();
    for (template, t) in system.templates.iter().enumerate() {
        let Some(number) = t.number else { continue };
        let own = |read: &&Term| {
            let vars = pool.free_vars(**read);
            vars.contains(&number) && vars.iter().all(|var| *var == number || system.shared.contains(var))
        };
        for &read in kinds.reads.iter().filter(own) {
            let Some(value) = first(template, read) else { continue };
            let any = pool.fresh_var("number", Sort::INT);
            let names = Substitution::from_iter([(number, pool.of_var(any))]);
            let is_first = pool.eq(pool.substitute(read, &names), value);
            let body = pool.or([pool.select(pool.of_var(used), pool.of_var(any)), is_first]);
            found.push(pool.quantify(Quantifier::Forall, &[any], body));
        }
    }
    found
}
