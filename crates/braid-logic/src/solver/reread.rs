//! From Z3's expressions back to terms, by way of their text: Z3's numbering of its operations differs between
//! versions, SMT-LIB does not.

use crate::pool::TermPool;
use crate::term::{Node, Term};
use crate::text::{PoolScope, parse_term};
use rustc_hash::FxHashSet;
use z3::ast::Ast;

/// The term that a Z3 expression over the pool's own symbols stands for. None for what terms cannot say.
pub(super) fn reread(pool: &TermPool, expression: &impl Ast) -> Option<Term> {
    parse_term(pool, &format!("{expression:?}"), &PoolScope(pool)).ok()
}

/// Is there a quantifier in the term?
pub(super) fn has_quantifier(pool: &TermPool, term: Term) -> bool {
    any(pool, &[term], |node| matches!(node, Node::Quantifier { .. }))
}

/// Does a subterm of the terms satisfy the condition?
pub(super) fn any(pool: &TermPool, terms: &[Term], condition: impl Fn(&Node) -> bool) -> bool {
    let mut seen: FxHashSet<Term> = terms.iter().copied().collect();
    let mut waiting = terms.to_vec();
    while let Some(term) = waiting.pop() {
        let node = pool.node(term);
        if condition(node) {
            return true;
        }
        node.for_each_child(|child| {
            if seen.insert(child) {
                waiting.push(child);
            }
        });
    }
    false
}
