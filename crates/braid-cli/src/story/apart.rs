//! The same violation in automata whose steps are all apart.
//!
//! Engines work on fused automata, in which many statements have no step of their own. So whoever tells of statements leads the
//! counterexample through the automata before fusing. What comes out was replayed there, and violates the same check.

use crate::answer::violated;
use braid_engines::{Counterexample, Verdict};
use braid_program::cfa::Program;
use braid_program::{Execution, guide};

/// A counterexample of the automata before fusing; where none is found along the fused one, another execution may be given.
pub fn led(
    fused: (&Program<'_>, &Counterexample),
    plain: &Program<'_>,
    again: &dyn Fn() -> Option<Execution>,
) -> Option<Counterexample> {
    let kind = violated(fused.0, fused.1).map(|(check, _)| check);
    let same = |found: &Counterexample| violated(plain, found).map(|(check, _)| check) == kind;
    let confirmed = |execution| match Verdict::from_execution(plain, execution) {
        Verdict::Unsafe(found) => Some(*found).filter(same),
        _ => None,
    };
    guide(fused.0, fused.1.execution(), plain).and_then(confirmed).or_else(|| again().and_then(confirmed))
}
