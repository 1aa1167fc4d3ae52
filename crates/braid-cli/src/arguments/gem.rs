//! The options of engine `gem`. Other engines that prove single interleavings share them: `weave`, `cegar`.

use braid_engines::gem::{Gem, Pruning, Visible};
use braid_logic::SolverOptions;
use braid_proof::{Contradiction, ProverOptions, Strategy};
use braid_reduction::{CommutativityMode, OrderSpec, Reduction};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How `gem` chooses interleavings and finds assertions.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine gem, and what weave and cegar share with it")]
pub struct Sequentialization {
    /// Which of several equivalent interleavings is proven: one thread after the other (seq, seq:THREAD,…), threads in turn step by step
    /// (lockstep) or round by round (loop-lockstep), the first N threads and the others round by round (cut:N), rounds of loops by weights (rates,
    /// rates:N,…), any (random:SEED, positional-random:SEED).
    /// The right order makes a proof short [default: several, side by side; for gem alone seq]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderSpec>,
    /// When two steps of different threads may be swapped. More swaps leave fewer interleavings, and cost more solver time
    #[arg(long, value_enum, default_value_t = CommutativityName::ProofSensitive)]
    pub commutativity: CommutativityName,
    /// Which variables must have the same values after two swapped steps
    #[arg(long, value_enum, default_value_t = VisibleName::All)]
    pub visible: VisibleName,
    /// How equivalent interleavings are left out. `none` proves all of them: to compare with
    #[arg(long, value_enum, default_value_t = ReductionName::Both)]
    pub reduction: ReductionName,
    /// Which states are not visited again while a proof is checked. Less pruning is slower, with the same answers
    #[arg(long, value_enum, default_value_t = PruningName::Useless)]
    pub pruning: PruningName,
    /// When to look for loop invariants before the first round, by abstract interpretation
    #[arg(long, value_enum, default_value_t = Seeding::Auto)]
    pub seed_invariants: Seeding,
    /// How to prove single interleavings: the first strategy that succeeds supplies the assertions
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "path,linear,core,constants,horn"
    )]
    pub refine: Vec<StrategyName>,
    /// Where an interleaving is impossible for several reasons, which one to learn from
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = ContradictionName::First)]
    pub contradiction: ContradictionName,
    /// Write every query that reaches a solver to this directory, as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Solver")]
    pub dump_smt: Option<PathBuf>,
    /// Let this SMT-LIB solver decide everything, instead of Braid's own and the linked Z3, for example "cvc5 --incremental"
    #[arg(long, value_name = "COMMAND", help_heading = "Solver")]
    pub solver: Option<String>,
}

impl Sequentialization {
    /// The engine with these options, but for its order and its seeds.
    pub fn gem(&self) -> Gem {
        let strategies = self.refine.iter().map(|&name| name.into()).collect();
        let solver = self.solver.as_ref().map_or_else(SolverOptions::default, SolverOptions::alone);
        Gem {
            commutativity: self.commutativity.into(),
            visible: self.visible.into(),
            reduction: self.reduction.into(),
            pruning: self.pruning.into(),
            prover: ProverOptions { strategies, contradiction: self.contradiction.into(), ..ProverOptions::default() },
            solver: SolverOptions { dump: self.dump_smt.clone(), ..solver },
            ..Gem::default()
        }
    }
}

/// When to look for invariants of the reduced program.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seeding {
    /// With orders that keep threads in turn, where invariants are simple
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

names!(CommutativityName for CommutativityMode {
    /// Never: every interleaving is proven
    None => CommutativityMode::None,
    /// Where they touch different variables; asks no solver
    Syntactic => CommutativityMode::Syntactic,
    /// Where the solver proves that both orders do the same
    Semantic => CommutativityMode::Semantic,
    /// Also where both orders do the same under what the proof knows at that place
    ProofSensitive => CommutativityMode::ProofSensitive,
});

names!(ContradictionName for Contradiction {
    /// The one that is complete first: shorter proofs of early steps
    First => Contradiction::First,
    /// The one that begins last: proofs that forget the beginning, often better for loops
    Last => Contradiction::Last,
});

names!(VisibleName for Visible {
    /// All variables
    All => Visible::All,
    /// Only those that the proof speaks of: more steps may be swapped
    Proof => Visible::Proof,
});

names!(ReductionName for Reduction {
    /// Not at all
    None => Reduction::None,
    /// By sleep sets: one of each class of equivalent interleavings stays, states are not fewer
    Sleep => Reduction::Sleep,
    /// By persistent sets: states are fewer, some equivalent interleavings stay
    Persistent => Reduction::Persistent,
    /// By both
    Both => Reduction::Both,
});

names!(PruningName for Pruning {
    /// The same state in the same round
    None => Pruning::None,
    /// Also states of which a visited one says more
    Subsumption => Pruning::Subsumption,
    /// Also states after which an earlier round found nothing left to prove
    Useless => Pruning::Useless,
});

names!(StrategyName for Strategy {
    /// Weakest preconditions over an unsatisfiable core: for any data
    Core => Strategy::Core,
    /// Interpolants from Farkas coefficients: for linear arithmetic
    Linear => Strategy::Linear,
    /// As core, with the values that the interleaving itself fixes: for programs that compute with few values
    Constants => Strategy::Constants,
    /// Horn clauses for Spacer: slow, finds quantifier-free invariants that others do not
    Horn => Strategy::Horn,
    /// Invariants of the loops that the interleaving went through: covers any number of rounds at once
    Path => Strategy::Path,
});
