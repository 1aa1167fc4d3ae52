//! Programs without waiting (paper 3, Figure 7), for the scheduler that knows nothing of it: whether a task has ended and what it
//! gives are global variables, and to wait for a task is to go on only if it has ended.

use super::build::{add, assign, assume, everywhere, ge, int, int_array, le, select, seq, stmt, store, var};
use super::translate::starts_threads;
use braid_program::ast::{
    Expr, Fold, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable, fold_stmt,
};
use braid_program::source::Span;
use std::collections::BTreeMap;

/// The same program; `Wait` and `Join` are assumptions on what tasks write at their ends.
pub(super) fn without_waits(program: &Program) -> Program {
    let mut out = program.clone();
    let span = program.procedure(program.main).span;
    let mut global = |name: &str, ty: Type| {
        out.variables.push(Variable { name: name.to_owned(), ty, storage: Storage::Global, span });
        VarId(out.variables.len() as u32 - 1)
    };
    let ended = global("ended", int_array(Type::Bool));
    let unique = global("unique_id", Type::Int);
    let mut results: BTreeMap<(String, usize), VarId> = BTreeMap::new();
    for (key, ty) in result_types(program) {
        let name = format!("result_{}", results.len());
        results.insert(key, global(&name, int_array(ty)));
    }
    let forks = starts_threads(program);
    let mut work = Work { out, forks, ended, unique, results, wrappers: BTreeMap::new() };
    for number in 0..program.procedures.len() {
        let body = work.stmt(&program.procedures[number].body);
        work.out.procedures[number].body = body;
    }
    let main = program.main.index();
    let mut first = vec![(unique, int(0, span))];
    if forks {
        first.push((ended, everywhere(Expr::bool(false, span))));
    }
    let body = std::mem::replace(&mut work.out.procedures[main].body, Stmt::skip(span));
    work.out.procedures[main].body = seq(vec![assign(first, span), body], span);
    work.out
}

/// The types of results of started procedures, by their text and their place.
fn result_types(program: &Program) -> BTreeMap<(String, usize), Type> {
    let mut types = BTreeMap::new();
    for stmt in program.statements() {
        if let StmtKind::Async { procedure, .. } | StmtKind::Fork { procedure, .. } = &stmt.kind {
            for (place, &id) in program.procedure(*procedure).results.iter().enumerate() {
                let ty = program.variable(id).ty.clone();
                types.insert((ty.to_string(), place), ty);
            }
        }
    }
    types
}

struct Work {
    out: Program,
    /// Are there threads that have the numbers that the program gives them?
    forks: bool,
    /// Which tasks have ended, by their numbers.
    ended: VarId,
    /// The number of the newest task.
    unique: VarId,
    /// What they gave, by type and place.
    results: BTreeMap<(String, usize), VarId>,
    /// What runs a procedure and notes its end.
    wrappers: BTreeMap<ProcId, ProcId>,
}

impl Work {
    fn read(&self, id: VarId, span: Span) -> Expr {
        var(&self.out, id, span)
    }

    fn result_at(&self, ty: &Type, place: usize) -> Option<VarId> {
        self.results.get(&(ty.to_string(), place)).copied()
    }

    /// `proc p(l, self)`: runs the procedure; `result[self] := e` at its end.
    fn wrapper(&mut self, id: ProcId) -> ProcId {
        if let Some(&wrapper) = self.wrappers.get(&id) {
            return wrapper;
        }
        let wrapper = ProcId(self.out.procedures.len() as u32);
        self.wrappers.insert(id, wrapper);
        let callee = self.out.procedure(id).clone();
        let span = callee.span;
        let copy = |work: &mut Work, id: VarId| {
            let variable = Variable { storage: Storage::Local(wrapper), ..work.out.variable(id).clone() };
            work.out.variables.push(variable);
            VarId(work.out.variables.len() as u32 - 1)
        };
        let mut parameters: Vec<VarId> = callee.parameters.iter().map(|&id| copy(self, id)).collect();
        let given: Vec<VarId> = callee.results.iter().map(|&id| copy(self, id)).collect();
        let arguments = parameters.iter().map(|&id| self.read(id, span)).collect();
        let own = Variable { name: "self".into(), ty: Type::Int, storage: Storage::Local(wrapper), span };
        self.out.variables.push(own);
        let own = VarId(self.out.variables.len() as u32 - 1);
        parameters.push(own);
        let mut end = vec![(self.ended, true_at(&self.read(self.ended, span), self.read(own, span)))];
        for (place, &id) in given.iter().enumerate() {
            if let Some(result) = self.result_at(&self.out.variable(id).ty, place) {
                end.push((result, store(self.read(result, span), self.read(own, span), self.read(id, span))));
            }
        }
        let call = stmt(StmtKind::Call { results: given, procedure: id, arguments }, span);
        let body = seq(vec![call, assign(end, span)], span);
        let name = format!("{} (awaited)", callee.name);
        let identity = Some(own);
        self.out.procedures.push(Procedure { name, parameters, results: Vec::new(), identity, body, span });
        wrapper
    }
}

impl Fold for Work {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let span = stmt.span;
        let kind = match &stmt.kind {
            StmtKind::Async { handle, procedure, arguments } => {
                let next = add(self.read(self.unique, span), int(1, span));
                let number = self.read(self.unique, span);
                let mut all = vec![assign(vec![(self.unique, next)], span), self.not_ended(number.clone())];
                all.push(self.start(*procedure, arguments, number, span));
                all.extend(handle.map(|handle| assign(vec![(handle, self.read(self.unique, span))], span)));
                StmtKind::Atomic(Box::new(seq(all, span)))
            }
            StmtKind::Fork { identity, procedure, arguments } => {
                let start = self.start(*procedure, arguments, identity.clone(), span);
                StmtKind::Atomic(Box::new(seq(vec![self.not_ended(identity.clone()), start], span)))
            }
            StmtKind::Wait { results, handle } | StmtKind::Join { results, identity: handle } => {
                let mut all = vec![assume(select(self.read(self.ended, span), handle.clone()))];
                if !self.forks {
                    all.push(assume(ge(handle.clone(), int(1, span))));
                    all.push(assume(le(handle.clone(), self.read(self.unique, span))));
                }
                let mut taken = Vec::new();
                for (place, &target) in results.iter().enumerate() {
                    if let Some(result) = self.result_at(&self.out.variable(target).ty, place) {
                        taken.push((target, select(self.read(result, span), handle.clone())));
                    }
                }
                if !taken.is_empty() {
                    all.push(assign(taken, span));
                }
                StmtKind::Seq(all)
            }
            _ => return fold_stmt(self, stmt),
        };
        Stmt { kind, span }
    }
}

impl Work {
    /// `result[t] := ⊥`.
    fn not_ended(&self, number: Expr) -> Stmt {
        let span = number.span;
        let reset = store(self.read(self.ended, span), number, Expr::bool(false, span));
        assign(vec![(self.ended, reset)], span)
    }

    /// `async p(e, t)`.
    fn start(&mut self, procedure: ProcId, arguments: &[Expr], number: Expr, span: Span) -> Stmt {
        let procedure = self.wrapper(procedure);
        let arguments = arguments.iter().cloned().chain([number]).collect();
        stmt(StmtKind::Async { handle: None, procedure, arguments }, span)
    }
}

fn true_at(array: &Expr, index: Expr) -> Expr {
    let span = index.span;
    store(array.clone(), index, Expr::bool(true, span))
}
