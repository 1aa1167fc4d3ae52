//! What an abstract domain has to give, and the analysis that it gets in return.
//!
//! A domain sees an action case by case: each case is a conjunctive guard (as far as the budget goes) with the values of
//! the terms that the domain asked for. Domains run alone or in a product, where they see the same cases.

use super::cases::{Case, split};
use super::fixpoint::Iteration;
use super::{FlowGraph, InvariantBudget};
use braid_logic::{Term, TermPool};
use braid_program::cfa::Relation;
use rustc_hash::FxHashMap;

/// An abstract domain. Elements stand for non-empty sets of states; the empty set is `None`.
pub(super) trait Domain {
    /// A set of states.
    type Element: Clone + PartialEq;
    /// One case of an action.
    type Transfer;

    /// All states.
    fn top(&self) -> Self::Element;

    /// The terms over the state before an action whose values the transfer needs.
    fn values(&self, action: &Relation) -> Vec<Term>;

    /// A case of the action, with the values in the order of [`Domain::values`].
    fn transfer(&self, action: &Relation, case: &Case) -> Self::Transfer;

    /// What holds after the case, or none if nothing gets through.
    fn follow(&self, transfer: &Self::Transfer, before: &Self::Element) -> Option<Self::Element>;

    /// The join.
    fn join(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// An element above both, such that chains of these end. `growth` is how often the node has grown.
    fn widen(&self, old: &Self::Element, new: &Self::Element, growth: usize) -> Self::Element;

    /// What the element says.
    fn facts(&self, element: &Self::Element) -> Vec<Term>;
}

/// The actions of a graph, as a domain sees them.
pub(super) struct Actions<D: Domain> {
    /// The cases of each action.
    cases: Vec<Vec<D::Transfer>>,
    /// Per edge of the graph: its action.
    edges: Vec<usize>,
}

impl<D: Domain> Actions<D> {
    fn new(pool: &TermPool, graph: &FlowGraph<'_>, domain: &D, limit: usize) -> Self {
        let mut numbers: FxHashMap<*const Relation, usize> = FxHashMap::default();
        let mut actions = Actions { cases: Vec::new(), edges: Vec::with_capacity(graph.edges.len()) };
        for (_, _, action) in &graph.edges {
            let number = *numbers.entry(std::ptr::from_ref(*action)).or_insert_with(|| {
                let cases = split(pool, action.guard, domain.values(action), limit);
                let transfers = cases.iter().map(|case| domain.transfer(action, case));
                actions.cases.push(transfers.collect());
                actions.cases.len() - 1
            });
            actions.edges.push(number);
        }
        actions
    }

    /// What holds after an edge, over all cases.
    pub fn follow(&self, domain: &D, edge: usize, before: &D::Element) -> Option<D::Element> {
        let cases = self.cases[self.edges[edge]].iter().filter_map(|case| domain.follow(case, before));
        cases.reduce(|a, b| domain.join(&a, &b))
    }
}

/// What the domain finds out at each node; `false` where control does not get.
pub(super) fn analyse<D: Domain>(
    pool: &TermPool,
    graph: &FlowGraph<'_>,
    domain: &D,
    budget: &InvariantBudget,
) -> Vec<Vec<Term>> {
    let actions = Actions::new(pool, graph, domain, budget.cases);
    let iteration = Iteration::new(graph);
    let Some(mut elements) = iteration.fixpoint(domain, &actions, budget.transfers) else {
        return vec![Vec::new(); graph.nodes];
    };
    iteration.narrow(domain, &actions, &mut elements);
    let facts = |element: &Option<D::Element>| element.as_ref().map_or(vec![Term::FALSE], |e| domain.facts(e));
    elements.iter().map(facts).collect()
}
