//! What C requires of operations: undefined behaviour ends an execution, at the step where it happens.
//!
//! There are two translations. The *defined* one assumes before each operation what C requires of it; so its executions are those
//! of C. A thread that fails such a test stays where it is, as if it did not get a turn any more, and what others do then is an execution of
//! C as well. The *plain* one has no such tests, and goes on after undefined behaviour with whatever value comes out; only what
//! divides by zero has no value in the logic either, and ends in both.
//!
//! *Claim*: each defined execution of C is one of the plain translation, with the same values; so a proof about the plain one is a
//! proof about C. By induction over the steps: the operands have values of their types. If the operation is defined, its exact
//! result is that of C, and lies in its type. Whatever the translation derives from types (ranges of signed results, constants that
//! it follows, comparisons that ranges decide) therefore holds in defined executions; elsewhere it need not.
//! A violation of the plain one is believed only after the defined one has the same.
//!
//! As with GCC, a shift to the left may move bits into and over the sign: executions go on, and only the distance is limited.
//! C leaves a shift of a negative number undefined, and that is said where undefined behaviour is checked.

use crate::c::translate::{Result, Scalar, Stop, Translator, Value};
use crate::c::tree::{BinaryOp, CompareOp, UnaryOp};
use braid_program::ast::build::{and, eq, or, power};
use braid_program::ast::{Check, Expr, ExprKind, StmtKind};
use braid_program::source::Span;

/// An operation of C, before anything is said about its operands.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub op: BinaryOp,
    /// The type of the result and of the left operand.
    pub scalar: Scalar,
    /// The type of the right operand, which of a shift is one of its own.
    pub right: Scalar,
    pub span: Span,
}

impl Translator<'_, '_> {
    /// What is to be shown. Where it is known to fail, executions end.
    pub(crate) fn assert(&mut self, check: Check, formula: Expr, span: Span) {
        if formula.kind != ExprKind::Bool(true) {
            let statement = self.assertion(check, formula, span);
            self.emit(statement, span);
        }
    }

    fn assertion(&self, check: Check, formula: Expr, span: Span) -> StmtKind {
        match self.options.excused.contains(&(check, span)) {
            true => StmtKind::Assume(formula),
            false => StmtKind::Assert(check, formula),
        }
    }

    /// Is this what is to be shown of the program?
    pub(crate) fn checks(&self, check: Check) -> bool {
        self.options.checks.contains(check)
    }

    /// Does it matter who waits?
    pub(crate) fn is_about_waiting(&self) -> bool {
        self.options.checks.is_about_waiting()
    }

    /// Does it matter whether this holds?
    pub(crate) fn requires(&self, check: Check) -> bool {
        self.options.defined || self.checks(check)
    }

    /// What C requires for an operation to be defined: it is checked, or assumed where that is asked for. The formula reads
    /// nothing that others write.
    pub(crate) fn require(&mut self, check: Check, formula: Expr, span: Span) {
        if self.checks(check) {
            self.assert(check, formula, span);
        } else if self.options.defined {
            self.assume(formula, span);
        }
    }

    /// `a op b`, under the conditions that C has for it.
    pub(crate) fn binary(&mut self, it: Operation, a: Value, b: Value) -> Result<Value> {
        if let Scalar::Float(format) = it.scalar {
            return self.float_binary(it, format, a, b);
        }
        let (a, b) = self.checked(it, a, b)?;
        let b = self.ints.convert(it.right, it.scalar, b, it.span);
        self.exact(it.op, it.scalar, a, b, it.span)
    }

    /// `op a`, under the conditions that C has for it.
    pub(crate) fn unary(&mut self, op: UnaryOp, scalar: Scalar, a: Value, span: Span) -> Result<Value> {
        let a = if op == UnaryOp::Negate {
            let zero = self.number(scalar, 0, span);
            self.checked(Operation { op: BinaryOp::Subtract, scalar, right: scalar, span }, zero, a)?.1
        } else {
            a
        };
        Ok(self.ints.unary(op, scalar, a, span))
    }

    /// `a op b` where nothing is to be required.
    pub(crate) fn exact(&self, op: BinaryOp, scalar: Scalar, a: Value, b: Value, span: Span) -> Result<Value> {
        self.ints.binary(op, scalar, a, b, span).map_err(|_| Stop::NeedsBits(span))
    }

    /// The operands, after the tests of them that are asked for.
    fn checked(&mut self, it: Operation, a: Value, b: Value) -> Result<(Value, Value)> {
        let conditions = self.conditions(it, &a, &b)?;
        if conditions.is_empty() {
            return Ok((a, b));
        }
        // What is assumed is what is used.
        let assumes = |kind: &StmtKind| matches!(kind, StmtKind::Assume(_));
        let (a, b) = match conditions.iter().any(assumes) || self.options.defined {
            true => (self.settled(a, it.span), self.settled(b, it.span)),
            false => (a, b),
        };
        for condition in self.conditions(it, &a, &b)? {
            self.emit(condition, it.span);
        }
        Ok((a, b))
    }

