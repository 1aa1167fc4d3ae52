//! Atomic blocks: every way through the block becomes one action, where there are finitely many and not too many.
//!
//! A block is lowered as if it were none, at locations that are marked as inside. Then the marked locations are removed one
//! by one, by joining what leads to them with what leaves them: that is what *atomic* means, so it needs no look at
//! other threads. A location that leads back to itself cannot be removed, and one that would make too many
//! actions is not; where any is left, the block is a critical section (`busy`).

use super::graph::{Graph, can_join, joined};
use super::threads::{Frame, LowerError, Lowering};
use super::{Automaton, Edge};
use crate::ast::{LabelId, Stmt, StmtKind};
use crate::cfa::{Location, ThreadId};
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A location is not removed if its block then has more edges than this, and more than before.
const MAX_PATHS: usize = 64;

/// An atomic block of one automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RegionId(u32);

/// An atomic block that is being lowered.
pub(super) struct Region {
    pub id: RegionId,
    /// Whose statement the block is, and the labels that stand in it.
    frame: *const Frame,
    labels: FxHashSet<LabelId>,
}

impl Region {
    /// Does the place of this label of a frame lie inside the block? All of what the block calls does.
    pub fn holds(&self, frame: &Frame, label: LabelId) -> bool {
        !std::ptr::eq(frame, self.frame) || self.labels.contains(&label)
    }
}

impl Lowering<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        body: &Stmt,
        span: Span,
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let automaton = &mut self.automata[thread.index()];
        if automaton.region.is_some() {
            return self.statement(thread, frame, body, from, to);
        }
        let id = RegionId(automaton.blocks.len() as u32);
        automaton.blocks.push(span);
        automaton.region = Some(Region { id, frame: Rc::as_ptr(frame), labels: labels(body) });
        let (start, end) = (automaton.location(span), automaton.location(span));
        automaton.edge(from, start, Vec::new(), span);
        automaton.edge(end, to, Vec::new(), span);
        let result = self.statement(thread, frame, body, start, end);
        self.automata[thread.index()].region = None;
        result
    }
}

/// The labels in a statement.
fn labels(stmt: &Stmt) -> FxHashSet<LabelId> {
    stmt.all().filter_map(|stmt| if let StmtKind::Label(label) = stmt.kind { Some(label) } else { None }).collect()
}

/// Removes the locations inside atomic blocks, as far as that goes.
pub(super) fn contract(automaton: &mut Automaton) {
    if automaton.blocks.is_empty() {
        return;
    }
    let edges = std::mem::take(&mut automaton.edges);
    let mut graph = Graph::new(automaton.locations.len(), edges.into_iter());
    let mut inside: Vec<Vec<Location>> = vec![Vec::new(); automaton.blocks.len()];
    for number in 0..automaton.locations.len() as u32 {
        if let Some(RegionId(region)) = automaton.region_of(Location(number)) {
            inside[region as usize].push(Location(number));
        }
    }
    for (locations, span) in inside.into_iter().zip(&automaton.blocks) {
        contract_block(&mut graph, locations, *span);
    }
    automaton.edges = graph.finish().collect();
}

/// The cheapest location goes first; ties go to the first one.
fn contract_block(graph: &mut Graph<Edge>, mut locations: Vec<Location>, span: Span) {
    let degrees = |graph: &Graph<Edge>, location: Location| {
        (graph.into[location.index()].len(), graph.out[location.index()].len())
    };
    let mut size: usize = locations.iter().map(|&location| degrees(graph, location).1).sum();
    loop {
        let growth = |location: Location| {
            let (ins, outs) = degrees(graph, location);
            (ins * outs) as i64 - (ins + outs) as i64
        };
        let loops = |location: Location| graph.incoming(location).any(|edge| edge.source == location);
        let Some(location) = locations.iter().copied().filter(|&l| !loops(l)).min_by_key(|&l| growth(l)) else { break };
        let growth = growth(location);
        if growth > 0 && size as i64 + growth > MAX_PATHS as i64 {
            break;
        }
        size = (size as i64 + growth).max(0) as usize;
        let into: Vec<Edge> = graph.into[location.index()].clone().into_iter().map(|edge| graph.remove(edge)).collect();
        let out: Vec<Edge> = graph.out[location.index()].clone().into_iter().map(|edge| graph.remove(edge)).collect();
        for before in &into {
            // A block that would have to wait for a thread that it starts, or twice for one, cannot happen.
            for after in out.iter().filter(|after| can_join(before, after)) {
                graph.add(Edge { span, ..joined(before, after) });
            }
        }
        locations.retain(|&other| other != location);
    }
}
