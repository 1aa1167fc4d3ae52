//! Guards as affine equalities see them: equalities are assumed, disjunctions joined, and what is neither is only
//! checked for being plainly false.

use super::dimensions::Dimensions;
use super::system::{Row, System};
use braid_logic::{Node, Rational, Sort, Term, TermPool};

/// A formula over columns.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    /// The row is 0.
    Equal(Row),
    /// The row is not 0.
    Differ(Row),
    /// The row is at most 0.
    AtMost(Row),
    /// All of these.
    All(Vec<Guard>),
    /// One of these.
    Any(Vec<Guard>),
}

impl Guard {
    /// The guard of a formula.
    pub fn new(pool: &TermPool, dimensions: &mut Dimensions<'_>, formula: Term) -> Guard {
        match pool.node(formula) {
            Node::And(items) => Guard::All(items.iter().map(|&item| Guard::new(pool, dimensions, item)).collect()),
            Node::Or(items) => Guard::Any(items.iter().map(|&item| Guard::new(pool, dimensions, item)).collect()),
            Node::Zero(linear) => Guard::Equal(dimensions.combination(linear)),
            Node::Le(linear) => Guard::AtMost(dimensions.combination(linear)),
            Node::Eq(a, b) => Guard::Equal(dimensions.row(*a).minus(&dimensions.row(*b))),
            Node::Not(inner) => match pool.node(*inner) {
                Node::Zero(linear) => Guard::Differ(dimensions.combination(linear)),
                Node::Eq(a, b) if pool.sort_of(*a) == Sort::BOOL => {
                    let negation = Row::constant(Rational::ONE).minus(&dimensions.row(*b));
                    Guard::Equal(dimensions.row(*a).minus(&negation))
                }
                Node::Eq(a, b) => Guard::Differ(dimensions.row(*a).minus(&dimensions.row(*b))),
                _ => Guard::Equal(dimensions.row(*inner)),
            },
            _ => Guard::Equal(dimensions.row(formula).minus(&Row::constant(Rational::ONE))),
        }
    }

    /// Assumes the guard; false if nothing is left.
    #[must_use]
    pub fn assume(&self, system: &mut System) -> bool {
        match self {
            Guard::Equal(row) => system.assume(row),
            Guard::Differ(row) => !system.reduce(row).is_zero(),
            Guard::AtMost(row) => system.reduce(row).as_constant().is_none_or(|value| !value.is_positive()),
            Guard::All(items) => items.iter().all(|item| item.assume(system)),
            Guard::Any(items) => {
                let mut union: Option<System> = None;
                for item in items {
                    let mut branch = system.clone();
                    if item.assume(&mut branch) {
                        union = Some(union.map_or_else(|| branch.clone(), |union| union.join(&branch)));
                    }
                }
                match union {
                    Some(union) => {
                        *system = union;
                        true
                    }
                    None => false,
                }
            }
        }
    }
}
