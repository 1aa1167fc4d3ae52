//! Statements. Structured forms stay structured; labels are made only for jumps that need them.

use crate::c::translate::facts::sequence::unsequenced;
use crate::c::translate::{
    BEGIN, Context, END, Jumps, Loop, Met, Result, Stop, Switch, Translator, block, reject, site, walk,
};
use crate::c::tree::{Expr, Stmt, StmtKind, VariableId};
use braid_program::ast::build;
use braid_program::ast::{self, Check, StmtKind as AstStmt};
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

impl Translator<'_, '_> {
    /// Statements one after the other.
    pub(crate) fn statements(&mut self, stmts: &[Stmt]) -> Result<()> {
        let mut at = 0;
        while at < stmts.len() {
            let stmt = self.behind_labels(&stmts[at])?;
            if self.is_call_of(stmt, BEGIN) {
                at = self.atomic_section(stmts, at)?;
                continue;
            }
            if self.is_call_of(stmt, END) && self.frame.sections > 0 {
                return self.leave_section(&stmts[at + 1..], stmt.span);
            }
            if self.cleanup(stmts, at)? {
                at += 1;
                continue;
            }
            self.modelled(stmt, |t| match &stmt.kind {
                StmtKind::Declare(variable, None) => {
                    t.declare_open(*variable, Some(&stmts[at + 1..]), stmt.span)?;
                    t.begin_life(*variable, stmt.span)
                }
                _ => t.supported(stmt),
            })?;
            at += 1;
        }
        Ok(())
    }

    pub(crate) fn statement(&mut self, stmt: &Stmt) -> Result<()> {
        self.modelled(stmt, |t| t.supported(stmt))
    }

    /// Emits a statement; what is not supported in it ends the executions that get there.
    fn modelled(&mut self, stmt: &Stmt, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (emitted, jumps, atomic) = (self.out.len(), self.frame.jumps.clone(), self.frame.atomic);
        let (sections, switches) = (self.frame.sections, self.frame.switches.len());
        let (repeats, cleanups, alive) = (self.frame.repeats, self.frame.cleanups.len(), self.frame.alive.len());
        match work(self) {
            // In a call of the library, the call is not supported. Nobody can jump to what is not there.
            Err(Stop::Rejected(error)) if self.frame.expansion.is_none() && !walk::has_label(stmt) => {
                self.out.truncate(emitted);
                self.frame.jumps = jumps;
                self.frame.switches.truncate(switches);
                self.frame.cleanups.truncate(cleanups);
                self.frame.alive.truncate(alive);
                (self.frame.atomic, self.frame.sections, self.frame.repeats) = (atomic, sections, repeats);
                self.frame.constants.clear();
                self.emit(AstStmt::Unmodelled(error.message), error.span);
                Ok(())
            }
            done => done,
        }
    }

