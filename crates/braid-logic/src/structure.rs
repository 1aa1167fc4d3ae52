//! Constructors that work at every sort: equality, choice, function application, arrays.

use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{Fun, Node, Term};

impl TermPool {
    /// Equality of two terms of one sort.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        let sort = self.sort_of(a);
        debug_assert_eq!(sort, self.sort_of(b));
        if a == b {
            return Term::TRUE;
        }
        match sort {
            Sort::INT => return self.int_eq(a, b),
            Sort::BOOL => return self.iff(a, b),
            _ => {}
        }
        if let (Node::BitVec { .. }, Node::BitVec { .. }) = (self.node(a), self.node(b)) {
            return Term::FALSE;
        }
        self.intern(Node::Eq(a.min(b), a.max(b)), Sort::BOOL)
    }

    fn iff(&self, a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::TRUE, other) | (other, Term::TRUE) => return other,
            (Term::FALSE, other) | (other, Term::FALSE) => return self.not(other),
            _ => {}
        }
        // The smaller of a formula and its negation stands for both, so that `p = q` and `¬p = ¬q` are one term.
        let (not_a, not_b) = (self.not(a), self.not(b));
        if a == not_b {
            return Term::FALSE;
        }
        let flipped = (not_a < a) != (not_b < b);
        let (a, b) = (a.min(not_a), b.min(not_b));
        let equality = self.intern(Node::Eq(a.min(b), a.max(b)), Sort::BOOL);
        if flipped { self.not(equality) } else { equality }
    }

    /// Pairwise difference.
    pub fn distinct(&self, items: &[Term]) -> Term {
        let pairs = items.iter().enumerate().flat_map(|(i, &a)| items[i + 1..].iter().map(move |&b| (a, b)));
        self.and(pairs.map(|(a, b)| self.not(self.eq(a, b))))
    }

    /// If-then-else. Boolean ones become conjunctions of implications.
    pub fn ite(&self, condition: Term, then: Term, other: Term) -> Term {
        debug_assert_eq!(self.sort_of(then), self.sort_of(other));
        if condition == Term::TRUE || then == other {
            return then;
        }
        if condition == Term::FALSE {
            return other;
        }
        if self.sort_of(then) == Sort::BOOL {
            return self.and([self.implies(condition, then), self.or([condition, other])]);
        }
        let negation = self.not(condition);
        if negation < condition {
            return self.choice(negation, other, then);
        }
        self.choice(condition, then, other)
    }

    fn choice(&self, condition: Term, mut then: Term, mut other: Term) -> Term {
        // Inside a branch its own condition is decided.
        if let Node::Ite(inner, yes, _) = self.node(then)
            && *inner == condition
        {
            then = *yes;
        }
        if let Node::Ite(inner, _, no) = self.node(other)
            && *inner == condition
        {
            other = *no;
        }
        if then == other { then } else { self.intern(Node::Ite(condition, then, other), self.sort_of(then)) }
    }

    /// Application of a function to as many arguments as it takes.
    pub fn apply(&self, fun: Fun, arguments: &[Term]) -> Term {
        let (sorts, result) = self.fun_signature(fun);
        debug_assert!(sorts.iter().copied().eq(arguments.iter().map(|&a| self.sort_of(a))));
        self.intern(Node::Apply(fun, arguments.into()), result)
    }

    /// The index and element sorts of an array sort.
    pub fn array_sorts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        match self.sort_kind(sort) {
            SortKind::Array { index, element } => Some((*index, *element)),
            _ => None,
        }
    }

    /// Are the two terms different in every model, as far as their writing shows?
    pub fn surely_different(&self, a: Term, b: Term) -> bool {
        a != b && self.eq(a, b) == Term::FALSE
    }

    /// Array read; writes to the same index are read back, writes to surely different ones passed over.
    pub fn select(&self, mut array: Term, index: Term) -> Term {
        let (_, element) = self.array_sorts(self.sort_of(array)).expect("select reads an array");
        loop {
            match self.node(array) {
                Node::Store(_, written, value) if *written == index => return *value,
                Node::Store(inner, written, _) if self.surely_different(*written, index) => array = *inner,
                Node::ConstArray(value) => return *value,
                _ => return self.intern(Node::Select(array, index), element),
            }
        }
    }

    /// Array write. Writing back what is there, and overwriting a write, leave no trace.
    pub fn store(&self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort_of(array);
        debug_assert_eq!(self.array_sorts(sort), Some((self.sort_of(index), self.sort_of(value))));
        if matches!(self.node(value), Node::Select(a, i) if *a == array && *i == index) {
            return array;
        }
        match self.node(array) {
            Node::Store(inner, written, _) if *written == index => self.store(*inner, index, value),
            Node::ConstArray(element) if *element == value => array,
            _ => self.intern(Node::Store(array, index, value), sort),
        }
    }

    /// The array of the given sort that holds `value` everywhere.
    pub fn const_array(&self, sort: Sort, value: Term) -> Term {
        debug_assert_eq!(self.array_sorts(sort).map(|(_, element)| element), Some(self.sort_of(value)));
        self.intern(Node::ConstArray(value), sort)
    }
}
