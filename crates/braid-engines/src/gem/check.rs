//! The proof check over the reduction, on the fly (paper 1, Algorithm 2), breadth first: short counterexamples.
//!
//! A state is where the threads are, the order's context, what the proof knows, and the sleep set. It is covered by one
//! visited before with the same locations and context that knows less and sleeps less.

use super::Reduction;
use crate::{Control, Progress, StopReason};
use braid_logic::{BitSet, Solver};
use braid_program::cfa::{Accepted, ActionId, ProductState, Program};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{Commutativity, Context, PersistentSets, PreferenceOrder, SleepSets, Target};
use rustc_hash::FxHashMap;

/// One proof check.
pub(super) struct Check<'a, 'b, 'p> {
    pub program: &'a Program<'p>,
    pub target: Target,
    pub order: &'a PreferenceOrder,
    pub reduction: Reduction,
    pub solver: &'b mut Solver<'p>,
    pub commutativity: &'b mut Commutativity,
    pub proof: &'b mut FloydHoareAutomaton,
    pub control: &'a Control,
    pub progress: Progress,
}

/// What came of a proof check.
pub(super) enum Found {
    /// The proof covers the reduction.
    Covered,
    /// It does not cover this interleaving, which meets the target.
    Uncovered(Vec<ActionId>, Accepted),
}

struct Node {
    locations: ProductState,
    context: Context,
    known: Known,
    asleep: BitSet,
    /// How the node was reached, unless it is the first.
    from: Option<(u32, ActionId)>,
}

impl Check<'_, '_, '_> {
    /// Visits the reduced program until an interleaving is found that is not covered, other than the `hopeless` ones.
    pub fn run(&mut self, hopeless: &[Vec<ActionId>]) -> Result<Found, StopReason> {
        let mut persistent = PersistentSets::new(self.target);
        let mut nodes: Vec<Node> = Vec::new();
        let mut visited: FxHashMap<(ProductState, Context), Vec<(Known, BitSet)>> = FxHashMap::default();
        nodes.push(Node {
            locations: self.program.initial_state(),
            context: self.order.initial(),
            known: Known::NOTHING,
            asleep: BitSet::new(),
            from: None,
        });
        let mut next = 0;
        while next < nodes.len() {
            self.control.poll()?;
            self.progress.states = nodes.len() as u64;
            let progress = self.progress;
            self.control.report(|| progress);
            let node = &nodes[next];
            if let Some(accepted) = self.target.accepted(self.program, &node.locations) {
                let trace = path(&nodes, next as u32);
                if !hopeless.contains(&trace) {
                    return Ok(Found::Uncovered(trace, accepted));
                }
                next += 1;
                continue;
            }
            let (locations, context, known) = (node.locations.clone(), node.context, node.known);
            let asleep = node.asleep.clone();
            let mut enabled: Vec<ActionId> = self.program.enabled(&locations).collect();
            enabled.sort_by_key(|&action| self.order.rank(context, &locations, self.program, action));
            let allowed = if self.reduction.persistent() {
                persistent.membrane(self.solver, self.commutativity, self.program, &locations, &enabled)
            } else {
                enabled.clone()
            };
            for (taken, &action) in enabled.iter().enumerate() {
                if asleep.contains(action.index()) || !allowed.contains(&action) {
                    continue;
                }
                let successor = self.proof.successor(self.solver, self.program, known, action);
                if successor == Known::UNREACHABLE {
                    continue;
                }
                let asleep = if self.reduction.sleep() {
                    let (solver, program, proof) = (&mut *self.solver, self.program, &*self.proof);
                    SleepSets::next(&enabled, taken, &asleep, |a, b| {
                        self.commutativity.under(solver, program, (a, b), |vars| proof.about(program, known, vars))
                    })
                } else {
                    BitSet::new()
                };
                let locations = self.program.successor(&locations, action);
                let context = self.order.next(context, self.program, action);
                let same = visited.entry((locations.clone(), context)).or_default();
                let covered = same
                    .iter()
                    .any(|(weaker, slept)| self.proof.is_stronger(successor, *weaker) && slept.is_subset(&asleep));
                if !covered {
                    same.push((successor, asleep.clone()));
                    nodes.push(Node {
                        locations,
                        context,
                        known: successor,
                        asleep,
                        from: Some((next as u32, action)),
                    });
                }
            }
            next += 1;
        }
        Ok(Found::Covered)
    }
}

/// The actions that lead to a node.
fn path(nodes: &[Node], mut node: u32) -> Vec<ActionId> {
    let mut actions = Vec::new();
    while let Some((before, action)) = nodes[node as usize].from {
        actions.push(action);
        node = before;
    }
    actions.reverse();
    actions
}
