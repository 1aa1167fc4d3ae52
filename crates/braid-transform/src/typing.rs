//! Values of formulas as typed expressions over the variables of the product.
//!
//! Numbers of formulas are mathematical. Where a program has bit-vectors, equal types are compared as they are, and whatever else is
//! done with them is done with the integers that they stand for.

use crate::formula::{BUILT_IN, Binary, FormulaNode, NodeKind};
use braid_logic::{BvOp, Integer};
use braid_program::ast::build::power;
use braid_program::ast::{Expr, ExprKind, Op, Program, Type, VarId};
use braid_program::source::Span;
use braid_program::spelling::nearest;
use braid_program::{Diagnostic, Place, Port, Subject};

pub type Typing<T> = Result<T, Diagnostic>;

/// Where the elements of an array lie: see [`Place::Array`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub first: i64,
    pub stride: i64,
    pub length: Option<u64>,
}

/// What is known of a value beside its type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Bit-vectors: are they numbers with a sign?
    pub signed: bool,
    /// Arrays of C: where elements lie.
    pub layout: Option<Layout>,
    /// The values that it (or its elements) can have.
    pub range: Option<(Integer, Integer)>,
}

impl Look {
    pub fn of(port: &Port) -> Look {
        let layout = match port.place {
            Place::Array { first, stride, length, .. } => Some(Layout { first, stride, length }),
            Place::Variable(_) => None,
        };
        Look { signed: port.signed, layout, range: port.range.clone() }
    }
}

/// A value.
#[derive(Clone, Debug)]
pub struct Typed {
    pub expr: Expr,
    pub look: Look,
    /// Does it depend on what runs have done?
    pub after: bool,
}

/// A run: one copy of a subject.
pub struct RunCopy {
    pub subject: usize,
    /// Of each port: the variable with its value before, and with its value after the run.
    pub before: Vec<VarId>,
    pub after: Vec<VarId>,
}

/// What names mean.
pub struct Scope<'a> {
    pub program: &'a mut Program,
    pub subjects: &'a [Subject],
    /// The runs by name, or by the place of the call.
    pub named_runs: Vec<(String, usize)>,
    pub called_runs: Vec<(Span, usize)>,
    pub runs: Vec<RunCopy>,
    /// The values that `forall` binds.
    pub values: Vec<(String, VarId, Look)>,
    /// What holds of all values of C, and whether it depends on what runs have done.
    pub facts: Vec<(Expr, bool)>,
}

