//! Mutexes where the program uses recursive or error-checking ones: a mutex is 0 or who has it, and knows its kind and how often
//! its owner has taken it.

use super::LibraryCall;
use super::locks::EBUSY;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build};
use crate::c::tree::{CompareOp, Expr as TreeExpr};
use braid_program::ast::{Expr, StmtKind, VarId};
use braid_program::source::Span;

/// Errors of Linux.
const EPERM: i64 = 1;
const EDEADLK: i64 = 35;
/// Kinds of mutexes, as Linux numbers them.
const RECURSIVE: i64 = 1;
const ERROR_CHECK: i64 = 2;
/// Where a mutex keeps its kind, and how often its owner has taken it.
pub const KIND: u64 = 4;
const COUNT: u64 = 8;

/// A mutex, as it is found at the begin of a step.
struct Mutex {
    place: Location,
    count_at: Location,
    state: Value,
    kind: Value,
    count: Value,
    /// Who asks, as a number that is not 0.
    me: Value,
}

impl Translator<'_, '_> {
    /// An atomic step on a mutex.
    fn mutex_step(
        &mut self,
        lock: &TreeExpr,
        span: Span,
        work: impl FnOnce(&mut Self, Mutex, VarId) -> Result<()>,
    ) -> Result<Vec<Value>> {
        let place = self.library_object(lock)?;
        let (kind_at, count_at) = (place.part(KIND, Vec::new(), None), place.part(COUNT, Vec::new(), None));
        let identity = self.identity(span);
        let number = build::add(identity, build::int(1, span), span);
        let me = self.of_integer(number, Scalar::INT, span);
        self.step_with_result(span, |t, result| {
            let state = t.load(&place, Scalar::INT, span)?;
            let kind = t.load(&kind_at, Scalar::INT, span)?;
            let count = t.load(&count_at, Scalar::INT, span)?;
            work(t, Mutex { place, count_at, state, kind, count, me }, result)
        })
    }

    /// Does the running thread have the mutex, and is it of the kind?
    fn is_mine(&self, mutex: &Mutex, kind: i64, span: Span) -> Expr {
        let mine = build::eq(mutex.state.expr.clone(), mutex.me.expr.clone(), span);
        build::and(mine, self.is(&mutex.kind, CompareOp::Equal, kind, span), span)
    }

    /// Takes a mutex that is free.
    fn take(&mut self, mutex: &Mutex, span: Span) -> Result<()> {
        self.store(&mutex.place, Scalar::INT, mutex.me.clone(), span)?;
        self.set(&mutex.count_at, 1, span)
    }

    /// Locks a mutex whose kind is known when the program runs.
    pub(super) fn lock_by_kind(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        self.mutex_step(lock, span, |t, mutex, result| {
            let again = t.is_mine(&mutex, RECURSIVE, span);
            let refused = t.is_mine(&mutex, ERROR_CHECK, span);
            let deeper = t.way((result, 0), span, |t| t.add(&mutex.count_at, mutex.count.clone(), 1, span))?;
            let error = t.way((result, EDEADLK), span, |_| Ok(()))?;
            let first = t.way((result, 0), span, |t| {
                let free = t.is(&mutex.state, CompareOp::Equal, 0, span);
                t.emit(StmtKind::Assume(free), span);
                t.take(&mutex, span)
            })?;
            let (other, ()) = t.apart(|t| {
                t.branch(refused, error, first, span);
                Ok(())
            })?;
            t.branch(again, deeper, other, span);
            Ok(())
        })
    }

    /// The same without waiting.
    pub(super) fn try_lock_by_kind(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        self.mutex_step(lock, span, |t, mutex, result| {
            let again = t.is_mine(&mutex, RECURSIVE, span);
            let free = t.is(&mutex.state, CompareOp::Equal, 0, span);
            let deeper = t.way((result, 0), span, |t| t.add(&mutex.count_at, mutex.count.clone(), 1, span))?;
            let first = t.way((result, 0), span, |t| t.take(&mutex, span))?;
            let busy = t.way((result, EBUSY), span, |_| Ok(()))?;
            let (other, ()) = t.apart(|t| {
                t.branch(free, first, busy, span);
                Ok(())
            })?;
            t.branch(again, deeper, other, span);
            Ok(())
        })
    }

    pub(super) fn unlock_by_kind(&mut self, lock: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        self.mutex_step(lock, span, |t, mutex, result| {
            let checked = build::not(t.is(&mutex.kind, CompareOp::Equal, 0, span), span);
            let foreign = t.differs(mutex.state.expr.clone(), mutex.me.expr.clone(), span);
            let recursive = t.is(&mutex.kind, CompareOp::Equal, RECURSIVE, span);
            let deeper = build::and(recursive, t.is(&mutex.count, CompareOp::Greater, 1, span), span);
            let error = t.way((result, EPERM), span, |_| Ok(()))?;
            let release = t.way((result, 0), span, |t| {
                let (less, ()) = t.apart(|t| t.add(&mutex.count_at, mutex.count.clone(), -1, span))?;
                let (free, ()) = t.apart(|t| t.set(&mutex.place, 0, span))?;
                t.branch(deeper, less, free, span);
                Ok(())
            })?;
            t.branch(build::and(checked, foreign, span), error, release, span);
            Ok(())
        })
    }
}
