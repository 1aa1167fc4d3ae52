//! Threads: start, join, end, identity.
//!
//! Where every start is passed at most once, threads are numbered in the order of their starts and a handle that only one start
//! writes is that number: joins then know whom they wait for. Otherwise handles are what the program calculates.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Role, Translator, build, reject};
use crate::c::tree::{Expr, ExprKind, FunctionId, Type};
use braid_program::ast::{self, StmtKind};

impl Translator<'_, '_> {
    pub(super) fn thread_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        Ok(Some(match (call.name, call.arguments) {
            ("pthread_create", [handle, attributes, start, argument]) => {
                self.start(call, [handle, attributes, start, argument])?
            }
            ("pthread_join", [handle, result]) => self.join(handle, result, call)?,
            ("pthread_exit", [value]) => {
                let scalar = self.scalar(&value.ty).unwrap_or(self.pointer());
                let result = self.value(value)?;
                let result = self.ints.convert(scalar, self.pointer(), result, span);
                self.exit_thread(result, span)?;
                Vec::new()
            }
            ("pthread_self", []) => {
                let scalar = self.scalar(&call.expr.ty).unwrap_or(Scalar::INT);
                let identity = self.identity(span);
                vec![self.of_integer(identity, scalar, span)]
            }
            ("pthread_equal", [a, b]) => {
                let (a, b) = self.both(a, b)?;
                let reads = a.reads || b.reads;
                vec![self.ints.of_truth(build::eq(a.expr, b.expr, span), Scalar::INT, reads, span)]
            }
            ("pthread_once", [once, function]) => self.once_call(once, function, call)?,
            (
                "pthread_yield"
                | "sched_yield"
                | "thrd_yield"
                | "pthread_attr_init"
                | "pthread_attr_destroy"
                | "pthread_attr_setdetachstate"
                | "pthread_attr_setstacksize"
                | "pthread_attr_setscope"
                | "pthread_attr_setschedpolicy"
                | "pthread_attr_setinheritsched"
                | "pthread_setconcurrency"
                | "pthread_setcancelstate"
                | "pthread_setcanceltype"
                | "pthread_testcancel"
                | "pthread_mutexattr_destroy"
                | "pthread_mutexattr_setpshared"
                | "pthread_condattr_init"
                | "pthread_condattr_destroy"
                | "pthread_condattr_setclock"
                | "pthread_rwlockattr_init"
                | "pthread_setname_np"
                | "usleep"
                | "sleep"
                | "nanosleep"
                | "pthread_rwlockattr_destroy"
                | "pthread_attr_setstack"
                | "pthread_setschedparam",
                arguments,
            ) => {
                self.evaluate(arguments)?;
                self.gives(call, 0)
            }
            ("pthread_detach", [handle]) => self.detach(handle, call)?,
            // The first time it returns 0; that cleanup handlers run when a thread ends is seen to where it ends.
            ("__sigsetjmp_cancel" | "__sigsetjmp", _) => self.gives(call, 0),
            ("__pthread_unwind_next", _) => {
                self.emit(StmtKind::Assume(ast::Expr::bool(false, span)), span);
                Vec::new()
            }
            _ => return Ok(None),
        }))
    }

    /// The functions that an expression may mean, and the address that tells them apart.
    pub(super) fn functions_of(&mut self, start: &Expr) -> Result<(Vec<FunctionId>, ast::Expr)> {
        let value = self.value(start)?;
        let address = self.settled(value, start.span).expr;
        Ok(match &uncast(start).kind {
            ExprKind::Function(id) => (vec![*id], address),
            ExprKind::AddressOf(_) => (self.points.functions(uncast(start)), address),
            _ => (self.points.functions(start), address),
        })
    }

    fn start(
        &mut self,
        call: LibraryCall<'_>,
        [handle, attributes, start, argument]: [&Expr; 4],
    ) -> Result<Vec<Value>> {
        let span = call.expr.span;
        self.discard(attributes)?;
        let handle_type = match &uncast(handle).ty {
            Type::Pointer(pointee) => pointee.ty.clone(),
            _ => Type::Int { bits: self.pointer().bits(), signed: false, rank: 4 },
        };
        let place = self.target(handle, &handle_type)?;
        let Some(handle_scalar) = self.scalar(&handle_type) else {
            return reject(handle.span, "a thread's handle that is not a scalar");
        };
        let (functions, address) = self.functions_of(start)?;
        let argument_type = self.scalar(&argument.ty).unwrap_or(self.pointer());
        let value = self.value(argument)?;
        let value = self.settled(value, argument.span);
        if self.frame.repeats || !self.graph.runs_once(self.frame.function) {
            self.learned.repeated_starts = true;
        }
        self.started += 1;
        let number = self.started;
        if !self.decisions.repeated_starts {
            let stored = self.number(handle_scalar, number, span);
            match self.only_slot(&place, handle_scalar, span)? {
                Some(slot) => {
                    if let Some(key) = slot.key {
                        let threads = &mut self.learned.handles.entry(key).or_default().threads;
                        if !threads.contains(&number) {
                            threads.push(number);
                        }
                    }
                    let stored = self.ints.convert(handle_scalar, slot.scalar, stored, span);
                    let (variable, value) = self.write_handle(&slot, stored.expr, span);
                    self.assign(variable, value, span);
                }
                None => {
                    self.store(&place, handle_scalar, stored, span)?;
                }
            }
        }
        self.call_one_of(&functions, address, span, |t, function| {
            let declared = &t.unit.functions[function.index()];
            if declared.body.is_none() {
                return reject(span, format!("`{}` is started as a thread, but it has no body", declared.name));
            }
            let mut arguments = Vec::new();
            for (position, &parameter) in declared.parameters.iter().enumerate() {
                let ty = &t.unit.variables[parameter.index()].ty.ty;
                match t.scalar(ty) {
                    Some(Scalar::Float) | None => {
                        return reject(span, "a thread's function with parameters of other types");
                    }
                    Some(scalar) if position == 0 => {
                        arguments.push(t.ints.convert(argument_type, scalar, value.clone(), span).expr);
                    }
                    // Nobody gives it: there is whatever was there before.
                    Some(scalar) => arguments.push(t.arbitrary(scalar, span).expr),
                }
            }
            let procedure = t.procedure(function, Role::Thread)?;
            if t.decisions.repeated_starts {
                let own = t.temporary(ast::Type::Int, span);
                let place = place.clone();
                t.atomically(span, |t| {
                    t.emit(StmtKind::Async { handle: Some(own), procedure, arguments }, span);
                    let own = t.var(own, span);
                    t.note_start(attributes, &own, span)?;
                    let own = t.of_integer(own, handle_scalar, span);
                    t.store(&place, handle_scalar, own, span)
                })?;
            } else {
                let identity = build::int(number, span);
                t.note_start(attributes, &identity, span)?;
                t.emit(StmtKind::Fork { identity, procedure, arguments }, span);
            }
            Ok(Vec::new())
        })?;
        Ok(self.gives(call, 0))
    }

    fn join(&mut self, handle: &Expr, result: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let identity = self.thread_of(handle)?;
        let is_null = matches!(&uncast(result).kind, ExprKind::Int(value) if value.is_zero());
        let mut results = Vec::new();
        let place = if is_null {
            None
        } else {
            let pointee = match &uncast(result).ty {
                Type::Pointer(pointee) => pointee.ty.clone(),
                _ => return reject(result.span, "the place of a thread's result is not a pointer"),
            };
            let temporary = self.temporary(self.ints.ty(self.pointer()), span);
            results.push(temporary);
            Some((self.target(result, &pointee)?, self.scalar(&pointee), temporary))
        };
        if self.decisions.repeated_starts {
            self.emit(StmtKind::Wait { results, handle: identity.clone() }, span);
        } else {
            self.emit(StmtKind::Join { results, identity: identity.clone() }, span);
        }
        self.note_join(&identity, span);
        if let Some((place, Some(scalar), temporary)) = place {
            let value = self.var(temporary, span);
            let value = self.ints.any(self.pointer(), value, false);
            let value = self.ints.convert(self.pointer(), scalar, value, span);
            self.store(&place, scalar, value, span)?;
        }
        Ok(self.gives(call, 0))
    }

    /// The identity of the thread whose handle an expression is.
    pub(super) fn thread_of(&mut self, handle: &Expr) -> Result<ast::Expr> {
        if let Some(number) = self.known_thread(handle)? {
            return Ok(build::int(number, handle.span));
        }
        let value = self.value(handle)?;
        let value = self.settled(value, handle.span);
        Ok(self.as_integer(value, handle.span))
    }

    /// The thread whose handle an expression is, where only one start writes it.
    fn known_thread(&mut self, handle: &Expr) -> Result<Option<i64>> {
        let ExprKind::Load(place) = &uncast(handle).kind else { return Ok(None) };
        if self.decisions.repeated_starts || self.scalar(&place.ty.ty).is_none() {
            return Ok(None);
        }
        let location = self.place(place)?;
        let scalar = self.scalar(&place.ty.ty).unwrap_or(self.pointer());
        let Some(key) = self.only_slot(&location, scalar, handle.span)?.and_then(|slot| slot.key) else {
            return Ok(None);
        };
        Ok(match self.decisions.handles.get(&key) {
            Some(known) if !known.others && known.threads.len() == 1 => Some(known.threads[0]),
            _ => None,
        })
    }

    /// `pthread_once`: the first one runs the function, all others wait for its end.
    fn once_call(&mut self, once: &Expr, function: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let place = self.library_object(once)?;
        let (functions, address) = self.functions_of(function)?;
        let first = self.temporary(ast::Type::Bool, span);
        let int = Scalar::INT;
        self.atomically(span, |t| {
            let state = t.load(&place, int, span)?.expr;
            let number = |t: &Self, n| t.number(int, n, span);
            let running = t.differs(state.clone(), number(t, 1).expr, span);
            t.emit(StmtKind::Assume(running), span);
            let fresh = build::eq(state, number(t, 0).expr, span);
            t.assign(first, fresh, span);
            let value = number(t, 1);
            let (stmts, _) = t.apart(|t| t.store(&place, int, value, span))?;
            let test = t.var(first, span);
            t.branch(test, stmts, Vec::new(), span);
            Ok(())
        })?;
        let (mut stmts, _) =
            self.apart(|t| t.call_one_of(&functions, address, span, |t, id| t.invoke(id, Vec::new(), false, span)))?;
        let done = self.number(int, 2, span);
        let (store, _) = self.apart(|t| t.store(&place, int, done, span))?;
        stmts.extend(store);
        let test = self.var(first, span);
        self.branch(test, stmts, Vec::new(), span);
        Ok(self.gives(call, 0))
    }
}