impl Scope<'_> {
    pub fn var(&self, id: VarId, span: Span) -> Expr {
        Expr::var(self.program, id, span)
    }

    /// A value.
    pub fn typed(&mut self, node: &FormulaNode) -> Typing<Typed> {
        let span = node.span;
        let plain = |expr, after| Typed { expr, look: Look::default(), after };
        Ok(match &node.kind {
            NodeKind::Int(number) => plain(Expr::int(number.clone(), span), false),
            NodeKind::Bool(value) => plain(Expr::bool(*value, span), false),
            NodeKind::Name(name) => {
                let found = self.values.iter().find(|(known, ..)| known == name);
                let (_, id, look) =
                    found.ok_or_else(|| Diagnostic::new(span, format!("`{name}` is not bound by `forall`")))?;
                Typed { expr: self.var(*id, span), look: look.clone(), after: false }
            }
            NodeKind::Variable { run, after, variable } => self.variable(run, *after, variable)?,
            NodeKind::Call { function: (name, _), arguments } if BUILT_IN.contains(&name.as_str()) => {
                let [argument] = &arguments[..] else {
                    let count = arguments.len();
                    return Err(Diagnostic::new(span, format!("`{name}` takes 1 argument, but there are {count}")));
                };
                let value = self.typed(argument)?;
                let after = value.after;
                let number = self.integer(value)?;
                plain(built_in(name, number, span)?, after)
            }
            NodeKind::Call { .. } => {
                let found = self.called_runs.iter().find(|(place, _)| *place == span);
                let &(_, run) = found.expect("every call has become a run");
                let subject = &self.subjects[self.runs[run].subject];
                let result = subject.result.expect("functions without a result are refused");
                let look = Look::of(&subject.ports[result]);
                Typed { expr: self.var(self.runs[run].after[result], span), look, after: true }
            }
            NodeKind::Index(array, index) => self.element(array, index, span)?,
            NodeKind::Negative(inner) => {
                let value = self.typed(inner)?;
                let after = value.after;
                plain(op(Op::Sub, vec![self.integer(value)?], span)?, after)
            }
            NodeKind::Not(inner) => {
                let value = self.typed(inner)?;
                plain(op(Op::Not, vec![value.expr], span)?, value.after)
            }
            NodeKind::Binary(binary, left, right) => {
                let (left, right) = (self.typed(left)?, self.typed(right)?);
                let after = left.after || right.after;
                let bool_op = match binary {
                    Binary::Implies => Some(Op::Implies),
                    Binary::Or => Some(Op::Or),
                    Binary::And => Some(Op::And),
                    _ => None,
                };
                match bool_op {
                    Some(bool_op) => plain(op(bool_op, vec![left.expr, right.expr], span)?, after),
                    None => plain(self.binary(*binary, left, right, span)?, after),
                }
            }
        })
    }

    fn variable(&mut self, run: &(String, Span), after: bool, variable: &(String, Span)) -> Typing<Typed> {
        let Some(&(_, number)) = self.named_runs.iter().find(|(known, _)| *known == run.0) else {
            return Err(Diagnostic::new(run.1, format!("`{}` is not bound by `forall`", run.0)));
        };
        let run = &self.runs[number];
        let subject = &self.subjects[run.subject];
        let port = port(subject, variable)?;
        let is_result = subject.ports[port].name == "return";
        let id = if after || is_result { run.after[port] } else { run.before[port] };
        let expr = Expr::var(self.program, id, variable.1);
        Ok(Typed { expr, look: Look::of(&subject.ports[port]), after: after || is_result })
    }

    /// An element of an array.
    fn element(&mut self, array: &FormulaNode, index: &FormulaNode, span: Span) -> Typing<Typed> {
        let (place, array) = (array.span, self.typed(array)?);
        let Type::Array(index_type, _) = &array.expr.ty else {
            return Err(Diagnostic::new(
                place,
                format!("this should be an array, but it is of type {}", array.expr.ty),
            ));
        };
        let (index_type, index_span) = ((**index_type).clone(), index.span);
        let index = self.typed(index)?;
        let after = array.after || index.after;
        let at = match array.look.layout {
            None => index.expr,
            Some(layout) => {
                let number = self.integer(index)?;
                let outside = |number: &Integer| {
                    let length = layout.length.map(|length| Integer::from(length as i64));
                    number.is_negative() || length.is_some_and(|length| *number >= length)
                };
                if let ExprKind::Int(number) = &number.kind
                    && outside(number)
                {
                    let length = layout.length.unwrap_or(u64::MAX);
                    return Err(Diagnostic::new(index_span, format!("this array has {length} elements")));
                }
                self.raw_index(layout, number, &index_type, span)?
            }
        };
        self.select(array, at, after, span)
    }

    /// The element at an index of the structured program's array.
    pub fn select(&mut self, array: Typed, at: Expr, after: bool, span: Span) -> Typing<Typed> {
        let expr = op(Op::Select, vec![array.expr, at], span)?;
        let look = Look { layout: None, ..array.look };
        if let (Some((low, high)), Type::Int) = (&look.range, &expr.ty) {
            let bounds = [Expr::int(low.clone(), span), expr.clone(), Expr::int(high.clone(), span)];
            for pair in bounds.windows(2) {
                self.facts.push((op(Op::Le, pair.to_vec(), span)?, after));
            }
        }
        Ok(Typed { expr, look, after })
    }

    /// `first + stride · number`, as an index of the array.
    pub fn raw_index(&self, layout: Layout, number: Expr, ty: &Type, span: Span) -> Typing<Expr> {
        let int = |value: i64| Expr::int(Integer::from(value), span);
        let scaled = op(Op::Mul, vec![int(layout.stride), number], span)?;
        let moved = op(Op::Add, vec![int(layout.first), scaled], span)?;
        match ty {
            Type::BitVec(width) => op(Op::Bv(BvOp::FromInt(*width)), vec![moved], span),
            _ => Ok(moved),
        }
    }

    /// A comparison or an operation of arithmetic.
    pub fn binary(&mut self, binary: Binary, left: Typed, right: Typed, span: Span) -> Typing<Expr> {
        if matches!(left.expr.ty, Type::Array(..)) && matches!(right.expr.ty, Type::Array(..)) {
            let error = Diagnostic::new(span, "arrays are compared only as a hypothesis or as a conclusion");
            return Err(error.hint("arrays are connected to others by !, &&, || and ==> alone"));
        }
        let is_equation = matches!(binary, Binary::Equal | Binary::Different);
        let is_number = |value: &Typed| matches!(value.expr.ty, Type::Int | Type::BitVec(_));
        let operands = if is_equation && !(is_number(&left) && is_number(&right)) {
            vec![left.expr, right.expr]
        } else if let Some(compared) = self.compared_as_bits(binary, &left, &right, span)? {
            return Ok(compared);
        } else {
            vec![self.integer(left)?, self.integer(right)?]
        };
        let operator = match binary {
            Binary::Equal => Op::Eq,
            Binary::Different => Op::Distinct,
            Binary::Less => Op::Lt,
            Binary::LessEqual => Op::Le,
            Binary::Greater => Op::Gt,
            Binary::GreaterEqual => Op::Ge,
            Binary::Plus => Op::Add,
            Binary::Minus => Op::Sub,
            Binary::Times => Op::Mul,
            Binary::Implies | Binary::Or | Binary::And => unreachable!("connectives are no operations on values"),
        };
        op(operator, operands, span)
    }

    /// The comparison of two bit-vectors of one type, or of one with a number that fits.
    fn compared_as_bits(&self, binary: Binary, left: &Typed, right: &Typed, span: Span) -> Typing<Option<Expr>> {
        let (Some(width), signed) = (match (&left.expr.ty, &right.expr.ty) {
            (Type::BitVec(width), Type::BitVec(other)) if width == other && left.look.signed == right.look.signed => {
                (Some(*width), left.look.signed)
            }
            (Type::BitVec(width), Type::Int) => (Some(*width), left.look.signed),
            (Type::Int, Type::BitVec(width)) => (Some(*width), right.look.signed),
            _ => (None, false),
        }) else {
            return Ok(None);
        };
        let (Some(a), Some(b)) = (as_bits(&left.expr, width, signed), as_bits(&right.expr, width, signed)) else {
            return Ok(None);
        };
        let (less, less_equal) = if signed { (BvOp::Slt, BvOp::Sle) } else { (BvOp::Ult, BvOp::Ule) };
        let (operator, operands) = match binary {
            Binary::Equal => (Op::Eq, vec![a, b]),
            Binary::Different => (Op::Distinct, vec![a, b]),
            Binary::Less => (Op::Bv(less), vec![a, b]),
            Binary::LessEqual => (Op::Bv(less_equal), vec![a, b]),
            Binary::Greater => (Op::Bv(less), vec![b, a]),
            Binary::GreaterEqual => (Op::Bv(less_equal), vec![b, a]),
            _ => return Ok(None),
        };
        op(operator, operands, span).map(Some)
    }

    /// A value as a mathematical integer.
    fn integer(&self, value: Typed) -> Typing<Expr> {
        let span = value.expr.span;
        let Type::BitVec(width) = value.expr.ty else { return Ok(value.expr) };
        let unsigned = op(Op::Bv(BvOp::ToInt), vec![value.expr], span)?;
        if !value.look.signed {
            return Ok(unsigned);
        }
        let [half, whole] = [power(width - 1), power(width)].map(|power| Expr::int(power, span));
        let is_negative = op(Op::Ge, vec![unsigned.clone(), half], span)?;
        let negative = op(Op::Sub, vec![unsigned.clone(), whole], span)?;
        op(Op::Ite, vec![is_negative, negative, unsigned], span)
    }
}

