//! What verification tasks say: arbitrary values, assumptions, errors.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build, reject};
use braid_program::ast::{Expr, StmtKind};

impl Translator<'_, '_> {
    pub(super) fn verifier_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match call.name {
            "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" => {
                self.evaluate(call.arguments)?;
                if self.options.assertions() {
                    self.emit(StmtKind::Assert(Expr::bool(false, span)), span);
                }
                self.emit(StmtKind::Assume(Expr::bool(false, span)), span);
                Ok(Some(Vec::new()))
            }
            "__VERIFIER_assume"
            | "assume_abort_if_not"
            | "__builtin_assume"
            | "__ESBMC_assume"
            | "__CPROVER_assume"
            | "__goblint_assume" => {
                if let Some(argument) = call.arguments.first() {
                    let (formula, _) = self.condition(argument)?;
                    self.emit(StmtKind::Assume(formula), span);
                }
                Ok(Some(Vec::new()))
            }
            "__VERIFIER_assert" | "assert" | "__ESBMC_assert" | "__CPROVER_assert" | "__goblint_check"
            | "__goblint_assert" => {
                if let Some(argument) = call.arguments.first() {
                    let (formula, _) = self.condition(argument)?;
                    if self.options.assertions() {
                        self.emit(StmtKind::Assert(formula), span);
                    }
                }
                Ok(Some(self.gives(call, 0)))
            }
            "abort" | "exit" | "_exit" | "_Exit" | "quick_exit" | "__builtin_unreachable" | "__builtin_trap" => {
                self.evaluate(call.arguments)?;
                self.emit(StmtKind::Assume(Expr::bool(false, span)), span);
                Ok(Some(Vec::new()))
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => {
                reject(span, format!("`{}` without its counterpart in the same block", call.name))
            }
            "__builtin_expect" => match call.arguments {
                [value, rest @ ..] => {
                    let result = self.value(value)?;
                    self.evaluate(rest)?;
                    let (from, to) = (self.scalar(&value.ty), self.scalar(&call.expr.ty));
                    let (Some(from), Some(to)) = (from, to) else { return Ok(Some(vec![result])) };
                    Ok(Some(vec![self.ints.convert(from, to, result, span)]))
                }
                [] => Ok(None),
            },
            name if name.starts_with("__VERIFIER_nondet_") => {
                self.evaluate(call.arguments)?;
                // The name says the type where the program does not declare it.
                let narrow = match &name["__VERIFIER_nondet_".len()..] {
                    "bool" | "_Bool" => Some(Scalar::Bool),
                    "char" => Some(Scalar::Int { bits: 8, signed: true }),
                    "uchar" | "unsigned_char" => Some(Scalar::Int { bits: 8, signed: false }),
                    "short" => Some(Scalar::Int { bits: 16, signed: true }),
                    "ushort" | "unsigned_short" => Some(Scalar::Int { bits: 16, signed: false }),
                    _ => None,
                };
                match (narrow, self.scalar(&call.expr.ty)) {
                    (Some(narrow), Some(scalar)) if narrow.bits() < scalar.bits() && scalar != Scalar::Float => {
                        let value = self.arbitrary(narrow, span);
                        Ok(Some(vec![self.ints.convert(narrow, scalar, value, span)]))
                    }
                    _ => Ok(Some(self.any_result(call)?)),
                }
            }
            "rand" | "random" | "lrand48" | "rand_r" => {
                self.evaluate(call.arguments)?;
                let values = self.any_result(call)?;
                if let (Some(value), Some(scalar)) = (values.first(), self.scalar(&call.expr.ty)) {
                    let zero = self.number(scalar, 0, span).expr;
                    let less = crate::c::tree::CompareOp::LessEqual;
                    let natural = self.ints.compare(less, scalar, zero, value.expr.clone(), span);
                    self.assume(natural, span);
                }
                Ok(Some(values))
            }
            _ => Ok(None),
        }
    }

    /// Does the name belong to a library whose functions all mean something? They are not to be taken for functions without effect.
    pub(in crate::c::translate) fn means_something(name: &str) -> bool {
        let prefixes = [
            "pthread_",
            "__pthread_",
            "_pthread_",
            "sem_",
            "mtx_",
            "cnd_",
            "thrd_",
            "tss_",
            "call_once",
            "atomic_",
            "__atomic_",
            "__c11_atomic_",
            "__sync_",
            "__VERIFIER_",
            "__ESBMC_",
            "__CPROVER_",
            "__goblint_",
            "__builtin_",
            "__sigsetjmp",
            "_setjmp",
            "setjmp",
            "longjmp",
            "fork",
            "vfork",
            "signal",
            "sigaction",
            "raise",
            "kill",
            "atexit",
            "on_exit",
            "clone",
            "mem",
            "str",
            "wcs",
            "wmem",
            "va_",
        ];
        prefixes.iter().any(|prefix| name.starts_with(prefix))
    }

    /// The negation of a formula, for models that wait.
    pub(super) fn differs(&self, a: Expr, b: Expr, span: braid_program::source::Span) -> Expr {
        build::not(build::eq(a, b, span), span)
    }
}
