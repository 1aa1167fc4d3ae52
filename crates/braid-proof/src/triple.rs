//! Hoare triples {P} a {Q}, as one query without primed variables.
//!
//! An action is a guarded parallel assignment, so {P} a {Q} holds iff `P ∧ guard ∧ ¬Q[updates]` is unsatisfiable; the
//! choices of havocs are free variables there.

use braid_logic::{Answer, Solver, Term, TermPool, Validity};
use braid_program::cfa::Relation;

/// Does the action lead from `before` only to states where `after` holds?
pub fn triple(solver: &mut Solver<'_>, pool: &TermPool, before: Term, action: &Relation, after: Term) -> Validity {
    if before == Term::FALSE || after == Term::TRUE || action.guard == Term::FALSE {
        return Validity::Valid;
    }
    let violated = pool.not(action.before(pool, after));
    if pool.and([before, action.guard, violated]) == Term::FALSE {
        return Validity::Valid;
    }
    match solver.decide(&[before, action.guard, violated]) {
        Answer::Unsat => Validity::Valid,
        Answer::Sat => Validity::Invalid,
        Answer::Unknown => Validity::Unknown,
    }
}
