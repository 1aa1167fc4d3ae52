//! `weave`: a proof for some sleep set reduction, out of all of them (paper 4, Figure 4).
//!
//! Rounds of: check whether the proof covers some reduction ([`braid_reduction::tree`]); if not, take interleavings of which
//! reductions hold one, and either one happens (a bug, replayed) or their trace proofs make the proof larger. No
//! reduction is chosen in advance: the order only says where a check looks first. Pairs of actions may also commute under
//! what the proof knows (paper 1, Definition 7.3): swapping them gives an execution of the same length to the same end, and that
//! is all that the argument for sleep sets needs.

mod counterexamples;
mod product;

pub use counterexamples::{Counterexamples, CounterexamplesError};

use crate::certify::Visited;
use crate::conditions::conditions;
use crate::deadlock::refuse;
use crate::proof::texts;
use crate::refinement::{Hopeless, Method, Refinement, SeatOf, Stop, Uncovered, add_annotations, first_proof, traces};
use crate::seeds::{Subjects, seeds};
use crate::{Argument, Control, Engine, Outcome, Progress, Reason, StopReason, Task};
use braid_logic::{Solver, SolverOptions, Term};
use braid_program::cfa::{ActionId, Program};
use braid_proof::{Annotation, FloydHoareAutomaton, ProveTraces, ProverOptions};
use braid_reduction::tree::{self, Checked, Choice, Chosen, NodeId, Selection};
use braid_reduction::{
    Commutativity, CommutativityMode, Context, OrderSpec, PreferenceOrder, Reduced, Reduction, Target,
};
use product::{Places, Product};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The patience of short checks.
const SHORT: usize = 30;
/// Rounds within which most programs are proven that need few assertions.
const FEW: u64 = 16;
/// A round tries at most so many interleavings of one refutation.
const MOST_WORDS: usize = 1_000;

type Interleaving = Vec<ActionId>;

/// How a check finds out whether some reduction is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixpoint {
    /// By the largest inactive sleep sets (Algorithm 1).
    Antichain,
    /// State by state: to measure against.
    Plain,
}

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weave {
    /// Which orders a reduction may choose at each state.
    pub choice: Choice,
    /// How a check works.
    pub fixpoint: Fixpoint,
    /// Which interleavings are proven: those of the first round, of the second, and so on, over and over.
    pub counterexamples: Vec<Counterexamples>,
    /// How many steps a check takes beyond the first interleaving that is not covered. One that gives up there learns from the
    /// nearest interleaving it knows, without having refuted all reductions.
    pub patience: usize,
    /// After how many rounds to give up.
    pub rounds: u64,
    /// Where a check looks first.
    pub order: OrderSpec,
    /// Which actions may be swapped.
    pub commutativity: CommutativityMode,
    /// Look for invariants of the reductions by some orders before the first round?
    pub seed_invariants: bool,
    /// How traces are proven.
    pub prover: ProverOptions,
    /// The solver's set-up.
    pub solver: SolverOptions,
}

impl Default for Weave {
    fn default() -> Self {
        Weave {
            choice: Choice::Total,
            fixpoint: Fixpoint::Antichain,
            counterexamples: vec![Counterexamples::RoundRobin],
            patience: usize::MAX,
            rounds: u64::MAX,
            order: OrderSpec::LoopLockstep,
            commutativity: CommutativityMode::ProofSensitive,
            seed_invariants: true,
            prover: ProverOptions::default(),
            solver: SolverOptions::default(),
        }
    }
}

/// How long both ways to check the same finished proof take (paper 4, Table 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// Assertions of the proof.
    pub proof_size: u64,
    /// By antichains: time and states.
    pub antichain: (Duration, usize),
    /// State by state; none if it was stopped.
    pub plain: Option<(Duration, usize)>,
}

/// Everything that a run of the engine works with.
struct Run<'a, 'p> {
    engine: &'a Weave,
    program: &'a Program<'p>,
    control: &'a Control,
    order: PreferenceOrder,
    /// The threads take turns: the order of `rr`.
    turns: PreferenceOrder,
    commutativity: Commutativity,
    proof: FloydHoareAutomaton,
    seat: SeatOf<'a>,
    places: Places,
}

