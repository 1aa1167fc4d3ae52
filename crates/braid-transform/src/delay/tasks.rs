//! Calls, tasks and waiting in sequential programs (paper 3, Figure 6: `call`, `async` and `wait`).

use super::Scheduler;
use super::build::{assign, assume, ge, int, int_array, ite, le, select, stmt, store};
use super::rounds::{Vector, vector};
use super::translate::{Translation, declare};
use braid_program::ast::{Expr, ProcId, Stmt, StmtKind, Storage, Type, VarId, Variable};
use braid_program::source::Span;
use std::collections::BTreeMap;

impl Translation<'_> {
    /// `call (x, k) := p(e, k)`, and the end of this procedure if that one failed.
    pub(super) fn call(
        &mut self,
        results: &[VarId],
        callee: ProcId,
        arguments: Vec<Expr>,
        span: Span,
        all: &mut Vec<Stmt>,
    ) {
        let extra = self.extra();
        let identity = extra.identity.filter(|_| !self.extras[callee.index()].explicit).map(|id| self.read(id, span));
        let (taken, late) = self.own_targets(results, span);
        let arguments = arguments.into_iter().chain(identity).chain([self.round(span)]).collect();
        let results = taken.into_iter().chain([extra.round, extra.failed]).collect();
        all.push(stmt(StmtKind::Call { results, procedure: callee, arguments }, span));
        let failed = self.read(extra.failed, span);
        all.push(stmt(StmtKind::If(failed, Box::new(stmt(StmtKind::Return, span)), None), span));
        if !late.is_empty() {
            all.push(self.set(&late, span));
        }
    }

    /// Local variables for results, and what is to be assigned to shared ones afterwards.
    fn own_targets(&mut self, results: &[VarId], span: Span) -> (Vec<VarId>, Vec<(VarId, Expr)>) {
        let mut late = Vec::new();
        let mut own = Vec::new();
        for &target in results {
            if self.rounds.copies.contains_key(&target) {
                let Variable { name, ty, .. } = self.from.variable(target).clone();
                let value = self.local(&format!("got_{name}"), ty, span);
                late.push((target, self.read(value, span)));
                own.push(value);
            } else {
                own.push(target);
            }
        }
        (own, late)
    }

    /// `async t := p e`: calls the task at once, on what those before it leave behind. Gives its number, if it can be asked for.
    pub(super) fn start(
        &mut self,
        callee: ProcId,
        arguments: &[Expr],
        number: Expr,
        span: Span,
        all: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let dfw = self.scheduler == Scheduler::Dfw;
        let mut own = Vec::new();
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.local("argument", argument.ty.clone(), span);
            own.push((value, self.expr(argument)));
            values.push(self.read(value, span));
        }
        let callee_extra = self.extras[callee.index()];
        let task = (dfw || callee_extra.identity.is_some()).then(|| {
            let task = self.local("task", Type::Int, span);
            own.push((task, number));
            task
        });
        if !own.is_empty() {
            all.push(assign(own, span));
        }
        let identity = callee_extra.identity.filter(|_| !callee_extra.explicit).and(task);
        values.extend(identity.map(|task| self.read(task, span)));
        values.push(self.round(span));
        if let (true, Some(task)) = (dfw, task) {
            // It has not ended.
            let not_yet = store(self.read(self.ended_in, span), self.read(task, span), Expr::int(-1, span));
            all.push(assign(vec![(self.ended_in, not_yet)], span));
        }
        let saved = self.saved();
        all.push(self.save(&saved, span));
        all.push(self.rounds.copy(&self.out, |copies| &copies.now, |copies| &copies.next, span));
        all.extend(self.rounds.guess(&self.out, span));
        let ended = self.local("k_end", Type::Int, span);
        let failed = self.local("task_failed", Type::Bool, span);
        let header = self.from.procedure(callee).results.clone();
        let given: Vec<VarId> = header
            .iter()
            .map(|&result| {
                let ty = self.from.variable(result).ty.clone();
                self.local("given", ty, span)
            })
            .collect();
        let results = given.iter().copied().chain([ended, failed]).collect();
        let call = stmt(StmtKind::Call { results, procedure: callee, arguments: values }, span);
        if dfw {
            // A failed assertion ends tasks before they begin.
            let exit = self.rounds.at(&self.out, self.exit, &self.round(span), span);
            let skipped = assign(vec![(ended, self.round(span))], span);
            all.push(stmt(StmtKind::If(exit, Box::new(skipped), Some(Box::new(call))), span));
        } else {
            all.push(call);
        }
        all.extend(self.rounds.confirm(&self.out, span));
        all.push(self.restore(&saved, span));
        let task = task.map(|task| self.read(task, span));
        if let (true, Some(task)) = (dfw, &task) {
            let ended_in = store(self.read(self.ended_in, span), task.clone(), self.read(ended, span));
            let mut notes = vec![(self.ended_in, ended_in)];
            for (place, &value) in given.iter().enumerate() {
                let result = self.results_of(&self.out.variable(value).ty.clone(), place, span);
                notes.push((result, store(self.read(result, span), task.clone(), self.read(value, span))));
            }
            all.push(assign(notes, span));
        }
        task
    }

    /// The array that holds what tasks give at a place, if it is of this type.
    fn results_of(&mut self, ty: &Type, place: usize, span: Span) -> VarId {
        let key = (ty.to_string(), place);
        if let Some(&known) = self.results.get(&key) {
            return known;
        }
        let name = format!("result_{}", self.results.len());
        let id = declare(&mut self.out, &name, int_array(ty.clone()), Storage::Global, span);
        self.results.insert(key, id);
        id
    }

    /// `x := wait t`.
    pub(super) fn wait(&mut self, results: &[VarId], handle: &Expr, span: Span, all: &mut Vec<Stmt>) {
        let task = self.local("awaited", Type::Int, span);
        all.push(assign(vec![(task, self.expr(handle))], span));
        all.extend(self.rounds.confirm(&self.out, span));
        all.push(self.rounds.copy(&self.out, |copies| &copies.now, |copies| &copies.next, span));
        all.extend(self.rounds.guess(&self.out, span));
        let ended = select(self.read(self.ended_in, span), self.read(task, span));
        if !self.forks {
            let awaited = self.read(task, span);
            all.push(assume(ge(awaited.clone(), int(1, span))));
            all.push(assume(le(awaited, self.read(self.tasks, span))));
        }
        all.push(assume(ge(ended.clone(), int(0, span))));
        let round = self.round(span);
        let later = ite(le(ended.clone(), round.clone()), round, ended);
        all.push(assign(vec![(self.extra().round, later)], span));
        let mut taken = Vec::new();
        for (place, &target) in results.iter().enumerate() {
            let result = self.results_of(&self.from.variable(target).ty.clone(), place, span);
            taken.push((target, select(self.read(result, span), self.read(task, span))));
        }
        if !taken.is_empty() {
            all.push(self.set(&taken, span));
        }
        all.extend(self.exit_check(span));
    }

    /// Where this procedure saves `G` and `Guess`.
    fn saved(&mut self) -> BTreeMap<VarId, (Vector, Vector)> {
        if self.saved.is_none() {
            let (count, storage) = (self.rounds.count, Storage::Local(self.here));
            let ids: Vec<VarId> = self.rounds.copies.keys().copied().collect();
            let mut declare = |id, suffix| vector(&mut self.out, id, suffix, count, storage);
            let both = ids.into_iter().map(|id| (id, (declare(id, "_saved"), declare(id, "_saved_guess"))));
            self.saved = Some(both.collect());
        }
        self.saved.clone().unwrap_or_default()
    }

    fn save(&self, saved: &BTreeMap<VarId, (Vector, Vector)>, span: Span) -> Stmt {
        let pairs = saved.iter().flat_map(|(id, (now, guess))| {
            let copies = &self.rounds.copies[id];
            now.iter().zip(&copies.now).chain(guess.iter().zip(&copies.guess))
        });
        assign(pairs.map(|(&to, &from)| (to, self.read(from, span))).collect(), span)
    }

    fn restore(&self, saved: &BTreeMap<VarId, (Vector, Vector)>, span: Span) -> Stmt {
        let pairs = saved.iter().flat_map(|(id, (now, guess))| {
            let copies = &self.rounds.copies[id];
            copies.now.iter().zip(now).chain(copies.guess.iter().zip(guess))
        });
        assign(pairs.map(|(&to, &from)| (to, self.read(from, span))).collect(), span)
    }
}
