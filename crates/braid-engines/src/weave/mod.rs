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

use crate::deadlock::refuse;
use crate::proof::texts;
use crate::refinement::{Refinement, Stop};
use crate::seeds::seeds;
use crate::{Argument, Control, Engine, Outcome, Progress, Reason, Seat, Statistics, StopReason, Task, Verdict};
use braid_logic::{Solver, SolverOptions};
use braid_program::cfa::{ActionId, Program};
use braid_proof::{FloydHoareAutomaton, ProveTraces, ProverOptions, TraceProver};
use braid_reduction::tree::{self, Checked, Choice, NodeId, Selection};
use braid_reduction::{
    Commutativity, CommutativityMode, Context, OrderSpec, PreferenceOrder, Reduced, Reduction, Target,
};
use product::{Places, Product};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
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
    solver: Solver<'p>,
    commutativity: Commutativity,
    proof: FloydHoareAutomaton,
    prover: Box<dyn ProveTraces<'p> + 'a>,
    seat: Option<&'a RefCell<Seat>>,
    statistics: Statistics,
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
        self.verify_by(task, control, self.prover(task))
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
        let mut run = match Run::new(self, task, control, prover) {
            Ok(run) => run,
            Err(reason) => return Outcome::unknown(reason),
        };
        let verdict = run.verify().map_or_else(|Stop(verdict)| verdict, |argument| task.safe(argument));
        run.statistics.proof_size = run.proof.assertions().len() as u64;
        run.statistics.smt_queries = run.solver.statistics().queries;
        run.statistics.smt_time = run.solver.statistics().total_time();
        Outcome { verdict, statistics: run.statistics }
    }

    fn prover<'p>(&self, task: &Task<'_, 'p>) -> Box<TraceProver<'p>> {
        Box::new(TraceProver::new(task.program.pool, self.prover.clone()))
    }

    /// Verifies a program, and then checks the proof once more with antichains and without; none if there is no proof. The last check
    /// may take until `deadline`.
    pub fn compare(&self, task: &Task<'_, '_>, control: &Control, deadline: Instant) -> Option<Comparison> {
        let patient = Control::new().until(Some(deadline));
        let mut run = Run::new(self, task, control, self.prover(task)).ok()?;
        run.verify().ok()?;
        run.control = &patient;
        let mut timed = |fixpoint: Fixpoint| {
            let (start, mut states) = (Instant::now(), 0);
            for target in Target::all(run.program) {
                let (checked, _) = run.check(target, fixpoint, usize::MAX).ok()?;
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
    fn new(
        engine: &'a Weave,
        task: &'a Task<'_, 'p>,
        control: &'a Control,
        prover: Box<dyn ProveTraces<'p> + 'a>,
    ) -> Result<Self, Reason> {
        let program = task.program;
        let incomplete = |error: &dyn std::fmt::Display| Reason::Incomplete(error.to_string());
        let solver = Solver::new(program.pool, engine.solver.clone()).map_err(|error| incomplete(&error))?;
        control.may_interrupt(solver.interrupter());
        let order = |spec: &OrderSpec| PreferenceOrder::new(spec, program).map_err(|error| incomplete(&error));
        let places = Places::new(program);
        if places.slot_count() > MOST_SLOTS {
            return Err(Reason::Incomplete(format!("more than {MOST_SLOTS} actions may be possible at once")));
        }
        let mut proof = FloydHoareAutomaton::new();
        for &seed in &program.seeds {
            proof.add(program, seed);
        }
        Ok(Run {
            engine,
            program,
            control,
            order: order(&engine.order)?,
            turns: order(&OrderSpec::Lockstep)?,
            solver,
            commutativity: Commutativity::new(engine.commutativity),
            proof,
            prover,
            seat: task.seat.as_ref(),
            statistics: Statistics::default(),
            places,
        })
    }

    fn verify(&mut self) -> Result<Argument, Stop> {
        for target in Target::all(self.program) {
            self.refute(target)?;
        }
        let Weave { choice, commutativity, .. } = *self.engine;
        let assertions = texts(self.program.pool, self.proof.assertions().iter().copied());
        Ok(Argument::SomeReduction { assertions, choice, commutativity })
    }

    /// Rounds of refinement until the proof covers a reduction of the interleavings that meet the target.
    fn refute(&mut self, target: Target) -> Result<(), Stop> {
        let mut hopeless: FxHashSet<Interleaving> = FxHashSet::default();
        if self.engine.seed_invariants {
            let start = Instant::now();
            self.seed(target)?;
            self.statistics.refine_time += start.elapsed();
        }
        let mut kinds = self.engine.counterexamples.iter().copied().cycle();
        loop {
            if self.statistics.rounds >= self.engine.rounds {
                let reason = format!("no proof in {} rounds", self.engine.rounds);
                return Err(Stop(Verdict::Unknown(Reason::Incomplete(reason))));
            }
            self.statistics.rounds += 1;
            let start = Instant::now();
            let kind = kinds.next().unwrap_or(Counterexamples::RoundRobin);
            let words = self.uncovered(target, kind, &hopeless);
            self.statistics.check_time += start.elapsed();
            let Some((words, most)) = words? else { return Ok(()) };
            let start = Instant::now();
            let progress = self.learn(words, most, target, &mut hopeless);
            self.statistics.refine_time += start.elapsed();
            if !progress? {
                let reason = "no assertions were found for interleavings that cannot happen".into();
                return Err(Stop(Verdict::Unknown(Reason::Incomplete(reason))));
            }
        }
    }

    /// Proves as many of the interleavings as wanted, and others for those that teach nothing; true if something was learned.
    fn learn(
        &mut self,
        words: Vec<Interleaving>,
        most: usize,
        target: Target,
        hopeless: &mut FxHashSet<Interleaving>,
    ) -> Result<bool, Stop> {
        let mut learned = 0;
        for word in words {
            self.control.poll_now()?;
            let first = self.program.initial_state();
            let last = word.iter().fold(first, |state, &action| self.program.successor(&state, action));
            let Some(accepted) = target.accepted(self.program, &last) else {
                let reason = "an interleaving does not end where it should".into();
                return Err(Stop(Verdict::Unknown(Reason::Internal(reason))));
            };
            if self.refinement().refine(&word, accepted)? {
                learned += 1;
                if learned >= most {
                    break;
                }
            } else {
                hopeless.insert(word);
            }
        }
        Ok(learned > 0)
    }

    /// Checks the proof; if no reduction is covered, interleavings that are not, and how many of them to learn from.
    fn uncovered(
        &mut self,
        target: Target,
        kind: Counterexamples,
        hopeless: &FxHashSet<Interleaving>,
    ) -> Result<Option<(Vec<Interleaving>, usize)>, Stop> {
        let turns = self.turns.clone();
        let (checked, mut product) = self.check(target, self.engine.fixpoint, self.engine.patience)?;
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

    fn check(
        &mut self,
        target: Target,
        fixpoint: Fixpoint,
        patience: usize,
    ) -> Result<(Checked, Product<'_, '_, 'p>), Stop> {
        let (round, assertions) = (self.statistics.rounds, self.proof.assertions().len() as u64);
        let mut product = Product {
            program: self.program,
            target,
            order: &self.order,
            solver: &mut self.solver,
            commutativity: &mut self.commutativity,
            proof: &mut self.proof,
            control: self.control,
            progress: Progress { round, assertions, states: 0 },
            places: &mut self.places,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let checked = check(&mut product, self.engine.choice, (fixpoint, patience));
        self.statistics.states = product.progress.states;
        Ok((checked?, product))
    }

    /// Invariants of the reductions by orders that keep threads in step.
    fn seed(&mut self, target: Target) -> Result<(), Stop> {
        for spec in [OrderSpec::LoopLockstep, OrderSpec::Cut(1), OrderSpec::Cut(2)] {
            let Ok(order) = PreferenceOrder::new(&spec, self.program) else { continue };
            let reduced = Reduced::new(self.program, target, &order, Reduction::Both);
            for seed in seeds(self.program, reduced, &mut self.solver, &mut self.commutativity, self.control)? {
                self.proof.add(self.program, seed);
            }
        }
        Ok(())
    }

    fn refinement(&mut self) -> Refinement<'_, '_, 'p> {
        Refinement {
            program: self.program,
            solver: &mut self.solver,
            prover: &mut *self.prover,
            proof: &mut self.proof,
            seat: self.seat,
        }
    }
}

/// Sleep sets are as wide as the program needs.
const MOST_SLOTS: usize = 1024;

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
