//! Printing terms and sorts as SMT-LIB 2.
//!
//! The work still to do is kept on a stack of [`Piece`]s, so that the depth of a term is no matter. Terms whose tree is
//! large are printed with `let` (see `sharing`).

use super::floats::float_name;
use super::sharing::{MAX_TREE, let_levels};
use super::sides::{Comparison, Difference, Relation, Summand};
use super::symbol::SymbolText;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{BvOp, Node, Quantifier, Term, Var};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write as _};

/// A term, displayed as SMT-LIB 2. Made by [`TermPool::display`].
#[derive(Clone, Copy)]
pub struct TermText<'a> {
    pool: &'a TermPool,
    term: Term,
}

/// A sort, displayed as SMT-LIB 2. Made by [`TermPool::display_sort`].
#[derive(Clone, Copy)]
pub struct SortText<'a> {
    pool: &'a TermPool,
    sort: Sort,
}

impl TermPool {
    /// The term as SMT-LIB 2, to be displayed. Any depth is printed; the reader takes
    /// [`MAX_NESTING`](crate::sexpr::MAX_NESTING) levels of parentheses.
    pub fn display(&self, term: Term) -> TermText<'_> {
        TermText { pool: self, term }
    }

    /// The sort as SMT-LIB 2, to be displayed.
    pub fn display_sort(&self, sort: Sort) -> SortText<'_> {
        SortText { pool: self, sort }
    }
}

impl fmt::Display for SortText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pool.sort_kind(self.sort) {
            SortKind::Bool => f.write_str("Bool"),
            SortKind::Int => f.write_str("Int"),
            SortKind::BitVec(width) => write!(f, "(_ BitVec {width})"),
            SortKind::Array { index, element } => {
                write!(f, "(Array {} {})", self.pool.display_sort(*index), self.pool.display_sort(*element))
            }
            SortKind::Uninterpreted(name) => SymbolText(name).fmt(f),
        }
    }
}

impl fmt::Display for TermText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = self.pool.size(self.term) > MAX_TREE;
        let first = if shared { Piece::Scope(self.term) } else { Piece::Term(self.term) };
        Printer { pool: self.pool, shared, names: FxHashMap::default(), next: 0, todo: vec![first], node: Vec::new() }
            .run(f)
    }
}

/// A piece of output that is still to be written.
enum Piece<'a> {
    Text(&'a str),
    /// A space, then the term.
    Argument(Term),
    /// The term, or its name.
    Term(Term),
    /// A term with the `let`s that its scope needs.
    Scope(Term),
    /// The term that a name stands for.
    Definition(Term),
    /// A name by `let`, by number.
    Name(u32),
    Symbol(&'a str),
    Number(Integer),
    Summand(Summand),
    Sort(Sort),
    Owned(String),
    /// From here on these terms have no name.
    Forget(Vec<Term>),
}

struct Printer<'a> {
    pool: &'a TermPool,
    /// Are there `let`s at all?
    shared: bool,
    names: FxHashMap<Term, u32>,
    /// The number of the next name.
    next: u32,
    /// Top of the stack last.
    todo: Vec<Piece<'a>>,
    /// The pieces of the node at hand, in order.
    node: Vec<Piece<'a>>,
}

