//! Random small programs, run by two independent semantics: `explicit` against an enumerator of the structured program,
//! the interpreter against a plain evaluator of actions, and the other engines against `explicit`. `BRAID_CASES` sets the number of
//! programs.

mod cegar;
mod certificates;
mod compare;
mod deadlocks;
mod differential;
mod flags;
mod fusing;
mod gem;
mod generator;
mod many_locks;
mod modular;
mod naive;
mod protocols;
mod recursion;
mod rounds;
mod stepwise;
mod weave;

/// As many cases as wanted, or as is usual.
fn cases(usual: u32) -> u32 {
    std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// A configuration of proptest with as many cases as wanted.
fn config() -> proptest::prelude::ProptestConfig {
    let cases = cases(2000);
    proptest::prelude::ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..Default::default()
    }
}
