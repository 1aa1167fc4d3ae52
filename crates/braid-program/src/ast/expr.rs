//! Typed expressions. [`Expr::op`] is the one place where operators are checked, for all front ends.

use super::{FunId, Program, VarId};
use crate::source::Span;
use braid_logic::{BvOp, FloatResult, Integer, Quantifier};
use std::fmt;

/// The type of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit-vectors of a width, at least 1.
    BitVec(u32),
    /// Total arrays from the first type to the second.
    Array(Box<Type>, Box<Type>),
    /// An uninterpreted type.
    Named(String),
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("Bool"),
            Type::Int => f.write_str("Int"),
            Type::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Type::Array(index, element) => write!(f, "(Array {index} {element})"),
            Type::Named(name) => f.write_str(name),
        }
    }
}

/// An operator. Arities and types are those of SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Negation.
    Not,
    /// Conjunction of any number of formulas.
    And,
    /// Disjunction of any number of formulas.
    Or,
    /// Implication of any number of formulas, associating to the right.
    Implies,
    /// All equal: any number (at least one) of expressions of one type.
    Eq,
    /// Pairwise different: any number (at least one) of expressions of one type.
    Distinct,
    /// If-then-else.
    Ite,
    /// Sum of any number.
    Add,
    /// Negative of one, or difference from the left of several; 0 of none.
    Sub,
    /// Product of any number.
    Mul,
    /// Integer division; the remainder is never negative.
    Div,
    /// The remainder of `Div`.
    Mod,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Array read.
    Select,
    /// Array write.
    Store,
    /// A bit-vector operation.
    Bv(BvOp),
}

/// An expression with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A bit-vector, modulo 2 to the width of the expression's type.
    BitVec(Integer),
    /// A variable.
    Var(VarId),
    /// An operator with its operands.
    Op(Op, Vec<Expr>),
    /// A function with its arguments.
    Apply(FunId, Vec<Expr>),
    /// The array, of the expression's type, that holds one element everywhere.
    ConstArray(Box<Expr>),
    /// A formula for all or for some values of variables that are [`Storage::Bound`](super::Storage::Bound) to it.
    Quantified(Quantifier, Vec<VarId>, Box<Expr>),
}

/// Why an expression cannot be built: a message, and the operand that is to blame (none: the whole).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeError {
    /// The operand.
    pub operand: Option<usize>,
    /// What is wrong, as a sentence.
    pub message: String,
}

fn blame(operand: usize, message: String) -> TypeError {
    TypeError { operand: Some(operand), message }
}

fn expect_type(operand: usize, expr: &Expr, expected: &Type) -> Result<(), TypeError> {
    if expr.ty == *expected {
        return Ok(());
    }
    Err(blame(operand, format!("this should be of type {expected}, but it is of type {}", expr.ty)))
}

fn expect_count(operands: &[Expr], expected: usize) -> Result<(), TypeError> {
    if operands.len() == expected {
        return Ok(());
    }
    let plural = if expected == 1 { "" } else { "s" };
    let message = format!("this takes {expected} operand{plural}, but there are {}", operands.len());
    Err(TypeError { operand: None, message })
}

impl Expr {
    /// A truth value.
    pub fn bool(value: bool, span: Span) -> Expr {
        Expr { kind: ExprKind::Bool(value), ty: Type::Bool, span }
    }

