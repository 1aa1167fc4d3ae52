//! `cegar`: abstraction refinement with the cone of influence on the fly (paper 5).
//!
//! Rounds of: visit the abstract states (`search`), leaving out assignments that cannot matter where the threads are; an abstract
//! counterexample goes *with its original actions* to the trace prover (section 4.3), and either it happens (a bug, replayed) or its
//! trace proof makes the precision finer. Error locations are analysed one thread at a time, as in `gem`.
//!
//! Invariant: an abstract state that was not visited is covered by one that was, so no target met means none can be.

mod precision;
mod predicates;
mod search;
mod values;

pub use crate::proof::DomainKind;
pub use precision::InitialPrecision;

use crate::deadlock::through_monitor;
use crate::refinement::{Hopeless, Method, Refinement, Stop, Uncovered, traces};
use crate::{AbstractState, Abstraction, Argument, Control, Engine, Outcome, Reason, Task};
use braid_logic::{BitSet, Solver, SolverOptions, TermPool};
use braid_program::cfa::{ActionId, ProductState, Program};
use braid_proof::{Annotation, ProverOptions};
use braid_reduction::{ConeMode, Sight, Simplified, Symmetry, Target};
use predicates::Predicates;
use search::Search;
use values::Values;

/// How often like threads are looked for with what is known of each of them.
const ATTEMPTS: usize = 4;

/// Which abstract states are visited first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchOrder {
    /// Those found first.
    Breadth,
    /// Those found last.
    Depth,
}

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cegar {
    /// What an abstract state knows.
    pub domain: DomainKind,
    /// When assignments are left out.
    pub cone: ConeMode,
    /// Visit only some interleavings (persistent sets over what the precision sees)?
    pub reduction: bool,
    /// What is known before the first refinement.
    pub precision: InitialPrecision,
    /// Which states are visited first.
    pub search: SearchOrder,
    /// How many values an unknown variable may have for each to be looked at alone.
    pub enumerate: usize,
    /// How traces are proven.
    pub prover: ProverOptions,
    /// The solver's set-up.
    pub solver: SolverOptions,
}

impl Default for Cegar {
    fn default() -> Self {
        Cegar {
            domain: DomainKind::Predicates,
            cone: ConeMode::Dynamic,
            reduction: true,
            precision: InitialPrecision::Empty,
            search: SearchOrder::Breadth,
            enumerate: 1,
            prover: ProverOptions::default(),
            solver: SolverOptions::default(),
        }
    }
}

/// An abstract domain with its precision (paper 5, Definition 3). Locations are not its business.
trait Domain<'p> {
    /// What is known of the variables.
    type State: Clone;

    /// Abstract states, numbered, none of which another one covers.
    type Antichain: Default;

    /// From now on these threads can be exchanged.
    fn exchange(&mut self, program: &Program<'p>, symmetry: Symmetry);

    /// Nothing is known.
    fn initial(&self) -> Self::State;

    /// A state with the locations of the threads, both with exchangeable threads sorted. None if they are.
    fn sorted(
        &mut self,
        program: &Program<'p>,
        locations: &ProductState,
        state: &Self::State,
    ) -> Option<(ProductState, Self::State)>;

    /// The states behind an action of which only this is left; none if it cannot be taken.
    fn successors(
        &mut self,
        solver: &mut Solver<'p>,
        program: &Program<'p>,
        state: &Self::State,
        action: ActionId,
        left: &Simplified,
    ) -> Vec<Self::State>;

    /// Does one of the states stand for everything that this one stands for?
    fn is_covered(&self, antichain: &Self::Antichain, state: &Self::State) -> bool;

    /// Adds a state that is not covered, and takes out those that it covers.
    fn insert(&self, antichain: &mut Self::Antichain, state: Self::State, number: u32, covered: impl FnMut(u32));

    /// What states say of the program, with what can be exchanged.
    fn sight(&self, program: &Program<'p>) -> Sight;

    /// Makes the precision finer by why a trace cannot happen; false if it stays as it was.
    fn refine(&mut self, program: &Program<'p>, actions: &[ActionId], annotations: &[Annotation]) -> bool;

    /// How much is in the precision.
    fn size(&self) -> u64;

    /// The precision as text.
    fn precision(&self, pool: &TermPool) -> Vec<String>;

    /// What of the precision holds in a state, by number; none if that is computed as quickly as it is read.
    fn known(&self, state: &Self::State) -> Option<BitSet>;
}

impl Engine for Cegar {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let program = task.program;
        let outcome = || match self.domain {
            DomainKind::Explicit => self.outcome(task, control, Values::new(program, self.precision, self.enumerate)),
            DomainKind::Predicates => self.outcome(task, control, Predicates::new(program, self.precision)),
        };
        through_monitor(task, control, self).unwrap_or_else(|| outcome().unwrap_or_else(Outcome::unknown))
    }
}

impl Cegar {
    fn outcome<'p>(&self, task: &Task<'_, 'p>, control: &Control, domain: impl Domain<'p>) -> Result<Outcome, Reason> {
        let program = task.program;
        let mut refinement = Refinement::new(program.pool, &self.solver, traces(program.pool, &self.prover), control)?;
        let symmetry = if self.reduction { Symmetry::of(program) } else { Symmetry::none() };
        let mut run = Run { engine: self, program, control, symmetry, domain, invariants: Vec::new() };
        let found = run.prove(&mut refinement);
        Ok(refinement.outcome(task, found, run.domain.size() as usize))
    }
}

