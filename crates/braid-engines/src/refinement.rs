//! Rounds of refinement, for every engine that proves interleavings one by one: look for interleavings that are not covered yet; each either happens,
//! and that is the end, or why it cannot makes the proof larger. What is checked, and what is made of a trace proof, is a [`Method`].
//!
//! *Invariant*: a violation is only said after it was replayed.

use crate::{Argument, Control, Outcome, Reason, Seat, Statistics, StopReason, Task, Verdict};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Solver, SolverOptions, TermPool};
use braid_program::cfa::{Accepted, ActionId, ProductState, Program, Violation};
use braid_proof::{Annotation, FloydHoareAutomaton, ProveTraces, ProverOptions, Trace, TraceOutcome, TraceProver};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::time::Instant;

/// What is to be said where a run ends before the proof is complete.
pub(crate) struct Stop(pub Verdict);

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Stop {
        Reason::Stopped(reason).into()
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop(Verdict::Unknown(reason))
    }
}

/// Interleavings of which it is not known why they cannot happen.
pub(crate) type Hopeless = FxHashSet<Vec<ActionId>>;

/// Interleavings that are not covered, with what their ends stand for.
pub(crate) struct Uncovered {
    pub traces: Vec<(Vec<ActionId>, Accepted)>,
    /// How many of them to learn from.
    pub most: usize,
    /// Where none of them teaches anything, will the next check find others?
    pub others: bool,
}

/// What came of a visit of all states.
pub(crate) enum Found<S> {
    /// All is covered, by these states.
    Covered(Vec<S>),
    /// This interleaving is not.
    Uncovered(Vec<ActionId>, Accepted),
}

impl<S> Found<S> {
    /// The interleaving that is not covered. Hopeless ones were left out, so nothing is known if all others are.
    pub fn uncovered(self, hopeless: &Hopeless, keep: impl FnOnce(Vec<S>)) -> Option<Uncovered> {
        match self {
            Found::Covered(states) if hopeless.is_empty() => {
                keep(states);
                None
            }
            Found::Covered(_) => Some(Uncovered { traces: Vec::new(), most: 0, others: false }),
            Found::Uncovered(trace, end) => Some(Uncovered { traces: vec![(trace, end)], most: 1, others: true }),
        }
    }
}

/// What is different between engines.
pub(crate) trait Method<'p> {
    /// Is everything covered? If not, what is not, other than hopeless interleavings.
    fn check(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Option<Uncovered>, Stop>;

    /// Takes up why an interleaving cannot happen; false if that is nothing new.
    fn learn(&mut self, trace: &[ActionId], annotations: &[Annotation]) -> bool;

    /// What is missing where nothing can be learned, as a clause.
    fn missing(&self) -> String;

    /// After how many rounds to give up.
    fn most_rounds(&self) -> u64 {
        u64::MAX
    }
}

/// The usual prover.
pub(crate) fn traces<'p>(pool: &'p TermPool, options: &ProverOptions) -> Box<TraceProver<'p>> {
    Box::new(TraceProver::new(pool, options.clone()))
}

/// What interleavings are proven with, and what it cost so far.
pub(crate) struct Refinement<'a, 'p> {
    pub solver: Solver<'p>,
    pub prover: Box<dyn ProveTraces<'p> + 'a>,
    pub statistics: Statistics,
}

impl<'a, 'p> Refinement<'a, 'p> {
    /// Nothing is proven yet.
    pub fn new(
        pool: &'p TermPool,
        options: &SolverOptions,
        prover: Box<dyn ProveTraces<'p> + 'a>,
        control: &Control,
    ) -> Result<Self, Reason> {
        let solver = Solver::new(pool, options.clone()).map_err(Reason::incomplete)?;
        control.may_interrupt(solver.interrupter());
        Ok(Refinement { solver, prover, statistics: Statistics::default() })
    }

    /// What came of it, and what it cost.
    pub fn outcome(mut self, task: &Task<'_, 'p>, found: Result<Argument, Stop>, proof_size: usize) -> Outcome {
        self.statistics.proof_size = proof_size as u64;
        self.statistics.smt_queries = self.solver.statistics().queries;
        self.statistics.smt_time = self.solver.statistics().total_time();
        let verdict = found.map_or_else(|Stop(verdict)| verdict, |argument| task.safe(argument));
        Outcome { verdict, statistics: self.statistics }
    }

    /// Rounds until everything is covered.
    pub fn rounds(
        &mut self,
        program: &Program<'p>,
        control: &Control,
        method: &mut dyn Method<'p>,
    ) -> Result<(), Stop> {
        let mut hopeless = Hopeless::default();
        loop {
            if self.statistics.rounds >= method.most_rounds() {
                return Err(Reason::incomplete(format!("no proof in {} rounds", method.most_rounds())).into());
            }
            self.statistics.rounds += 1;
            let start = Instant::now();
            let uncovered = method.check(self, &hopeless);
            self.statistics.check_time += start.elapsed();
            let Some(uncovered) = uncovered? else { return Ok(()) };
            let (start, others) = (Instant::now(), uncovered.others);
            let progress = self.learn(program, control, method, uncovered, &mut hopeless);
            self.statistics.refine_time += start.elapsed();
            if !progress? && !others {
                return Err(Reason::Incomplete(method.missing()).into());
            }
        }
    }

