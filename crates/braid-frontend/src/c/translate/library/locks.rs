//! Mutexes, spin locks, read-write locks and condition variables.
//!
//! A mutex or spin lock is 0 when it is free and 1 when it is taken; where the program uses recursive or error-checking mutexes,
//! mutexes know their owner and their kind (`mutex_kinds`). A read-write lock is the number of readers, or -1 for a writer. A
//! condition variable has no state: POSIX allows a waiting thread to wake up at any time, so waiting is to release the mutex and
//! to take it again.

use super::LibraryCall;
use super::mutex_kinds::KIND;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{CompareOp, Expr as TreeExpr, ExprKind};
use braid_program::ast::{Expr, Stmt, StmtKind, VarId};
use braid_program::source::Span;

/// An error of Linux.
pub(super) const EBUSY: i64 = 16;

impl Translator<'_, '_> {
    pub(super) fn lock_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("pthread_mutex_init", [lock, attributes]) => {
                let place = self.library_object(lock)?;
                if self.decisions.mutex_kinds {
                    let null = matches!(&uncast(attributes).kind, ExprKind::Int(value) if value.is_zero());
                    let kind = if null {
                        self.number(Scalar::INT, 0, span)
                    } else {
                        let attributes = self.library_object(attributes)?;
                        let kind = self.load(&attributes, Scalar::INT, span)?;
                        self.settled(kind, span)
                    };
                    self.store(&place.part(KIND, Vec::new(), None), Scalar::INT, kind, span)?;
                }
                self.set(&place, 0, span)?;
            }
            ("pthread_spin_init" | "pthread_rwlock_init" | "mtx_init", [lock, rest @ ..]) => {
                self.evaluate(rest)?;
                let place = self.library_object(lock)?;
                self.set(&place, 0, span)?;
            }
            ("pthread_mutex_lock", [lock]) if self.decisions.mutex_kinds => {
                return self.lock_by_kind(lock, call).map(Some);
            }
            ("pthread_mutex_unlock", [lock]) if self.decisions.mutex_kinds => {
                return self.unlock_by_kind(lock, call).map(Some);
            }
            ("pthread_mutex_trylock", [lock]) if self.decisions.mutex_kinds => {
                return self.try_lock_by_kind(lock, call).map(Some);
            }
            ("pthread_cond_wait" | "pthread_cond_timedwait", _) if self.decisions.mutex_kinds => {
                return reject(
                    span,
                    format!("`{}` with recursive or error-checking mutexes is not supported", call.name),
                );
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
                self.evaluate(std::slice::from_ref(condition))?;
                self.evaluate(rest)?;
                let place = self.library_object(lock)?;
                self.set(&place, 0, span)?;
                self.acquire(&place, span)?;
                if call.name == "pthread_cond_timedwait" {
                    return Ok(Some(self.any_result(call)?));
                }
            }
            (
                "pthread_mutex_destroy"
                | "pthread_cond_init"
                | "pthread_cond_destroy"
                | "pthread_cond_signal"
                | "pthread_cond_broadcast"
                | "pthread_rwlock_destroy"
                | "pthread_spin_destroy"
                | "cnd_signal"
                | "cnd_broadcast"
                | "cnd_init",
                _,
            ) => {}
            ("pthread_mutexattr_settype" | "pthread_mutexattr_settype_np", [attributes, kind]) => {
                match &uncast(kind).kind {
                    ExprKind::Int(kind) if kind.is_zero() || kind.to_i64() == Some(3) => {}
                    _ => self.learned.mutex_kinds = true,
                }
                let scalar = self.scalar(&kind.ty).unwrap_or(Scalar::INT);
                let kind = self.value(kind)?;
                let kind = self.ints.convert(scalar, Scalar::INT, kind, span);
                let place = self.library_object(attributes)?;
                self.store(&place, Scalar::INT, kind, span)?;
            }
            ("pthread_mutexattr_init", [attributes]) => {
                if self.decisions.mutex_kinds {
                    let place = self.library_object(attributes)?;
                    self.set(&place, 0, span)?;
                }
            }
            ("pthread_rwlock_tryrdlock", [lock]) => {
                return self.try_read(lock, call).map(Some);
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
        self.atomically(span, |t| t.store(place, Scalar::INT, value, span)).map(drop)
    }

    fn acquire(&mut self, place: &Location, span: Span) -> Result<()> {
        self.atomically(span, |t| {
            let state = t.load(place, Scalar::INT, span)?;
            let free = t.is(&state, CompareOp::Equal, 0, span);
            t.emit(StmtKind::Assume(free), span);
            t.set(place, 1, span)
        })
    }

    /// An atomic step with a number as its outcome, which `work` puts into the variable.
    pub(super) fn step_with_result(
        &mut self,
        span: Span,
        work: impl FnOnce(&mut Self, VarId) -> Result<()>,
    ) -> Result<Vec<Value>> {
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        self.atomically(span, |t| work(t, result))?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
    }

    /// What `work` emits, apart, and a number as the outcome.
    pub(super) fn way(
        &mut self,
        (result, number): (VarId, i64),
        span: Span,
        work: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Stmt>> {
        let (stmts, ()) = self.apart(|t| {
            work(t)?;
            let number = t.number(Scalar::INT, number, span).expr;
            t.assign(result, number, span);
            Ok(())
        })?;
        Ok(stmts)
    }

    fn try_read(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(lock)?;
        self.step_with_result(span, |t, result| {
            let state = t.load(&place, Scalar::INT, span)?;
            let free = t.is(&state, CompareOp::GreaterEqual, 0, span);
            let yes = t.way((result, 0), span, |t| t.add(&place, state, 1, span))?;
            let no = t.way((result, EBUSY), span, |_| Ok(()))?;
            t.branch(free, yes, no, span);
            Ok(())
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
        self.step_with_result(span, |t, result| {
            let state = t.load(&place, Scalar::INT, span)?;
            let free = free(t, &state);
            let yes = t.way((result, 0), span, |t| t.set(&place, taken, span))?;
            let no = t.way((result, EBUSY), span, |_| Ok(()))?;
            t.branch(free, yes, no, span);
            Ok(())
        })
    }
}
