//! Procedures that call themselves: their calls are inlined up to a bound, and share bodies where there would be too many.
//!
//! A procedure that calls itself twice would have twice as many bodies on each level. So bodies are shared: the calls that one call from
//! outside leads to have one body for each procedure and each *level* (how many of them are open around it). A variable says which call
//! the body returns to: each call sets it to a number of its own, and the way out of the body to a call asks for the number of that call.
//!
//! *Invariant*: calls of one level are never open at the same time, so a body, its locals and that variable belong to one call at a time.
//! Hence the executions are those of the inlined calls. Bodies that start threads are not shared: their threads are told apart by the
//! places where they are started. Nor are bodies in atomic blocks, which are walked through path by path.

use super::threads::{Frame, LowerError, Lowering};
use crate::ast::{Expr, ProcId, Program, Stmt, StmtKind, VarId};
use crate::cfa::{Location, Step, StepKind, ThreadId, Violation};
use crate::graph::{components, reached};
use braid_logic::{Sort, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where the calls that one call leads to are no more than this, each has a body of its own: no cycles, and no variable that says where to
/// return to.
const MOST_BODIES: u32 = 64;

/// Which calls share bodies, and which bodies there are.
pub(super) struct Recursion {
    /// Of each procedure, those that it calls, once for each call.
    callees: Vec<Vec<usize>>,
    /// Of each procedure, the number that it shares with those that call it and that it calls.
    component: Vec<usize>,
    /// Can a call of it start threads?
    starts_threads: Vec<bool>,
    bodies: FxHashMap<(u32, ProcId, u32), Shared>,
    scopes: u32,
}

/// Where a call stands among those that share bodies.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// The call from outside that led here.
    scope: u32,
    /// How many calls of its component are open around it, since then.
    level: u32,
}

struct Shared {
    frame: Rc<Frame>,
    entry: Location,
    exit: Location,
    /// The call that the body returns to.
    caller: Var,
    calls: i64,
}

impl Recursion {
    pub fn of(program: &Program) -> Recursion {
        let count = program.procedures.len();
        let mut callees = vec![Vec::new(); count];
        let mut starters = Vec::new();
        for (number, procedure) in program.procedures.iter().enumerate() {
            for stmt in procedure.body.all() {
                match &stmt.kind {
                    StmtKind::Call { procedure, .. } => callees[number].push(procedure.0 as usize),
                    StmtKind::Fork { .. } | StmtKind::Async { .. } | StmtKind::Par(_) => starters.push(number),
                    _ => {}
                }
            }
        }
        let mut callers = vec![Vec::new(); count];
        for (from, to) in callees.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |&to| (from, to))) {
            callers[to].push(from);
        }
        let starts_threads = reached(count, starters, |node| callers[node].clone());
        let component = components(&callees);
        Recursion { callees, component, starts_threads, bodies: FxHashMap::default(), scopes: 0 }
    }

    fn same(&self, one: ProcId, other: ProcId) -> bool {
        self.component[one.0 as usize] == self.component[other.0 as usize]
    }

    /// How many calls of a procedure's component can be open at once, if each procedure has at most so many.
    fn levels(&self, procedure: ProcId, recursion: u32) -> u32 {
        let own = self.component[procedure.0 as usize];
        let count = self.component.iter().filter(|&&component| component == own).count() as u32;
        recursion.max(1).saturating_mul(count)
    }

    /// Does one call of the procedure lead to more calls of its component than can be inlined?
    fn is_too_large(&self, procedure: ProcId, recursion: u32) -> bool {
        let mut open = vec![0u32; self.callees.len()];
        let mut bodies = 0;
        self.count(procedure.0 as usize, recursion.max(1), &mut open, &mut bodies);
        bodies > MOST_BODIES
    }

    fn count(&self, procedure: usize, recursion: u32, open: &mut [u32], bodies: &mut u32) {
        if open[procedure] >= recursion || *bodies > MOST_BODIES {
            return;
        }
        *bodies += 1;
        open[procedure] += 1;
        for &callee in &self.callees[procedure] {
            if self.component[callee] == self.component[procedure] {
                self.count(callee, recursion, open, bodies);
            }
        }
        open[procedure] -= 1;
    }
}

impl Lowering<'_, '_> {
    /// The level of a call, if it shares its body with others.
    pub(super) fn shared_level(&mut self, thread: ThreadId, caller: &Frame, procedure: ProcId) -> Option<Level> {
        let recursion = &mut self.recursion;
        if recursion.same(caller.procedure, procedure) {
            return caller.level.map(|Level { scope, level }| Level { scope, level: level + 1 });
        }
        let is_plain =
            !recursion.starts_threads[procedure.0 as usize] && self.automata[thread.index()].region.is_none();
        if !is_plain || !recursion.is_too_large(procedure, self.options.recursion) {
            return None;
        }
        recursion.scopes += 1;
        Some(Level { scope: recursion.scopes, level: 0 })
    }

    /// A call of a body that other calls share.
    pub(super) fn shared_call(
        &mut self,
        (thread, frame, at): (ThreadId, &Rc<Frame>, Level),
        stmt: &Stmt,
        (results, procedure, arguments): (&[VarId], ProcId, &[Expr]),
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let span = stmt.span;
        if at.level >= self.recursion.levels(procedure, self.options.recursion) {
            self.bound(thread, Violation::RecursionBound, span, from);
            return Ok(());
        }
        let key = (at.scope, procedure, at.level);
        if !self.recursion.bodies.contains_key(&key) {
            self.shared_body(thread, frame, at, procedure, stmt)?;
        }
        let shared = self.recursion.bodies.get_mut(&key).expect("it was added");
        shared.calls += 1;
        let (callee, entry, exit) = (shared.frame.clone(), shared.entry, shared.exit);
        let (caller, number) = (shared.caller, self.pool.int(shared.calls));
        let mut enter = vec![Step { kind: StepKind::Assign(vec![(caller, number)]), span }];
        enter.extend(self.enter(frame, &callee, arguments, span));
        let is_here = self.pool.eq(self.pool.of_var(caller), number);
        let mut leave = vec![Step { kind: StepKind::Assume(is_here), span }];
        leave.extend(self.leave(frame, &callee, results, span));
        self.automata[thread.index()].edge(from, entry, enter, span);
        self.automata[thread.index()].edge(exit, to, leave, span);
        Ok(())
    }

    /// Adds the body that the calls of a procedure on one level share.
    fn shared_body(
        &mut self,
        thread: ThreadId,
        caller: &Rc<Frame>,
        at: Level,
        procedure: ProcId,
        stmt: &Stmt,
    ) -> Result<(), LowerError> {
        let span = stmt.span;
        let name = format!("{}.{}.caller", self.automata[thread.index()].name, self.program.procedure(procedure).name);
        let returns_to = self.declare(&name, Sort::INT, span);
        self.owners.insert(returns_to, thread);
        let automaton = &mut self.automata[thread.index()];
        let (entry, exit) = (automaton.location(span), automaton.location(span));
        let frame = self.frame_at((thread, caller.identity), procedure, &caller.stack, exit, Some(at));
        let shared = Shared { frame: frame.clone(), entry, exit, caller: returns_to, calls: 0 };
        self.recursion.bodies.insert((at.scope, procedure, at.level), shared);
        self.body(thread, &frame, entry, exit)
    }
}

impl Level {
    /// Tells the locals of calls apart that can be open at the same time.
    pub(super) fn depth(self) -> u32 {
        self.level
    }
}
