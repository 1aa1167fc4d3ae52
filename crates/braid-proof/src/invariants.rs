//! Loop invariants by abstract interpretation: what holds at the nodes of a control-flow graph, however often its loops
//! run. The graph is the path program of a trace, or a reduced product.
//!
//! Two domains and their product: affine equalities (Karr 1976; Müller-Olm and Seidl 2004), and zones (differences with
//! bounds, Miné 2001).
//! Invariant: the facts are inductive for every action of the graph up to what the domains see; they are offered as
//! candidates, and whoever uses them checks the triples. Results depend on the input alone, never on time.

mod affine;
mod cases;
mod difference;
mod dimensions;
mod domain;
mod fixpoint;
mod guard;
mod inductive;
mod product;
mod system;
mod zones;

pub use affine::affine_equalities;
pub use inductive::keep_inductive;
pub use product::loop_invariants;
pub use zones::zones;

use braid_program::cfa::Relation;

/// A control-flow graph over actions: a reduced product, or the path program of a trace.
#[derive(Clone, Debug)]
pub struct FlowGraph<'a> {
    /// How many nodes there are, at least one; they are numbered from 0.
    pub nodes: usize,
    /// Where control starts, in any state.
    pub entry: usize,
    /// Source, target, and what happens between them.
    pub edges: Vec<(usize, usize, &'a Relation)>,
}

/// How much an analysis may do. Where a limit is met, the result is weaker; it is never wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantBudget {
    /// How often an edge may be followed, all in all. When it is used up, nothing is said of any node.
    pub transfers: usize,
    /// How many variables and terms affine equalities are about.
    pub dimensions: usize,
    /// How many variables zones are about.
    pub clocks: usize,
    /// Into how many cases an action is split at its disjunctions and conditional terms.
    pub cases: usize,
    /// How many bounds zones give for one node, besides equalities.
    pub bounds: usize,
    /// How many products of counters with what never changes affine equalities are about, beside those that actions mention. They make queries
    /// nonlinear.
    pub products: usize,
}

impl Default for InvariantBudget {
    fn default() -> Self {
        InvariantBudget { transfers: 20_000, dimensions: 40, clocks: 24, cases: 8, bounds: 12, products: 0 }
    }
}