impl Engine for Weave {
    fn name(&self) -> &'static str {
        "weave"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        if let Some(outcome) = refuse(task, self.name()) {
            return outcome;
        }
        self.verify_by(task, control, traces(task.program.pool, &self.prover))
    }
}

impl Weave {
    /// The settings that together prove most, to run two at a time. Without seeds and with all of each check is best where few assertions
    /// suffice, which shows after few rounds; seeds and short checks are best where many are needed.
    pub fn variants(self) -> [Weave; 4] {
        let unseeded = Weave { seed_invariants: false, patience: usize::MAX, ..self };
        let seeded = Weave { seed_invariants: true, ..unseeded.clone() };
        let impatient = Weave { patience: SHORT, ..seeded.clone() };
        [Weave { rounds: FEW, ..unseeded.clone() }, impatient, seeded, unseeded]
    }

    /// Verifies a program with traces proven by somebody else.
    pub fn verify_by<'a, 'p>(
        &'a self,
        task: &'a Task<'_, 'p>,
        control: &'a Control,
        prover: Box<dyn ProveTraces<'p> + 'a>,
    ) -> Outcome {
        let outcome = || {
            let mut refinement = Refinement::new(task.program.pool, &self.solver, prover, control)?;
            let mut run = Run::new(self, task, control)?;
            let found = run.prove(&mut refinement);
            Ok(refinement.outcome(task, found, run.proof.assertions().len()))
        };
        outcome().unwrap_or_else(Outcome::unknown)
    }

    /// Walks through a reduction that assertions cover, target by target: `take` gets the states of each, and what they were found with. False if
    /// there is no such reduction.
    pub(crate) fn walk<'p>(
        &self,
        program: &Program<'p>,
        assertions: &[Term],
        solver: &mut Solver<'p>,
        control: &Control,
        mut take: impl FnMut(&mut Solver<'p>, Target, &FloydHoareAutomaton, &mut Commutativity, &[Visited]),
    ) -> Result<bool, Reason> {
        let task = Task::new(program);
        let mut run = Run::new(self, &task, control)?;
        assertions.iter().for_each(|&assertion| _ = run.proof.add(program, assertion));
        for target in Target::all(program) {
            let Some(visited) = run.covered(solver, target).map_err(Reason::Stopped)? else { return Ok(false) };
            take(solver, target, &run.proof, &mut run.commutativity, &visited);
        }
        Ok(true)
    }

    /// Verifies a program, and then checks the proof once more with antichains and without; none if there is no proof. The last check
    /// may take until `deadline`.
    pub fn compare(&self, task: &Task<'_, '_>, control: &Control, deadline: Instant) -> Option<Comparison> {
        let patient = Control::new().until(Some(deadline));
        let mut refinement =
            Refinement::new(task.program.pool, &self.solver, traces(task.program.pool, &self.prover), control).ok()?;
        let mut run = Run::new(self, task, control).ok()?;
        run.prove(&mut refinement).ok()?;
        run.control = &patient;
        let mut timed = |fixpoint: Fixpoint| {
            let (start, mut states) = (Instant::now(), 0);
            for target in Target::all(run.program) {
                let (checked, _) = run.check(&mut refinement, target, (fixpoint, usize::MAX)).ok()?;
                states += checked.states;
                assert!(checked.refutation.is_none(), "the proof was found to suffice");
            }
            Some((start.elapsed(), states))
        };
        // Once for the triples, then for the time.
        timed(Fixpoint::Antichain)?;
        let (antichain, plain) = (timed(Fixpoint::Antichain)?, timed(Fixpoint::Plain));
        Some(Comparison { proof_size: run.proof.assertions().len() as u64, antichain, plain })
    }
}

impl<'a, 'p> Run<'a, 'p> {
    fn new(engine: &'a Weave, task: &'a Task<'_, 'p>, control: &'a Control) -> Result<Self, Reason> {
        let program = task.program;
        let order = |spec: &OrderSpec| PreferenceOrder::new(spec, program).map_err(Reason::incomplete);
        let places = Places::new(program);
        if places.slot_count() > MOST_SLOTS {
            return Err(Reason::Incomplete(format!("more than {MOST_SLOTS} actions may be possible at once")));
        }
        Ok(Run {
            engine,
            program,
            control,
            order: order(&engine.order)?,
            turns: order(&OrderSpec::Lockstep)?,
            commutativity: Commutativity::new(engine.commutativity),
            proof: first_proof(program),
            seat: task.seat.as_ref(),
            places,
        })
    }

