//! Random small programs, run by two independent semantics: `explicit` against an enumerator of the structured program,
//! and the interpreter against a plain evaluator of actions. `BRAID_CASES` sets the number of programs.

mod differential;
mod generator;
mod naive;
mod stepwise;

/// A configuration of proptest with as many cases as wanted.
fn config() -> proptest::prelude::ProptestConfig {
    let cases = std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000);
    proptest::prelude::ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..Default::default()
    }
}
