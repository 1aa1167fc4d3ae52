//! Which subterms of a large term get a name by `let`, so that a DAG is printed in space linear in its nodes.
//!
//! A subterm may be named outside a quantifier only if it mentions none of the variables bound inside; every body of
//! a quantifier is therefore a scope of its own.

use crate::pool::TermPool;
use crate::term::{Node, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms that take more nodes than this as a tree are printed with `let`.
pub(super) const MAX_TREE: u32 = 2_000;
/// Shared subterms with fewer nodes than this are written out each time.
const MIN_NAMED: u32 = 6;

/// The subterms of `root` to name in its scope, level by level: each mentions only names of earlier levels.
///
/// Terms that have a name already (`is_named`) count as leaves.
pub(super) fn let_levels(pool: &TermPool, root: Term, is_named: impl Fn(Term) -> bool) -> Vec<Vec<Term>> {
    let mut references: FxHashMap<Term, u32> = FxHashMap::default();
    let mut bound_inside: FxHashSet<Var> = FxHashSet::default();
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        let node = pool.node(term);
        if let Node::Quantifier { bound, .. } = node {
            bound_inside.extend(bound);
        }
        node.for_each_child(|child| {
            if is_named(child) {
                return;
            }
            let count = references.entry(child).or_insert(0);
            *count += 1;
            if *count == 1 {
                open.push(child);
            }
        });
    }
    // Subterms are older than the terms that they occur in, so this order visits them first.
    let mut terms: Vec<(Term, u32)> = references.into_iter().collect();
    terms.sort_unstable();
    let mut levels: Vec<Vec<Term>> = Vec::new();
    // For each term the number of levels that it needs; one more if it is named itself.
    let mut needed: FxHashMap<Term, usize> = FxHashMap::default();
    for (term, count) in terms {
        let mut level = 0;
        pool.node(term).for_each_child(|child| level = level.max(needed.get(&child).copied().unwrap_or(0)));
        let movable = || !pool.free_vars(term).iter().any(|var| bound_inside.contains(var));
        if count > 1 && pool.size(term) >= MIN_NAMED && movable() {
            levels.resize_with(levels.len().max(level + 1), Vec::new);
            levels[level].push(term);
            level += 1;
        }
        needed.insert(term, level);
    }
    levels
}