    /// What an operation requires, and what is to be checked of it.
    fn conditions(&self, it: Operation, a: &Value, b: &Value) -> Result<Vec<StmtKind>> {
        let mut conditions = Vec::new();
        if self.checks(Check::Undefined) {
            let required = and(self.required(it, b), self.not_negative(it, a), it.span);
            conditions.push(self.assertion(Check::Undefined, required, it.span));
        } else if self.options.defined || matches!(it.op, BinaryOp::Divide | BinaryOp::Remainder) {
            conditions.push(StmtKind::Assume(self.required(it, b)));
        }
        if self.checks(Check::Overflow) {
            let fits = self.no_overflow(it, a, b)?;
            conditions.extend(fits.map(|fits| self.assertion(Check::Overflow, fits, it.span)));
        } else if self.options.defined {
            let fits = self.ints.no_overflow(it.op, it.scalar, a, b, it.span);
            conditions.extend(fits.map(StmtKind::Assume));
        }
        let idle = |kind: &StmtKind| match kind {
            StmtKind::Assume(formula) | StmtKind::Assert(Check::Undefined, formula) => {
                formula.kind == ExprKind::Bool(true)
            }
            _ => false,
        };
        conditions.retain(|condition| !idle(condition));
        Ok(conditions)
    }

    /// What an operation requires apart from a result that fits.
    fn required(&self, it: Operation, b: &Value) -> Expr {
        let Operation { scalar, right, span, .. } = it;
        let mut formula = Expr::bool(true, span);
        let mut compare = |op, n: i64| {
            let condition = self.ints.compare(op, right, b.expr.clone(), self.number(right, n, span).expr, span);
            formula = and(std::mem::replace(&mut formula, Expr::bool(true, span)), condition, span);
        };
        match it.op {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let last = i64::from(scalar.bits()) - 1;
                if !b.range.is_natural() {
                    compare(CompareOp::GreaterEqual, 0);
                }
                if b.range.high > last.into() {
                    compare(CompareOp::LessEqual, last);
                }
            }
            BinaryOp::Divide | BinaryOp::Remainder if !b.range.low.is_positive() => compare(CompareOp::NotEqual, 0),
            _ => {}
        }
        formula
    }

    /// What is shifted to the left is no negative number.
    fn not_negative(&self, it: Operation, a: &Value) -> Expr {
        let Operation { op, scalar, span, .. } = it;
        if op != BinaryOp::ShiftLeft || !scalar.is_signed() || a.range.is_natural() {
            return Expr::bool(true, span);
        }
        self.ints.compare(CompareOp::GreaterEqual, scalar, a.expr.clone(), self.number(scalar, 0, span).expr, span)
    }

    /// The formula that an operation does not overflow, where that is what is checked.
    fn no_overflow(&self, it: Operation, a: &Value, b: &Value) -> Result<Option<Expr>> {
        let Operation { op, scalar, right, span } = it;
        if op != BinaryOp::ShiftLeft || !scalar.is_signed() {
            return Ok(self.ints.no_overflow(op, scalar, a, b, span));
        }
        let last = i64::from(scalar.bits()) - 1;
        let Some(by) = self.ints.known(right, &b.expr).and_then(|by| by.to_i64()) else {
            // What comes back as it was has lost no bit.
            let by = self.ints.convert(right, scalar, b.clone(), span);
            let there = self.exact(BinaryOp::ShiftLeft, scalar, a.clone(), by.clone(), span)?;
            let back = self.exact(BinaryOp::ShiftRight, scalar, there, by, span)?;
            return Ok(Some(eq(back.expr, a.expr.clone(), span)));
        };
        if (0..last).contains(&by) {
            // To the left, a shift is a multiplication.
            let factor = self.ints.constant(scalar, &power(by as u32), span);
            return Ok(self.ints.no_overflow(BinaryOp::Multiply, scalar, a, &factor, span));
        }
        let is = |n: i64| eq(a.expr.clone(), self.number(scalar, n, span).expr, span);
        Ok((by == last).then(|| or(is(0), is(-1), span)))
    }

    /// A call through a pointer needs the address of one of the functions that may be there.
    pub(crate) fn require_callee(&mut self, address: &Expr, functions: &[Expr], span: Span) {
        let is = |function: &Expr| eq(address.clone(), function.clone(), span);
        let formula = functions.iter().map(is).reduce(|a, b| or(a, b, span));
        self.require(Check::Deref, formula.unwrap_or_else(|| Expr::bool(false, span)), span);
    }
}
