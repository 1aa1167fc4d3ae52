//! What affine equalities are about: variables of any sort, and *opaque* terms (applications, array reads, products, …).
//!
//! A formula counts as 1 where it holds and 0 where it does not; a value of another sort counts as its number in some
//! enumeration that nobody knows, so that only `a - b = 0` says something about it. Opaque terms of one symbol with
//! equal arguments are equal: congruence, the reason why `s1 = s2` survives `s1 += f(i1)`, `s2 += f(i2)` under `i1 = i2`.

use super::system::{Row, System};
use braid_logic::{BvOp, Fun, Linear, Node, Rational, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// How many opaque terms of one action are compared with each other.
const MAX_OPAQUE: usize = 64;

/// What an opaque term applies to its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    Apply(Fun),
    Select,
    Store,
    ConstArray(Sort),
    Product,
    Div,
    Mod,
    Bits(BvOp),
    /// Of formulas.
    And,
    Or,
    Equal,
    /// At most 0.
    AtMost,
    /// Is 0.
    Zero,
    /// A conditional term: condition, then, else.
    Choice,
    /// A conditional term under `first argument ≤ 0`.
    ChoiceAtMost,
}

/// An opaque term: its column, and its arguments as combinations of columns.
#[derive(Clone, Debug)]
struct Opaque {
    column: u32,
    symbol: Symbol,
    arguments: Vec<Row>,
}

impl Opaque {
    /// The arguments in a form that equal ones share, and what the symbol gives for them: the column, or its negation
    /// where the form is that of the opposite comparison.
    fn normal_form(&self, system: &System) -> (Vec<Row>, Row) {
        let mut arguments: Vec<Row> = self.arguments.iter().map(|row| system.reduce(row)).collect();
        let mut value = Row::of(self.column);
        match self.symbol {
            Symbol::Product | Symbol::And | Symbol::Or | Symbol::Equal => {
                arguments.sort_by(|a, b| a.entries().cmp(b.entries()));
            }
            Symbol::Zero => {
                if let Some((_, leading)) = arguments[0].entries().first() {
                    arguments[0] = arguments[0].scaled(&leading.reciprocal());
                }
            }
            Symbol::AtMost | Symbol::ChoiceAtMost
                if arguments[0].entries().first().is_some_and(|(_, leading)| leading.is_negative()) =>
            {
                // Integers: not `r ≤ 0` is `1 - r ≤ 0`.
                arguments[0] = Row::constant(Rational::ONE).minus(&arguments[0]);
                if self.symbol == Symbol::AtMost {
                    value = Row::constant(Rational::ONE).minus(&value);
                } else {
                    arguments.swap(1, 2);
                }
            }
            _ => {}
        }
        (arguments, value)
    }
}

/// An array read `a[i := v][j]`: it is `v` where `i = j`, and `a[j]` where the two surely differ.
#[derive(Clone, Debug)]
struct ReadBack {
    column: u32,
    /// `j - i`.
    distance: Row,
    written: Row,
    beyond: Row,
}

/// The columns of a graph: those that are tracked, which are the first, and those that one action adds for a moment.
#[derive(Clone)]
pub(super) struct Dimensions<'p> {
    pool: &'p TermPool,
    columns: FxHashMap<Term, u32>,
    next: u32,
    opaque: Vec<Opaque>,
    reads: Vec<ReadBack>,
}

impl<'p> Dimensions<'p> {
    /// One column for each of the terms. Columns that come later start at twice their number: those between stand for
    /// the terms' values after an action.
    pub fn new(pool: &'p TermPool, tracked: &[Term]) -> Self {
        let columns = tracked.iter().enumerate().map(|(column, &term)| (term, column as u32)).collect();
        let mut dimensions =
            Dimensions { pool, columns, next: 2 * tracked.len() as u32, opaque: Vec::new(), reads: Vec::new() };
        for (column, &term) in tracked.iter().enumerate() {
            dimensions.note_opaque(column as u32, term);
        }
        dimensions
    }

    /// The number behind the last column.
    pub fn end(&self) -> u32 {
        self.next
    }

    /// A term as a combination of columns.
    pub fn row(&mut self, term: Term) -> Row {
        match self.pool.node(term) {
            Node::True => Row::constant(Rational::ONE),
            Node::False => Row::default(),
            Node::Not(inner) => Row::constant(Rational::ONE).minus(&self.row(*inner)),
            Node::Integer(value) => Row::constant(Rational::from(value)),
            Node::Sum(linear) => self.combination(linear),
            _ => Row::of(self.column(term)),
        }
    }

    /// A linear combination of terms as one of columns.
    pub fn combination(&mut self, linear: &Linear) -> Row {
        let mut row = Row::constant(Rational::from(&linear.constant));
        for (part, c) in &linear.parts {
            row.add(&Rational::from(c), &self.row(*part));
        }
        row
    }

    fn column(&mut self, term: Term) -> u32 {
        if let Some(&column) = self.columns.get(&term) {
            return column;
        }
        let column = self.next;
        self.next += 1;
        self.columns.insert(term, column);
        self.note_opaque(column, term);
        column
    }