impl<'a> Printer<'a> {
    fn run(mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        while let Some(piece) = self.todo.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Symbol(name) => write!(f, "{}", SymbolText(name))?,
                Piece::Sort(sort) => write!(f, "{}", self.pool.display_sort(sort))?,
                Piece::Owned(text) => f.write_str(&text)?,
                Piece::Number(value) if value.is_negative() => write!(f, "(- {})", -&value)?,
                Piece::Number(value) => write!(f, "{value}")?,
                Piece::Name(number) => write!(f, "?{number}")?,
                Piece::Forget(terms) => {
                    for term in &terms {
                        self.names.remove(term);
                    }
                }
                Piece::Argument(term) => {
                    f.write_char(' ')?;
                    self.todo.push(Piece::Term(term));
                }
                Piece::Term(term) => match self.names.get(&term) {
                    Some(number) => write!(f, "?{number}")?,
                    None => self.node(term),
                },
                Piece::Definition(term) => self.node(term),
                Piece::Scope(term) => self.scope(term),
                Piece::Summand(summand) => self.summand(summand),
            }
            self.todo.extend(self.node.drain(..).rev());
        }
        Ok(())
    }

    fn text(&mut self, text: &'a str) {
        self.node.push(Piece::Text(text));
    }

    /// `(head arguments…)`
    fn call(&mut self, head: &'a str, arguments: &[Term]) {
        self.text("(");
        self.text(head);
        self.node.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
        self.text(")");
    }

    fn scope(&mut self, term: Term) {
        let pool = self.pool;
        let levels = let_levels(pool, term, |inner| self.names.contains_key(&inner));
        let mut named = Vec::new();
        for level in &levels {
            self.text("(let (");
            for (position, &definition) in level.iter().enumerate() {
                let number = self.fresh_name();
                self.node.extend([
                    Piece::Text(if position == 0 { "(" } else { " (" }),
                    Piece::Name(number),
                    Piece::Text(" "),
                    Piece::Definition(definition),
                    Piece::Text(")"),
                ]);
                self.names.insert(definition, number);
                named.push(definition);
            }
            self.text(") ");
        }
        self.node.push(Piece::Term(term));
        self.node.extend(levels.iter().map(|_| Piece::Text(")")));
        self.node.push(Piece::Forget(named));
    }

    /// A number whose name is taken by no variable and no function.
    fn fresh_name(&mut self) -> u32 {
        loop {
            let name = format!("?{}", self.next);
            self.next += 1;
            if self.pool.find_var(&name).is_none() && self.pool.find_fun(&name).is_none() {
                return self.next - 1;
            }
        }
    }

    fn node(&mut self, term: Term) {
        let pool = self.pool;
        match pool.node(term) {
            Node::True => self.text("true"),
            Node::False => self.text("false"),
            Node::Integer(value) => self.node.push(Piece::Number(value.clone())),
            Node::BitVec { value, width } => self.node.push(Piece::Owned(format!("(_ bv{value} {width})"))),
            Node::Var(var) => self.node.push(Piece::Symbol(pool.var_name(*var))),
            Node::Not(a) => self.call("not", &[*a]),
            Node::And(items) => self.call("and", items),
            Node::Or(items) => self.call("or", items),
            Node::Ite(condition, then, other) => self.call("ite", &[*condition, *then, *other]),
            Node::Eq(a, b) => self.call("=", &[*a, *b]),
            Node::Le(linear) => self.comparison(Comparison::at_most_zero(linear)),
            Node::Zero(linear) => self.comparison(Comparison::zero(linear)),
            Node::Sum(linear) => self.difference(Difference::of(linear)),
            Node::Product(factors) => self.call("*", &largest_first(pool, factors)),
            Node::Div(a, b) => self.call("div", &[*a, *b]),
            Node::Mod(a, b) => self.call("mod", &[*a, *b]),
            Node::Apply(fun, arguments) => {
                self.text("(");
                self.node.push(Piece::Symbol(pool.fun_name(*fun)));
                self.node.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
                self.text(")");
            }
            Node::Select(array, index) => self.call("select", &[*array, *index]),
            Node::Store(array, index, value) => self.call("store", &[*array, *index, *value]),
            Node::ConstArray(value) => {
                self.text("((as const ");
                self.node.extend([Piece::Sort(pool.sort_of(term)), Piece::Text(")"), Piece::Argument(*value)]);
                self.text(")");
            }
            Node::Bv(op, arguments) => self.bit_vector(*op, arguments),
            Node::Quantifier { quantifier, bound, body } => self.quantifier(*quantifier, bound, *body),
        }
    }

    fn quantifier(&mut self, quantifier: Quantifier, bound: &[Var], body: Term) {
        let pool = self.pool;
        self.text(if quantifier == Quantifier::Forall { "(forall (" } else { "(exists (" });
        for (position, &var) in bound.iter().enumerate() {
            self.node.extend([
                Piece::Text(if position == 0 { "(" } else { " (" }),
                Piece::Symbol(pool.var_name(var)),
                Piece::Text(" "),
                Piece::Sort(pool.var_sort(var)),
                Piece::Text(")"),
            ]);
        }
        self.text(") ");
        self.node.push(if self.shared { Piece::Scope(body) } else { Piece::Term(body) });
        self.text(")");
    }

    fn comparison(&mut self, comparison: Comparison) {
        self.text(match comparison.relation {
            Relation::Less => "(< ",
            Relation::LessEqual => "(<= ",
            Relation::GreaterEqual => "(>= ",
            Relation::Equal => "(= ",
        });
        self.sum(comparison.left.summands());
        self.text(" ");
        self.sum(comparison.right.summands());
        self.text(")");
    }

    fn sum(&mut self, mut summands: Vec<Summand>) {
        if summands.len() == 1 {
            self.node.extend(summands.pop().map(Piece::Summand));
            return;
        }
        self.text("(+");
        for summand in summands {
            self.text(" ");
            self.node.push(Piece::Summand(summand));
        }
        self.text(")");
    }

    fn difference(&mut self, difference: Difference) {
        let Difference { plus, minus } = difference;
        if minus.is_empty() {
            return self.sum(plus);
        }
        self.text("(-");
        if plus.is_empty() {
            self.text(" ");
            self.sum(minus);
        } else {
            self.text(" ");
            self.sum(plus);
            for summand in minus {
                self.text(" ");
                self.node.push(Piece::Summand(summand));
            }
        }
        self.text(")");
    }

    fn summand(&mut self, summand: Summand) {
        let pool = self.pool;
        match summand {
            Summand::Number(value) => self.node.push(Piece::Number(value)),
            Summand::Scaled(term, factor) if factor.is_one() => self.node.push(Piece::Term(term)),
            Summand::Scaled(term, factor) => {
                self.text("(* ");
                self.node.push(Piece::Number(factor));
                match pool.node(term) {
                    // A factor that is a sum would be multiplied out with the number first, when this is read again.
                    Node::Product(factors)
                        if !self.names.contains_key(&term)
                            && !factors.iter().any(|&factor| matches!(pool.node(factor), Node::Sum(_))) =>
                    {
                        self.node.extend(factors.iter().map(|&factor| Piece::Argument(factor)))
                    }
                    _ => self.node.push(Piece::Argument(term)),
                }
                self.text(")");
            }
        }
    }

    fn bit_vector(&mut self, op: BvOp, arguments: &[Term]) {
        match bv_name(op) {
            BvName::Plain(name) => self.call(name, arguments),
            BvName::Defined(name) => {
                self.node.extend([Piece::Text("("), Piece::Owned(name)]);
                self.node.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
                self.text(")");
            }
            BvName::Indexed(name) => {
                self.node.extend([Piece::Text("((_ "), Piece::Owned(name), Piece::Text(")")]);
                self.node.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
                self.text(")");
            }
        }
    }
}