    /// A reduction that the proof covers, as states with what is known; none if there is none.
    fn covered(&mut self, solver: &mut Solver<'p>, target: Target) -> Result<Option<Vec<Visited>>, StopReason> {
        let choice = self.engine.choice;
        let mut product = self.product(solver, target);
        let Some(chosen) = chosen(&mut product, choice)? else { return Ok(None) };
        let visited = chosen.into_iter().map(|state| {
            let (locations, known) = product.at(state.node);
            let steps = state.steps.iter().map(|&(letter, to)| (product.action((state.node, letter as u32)), to));
            let asleep = product.with_slots(state.node, &state.asleep).map(ActionId::index);
            Visited { locations: locations.clone(), asleep: asleep.collect(), known, steps: steps.collect() }
        });
        Ok(Some(visited.collect()))
    }

    fn prove(&mut self, with: &mut Refinement<'_, 'p>) -> Result<Argument, Stop> {
        for target in Target::all(self.program) {
            if self.engine.seed_invariants {
                let start = Instant::now();
                self.seed(with, target)?;
                with.statistics.refine_time += start.elapsed();
            }
            with.rounds(self.program, self.control, &mut CoversSome { run: self, target, checks: 0 })?;
        }
        let Weave { choice, commutativity, .. } = *self.engine;
        let assertions = texts(self.program.pool, self.proof.assertions().iter().copied());
        Ok(Argument::SomeReduction { assertions, choice, commutativity })
    }

    /// Checks the proof; if no reduction is covered, interleavings that are not, and how many of them to learn from.
    fn uncovered(
        &mut self,
        with: &mut Refinement<'_, 'p>,
        target: Target,
        kind: Counterexamples,
        hopeless: &Hopeless,
    ) -> Result<Option<(Vec<Interleaving>, usize)>, Stop> {
        let turns = self.turns.clone();
        let (checked, mut product) = self.check(with, target, (self.engine.fixpoint, self.engine.patience))?;
        let Some(refutation) = checked.refutation else { return Ok(None) };
        let selection = match kind {
            Counterexamples::Middle(_) => Selection::Middle,
            _ => Selection::Leftmost,
        };
        let most = match kind {
            Counterexamples::Progress => MOST_WORDS,
            Counterexamples::Naive | Counterexamples::RoundRobin => 1,
            Counterexamples::Left(count) | Counterexamples::Middle(count) => count,
        };
        let mut words = Vec::new();
        if kind == Counterexamples::Naive {
            words.extend(product.shortest(|word| hopeless.contains(word))?);
        }
        let by_turns = kind == Counterexamples::RoundRobin;
        let rank = |node: NodeId, context: Context, letter: u32| match by_turns {
            true => product.rank(&turns, context, (node, letter)),
            false => (0, 0, letter),
        };
        let next = |context: Context, node: NodeId, letter: u32| {
            turns.next(context, product.program, product.action((node, letter)))
        };
        let branches = refutation.words(selection, rank, next).take(MOST_WORDS);
        let branches = branches.map(|word| word.into_iter().map(|step| product.action(step)).collect());
        // A few more than wanted: some may teach nothing.
        words.extend(branches.filter(|word| !hopeless.contains(word)).take(most.saturating_mul(2).saturating_add(20)));
        Ok(Some((words, most)))
    }

