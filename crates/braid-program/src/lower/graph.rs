//! Automata as graphs that are changed in place, and the changes that need no knowledge of threads: skips go, unreachable
//! locations go, loop heads are marked.

use super::{Automaton, Edge};
use crate::cfa::{Location, ThreadId};
use crate::graph::{loop_heads, reached};

/// The edges of an automaton by source and by target. Removed edges leave a hole; new ones go to the end.
pub(super) struct Graph<E> {
    pub edges: Vec<Option<E>>,
    pub into: Vec<Vec<usize>>,
    pub out: Vec<Vec<usize>>,
}

impl<E: AsRef<Edge>> Graph<E> {
    pub fn new(locations: usize, edges: impl Iterator<Item = E>) -> Graph<E> {
        let mut graph =
            Graph { edges: Vec::new(), into: vec![Vec::new(); locations], out: vec![Vec::new(); locations] };
        edges.for_each(|edge| graph.add(edge));
        graph
    }

    pub fn add(&mut self, edge: E) {
        let (from, to) = (edge.as_ref().source.index(), edge.as_ref().target.index());
        self.into[to].push(self.edges.len());
        self.out[from].push(self.edges.len());
        self.edges.push(Some(edge));
    }

    pub fn remove(&mut self, number: usize) -> E {
        let edge = self.edges[number].take().expect("an edge is removed once");
        self.into[edge.as_ref().target.index()].retain(|&other| other != number);
        self.out[edge.as_ref().source.index()].retain(|&other| other != number);
        edge
    }

    pub fn get(&self, number: usize) -> &E {
        self.edges[number].as_ref().expect("lists name only edges that are there")
    }

    pub fn incoming(&self, location: Location) -> impl Iterator<Item = &E> {
        self.into[location.index()].iter().map(|&number| self.get(number))
    }

    pub fn outgoing(&self, location: Location) -> impl Iterator<Item = &E> {
        self.out[location.index()].iter().map(|&number| self.get(number))
    }

    pub fn finish(self) -> impl Iterator<Item = E> {
        self.edges.into_iter().flatten()
    }
}

impl AsRef<Edge> for Edge {
    fn as_ref(&self) -> &Edge {
        self
    }
}

/// Can the second edge come after the first in one action? Not if both are about one thread: where a thread is counts
/// once for an action, so it is not joined after it was started or joined, nor started again.
pub(super) fn can_join(before: &Edge, after: &Edge) -> bool {
    let about = |edge: &Edge, thread: &ThreadId| edge.forks.contains(thread) || edge.joins.contains(thread);
    !after.forks.iter().chain(&after.joins).any(|thread| about(before, thread))
}

/// `before; after` as one edge.
pub(super) fn joined(before: &Edge, after: &Edge) -> Edge {
    let both = |a: &[ThreadId], b: &[ThreadId]| a.iter().chain(b).copied().collect();
    Edge {
        source: before.source,
        target: after.target,
        steps: before.steps.iter().chain(&after.steps).cloned().collect(),
        forks: both(&before.forks, &after.forks),
        joins: both(&before.joins, &after.joins),
        span: before.span.to(after.span),
    }
}

/// Removes edges that do nothing where that needs no copies of others. Where deadlocks matter (`waits`), a thread that decided to
/// wait for one thing does not wait for another one as well: such a location is not put together with one that has other ways out.
pub(super) fn remove_skips(automaton: &mut Automaton, waits: bool) {
    let edges = std::mem::take(&mut automaton.edges);
    let mut graph = Graph::new(automaton.locations.len(), edges.into_iter());
    // Merging two locations only makes their degrees grow or stay, so one pass from either side is enough.
    for number in 0..graph.edges.len() {
        let edge = graph.get(number);
        let (source, target) = (edge.source, edge.target);
        if !edge.is_skip() || source == target || automaton.locations[target.index()].violation.is_some() {
            continue;
        }
        // Nothing else leaves the source, or nothing else enters the target: they are one location.
        let only_out = graph.out[source.index()].len() == 1;
        let only_in = graph.into[target.index()].len() == 1 && target != automaton.exit && target != automaton.entry;
        let decided = waits && graph.outgoing(source).chain(graph.outgoing(target)).any(Edge::waits);
        if !only_out && (!only_in || decided) {
            continue;
        }
        graph.remove(number);
        let (gone, kept) = if only_out { (source, target) } else { (target, source) };
        automaton.locations[kept.index()].loop_head |= automaton.locations[gone.index()].loop_head;
        if automaton.entry == gone {
            automaton.entry = kept;
        }
        for moved in std::mem::take(&mut graph.into[gone.index()]) {
            graph.edges[moved].as_mut().expect("lists name only edges that are there").target = kept;
            graph.into[kept.index()].push(moved);
        }
        for moved in std::mem::take(&mut graph.out[gone.index()]) {
            graph.edges[moved].as_mut().expect("lists name only edges that are there").source = kept;
            graph.out[kept.index()].push(moved);
        }
    }
    automaton.edges = graph.finish().collect();
}

/// Marks the loop heads: the targets of edges that go back on a depth-first path from the entry. Every cycle has one.
pub(super) fn mark_loop_heads(automaton: &mut Automaton) {
    let heads = loop_heads(automaton.entry.index(), &targets(automaton, |_| true));
    automaton.locations.iter_mut().zip(heads).for_each(|(location, is_head)| location.loop_head = is_head);
}

/// Where those of the edges lead to, from each location, that are wanted by their number.
pub(super) fn targets(automaton: &Automaton, wanted: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); automaton.locations.len()];
    let edges = automaton.edges.iter().enumerate().filter(|(number, _)| wanted(*number));
    edges.for_each(|(_, edge)| targets[edge.source.index()].push(edge.target.index()));
    targets
}

/// Drops locations that cannot be reached inside the automaton, and orders edges by source.
pub(super) fn compact(mut automaton: Automaton) -> (Automaton, Vec<Edge>) {
    let targets = targets(&automaton, |_| true);
    let mut reached = reached(targets.len(), [automaton.entry.index()], |node| targets[node].iter().copied());
    reached[0] = true;
    reached[automaton.exit.index()] = true;
    let mut number = vec![Location::NOT_STARTED; automaton.locations.len()];
    let mut locations = Vec::new();
    for (old, info) in automaton.locations.into_iter().enumerate() {
        if reached[old] {
            number[old] = Location(locations.len() as u32);
            locations.push(info);
        }
    }
    automaton.locations = locations;
    automaton.entry = number[automaton.entry.index()];
    automaton.exit = number[automaton.exit.index()];
    let mut edges = std::mem::take(&mut automaton.edges);
    edges.retain(|edge| reached[edge.source.index()]);
    for edge in &mut edges {
        edge.source = number[edge.source.index()];
        edge.target = number[edge.target.index()];
    }
    edges.sort_by_key(|edge| edge.source);
    (automaton, edges)
}
