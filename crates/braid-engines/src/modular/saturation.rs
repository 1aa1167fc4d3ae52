//! Environment queries answered by going backwards from `beta`: everything from which the threads of an environment get there, as
//! preconditions of their traces, until nothing new is found.
//!
//! The paper finds one such trace for each query, and after each the sequential program of the asking thread is checked again. Where few
//! conditions are enough, all of them at once are both the promises (Definition 4) and the fact that refines `env_move`: from where none of
//! them holds, `beta` is out of reach. What invariants exclude, or another condition includes, is left out; that is what makes it end.

use super::concurrent::Concurrent;
use super::conditions::{precondition, vars_of};
use super::invariants::Invariants;
use crate::{Control, StopReason};
use braid_logic::{Model, Solver, Term};
use braid_program::cfa::{ActionId, ThreadId};
use std::collections::VecDeque;

/// So many conditions are looked at before this is left to sequential checks.
const MAX_CONDITIONS: usize = 1000;
/// A condition larger than this says too much of too many threads.
const MAX_SIZE: u32 = 200;

/// From where it holds, the trace leads to what was asked for.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub condition: Term,
    pub trace: Vec<ActionId>,
}

/// A way that is kept, and a state in which it is one.
struct Kept {
    way: Way,
    witness: Option<Model>,
}

pub(super) struct Saturation<'s, 'a, 'p> {
    pub concurrent: &'s Concurrent<'a, 'p>,
    pub invariants: &'s Invariants,
    pub solver: &'s mut Solver<'p>,
    pub control: &'s Control,
}

impl Saturation<'_, '_, '_> {
    /// All ways by which the threads get to one of the goals; none if there are too many, or one cannot be said.
    pub fn ways(&mut self, threads: &[ThreadId], goals: Vec<Way>) -> Result<Option<Vec<Way>>, StopReason> {
        let pool = self.concurrent.pool;
        let actions: Vec<ActionId> = threads.iter().flat_map(|&thread| self.concurrent.later(thread)).collect();
        let mut ways: Vec<Option<Kept>> = Vec::new();
        let mut agenda = VecDeque::new();
        for goal in goals {
            self.add(&mut ways, &mut agenda, goal);
        }
        while let Some(number) = agenda.pop_front() {
            self.control.poll_now()?;
            let Some(way) = ways[number].as_ref().map(|kept| kept.way.clone()) else { continue };
            for &action in &actions {
                let relation = self.concurrent.relation(action);
                if !vars_of(pool, way.condition).any(|var| relation.writes.contains(&var)) {
                    continue;
                }
                let Some(condition) = precondition(self.solver, pool, [relation].into_iter(), way.condition) else {
                    return Ok(None);
                };
                if pool.size(condition) > MAX_SIZE || ways.len() > MAX_CONDITIONS {
                    return Ok(None);
                }
                let trace = [action].into_iter().chain(way.trace.iter().copied()).collect();
                self.add(&mut ways, &mut agenda, Way { condition, trace });
            }
        }
        Ok(Some(ways.into_iter().flatten().map(|kept| kept.way).collect()))
    }

    /// Keeps a way unless it is none, or others include it; those that it includes are forgotten.
    fn add(&mut self, ways: &mut Vec<Option<Kept>>, agenda: &mut VecDeque<usize>, new: Way) {
        let pool = self.concurrent.pool;
        if new.condition == Term::FALSE {
            return;
        }
        let known = pool.or(ways.iter().flatten().map(|kept| kept.way.condition));
        if self.invariants.refute(self.concurrent, self.solver, pool.and([new.condition, pool.not(known)])) {
            return;
        }
        let witness = self.solver.model();
        let is_outside = |state: &Model| pool.holds_in(new.condition, state) == Some(false);
        for old in ways.iter_mut() {
            let is_included = old.as_ref().is_some_and(|old| {
                let rest = pool.and([old.way.condition, pool.not(new.condition)]);
                !old.witness.as_ref().is_some_and(is_outside)
                    && self.invariants.refute(self.concurrent, self.solver, rest)
            });
            if is_included {
                *old = None;
            }
        }
        agenda.push_back(ways.len());
        ways.push(Some(Kept { way: new, witness }));
    }
}