    fn check<'s>(
        &'s mut self,
        with: &'s mut Refinement<'_, 'p>,
        target: Target,
        how: (Fixpoint, usize),
    ) -> Result<(Checked, Product<'s, 's, 'p>), Stop> {
        let (round, assertions) = (with.statistics.rounds, self.proof.assertions().len() as u64);
        let choice = self.engine.choice;
        let mut product = self.product(&mut with.solver, target);
        product.progress = Progress { round, assertions, states: 0, ..Progress::default() };
        let checked = check(&mut product, choice, how);
        with.statistics.states = product.progress.states;
        Ok((checked?, product))
    }

    fn product<'s>(&'s mut self, solver: &'s mut Solver<'p>, target: Target) -> Product<'s, 's, 'p> {
        Product {
            program: self.program,
            target,
            order: &self.order,
            solver,
            commutativity: &mut self.commutativity,
            proof: &mut self.proof,
            control: self.control,
            progress: Progress::default(),
            places: &mut self.places,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// Invariants of the reductions by orders that keep threads in step.
    fn seed(&mut self, with: &mut Refinement<'_, 'p>, target: Target) -> Result<(), Stop> {
        let (program, solver) = (self.program, &mut with.solver);
        let mut found = Vec::new();
        for spec in [OrderSpec::LoopLockstep, OrderSpec::Cut(1), OrderSpec::Cut(2)] {
            let Ok(order) = PreferenceOrder::new(&spec, program) else { continue };
            let reduced = Reduced::new(program, target, &order, Reduction::Both);
            let about = Subjects::Mentioned;
            found.extend(seeds(program, reduced, solver, &mut self.commutativity, about, self.control)?.now);
        }
        found.extend(conditions(program, solver, &mut self.commutativity, &found, self.control)?);
        found.into_iter().for_each(|seed| _ = self.proof.add(program, seed));
        Ok(())
    }
}

/// Does the proof cover a reduction of the interleavings that meet the target?
struct CoversSome<'r, 'a, 'p> {
    run: &'r mut Run<'a, 'p>,
    target: Target,
    /// So many checks there were.
    checks: usize,
}

impl<'p> Method<'p> for CoversSome<'_, '_, 'p> {
    fn check(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Option<Uncovered>, Stop> {
        let kinds = &self.run.engine.counterexamples;
        let kind = kinds.get(self.checks % kinds.len().max(1)).copied().unwrap_or(Counterexamples::RoundRobin);
        self.checks += 1;
        let Some((words, most)) = self.run.uncovered(with, self.target, kind, hopeless)? else { return Ok(None) };
        let program = self.run.program;
        let ended = |word: Interleaving| {
            let last = word.iter().fold(program.initial_state(), |state, &action| program.successor(&state, action));
            let accepted = self.target.accepted(program, &last);
            Ok((word, accepted.ok_or(Reason::Internal("an interleaving does not end where it should".into()))?))
        };
        let traces = words.into_iter().map(ended).collect::<Result<_, Reason>>()?;
        Ok(Some(Uncovered { traces, most, others: false }))
    }

    fn learn(&mut self, _: &[ActionId], annotations: &[Annotation]) -> bool {
        add_annotations(self.run.program, &mut self.run.proof, annotations, self.run.seat)
    }

    fn missing(&self) -> String {
        "no assertions were found for interleavings that cannot happen".into()
    }

    fn most_rounds(&self) -> u64 {
        self.run.engine.rounds
    }
}

/// Sleep sets are as wide as the program needs.
const MOST_SLOTS: usize = 1024;

fn chosen(product: &mut Product<'_, '_, '_>, choice: Choice) -> Result<Option<Vec<Chosen>>, StopReason> {
    match product.places.slot_count() {
        0..=64 => tree::chosen::<_, 1>(product, choice),
        65..=128 => tree::chosen::<_, 2>(product, choice),
        129..=256 => tree::chosen::<_, 4>(product, choice),
        _ => tree::chosen::<_, 16>(product, choice),
    }
}

fn check(product: &mut Product<'_, '_, '_>, choice: Choice, how: (Fixpoint, usize)) -> Result<Checked, StopReason> {
    fn wide<const W: usize>(
        product: &mut Product<'_, '_, '_>,
        choice: Choice,
        (fixpoint, patience): (Fixpoint, usize),
    ) -> Result<Checked, StopReason> {
        match fixpoint {
            Fixpoint::Antichain => tree::antichain::<_, W>(product, choice, patience),
            Fixpoint::Plain => tree::plain::<_, W>(product, choice),
        }
    }
    match product.places.slot_count() {
        0..=64 => wide::<1>(product, choice, how),
        65..=128 => wide::<2>(product, choice, how),
        129..=256 => wide::<4>(product, choice, how),
        _ => wide::<16>(product, choice, how),
    }
}
