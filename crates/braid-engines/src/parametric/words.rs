//! The terms that candidates are made of: variables that matter, and cells of arrays that the program reads.

use super::kinds::Kinds;
use super::matter::Matter;
use braid_check::threads::{Copy, Place, System};
use braid_logic::{SortKind, Substitution, Term, Var};

/// Which terms candidates are made of.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, Debug)]
pub(super) enum Wealth {
    /// Variables that will be read, and flags that are tested.
    Poor,
    /// All.
    Rich,
}

/// The terms that candidates are made of.
pub(super) struct Words {
    pub numbers: Vec<Term>,
    pub truths: Vec<Term>,
    /// Shared and own variables that may be flags.
    pub flags: Vec<Term>,
    /// How many of them, at the start, are shared.
    pub shared_flags: usize,
}

/// The terms over a copy of an instance at a place.
pub(super) fn words(
    system: &System<'_>,
    kinds: &Kinds,
    matter: &Matter,
    wealth: Wealth,
    (place, copy): (Place, Copy),
) -> Words {
    let pool = system.pool;
    let names: Substitution = system.renaming(place.template, 0, copy).collect();
    let locals = &system.templates[place.template].locals;
    let own = |var: &Var| locals.contains(var) && (wealth == Wealth::Rich || matter.local(place, *var));
    let is_counter = |var: &Var| system.counters.values().any(|counter| counter == var);
    let common = |var: &Var| system.shared.contains(var) && matter.shared(*var) && !is_counter(var);
    let shared = system.shared.iter().filter(|var| copy == 0 && common(var));
    let vars = shared.chain(locals.iter().filter(|var| own(var))).map(|&var| pool.of_var(var));
    let reads = kinds.reads.iter().copied().filter(|&read| {
        let vars = pool.free_vars(read);
        vars.iter().all(|var| common(var) || own(var)) && (copy == 0 || vars.iter().any(own))
    });
    let (mut numbers, mut truths, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    for term in vars.chain(reads) {
        let renamed = pool.substitute(term, &names);
        match pool.sort_kind(pool.sort_of(term)) {
            SortKind::Bool => {
                truths.push(renamed);
                flags.push(renamed);
            }
            SortKind::Int => {
                numbers.push(renamed);
                if wealth == Wealth::Rich || kinds.is_flag(pool, term) {
                    flags.push(renamed);
                }
            }
            _ => {}
        }
    }
    if copy == 0 {
        numbers.extend(system.crowds());
    }
    let is_shared = |flag: &Term| pool.free_vars(*flag).iter().all(common);
    flags.sort_by_key(|flag| !is_shared(flag));
    let shared_flags = flags.iter().take_while(|flag| is_shared(flag)).count();
    Words { numbers, truths, flags, shared_flags }
}
