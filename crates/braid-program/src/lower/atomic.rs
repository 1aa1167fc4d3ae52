//! Atomic blocks: every path through the block becomes one action.

use super::threads::{Frame, LowerError, Lowering};
use crate::ast::{Stmt, StmtKind};
use crate::cfa::{Location, Step, StepKind, ThreadId, Violation};
use crate::source::Span;
use braid_logic::Term;
use std::rc::Rc;

/// More paths than this are refused.
const MAX_PATHS: usize = 4096;

/// How a path through an atomic block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At the end of the statement.
    Next,
    /// By a `return`.
    Return,
    /// At an error.
    Failed(Violation, Span),
}

#[derive(Clone)]
struct Path {
    steps: Vec<Step>,
    end: End,
}

impl Lowering<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        body: &Stmt,
        span: Span,
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let start = vec![Path { steps: Vec::new(), end: End::Next }];
        for path in self.paths(thread, frame, body, start)? {
            let target = match path.end {
                End::Next => to,
                End::Return if frame.return_to.0 == thread => frame.return_to.1,
                End::Return => return Err(LowerError::new(span, "a `return` cannot leave a branch of a `par`")),
                End::Failed(violation, at) => self.automata[thread.index()].error(violation, at),
            };
            self.automata[thread.index()].edge(from, target, path.steps, span);
        }
        Ok(())
    }

    /// All paths that go on with `stmt` after one of `before`.
    fn paths(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmt: &Stmt,
        before: Vec<Path>,
    ) -> Result<Vec<Path>, LowerError> {
        let span = stmt.span;
        let (running, mut done): (Vec<Path>, Vec<Path>) = before.into_iter().partition(|path| path.end == End::Next);
        let extended = |step: Step, end: End| {
            running.iter().cloned().map(move |mut path| {
                path.steps.push(step.clone());
                path.end = end;
                path
            })
        };
        let assume = |formula: Term, span: Span| Step { kind: StepKind::Assume(formula), span };
        match &stmt.kind {
            StmtKind::Assume(_) | StmtKind::Assign(_) | StmtKind::Havoc(_) => {
                done.extend(extended(self.simple(frame, stmt).expect("these are simple"), End::Next));
            }
            StmtKind::Assert(formula) => {
                let formula = self.term(frame, formula);
                done.extend(extended(assume(self.pool.not(formula), span), End::Failed(Violation::Assertion, span)));
                done.extend(extended(assume(formula, span), End::Next));
            }
            StmtKind::Seq(stmts) => {
                let mut paths = running;
                for stmt in stmts {
                    paths = self.paths(thread, frame, stmt, paths)?;
                }
                done.extend(paths);
            }
            StmtKind::Choice(branches) => {
                for branch in branches {
                    done.extend(self.paths(thread, frame, branch, running.clone())?);
                }
            }
            StmtKind::If(test, then, other) => {
                let formula = self.term(frame, test);
                let yes = extended(assume(formula, test.span), End::Next).collect();
                let no: Vec<Path> = extended(assume(self.pool.not(formula), test.span), End::Next).collect();
                done.extend(self.paths(thread, frame, then, yes)?);
                match other {
                    Some(other) => done.extend(self.paths(thread, frame, other, no)?),
                    None => done.extend(no),
                }
            }
            StmtKind::Atomic(body) | StmtKind::Declare(_, body) => {
                done.extend(self.paths(thread, frame, body, running)?)
            }
            StmtKind::Return => done.extend(running.into_iter().map(|path| Path { end: End::Return, ..path })),
            StmtKind::Call { procedure, .. } if self.too_deep(frame, *procedure) => {
                let end = End::Failed(Violation::RecursionBound, span);
                done.extend(running.into_iter().map(|path| Path { end, ..path }));
            }
            StmtKind::Call { results, procedure, arguments } => {
                let callee = self.frame((thread, frame.identity), *procedure, &frame.stack, frame.return_to.1);
                let enter = self.enter(frame, &callee, arguments, span);
                let leave = self.leave(frame, &callee, results, span);
                let mut paths = running;
                paths.iter_mut().for_each(|path| path.steps.extend_from_slice(&enter));
                for mut path in self.paths(thread, &callee, &self.program.procedure(*procedure).body, paths)? {
                    if matches!(path.end, End::Next | End::Return) {
                        path.steps.extend_from_slice(&leave);
                        path.end = End::Next;
                    }
                    done.push(path);
                }
            }
            StmtKind::While(..)
            | StmtKind::Loop(_)
            | StmtKind::Par(_)
            | StmtKind::Fork { .. }
            | StmtKind::Join { .. }
            | StmtKind::Async { .. }
            | StmtKind::Wait { .. }
            | StmtKind::Label(_)
            | StmtKind::Goto(_) => {
                let message = "an atomic block holds no loop, jump or thread operation";
                return Err(LowerError::new(span, message));
            }
        }
        if done.len() > MAX_PATHS {
            return Err(LowerError::new(span, format!("an atomic block has more than {MAX_PATHS} paths")));
        }
        Ok(done)
    }
}
