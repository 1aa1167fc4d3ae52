//! Statements. What is wrong with one does not keep the next from being checked.

use super::*;
use crate::c::syntax::StmtKind as Syntax;
use std::collections::BTreeMap;

impl<'t> Checker<'t> {
    pub(super) fn block(&mut self, statements: &'t [syntax::Stmt<'t>]) -> Vec<Stmt> {
        self.scopes.enter();
        let (labels, cleanups) = (self.context.labels.len(), self.context.cleanups.len());
        let mut out = Vec::with_capacity(statements.len());
        for (number, statement) in statements.iter().enumerate() {
            match &statement.kind {
                Syntax::Labels(names) => self.declare_labels(names, &statements[number..]),
                _ => self.statement(statement, &mut out),
            }
        }
        self.end_lives(cleanups, &mut out);
        self.leave_labels(labels);
        self.scopes.leave();
        out
    }

    /// One statement may become several: `int a, b;`.
    fn statement(&mut self, statement: &'t syntax::Stmt<'t>, out: &mut Vec<Stmt>) {
        // Errors are in the list; what was understood before them stays.
        let (before, said) = (self.errors.len(), out.len());
        // A `switch` around it must not lose a case.
        if self.checked_statement(statement, out).is_err() && !has_case(statement) {
            self.leave_out(before, said, statement.span, out);
        }
    }

    /// A statement that is not supported ends the executions that get there; other errors stay.
    fn leave_out(&mut self, before: usize, said: usize, span: Span, out: &mut Vec<Stmt>) {
        let new = &self.errors[before..];
        if !new.iter().all(|error| error.what_is_unsupported().is_some()) {
            return;
        }
        // Without an error, something is meant that was not supported before.
        let first = new.first().map(|error| (error.span, error.what_is_unsupported().unwrap_or_default().to_owned()));
        let (at, what) = first.unwrap_or((span, "what is declared here".to_owned()));
        if let Ok(stop) = self.unsupported_call(what, at) {
            self.errors.truncate(before);
            out.truncate(said);
            out.push(Stmt { kind: StmtKind::Expr(stop), span: at });
        }
    }

    pub(super) fn unsupported_call(&mut self, what: String, span: Span) -> Check<Expr> {
        let index = self.undeclared_function("__braid_unsupported", span);
        let text = ExprKind::String(self.string_number(what.into_bytes()));
        let text = Expr { kind: text, ty: pointer_to(plain(types::CHAR)), span };
        let callee = Callee::Direct(self.function_id(index));
        Ok(Expr { kind: ExprKind::Call(callee, vec![text]), ty: Type::Void, span })
    }

    /// A statement in a place for one: a block around several.
    fn single(&mut self, statement: &'t syntax::Stmt<'t>) -> Box<Stmt> {
        let mut out = Vec::new();
        self.statement(statement, &mut out);
        let span = statement.span;
        Box::new(match out.len() {
            0 => Stmt { kind: StmtKind::Skip, span },
            1 => out.remove(0),
            _ => Stmt { kind: StmtKind::Block(out), span },
        })
    }

    fn checked_statement(&mut self, statement: &'t syntax::Stmt<'t>, out: &mut Vec<Stmt>) -> Check<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            Syntax::Expr(expr) => {
                self.discarded = Some(without_void(expr));
                let checked = self.expr(expr);
                self.discarded = None;
                StmtKind::Expr(checked?)
            }
            Syntax::Declaration(declaration) => return self.local_declaration(declaration, out),
            Syntax::Function(definition) => return self.nested_function(definition),
            Syntax::Labels(_) => StmtKind::Skip,
            Syntax::Block(statements) => StmtKind::Block(self.block(statements)),
            Syntax::If(test, then, other) => {
                let test = self.test(test);
                // What the prelude has for other programs is not part of this one.
                if let (true, Ok(checked)) = (self.inside_prelude, &test)
                    && let Some(known) = self.constant(checked)
                {
                    if let Some(taken) = if known != 0 { Some(then) } else { other.as_ref() } {
                        self.statement(taken, out);
                    }
                    return Ok(());
                }
                let then = self.single(then);
                let other = other.as_ref().map(|other| self.single(other));
                StmtKind::If(test?, then, other)
            }
            Syntax::While(test, body) => {
                let test = self.test(test);
                let body = self.loop_body(body);
                StmtKind::While(test?, body)
            }
            Syntax::DoWhile(body, test) => {
                let body = self.loop_body(body);
                StmtKind::DoWhile(body, self.test(test)?)
            }
            Syntax::For(init, test, step, body) => {
                self.scopes.enter();
                let cleanups = self.context.cleanups.len();
                let init = self.single(init);
                let test = test.as_ref().map(|test| self.test(test)).transpose();
                let step = step.as_ref().map(|step| self.expr(step)).transpose();
                let body = self.loop_body(body);
                self.scopes.leave();
                let mut ends = Vec::new();
                self.end_lives(cleanups, &mut ends);
                out.push(Stmt { kind: StmtKind::For { init, test: test?, step: step?, body }, span });
                out.append(&mut ends);
                return Ok(());
            }
            Syntax::Switch(subject, body) => {
                let subject = self.expr(subject).and_then(|subject| match subject.ty.is_integer() {
                    true => Ok(self.promoted(subject)),
                    false => self.error(subject.span, "`switch` needs an integer"),
                });
                let ty = subject.as_ref().map_or(INT, |subject| subject.ty.clone());
                self.context.switches.push(Switch { ty, cases: BTreeMap::new(), has_default: false });
                self.context.break_levels.push(self.context.cleanups.len());
                let body = self.single(body);
                self.context.break_levels.pop();
                self.context.switches.pop();
                StmtKind::Switch(subject?, body)
            }
            Syntax::Case(low, high, then) => {
                let range = self.case_range(low, high.as_ref(), span);
                let then = self.single(then);
                let (low, high) = range?;
                StmtKind::Case { low, high, then }
            }
            Syntax::Default(then) => {
                let Some(switch) = self.context.switches.last_mut() else {
                    return self.error(span, "`default` stands outside of any `switch`");
                };
                if std::mem::replace(&mut switch.has_default, true) {
                    return self.error(span, "there are two `default` in this `switch`");
                }
                StmtKind::Default(self.single(then))
            }
            Syntax::Break if self.context.loops > 0 || !self.context.switches.is_empty() => {
                self.run_cleanups(self.context.break_levels.last().copied(), out)?;
                StmtKind::Break
            }
            Syntax::Break => return self.error(span, "`break` stands outside of any loop or `switch`"),
            Syntax::Continue if self.context.loops > 0 => {
                self.run_cleanups(self.context.continue_levels.last().copied(), out)?;
                StmtKind::Continue
            }
            Syntax::Continue => return self.error(span, "`continue` stands outside of any loop"),
            Syntax::Label(name, then) => StmtKind::Label(self.label(*name, true)?, self.single(then)),
            Syntax::Goto(name) => return self.goto(*name, span, out),
            Syntax::GotoValue(address) => return self.goto_value(address, span, out),
            Syntax::Return(value) => return self.return_statement(value.as_ref(), span, out),
            Syntax::Skip => StmtKind::Skip,
            Syntax::Unsupported(what) => return self.unsupported(span, what),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// A condition: any scalar.
    pub(super) fn test(&mut self, test: Written<'t>) -> Check<Expr> {
        let test = self.expr(test)?;
        self.scalar(test)
    }

    fn loop_body(&mut self, body: &'t syntax::Stmt<'t>) -> Box<Stmt> {
        self.context.loops += 1;
        self.context.break_levels.push(self.context.cleanups.len());
        self.context.continue_levels.push(self.context.cleanups.len());
        let body = self.single(body);
        self.context.continue_levels.pop();
        self.context.break_levels.pop();
        self.context.loops -= 1;
        body
    }

    fn case_range(&mut self, low: Written<'t>, high: Option<Written<'t>>, span: Span) -> Check<(Integer, Integer)> {
        let Some(ty) = self.context.switches.last().map(|switch| switch.ty.clone()) else {
            return self.error(span, "`case` stands outside of any `switch`");
        };
        let (first, last) = self.constant_range(low, high)?;
        let wrap = |value: i128| self.wrapped(value, &ty).unwrap_or(value);
        let (first, last) = (wrap(first), wrap(last));
        if let Some(switch) = self.context.switches.last_mut() {
            let taken = switch.cases.range(..=last).next_back().is_some_and(|(_, &end)| end >= first);
            if taken && first <= last {
                return self.error(low.span, "there is already a case for this value");
            }
            switch.cases.insert(first, last);
        }
        Ok((Integer::from(first), Integer::from(last)))
    }

    fn return_statement(&mut self, value: Option<Written<'t>>, span: Span, out: &mut Vec<Stmt>) -> Check<()> {
        let mut value = value.map(|value| self.expr(value)).transpose()?;
        if let Some(given) = value.take() {
            value = match (self.context.result.clone(), self.context.id) {
                (Type::Void, Some(id)) if self.inside_prelude && given.ty != Type::Void => {
                    // The first value says what a generic function gives.
                    self.context.result = given.ty.clone();
                    self.unit_functions[id.index()].ty.result = given.ty.clone();
                    Some(given)
                }
                // GCC warns; what the value does is done.
                (Type::Void, _) => {
                    out.push(Stmt { kind: StmtKind::Expr(given), span });
                    None
                }
                (result, _) => Some(self.converted(given, &result, span)?),
            };
        }
        if let (Some(given), false) = (&mut value, self.context.cleanups.is_empty()) {
            self.keep_value(given, out);
        }
        self.run_cleanups(Some(0), out)?;
        out.push(Stmt { kind: StmtKind::Return(value), span });
        Ok(())
    }
}

/// What is converted to `void`, or the expression itself.
fn without_void<'s, 't>(expr: &'s syntax::Expr<'t>) -> &'s syntax::Expr<'t> {
    match &expr.kind {
        syntax::ExprKind::Cast(_, inner) => inner,
        _ => expr,
    }
}

/// Is there a case of a `switch` around the statement?
fn has_case(statement: &syntax::Stmt<'_>) -> bool {
    match &statement.kind {
        Syntax::Case(..) | Syntax::Default(_) => true,
        Syntax::Block(statements) => statements.iter().any(has_case),
        Syntax::If(_, then, other) => has_case(then) || other.as_deref().is_some_and(has_case),
        Syntax::While(_, body) | Syntax::DoWhile(body, _) | Syntax::For(.., body) | Syntax::Label(_, body) => {
            has_case(body)
        }
        _ => false,
    }
}
