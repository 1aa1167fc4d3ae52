//! `modular` against `explicit`, on random programs: whatever the order of the threads, they do not contradict each other.

use crate::compare::Settings;
use braid_engines::gem::Gem;
use braid_engines::modular::Modular;
use braid_logic::{Budget, SolverOptions};

/// One of all settings, by number.
fn setting(number: usize) -> Modular {
    let budget = Budget { rlimit: 1_000_000, ..Budget::default() };
    let solver = SolverOptions { budget, ..SolverOptions::default() };
    let seed_invariants = number.is_multiple_of(2);
    Modular { sequential: Gem { seed_invariants, solver, ..Gem::default() }, ..Modular::default() }
}

/// A promised violation that does not replay is a fault, which shows rarely and is noticed: the answer is `unknown` then.
const ALL: Settings<Modular> = Settings { setting, strongest: 1, all: 2, refined_percent: 2, notices_faults: true };

#[test]
fn on_programs_of_all_kinds_modular_never_contradicts_explicit() {
    ALL.on_programs(300);
}

#[test]
fn on_protocols_modular_never_contradicts_explicit() {
    ALL.on_protocols(100);
}
