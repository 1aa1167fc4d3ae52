//! The least fixpoint of a domain over a graph: a worklist in reverse post order, so that a loop is stable before what
//! follows it is looked at. Widening happens at the targets of back edges, and one narrowing pass follows.

use super::FlowGraph;
use super::domain::{Actions, Domain};
use braid_program::graph::{loop_heads, reverse_postorder};
use std::collections::BTreeSet;

/// The graph as the iteration sees it.
pub(super) struct Iteration<'g> {
    graph: &'g FlowGraph<'g>,
    /// The nodes that can be reached, in reverse post order.
    order: Vec<usize>,
    /// Per node: its place in `order`.
    place: Vec<Option<usize>>,
    /// Per node: the numbers of the edges that leave it.
    outgoing: Vec<Vec<usize>>,
    /// Per node: is it the target of a back edge?
    head: Vec<bool>,
}

impl<'g> Iteration<'g> {
    /// Orders a graph.
    pub fn new(graph: &'g FlowGraph<'g>) -> Self {
        let mut outgoing = vec![Vec::new(); graph.nodes];
        for (number, (source, _, _)) in graph.edges.iter().enumerate() {
            outgoing[*source].push(number);
        }
        let mut targets = vec![Vec::new(); graph.nodes];
        graph.edges.iter().for_each(|(source, target, _)| targets[*source].push(*target));
        let order = reverse_postorder(graph.entry, &targets);
        let mut place = vec![None; graph.nodes];
        order.iter().enumerate().for_each(|(position, &node)| place[node] = Some(position));
        Iteration { graph, order, place, outgoing, head: loop_heads(graph.entry, &targets) }
    }

    /// What holds at each node; none where control does not get. `None` as a whole if the transfers are used up.
    pub fn fixpoint<D: Domain>(
        &self,
        domain: &D,
        actions: &Actions<D>,
        mut transfers: usize,
    ) -> Option<Vec<Option<D::Element>>> {
        let graph = self.graph;
        let mut at: Vec<Option<D::Element>> = vec![None; graph.nodes];
        let mut visits = vec![0; graph.nodes];
        at[graph.entry] = Some(domain.top());
        let mut work: BTreeSet<usize> = self.place[graph.entry].into_iter().collect();
        while let Some(position) = work.pop_first() {
            let node = self.order[position];
            let Some(here) = at[node].clone() else { continue };
            for &edge in &self.outgoing[node] {
                transfers = transfers.checked_sub(1)?;
                let target = graph.edges[edge].1;
                let Some(arriving) = actions.follow(domain, edge, &here) else { continue };
                let grown = match &at[target] {
                    None => arriving,
                    Some(old) => {
                        let joined = domain.join(old, &arriving);
                        if joined == *old {
                            continue;
                        }
                        visits[target] += 1;
                        if self.head[target] { domain.widen(old, &joined, visits[target]) } else { joined }
                    }
                };
                at[target] = Some(grown);
                work.extend(self.place[target]);
            }
        }
        Some(at)
    }

    /// One pass downwards from what holds at each node: what arrives over all edges there, which is no more.
    pub fn narrow<D: Domain>(&self, domain: &D, actions: &Actions<D>, at: &mut [Option<D::Element>]) {
        let graph = self.graph;
        let mut incoming = vec![Vec::new(); graph.nodes];
        for (number, (_, target, _)) in graph.edges.iter().enumerate() {
            incoming[*target].push(number);
        }
        for &node in self.order.iter().filter(|&&node| node != graph.entry) {
            let edges = incoming[node].iter();
            let arriving = edges.filter_map(|&edge| actions.follow(domain, edge, at[graph.edges[edge].0].as_ref()?));
            at[node] = arriving.reduce(|a, b| domain.join(&a, &b));
        }
    }
}
