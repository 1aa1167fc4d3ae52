//! Loops. Those that start or join threads and whose tests are known are unrolled, so that each thread has a place of its own in
//! the program; all others stay loops.

use crate::c::primitives::Primitive;
use crate::c::translate::{Jumps, Met, Result, Translator, block, collect_cases, primitive_of, site, walk, writes};
use crate::c::tree::{Callee, Expr, ExprKind, Stmt, StmtKind, VariableId};
use braid_program::ast::build;
use braid_program::ast::{self, StmtKind as AstStmt};
use braid_program::source::Span;
use rustc_hash::FxHashSet;

/// Rounds beyond this are not unrolled.
const MOST_ROUNDS: usize = 64;
/// A test with more steps than this is not copied.
const SMALL: usize = 6;

/// A loop in one form.
#[derive(Clone, Copy)]
pub struct Loop<'a> {
    /// `None`: true.
    pub test: Option<&'a Expr>,
    pub body: &'a Stmt,
    pub step: Option<&'a Expr>,
    /// Does the body come before the first test?
    pub body_first: bool,
    pub span: Span,
}

impl<'a> Loop<'a> {
    fn parts(self) -> impl Iterator<Item = Met<'a>> {
        [self.test, self.step].into_iter().flatten().map(Met::Expr).chain([Met::Stmt(self.body)])
    }
}

impl Translator<'_, '_> {
    pub(crate) fn looped(&mut self, it: Loop<'_>) -> Result<()> {
        let written = writes(it.parts());
        if self.handles_threads(it) && self.unrolled(it, &written)? {
            return Ok(());
        }
        if it.body_first
            && it.test.is_some_and(|test| matches!(&walk::uncast(test).kind, ExprKind::Int(value) if value.is_zero()))
        {
            return self.once(it);
        }
        let repeats = std::mem::replace(&mut self.frame.repeats, true);
        let result = self.rolled(it, &written);
        self.frame.repeats = repeats;
        result
    }

    /// `do … while (0)`.
    fn once(&mut self, it: Loop<'_>) -> Result<()> {
        self.frame.jumps.push(Jumps { alive: self.frame.alive.len(), ..Jumps::default() });
        let result = self.statement(it.body);
        let jumps = self.frame.jumps.pop().unwrap_or_default();
        result?;
        for label in [jumps.continue_to, jumps.break_to].into_iter().flatten() {
            self.forget(&writes([Met::Stmt(it.body)]));
            self.emit(AstStmt::Label(label), it.span);
        }
        Ok(())
    }

    fn test(&mut self, it: Loop<'_>) -> Result<(Vec<ast::Stmt>, ast::Expr)> {
        match it.test {
            Some(test) => self.apart(|t| Ok(t.condition(test)?.0)),
            None => Ok((Vec::new(), ast::Expr::bool(true, it.span))),
        }
    }

    fn rolled(&mut self, it: Loop<'_>, written: &FxHashSet<VariableId>) -> Result<()> {
        let span = it.span;
        if is_entered(it.body) {
            self.frame.constants.clear();
        }
        self.forget(written);
        let (before_test, formula) =
            if it.body_first { (Vec::new(), ast::Expr::bool(true, span)) } else { self.test(it)? };
        self.forget(written);
        self.frame.jumps.push(Jumps { alive: self.frame.alive.len(), ..Jumps::default() });
        let body = self.apart(|t| t.statement(it.body));
        let jumps = self.frame.jumps.pop().unwrap_or_default();
        let (mut body, ()) = body?;
        self.forget(written);
        if let Some(label) = jumps.continue_to {
            body.push(ast::Stmt { kind: AstStmt::Label(label), span });
        }
        if let Some(step) = it.step {
            let (stmts, ()) = self.apart(|t| t.discard(step))?;
            body.extend(stmts);
        }
        self.forget(written);
        let small = before_test.len() <= SMALL && before_test.iter().all(is_simple);
        if it.body_first {
            let head = self.label();
            self.emit(AstStmt::Label(head), span);
            self.out.extend(body);
            let (stmts, formula) = self.test(it)?;
            self.out.extend(stmts);
            let back = ast::Stmt { kind: AstStmt::Goto(vec![head]), span };
            self.branch(formula, vec![back], Vec::new(), span);
        } else if before_test.is_empty() {
            self.emit(AstStmt::While(formula, block(body, span)), span);
        } else if small {
            // The test stands on both ways out of the head, so that what it reads is of no interest at the head.
            let assume = |formula: ast::Expr| ast::Stmt { span: formula.span, kind: AstStmt::Assume(formula) };
            let round = before_test.iter().cloned().chain([assume(formula.clone())]).chain(body).collect();
            self.emit(AstStmt::Loop(block(round, span)), span);
            self.out.extend(before_test);
            self.out.push(assume(build::not(formula, span)));
        } else {
            let head = self.label();
            self.emit(AstStmt::Label(head), span);
            self.out.extend(before_test);
            body.push(ast::Stmt { kind: AstStmt::Goto(vec![head]), span });
            self.branch(formula, body, Vec::new(), span);
        }
        if let Some(label) = jumps.break_to {
            self.emit(AstStmt::Label(label), span);
        }
        self.forget(written);
        Ok(())
    }

