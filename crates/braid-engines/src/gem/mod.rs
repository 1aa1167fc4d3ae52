//! `gem`: sound sequentialization by preference orders (paper 1, section 7.2).
//!
//! Rounds of: check whether the proof covers the reduced program (`check`), on the fly; if not, take the interleaving
//! that it does not cover, and either it happens (a bug, replayed) or its trace proof makes the proof larger.
//! Error locations are analysed one thread at a time (footnote 4); the assertions are shared by all of them.

mod check;
mod covering;
mod explain;

pub use crate::proof::Visible;

use crate::deadlock::through_monitor;
use crate::like_threads::images;
use crate::proof::texts;
use crate::refinement::{Refinement, Stop};
use crate::seeds::seeds;
use crate::{Argument, Control, Engine, Outcome, Progress, ProvenReduction, Reason, Seat, Statistics, Task, Verdict};
use braid_logic::{Solver, SolverOptions};
use braid_program::cfa::{ActionId, Program};
use braid_proof::{FloydHoareAutomaton, ProverOptions, TraceProver};
use braid_reduction::{
    Commutativity, CommutativityMode, OrderSpec, PreferenceOrder, Reduced, Reduction, Sight, Symmetry, Target,
};
use check::{Check, Found};
use covering::Covering;
use std::cell::RefCell;
use std::time::Instant;

/// So many rounds an engine works on its own before it listens to others.
const ROUNDS_ALONE: u64 = 12;

/// Which states a proof check does not visit because of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Those that were visited in the same round.
    None,
    /// Also those that a visited one covers.
    Subsumption,
    /// Also those that an earlier round found to be useless.
    Useless,
}

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gem {
    /// Which interleavings are preferred.
    pub order: OrderSpec,
    /// Which actions may be swapped.
    pub commutativity: CommutativityMode,
    /// Which variables matter for that.
    pub visible: Visible,
    /// What of the reduction is used.
    pub reduction: Reduction,
    /// Which states are not visited.
    pub pruning: Pruning,
    /// Look for invariants of the reduced program before the first round?
    pub seed_invariants: bool,
    /// Find out which assertions a proof needs, and where they hold?
    pub explain: bool,
    /// How traces are proven.
    pub prover: ProverOptions,
    /// The solver's set-up.
    pub solver: SolverOptions,
}

impl Default for Gem {
    fn default() -> Self {
        Gem {
            order: OrderSpec::Seq,
            commutativity: CommutativityMode::ProofSensitive,
            visible: Visible::All,
            reduction: Reduction::Both,
            pruning: Pruning::Useless,
            seed_invariants: true,
            explain: false,
            prover: ProverOptions::default(),
            solver: SolverOptions::default(),
        }
    }
}

/// Everything that a run of the engine works with.
struct Run<'a, 'p> {
    engine: &'a Gem,
    program: &'a Program<'p>,
    control: &'a Control,
    solver: Solver<'p>,
    commutativity: Commutativity,
    /// The threads that can be exchanged.
    symmetry: Symmetry,
    proof: FloydHoareAutomaton,
    prover: TraceProver<'p>,
    /// Where assertions are shared with other engines.
    seat: Option<&'a RefCell<Seat>>,
    statistics: Statistics,
}

impl Engine for Gem {
    fn name(&self) -> &'static str {
        "gem"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        if let Some(outcome) = through_monitor(task, control, self) {
            return outcome;
        }
        let program = task.program;
        let solver = match Solver::new(program.pool, self.solver.clone()) {
            Ok(solver) => solver,
            Err(error) => return Outcome::unknown(Reason::Incomplete(error.to_string())),
        };
        control.may_interrupt(solver.interrupter());
        let order = match PreferenceOrder::new(&self.order, program) {
            Ok(order) => order,
            Err(error) => return Outcome::unknown(Reason::Incomplete(error.to_string())),
        };
        let mut run = Run {
            engine: self,
            program,
            control,
            solver,
            commutativity: Commutativity::new(self.commutativity),
            symmetry: if self.pruning == Pruning::None { Symmetry::none() } else { Symmetry::of(program) },
            proof: FloydHoareAutomaton::new(),
            prover: TraceProver::new(program.pool, self.prover.clone()),
            seat: task.seat.as_ref(),
            statistics: Statistics::default(),
        };
        for &seed in &program.seeds {
            run.proof.add(program, seed);
        }
        let verdict = run.verify(&order).map_or_else(|Stop(verdict)| verdict, |argument| task.safe(argument));
        run.statistics.proof_size = run.proof.assertions().len() as u64;
        run.statistics.smt_queries = run.solver.statistics().queries;
        run.statistics.smt_time = run.solver.statistics().total_time();
        Outcome { verdict, statistics: run.statistics }
    }
}

