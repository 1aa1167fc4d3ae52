//! The proof check over the reduction, on the fly (paper 1, Algorithm 2), nearest to the target first ([`Distances`]): short
//! counterexamples, found early.
//!
//! A state is where the threads are, the order's context, what the proof knows, and the sleep set. It is covered by one
//! visited before with the same locations and context that knows less and sleeps less ([`Covering`]). A state from which
//! every way was followed to its end without meeting the target is *useless*, and whatever it covers stays so in
//! later rounds: what was covered by a smaller proof is covered by a larger one.

use super::covering::{Covering, Form};
use super::{Gem, Pruning, Run, Visible};
use crate::distance::Distances;
use crate::like_threads::{LikeThreads, images};
use crate::refinement::{Found, Hopeless, Method, Refinement, Stop, Uncovered, add_annotations, path, read_news};
use crate::{Progress, StopReason};
use braid_logic::Term;
use braid_program::cfa::ActionId;
use braid_proof::{Annotation, Known};
use braid_reduction::{Reduced, ReducedState, Symmetry, Target};
use std::collections::BTreeMap;

/// Does the proof cover every interleaving of the reduction that meets the target?
pub(super) struct Check<'r, 'a, 'p> {
    pub run: &'r mut Run<'a, 'p>,
    pub target: Target,
    /// The threads that can be exchanged without moving the target.
    pub symmetry: Symmetry,
    /// States that need no visit.
    pub useless: Covering<()>,
}

/// So many rounds an engine works on its own before it listens to others.
const ROUNDS_ALONE: u64 = 40;

/// And so many without the seeds that most proofs do without.
const ROUNDS_UNAIDED: u64 = 16;

/// A state of the reduction, with what the proof knows there.
pub(super) struct Node {
    pub place: ReducedState,
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

impl<'p> Method<'p> for Check<'_, '_, 'p> {
    fn check(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Option<Uncovered>, Stop> {
        let run = &mut *self.run;
        if with.statistics.rounds > ROUNDS_UNAIDED {
            std::mem::take(&mut run.later).into_iter().for_each(|seed| _ = run.proof.add(run.program, seed));
        }
        // A run that is going well needs no news, and every assertion costs triples: the first rounds go without.
        if with.statistics.rounds > ROUNDS_ALONE {
            read_news(run.program, &mut run.proof, run.seat);
        }
        if run.engine.visible == Visible::Proof && run.look_at_proof() {
            // What was left out as equivalent need not be so any more.
            self.useless = Covering::default();
        }
        Ok(self.visit(with, hopeless)?.uncovered(hopeless, |_| ()))
    }

    fn learn(&mut self, _: &[ActionId], annotations: &[Annotation]) -> bool {
        let Run { program, proof, symmetry, seat, .. } = &mut *self.run;
        let known = proof.assertions().len();
        let progress = add_annotations(program, proof, annotations, *seat);
        // Like threads will need the like of it.
        let new = proof.assertions()[known..].iter();
        let images: Vec<Term> = new.flat_map(|&assertion| images(symmetry, program.pool, assertion)).collect();
        images.into_iter().for_each(|image| _ = proof.add(program, image));
        progress
    }

    fn missing(&self) -> String {
        "no assertions were found for an interleaving that cannot happen".into()
    }
}

impl<'p> Check<'_, '_, 'p> {
    /// Visits the reduced program until an interleaving is found that is not covered, other than the `hopeless` ones.
    pub fn visit(&mut self, with: &mut Refinement<'_, 'p>, hopeless: &Hopeless) -> Result<Found<Node>, StopReason> {
        let Run { program, order, control, engine: &Gem { pruning, reduction, .. }, .. } = *self.run;
        let mut reduced = Reduced::new(program, self.target, order, reduction);
        let mut visited: Covering<u32> = Covering::default();
        let mut like = LikeThreads::new(self.symmetry.clone());
        let distances = Distances::new(program, self.target);
        let mut nodes = vec![Node { place: reduced.initial(), known: Known::NOTHING, from: None, depth: 0 }];
        let mut agenda = Agenda::default();
        agenda.add(0, 0);
        // What each node's successors are, or are covered by.
        let mut edges: Vec<(u32, u32)> = Vec::new();
        let mut met: Vec<u32> = Vec::new();
        while let Some(now) = agenda.next() {
            control.poll()?;
            let (round, states) = (with.statistics.rounds, nodes.len() as u64);
            with.statistics.states = states;
            let assertions = self.run.proof.assertions().len() as u64;
            control.report(|| Progress { round, assertions, states, ..Progress::default() });
            let Node { place, known, depth, .. } = &nodes[now as usize];
            let (place, known, depth) = (place.clone(), *known, *depth + 1);
            if let Some(accepted) = reduced.accepted(&place) {
                let trace = path(now, |node| nodes[node as usize].from);
                met.push(now);
                if hopeless.contains(&trace) {
                    continue;
                }
                if pruning == Pruning::Useless {
                    met.extend(agenda.rest());
                    for node in not_reaching(nodes.len(), &edges, &met) {
                        let Node { place, known, .. } = &nodes[node];
                        let form = Form::of(&mut like, program.pool, &mut self.run.proof, place, *known);
                        self.useless.insert(form, ());
                    }
                }
                return Ok(Found::Uncovered(trace, accepted));
            }
            // The most preferred comes last, and is visited first.
            for (action, known, place) in self.run.successors(with, &mut reduced, &place, known).into_iter().rev() {
                let Some(distance) = distances.from(program, &place.locations) else { continue };
                let proof = &mut self.run.proof;
                let form = Form::of(&mut like, program.pool, proof, &place, known);
                if self.useless.covers(proof, &form).is_some() {
                    continue;
                }
                let covering = match pruning {
                    Pruning::None => visited.same(&form),
                    Pruning::Subsumption | Pruning::Useless => visited.covers(proof, &form),
                };
                let successor = covering.unwrap_or(nodes.len() as u32);
                if covering.is_none() {
                    visited.insert(form, successor);
                    nodes.push(Node { place, known, from: Some((now, action)), depth });
                    agenda.add(depth + distance, successor);
                }
                if pruning == Pruning::Useless {
                    edges.push((now, successor));
                }
            }
        }
        Ok(Found::Covered(nodes))
    }
}

impl<'p> Run<'_, 'p> {
    /// The steps of the reduction that leave a state, but for those that the proof knows to be impossible.
    fn successors(
        &mut self,
        with: &mut Refinement<'_, 'p>,
        reduced: &mut Reduced<'_, '_>,
        place: &ReducedState,
        known: Known,
    ) -> Vec<(ActionId, Known, ReducedState)> {
        let (program, solver) = (self.program, &mut with.solver);
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
