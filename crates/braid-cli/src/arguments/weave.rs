//! The options of engine `weave`.

use super::gem::{Seeding, Sequentialization};
use braid_engines::gem::Gem;
use braid_engines::weave::{Counterexamples, Fixpoint, Weave};
use braid_reduction::OrderSpec;
use braid_reduction::tree::Choice;
use clap::Args;

/// How `weave` looks for a reduction.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine weave")]
pub struct Weaving {
    /// Which reductions weave chooses from. More to choose from means smaller proofs, and dearer checks
    #[arg(long, value_enum, default_value_t = ChoiceName::Total)]
    pub choice: ChoiceName,
    /// Which unproven interleavings each round looks at: the shortest (naive), one of every reduction (progress), one in which threads take
    /// turns (rr), N in which one thread follows the other (l:N) or between those (m:N). With commas, one after the other [default: rr]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub counterexamples: Option<Vec<Counterexamples>>,
    /// How many more states a round visits once it has found an unproven interleaving. Few: many cheap rounds; many: fewer and better chosen
    /// interleavings [default: both ways, side by side]
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
    /// How a round finds out whether some reduction is proven
    #[arg(long, value_enum, default_value_t = FixpointName::Antichain)]
    pub fixpoint: FixpointName,
}

impl Weaving {
    /// The engine with these options, and with those that it shares with `gem`: several to run side by side, unless the user has
    /// chosen one.
    pub fn weave(&self, shared: &Sequentialization) -> Vec<Weave> {
        let Gem { commutativity, prover, solver, .. } = shared.gem();
        let weave = Weave {
            choice: self.choice.into(),
            fixpoint: self.fixpoint.into(),
            counterexamples: self.counterexamples.clone().unwrap_or(vec![Counterexamples::RoundRobin]),
            patience: self.patience.unwrap_or(usize::MAX),
            rounds: u64::MAX,
            order: shared.order.clone().unwrap_or(OrderSpec::LoopLockstep),
            commutativity,
            seed_invariants: shared.seed_invariants == Seeding::On,
            prover,
            solver,
        };
        let chosen =
            self.counterexamples.is_some() || self.patience.is_some() || shared.seed_invariants != Seeding::Auto;
        if chosen { vec![weave] } else { weave.variants().into() }
    }
}

names!(ChoiceName for Choice {
    /// At each state the steps are tried in any order: all sleep set reductions
    Total => Choice::Total,
    /// At each state the steps are split in two groups, one tried before the other: fewer reductions, cheaper for many threads
    Partition => Choice::Partition,
});

names!(FixpointName for Fixpoint {
    /// With antichains of sleep sets: fast
    Antichain => Fixpoint::Antichain,
    /// State by state: slow, to compare with
    Plain => Fixpoint::Plain,
});