/// The port of a name.
pub fn port(subject: &Subject, (name, span): &(String, Span)) -> Typing<usize> {
    subject.port(name).ok_or_else(|| {
        let known = subject.ports.iter().map(|port| port.name.as_str());
        let error = Diagnostic::new(*span, format!("`{}` has no variable `{name}`", subject.name));
        match nearest(name, known.clone()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("it has {}", known.collect::<Vec<_>>().join(", "))),
        }
    })
}

/// An operator, with errors where the operands stand.
pub fn op(op: Op, operands: Vec<Expr>, span: Span) -> Typing<Expr> {
    let places: Vec<Span> = operands.iter().map(|operand| operand.span).collect();
    Expr::op(op, operands, span)
        .map_err(|error| Diagnostic::new(error.operand.map_or(span, |operand| places[operand]), error.message))
}

/// A bit-vector, or a number that is one.
fn as_bits(expr: &Expr, width: u32, signed: bool) -> Option<Expr> {
    match &expr.kind {
        _ if matches!(expr.ty, Type::BitVec(_)) => Some(expr.clone()),
        ExprKind::Int(number) => {
            let (low, high) =
                if signed { (-power(width - 1), power(width - 1)) } else { (Integer::from(0), power(width)) };
            let fits = low <= *number && *number < high;
            let bits = if number.is_negative() { number.clone() + power(width) } else { number.clone() };
            fits.then_some(Expr { kind: ExprKind::BitVec(bits), ty: Type::BitVec(width), span: expr.span })
        }
        _ => None,
    }
}

fn built_in(name: &str, number: Expr, span: Span) -> Typing<Expr> {
    let int = |value: i64| Expr::int(Integer::from(value), span);
    let is_negative = op(Op::Lt, vec![number.clone(), int(0)], span)?;
    if name == "abs" {
        let negative = op(Op::Sub, vec![number.clone()], span)?;
        return op(Op::Ite, vec![is_negative, negative, number], span);
    }
    let is_positive = op(Op::Gt, vec![number, int(0)], span)?;
    let rest = op(Op::Ite, vec![is_negative, int(-1), int(0)], span)?;
    op(Op::Ite, vec![is_positive, int(1), rest], span)
}
