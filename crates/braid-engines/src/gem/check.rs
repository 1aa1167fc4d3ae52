//! The proof check over the reduction, on the fly (paper 1, Algorithm 2), nearest to the target first ([`Distances`]): short
//! counterexamples, found early.
//!
//! A state is where the threads are, the order's context, what the proof knows, and the sleep set. It is covered by one
//! visited before with the same locations and context that knows less and sleeps less ([`Covering`]). A state from which
//! every way was followed to its end without meeting the target is *useless*, and whatever it covers stays so in
//! later rounds: what was covered by a smaller proof is covered by a larger one.

use super::Pruning;
use super::covering::{Covering, Form};
use crate::distance::Distances;
use crate::like_threads::LikeThreads;
use crate::refinement::{Hopeless, path};
use crate::{Control, Progress, StopReason};
use braid_logic::Solver;
use braid_program::cfa::{Accepted, ActionId, Program};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{Commutativity, Place, PreferenceOrder, Reduced, Reduction, Symmetry, Target};
use std::collections::BTreeMap;

/// One proof check.
pub(super) struct Check<'a, 'b, 'p> {
    pub program: &'a Program<'p>,
    pub target: Target,
    pub order: &'a PreferenceOrder,
    /// The threads that can be exchanged without moving the target.
    pub symmetry: &'a Symmetry,
    pub reduction: Reduction,
    pub pruning: Pruning,
    pub solver: &'b mut Solver<'p>,
    pub commutativity: &'b mut Commutativity,
    pub proof: &'b mut FloydHoareAutomaton,
    pub control: &'a Control,
    pub progress: Progress,
}

/// What came of a proof check.
pub(super) enum Found {
    /// The proof covers the reduction, whose states these are.
    Covered(Vec<Node>),
    /// It does not cover this interleaving, which meets the target.
    Uncovered(Vec<ActionId>, Accepted),
}

/// A state of the reduction, with what the proof knows there.
pub(super) struct Node {
    pub place: Place,
    pub known: Known,
    /// How the node was reached, unless it is the first.
    from: Option<(u32, ActionId)>,
    /// By how many actions.
    depth: u32,
}

/// Nodes that wait for their visit, by how many actions a counterexample through them has at least.
#[derive(Default)]
struct Agenda {
    waiting: BTreeMap<u32, Vec<u32>>,
}

impl Agenda {
    fn add(&mut self, length: u32, node: u32) {
        self.waiting.entry(length).or_default().push(node);
    }

    /// The next node: with the shortest way through it, and of several the one that came last.
    fn next(&mut self) -> Option<u32> {
        let mut first = self.waiting.first_entry()?;
        let node = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        node
    }

    fn rest(self) -> impl Iterator<Item = u32> {
        self.waiting.into_values().flatten()
    }
}

impl Check<'_, '_, '_> {
    /// Visits the reduced program until an interleaving is found that is not covered, other than the `hopeless` ones.
    /// `useless` holds states that need no visit, and takes up more of them.
    pub fn run(&mut self, hopeless: &Hopeless, useless: &mut Covering<()>) -> Result<Found, StopReason> {
        let mut reduced = Reduced::new(self.program, self.target, self.order, self.reduction);
        let mut visited: Covering<u32> = Covering::default();
        let pool = self.program.pool;
        let symmetry = if self.pruning == Pruning::None { Symmetry::none() } else { self.symmetry.clone() };
        let mut like = LikeThreads::new(symmetry);
        let distances = Distances::new(self.program, self.target);
        let mut nodes = vec![Node { place: reduced.initial(), known: Known::NOTHING, from: None, depth: 0 }];
        let mut agenda = Agenda::default();
        agenda.add(0, 0);
        // What each node's successors are, or are covered by.
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut met: Vec<u32> = Vec::new();
        while let Some(now) = agenda.next() {
            self.control.poll()?;
            self.progress.states = nodes.len() as u64;
            let progress = self.progress;
            self.control.report(|| progress);
            let Node { place, known, depth, .. } = &nodes[now as usize];
            let (place, known, depth) = (place.clone(), *known, *depth + 1);
            if let Some(accepted) = reduced.accepted(&place) {
                let trace = path(now, |node| nodes[node as usize].from);
                met.push(now);
                if hopeless.contains(&trace) {
                    continue;
                }
                if self.pruning == Pruning::Useless {
                    met.extend(agenda.rest());
                    for node in not_reaching(nodes.len(), &edges, &met) {
                        let Node { place, known, .. } = &nodes[node];
                        useless.insert(Form::of(&mut like, pool, self.proof, place, *known), ());
                    }
                }
                return Ok(Found::Uncovered(trace, accepted));
            }
            // The most preferred comes last, and is visited first.
            for (action, known, place) in self.successors(&mut reduced, &place, known).into_iter().rev() {
                let Some(distance) = distances.from(self.program, &place.locations) else { continue };
                let form = Form::of(&mut like, pool, self.proof, &place, known);
                if useless.covers(self.proof, &form).is_some() {
                    continue;
                }
                let covering = match self.pruning {
                    Pruning::None => visited.same(&form),
                    Pruning::Subsumption | Pruning::Useless => visited.covers(self.proof, &form),
                };
                let successor = covering.unwrap_or(nodes.len() as u32);
                if covering.is_none() {
                    visited.insert(form, successor);
                    nodes.push(Node { place, known, from: Some((now, action)), depth });
                    agenda.add(depth + distance, successor);
                }
                if self.pruning == Pruning::Useless {
                    edges.push((now, successor));
                }
            }
        }
        Ok(Found::Covered(nodes))
    }

    /// The steps of the reduction that leave a state, but for those that the proof knows to be impossible.
    fn successors(
        &mut self,
        reduced: &mut Reduced<'_, '_>,
        place: &Place,
        known: Known,
    ) -> Vec<(ActionId, Known, Place)> {
        let (program, solver) = (self.program, &mut *self.solver);
        let leaving = reduced.leaving(place, |a, b| self.commutativity.always(solver, program, a, b));
        let mut successors = Vec::new();
        for &action in leaving.explored() {
            let after = self.proof.successor(solver, program, known, action);
            if after == Known::UNREACHABLE {
                continue;
            }
            let place = reduced.successor(place, &leaving, action, |a, b| {
                self.commutativity.under(solver, program, (a, b), |pair| self.proof.about(program, known, pair))
            });
            successors.push((action, after, place));
        }
        successors
    }
}

/// The nodes from which none of the given ones is reached.
fn not_reaching(nodes: usize, edges: &[(u32, u32)], targets: &[u32]) -> impl Iterator<Item = usize> + use<> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    edges.iter().for_each(|&(from, to)| before[to as usize].push(from));
    let mut reaching = vec![false; nodes];
    let mut work = targets.to_vec();
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut reaching[node as usize], true) {
            work.extend_from_slice(&before[node as usize]);
        }
    }
    reaching.into_iter().enumerate().filter(|(_, reaching)| !reaching).map(|(node, _)| node)
}
