//! How functions, threads and programs end. A thread ends by `return` from its function or by `pthread_exit` anywhere in it.
//!
//! On the way out, a thread runs the cleanup handlers that it has pushed and not popped (the last one first; only `pthread_exit` meets
//! any), then what the prelude says (`__thread_ends`). `pthread_cleanup_push` and `pthread_cleanup_pop` are macros
//! that open and close a block, so the handlers that are pushed at a place can be read off the text. The result of a handler's
//! push is kept as statements; those are put in wherever the thread ends inside of the block.

use crate::c::translate::{Result, Role, Translator, Value, call_graph, reject, uncast};
use crate::c::tree::{self, Callee, ExprKind, FunctionId};
use braid_program::ast::{self, Check, Procedure, StmtKind, Type};
use braid_program::source::Span;

/// What the macros expand to.
const REGISTER: [&str; 2] = ["__pthread_register_cancel", "__pthread_register_cancel_defer"];
const UNREGISTER: [&str; 2] = ["__pthread_unregister_cancel", "__pthread_unregister_cancel_restore"];
const UNWIND: [&str; 2] = ["__pthread_unwind_next", "___pthread_unwind_next"];

impl Translator<'_, '_> {
    /// Is the statement a call of one of two functions?
    pub(crate) fn is_call_of(&self, stmt: &tree::Stmt, names: [&str; 2]) -> bool {
        let tree::StmtKind::Expr(expr) = &stmt.kind else { return false };
        let ExprKind::Call(Callee::Direct(id), _) = &uncast(expr).kind else { return false };
        names.contains(&self.unit.functions[id.index()].name.as_str())
    }

    /// Notes that a cleanup handler is pushed or popped by a statement; the handler's call stands in front of it.
    pub(crate) fn cleanup(&mut self, stmts: &[tree::Stmt], at: usize) -> Result<bool> {
        let stmt = &stmts[at];
        if self.is_call_of(stmt, UNREGISTER) {
            self.frame.cleanups.pop();
            return Ok(true);
        }
        if !self.is_call_of(stmt, REGISTER) {
            return Ok(false);
        }
        let handler = stmts[..at].iter().rev().find_map(|stmt| {
            let tree::StmtKind::If(_, then, None) = &stmt.kind else { return None };
            let tree::StmtKind::Block(stmts) = &then.kind else { return None };
            let end = stmts.iter().position(|stmt| self.is_call_of(stmt, UNWIND))?;
            Some(&stmts[..end])
        });
        let Some(handler) = handler else { return reject(stmt.span, "a cleanup handler of unknown form") };
        let (stmts, ()) = self.apart(|t| handler.iter().try_for_each(|stmt| t.statement(stmt)))?;
        self.frame.cleanups.push(stmts);
        Ok(true)
    }

    /// `return`.
    pub(crate) fn return_from(&mut self, value: Option<&tree::Expr>, span: Span) -> Result<()> {
        if self.frame.expansion.is_some() {
            return self.leave_expansion(value, span);
        }
        match (value, self.frame.role) {
            (None, _) => {}
            // Nobody looks at the program's status, but it takes a value.
            (Some(value), Role::Main) if !self.valueless.is_empty() => self.values(value).map(drop)?,
            (Some(value), Role::Main) => self.discard(value)?,
            (Some(value), _) if value.ty == tree::Type::Void => self.discard(value)?,
            (Some(value), Role::Thread) => {
                let scalar = self.scalar(&value.ty);
                if let Some(scalar) = scalar.filter(|&scalar| !scalar.is_float()) {
                    let value = self.value(value)?;
                    let value = self.ints.convert(scalar, self.pointer(), value, span);
                    let result = self.frame.results[0];
                    self.assign(result, value.expr, span);
                }
            }
            (Some(value), Role::Called { .. }) => {
                let values = self.values(value)?;
                for (result, value) in self.frame.results.clone().into_iter().zip(values) {
                    self.assign(result, value.expr, span);
                }
                if let Some(flag) = self.frame.returned {
                    self.assign(flag, ast::Expr::bool(true, span), span);
                }
            }
        }
        self.end_lives(0, span)?;
        if self.frame.role == Role::Main {
            self.leave_program(span)?;
        }
        if self.frame.role == Role::Thread {
            self.leave_thread(span)?;
        }
        // The program is over before anybody else can do anything.
        if self.frame.role == Role::Main && (self.frame.sections > 0 || self.is_about_waiting()) {
            self.stop(span);
        }
        self.emit(StmtKind::Return, span);
        Ok(())
    }

