//! The proof check over the reduction, on the fly (paper 1, Algorithm 2), nearest to the target first ([`Distances`]): short
//! counterexamples, found early.
//!
//! A state is where the threads are, the order's context, what the proof knows, and the sleep set. It is covered by one
//! visited before with the same locations and context that knows less and sleeps less ([`Covering`]). A state from which
//! every way was followed to its end without meeting the target is *useless*, and whatever it covers stays so in
//! later rounds: what was covered by a smaller proof is covered by a larger one.

use super::covering::{Covering, Form};
use super::distance::Distances;
use super::{Pruning, Reduction};
use crate::like_threads::LikeThreads;
use crate::{Control, Progress, StopReason};
use braid_logic::{BitSet, Solver};
use braid_program::cfa::{Accepted, ActionId, ProductState, Program};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{Commutativity, Context, PersistentSets, PreferenceOrder, SleepSets, Symmetry, Target};
use rustc_hash::FxHashMap;
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

/// A state of the reduction, without what the proof knows there.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub locations: ProductState,
    pub context: Context,
    pub asleep: BitSet,
}

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

/// How much of the reduced program is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    All,
    /// Always the most preferred thread acts.
    Preferred,
}

/// The part of the reduced program that does not depend on a proof, as a graph.
pub(super) struct ReducedGraph {
    pub places: Vec<Place>,
    /// From, to, and the action between.
    pub edges: Vec<(usize, usize, ActionId)>,
}

impl Check<'_, '_, '_> {
    fn initial(&self) -> Place {
        let locations = self.program.initial_state();
        Place { locations, context: self.order.initial(), asleep: BitSet::new() }
    }

    /// Visits the reduced program until an interleaving is found that is not covered, other than the `hopeless` ones.
    /// `useless` holds states that need no visit, and takes up more of them.
    pub fn run(&mut self, hopeless: &[Vec<ActionId>], useless: &mut Covering<()>) -> Result<Found, StopReason> {
        let mut persistent = PersistentSets::new(self.target);
        let mut visited: Covering<u32> = Covering::default();
        let pool = self.program.pool;
        let symmetry = if self.pruning == Pruning::None { Symmetry::none() } else { self.symmetry.clone() };
        let mut like = LikeThreads::new(symmetry);
        let distances = Distances::new(self.program, self.target);
        let mut nodes = vec![Node { place: self.initial(), known: Known::NOTHING, from: None, depth: 0 }];
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
            if let Some(accepted) = self.target.accepted(self.program, &place.locations) {
                let trace = path(&nodes, now);
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
            for (action, known, place) in self.successors(&mut persistent, &place, known).into_iter().rev() {
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
        persistent: &mut PersistentSets,
        place: &Place,
        known: Known,
    ) -> Vec<(ActionId, Known, Place)> {
        let Place { locations, context, asleep } = place;
        let mut enabled: Vec<ActionId> = self.program.enabled(locations).collect();
        enabled.sort_by_key(|&action| self.order.rank(*context, locations, self.program, action));
        let allowed = if self.reduction.persistent() {
            persistent.membrane(self.solver, self.commutativity, self.program, locations, &enabled)
        } else {
            enabled.clone()
        };
        let mut successors = Vec::new();
        for (taken, &action) in enabled.iter().enumerate() {
            if asleep.contains(action.index()) || !allowed.contains(&action) {
                continue;
            }
            let after = self.proof.successor(self.solver, self.program, known, action);
            if after == Known::UNREACHABLE {
                continue;
            }
            let asleep = if self.reduction.sleep() {
                let (solver, program, proof) = (&mut *self.solver, self.program, &*self.proof);
                SleepSets::next(&enabled, taken, asleep, |a, b| {
                    self.commutativity.under(solver, program, (a, b), |pair| proof.about(program, known, pair))
                })
            } else {
                BitSet::new()
            };
            let locations = self.program.successor(locations, action);
            let context = self.order.next(*context, self.program, action);
            successors.push((action, after, Place { locations, context, asleep }));
        }
        successors
    }

    /// The reduced program before anything is proven, if it has at most `limit` states; or the part of it where always the
    /// most preferred thread acts, which is what is left of many programs once something is proven.
    pub fn graph(&mut self, limit: usize, part: Part) -> Result<Option<ReducedGraph>, StopReason> {
        let mut persistent = PersistentSets::new(self.target);
        let mut numbers: FxHashMap<Place, usize> = FxHashMap::default();
        let mut graph = ReducedGraph { places: vec![self.initial()], edges: Vec::new() };
        numbers.insert(self.initial(), 0);
        let mut next = 0;
        while next < graph.places.len() {
            self.control.poll()?;
            let place = graph.places[next].clone();
            let successors = self.successors(&mut persistent, &place, Known::NOTHING);
            let preferred = successors.first().map(|(action, ..)| self.program.action(*action).thread);
            for (action, _, place) in successors {
                if part == Part::Preferred && Some(self.program.action(action).thread) != preferred {
                    continue;
                }
                let number = *numbers.entry(place).or_insert_with_key(|place| {
                    graph.places.push(place.clone());
                    graph.places.len() - 1
                });
                graph.edges.push((next, number, action));
            }
            if graph.places.len() > limit {
                return Ok(None);
            }
            next += 1;
        }
        Ok(Some(graph))
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
