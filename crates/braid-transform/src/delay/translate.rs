//! The translation of Figure 6, statement by statement.
//!
//! Every procedure gets the round `k` that it begins in as a parameter, and gives the round that it ends in and whether it failed. What
//! differs between the schedulers is `wait`, which DF does not have any more, and how far a failed assertion reaches.

use super::build::{add, assign, assume, everywhere, ge, int, int_array, ite, le, not, select, seq, stmt, store, var};
use super::rounds::{Rounds, Vector, vector};
use super::turn::{gives, takes};
use super::{Scheduler, Sequential};
use braid_frontend::Diagnostic;
use braid_program::ast::{Claim, Expr, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable};
use braid_program::source::Span;
use std::collections::BTreeMap;

type Translated<T> = Result<T, Diagnostic>;

/// The variables that a procedure gets.
#[derive(Clone, Copy)]
struct Extra {
    /// The round that it begins in, a parameter.
    from: VarId,
    /// The round that it is in, a result.
    round: VarId,
    /// Has an assertion failed, a result.
    failed: VarId,
    /// The identity of the running task, a parameter; there only if the program asks for it.
    identity: Option<VarId>,
    /// Does the identity come as an argument that the program gives itself?
    explicit: bool,
}

struct Translation<'a> {
    from: &'a Program,
    out: Program,
    scheduler: Scheduler,
    turn: Option<VarId>,
    delays_bound: u32,
    rounds: Rounds,
    exit: VarId,
    delays: VarId,
    /// The number of the newest task.
    tasks: VarId,
    /// The round in which each task ended, by its number; negative for tasks that were not started.
    ended_in: VarId,
    /// What tasks gave, by type and place.
    results: BTreeMap<(String, usize), VarId>,
    extras: Vec<Extra>,
    /// Are there threads that have the numbers that the program gives them?
    forks: bool,
    /// The procedure at hand, and whether an atomic block is.
    here: ProcId,
    atomic: bool,
    /// Where the procedure at hand saves `G` and `Guess`.
    saved: Option<BTreeMap<VarId, (Vector, Vector)>>,
}

/// Makes the sequential program.
pub(super) fn translate(
    program: &Program,
    scheduler: Scheduler,
    turn: Option<VarId>,
    delays: u32,
) -> Translated<Sequential> {
    let span = program.procedure(program.main).span;
    let mut out = program.clone();
    out.claim = Claim::AssertionsHold;
    out.seeds = Vec::new();
    let mut global = |name: &str, ty: Type| declare(&mut out, name, ty, Storage::Global, span);
    let exit = global("exit", Type::Bool);
    let counter = global("delays", Type::Int);
    let tasks = global("tasks", Type::Int);
    let ended_in = global("ended_in", int_array(Type::Int));
    let mut shared = written(program);
    shared.retain(|id| Some(*id) != turn);
    shared.push(exit);
    let rounds = Rounds::declare(&mut out, &shared, delays + 1);
    let mut translation = Translation {
        from: program,
        out,
        scheduler,
        turn,
        delays_bound: delays,
        rounds,
        exit,
        delays: counter,
        tasks,
        ended_in,
        results: BTreeMap::new(),
        extras: Vec::new(),
        forks: starts_threads(program),
        here: program.main,
        atomic: false,
        saved: None,
    };
    translation.headers();
    for number in 0..program.procedures.len() {
        translation.procedure(ProcId(number as u32))?;
    }
    translation.main(span);
    let last = translation.rounds.copies.iter();
    let last = last.map(|(&id, copies)| (id, copies.next[delays as usize])).filter(|(id, _)| *id != exit).collect();
    Ok(Sequential { program: translation.out, last })
}

fn declare(program: &mut Program, name: &str, ty: Type, storage: Storage, span: Span) -> VarId {
    program.variables.push(Variable { name: name.to_owned(), ty, storage, span });
    VarId(program.variables.len() as u32 - 1)
}

/// Does the program start threads under numbers of its own?
pub(super) fn starts_threads(program: &Program) -> bool {
    let mut todo: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = todo.pop() {
        if matches!(stmt.kind, StmtKind::Fork { .. }) {
            return true;
        }
        todo.extend(stmt.children());
    }
    false
}

