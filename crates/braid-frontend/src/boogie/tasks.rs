//! Asynchronous tasks (paper 3, Section 2), in the notation of its experiments.
//!
//! Tasks switch only where a `yield` or a `wait` stands, and where they end. One variable says whether some task is running: who
//! runs sets it, and clears it to let others run. Everything else in a task happens while it is set, so nobody comes in between.

use super::procedures::ProcedureInfo;
use super::scope::{Kind, Scope};
use super::syntax::{
    Attribute, AttributeArgument, Declaration, Expr as Syntax, ExprKind, Name, Stmt as StmtSyntax, StmtKind as Kinds,
};
use super::types::Ty;
use super::{Read, Reader};
use crate::Diagnostic;
use braid_program::ast::{Expr, Op, ProcId, Procedure, Stmt, StmtKind, Storage, Type, VarId, Variable};
use braid_program::source::Span;

/// The attribute of that name.
pub(super) fn attribute<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name == name)
}

/// The asynchronous statements and the forks of a body, first ones first.
fn first_uses(statements: &[StmtSyntax]) -> (Option<Span>, Option<Span>) {
    let (mut task, mut fork): (Option<Span>, Option<Span>) = (None, None);
    let mut todo: Vec<&StmtSyntax> = statements.iter().rev().collect();
    while let Some(stmt) = todo.pop() {
        match &stmt.kind {
            Kinds::Call { attributes, .. } if attribute(attributes, "async").is_some() => {
                task.get_or_insert(stmt.span);
            }
            Kinds::Assume(attributes, _)
                if attribute(attributes, "yield").or(attribute(attributes, "wait")).is_some() =>
            {
                task.get_or_insert(stmt.span);
            }
            Kinds::Fork { .. } | Kinds::Join { .. } => {
                fork.get_or_insert(stmt.span);
            }
            _ => {}
        }
        let children: Vec<&StmtSyntax> = stmt.children().collect();
        todo.extend(children.into_iter().rev());
    }
    (task, fork)
}