struct Run<'a, 'p, D> {
    engine: &'a Cegar,
    program: &'a Program<'p>,
    control: &'a Control,
    /// Which threads can be exchanged, if that is made use of.
    symmetry: Symmetry,
    domain: D,
    /// For each target that is refuted the abstract states.
    invariants: Vec<(Target, Vec<AbstractState>)>,
}

impl<'p, D: Domain<'p>> Run<'_, 'p, D> {
    fn prove(&mut self, with: &mut Refinement<'_, 'p>) -> Result<Argument, Stop> {
        for target in self.symmetry.targets(self.program) {
            with.rounds(self.program, self.control, &mut Avoids { run: self, target })?;
        }
        let Cegar { domain, cone, reduction, .. } = *self.engine;
        Ok(Argument::Abstraction(Abstraction {
            domain,
            precision: self.domain.precision(self.program.pool),
            cone,
            reduction,
            invariants: std::mem::take(&mut self.invariants),
            states: with.statistics.states,
        }))
    }

    /// Looks for threads that the precision does not tell apart. What it knows of one of them it has to know of all, and may then tell them
    /// apart after all.
    fn find_like_threads(&mut self, target: Target) {
        for _ in 0..ATTEMPTS {
            let sight = self.domain.sight(self.program);
            let symmetry = match self.engine.reduction {
                true => self.symmetry.seen(self.program, &sight).fixing(target),
                false => Symmetry::none(),
            };
            self.domain.exchange(self.program, symmetry);
            if self.domain.sight(self.program) == sight {
                return;
            }
        }
        self.domain.exchange(self.program, Symmetry::none());
    }
}

/// Do no abstract states meet the target?
struct Avoids<'r, 'a, 'p, D> {
    run: &'r mut Run<'a, 'p, D>,
    target: Target,
}

impl<'p, D: Domain<'p>> Method<'p> for Avoids<'_, '_, 'p, D> {
    fn check(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Option<Uncovered>, Stop> {
        let run = &mut *self.run;
        run.find_like_threads(self.target);
        let mut search = Search::new(run.engine, run.program, self.target, &run.domain);
        let found = search.visit(&mut run.domain, with, run.control, hopeless);
        with.statistics.add_cone(search.cone.statistics());
        Ok(found?.uncovered(hopeless, |states| run.invariants.push((self.target, states))))
    }

    fn learn(&mut self, trace: &[ActionId], annotations: &[Annotation]) -> bool {
        self.run.domain.refine(self.run.program, trace, annotations)
    }

    fn missing(&self) -> String {
        let tracked = match self.run.engine.domain {
            DomainKind::Explicit => "values of variables",
            DomainKind::Predicates => "predicates",
        };
        format!("{tracked} do not tell that an interleaving cannot happen")
    }
}
