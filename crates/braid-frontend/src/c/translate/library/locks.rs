//! Mutexes, spin locks, read-write locks and condition variables.
//!
//! A mutex or spin lock is 0 when it is free and 1 when it is taken; where the program uses recursive or error-checking mutexes,
//! mutexes know their owner and their kind. A read-write lock is the number of readers, or -1 for a writer. A
//! condition variable has no state: POSIX allows a waiting thread to wake up at any time, so waiting is to release the mutex and
//! to take it again.

use super::LibraryCall;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{CompareOp, Expr as TreeExpr, ExprKind};
use braid_program::ast::{Expr, StmtKind};
use braid_program::source::Span;

/// Errors of Linux.
const EPERM: i64 = 1;
const EBUSY: i64 = 16;
const EDEADLK: i64 = 35;
/// Kinds of mutexes, as Linux numbers them.
const RECURSIVE: i64 = 1;
const ERROR_CHECK: i64 = 2;
/// Where a mutex keeps its kind, and how often its owner has taken it.
const KIND: u64 = 4;
const COUNT: u64 = 8;

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
            ("pthread_mutex_trylock" | "pthread_cond_wait" | "pthread_cond_timedwait", _)
                if self.decisions.mutex_kinds =>
            {
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

    /// Who runs, as a number that is not 0.
    fn owner(&mut self, span: Span) -> Value {
        let identity = self.identity(span);
        let number = build::add(identity, build::int(1, span), span);
        self.of_integer(number, Scalar::INT, span)
    }

    /// Locks a mutex whose kind is known when the program runs.
    fn lock_by_kind(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(lock)?;
        let (kind_at, count_at) = (place.part(KIND, Vec::new(), None), place.part(COUNT, Vec::new(), None));
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        let me = self.owner(span);
        self.atomically(span, |t| {
            let state = t.load(&place, Scalar::INT, span)?;
            let kind = t.load(&kind_at, Scalar::INT, span)?;
            let count = t.load(&count_at, Scalar::INT, span)?;
            let mine = build::eq(state.expr.clone(), me.expr.clone(), span);
            let again = build::and(mine.clone(), t.is(&kind, CompareOp::Equal, RECURSIVE, span), span);
            let refused = build::and(mine, t.is(&kind, CompareOp::Equal, ERROR_CHECK, span), span);
            let number = |t: &Self, n| t.number(Scalar::INT, n, span).expr;
            let (deeper, ()) = t.apart(|t| {
                t.add(&count_at, count, 1, span)?;
                t.assign(result, number(t, 0), span);
                Ok(())
            })?;
            let (error, ()) = t.apart(|t| {
                t.assign(result, number(t, EDEADLK), span);
                Ok(())
            })?;
            let (first, ()) = t.apart(|t| {
                let free = t.is(&state, CompareOp::Equal, 0, span);
                t.emit(StmtKind::Assume(free), span);
                t.store(&place, Scalar::INT, me.clone(), span)?;
                t.set(&count_at, 1, span)?;
                t.assign(result, number(t, 0), span);
                Ok(())
            })?;
            let (other, ()) = t.apart(|t| {
                t.branch(refused, error, first, span);
                Ok(())
            })?;
            t.branch(again, deeper, other, span);
            Ok(())
        })?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
    }

    fn unlock_by_kind(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(lock)?;
        let (kind_at, count_at) = (place.part(KIND, Vec::new(), None), place.part(COUNT, Vec::new(), None));
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        let me = self.owner(span);
        self.atomically(span, |t| {
            let state = t.load(&place, Scalar::INT, span)?;
            let kind = t.load(&kind_at, Scalar::INT, span)?;
            let count = t.load(&count_at, Scalar::INT, span)?;
            let checked = build::not(t.is(&kind, CompareOp::Equal, 0, span), span);
            let foreign = build::and(checked, t.differs(state.expr.clone(), me.expr.clone(), span), span);
            let deeper = build::and(
                t.is(&kind, CompareOp::Equal, RECURSIVE, span),
                t.is(&count, CompareOp::Greater, 1, span),
                span,
            );
            let number = |t: &Self, n| t.number(Scalar::INT, n, span).expr;
            let (error, ()) = t.apart(|t| {
                t.assign(result, number(t, EPERM), span);
                Ok(())
            })?;
            let (release, ()) = t.apart(|t| {
                let (less, ()) = t.apart(|t| t.add(&count_at, count, -1, span))?;
                let (free, ()) = t.apart(|t| t.set(&place, 0, span))?;
                t.branch(deeper, less, free, span);
                t.assign(result, number(t, 0), span);
                Ok(())
            })?;
            t.branch(foreign, error, release, span);
            Ok(())
        })?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
    }

    fn try_read(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(lock)?;
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        self.atomically(span, |t| {
            let state = t.load(&place, Scalar::INT, span)?;
            let free = t.is(&state, CompareOp::GreaterEqual, 0, span);
            let number = |t: &Self, n| t.number(Scalar::INT, n, span).expr;
            let (yes, ()) = t.apart(|t| {
                t.add(&place, state, 1, span)?;
                t.assign(result, number(t, 0), span);
                Ok(())
            })?;
            let (no, ()) = t.apart(|t| {
                t.assign(result, number(t, EBUSY), span);
                Ok(())
            })?;
            t.branch(free, yes, no, span);
            Ok(())
        })?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
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
