//! Strategy *Horn*: the trace as recursion-free Horn clauses, solved as sequence interpolation.
//!
//! Each step becomes a formula in static single assignment form: version `n` of a variable is its value after `n`
//! writes. The interpolants speak of the versions that are current at their position, and are renamed back.

use crate::trace::Trace;
use braid_logic::{Solver, Substitution, Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// How often each variable has been written; variables that are not here, never.
type Versions = FxHashMap<Var, u32>;

fn current(versions: &Versions, var: Var) -> u32 {
    versions.get(&var).copied().unwrap_or(0)
}

/// Interpolants of the trace's steps, over the program's variables.
pub(crate) fn annotate(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>) -> Option<Vec<Term>> {
    let mut versions = Versions::default();
    let mut positions = vec![versions.clone()];
    let mut formulas = Vec::with_capacity(trace.len());
    for step in trace.steps() {
        let rename = |term: Term| {
            let free = pool.free_vars(term).iter().filter(|var| !step.choices.contains(var));
            let copy = |var: Var| pool.of_var(pool.copy_of(var, current(&versions, var)));
            pool.substitute(term, &free.map(|&var| (var, copy(var))).collect())
        };
        let guard = rename(step.guard);
        let values: Vec<(Var, Term)> = step.updates.iter().map(|(var, term)| (*var, rename(*term))).collect();
        for (var, _) in &values {
            *versions.entry(*var).or_insert(0) += 1;
        }
        let written = values.iter().map(|(var, value)| pool.eq(pool.of_var(pool.copy_of(*var, versions[var])), *value));
        formulas.push(pool.and(std::iter::once(guard).chain(written)));
        positions.push(versions.clone());
    }
    let interpolants = solver.interpolate(&formulas)?;
    interpolants.iter().zip(&positions).map(|(&interpolant, versions)| unrename(pool, interpolant, versions)).collect()
}

/// The interpolant over the program's variables; none if it mentions a version that is not current.
fn unrename(pool: &TermPool, interpolant: Term, versions: &Versions) -> Option<Term> {
    let mut names = Substitution::default();
    for &copy in pool.free_vars(interpolant) {
        let (var, number) = pool.origin(copy)?;
        if number != current(versions, var) {
            return None;
        }
        names.insert(copy, pool.of_var(var));
    }
    Some(pool.substitute(interpolant, &names))
}
