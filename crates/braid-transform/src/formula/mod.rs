//! Formulas over runs.
//!
//! ```text
//! property := forall name … : formula
//! formula  := formula ==> formula | formula || formula | formula && formula | ! formula
//!           | value == value | != | < | <= | > | >=
//! value    := number | true | false | name | value + value | - | * | - value | value [ value ]
//!           | name ( value , … )          a run of the function on these arguments, and its result
//!           | name . variable             a variable of the run `name` before it starts
//!           | name ' . variable           the same when it has ended
//!           | sgn ( value ) | abs ( value )
//! ```
//!
//! A name behind `forall` is a run of the program if variables of it are mentioned, and a value otherwise. Every call is a run of its own.

mod parse;

pub use parse::parse;

use braid_logic::Integer;
use braid_program::source::Span;

/// A property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// What `forall` binds.
    pub names: Vec<(String, Span)>,
    /// What holds.
    pub body: FormulaNode,
}

/// A part of a formula, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FormulaNode {
    pub kind: NodeKind,
    pub span: Span,
}

/// The kinds of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum NodeKind {
    Int(Integer),
    Bool(bool),
    /// A value that `forall` binds.
    Name(String),
    /// A variable of a run, before or after it.
    Variable {
        run: (String, Span),
        after: bool,
        variable: (String, Span),
    },
    Call {
        function: (String, Span),
        arguments: Vec<FormulaNode>,
    },
    Index(Box<FormulaNode>, Box<FormulaNode>),
    Not(Box<FormulaNode>),
    Negative(Box<FormulaNode>),
    Binary(Binary, Box<FormulaNode>, Box<FormulaNode>),
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Implies,
    Or,
    And,
    Equal,
    Different,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
}

/// Functions that formulas have of their own.
pub const BUILT_IN: [&str; 2] = ["sgn", "abs"];

impl FormulaNode {
    /// Calls `visit` with this node and all nodes inside, from left to right.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a FormulaNode)) {
        visit(self);
        match &self.kind {
            NodeKind::Int(_) | NodeKind::Bool(_) | NodeKind::Name(_) | NodeKind::Variable { .. } => {}
            NodeKind::Call { arguments, .. } => arguments.iter().for_each(|argument| argument.for_each(visit)),
            NodeKind::Not(inner) | NodeKind::Negative(inner) => inner.for_each(visit),
            NodeKind::Index(left, right) | NodeKind::Binary(_, left, right) => {
                left.for_each(visit);
                right.for_each(visit);
            }
        }
    }
}

impl Formula {
    /// The functions that it calls, each once, with the place of the first call; those that are built in are not among them.
    pub fn functions(&self) -> Vec<(&str, Span)> {
        let mut found: Vec<(&str, Span)> = Vec::new();
        self.body.for_each(&mut |node| {
            if let NodeKind::Call { function: (name, span), .. } = &node.kind
                && !BUILT_IN.contains(&name.as_str())
                && !found.iter().any(|(known, _)| known == name)
            {
                found.push((name, *span));
            }
        });
        found
    }
}