    /// Does the loop start or join threads, itself or by calls?
    fn handles_threads(&self, it: Loop<'_>) -> bool {
        let handles = |met: Met<'_>| match met {
            Met::Expr(Expr { kind: ExprKind::Call(Callee::Direct(id), _), .. }) => {
                match primitive_of(&self.unit.functions[id.index()]) {
                    Some(primitive) => matches!(primitive, Primitive::Start | Primitive::Join),
                    None => self.graph.handles_threads[id.index()],
                }
            }
            _ => false,
        };
        it.parts().any(|part| part.any(&handles))
    }

    /// Unrolls the loop, if its test is known in every round and there are not too many. If not, that is learned, and what this attempt
    /// emits does not matter any more.
    fn unrolled(&mut self, it: Loop<'_>, written: &FxHashSet<VariableId>) -> Result<bool> {
        if walk::has_label(it.body) || self.decisions.rolled.contains(&site(it.body)) {
            return Ok(false);
        }
        if self.options.rolled {
            self.learned.rolled.insert(site(it.body));
            return Ok(false);
        }
        let (constants, jumps) = (self.frame.constants.clone(), self.frame.jumps.clone());
        let (stmts, unrolled) = self.apart(|t| t.rounds(it, written))?;
        if unrolled {
            self.out.extend(stmts);
        } else {
            self.learned.rolled.insert(site(it.body));
            self.frame.constants = constants;
            self.frame.jumps = jumps;
        }
        Ok(unrolled)
    }

    fn rounds(&mut self, it: Loop<'_>, written: &FxHashSet<VariableId>) -> Result<bool> {
        self.frame.jumps.push(Jumps { alive: self.frame.alive.len(), ..Jumps::default() });
        let mut round = 0;
        loop {
            if !(it.body_first && round == 0) {
                let (stmts, formula) = self.test(it)?;
                self.out.extend(stmts);
                match formula.kind {
                    ast::ExprKind::Bool(true) => {}
                    ast::ExprKind::Bool(false) => break,
                    _ => return Ok(false),
                }
            }
            if round == MOST_ROUNDS {
                return Ok(false);
            }
            self.statement(it.body)?;
            let own = self.frame.jumps.len() - 1;
            if let Some(label) = self.frame.jumps[own].continue_to.take() {
                self.forget(&writes([Met::Stmt(it.body)]));
                self.emit(AstStmt::Label(label), it.span);
            }
            if let Some(step) = it.step {
                self.discard(step)?;
            }
            // Behind a `break` that is surely taken there are no more rounds.
            round += 1;
        }
        let jumps = self.frame.jumps.pop().unwrap_or_default();
        if let Some(label) = jumps.break_to {
            self.forget(written);
            self.emit(AstStmt::Label(label), it.span);
        }
        self.unrolled = self.unrolled.max(round);
        Ok(true)
    }
}

/// Can a jump from outside come into the statement?
fn is_entered(stmt: &Stmt) -> bool {
    let mut cases = Vec::new();
    collect_cases(stmt, &mut cases);
    let is_label = |met: Met<'_>| matches!(met, Met::Stmt(Stmt { kind: StmtKind::Label(..), .. }));
    !cases.is_empty() || Met::Stmt(stmt).any(&is_label)
}

fn is_simple(stmt: &ast::Stmt) -> bool {
    matches!(stmt.kind, AstStmt::Assign(_) | AstStmt::Havoc(_) | AstStmt::Assume(_))
        || matches!(&stmt.kind, AstStmt::Atomic(body) if is_simple(body))
        || matches!(&stmt.kind, AstStmt::Seq(stmts) if stmts.iter().all(is_simple))
}
