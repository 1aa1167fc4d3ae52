//! Simpler assertions from those that a strategy found: fewer parts, hence more reusable.
//!
//! Forwards, a disjunct goes where the rest is reached as well (the assertion gets stronger, which the next triple
//! likes), and `x ≠ y` counts as `x < y ∨ x > y`: a bound survives steps that a disequality does not; backwards, a conjunct goes where the next triple does not need it (weaker, which the previous one likes).
//! Each pass keeps a valid annotation valid.

use crate::trace::Trace;
use crate::triple::triple;
use braid_logic::{Node, Solver, Term, TermPool, Validity};

/// Assertions with more parts than this are left alone.
const MAX_PARTS: usize = 12;

/// Simplifies the assertions of a trace.
pub(crate) fn generalise(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>, assertions: &mut [Term]) {
    if assertions.len() != trace.len() + 1 {
        return;
    }
    for k in 1..trace.len() {
        let before = assertions[k - 1];
        let conjuncts = pool.conjuncts(assertions[k]).into_iter().map(|conjunct| {
            drop_parts(
                conjunct,
                |t| alternatives(pool, t),
                |parts| pool.or(parts),
                |candidate| triple(solver, pool, before, trace.step(k - 1), candidate) == Validity::Valid,
            )
        });
        assertions[k] = pool.and(conjuncts.collect::<Vec<_>>());
    }
    for k in (1..trace.len()).rev() {
        let after = assertions[k + 1];
        assertions[k] = drop_parts(
            assertions[k],
            |t| pool.conjuncts(t),
            |parts| pool.and(parts),
            |candidate| triple(solver, pool, candidate, trace.step(k), after) == Validity::Valid,
        );
    }
}

/// The disjuncts of a formula, disequalities of integers split into less and greater.
fn alternatives(pool: &TermPool, formula: Term) -> Vec<Term> {
    let split = |disjunct: Term| {
        if let Node::Not(equality) = pool.node(disjunct)
            && let Node::Zero(linear) = pool.node(*equality)
        {
            let (difference, zero) = (pool.linear(linear.clone()), pool.int(0));
            return vec![pool.lt(difference, zero), pool.lt(zero, difference)];
        }
        vec![disjunct]
    };
    pool.disjuncts(formula).into_iter().flat_map(split).collect()
}

/// Leaves out parts for as long as the rest is accepted.
fn drop_parts(
    assertion: Term,
    split: impl Fn(Term) -> Vec<Term>,
    join: impl Fn(Vec<Term>) -> Term,
    mut accepted: impl FnMut(Term) -> bool,
) -> Term {
    let mut parts = split(assertion);
    if parts.len() < 2 || parts.len() > MAX_PARTS {
        return assertion;
    }
    let mut result = assertion;
    let mut next = 0;
    while next < parts.len() && parts.len() > 1 {
        let mut rest = parts.clone();
        rest.remove(next);
        let candidate = join(rest.clone());
        if accepted(candidate) {
            (parts, result) = (rest, candidate);
        } else {
            next += 1;
        }
    }
    result
}
