//! Statements to edges: `statement` adds what leads from one location of a thread to another.

use super::Edge;
use super::fork::Forked;
use super::threads::{Frame, LabelPlace, LowerError, Lowering, PendingJoin, Start};
use crate::ast::{Expr, LabelId, ProcId, Release, Stmt, StmtKind, VarId};
use crate::cfa::{Location, Step, StepKind, ThreadId, Violation};
use crate::source::Span;
use braid_logic::Term;
use std::rc::Rc;

impl Lowering<'_, '_> {
    /// Adds the edges of the body of the frame's procedure.
    pub(super) fn body(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        entry: Location,
        exit: Location,
    ) -> Result<(), LowerError> {
        let body = &self.program.procedure(frame.procedure).body;
        self.statement(thread, frame, body, entry, exit)
    }

    /// Adds the edges of a statement between two locations of a thread.
    pub(super) fn statement(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmt: &Stmt,
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assume(formula) => {
                let formula = self.term(frame, formula);
                self.assume(thread, formula, span, from, to);
            }
            // To be about to end the program is not to have done so: that is a step, and it is kept apart from what comes before.
            StmtKind::Await(_, release) if **release == Release::Over => {
                let over = self.automata[thread.index()].location(span);
                for (formula, from, to) in [(Term::TRUE, from, over), (Term::FALSE, over, to)] {
                    let step = Step { kind: StepKind::Await(formula, Release::Over), span };
                    self.automata[thread.index()].edge(from, to, vec![step], span);
                }
            }
            StmtKind::Await(..) => {
                let step = self.simple(frame, stmt).expect("waiting is simple");
                self.automata[thread.index()].edge(from, to, vec![step], span);
            }
            StmtKind::Assert(check, formula) => {
                let formula = self.term(frame, formula);
                self.assume(thread, formula, span, from, to);
                let error = self.automata[thread.index()].error(Violation::Failed(*check), span);
                self.assume(thread, self.pool.not(formula), span, from, error);
            }
            StmtKind::Unmodelled(reason) => {
                let number = self.unmodelled_reason(reason);
                self.bound(thread, Violation::Unmodelled(number), span, from);
            }
            StmtKind::Assign(_) | StmtKind::Havoc(_) => {
                let step = self.simple(frame, stmt).expect("assignments are simple");
                self.automata[thread.index()].edge(from, to, vec![step], span);
            }
            StmtKind::Seq(stmts) => self.sequence(thread, frame, stmts, from, to, span)?,
            StmtKind::Choice(branches) => {
                for branch in branches {
                    self.statement(thread, frame, branch, from, to)?;
                }
            }
            StmtKind::If(test, then, other) => {
                let formula = self.term(frame, test);
                self.guarded(thread, frame, (formula, test.span), Some(then), from, to)?;
                self.guarded(thread, frame, (self.pool.not(formula), test.span), other.as_deref(), from, to)?;
            }
            StmtKind::While(test, body) => {
                let formula = self.term(frame, test);
                let head = self.loop_head(thread, from, span);
                self.guarded(thread, frame, (formula, test.span), Some(body), head, head)?;
                self.assume(thread, self.pool.not(formula), test.span, head, to);
            }
            StmtKind::Loop(body) => {
                let head = self.loop_head(thread, from, span);
                self.statement(thread, frame, body, head, head)?;
                self.automata[thread.index()].edge(head, to, Vec::new(), span);
            }
            StmtKind::Par(branches) => self.par(thread, frame, stmt, branches, from, to)?,
            StmtKind::Atomic(body) => self.atomic(thread, frame, body, span, from, to)?,
            StmtKind::Declare(_, body) => self.statement(thread, frame, body, from, to)?,
            StmtKind::Call { results, procedure, arguments } => {
                self.call(thread, frame, stmt, (results, *procedure, arguments), from, to)?;
            }
            StmtKind::Return => {
                let (owner, target) = frame.return_to;
                if owner != thread {
                    return Err(LowerError::new(span, "a `return` cannot leave a branch of a `par`"));
                }
                self.automata[thread.index()].edge(from, target, Vec::new(), span);
            }
            StmtKind::Fork { identity, procedure, arguments } => {
                let identity = self.term(frame, identity);
                let forked = Forked { identity: Some(identity), handle: None, procedure: *procedure, arguments };
                self.start(thread, frame, stmt, forked, from, to)?;
            }
            StmtKind::Async { handle, procedure, arguments } => {
                let forked = Forked { identity: None, handle: *handle, procedure: *procedure, arguments };
                self.start(thread, frame, stmt, forked, from, to)?;
            }
            StmtKind::Join { results, identity } => {
                self.wait(thread, frame, (Start::Fork, results, identity), span, from, to)
            }
            StmtKind::Wait { results, handle } => {
                self.wait(thread, frame, (Start::Async, results, handle), span, from, to)
            }
            StmtKind::Label(label) => {
                let place = self.label(thread, frame, *label, span)?;
                self.automata[thread.index()].edge(from, place.location, Vec::new(), span);
                self.automata[thread.index()].edge(place.location, to, Vec::new(), span);
            }
            StmtKind::Goto(labels) => {
                for &label in labels {
                    let place = self.label(thread, frame, label, span)?;
                    self.automata[thread.index()].edge(from, place.location, Vec::new(), span);
                }
            }
        }
        Ok(())
    }

    /// The step of an assumption, an assignment or a havoc.
    pub(super) fn simple(&self, frame: &Frame, stmt: &Stmt) -> Option<Step> {
        let kind = match &stmt.kind {
            StmtKind::Assume(formula) => StepKind::Assume(self.term(frame, formula)),
            StmtKind::Await(formula, release) => {
                StepKind::Await(self.term(frame, formula), release.map(|identity| self.term(frame, identity)))
            }
            StmtKind::Assign(assignments) => StepKind::Assign(
                assignments.iter().map(|(id, value)| (self.var(frame, *id), self.term(frame, value))).collect(),
            ),
            StmtKind::Havoc(ids) => StepKind::Havoc(ids.iter().map(|&id| self.var(frame, id)).collect()),
            _ => return None,
        };
        Some(Step { kind, span: stmt.span })
    }

    pub(super) fn assume(&mut self, thread: ThreadId, formula: Term, span: Span, from: Location, to: Location) {
        let step = Step { kind: StepKind::Assume(formula), span };
        self.automata[thread.index()].edge(from, to, vec![step], span);
    }

    fn loop_head(&mut self, thread: ThreadId, from: Location, span: Span) -> Location {
        let automaton = &mut self.automata[thread.index()];
        let head = automaton.location(span);
        automaton.edge(from, head, Vec::new(), span);
        head
    }

    fn sequence(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmts: &[Stmt],
        from: Location,
        to: Location,
        span: Span,
    ) -> Result<(), LowerError> {
        let Some((last, rest)) = stmts.split_last() else {
            self.automata[thread.index()].edge(from, to, Vec::new(), span);
            return Ok(());
        };
        let mut at = from;
        for stmt in rest {
            let next = self.automata[thread.index()].location(stmt.span);
            self.statement(thread, frame, stmt, at, next)?;
            at = next;
        }
        self.statement(thread, frame, last, at, to)
    }

    /// A test as a step of its own, then a statement (none: nothing).
    fn guarded(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        (formula, span): (Term, Span),
        body: Option<&Stmt>,
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        match body {
            None => {
                self.assume(thread, formula, span, from, to);
                Ok(())
            }
            Some(body) => {
                let inside = self.automata[thread.index()].location(body.span);
                self.assume(thread, formula, span, from, inside);
                self.statement(thread, frame, body, inside, to)
            }
        }
    }

    fn par(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmt: &Stmt,
        branches: &[Stmt],
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let span = stmt.span;
        if self.automata[thread.index()].region.is_some() {
            return Err(LowerError::new(span, "a `par` cannot stand inside an atomic block"));
        }
        let repeats = self.repeats(thread, frame, stmt);
        let group = self.automata[thread.index()].groups;
        self.automata[thread.index()].groups += 1;
        let mut children = Vec::new();
        for branch in branches {
            let child = self.branch(thread, group, repeats, branch.span);
            let (entry, exit) = (self.automata[child.index()].entry, self.automata[child.index()].exit);
            self.statement(child, frame, branch, entry, exit)?;
            children.push(child);
        }
        let automaton = &mut self.automata[thread.index()];
        let waiting = automaton.location(span);
        let edge = |source, target, forks, joins| Edge { source, target, steps: Vec::new(), forks, joins, span };
        automaton.edges.push(edge(from, waiting, children.clone(), Vec::new()));
        automaton.edges.push(edge(waiting, to, Vec::new(), children));
        Ok(())
    }

    /// Is one more call of the procedure too deep?
    pub(super) fn too_deep(&self, frame: &Frame, procedure: ProcId) -> bool {
        let depth = frame.stack.iter().filter(|&&caller| caller == procedure).count();
        depth >= self.options.recursion.max(1) as usize
    }

    /// The step that enters a procedure: arguments into parameters, everything else of the new instance arbitrary.
    pub(super) fn enter(&self, caller: &Frame, callee: &Frame, arguments: &[Expr], span: Span) -> Vec<Step> {
        let parameters = &self.program.procedure(callee.procedure).parameters;
        let assignments: Vec<_> = parameters
            .iter()
            .zip(arguments)
            .map(|(&parameter, argument)| (self.var(callee, parameter), self.term(caller, argument)))
            .collect();
        let havocked = self.uninitialised(callee);
        let mut steps = Vec::new();
        if !assignments.is_empty() {
            steps.push(Step { kind: StepKind::Assign(assignments), span });
        }
        if !havocked.is_empty() {
            steps.push(Step { kind: StepKind::Havoc(havocked), span });
        }
        steps
    }

    /// The step that leaves a procedure: results into the caller's variables.
    pub(super) fn leave(&self, caller: &Frame, callee: &Frame, results: &[VarId], span: Span) -> Vec<Step> {
        if results.is_empty() {
            return Vec::new();
        }
        let values = self.program.procedure(callee.procedure).results.iter();
        let assignments = results
            .iter()
            .zip(values)
            .map(|(&result, &value)| (self.var(caller, result), self.pool.of_var(self.var(callee, value))))
            .collect();
        vec![Step { kind: StepKind::Assign(assignments), span }]
    }

    fn call(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmt: &Stmt,
        (results, procedure, arguments): (&[VarId], ProcId, &[Expr]),
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let span = stmt.span;
        if let Some(level) = self.shared_level(thread, frame, procedure) {
            return self.shared_call((thread, frame, level), stmt, (results, procedure, arguments), from, to);
        }
        if self.too_deep(frame, procedure) {
            self.bound(thread, Violation::RecursionBound, span, from);
            return Ok(());
        }
        let automaton = &mut self.automata[thread.index()];
        let (entry, exit) = (automaton.location(span), automaton.location(span));
        let callee = self.frame((thread, frame.identity), procedure, &frame.stack, exit);
        let (enter, leave) = (self.enter(frame, &callee, arguments, span), self.leave(frame, &callee, results, span));
        self.automata[thread.index()].edge(from, entry, enter, span);
        self.automata[thread.index()].edge(exit, to, leave, span);
        let repeats = self.repeats(thread, frame, stmt);
        let outer = std::mem::replace(&mut self.automata[thread.index()].repeats, repeats);
        let result = self.body(thread, &callee, entry, exit);
        self.automata[thread.index()].repeats = outer;
        result
    }

    /// A step to an error location that stands for a bound of the analysis.
    pub(super) fn bound(&mut self, thread: ThreadId, violation: Violation, span: Span, from: Location) {
        let error = self.automata[thread.index()].error(violation, span);
        self.automata[thread.index()].edge(from, error, Vec::new(), span);
    }

    fn wait(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        (start, results, identity): (Start, &[VarId], &Expr),
        span: Span,
        source: Location,
        target: Location,
    ) {
        let identity = self.term(frame, identity);
        let results = results.iter().map(|&result| self.var(frame, result)).collect();
        self.pending.push(PendingJoin { thread, source, target, start, identity, results, span });
    }

    fn label(&mut self, thread: ThreadId, frame: &Frame, label: LabelId, span: Span) -> Result<LabelPlace, LowerError> {
        let automaton = &mut self.automata[thread.index()];
        let inside = automaton.region.as_ref().filter(|region| region.holds(frame, label)).map(|region| region.id);
        if let Some(&place) = frame.labels.borrow().get(&label) {
            if place.thread != thread {
                return Err(LowerError::new(span, "a `goto` cannot enter or leave a branch of a `par`"));
            }
            if automaton.region_of(place.location) != inside {
                return Err(LowerError::new(span, "a `goto` cannot enter an atomic block"));
            }
            return Ok(place);
        }
        let location = automaton.location_in(inside, span);
        let place = LabelPlace { thread, location };
        frame.labels.borrow_mut().insert(label, place);
        Ok(place)
    }
}
