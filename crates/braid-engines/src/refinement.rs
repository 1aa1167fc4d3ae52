//! What every engine does that proves interleavings one by one: an interleaving that a proof does not cover either happens, or
//! makes the proof larger. Assertions are shared with engines that run side by side.

use crate::{Reason, Seat, StopReason, Verdict};
use braid_logic::Solver;
use braid_logic::text::{PoolScope, parse_term};
use braid_program::cfa::{Accepted, ActionId, Program, Violation};
use braid_proof::{Annotation, FloydHoareAutomaton, ProveTraces, Trace, TraceOutcome};
use std::cell::RefCell;

/// What is to be said where a run ends before the proof is complete.
pub(crate) struct Stop(pub Verdict);

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Stop {
        Stop(Verdict::Unknown(Reason::Stopped(reason)))
    }
}

/// A proof with what makes it larger.
pub(crate) struct Refinement<'s, 'a, 'p> {
    pub program: &'a Program<'p>,
    pub solver: &'s mut Solver<'p>,
    pub prover: &'s mut dyn ProveTraces<'p>,
    pub proof: &'s mut FloydHoareAutomaton,
    /// Where assertions are shared with other engines.
    pub seat: Option<&'a RefCell<Seat>>,
}

impl Refinement<'_, '_, '_> {
    /// Takes over what other engines have found.
    pub fn read_news(&mut self) {
        let Some(seat) = self.seat else { return };
        for text in seat.borrow_mut().news() {
            let pool = self.program.pool;
            if let Ok(assertion) = parse_term(pool, &text, &PoolScope(pool)) {
                self.proof.add(self.program, assertion);
            }
        }
    }

    /// Makes the proof larger by an interleaving that it does not cover; false if that did not work.
    pub fn refine(&mut self, actions: &[ActionId], accepted: Accepted) -> Result<bool, Stop> {
        let annotations = refute(self.program, self.solver, self.prover, actions, accepted)?;
        let mut new = false;
        for assertion in annotations.iter().flat_map(Annotation::distinct) {
            if self.proof.add(self.program, assertion) {
                new = true;
                let text = || self.program.pool.display(assertion).to_string();
                self.seat.inspect(|seat| seat.borrow().publish([text()]));
            }
        }
        Ok(new)
    }
}

/// Why an interleaving cannot happen; nothing if that is not known. One that happens is the end of the run.
pub(crate) fn refute<'p>(
    program: &Program<'p>,
    solver: &mut Solver<'p>,
    prover: &mut dyn ProveTraces<'p>,
    actions: &[ActionId],
    accepted: Accepted,
) -> Result<Vec<Annotation>, Stop> {
    let trace = Trace::of_actions(program, actions);
    match prover.prove(solver, &trace) {
        TraceOutcome::Feasible(values) => match accepted {
            Accepted::Violation(thread, location, violation) if accepted.is_bound() => {
                let name = &program.thread(thread).name;
                let clause = match violation {
                    Violation::InstanceBound => format!("thread {name} needs more instances"),
                    Violation::Unmodelled(number) => {
                        program.not_modelled(number, program.thread(thread).locations[location.index()].span)
                    }
                    _ => format!("thread {name} nests calls deeper"),
                };
                // Errors come before bounds, and all that is left are other bounds.
                Err(Stop(Verdict::Unknown(Reason::Bound(violation, clause))))
            }
            _ => Err(Stop(Verdict::from_execution(program, values.execution(actions)))),
        },
        TraceOutcome::Infeasible(annotations) => Ok(annotations),
        TraceOutcome::Unknown(_) => Ok(Vec::new()),
    }
}
