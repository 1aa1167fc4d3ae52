//! The translation of Figure 6, statement by statement.
//!
//! Every procedure gets the round `k` that it begins in as a parameter, and gives the round that it ends in and whether it failed. What
//! differs between the schedulers is `wait`, which DF does not have any more, and how far a failed assertion reaches.

use super::build::{add, assign, assume, everywhere, int, int_array, le, not, seq, stmt, var};
use super::rounds::{Rounds, Vector};
use super::turn::{gives, takes};
use super::{Scheduler, Sequential};
use braid_program::Diagnostic;
use braid_program::ast::{
    Check, Claim, Expr, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable,
};
use braid_program::source::Span;
use std::collections::BTreeMap;

type Translated<T> = Result<T, Diagnostic>;

/// The variables that a procedure gets.
#[derive(Clone, Copy)]
pub(super) struct Extra {
    /// The round that it begins in, a parameter.
    pub(super) from: VarId,
    /// The round that it is in, a result.
    pub(super) round: VarId,
    /// Has an assertion failed, a result.
    pub(super) failed: VarId,
    /// The identity of the running task, a parameter; there only if the program asks for it.
    pub(super) identity: Option<VarId>,
    /// Does the identity come as an argument that the program gives itself?
    pub(super) explicit: bool,
}

pub(super) struct Translation<'a> {
    pub(super) from: &'a Program,
    pub(super) out: Program,
    pub(super) scheduler: Scheduler,
    pub(super) turn: Option<VarId>,
    pub(super) delays_bound: u32,
    pub(super) rounds: Rounds,
    pub(super) exit: VarId,
    pub(super) delays: VarId,
    /// The number of the newest task.
    pub(super) tasks: VarId,
    /// The round in which each task ended, by its number; negative for tasks that were not started.
    pub(super) ended_in: VarId,
    /// What tasks gave, by type and place.
    pub(super) results: BTreeMap<(String, usize), VarId>,
    pub(super) extras: Vec<Extra>,
    /// Are there threads that have the numbers that the program gives them?
    pub(super) forks: bool,
    /// The procedure at hand, and whether an atomic block is.
    pub(super) here: ProcId,
    pub(super) atomic: bool,
    /// Where the procedure at hand saves `G` and `Guess`.
    pub(super) saved: Option<BTreeMap<VarId, (Vector, Vector)>>,
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

pub(super) fn declare(program: &mut Program, name: &str, ty: Type, storage: Storage, span: Span) -> VarId {
    program.variables.push(Variable { name: name.to_owned(), ty, storage, span });
    VarId(program.variables.len() as u32 - 1)
}

/// Does the program start threads under numbers of its own?
pub(super) fn starts_threads(program: &Program) -> bool {
    program.statements().any(|stmt| matches!(stmt.kind, StmtKind::Fork { .. }))
}

/// The global variables that are written somewhere.
fn written(program: &Program) -> Vec<VarId> {
    let mut written = vec![false; program.variables.len()];
    for stmt in program.statements() {
        stmt.targets().into_iter().for_each(|target| written[target.index()] = true);
    }
    let is_shared = |id: &VarId| written[id.index()] && program.variable(*id).storage == Storage::Global;
    (0..program.variables.len() as u32).map(VarId).filter(is_shared).collect()
}

impl Translation<'_> {
    pub(super) fn read(&self, id: VarId, span: Span) -> Expr {
        var(&self.out, id, span)
    }

    pub(super) fn local(&mut self, name: &str, ty: Type, span: Span) -> VarId {
        declare(&mut self.out, name, ty, Storage::Local(self.here), span)
    }

    pub(super) fn extra(&self) -> Extra {
        self.extras[self.here.index()]
    }

    pub(super) fn round(&self, span: Span) -> Expr {
        self.read(self.extra().round, span)
    }

    pub(super) fn expr(&self, expr: &Expr) -> Expr {
        self.rounds.read(&self.out, expr, &self.round(expr.span))
    }

    /// Assignments, to local variables and to the shared ones of this round. The values are those of this round already.
    pub(super) fn set(&self, pairs: &[(VarId, Expr)], span: Span) -> Stmt {
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
        all.push(stmt(StmtKind::Assert(Check::Assertion, not(failed)), span));
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
            StmtKind::Assume(test) | StmtKind::Await(test, _) => all.push(assume(self.expr(test))),
            StmtKind::Assert(_, test) => {
                let mut fail = vec![self.set(&[(self.exit, Expr::bool(true, span))], span)];
                fail.extend(self.leave(span));
                let fails = not(self.expr(test));
                all.push(plain(StmtKind::If(fails, Box::new(seq(fail, span)), None)));
            }
            StmtKind::Unmodelled(_) => all.push(item.clone()),
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
        match &stmt.kind {
            StmtKind::Async { .. } | StmtKind::Fork { .. } | StmtKind::Wait { .. } | StmtKind::Join { .. } => true,
            StmtKind::Atomic(body) => body.all().any(|item| self.is_visible(item)),
            _ => stmt.touches(|id| self.rounds.copies.contains_key(&id)),
        }
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
    pub(super) fn exit_check(&self, span: Span) -> Option<Stmt> {
        let exit = || self.rounds.at(&self.out, self.exit, &self.round(span), span);
        let check = || stmt(StmtKind::If(exit(), Box::new(seq(self.leave(span).into(), span)), None), span);
        (self.scheduler == Scheduler::Dfw).then(check)
    }
}
