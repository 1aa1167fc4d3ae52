//! Threads: start, join, end, identity.
//!
//! Where every start is passed at most once, threads are numbered in the order of their starts and a handle that only one start
//! writes is that number: joins then know whom they wait for. Otherwise handles are what the program calculates.

use super::LibraryCall;
use crate::c::translate::{Bound, Location, Result, Role, Scalar, Translator, Value, reject, uncast};
use crate::c::tree::{Expr, ExprKind, FunctionId, Type};
use braid_logic::Integer;
use braid_program::ast::{self, StmtKind, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// `pthread_exit`.
    pub(crate) fn exit_call(&mut self, value: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let scalar = self.scalar(&value.ty).unwrap_or(self.pointer());
        let result = self.value(value)?;
        let result = self.ints.convert(scalar, self.pointer(), result, span);
        self.exit_thread(result, span)?;
        Ok(Vec::new())
    }

    /// The functions that an expression may mean, and the address that tells them apart.
    pub(crate) fn functions_of(&mut self, start: &Expr) -> Result<(Vec<FunctionId>, ast::Expr)> {
        let address = self.stable(start, start.span)?.expr;
        Ok(match &uncast(start).kind {
            ExprKind::Function(id) => (vec![*id], address),
            ExprKind::AddressOf(_) => (self.points.functions(uncast(start)), address),
            _ => (self.points.functions(start), address),
        })
    }

    /// Starts a thread.
    pub(crate) fn start(&mut self, call: LibraryCall<'_>, [handle, start, argument]: [&Expr; 3]) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let handle_type = match (self.bound(uncast(handle)), &uncast(handle).ty) {
            (Some(Bound::Place(_, ty)), _) if self.scalar(&ty).is_some() => ty,
            (_, Type::Pointer(pointee)) => pointee.ty.clone(),
            _ => Type::Int { bits: self.pointer().bits(), signed: false, rank: 4 },
        };
        let place = self.target(handle, &handle_type)?;
        let Some(handle_scalar) = self.scalar(&handle_type) else {
            return reject(handle.span, "a thread's handle that is not a scalar");
        };
        let (functions, address) = self.functions_of(start)?;
        if functions.is_empty() && build::numeral(&address).is_some_and(Integer::is_zero) {
            return self.undefined_call(&call.expr.ty, span);
        }
        let argument_type = self.scalar(&argument.ty).unwrap_or(self.pointer());
        let value = self.stable(argument, argument.span)?;
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
                    let defined = self.defined(&place, handle_scalar, span)?;
                    self.require_object(&place, defined, span)?;
                    let stored = self.ints.convert(handle_scalar, slot.scalar, stored, span);
                    let (variable, value) = self.write_handle(&slot, stored.expr, span);
                    let ends = self.begin_write(&[(None, slot)], &place, span)?;
                    self.assign(variable, value, span);
                    self.end_access(ends, span);
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
                    Some(Scalar::Float(_)) | None => {
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
                    t.set_joinable(&own, true, span);
                    let own = t.of_integer(own, handle_scalar, span);
                    t.store(&place, handle_scalar, own, span)
                })?;
            } else {
                let identity = build::int(number, span);
                t.set_joinable(&identity, true, span);
                t.emit(StmtKind::Fork { identity, procedure, arguments }, span);
            }
            Ok(Vec::new())
        })?;
        Ok(self.gives(call, 0))
    }

    /// Waits for the end of a thread; gives its result.
    pub(crate) fn join(&mut self, handle: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let identity = self.thread_of(handle)?;
        self.begin_join(&identity, span)?;
        let result = self.temporary(self.ints.ty(self.pointer()), span);
        if self.decisions.repeated_starts {
            self.emit(StmtKind::Wait { results: vec![result], handle: identity }, span);
        } else {
            self.emit(StmtKind::Join { results: vec![result], identity }, span);
        }
        let value = self.var(result, span);
        Ok(vec![self.ints.any(self.pointer(), value, false)])
    }

    /// A thread that is detached cannot be joined.
    pub(crate) fn detach(&mut self, handle: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let identity = self.thread_of(handle)?;
        self.set_joinable(&identity, false, call.expr.span);
        Ok(self.gives(call, 0))
    }

    /// The identity of the thread whose handle an expression is.
    fn thread_of(&mut self, handle: &Expr) -> Result<ast::Expr> {
        if let Some(Bound::Value(_, Some(number))) = self.bound(uncast(handle)) {
            return Ok(build::int(number, handle.span));
        }
        let value = self.stable(handle, handle.span)?;
        Ok(self.as_integer(value, handle.span))
    }

    /// The thread whose handle is at a place, where only one start writes it.
    pub(crate) fn known_thread(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Option<i64>> {
        let Some(key) = self.only_slot(location, scalar, span)?.and_then(|slot| slot.key) else { return Ok(None) };
        Ok(match self.decisions.handles.get(&key) {
            Some(known) if !known.others && known.threads.len() == 1 => Some(known.threads[0]),
            _ => None,
        })
    }
}