/// The factors with those sums first that are too large to be multiplied out; read in this order, they are not.
fn largest_first(pool: &TermPool, factors: &[Term]) -> Vec<Term> {
    let mut factors = factors.to_vec();
    factors.sort_by_key(|&factor| match pool.node(factor) {
        Node::Sum(linear) => std::cmp::Reverse(linear.parts.len()),
        _ => std::cmp::Reverse(0),
    });
    factors
}

/// How SMT-LIB writes an operation.
pub(super) enum BvName {
    Plain(&'static str),
    /// With its numbers: `extract 7 0`.
    Indexed(String),
    /// By a symbol of Braid's own, which scripts define (`floats`).
    Defined(String),
}

/// SMT-LIB's name of an operation.
pub(super) fn bv_name(op: BvOp) -> BvName {
    BvName::Plain(match op {
        BvOp::Neg => "bvneg",
        BvOp::Add => "bvadd",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Not => "bvnot",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Concat => "concat",
        BvOp::Ult => "bvult",
        BvOp::Ule => "bvule",
        BvOp::Slt => "bvslt",
        BvOp::Sle => "bvsle",
        BvOp::ToInt => "bv2nat",
        BvOp::Extract { high, low } => return BvName::Indexed(format!("extract {high} {low}")),
        BvOp::ZeroExtend(by) => return BvName::Indexed(format!("zero_extend {by}")),
        BvOp::SignExtend(by) => return BvName::Indexed(format!("sign_extend {by}")),
        BvOp::FromInt(width) => return BvName::Indexed(format!("int2bv {width}")),
        BvOp::Float(op, format) => return BvName::Defined(float_name(op, format)),
    })
}
