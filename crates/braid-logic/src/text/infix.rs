//! Terms for people: `x + 1 ≤ y ∧ (p ∨ ¬q)`, with no more parentheses than needed.
//!
//! This form is not read back. Terms whose tree is very large are cut off, with `…` at the end.

use super::print::{BvName, bv_name};
use super::sharing::MAX_TREE;
use super::sides::{Comparison, Difference, Relation, Summand};
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{BvOp, Node, Quantifier, Term};
use std::fmt;

/// A term in infix form, to be displayed. Made by [`TermPool::infix`].
#[derive(Clone, Copy)]
pub struct Infix<'a> {
    pool: &'a TermPool,
    term: Term,
}

impl TermPool {
    /// The term as people write it, to be displayed.
    pub fn infix(&self, term: Term) -> Infix<'_> {
        Infix { pool: self, term }
    }
}

/// How tightly an operator binds its operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    /// Quantifiers, if-then-else, and places where anything may stand.
    Open,
    Equivalence,
    Or,
    And,
    Comparison,
    /// Operands of comparisons, and operations on bits, which never mix without parentheses.
    Bits,
    Sum,
    Product,
    Prefix,
    /// Names, calls, `a[i]`.
    Closed,
}

use Tightness as T;

enum Piece<'a> {
    Text(&'a str),
    Owned(String),
    Number(Integer),
    /// A term that stands where only terms at least this tight need no parentheses.
    Term(Term, Tightness),
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Piece::Term(self.term, T::Open)];
        let mut budget = MAX_TREE;
        let mut writer = Writer { pool: self.pool, pieces: Vec::new() };
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Owned(text) => f.write_str(&text)?,
                Piece::Number(value) => write!(f, "{value}")?,
                Piece::Term(..) if budget == 0 => return f.write_str("…"),
                Piece::Term(term, place) => {
                    budget -= 1;
                    let parenthesised = writer.node(term) < place;
                    if parenthesised {
                        todo.push(Piece::Text(")"));
                    }
                    todo.extend(writer.pieces.drain(..).rev());
                    if parenthesised {
                        todo.push(Piece::Text("("));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Takes one node apart into pieces.
struct Writer<'a> {
    pool: &'a TermPool,
    pieces: Vec<Piece<'a>>,
}

impl<'a> Writer<'a> {
    /// Adds the pieces of a term, and says how tight it is.
    fn node(&mut self, term: Term) -> Tightness {
        let pool = self.pool;
        match pool.node(term) {
            Node::True => self.closed("true"),
            Node::False => self.closed("false"),
            Node::Integer(value) => {
                self.pieces.push(Piece::Number(value.clone()));
                if value.is_negative() { T::Prefix } else { T::Closed }
            }
            Node::BitVec { value, width } if width % 4 == 0 => {
                self.pieces.push(Piece::Owned(format!("0x{value:0>0$x}", (width / 4) as usize)));
                T::Closed
            }
            Node::BitVec { value, width } => {
                self.pieces.push(Piece::Owned(format!("0b{value:0>0$b}", *width as usize)));
                T::Closed
            }
            Node::Var(var) => self.closed(pool.var_name(*var)),
            Node::Not(inner) => self.negation(*inner),
            Node::And(items) => self.joined(items, " ∧ ", T::And),
            Node::Or(items) => self.joined(items, " ∨ ", T::Or),
            Node::Ite(condition, then, other) => {
                self.text("if ");
                self.term(*condition, T::Open);
                self.text(" then ");
                self.term(*then, T::Open);
                self.text(" else ");
                self.term(*other, T::Open);
                T::Open
            }
            Node::Eq(a, b) if pool.sort_of(*a) == Sort::BOOL => {
                self.term(*a, T::Or);
                self.text(" ⇔ ");
                self.term(*b, T::Or);
                T::Equivalence
            }
            Node::Eq(a, b) => self.compared(*a, " = ", *b),
            Node::Le(linear) => self.comparison(Comparison::at_most_zero(linear), false),
            Node::Zero(linear) => self.comparison(Comparison::zero(linear), false),
            Node::Sum(linear) => self.difference(Difference::of(linear)),
            Node::Product(factors) => self.operands(factors, "*", T::Prefix, T::Product),
            Node::Div(a, b) => self.operands(&[*a, *b], " div ", T::Prefix, T::Product),
            Node::Mod(a, b) => self.operands(&[*a, *b], " mod ", T::Prefix, T::Product),
            Node::Apply(fun, arguments) => self.call(pool.fun_name(*fun), arguments),
            Node::Select(array, index) => {
                self.term(*array, T::Closed);
                self.text("[");
                self.term(*index, T::Open);
                self.closed("]")
            }
            Node::Store(array, index, value) => {
                self.term(*array, T::Closed);
                self.text("[");
                self.term(*index, T::Open);
                self.text(" := ");
                self.term(*value, T::Open);
                self.closed("]")
            }
            Node::ConstArray(value) => self.call("const", &[*value]),
            Node::Bv(op, arguments) => self.bit_vector(*op, arguments),
            Node::Quantifier { quantifier, bound, body } => {
                self.text(if *quantifier == Quantifier::Forall { "∀" } else { "∃" });
                for (position, &var) in bound.iter().enumerate() {
                    self.text(if position == 0 { " " } else { ", " });
                    self.text(pool.var_name(var));
                    self.pieces.push(Piece::Owned(format!(": {}", pool.display_sort(pool.var_sort(var)))));
                }
                self.text(". ");
                self.term(*body, T::Open);
                T::Open
            }
        }
    }

    fn text(&mut self, text: &'a str) {
        self.pieces.push(Piece::Text(text));
    }

    fn closed(&mut self, text: &'a str) -> Tightness {
        self.text(text);
        T::Closed
    }

    fn term(&mut self, term: Term, place: Tightness) {
        self.pieces.push(Piece::Term(term, place));
    }

    fn operands(&mut self, items: &[Term], operator: &'a str, place: Tightness, own: Tightness) -> Tightness {
        for (position, &item) in items.iter().enumerate() {
            if position > 0 {
                self.text(operator);
            }
            self.term(item, place);
        }
        own
    }

    /// A junction. Junctions of one kind never nest directly, so items may be as tight as the junction itself.
    fn joined(&mut self, items: &[Term], operator: &'a str, own: Tightness) -> Tightness {
        self.operands(items, operator, own, own)
    }

    fn compared(&mut self, a: Term, relation: &'a str, b: Term) -> Tightness {
        self.operands(&[a, b], relation, T::Bits, T::Comparison)
    }

    fn call(&mut self, name: &'a str, arguments: &[Term]) -> Tightness {
        self.text(name);
        self.text("(");
        self.operands(arguments, ", ", T::Open, T::Closed);
        self.closed(")")
    }

    fn negation(&mut self, inner: Term) -> Tightness {
        let pool = self.pool;
        match pool.node(inner) {
            Node::Zero(linear) => self.comparison(Comparison::zero(linear), true),
            Node::Eq(a, b) if pool.sort_of(*a) != Sort::BOOL => self.compared(*a, " ≠ ", *b),
            Node::Bv(BvOp::Ult, arguments) => self.compared(arguments[1], " ≤u ", arguments[0]),
            Node::Bv(BvOp::Ule, arguments) => self.compared(arguments[1], " <u ", arguments[0]),
            Node::Bv(BvOp::Slt, arguments) => self.compared(arguments[1], " ≤s ", arguments[0]),
            Node::Bv(BvOp::Sle, arguments) => self.compared(arguments[1], " <s ", arguments[0]),
            _ => {
                self.text("¬");
                self.term(inner, T::Prefix);
                T::Prefix
            }
        }
    }

    fn comparison(&mut self, comparison: Comparison, negated: bool) -> Tightness {
        self.sum(comparison.left.summands());
        self.text(match comparison.relation {
            Relation::Less => " < ",
            Relation::LessEqual => " ≤ ",
            Relation::GreaterEqual => " ≥ ",
            Relation::Equal if negated => " ≠ ",
            Relation::Equal => " = ",
        });
        self.sum(comparison.right.summands());
        T::Comparison
    }

    /// The summands with `+` between them.
    fn sum(&mut self, summands: Vec<Summand>) -> Tightness {
        let own = match &summands[..] {
            [Summand::Scaled(_, factor)] if !factor.is_one() => T::Product,
            _ => T::Sum,
        };
        let alone = summands.len() == 1;
        for (position, summand) in summands.into_iter().enumerate() {
            if position > 0 {
                self.text(" + ");
            }
            self.summand(summand, if alone { T::Sum } else { T::Product });
        }
        own
    }

    fn difference(&mut self, difference: Difference) -> Tightness {
        let Difference { plus, minus } = difference;
        let mut first = plus.is_empty();
        let own = if first { T::Sum } else { self.sum(plus) };
        if minus.is_empty() {
            return own;
        }
        for summand in minus {
            self.text(if first { "-" } else { " - " });
            first = false;
            self.summand(summand, T::Product);
        }
        T::Sum
    }

    fn summand(&mut self, summand: Summand, place: Tightness) {
        match summand {
            Summand::Number(value) => self.pieces.push(Piece::Number(value)),
            Summand::Scaled(term, factor) if factor.is_one() => self.term(term, place),
            Summand::Scaled(term, factor) => {
                self.pieces.push(Piece::Number(factor));
                self.text("*");
                match self.pool.node(term) {
                    Node::Product(factors) => drop(self.operands(factors, "*", T::Prefix, T::Product)),
                    _ => self.term(term, T::Prefix),
                }
            }
        }
    }

    fn bit_vector(&mut self, op: BvOp, arguments: &[Term]) -> Tightness {
        let operator = match op {
            BvOp::Neg | BvOp::Not => {
                self.text(if op == BvOp::Neg { "-" } else { "~" });
                self.term(arguments[0], T::Prefix);
                return T::Prefix;
            }
            BvOp::Ult => return self.compared(arguments[0], " <u ", arguments[1]),
            BvOp::Ule => return self.compared(arguments[0], " ≤u ", arguments[1]),
            BvOp::Slt => return self.compared(arguments[0], " <s ", arguments[1]),
            BvOp::Sle => return self.compared(arguments[0], " ≤s ", arguments[1]),
            BvOp::Extract { high, low } => {
                self.term(arguments[0], T::Closed);
                self.pieces.push(Piece::Owned(format!("[{high}:{low}]")));
                return T::Closed;
            }
            BvOp::Add => " + ",
            BvOp::Mul => " * ",
            BvOp::And => " & ",
            BvOp::Or => " | ",
            BvOp::Xor => " ^ ",
            BvOp::Shl => " << ",
            BvOp::Lshr => " >>u ",
            BvOp::Ashr => " >>s ",
            BvOp::Concat => " ++ ",
            _ => return self.bit_vector_call(op, arguments),
        };
        self.operands(arguments, operator, T::Prefix, T::Bits)
    }

    /// `bvudiv(a, b)`, `zero_extend(a, 8)`.
    fn bit_vector_call(&mut self, op: BvOp, arguments: &[Term]) -> Tightness {
        match bv_name(op) {
            BvName::Plain(name) => self.call(name, arguments),
            BvName::Defined(name) => {
                let word = name.trim_end_matches(|c: char| c == '.' || c.is_ascii_digit());
                self.pieces.push(Piece::Owned(format!("{word}(")));
                self.operands(arguments, ", ", T::Open, T::Closed);
                self.closed(")")
            }
            BvName::Indexed(name) => {
                let (name, number) = name.split_once(' ').unwrap_or((&name, ""));
                self.pieces.push(Piece::Owned(format!("{name}(")));
                self.operands(arguments, ", ", T::Open, T::Closed);
                self.pieces.push(Piece::Owned(format!(", {number})")));
                T::Closed
            }
        }
    }
}
