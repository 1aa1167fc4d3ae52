//! Candidates that are invariants: what is not inductive is dropped until the rest is (Flanagan and Leino 2001, Houdini).

use super::FlowGraph;
use crate::triple::triple;
use braid_logic::{Solver, Term, TermPool, Validity};

/// Drops facts until those that are left at a node follow, along every edge, from those at the node where it starts.
/// `poll` is called before each triple, and its error ends the work.
pub fn keep_inductive<E>(
    solver: &mut Solver<'_>,
    pool: &TermPool,
    flow: &FlowGraph<'_>,
    facts: &mut [Vec<Term>],
    poll: impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    loop {
        let mut changed = false;
        for &(from, to, relation) in &flow.edges {
            let premise = pool.and(facts[from].iter().copied());
            let before = facts[to].len();
            let mut kept = Vec::with_capacity(before);
            for &fact in &facts[to] {
                poll()?;
                if triple(solver, pool, premise, relation, fact) == Validity::Valid {
                    kept.push(fact);
                }
            }
            changed |= kept.len() < before;
            facts[to] = kept;
        }
        if !changed {
            return Ok(());
        }
    }
}