impl<'s> Reader<'s> {
    /// Finds the types whose values name tasks: those of the variables in `{:async t}`.
    pub(super) fn find_task_types(&mut self, declarations: &[Declaration]) {
        let bodies = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Procedure { header, body: Some(body), .. } => Some((header, body)),
            Declaration::Implementation { header, body } => Some((header, body)),
            _ => None,
        });
        let globals = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Globals(groups) => Some(groups),
            _ => None,
        });
        let globals: Vec<_> = globals.flatten().collect();
        for (header, body) in bodies {
            let mut handles: Vec<&str> = Vec::new();
            let mut todo: Vec<&StmtSyntax> = body.statements.iter().collect();
            while let Some(stmt) = todo.pop() {
                todo.extend(stmt.children());
                let (Kinds::Call { attributes, .. } | Kinds::Assume(attributes, _)) = &stmt.kind else { continue };
                let found = attribute(attributes, "async").or(attribute(attributes, "wait"));
                let last = found.and_then(|attribute| attribute.arguments.last());
                if let Some(AttributeArgument::Expr(Syntax { kind: ExprKind::Name(name), .. })) = last {
                    handles.push(name);
                }
            }
            let groups = body.locals.iter().chain(&header.parameters).chain(&header.results);
            for group in groups.chain(globals.iter().copied()) {
                if group.names.iter().any(|name| handles.contains(&name.text.as_str()))
                    && let Ok(Ty::Named(constructor, _)) = self.ty(&group.ty)
                {
                    self.task_types.insert(constructor);
                }
            }
        }
    }

    /// Finds out which of the two dialects the program is written in.
    pub(super) fn find_dialect(&mut self, procedures: &[ProcedureInfo<'s>]) {
        let bodies = procedures.iter().filter_map(|info| info.body);
        let uses: Vec<_> = bodies.map(|(_, body)| first_uses(&body.statements)).collect();
        let task = uses.iter().find_map(|(task, _)| *task);
        let fork = uses.iter().find_map(|(_, fork)| *fork);
        if let (Some(_), Some(fork)) = (task, fork) {
            let error = Diagnostic::new(fork, "`fork` and `join` cannot stand in a program with asynchronous calls");
            self.errors
                .push(error.hint("threads that fork switch anywhere, asynchronous tasks only at `yield` and `wait`"));
        }
        if let Some(span) = task {
            let variable = Variable { name: "task running".to_owned(), ty: Type::Bool, storage: Storage::Global, span };
            self.running = Some(self.new_variable(variable));
        }
    }

    /// Lets other tasks run.
    pub(super) fn give_way(&self, span: Span) -> Option<Stmt> {
        let running = self.running?;
        Some(Stmt { kind: StmtKind::Assign(vec![(running, Expr::bool(false, span))]), span })
    }

    /// Waits until no task is running, and runs.
    fn take_turn(&self, span: Span) -> Option<Stmt> {
        let running = self.running?;
        let free = Expr::op(Op::Not, vec![Expr::var(&self.program, running, span)], span).ok()?;
        let test = Stmt { kind: StmtKind::Assume(free), span };
        let set = Stmt { kind: StmtKind::Assign(vec![(running, Expr::bool(true, span))]), span };
        let both = Stmt { kind: StmtKind::Seq(vec![test, set]), span };
        Some(Stmt { kind: StmtKind::Atomic(Box::new(both)), span })
    }

    /// The first task runs.
    pub(super) fn begin_tasks(&self, span: Span) -> impl Iterator<Item = Stmt> {
        self.give_way(span).into_iter().chain(self.take_turn(span))
    }

    /// `assume {:yield} true`.
    pub(super) fn yield_here(&self, span: Span) -> Read<Vec<Stmt>> {
        self.not_in_atomic(span, "a task cannot yield inside an atomic block")?;
        Ok(self.give_way(span).into_iter().chain(self.take_turn(span)).collect())
    }

    fn not_in_atomic(&self, span: Span, message: &str) -> Read<()> {
        if self.frame.atomic { Err(Diagnostic::new(span, message)) } else { Ok(()) }
    }

    /// `assume {:wait x, t} true`: the results of the task go into the variables before its name.
    pub(super) fn wait(&mut self, scope: &Scope, attribute: &Attribute, span: Span) -> Read<Vec<Stmt>> {
        self.not_in_atomic(span, "a task cannot wait inside an atomic block")?;
        let mut names = Vec::new();
        for argument in &attribute.arguments {
            match argument {
                AttributeArgument::Expr(Syntax { kind: ExprKind::Name(name), span }) => {
                    names.push(Name { text: name.clone(), span: *span });
                }
                _ => {
                    let error = Diagnostic::new(attribute.span, "`wait` takes names of variables");
                    return Err(error.hint("write `{:wait x, t}`: the task `t`, its result into `x`"));
                }
            }
        }
        let Some(handle) = names.pop() else {
            let error = Diagnostic::new(attribute.span, "`wait` takes the variable that names the task");
            return Err(error.hint("write `{:wait t}`, or `{:wait x, t}` for its result"));
        };
        let handle_kind = self.meaning(scope, &handle.text, handle.span)?.kind;
        let handle = self.handle(scope, &handle)?;
        let mut handle = Expr::var(&self.program, handle, span);
        let mut all = Vec::new();
        // While others run, this task only looks at variables of its own.
        if handle_kind == Kind::Global {
            let own = self.temporary("task", handle.ty.clone(), span);
            all.push(Stmt { kind: StmtKind::Assign(vec![(own, handle)]), span });
            handle = Expr::var(&self.program, own, span);
        }
        let (mut results, mut late) = (Vec::new(), Vec::new());
        for name in &names {
            let target = self.target(scope, name)?;
            if self.program.variable(target).storage == Storage::Global {
                let own = self.temporary(&name.text, self.program.variable(target).ty.clone(), span);
                late.push((target, Expr::var(&self.program, own, span)));
                results.push(own);
            } else {
                results.push(target);
            }
        }
        all.extend(self.give_way(span));
        all.push(Stmt { kind: StmtKind::Wait { results, handle }, span });
        all.extend(self.take_turn(span));
        if !late.is_empty() {
            all.push(Stmt { kind: StmtKind::Assign(late), span });
        }
        Ok(all)
    }

    /// A variable that names a task.
    fn handle(&mut self, scope: &Scope, name: &Name) -> Read<VarId> {
        let meaning = self.meaning(scope, &name.text, name.span)?;
        let (id, ty) = (meaning.variable, meaning.value.ty.clone());
        match id {
            Some(id) if self.program.variable(id).ty == Type::Int => Ok(id),
            _ => {
                let error = Diagnostic::new(name.span, format!("a task cannot be kept in a variable of type {ty}"));
                Err(error.hint("declare `type task a;`, and the variable of type `task int`"))
            }
        }
    }

    /// `call {:async t} p(…)`: the name of the new task goes into `t`; its results are there after a `wait`.
    pub(super) fn start_task(
        &mut self,
        scope: &Scope,
        attribute: &Attribute,
        callee: &ProcedureInfo<'s>,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Read<Stmt> {
        let handle = match attribute.arguments.as_slice() {
            [] => None,
            [AttributeArgument::Expr(Syntax { kind: ExprKind::Name(name), span })] => {
                let name = Name { text: name.clone(), span: *span };
                self.target(scope, &name)?;
                Some(self.handle(scope, &name)?)
            }
            _ => {
                let error = Diagnostic::new(attribute.span, "`async` takes the variable that names the new task");
                return Err(error.hint("write `{:async t}`, or `{:async}` alone"));
            }
        };
        let procedure = self.task_start(callee);
        Ok(Stmt { kind: StmtKind::Async { handle, procedure, arguments }, span })
    }

    /// The procedure that waits for its turn, runs another, and lets others run.
    fn task_start(&mut self, callee: &ProcedureInfo<'s>) -> ProcId {
        if let Some(&start) = self.task_starts.get(&callee.id) {
            return start;
        }
        let id = ProcId(self.program.procedures.len() as u32);
        self.task_starts.insert(callee.id, id);
        let span = callee.header.span;
        let copies = |reader: &mut Self, variables: &[(VarId, Ty)]| -> Vec<VarId> {
            let copy = |(id, _): &(VarId, Ty)| reader.program.variable(*id).clone();
            let declared: Vec<Variable> = variables.iter().map(copy).collect();
            let declared = declared.into_iter().map(|variable| Variable { storage: Storage::Local(id), ..variable });
            declared.map(|variable| reader.new_variable(variable)).collect()
        };
        let parameters = copies(self, &callee.parameters);
        let results = copies(self, &callee.results);
        let arguments = parameters.iter().map(|&id| Expr::var(&self.program, id, span)).collect();
        let call = StmtKind::Call { results: results.clone(), procedure: callee.id, arguments };
        let mut all: Vec<Stmt> = self.take_turn(span).into_iter().collect();
        all.push(Stmt { kind: call, span });
        all.extend(self.give_way(span));
        let body = Stmt { kind: StmtKind::Seq(all), span };
        let name = format!("{} (task)", callee.header.name.text);
        self.program.procedures.push(Procedure { name, parameters, results, identity: None, body, span });
        id
    }

    fn temporary(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        let storage = Storage::Local(self.frame.procedure.unwrap_or(self.program.main));
        self.new_variable(Variable { name: format!("{name} (awaited)"), ty, storage, span })
    }
}
