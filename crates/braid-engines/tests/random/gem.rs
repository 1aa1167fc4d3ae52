//! `gem` against `explicit`, on random programs: under no order, commutativity or reduction do they contradict each other.

use crate::compare::{PATIENCE, Settings, lowered, within};
use crate::protocols::protocol;
use braid_engines::gem::{Gem, Pruning, Visible};
use braid_engines::{Outcome, Reason, Statistics, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::{Budget, SolverOptions};
use braid_reduction::{CommutativityMode, Reduction};

const ORDERS: [&str; 6] =
    ["seq", "lockstep", "loop-lockstep", "random:1", "positional-random:1", "positional-random:2"];
/// The strongest first, here and below: what proptest shrinks to.
const COMMUTATIVITY: [CommutativityMode; 4] = [
    CommutativityMode::ProofSensitive,
    CommutativityMode::Semantic,
    CommutativityMode::Syntactic,
    CommutativityMode::None,
];
const REDUCTIONS: [Reduction; 4] = [Reduction::Both, Reduction::Sleep, Reduction::Persistent, Reduction::None];
const PRUNING: [Pruning; 3] = [Pruning::Useless, Pruning::Subsumption, Pruning::None];
const SETTINGS: usize = ORDERS.len() * COMMUTATIVITY.len() * REDUCTIONS.len();

/// One of all settings, by number.
fn setting(number: usize) -> Gem {
    // Seeds settle many small programs in the first round; most runs do without.
    let seed_invariants = (number / 7).is_multiple_of(3);
    let visible = if (number / 5).is_multiple_of(3) { Visible::Proof } else { Visible::All };
    let (number, order) = (number / ORDERS.len(), ORDERS[number % ORDERS.len()]);
    let budget = Budget { rlimit: 1_000_000, ..Budget::default() };
    Gem {
        order: order.parse().expect("the order is known"),
        commutativity: COMMUTATIVITY[number % COMMUTATIVITY.len()],
        reduction: REDUCTIONS[number / COMMUTATIVITY.len() % REDUCTIONS.len()],
        pruning: PRUNING[number % PRUNING.len()],
        seed_invariants,
        visible,
        solver: SolverOptions { budget, ..SolverOptions::default() },
        ..Gem::default()
    }
}

const ALL: Settings<Gem> =
    Settings { setting, strongest: ORDERS.len(), all: SETTINGS, refined_percent: 10, notices_faults: false };

#[test]
fn on_programs_of_all_kinds_gem_never_contradicts_explicit() {
    ALL.on_programs(1000);
}

#[test]
fn on_protocols_gem_never_contradicts_explicit() {
    ALL.on_protocols(500);
}

/// What a run does is a matter of the program and the settings alone.
#[test]
fn the_same_program_gives_the_same_run() {
    let figures = |outcome: &Outcome| {
        let Statistics { rounds, states, proof_size, smt_queries, .. } = outcome.statistics;
        let verdict = match &outcome.verdict {
            Verdict::Unsafe(counterexample) => format!("{:?}", counterexample.execution().steps),
            other => format!("{other:?}"),
        };
        (rounds, states, proof_size, smt_queries, verdict)
    };
    let (mut random, mut compared) = (braid_program::Random::new(1), 0);
    for number in 0..100 {
        let numbers: Vec<u8> = (0..100).map(|_| random.below(256) as u8).collect();
        let text = protocol(&numbers);
        let program = parse("protocol", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let engine = setting(number);
        let first = lowered(&program, true, |task| within(PATIENCE, &engine, task));
        if matches!(first.verdict, Verdict::Unknown(Reason::Stopped(_))) {
            continue;
        }
        let second = lowered(&program, true, |task| within(20 * PATIENCE, &engine, task));
        assert_eq!(figures(&first), figures(&second), "{engine:?}\n{text}");
        compared += 1;
    }
    assert!(compared > 50, "only {compared} programs were decided");
}