    /// Proves as many of the interleavings as wanted, and others for those that teach nothing; true if something was learned.
    fn learn(
        &mut self,
        program: &Program<'p>,
        control: &Control,
        method: &mut dyn Method<'p>,
        uncovered: Uncovered,
        hopeless: &mut Hopeless,
    ) -> Result<bool, Stop> {
        let mut learned = 0;
        for (trace, accepted) in uncovered.traces {
            control.poll_now()?;
            if method.learn(&trace, &self.refute(program, &trace, accepted)?) {
                learned += 1;
                if learned >= uncovered.most {
                    break;
                }
            } else {
                hopeless.insert(trace);
            }
        }
        Ok(learned > 0)
    }

    /// Why an interleaving cannot happen; nothing if that is not known. One that happens is the end of the run.
    pub fn refute(
        &mut self,
        program: &Program<'p>,
        actions: &[ActionId],
        accepted: Accepted,
    ) -> Result<Vec<Annotation>, Stop> {
        match self.prover.prove(&mut self.solver, &Trace::of_actions(program, actions)) {
            TraceOutcome::Feasible(values) => match accepted {
                // Errors come before bounds, and all that is left are other bounds.
                Accepted::Violation(thread, location, violation) if accepted.is_bound() => {
                    let name = &program.thread(thread).name;
                    let clause = match violation {
                        Violation::InstanceBound => format!("thread {name} needs more instances"),
                        Violation::Unmodelled(number) => {
                            program.not_modelled(number, program.thread(thread).locations[location.index()].span)
                        }
                        _ => format!("thread {name} nests calls deeper"),
                    };
                    Err(Reason::Bound(violation, clause).into())
                }
                _ => Err(Stop(Verdict::from_execution(program, values.execution(actions)))),
            },
            TraceOutcome::Infeasible(annotations) => Ok(annotations),
            TraceOutcome::Unknown(_) => Ok(Vec::new()),
        }
    }

    /// What a violation that was found in another way is on the program; `ends` says what the last state stands for.
    pub fn confirm(
        &mut self,
        program: &Program<'p>,
        actions: &[ActionId],
        ends: impl FnOnce(&ProductState) -> Option<Accepted>,
    ) -> Verdict {
        let internal = |what: &str| Verdict::Unknown(Reason::Internal(what.into()));
        let mut state = program.initial_state();
        for &action in actions {
            if !program.is_enabled(&state, program.action(action)) {
                return internal("a promised violation takes an action where the threads are not");
            }
            state = program.successor(&state, action);
        }
        let Some(accepted) = ends(&state) else { return internal("a promised violation ends somewhere else") };
        match self.refute(program, actions, accepted) {
            Err(Stop(verdict)) => verdict,
            Ok(annotations) if annotations.is_empty() => {
                Verdict::Unknown(Reason::incomplete("whether a violation happens could not be found out"))
            }
            Ok(_) => internal("a promised violation cannot happen"),
        }
    }
}

/// A place at the board, where there is one.
pub(crate) type SeatOf<'a> = Option<&'a RefCell<Seat>>;

/// The proof that the user begins with.
pub(crate) fn first_proof(program: &Program<'_>) -> FloydHoareAutomaton {
    let mut proof = FloydHoareAutomaton::new();
    program.seeds.iter().for_each(|&seed| _ = proof.add(program, seed));
    proof
}

/// Takes over what other engines have found.
pub(crate) fn read_news(program: &Program<'_>, proof: &mut FloydHoareAutomaton, seat: SeatOf<'_>) {
    let Some(seat) = seat else { return };
    for text in seat.borrow_mut().news() {
        if let Ok(assertion) = parse_term(program.pool, &text, &PoolScope(program.pool)) {
            proof.add(program, assertion);
        }
    }
}

/// Makes a proof larger, and tells other engines; false if nothing is new.
pub(crate) fn add_annotations(
    program: &Program<'_>,
    proof: &mut FloydHoareAutomaton,
    annotations: &[Annotation],
    seat: SeatOf<'_>,
) -> bool {
    let mut new = false;
    for assertion in annotations.iter().flat_map(Annotation::distinct) {
        if proof.add(program, assertion) {
            new = true;
            let text = || program.pool.display(assertion).to_string();
            seat.inspect(|seat| seat.borrow().publish([text()]));
        }
    }
    new
}

/// The actions that lead to a node, if each but the first knows the one before it.
pub(crate) fn path<N: Copy>(mut node: N, from: impl Fn(N) -> Option<(N, ActionId)>) -> Vec<ActionId> {
    let mut actions = Vec::new();
    while let Some((before, action)) = from(node) {
        actions.push(action);
        node = before;
    }
    actions.reverse();
    actions
}
