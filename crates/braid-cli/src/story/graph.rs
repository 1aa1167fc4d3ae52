//! Proofs as graphs, where they are small enough to be looked at: interleavings that were kept, places of like threads, orders of locks.
//!
//! *Invariant*: a graph is whole, or it is not there.

use super::annotations::{Known, Site, Speech};
use super::{GraphEdge, GraphNode, GraphShape, ProofGraph};
use braid_check::{Graph, GraphState};
use braid_engines::Waiting;
use braid_logic::Term;
use braid_program::cfa::{Action, ActionId, Location, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Larger graphs are not drawn by anybody.
const MOST_NODES: usize = 40;
/// Texts of steps are cut to this many characters.
const LONGEST: usize = 60;

impl Speech<'_, '_> {
    /// The interleavings that a proof follows, if there is one graph of them.
    pub fn kept(&self, assertions: &[String], graphs: &[Graph]) -> Option<ProofGraph> {
        let states = match graphs {
            [Graph { states, .. }] if states.len() <= MOST_NODES => states,
            _ => return None,
        };
        let terms: Vec<Option<Term>> = assertions.iter().map(|text| self.term(text)).collect();
        let node = |state: &GraphState| GraphNode {
            at: self.threads_at(&state.locations),
            holds: {
                let held = state.holds.iter().filter_map(|&number| *terms.get(number as usize)?);
                self.facts(held, ThreadId::MAIN)
            },
            asleep: self.threads_of(&state.asleep),
        };
        let edges = states.iter().enumerate().flat_map(|(from, state)| {
            let edge = move |&(action, to): &(ActionId, Option<u32>)| GraphEdge {
                from,
                to: to.map(|to| to as usize),
                step: self.step(self.program.action(action)),
            };
            state.steps.iter().map(edge)
        });
        let (nodes, edges) = (states.iter().map(node).collect(), edges.collect());
        Some(ProofGraph { shape: GraphShape::Reduction, nodes, edges })
    }

    /// The places of threads, each of which stands for all threads like it.
    pub fn threads_graph(&self, known: &BTreeMap<Site, Known>) -> Option<ProofGraph> {
        let is_error = |site: &Site| self.program.thread(site.0).locations[site.1.index()].violation.is_some();
        let source = |action: &Action| (action.thread, action.source);
        let target = |action: &Action| (action.thread, action.target);
        let actions = || self.program.actions.iter().filter(|action| self.stands_for_all(action.thread));
        let all = actions().flat_map(|action| [source(action), target(action)]);
        let all: BTreeSet<Site> = all.filter(|site| !is_error(site)).collect();
        if all.len() > MOST_NODES || known.values().all(|known| known.always.is_empty()) {
            return None;
        }
        let sites: Vec<Site> = all.into_iter().collect();
        let number = |site: Site| sites.binary_search(&site).ok();
        let node = |site: &Site| GraphNode {
            at: vec![self.at(site.0, site.1)],
            holds: known.get(site).map(|known| known.always.clone()).unwrap_or_default(),
            asleep: Vec::new(),
        };
        let edge = |action: &Action| {
            Some(GraphEdge { from: number(source(action))?, to: number(target(action)), step: self.step(action) })
        };
        let (nodes, edges) = (sites.iter().map(node).collect(), actions().filter_map(edge).collect());
        Some(ProofGraph { shape: GraphShape::Threads, nodes, edges })
    }

    fn threads_at(&self, locations: &[Location]) -> Vec<String> {
        let threads = locations.iter().enumerate().map(|(thread, &location)| (ThreadId(thread as u32), location));
        threads
            .filter(|(_, location)| *location != Location::NOT_STARTED)
            .map(|(thread, location)| self.at(thread, location))
            .collect()
    }

    /// Is a thread the only one, or the first of those that stand for any number?
    fn stands_for_all(&self, thread: ThreadId) -> bool {
        let template = self.program.thread(thread).template;
        let like = |other: &ThreadId| self.program.thread(*other).template == template;
        template.is_none() || self.program.thread_ids().find(like) == Some(thread)
    }

    /// Where a thread is, in words.
    fn at(&self, id: ThreadId, location: Location) -> String {
        let thread = self.program.thread(id);
        let name = if thread.template.is_some() { format!("any {}", thread.name) } else { thread.name.clone() };
        match self.place(id, location) {
            Some(place) => format!("{name}: line {}", place.line),
            None if location == thread.exit => format!("{name}: at its end"),
            None if thread.outgoing(location).is_empty() => format!("{name}: stopped"),
            None => format!("{name}: at its start"),
        }
    }

    fn threads_of(&self, actions: &[ActionId]) -> Vec<String> {
        let threads: BTreeSet<ThreadId> = actions.iter().map(|&action| self.program.action(action).thread).collect();
        threads.into_iter().map(|thread| self.program.thread(thread).name.clone()).collect()
    }

    fn step(&self, action: &Action) -> String {
        let name = &self.program.thread(action.thread).name;
        let span = action.steps.first().map_or(action.span, |step| step.span);
        let text = self.program.sources.excerpt(span, LONGEST);
        match self.place(action.thread, action.source) {
            Some(place) if text.is_empty() => format!("{name}: line {}", place.line),
            Some(place) => format!("{name}: {text} (line {})", place.line),
            None => name.clone(),
        }
    }
}

/// Which locks may be waited for while others are held.
pub fn lock_order(locks: &[String], waiting: &[Waiting]) -> Option<ProofGraph> {
    if locks.is_empty() || locks.len() > MOST_NODES {
        return None;
    }
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    for Waiting { holds, wants, .. } in waiting {
        let both = holds.iter().flat_map(|&held| wants.iter().map(move |&wanted| (held as usize, wanted as usize)));
        pairs.extend(both.filter(|&(held, wanted)| held < locks.len() && wanted < locks.len()));
    }
    let nodes = locks.iter().map(|lock| GraphNode { at: vec![lock.clone()], ..GraphNode::default() }).collect();
    let edges = pairs.into_iter().map(|(from, to)| GraphEdge { from, to: Some(to), step: String::new() }).collect();
    Some(ProofGraph { shape: GraphShape::LockOrder, nodes, edges })
}
