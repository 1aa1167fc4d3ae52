//! Preconditions of paths (section 2), and what a condition says of some variables only.

use braid_logic::{Solver, Term, TermPool, Var};
use braid_program::cfa::Relation;

/// Conditions larger than this lose what makes them so large.
const MAX_SIZE: u32 = 400;

/// The weakest condition from which some run along the relations ends where the condition holds; none if havocs cannot be eliminated.
pub(super) fn precondition<'r>(
    solver: &mut Solver<'_>,
    pool: &TermPool,
    path: impl DoubleEndedIterator<Item = &'r Relation>,
    mut condition: Term,
) -> Option<Term> {
    for relation in path.rev() {
        condition = pool.and([relation.guard, relation.before(pool, condition)]);
        if !relation.choices.is_empty() {
            condition = solver.eliminate(&relation.choices, condition)?;
        }
    }
    Some(condition)
}

/// `∃ vars. formula`, or something weaker where that is hard to say.
pub(super) fn weaker(solver: &mut Solver<'_>, pool: &TermPool, vars: &[Var], formula: Term) -> Term {
    let fits = |projected: &Term| pool.size(*projected) <= MAX_SIZE;
    if let Some(projected) = solver.eliminate(vars, formula).filter(fits) {
        return projected;
    }
    let mentions = |conjunct: &Term| vars.iter().any(|&var| pool.mentions(*conjunct, var));
    let (inside, outside): (Vec<Term>, Vec<Term>) = pool.conjuncts(formula).into_iter().partition(mentions);
    // Without disjunctions elimination is easier.
    let simple = pool.and(inside.into_iter().filter(|&conjunct| pool.disjuncts(conjunct).len() <= 1));
    let projected = solver.eliminate(vars, simple).filter(fits).unwrap_or(Term::TRUE);
    pool.and(outside.into_iter().filter(|&conjunct| pool.size(conjunct) <= MAX_SIZE).chain([projected]))
}

/// The variables of a condition.
pub(super) fn vars_of(pool: &TermPool, condition: Term) -> impl Iterator<Item = Var> + '_ {
    pool.free_vars(condition).iter().copied()
}
