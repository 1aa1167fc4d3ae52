//! Mutexes, spin locks, read-write locks and condition variables.
//!
//! A mutex or spin lock is 0 when it is free and 1 when it is taken. A read-write lock is the number of readers, or -1 for a writer. A
//! condition variable has no state: POSIX allows a waiting thread to wake up at any time, so waiting is to release the mutex and
//! to take it again.

use super::LibraryCall;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{CompareOp, Expr as TreeExpr, ExprKind};
use braid_program::ast::{Expr, StmtKind};
use braid_program::source::Span;

/// POSIX's `EBUSY`.
const EBUSY: i64 = 16;

impl Translator<'_, '_> {
    pub(super) fn lock_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("pthread_mutex_init" | "pthread_spin_init" | "pthread_rwlock_init" | "mtx_init", [lock, rest @ ..]) => {
                self.evaluate(rest)?;
                let place = self.library_object(lock)?;
                self.set(&place, 0, span)?;
            }
            ("pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock", [lock]) => {
                let place = self.library_object(lock)?;
                self.acquire(&place, span)?;
            }
            ("pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock", [lock]) => {
                let place = self.library_object(lock)?;
                self.set(&place, 0, span)?;
            }
            ("pthread_mutex_trylock" | "pthread_spin_trylock", [lock]) => {
                return self.try_lock(lock, call, |t, state| t.is(state, CompareOp::Equal, 0, span), 1).map(Some);
            }
            ("pthread_rwlock_rdlock", [lock]) => {
                let place = self.library_object(lock)?;
                self.atomically(span, |t| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    let free = t.is(&state, CompareOp::GreaterEqual, 0, span);
                    t.emit(StmtKind::Assume(free), span);
                    t.add(&place, state, 1, span)
                })?;
            }
            ("pthread_rwlock_wrlock", [lock]) => {
                let place = self.library_object(lock)?;
                self.atomically(span, |t| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    let free = t.is(&state, CompareOp::Equal, 0, span);
                    t.emit(StmtKind::Assume(free), span);
                    t.set(&place, -1, span)
                })?;
            }
            ("pthread_rwlock_trywrlock", [lock]) => {
                return self.try_lock(lock, call, |t, state| t.is(state, CompareOp::Equal, 0, span), -1).map(Some);
            }
            ("pthread_rwlock_unlock", [lock]) => {
                let place = self.library_object(lock)?;
                self.atomically(span, |t| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    let reading = t.is(&state, CompareOp::Greater, 0, span);
                    let one_less = t.sum_int(&state, -1, span);
                    let zero = t.number(Scalar::INT, 0, span);
                    let expr = build::ite(reading, one_less.expr, zero.expr, span);
                    let value = t.ints.any(Scalar::INT, expr, false);
                    t.store(&place, Scalar::INT, value, span).map(drop)
                })?;
            }
            ("pthread_cond_wait" | "pthread_cond_timedwait" | "cnd_wait", [condition, lock, rest @ ..]) => {
                let _ = condition;
                self.evaluate(rest)?;
                let place = self.library_object(lock)?;
                self.set(&place, 0, span)?;
                self.acquire(&place, span)?;
                if call.name == "pthread_cond_timedwait" {
                    return Ok(Some(self.any_result(call)?));
                }
            }
            (
                "pthread_mutex_destroy" | "pthread_cond_init" | "pthread_cond_destroy" | "pthread_cond_signal"
                | "pthread_cond_broadcast" | "pthread_rwlock_destroy" | "pthread_spin_destroy" | "cnd_signal"
                | "cnd_broadcast" | "cnd_init",
                _,
            ) => {}
            ("pthread_mutexattr_settype" | "pthread_mutexattr_settype_np", [_, kind]) => match &kind.kind {
                // Normal and adaptive mutexes; error checks and recursion are told by the number.
                ExprKind::Int(kind) if kind.is_zero() || kind.to_i64() == Some(3) => {}
                _ => return reject(span, "a recursive or error-checking mutex"),
            },
            ("pthread_rwlock_tryrdlock" | "pthread_mutex_timedlock", _) => {
                return reject(span, format!("`{}` is not supported", call.name));
            }
            _ => return Ok(None),
        }
        Ok(Some(self.gives(call, 0)))
    }

    pub(super) fn is(&self, value: &Value, op: CompareOp, number: i64, span: Span) -> Expr {
        let number = self.number(Scalar::INT, number, span).expr;
        self.ints.compare(op, Scalar::INT, value.expr.clone(), number, span)
    }

    fn sum_int(&self, value: &Value, by: i64, span: Span) -> Value {
        let by = self.number(Scalar::INT, by, span);
        let sum = self.ints.binary(crate::c::tree::BinaryOp::Add, Scalar::INT, value.clone(), by, span);
        sum.unwrap_or_else(|_| unreachable!("sums are exact in every representation"))
    }

    pub(super) fn add(&mut self, place: &Location, value: Value, by: i64, span: Span) -> Result<()> {
        let sum = self.sum_int(&value, by, span);
        self.store(place, Scalar::INT, sum, span).map(drop)
    }

    pub(super) fn set(&mut self, place: &Location, number: i64, span: Span) -> Result<()> {
        let value = self.number(Scalar::INT, number, span);
        self.store(place, Scalar::INT, value, span).map(drop)
    }

    fn acquire(&mut self, place: &Location, span: Span) -> Result<()> {
        self.atomically(span, |t| {
            let state = t.load(place, Scalar::INT, span)?;
            let free = t.is(&state, CompareOp::Equal, 0, span);
            t.emit(StmtKind::Assume(free), span);
            t.set(place, 1, span)
        })
    }

    /// Takes the lock if the state allows it; gives 0 or `EBUSY`.
    fn try_lock(
        &mut self,
        lock: &TreeExpr,
        call: LibraryCall<'_>,
        free: impl FnOnce(&Self, &Value) -> Expr,
        taken: i64,
    ) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(lock)?;
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        self.atomically(span, |t| {
            let state = t.load(&place, Scalar::INT, span)?;
            let free = free(t, &state);
            let (mut yes, ()) = t.apart(|t| t.set(&place, taken, span))?;
            let number = |t: &Self, n| t.number(Scalar::INT, n, span).expr;
            let assign = |value| braid_program::ast::Stmt { kind: StmtKind::Assign(vec![(result, value)]), span };
            yes.push(assign(number(t, 0)));
            let no = vec![assign(number(t, EBUSY))];
            t.branch(free, yes, no, span);
            Ok(())
        })?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
    }
}
