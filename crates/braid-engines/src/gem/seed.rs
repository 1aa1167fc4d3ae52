//! Seeds: invariants of the reduced program, found before the first round by abstract interpretation.
//!
//! Under a good preference order the reduced program is in lockstep, and affine equalities between the threads are what
//! trace proofs do not find by themselves. Nothing is trusted: seeds are assertions like any other, and the proof check
//! uses only those that follow.

use super::check::ReducedGraph;
use braid_logic::Term;
use braid_program::cfa::Program;
use braid_proof::{FlowGraph, InvariantBudget, affine_equalities};

/// More seeds than this are not worth their triples.
const MAX_SEEDS: usize = 150;

/// Assertions that hold somewhere in the reduced program, those of loop heads first.
pub(super) fn seeds(program: &Program<'_>, graph: &ReducedGraph) -> Vec<Term> {
    let edges = graph.edges.iter().map(|&(from, to, action)| (from, to, program.action(action).relation(program.pool)));
    let flow = FlowGraph { nodes: graph.places.len(), entry: 0, edges: edges.collect() };
    let invariants = affine_equalities(program.pool, &flow, &InvariantBudget::default());
    let mut seeds: Vec<Term> = Vec::new();
    let mut by_place: Vec<(bool, &Vec<Term>)> = graph
        .places
        .iter()
        .map(|place| {
            program.thread_ids().any(|thread| {
                let location = place.locations.location(thread);
                program.thread(thread).locations[location.index()].loop_head
            })
        })
        .zip(&invariants)
        .collect();
    by_place.sort_by_key(|(loops, _)| !loops);
    for (_, facts) in by_place {
        for &fact in facts {
            if fact != Term::TRUE && fact != Term::FALSE && !seeds.contains(&fact) {
                seeds.push(fact);
            }
        }
    }
    seeds.truncate(MAX_SEEDS);
    seeds
}