/// The global variables that are written somewhere.
fn written(program: &Program) -> Vec<VarId> {
    let mut written = vec![false; program.variables.len()];
    let mut todo: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = todo.pop() {
        stmt.parts(&mut |_| {}, &mut |target| written[target.index()] = true);
        todo.extend(stmt.children());
    }
    let is_shared = |id: &VarId| written[id.index()] && program.variable(*id).storage == Storage::Global;
    (0..program.variables.len() as u32).map(VarId).filter(is_shared).collect()
}

impl Translation<'_> {
    fn read(&self, id: VarId, span: Span) -> Expr {
        var(&self.out, id, span)
    }

    fn local(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        declare(&mut self.out, name, ty, Storage::Local(self.here), span)
    }

    fn extra(&self) -> Extra {
        self.extras[self.here.index()]
    }

    fn round(&self, span: Span) -> Expr {
        self.read(self.extra().round, span)
    }

    fn expr(&self, expr: &Expr) -> Expr {
        self.rounds.read(&self.out, expr, &self.round(expr.span))
    }

    /// Assignments, to local variables and to the shared ones of this round. The values are those of this round already.
    fn set(&self, pairs: &[(VarId, Expr)], span: Span) -> Stmt {
        let round = self.round(span);
        let set = |(target, value): &(VarId, Expr)| match self.rounds.copies.contains_key(target) {
            true => self.rounds.set(&self.out, *target, &round, value),
            false => vec![(*target, value.clone())],
        };
        assign(pairs.iter().flat_map(set).collect(), span)
    }

    /// Gives all procedures their new parameters and results.
    fn headers(&mut self) {
        let asks = self.from.procedures.iter().any(|procedure| procedure.identity.is_some());
        for (number, procedure) in self.from.procedures.iter().enumerate() {
            let (id, span) = (ProcId(number as u32), procedure.span);
            let mut local = |name: &str, ty| declare(&mut self.out, name, ty, Storage::Local(id), span);
            let (from, round) = (local("k_begin", Type::Int), local("k", Type::Int));
            let failed = local("failed", Type::Bool);
            let identity = asks.then(|| procedure.identity.unwrap_or_else(|| local("self", Type::Int)));
            let explicit = identity.is_some_and(|id| procedure.parameters.contains(&id));
            let header = &mut self.out.procedures[number];
            header.parameters.extend(identity.filter(|_| !explicit));
            header.parameters.push(from);
            header.results.extend([round, failed]);
            header.identity = None;
            self.extras.push(Extra { from, round, failed, identity, explicit });
        }
    }

    fn procedure(&mut self, id: ProcId) -> Translated<()> {
        (self.here, self.atomic, self.saved) = (id, false, None);
        let (body, span) = (&self.from.procedure(id).body, self.from.procedure(id).span);
        let extra = self.extra();
        let first = vec![(extra.round, self.read(extra.from, span)), (extra.failed, Expr::bool(false, span))];
        let mut all = vec![assign(first, span)];
        all.extend(self.block(body)?);
        if id == self.from.main && self.from.claim == Claim::NoCompleteExecution {
            all.push(self.set(&[(self.exit, Expr::bool(true, span))], span));
        }
        self.out.procedures[id.index()].body = seq(all, span);
        Ok(())
    }

    /// The procedure that guesses, runs the first task, and checks.
    fn main(&mut self, span: Span) {
        let id = ProcId(self.out.procedures.len() as u32);
        let inner = self.from.main;
        let (round, failed) = {
            let mut local = |name: &str, ty| declare(&mut self.out, name, ty, Storage::Local(id), span);
            (local("k", Type::Int), local("failed", Type::Bool))
        };
        let (out, rounds) = (&self.out, &self.rounds);
        let exits = &rounds.copies[&self.exit];
        let mut all = vec![assume(not(self.read(exits.now[0], span)))];
        all.push(rounds.copy(out, |copies| &copies.first, |copies| &copies.now, span));
        let zero = || int(0, span);
        let mut start = vec![(self.delays, zero()), (self.tasks, zero())];
        if self.forks {
            start.push((self.ended_in, everywhere(Expr::int(-1, span))));
        }
        all.push(assign(start, span));
        all.extend(rounds.guess(out, span));
        let identity = self.extras[inner.index()].identity.map(|_| zero());
        let arguments = identity.into_iter().chain([zero()]).collect();
        all.push(stmt(StmtKind::Call { results: vec![round, failed], procedure: inner, arguments }, span));
        all.extend(rounds.confirm(out, span));
        all.extend(rounds.connect(out, span));
        let failed = self.read(exits.next[self.delays_bound as usize], span);
        all.push(stmt(StmtKind::Assert(not(failed)), span));
        let body = seq(all, span);
        let name = "sequential main".to_owned();
        let (parameters, results) = (Vec::new(), Vec::new());
        self.out.procedures.push(Procedure { name, parameters, results, identity: None, body, span });
        self.out.main = id;
    }

    fn block(&mut self, stmt: &Stmt) -> Translated<Vec<Stmt>> {
        let mut items = Vec::new();
        super::build::flat(stmt, &mut items);
        let mut all = Vec::new();
        let mut gave = false;
        for item in items {
            if let Some(turn) = self.turn {
                // Others may run before a task takes the turn, and while it waits without having it.
                let free = std::mem::replace(&mut gave, gives(item, turn));
                if takes(item, turn) || (free && !gave) {
                    all.extend(self.preemption(item.span));
                }
                if gave || takes(item, turn) {
                    continue;
                }
            }
            self.statement(item, &mut all)?;
        }
        Ok(all)
    }

    fn boxed(&mut self, stmt: &Stmt) -> Translated<Box<Stmt>> {
        Ok(Box::new(seq(self.block(stmt)?, stmt.span)))
    }

    fn statement(&mut self, item: &Stmt, all: &mut Vec<Stmt>) -> Translated<()> {
        let span = item.span;
        if self.turn.is_none() && self.is_visible(item) {
            all.extend(self.preemption(span));
        }
        let plain = |kind| stmt(kind, span);
        match &item.kind {
            StmtKind::Assume(test) => all.push(assume(self.expr(test))),
            StmtKind::Assert(test) => {
                let mut fail = vec![self.set(&[(self.exit, Expr::bool(true, span))], span)];
                fail.extend(self.leave(span));
                let fails = not(self.expr(test));
                all.push(plain(StmtKind::If(fails, Box::new(seq(fail, span)), None)));
            }
            StmtKind::Assign(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(target, value)| (*target, self.expr(value))).collect();
                all.push(self.set(&pairs, span));
            }
            StmtKind::Havoc(targets) => {
                let (shared, own): (Vec<VarId>, Vec<VarId>) =
                    targets.iter().partition(|target| self.rounds.copies.contains_key(target));
                let mut pairs = Vec::new();
                let mut any = own;
                for target in shared {
                    let Variable { name, ty, .. } = self.from.variable(target).clone();
                    let value = self.local(&format!("any_{name}"), ty, span);
                    any.push(value);
                    pairs.push((target, self.read(value, span)));
                }
                all.push(plain(StmtKind::Havoc(any)));
                if !pairs.is_empty() {
                    all.push(self.set(&pairs, span));
                }
            }
            StmtKind::Seq(_) => all.extend(self.block(item)?),
            StmtKind::Choice(items) => {
                let ways: Translated<Vec<Stmt>> = items.iter().map(|way| Ok(*self.boxed(way)?)).collect();
                all.push(plain(StmtKind::Choice(ways?)));
            }
            StmtKind::If(test, then, other) => {
                let then = self.boxed(then)?;
                let other = other.as_ref().map(|other| self.boxed(other)).transpose()?;
                all.push(plain(StmtKind::If(self.expr(test), then, other)));
            }
            StmtKind::While(test, body) => {
                let mut round = self.block(body)?;
                if self.turn.is_none() && self.is_visible(item) {
                    round.extend(self.preemption(span));
                }
                all.push(plain(StmtKind::While(self.expr(test), Box::new(seq(round, span)))));
            }
            StmtKind::Loop(body) => {
                let body = self.boxed(body)?;
                all.push(plain(StmtKind::Loop(body)));
            }
            StmtKind::Par(_) => {
                let error = Diagnostic::new(span, "a `par` cannot be sequentialized");
                return Err(error.hint("use `async` and `wait`, or `fork` and `join`"));
            }
            StmtKind::Atomic(body) => {
                let outer = std::mem::replace(&mut self.atomic, true);
                let body = self.block(body);
                self.atomic = outer;
                all.extend(body?);
            }
            StmtKind::Declare(id, body) => {
                let body = self.boxed(body)?;
                all.push(plain(StmtKind::Declare(*id, body)));
            }
            StmtKind::Call { results, procedure, arguments } => {
                let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
                self.call(results, *procedure, arguments, span, all);
            }
            StmtKind::Async { handle, procedure, arguments } => {
                let next = add(self.read(self.tasks, span), int(1, span));
                all.push(assign(vec![(self.tasks, next)], span));
                let number = self.read(self.tasks, span);
                let number = self.start(*procedure, arguments, number, span, all);
                if let (Some(handle), Some(number)) = (handle, number) {
                    all.push(self.set(&[(*handle, number)], span));
                }
            }
            StmtKind::Fork { identity, procedure, arguments } => {
                let identity = self.expr(identity);
                self.start(*procedure, arguments, identity, span, all);
            }
            StmtKind::Wait { results, handle } | StmtKind::Join { results, identity: handle } => {
                self.wait(results, handle, span, all);
            }
            StmtKind::Return | StmtKind::Label(_) | StmtKind::Goto(_) => all.push(item.clone()),
        }
        Ok(())
    }

    /// Can another task notice the statement itself?
    fn is_visible(&self, stmt: &Stmt) -> bool {
        let mut visible = match &stmt.kind {
            StmtKind::Async { .. } | StmtKind::Fork { .. } | StmtKind::Wait { .. } | StmtKind::Join { .. } => true,
            StmtKind::Atomic(body) => {
                let mut todo: Vec<&Stmt> = vec![body];
                let mut found = false;
                while let Some(item) = todo.pop() {
                    found |= self.is_visible(item);
                    todo.extend(item.children());
                }
                found
            }
            _ => false,
        };
        let is_shared = |id: VarId| self.rounds.copies.contains_key(&id);
        stmt.parts(&mut |expr| expr.for_each_var(&mut |id| visible |= is_shared(id)), &mut |_| {});
        stmt.parts(&mut |_| {}, &mut |id| visible |= is_shared(id));
        visible
    }

    /// A possible preemption: any number of delays that is left.
    fn preemption(&mut self, span: Span) -> Option<Stmt> {
        if self.delays_bound == 0 || self.atomic {
            return None;
        }
        let mut ways = vec![Stmt::skip(span)];
        for count in 1..=self.delays_bound {
            let delays = add(self.read(self.delays, span), int(count, span));
            let enough = le(delays.clone(), int(self.delays_bound, span));
            let round = add(self.round(span), int(count, span));
            let moved = assign(vec![(self.delays, delays), (self.extra().round, round)], span);
            let mut way = vec![assume(enough), moved];
            way.extend(self.exit_check(span));
            ways.push(seq(way, span));
        }
        Some(stmt(StmtKind::Choice(ways), span))
    }

    /// Ends the procedure because of a failed assertion.
    fn leave(&self, span: Span) -> [Stmt; 2] {
        [assign(vec![(self.extra().failed, Expr::bool(true, span))], span), stmt(StmtKind::Return, span)]
    }

    /// Under DFW: ends the procedure if any assertion has failed.
    fn exit_check(&self, span: Span) -> Option<Stmt> {
        let exit = || self.rounds.at(&self.out, self.exit, &self.round(span), span);
        let check = || stmt(StmtKind::If(exit(), Box::new(seq(self.leave(span).into(), span)), None), span);
        (self.scheduler == Scheduler::Dfw).then(check)
    }

    /// `call (x, k) := p(e, k)`, and the end of this procedure if that one failed.
    fn call(&mut self, results: &[VarId], callee: ProcId, arguments: Vec<Expr>, span: Span, all: &mut Vec<Stmt>) {
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
    fn start(
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
    fn wait(&mut self, results: &[VarId], handle: &Expr, span: Span, all: &mut Vec<Stmt>) {
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