impl<'p> Run<'_, 'p> {
    fn verify(&mut self, order: &PreferenceOrder) -> Result<Argument, Stop> {
        for target in Target::all(self.program) {
            if target.thread().is_some_and(|thread| self.symmetry.representative(thread) != thread) {
                // What it can do, the first of those that it can be exchanged with can do too.
                continue;
            }
            self.refute(target, order)?;
        }
        let Gem { order: ref spec, reduction, commutativity, visible, .. } = *self.engine;
        Ok(Argument::Reduction(ProvenReduction {
            assertions: texts(self.program.pool, self.proof.assertions().iter().copied()),
            order: spec.clone(),
            reduction,
            commutativity,
            visible,
            symmetry: !self.symmetry.is_trivial(),
            explanation: self.engine.explain.then(|| self.explain(order)).flatten(),
        }))
    }

    /// Rounds of refinement until the proof covers every interleaving of the reduction that meets the target.
    fn refute(&mut self, target: Target, order: &PreferenceOrder) -> Result<(), Stop> {
        let mut hopeless: Vec<Vec<ActionId>> = Vec::new();
        let mut useless = Covering::default();
        let symmetry = match target.thread() {
            Some(thread) => self.symmetry.fixing(thread),
            None => self.symmetry.clone(),
        };
        if self.engine.seed_invariants {
            let start = Instant::now();
            let reduced = Reduced::new(self.program, target, order, self.engine.reduction);
            for seed in seeds(self.program, reduced, &mut self.solver, &mut self.commutativity, self.control)? {
                self.proof.add(self.program, seed);
            }
            self.statistics.refine_time += start.elapsed();
        }
        loop {
            self.statistics.rounds += 1;
            let start = Instant::now();
            self.read_news();
            if self.engine.visible == Visible::Proof && self.look_at_proof() {
                // What was left out as equivalent need not be so any more.
                useless = Covering::default();
            }
            let found = self.check((target, order, &symmetry), &hopeless, &mut useless);
            self.statistics.check_time += start.elapsed();
            let (trace, accepted) = match found? {
                Found::Covered(_) if hopeless.is_empty() => return Ok(()),
                Found::Covered(_) => {
                    let reason = "no assertions were found for an interleaving that cannot happen".into();
                    return Err(Stop(Verdict::Unknown(Reason::Incomplete(reason))));
                }
                Found::Uncovered(trace, accepted) => (trace, accepted),
            };
            let start = Instant::now();
            let known = self.proof.assertions().len();
            let progress = self.refinement().refine(&trace, accepted);
            self.say_of_like_threads(known);
            self.statistics.refine_time += start.elapsed();
            if !progress? {
                hopeless.push(trace);
            }
        }
    }

    /// Compares actions by what the proof speaks of now; true if that is more than before.
    fn look_at_proof(&mut self) -> bool {
        let spoken_of = self.proof.assertions().iter().flat_map(|&assertion| self.program.pool.free_vars(assertion));
        // What commutes under what is known depends on more than which assertions hold.
        let sight = Sight::of_values(self.symmetry.closed(spoken_of.map(|var| var.index()).collect()));
        let changed = self.commutativity.sight() != Some(&sight);
        if changed {
            self.commutativity = Commutativity::seeing(self.engine.commutativity, sight);
        }
        changed
    }

    /// Like threads will need the like of the assertions from the given number on.
    fn say_of_like_threads(&mut self, first: usize) {
        let new = self.proof.assertions()[first..].to_vec();
        for image in new.into_iter().flat_map(|assertion| images(&self.symmetry, self.program.pool, assertion)) {
            self.proof.add(self.program, image);
        }
    }

    /// Takes over what other engines have found. A run that is going well does not need it, and every assertion costs
    /// triples: the first rounds go without.
    fn read_news(&mut self) {
        if self.statistics.rounds > ROUNDS_ALONE {
            self.refinement().read_news();
        }
    }

    fn check(
        &mut self,
        (target, order, symmetry): (Target, &PreferenceOrder, &Symmetry),
        hopeless: &[Vec<ActionId>],
        useless: &mut Covering<()>,
    ) -> Result<Found, Stop> {
        let mut checker = self.checker(target, order, symmetry);
        let found = checker.run(hopeless, useless);
        self.statistics.states = checker.progress.states;
        Ok(found?)
    }

    fn checker<'s>(
        &'s mut self,
        target: Target,
        order: &'s PreferenceOrder,
        symmetry: &'s Symmetry,
    ) -> Check<'s, 's, 'p> {
        let (round, assertions) = (self.statistics.rounds, self.proof.assertions().len() as u64);
        Check {
            program: self.program,
            target,
            order,
            symmetry,
            reduction: self.engine.reduction,
            pruning: self.engine.pruning,
            solver: &mut self.solver,
            commutativity: &mut self.commutativity,
            proof: &mut self.proof,
            control: self.control,
            progress: Progress { round, assertions, states: 0 },
        }
    }

    fn refinement(&mut self) -> Refinement<'_, '_, 'p> {
        Refinement {
            program: self.program,
            solver: &mut self.solver,
            prover: &mut self.prover,
            proof: &mut self.proof,
            seat: self.seat,
        }
    }
}