    /// An integer.
    pub fn int(value: impl Into<Integer>, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value.into()), ty: Type::Int, span }
    }

    /// A variable of the program.
    pub fn var(program: &Program, id: VarId, span: Span) -> Expr {
        Expr { kind: ExprKind::Var(id), ty: program.variable(id).ty.clone(), span }
    }

    /// An operator applied to operands, if their number and types fit.
    pub fn op(op: Op, operands: Vec<Expr>, span: Span) -> Result<Expr, TypeError> {
        let all = |expected: &Type| operands.iter().enumerate().try_for_each(|(i, o)| expect_type(i, o, expected));
        let ty = match op {
            Op::Not => {
                expect_count(&operands, 1)?;
                all(&Type::Bool)?;
                Type::Bool
            }
            Op::And | Op::Or | Op::Implies => {
                all(&Type::Bool)?;
                Type::Bool
            }
            Op::Eq | Op::Distinct => {
                let Some(first) = operands.first() else {
                    return Err(TypeError { operand: None, message: "this takes at least one operand".into() });
                };
                all(&first.ty)?;
                Type::Bool
            }
            Op::Ite => {
                expect_count(&operands, 3)?;
                expect_type(0, &operands[0], &Type::Bool)?;
                expect_type(2, &operands[2], &operands[1].ty)?;
                operands[1].ty.clone()
            }
            Op::Add | Op::Sub | Op::Mul => {
                all(&Type::Int)?;
                Type::Int
            }
            Op::Div | Op::Mod => {
                expect_count(&operands, 2)?;
                all(&Type::Int)?;
                Type::Int
            }
            Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                expect_count(&operands, 2)?;
                all(&Type::Int)?;
                Type::Bool
            }
            Op::Select | Op::Store => {
                expect_count(&operands, if op == Op::Select { 2 } else { 3 })?;
                let Type::Array(index, element) = &operands[0].ty else {
                    return Err(blame(0, format!("this should be an array, but it is of type {}", operands[0].ty)));
                };
                expect_type(1, &operands[1], index)?;
                if op == Op::Select {
                    (**element).clone()
                } else {
                    expect_type(2, &operands[2], element)?;
                    operands[0].ty.clone()
                }
            }
            Op::Bv(op) => bv_type(op, &operands)?,
        };
        Ok(Expr { kind: ExprKind::Op(op, operands), ty, span })
    }

    /// A function of the program applied to arguments, if their number and types fit.
    pub fn apply(program: &Program, id: FunId, arguments: Vec<Expr>, span: Span) -> Result<Expr, TypeError> {
        let function = program.function(id);
        expect_count(&arguments, function.arguments.len())?;
        for (i, (argument, expected)) in arguments.iter().zip(&function.arguments).enumerate() {
            expect_type(i, argument, expected)?;
        }
        Ok(Expr { kind: ExprKind::Apply(id, arguments), ty: function.result.clone(), span })
    }
}

fn bv_type(op: BvOp, operands: &[Expr]) -> Result<Type, TypeError> {
    let width = |i: usize| match operands.get(i).map(|operand| &operand.ty) {
        Some(Type::BitVec(width)) => Ok(*width),
        Some(other) => Err(blame(i, format!("this should be a bit-vector, but it is of type {other}"))),
        None => Err(TypeError { operand: None, message: "an operand is missing".into() }),
    };
    if let BvOp::FromInt(to) = op {
        expect_count(operands, 1)?;
        expect_type(0, &operands[0], &Type::Int)?;
        return Ok(Type::BitVec(to));
    }
    if let BvOp::Float(op, format) = op {
        expect_count(operands, op.arity())?;
        let expected = Type::BitVec(op.operand(format));
        operands.iter().enumerate().try_for_each(|(i, operand)| expect_type(i, operand, &expected))?;
        return Ok(match op.result(format) {
            FloatResult::Bool => Type::Bool,
            FloatResult::Bits(width) => Type::BitVec(width),
        });
    }
    let unary = matches!(
        op,
        BvOp::Neg | BvOp::Not | BvOp::Extract { .. } | BvOp::ZeroExtend(_) | BvOp::SignExtend(_) | BvOp::ToInt
    );
    expect_count(operands, if unary { 1 } else { 2 })?;
    let first = width(0)?;
    if !unary && op != BvOp::Concat {
        expect_type(1, &operands[1], &Type::BitVec(first))?;
    }
    Ok(match op {
        BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => Type::Bool,
        BvOp::ToInt => Type::Int,
        BvOp::Concat => Type::BitVec(first + width(1)?),
        BvOp::Extract { high, low } if low <= high && high < first => Type::BitVec(high - low + 1),
        BvOp::Extract { .. } => return Err(blame(0, format!("there are only {first} bits to take from"))),
        BvOp::ZeroExtend(by) | BvOp::SignExtend(by) => Type::BitVec(first + by),
        _ => Type::BitVec(first),
    })
}