    /// Ends the running thread with a value.
    pub(crate) fn exit_thread(&mut self, value: Value, span: Span) -> Result<()> {
        let value = self.settled(value, span);
        for handler in self.frame.cleanups.clone().into_iter().rev() {
            self.out.extend(handler);
        }
        self.end_lives(0, span)?;
        match (self.frame.role, self.frame.exit) {
            (Role::Main, _) => {
                self.leave_thread(span)?;
                if call_graph::program_ends(self.unit).is_some() {
                    let what = "functions of `atexit` in a program that goes on after `main`";
                    self.emit(StmtKind::Unmodelled(what.to_owned()), span);
                }
                self.leaks_are_open(span);
            }
            (Role::Thread, _) => {
                let result = self.frame.results[0];
                self.assign(result, value.expr, span);
                self.leave_thread(span)?;
            }
            (Role::Called { .. }, Some((flag, exit_value))) => {
                self.assign(exit_value, value.expr, span);
                self.assign(flag, ast::Expr::bool(true, span), span);
            }
            (Role::Called { .. }, None) => return reject(span, "the thread ends where that was not expected"),
        }
        self.emit(StmtKind::Return, span);
        Ok(())
    }

    /// What a thread does when its function is over.
    pub(crate) fn leave_thread(&mut self, span: Span) -> Result<()> {
        if let Some(ends) = call_graph::thread_ends(self.unit) {
            self.expand(ends, &[], false, span)?;
        }
        self.end_thread_lives(span)
    }

    /// What the program does when `main` or `exit` is over.
    pub(crate) fn leave_program(&mut self, span: Span) -> Result<()> {
        if let Some(ends) = call_graph::program_ends(self.unit) {
            self.expand(ends, &[], false, span)?;
        }
        self.check_leaks(span)
    }

    /// May a function end without the value that it is to give, and is that checked?
    pub(crate) fn may_lack_value(&self, function: FunctionId) -> bool {
        self.checks(Check::Undefined) && self.valueless.contains(&function)
    }

    /// What a function gives that ends without a value is any value of its type.
    pub(crate) fn begin_without_result(&mut self, function: FunctionId, span: Span) -> Result<()> {
        if !self.valueless.contains(&function) {
            return Ok(());
        }
        let scalars = self.scalars(&self.unit.functions[function.index()].ty.result, span)?;
        for (result, scalar) in self.frame.results.clone().into_iter().zip(scalars) {
            let range = self.ints.in_range(scalar, &self.var(result, span), span);
            range.into_iter().for_each(|range| self.assume(range, span));
        }
        if self.may_lack_value(function) {
            let flag = self.local("returned".into(), Type::Bool, span);
            self.frame.returned = Some(flag);
            self.assign(flag, ast::Expr::bool(false, span), span);
        }
        Ok(())
    }

    /// A thread that calls a function which others call as well.
    pub(crate) fn thread_around_call(&mut self, function: FunctionId) -> Result<Procedure> {
        let declared = &self.unit.functions[function.index()];
        let span = declared.span;
        self.add_result(self.pointer(), span);
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        for ty in declared.parameters.iter().map(|&id| &self.unit.variables[id.index()].ty.ty) {
            let scalar = self.scalar(ty).unwrap_or(self.pointer());
            let parameter = self.local("argument".into(), self.ints.ty(scalar), span);
            parameters.push(parameter);
            let expr = self.var(parameter, span);
            arguments.push(vec![self.ints.any(scalar, expr, false)]);
        }
        let values = self.invoke(function, arguments, false, span)?;
        if let (Some(value), Some(scalar)) = (values.into_iter().next(), self.scalar(&declared.ty.result)) {
            let value = self.ints.convert(scalar, self.pointer(), value, span);
            self.assign(self.frame.results[0], value.expr, span);
        }
        self.leave_thread(span)?;
        Ok(self.finished(format!("{}.thread", declared.name), parameters, span))
    }
}
