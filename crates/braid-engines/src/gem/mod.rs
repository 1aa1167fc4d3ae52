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
use crate::refinement::{
    Hopeless, Method, Refinement, SeatOf, Stop, Uncovered, add_annotations, first_proof, read_news,
};
use crate::seeds::seeds;
use crate::{Argument, Control, Engine, Outcome, Progress, ProvenReduction, Reason, Task};
use braid_logic::{SolverOptions, Term};
use braid_program::cfa::{ActionId, Program};
use braid_proof::{Annotation, FloydHoareAutomaton, ProverOptions};
use braid_reduction::{
    Commutativity, CommutativityMode, OrderSpec, PreferenceOrder, Reduced, Reduction, Sight, Symmetry, Target,
};
use check::{Check, Found};
use covering::Covering;
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
    order: PreferenceOrder,
    commutativity: Commutativity,
    /// The threads that can be exchanged.
    symmetry: Symmetry,
    proof: FloydHoareAutomaton,
    seat: SeatOf<'a>,
}

impl Engine for Gem {
    fn name(&self) -> &'static str {
        "gem"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let outcome = || self.outcome(task, control).unwrap_or_else(Outcome::unknown);
        through_monitor(task, control, self).unwrap_or_else(outcome)
    }
}

impl Gem {
    fn outcome(&self, task: &Task<'_, '_>, control: &Control) -> Result<Outcome, Reason> {
        let program = task.program;
        let mut refinement = Refinement::by(program.pool, &self.solver, &self.prover, control)?;
        let mut run = Run {
            engine: self,
            program,
            control,
            order: PreferenceOrder::new(&self.order, program).map_err(Reason::incomplete)?,
            commutativity: Commutativity::new(self.commutativity),
            symmetry: if self.pruning == Pruning::None { Symmetry::none() } else { Symmetry::of(program) },
            proof: first_proof(program),
            seat: task.seat.as_ref(),
        };
        let found = run.prove(&mut refinement);
        Ok(refinement.outcome(task, found, run.proof.assertions().len()))
    }
}

impl<'p> Run<'_, 'p> {
    fn prove(&mut self, with: &mut Refinement<'_, 'p>) -> Result<Argument, Stop> {
        for target in self.symmetry.targets(self.program) {
            if self.engine.seed_invariants {
                let start = Instant::now();
                let reduced = Reduced::new(self.program, target, &self.order, self.engine.reduction);
                for seed in seeds(self.program, reduced, &mut with.solver, &mut self.commutativity, self.control)? {
                    self.proof.add(self.program, seed);
                }
                with.statistics.refine_time += start.elapsed();
            }
            let (symmetry, useless) = (self.symmetry.fixing(target), Covering::default());
            with.rounds(self.program, self.control, &mut Covers { run: self, target, symmetry, useless })?;
        }
        let Gem { ref order, reduction, commutativity, visible, .. } = *self.engine;
        Ok(Argument::Reduction(ProvenReduction {
            assertions: texts(self.program.pool, self.proof.assertions().iter().copied()),
            order: order.clone(),
            reduction,
            commutativity,
            visible,
            symmetry: !self.symmetry.is_trivial(),
            explanation: self.engine.explain.then(|| self.explain(with)).flatten(),
        }))
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

    fn checker<'s>(
        &'s mut self,
        with: &'s mut Refinement<'_, 'p>,
        target: Target,
        symmetry: &'s Symmetry,
    ) -> Check<'s, 's, 'p> {
        let (round, assertions) = (with.statistics.rounds, self.proof.assertions().len() as u64);
        Check {
            program: self.program,
            target,
            order: &self.order,
            symmetry,
            reduction: self.engine.reduction,
            pruning: self.engine.pruning,
            solver: &mut with.solver,
            commutativity: &mut self.commutativity,
            proof: &mut self.proof,
            control: self.control,
            progress: Progress { round, assertions, states: 0 },
        }
    }
}

/// Does the proof cover every interleaving of the reduction that meets the target?
struct Covers<'r, 'a, 'p> {
    run: &'r mut Run<'a, 'p>,
    target: Target,
    /// The threads that can be exchanged without moving the target.
    symmetry: Symmetry,
    useless: Covering<()>,
}

impl<'p> Method<'p> for Covers<'_, '_, 'p> {
    fn check(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Option<Uncovered>, Stop> {
        let run = &mut *self.run;
        // A run that is going well needs no news, and every assertion costs triples: the first rounds go without.
        if with.statistics.rounds > ROUNDS_ALONE {
            read_news(run.program, &mut run.proof, run.seat);
        }
        if run.engine.visible == Visible::Proof && run.look_at_proof() {
            // What was left out as equivalent need not be so any more.
            self.useless = Covering::default();
        }
        let mut checker = run.checker(with, self.target, &self.symmetry);
        let found = checker.run(hopeless, &mut self.useless);
        with.statistics.states = checker.progress.states;
        Ok(match found? {
            Found::Covered(_) if hopeless.is_empty() => None,
            Found::Covered(_) => Some(Uncovered::hopeless()),
            Found::Uncovered(trace, accepted) => Some(Uncovered::first(trace, accepted)),
        })
    }

    fn learn(&mut self, _: &[ActionId], annotations: &[Annotation]) -> bool {
        let Run { program, proof, symmetry, seat, .. } = &mut *self.run;
        let known = proof.assertions().len();
        let progress = add_annotations(program, proof, annotations, *seat);
        // Like threads will need the like of it.
        let new = proof.assertions()[known..].iter();
        let images: Vec<Term> = new.flat_map(|&assertion| images(symmetry, program.pool, assertion)).collect();
        images.into_iter().for_each(|image| _ = proof.add(program, image));
        progress
    }

    fn missing(&self) -> String {
        "no assertions were found for an interleaving that cannot happen".into()
    }
}
