//! When do actions commute that do not always? Mostly where a guard of one of them holds before the other: a pop of a queue commutes with a
//! push where the queue is not empty.
//!
//! Such guards are offered as assertions. Where a thread runs ahead, they are what keeps the actions of others asleep: trace proofs would say of
//! each number of rounds apart that there is something in the queue. Nothing is trusted: the proof check uses only what follows.

use crate::{Control, StopReason};
use braid_logic::{Solver, Term, Var};
use braid_program::cfa::{ActionId, Program};
use braid_reduction::Commutativity;
use std::collections::BTreeSet;

/// Programs with more actions than this are not looked at.
const MAX_ACTIONS: usize = 60;
/// Assertions larger than this are not worth having.
const MAX_SIZE: u32 = 40;
/// More conditions than this are not worth their triples.
const MAX_CONDITIONS: usize = 24;

/// Guards under which two actions of different threads commute that do not always commute. Of `holds`, assertions that hold somewhere, those help
/// that are about variables which nobody writes.
pub(crate) fn conditions<'p>(
    program: &Program<'p>,
    solver: &mut Solver<'p>,
    commutativity: &mut Commutativity,
    holds: &[Term],
    control: &Control,
) -> Result<Vec<Term>, StopReason> {
    let pool = program.pool;
    let mut found = Vec::new();
    if program.actions.len() > MAX_ACTIONS {
        return Ok(found);
    }
    let written: BTreeSet<Var> =
        program.actions.iter().flat_map(|action| action.relation(pool).writes.iter().copied()).collect();
    let is_fixed = |fact: &Term| pool.free_vars(*fact).iter().all(|var| !written.contains(var));
    let always = pool.and(holds.iter().copied().filter(is_fixed));
    for a in 0..program.actions.len() {
        for b in a + 1..program.actions.len() {
            control.poll()?;
            let pair = (ActionId(a as u32), ActionId(b as u32));
            if found.len() >= MAX_CONDITIONS || commutativity.always(solver, program, pair.0, pair.1) {
                continue;
            }
            for guard in [pair.0, pair.1].into_iter().flat_map(|action| guards(program, action)) {
                if !found.contains(&guard) && commutativity.under(solver, program, pair, |_| pool.and([always, guard]))
                {
                    found.push(guard);
                }
            }
        }
    }
    Ok(found)
}

/// What an action asks of the state before it.
fn guards(program: &Program<'_>, action: ActionId) -> Vec<Term> {
    let (pool, relation) = (program.pool, program.action(action).relation(program.pool));
    let chosen = |guard: Term| relation.choices.iter().any(|&choice| pool.mentions(guard, choice));
    let mut guards = pool.conjuncts(relation.guard);
    guards.retain(|&guard| !chosen(guard) && pool.size(guard) <= MAX_SIZE);
    guards
}
