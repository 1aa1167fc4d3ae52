//! `gem`: sound sequentialization by preference orders (paper 1, section 7.2).
//!
//! Rounds of: check whether the proof covers the reduced program (`check`), on the fly; if not, take the interleaving
//! that it does not cover, and either it happens (a bug, replayed) or its trace proof makes the proof larger.
//! Error locations are analysed one thread at a time (footnote 4); the assertions are shared by all of them.

mod check;
mod covering;

pub use crate::proof::Visible;

use crate::conditions::conditions;
use crate::deadlock::through_monitor;
use crate::proof::texts;
use crate::rates::rates;
use crate::refinement::{Refinement, SeatOf, Stop, first_proof, traces};
use crate::seeds::{Subjects, seeds};
use crate::{Argument, Control, Engine, Outcome, ProvenReduction, Reason, Task};
use braid_logic::{SolverOptions, Term};
use braid_program::cfa::Program;
use braid_proof::{FloydHoareAutomaton, ProverOptions};
use braid_reduction::{
    Commutativity, CommutativityMode, OrderSpec, PreferenceOrder, Reduced, Reduction, Sight, Symmetry,
};
use check::Check;
use covering::Covering;
use std::time::Instant;

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
    order: &'a PreferenceOrder,
    commutativity: Commutativity,
    /// The threads that can be exchanged.
    symmetry: Symmetry,
    proof: FloydHoareAutomaton,
    /// Assertions for a proof that takes long.
    later: Vec<Term>,
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
        let mut refinement = Refinement::new(program.pool, &self.solver, traces(program.pool, &self.prover), control)?;
        if self.order == OrderSpec::Rates(Vec::new()) {
            let found = rates(program, &mut refinement.solver, control).map_err(Reason::Stopped)?;
            let rates = found.ok_or_else(|| Reason::incomplete("no loops were found that go at different rates"))?;
            return Gem { order: OrderSpec::Rates(rates), ..self.clone() }.outcome(task, control);
        }
        let order = PreferenceOrder::new(&self.order, program).map_err(Reason::incomplete)?;
        let mut run = Run {
            engine: self,
            program,
            control,
            order: &order,
            commutativity: Commutativity::new(self.commutativity),
            symmetry: if self.pruning == Pruning::None { Symmetry::none() } else { Symmetry::of(program) },
            proof: first_proof(program),
            later: Vec::new(),
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
                let reduced = Reduced::new(self.program, target, self.order, self.engine.reduction);
                // Where loops keep pace, what one of them adds is mostly what another one takes away.
                let in_step = self.engine.order == OrderSpec::LoopLockstep;
                let about = if in_step { Subjects::Mentioned } else { Subjects::Products };
                let solver = &mut with.solver;
                let offered = seeds(self.program, reduced, solver, &mut self.commutativity, about, self.control)?;
                let mut found = offered.now;
                self.later.extend(offered.later);
                found.extend(conditions(self.program, solver, &mut self.commutativity, &found, self.control)?);
                found.into_iter().for_each(|seed| _ = self.proof.add(self.program, seed));
                with.statistics.refine_time += start.elapsed();
            }
            let (symmetry, useless) = (self.symmetry.fixing(target), Covering::default());
            with.rounds(self.program, self.control, &mut Check { run: self, target, symmetry, useless })?;
        }
        let Gem { ref order, reduction, commutativity, visible, .. } = *self.engine;
        let assertions = texts(self.program.pool, self.proof.assertions().iter().copied());
        Ok(Argument::Reduction(ProvenReduction {
            assertions,
            order: order.clone(),
            reduction,
            commutativity,
            visible,
            symmetry: !self.symmetry.is_trivial(),
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
}
