//! `weave` against `explicit`, on random programs: under no choice of orders, set of counterexamples or way to check a proof do they
//! contradict each other.

use crate::compare::Settings;
use braid_engines::weave::{Counterexamples, Fixpoint, Weave};
use braid_logic::{Budget, SolverOptions};
use braid_reduction::CommutativityMode;
use braid_reduction::tree::Choice;

/// The strongest first, here and below: what proptest shrinks to.
const COMMUTATIVITY: [CommutativityMode; 3] =
    [CommutativityMode::ProofSensitive, CommutativityMode::Semantic, CommutativityMode::Syntactic];
const CHOICES: [Choice; 2] = [Choice::Total, Choice::Partition];
const COUNTEREXAMPLES: [Counterexamples; 5] = [
    Counterexamples::RoundRobin,
    Counterexamples::Left(2),
    Counterexamples::Middle(2),
    Counterexamples::Progress,
    Counterexamples::Naive,
];
const PATIENCE: [usize; 3] = [usize::MAX, 10, 0];
const ORDERS: [&str; 3] = ["loop-lockstep", "seq", "positional-random:1"];
const SETTINGS: usize = COMMUTATIVITY.len() * CHOICES.len() * COUNTEREXAMPLES.len() * PATIENCE.len();

/// One of all settings, by number.
fn setting(number: usize) -> Weave {
    let budget = Budget { rlimit: 1_000_000, ..Budget::default() };
    let (rest, commutativity) = (number / COMMUTATIVITY.len(), COMMUTATIVITY[number % COMMUTATIVITY.len()]);
    let (rest, choice) = (rest / CHOICES.len(), CHOICES[rest % CHOICES.len()]);
    let (rest, kind) = (rest / COUNTEREXAMPLES.len(), COUNTEREXAMPLES[rest % COUNTEREXAMPLES.len()]);
    Weave {
        choice,
        fixpoint: if number % 7 == 3 { Fixpoint::Plain } else { Fixpoint::Antichain },
        counterexamples: vec![kind],
        patience: PATIENCE[rest % PATIENCE.len()],
        order: ORDERS[number / 5 % ORDERS.len()].parse().expect("the order is known"),
        commutativity,
        // Seeds settle many small programs in the first round; most runs do without.
        seed_invariants: number % 4 == 1,
        solver: SolverOptions { budget, ..SolverOptions::default() },
        ..Weave::default()
    }
}

const ALL: Settings<Weave> =
    Settings { setting, strongest: 1, all: SETTINGS, refined_percent: 10, notices_faults: false };

#[test]
fn on_programs_of_all_kinds_weave_never_contradicts_explicit() {
    ALL.on_programs(600);
}

#[test]
fn on_protocols_weave_never_contradicts_explicit() {
    ALL.on_protocols(300);
}
