//! What verification tasks say: arbitrary values, assumptions, errors.

use super::LibraryCall;
use crate::c::primitives::Primitive;
use crate::c::translate::{Result, Scalar, Translator, Value, reject};
use braid_program::ast::{Check, Expr, Release, StmtKind};

impl Translator<'_, '_> {
    pub(crate) fn verifier_call(&mut self, primitive: Primitive, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let unsupported = || reject(span, format!("`{}` is not supported with these arguments", call.name));
        match primitive {
            Primitive::Error => {
                self.evaluate(call.arguments)?;
                if self.checks(Check::Assertion) {
                    self.assert(Check::Assertion, Expr::bool(false, span), span);
                }
                self.stop(span);
                Ok(Vec::new())
            }
            Primitive::Await | Primitive::AwaitThread if self.is_about_waiting() => {
                let Some((test, rest)) = call.arguments.split_first() else { return unsupported() };
                // What was read before it waits says nothing about later.
                self.atomically(span, |t| {
                    let (formula, _) = t.condition(test)?;
                    let release = match rest {
                        [number] => {
                            let number = t.stable(number, span)?;
                            Release::Thread(t.as_integer(number, span))
                        }
                        _ => Release::Anyone,
                    };
                    t.emit(StmtKind::Await(formula, Box::new(release)), span);
                    Ok(())
                })?;
                Ok(self.gives(call, 0))
            }
            Primitive::Await | Primitive::AwaitThread => {
                let Some(test) = call.arguments.first() else { return unsupported() };
                let (formula, _) = self.condition(test)?;
                self.emit(StmtKind::Assume(formula), span);
                Ok(self.gives(call, 0))
            }
            Primitive::Require if !self.checks(Check::Undefined) => Ok(self.gives(call, 0)),
            Primitive::Require => {
                let Some(test) = call.arguments.first() else { return unsupported() };
                let (formula, _) = self.condition(test)?;
                let span = self.frame.expansion.as_ref().map_or(span, |expansion| expansion.span);
                self.assert(Check::Undefined, formula, span);
                Ok(self.gives(call, 0))
            }
            Primitive::Assume | Primitive::Assert => {
                let Some((argument, rest)) = call.arguments.split_first() else { return unsupported() };
                let (formula, _) = self.condition(argument)?;
                self.evaluate(rest)?;
                if primitive == Primitive::Assume {
                    self.emit(StmtKind::Assume(formula), span);
                } else if self.checks(Check::Assertion) {
                    self.assert(Check::Assertion, formula, span);
                }
                Ok(self.gives(call, 0))
            }
            Primitive::Stop => {
                self.evaluate(call.arguments)?;
                if call.name == "__builtin_unreachable" {
                    self.require(Check::Undefined, Expr::bool(false, span), span);
                }
                if call.name == "exit" {
                    self.leave_program(span)?;
                }
                self.stop(span);
                Ok(self.gives(call, 0))
            }
            Primitive::Begin | Primitive::End => {
                reject(span, format!("`{}` without its counterpart in the same block", call.name))
            }
            // The first time it returns 0; that cleanup handlers run when a thread ends is seen to where it ends.
            Primitive::SetJump => Ok(self.gives(call, 0)),
            Primitive::Unwind => {
                self.emit(StmtKind::Assume(Expr::bool(false, span)), span);
                Ok(Vec::new())
            }
            Primitive::Nondet => self.nondet(call),
            _ => unsupported(),
        }
    }

    /// Any value; the name says the type where the program does not declare it.
    fn nondet(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        self.evaluate(call.arguments)?;
        let narrow = match &call.name["__VERIFIER_nondet_".len()..] {
            "bool" | "_Bool" => Some(Scalar::Bool),
            "char" => Some(Scalar::Int { bits: 8, signed: true }),
            "uchar" | "unsigned_char" => Some(Scalar::Int { bits: 8, signed: false }),
            "short" => Some(Scalar::Int { bits: 16, signed: true }),
            "ushort" | "unsigned_short" => Some(Scalar::Int { bits: 16, signed: false }),
            _ => None,
        };
        match (narrow, self.scalar(&call.expr.ty)) {
            (Some(narrow), Some(scalar)) if narrow.bits() < scalar.bits() && !scalar.is_float() => {
                let value = self.arbitrary(narrow, span);
                Ok(vec![self.ints.convert(narrow, scalar, value, span)])
            }
            _ => self.any_result(call),
        }
    }
}
