//! What becomes of threads: whether they can be joined or detached. It matters only to the result of `pthread_detach`, and is kept
//! only where a program looks at that.
//!
//! POSIX leaves open what happens to a thread that cannot be detached, and recommends the errors that are given here.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{Expr as TreeExpr, ExprKind};
use braid_program::ast::{self, Expr, Storage, VarId};
use braid_program::source::Span;

/// Errors of Linux.
const ESRCH: i64 = 3;
const EINVAL: i64 = 22;

/// What a thread can be; 0: it was never started, or it is gone.
const JOINABLE: i64 = 1;
const DETACHED: i64 = 2;
const ENDED: i64 = 3;
const GONE: i64 = 0;

impl Translator<'_, '_> {
    pub(super) fn detach(&mut self, handle: &TreeExpr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        self.learned.detach_results |= self.wanted;
        if !self.wanted && !self.decisions.detach_results {
            self.evaluate(std::slice::from_ref(handle))?;
            return Ok(self.gives(call, 0));
        }
        let span = call.expr.span;
        let identity = self.thread_of(handle)?;
        let result = self.temporary(self.ints.ty(Scalar::INT), span);
        self.atomically(span, |t| {
            let state = t.thread_state(&identity, span);
            let is = |number: i64| build::eq(state.clone(), build::int(number, span), span);
            let number = |n: i64| t.number(Scalar::INT, n, span).expr;
            let refused = build::ite(is(DETACHED), number(EINVAL), number(ESRCH), span);
            let detachable = build::or(is(JOINABLE), is(ENDED), span);
            let outcome = build::ite(detachable, number(0), refused, span);
            let after = build::ite(is(ENDED), build::int(GONE, span), state.clone(), span);
            let after = build::ite(is(JOINABLE), build::int(DETACHED, span), after, span);
            t.assign(result, outcome, span);
            t.set_thread_state(&identity, after, span);
            Ok(())
        })?;
        let expr = self.var(result, span);
        Ok(vec![self.ints.any(Scalar::INT, expr, false)])
    }

    /// Notes that a thread is started.
    pub(super) fn note_start(&mut self, attributes: &TreeExpr, identity: &Expr, span: Span) -> Result<()> {
        if !self.decisions.detach_results {
            return Ok(());
        }
        let null =
            matches!(&crate::c::translate::walk::uncast(attributes).kind, ExprKind::Int(value) if value.is_zero());
        if !null {
            return reject(span, "the result of `pthread_detach`, where threads are started with attributes");
        }
        self.set_thread_state(identity, build::int(JOINABLE, span), span);
        Ok(())
    }

    /// Notes that a thread was joined.
    pub(super) fn note_join(&mut self, identity: &Expr, span: Span) {
        if self.decisions.detach_results {
            self.set_thread_state(identity, build::int(GONE, span), span);
        }
    }

    /// Notes that the running thread ends.
    pub(in crate::c::translate) fn note_end(&mut self, span: Span) {
        if self.decisions.detach_results {
            let identity = self.identity(span);
            let state = self.thread_state(&identity, span);
            let joinable = build::eq(state, build::int(JOINABLE, span), span);
            let after = build::ite(joinable, build::int(ENDED, span), build::int(GONE, span), span);
            self.set_thread_state(&identity, after, span);
        }
    }

    fn thread_state(&mut self, identity: &Expr, span: Span) -> Expr {
        let states = self.thread_states(span);
        build::select(self.var(states, span), identity.clone(), span)
    }

    fn set_thread_state(&mut self, identity: &Expr, state: Expr, span: Span) {
        let states = self.thread_states(span);
        let changed = build::store(self.var(states, span), identity.clone(), state, span);
        self.assign(states, changed, span);
    }

    fn thread_states(&mut self, span: Span) -> VarId {
        if let Some(states) = self.cells.thread_states {
            return states;
        }
        let ty = ast::Type::Array(Box::new(ast::Type::Int), Box::new(ast::Type::Int));
        let states = self.declare("threads".into(), ty, Storage::Global, span);
        self.cells.thread_states = Some(states);
        states
    }

    /// At first there is only the first thread, whose identity is 0.
    pub(in crate::c::translate) fn first_thread_states(&self, span: Span) -> Option<(VarId, Expr)> {
        let states = self.cells.thread_states?;
        let ty = self.variables[states.index()].ty.clone();
        let gone = ast::ExprKind::ConstArray(Box::new(build::int(GONE, span)));
        let nobody = Expr { kind: gone, ty, span };
        Some((states, build::store(nobody, build::int(0, span), build::int(JOINABLE, span), span)))
    }
}