    fn supported(&mut self, stmt: &Stmt) -> Result<()> {
        let span = stmt.span;
        if self.checks(Check::Undefined)
            && self.frame.expansion.is_none()
            && let Some(clash) = unsequenced(stmt)
        {
            self.unsequenced.push(clash);
            self.assert(Check::Undefined, ast::Expr::bool(false, clash), clash);
        }
        match &stmt.kind {
            StmtKind::Skip => Ok(()),
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Declare(variable, init) => {
                self.declare_variable(*variable, init.as_ref(), span)?;
                self.begin_life(*variable, span)
            }
            StmtKind::Block(stmts) => {
                let alive = self.frame.alive.len();
                self.statements(stmts)?;
                self.leave_block(alive, span)
            }
            StmtKind::If(test, then, other) => self.if_statement(test, then, other.as_deref(), span),
            StmtKind::While(test, body) | StmtKind::DoWhile(body, test) => {
                let body_first = matches!(stmt.kind, StmtKind::DoWhile(..));
                self.looped(Loop { test: Some(test), body, step: None, body_first, span })
            }
            StmtKind::For { init, test, step, body } => {
                let alive = self.frame.alive.len();
                // What a block declares in front of a loop lives in the loop.
                match &init.kind {
                    StmtKind::Block(stmts) => self.statements(stmts)?,
                    _ => self.statement(init)?,
                }
                self.looped(Loop { test: test.as_ref(), body, step: step.as_ref(), body_first: false, span })?;
                self.leave_block(alive, span)
            }
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) => {
                let then = self.behind_labels(stmt)?;
                self.statement(then)
            }
            StmtKind::Break => {
                let Some(number) = self.frame.jumps.len().checked_sub(1) else {
                    return reject(span, "`break` outside of a loop");
                };
                let label = self.frame.jumps[number].break_to.unwrap_or_else(|| self.label());
                self.frame.jumps[number].break_to = Some(label);
                self.end_lives(self.frame.jumps[number].alive, span)?;
                self.emit(AstStmt::Goto(vec![label]), span);
                Ok(())
            }
            StmtKind::Continue => {
                let Some(number) = self.frame.jumps.iter().rposition(|jumps| !jumps.is_switch) else {
                    return reject(span, "`continue` outside of a loop");
                };
                let label = self.frame.jumps[number].continue_to.unwrap_or_else(|| self.label());
                self.frame.jumps[number].continue_to = Some(label);
                self.end_lives(self.frame.jumps[number].alive, span)?;
                self.emit(AstStmt::Goto(vec![label]), span);
                Ok(())
            }
            StmtKind::Goto(label) => {
                self.declare_jumped_over(*label, stmt)?;
                self.end_lives_at(*label, span)?;
                let label = self.label_of(*label);
                self.emit(AstStmt::Goto(vec![label]), span);
                Ok(())
            }
            StmtKind::Return(value) => self.return_from(value.as_ref(), span),
        }
    }

    fn label_of(&mut self, label: crate::c::tree::LabelId) -> ast::LabelId {
        let known = self.frame.labels.get(&label).copied();
        let own = known.unwrap_or_else(|| self.label());
        self.frame.labels.insert(label, own);
        own
    }

    fn if_statement(&mut self, test: &Expr, then: &Stmt, other: Option<&Stmt>, span: Span) -> Result<()> {
        let (formula, _) = self.condition(test)?;
        let known = if let ast::ExprKind::Bool(known) = formula.kind { Some(known) } else { None };
        let skipped = |stmt: &Stmt, when: bool| known == Some(!when) && !walk::has_label(stmt);
        if skipped(then, true) {
            return other.map_or(Ok(()), |other| self.statement(other));
        }
        if other.is_none_or(|other| skipped(other, false)) && known == Some(true) {
            return self.statement(then);
        }
        let [(yes, ()), (no, ())] = self.both_ways(|t, first| match (first, other) {
            (true, _) => t.statement(then),
            (false, Some(other)) => t.statement(other),
            (false, None) => Ok(()),
        })?;
        match known {
            // Both stay: a jump may enter the one that the test does not choose.
            Some(_) => self.emit(AstStmt::If(formula, block(yes, span), Some(block(no, span))), span),
            None => self.branch(formula, yes, no, span),
        }
        Ok(())
    }

    /// Forgets the values of variables that the statements write.
    pub(crate) fn forget(&mut self, written: &FxHashSet<VariableId>) {
        self.frame.constants.retain(|variable, _| !written.contains(variable));
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) -> Result<()> {
        let Some(scalar) = self.scalar(&value.ty) else { return reject(span, "a `switch` over something not scalar") };
        let selector = self.value(value)?;
        // It is compared several times, and read once.
        let selector = self.kept(selector, value.span);
        let mut cases = Vec::new();
        collect_cases(body, &mut cases);
        let written = writes([Met::Stmt(body)]);
        self.forget(&written);
        cases.iter().try_for_each(|case| self.declare_before(case, body))?;
        let mut rest: Option<ast::LabelId> = None;
        let mut labels = FxHashMap::default();
        for case in &cases {
            let label = self.label();
            labels.insert(site(*case), label);
            match &case.kind {
                StmtKind::Case { low, high, .. } => {
                    let number = |n| self.ints.constant(scalar, n, case.span).expr;
                    let (low, high) = (number(low), number(high));
                    let at = case.span;
                    let test = if low == high {
                        build::eq(selector.expr.clone(), low, at)
                    } else {
                        let less = crate::c::tree::CompareOp::LessEqual;
                        let above = self.ints.compare(less, scalar, low, selector.expr.clone(), at);
                        let below = self.ints.compare(less, scalar, selector.expr.clone(), high, at);
                        build::and(above, below, at)
                    };
                    let jump = ast::Stmt { kind: AstStmt::Goto(vec![label]), span: at };
                    self.branch(test, vec![jump], Vec::new(), at);
                }
                _ => rest = Some(label),
            }
        }
        let break_to = if rest.is_none() { Some(self.label()) } else { None };
        self.frame.jumps.push(Jumps { is_switch: true, break_to, alive: self.frame.alive.len(), continue_to: None });
        self.emit(AstStmt::Goto(rest.or(break_to).into_iter().collect()), span);
        self.frame.switches.push(Switch { labels, written: written.clone() });
        let result = self.statement(body);
        self.frame.switches.pop();
        let jumps = self.frame.jumps.pop().unwrap_or_default();
        result?;
        if let Some(label) = jumps.break_to {
            self.emit(AstStmt::Label(label), span);
        }
        self.forget(&written);
        Ok(())
    }

    /// Puts the labels of a statement, and gives what stands behind them.
    fn behind_labels<'s>(&mut self, mut stmt: &'s Stmt) -> Result<&'s Stmt> {
        loop {
            let (label, then) = match &stmt.kind {
                StmtKind::Case { then, .. } | StmtKind::Default(then) => {
                    let switch = self.frame.switches.last();
                    let Some((switch, &label)) = switch.and_then(|s| Some((s, s.labels.get(&site(stmt))?))) else {
                        return reject(stmt.span, "a case outside of a `switch`");
                    };
                    self.frame.constants.retain(|variable, _| !switch.written.contains(variable));
                    (label, then)
                }
                StmtKind::Label(label, then) => {
                    // A jump may come from anywhere.
                    self.frame.constants.clear();
                    (self.label_of(*label), then)
                }
                _ => return Ok(stmt),
            };
            self.emit(AstStmt::Label(label), stmt.span);
            stmt = then;
        }
    }
}

/// The cases of a `switch`, not those of inner ones.
pub(crate) fn collect_cases<'a>(stmt: &'a Stmt, out: &mut Vec<&'a Stmt>) {
    if matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default(_)) {
        out.push(stmt);
    }
    if !matches!(stmt.kind, StmtKind::Switch(..)) {
        walk::inner(stmt).for_each(|inner| collect_cases(inner, out));
    }
}

/// The variables that are written by name.
pub(crate) fn writes<'a>(parts: impl IntoIterator<Item = Met<'a>>) -> FxHashSet<VariableId> {
    let mut written = FxHashSet::default();
    let mut look = |met: Met<'_>, _: Context| written.extend(walk::written(&met));
    parts.into_iter().for_each(|part| part.each(Context::default(), &mut look));
    written
}