    fn note_opaque(&mut self, column: u32, term: Term) {
        if let Node::Select(array, index) = self.pool.node(term)
            && let Node::Store(inner, place, value) = self.pool.node(*array)
            && self.reads.len() < MAX_OPAQUE
        {
            let distance = self.row(*index).minus(&self.row(*place));
            let (written, beyond) = (self.row(*value), self.row(self.pool.select(*inner, *index)));
            self.reads.push(ReadBack { column, distance, written, beyond });
        }
        let (symbol, arguments) = match self.pool.node(term) {
            Node::Le(linear) => return self.push_opaque(column, Symbol::AtMost, Some(linear), &[]),
            Node::Zero(linear) => return self.push_opaque(column, Symbol::Zero, Some(linear), &[]),
            Node::Ite(condition, then, other) => match self.pool.node(*condition) {
                Node::Le(linear) => {
                    return self.push_opaque(column, Symbol::ChoiceAtMost, Some(linear), &[*then, *other]);
                }
                _ => (Symbol::Choice, vec![*condition, *then, *other]),
            },
            Node::And(items) => (Symbol::And, items.to_vec()),
            Node::Or(items) => (Symbol::Or, items.to_vec()),
            Node::Eq(a, b) => (Symbol::Equal, vec![*a, *b]),
            Node::Apply(fun, arguments) => (Symbol::Apply(*fun), arguments.to_vec()),
            Node::Select(array, index) => (Symbol::Select, vec![*array, *index]),
            Node::Store(array, index, value) => (Symbol::Store, vec![*array, *index, *value]),
            Node::ConstArray(value) => (Symbol::ConstArray(self.pool.sort_of(term)), vec![*value]),
            Node::Product(factors) => (Symbol::Product, factors.to_vec()),
            Node::Div(a, b) => (Symbol::Div, vec![*a, *b]),
            Node::Mod(a, b) => (Symbol::Mod, vec![*a, *b]),
            Node::Bv(op, arguments) => (Symbol::Bits(*op), arguments.to_vec()),
            _ => return,
        };
        self.push_opaque(column, symbol, None, &arguments);
    }

    fn push_opaque(&mut self, column: u32, symbol: Symbol, linear: Option<&Linear>, others: &[Term]) {
        if self.opaque.len() < MAX_OPAQUE {
            let mut arguments: Vec<Row> = linear.map(|linear| self.combination(linear)).into_iter().collect();
            arguments.extend(others.iter().map(|&argument| self.row(argument)));
            self.opaque.push(Opaque { column, symbol, arguments });
        }
    }

    /// Adds the equalities between opaque terms that follow from those of their arguments; false if nothing is left.
    #[must_use]
    pub fn close(&self, system: &mut System) -> bool {
        // Equal terms may make others equal that contain them.
        for _ in 0..4 {
            let mut known: FxHashMap<(Symbol, Vec<Row>), Row> = FxHashMap::default();
            let mut found = Vec::new();
            for opaque in &self.opaque {
                let (arguments, value) = opaque.normal_form(system);
                if opaque.symbol == Symbol::Product {
                    found.extend(product(opaque.column, &arguments));
                }
                match known.entry((opaque.symbol, arguments)) {
                    Entry::Occupied(equal) => found.push(value.minus(equal.get())),
                    Entry::Vacant(vacant) => drop(vacant.insert(value)),
                }
            }
            found.extend(self.reads.iter().filter_map(|read| {
                let value = match system.reduce(&read.distance).as_constant() {
                    Some(distance) if distance.is_zero() => &read.written,
                    Some(_) => &read.beyond,
                    None => return None,
                };
                Some(Row::of(read.column).minus(value))
            }));
            found.retain(|row| !system.reduce(row).is_zero());
            if found.is_empty() {
                break;
            }
            if !found.iter().all(|row| system.assume(row)) {
                return false;
            }
        }
        true
    }
}

/// A product of two factors of which one is a constant is a multiple of the other.
fn product(column: u32, factors: &[Row]) -> Option<Row> {
    let [a, b] = factors else { return None };
    let multiple = match (a.as_constant(), b.as_constant()) {
        (Some(c), _) => b.scaled(&c),
        (_, Some(c)) => a.scaled(&c),
        _ => return None,
    };
    Some(Row::of(column).minus(&multiple))
}

/// The opaque terms inside a term that are worth a column of their own, innermost first.
pub(super) fn opaque_terms(pool: &TermPool, term: Term, seen: &mut FxHashSet<Term>, found: &mut Vec<Term>) {
    if matches!(pool.node(term), Node::Quantifier { .. }) || !seen.insert(term) {
        return;
    }
    pool.node(term).for_each_child(|child| opaque_terms(pool, child, seen, found));
    let worth = |node: &Node| {
        matches!(
            node,
            Node::Apply(..) | Node::Select(..) | Node::Product(_) | Node::Div(..) | Node::Mod(..) | Node::Ite(..)
        )
    };
    if worth(pool.node(term)) {
        found.push(term);
    }
}
