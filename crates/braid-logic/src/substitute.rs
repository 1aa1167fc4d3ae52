//! Simultaneous substitution of terms for variables, and rebuilding a term from changed subterms.

use crate::pool::TermPool;
use crate::term::{Node, Term, Var};
use rustc_hash::FxHashMap;

/// What each variable is replaced by; variables that are not here stay.
pub type Substitution = FxHashMap<Var, Term>;

impl TermPool {
    /// The term with all variables of the substitution replaced at once.
    ///
    /// Bound variables are bound nowhere else and occur in no replacement, so nothing can be captured.
    pub fn substitute(&self, term: Term, substitution: &Substitution) -> Term {
        if substitution.is_empty() {
            return term;
        }
        self.substitute_inside(term, substitution, &mut FxHashMap::default())
    }

    fn substitute_inside(&self, term: Term, substitution: &Substitution, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Node::Var(var) = self.node(term) {
            return substitution.get(var).copied().unwrap_or(term);
        }
        if !self.free_vars(term).iter().any(|var| substitution.contains_key(var)) {
            return term;
        }
        if let Some(&result) = done.get(&term) {
            return result;
        }
        let result = self.rebuild(term, |child| self.substitute_inside(child, substitution, done));
        done.insert(term, result);
        result
    }

    /// The term with some of its subterms replaced by others; what is found on the way is added. Quantified formulas stay as they are.
    pub fn replace(&self, term: Term, replacements: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(&known) = replacements.get(&term) {
            return known;
        }
        if matches!(self.node(term), Node::Quantifier { .. } | Node::Var(_)) {
            return term;
        }
        let replaced = self.rebuild(term, |child| self.replace(child, replacements));
        replacements.insert(term, replaced);
        replaced
    }

    /// The term with each direct subterm replaced by `change` of it, normalised anew.
    pub fn rebuild(&self, term: Term, mut change: impl FnMut(Term) -> Term) -> Term {
        match self.node(term) {
            Node::True | Node::False | Node::Integer(_) | Node::BitVec { .. } | Node::Var(_) => term,
            Node::Not(a) => self.not(change(*a)),
            Node::And(items) => self.and(items.iter().map(|&item| change(item)).collect::<Vec<_>>()),
            Node::Or(items) => self.or(items.iter().map(|&item| change(item)).collect::<Vec<_>>()),
            Node::Ite(condition, then, other) => {
                let (condition, then, other) = (change(*condition), change(*then), change(*other));
                self.ite(condition, then, other)
            }
            Node::Eq(a, b) => {
                let (a, b) = (change(*a), change(*b));
                self.eq(a, b)
            }
            Node::Le(linear) | Node::Zero(linear) | Node::Sum(linear) => {
                let mut changed = self.combination(linear.parts.iter().map(|(part, c)| (c.clone(), change(*part))));
                changed.constant += &linear.constant;
                match self.node(term) {
                    Node::Le(_) => self.le_zero(changed),
                    Node::Zero(_) => self.zero(changed),
                    _ => self.linear(changed),
                }
            }
            Node::Product(factors) => {
                let factors: Vec<Term> = factors.iter().map(|&factor| change(factor)).collect();
                factors.into_iter().reduce(|a, b| self.mul(a, b)).expect("a product has factors")
            }
            Node::Div(a, b) => {
                let (a, b) = (change(*a), change(*b));
                self.div(a, b)
            }
            Node::Mod(a, b) => {
                let (a, b) = (change(*a), change(*b));
                self.modulo(a, b)
            }
            Node::Apply(fun, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|&argument| change(argument)).collect();
                self.apply(*fun, &arguments)
            }
            Node::Select(array, index) => {
                let (array, index) = (change(*array), change(*index));
                self.select(array, index)
            }
            Node::Store(array, index, value) => {
                let (array, index, value) = (change(*array), change(*index), change(*value));
                self.store(array, index, value)
            }
            Node::ConstArray(value) => self.const_array(self.sort_of(term), change(*value)),
            Node::Bv(op, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(|&argument| change(argument)).collect();
                self.bv(*op, &arguments)
            }
            Node::Quantifier { quantifier, bound, body } => self.quantify(*quantifier, bound, change(*body)),
        }
    }
}
