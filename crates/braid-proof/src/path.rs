//! Strategy *path*: invariants of the path program of a trace.
//!
//! Positions of a trace where all threads are at the same locations are one node of its path program: the loops that the
//! trace went through, run any number of times. What affine equalities and zones find at the nodes, and is
//! inductive, annotates the trace up to the last position that lies on a loop; from there the rest of the trace is refuted by the
//! other strategies, with the invariant as what is known. The assertions do not depend on how often the loops were unrolled.

use crate::core::{self, Core};
use crate::farkas;
use crate::invariants::{FlowGraph, InvariantBudget, keep_inductive, loop_invariants};
use crate::trace::Trace;
use braid_logic::{Answer, Solver, Term, TermPool};
use braid_program::cfa::Relation;
use std::convert::Infallible;

/// How much the analysis of one trace may cost.
const BUDGET: InvariantBudget =
    InvariantBudget { transfers: 2_000, dimensions: 40, clocks: 24, cases: 8, bounds: 12, products: 0 };
/// Facts larger than this are not worth having.
const MAX_SIZE: u32 = 120;

/// Invariants up to the last loop, then why the rest cannot happen.
pub(crate) fn annotate(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>) -> Option<Vec<Term>> {
    let nodes = trace.nodes();
    let last = (0..nodes.len()).rev().find(|&position| nodes[..position].contains(&nodes[position]))?;

    let mut edges: Vec<(usize, usize, &Relation)> = Vec::new();
    for (position, step) in trace.steps().enumerate() {
        let (from, to) = (nodes[position], nodes[position + 1]);
        if !edges.contains(&(from, to, step)) {
            edges.push((from, to, step));
        }
    }
    let flow = FlowGraph { nodes: nodes.iter().max()? + 1, entry: nodes[0], edges };
    let mut facts = loop_invariants(pool, &flow, &BUDGET);
    for facts in &mut facts {
        facts.retain(|&fact| fact != Term::TRUE && fact != Term::FALSE && pool.size(fact) <= MAX_SIZE);
    }
    facts[flow.entry].clear();
    let Ok(()) = keep_inductive(solver, pool, &flow, &mut facts, || Ok::<(), Infallible>(()));
    let invariant = |position: usize| pool.and(facts[nodes[position]].iter().copied());

    let rest = refute(solver, pool, invariant(last), trace, last)?;
    Some((0..=last).map(invariant).chain(rest.into_iter().skip(1)).collect())
}

/// Assertions, from a position on, that show why the rest of the trace cannot happen where something is known.
fn refute(
    solver: &mut Solver<'_>,
    pool: &TermPool,
    known: Term,
    trace: &Trace<'_>,
    position: usize,
) -> Option<Vec<Term>> {
    let start = Relation::assumption(pool, known);
    let trace = Trace::new(pool, [&start].into_iter().chain(trace.steps().skip(position)));
    let condition = trace.path_condition(pool);
    let all: Vec<Term> = condition.iter().flatten().copied().collect();
    if solver.check_assuming(&all) != Answer::Unsat {
        return None;
    }
    let core = Core::of(solver, &condition);
    let mut assertions =
        farkas::annotate(pool, &trace, &core).or_else(|| core::annotate(solver, pool, &trace, &core))?;
    Some(assertions.split_off(1))
}
