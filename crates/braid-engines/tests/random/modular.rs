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
    // Without samples all violations come from promises.
    let samples = if number < 2 { 0 } else { 48 };
    Modular { sequential: Gem { seed_invariants, solver, ..Gem::default() }, samples, ..Modular::default() }
}

const ALL: Settings<Modular> = Settings { setting, strongest: 2, all: 4, refined_percent: 2, notices_faults: false };

/// What a thread does in one step.
const STEPS: [&str; 10] = [
    "(set! x 1)",
    "(set! y x)",
    "(assume true)",
    "(assert (= x 0))",
    "(atomic (assume (= y 0)) (set! x 2))",
    "(assert (<= y 1))",
    "(set! x y)",
    "(assume (= x 1))",
    "(atomic (set! y (+ y 1)) (assume (<= y 2)))",
    "(assert (or (= x y) (= y 0)))",
];

/// Two or three threads that start again and again, so that an assertion may fail only on a thread's second run.
fn rerun(numbers: &[u8]) -> String {
    let mut numbers = numbers.iter().map(|&number| usize::from(number)).chain(std::iter::repeat(0));
    let mut below = |limit: usize| numbers.next().map_or(0, |number| number % limit);
    let threads = 2 + below(2);
    let mut branches = String::new();
    for _ in 0..threads {
        let steps: Vec<&str> = (0..1 + below(3)).map(|_| STEPS[below(STEPS.len())]).collect();
        branches.push_str(&format!(" (seq {})", steps.join(" ")));
    }
    let head = ["loop", "while (< y 2)", "while (= x 0)"][below(3)];
    let between = STEPS[below(4)];
    format!("(var x y Int) (seq (set! x 0) (set! y 0) ({head} (seq (par{branches}) {between})))")
}

#[test]
fn on_programs_of_all_kinds_modular_never_contradicts_explicit() {
    ALL.on_programs(300);
}

#[test]
fn on_protocols_modular_never_contradicts_explicit() {
    ALL.on_protocols(100);
}

#[test]
fn on_threads_that_start_again_modular_never_contradicts_explicit() {
    ALL.on_texts(200, rerun);
}
