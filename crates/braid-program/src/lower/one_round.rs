//! Assertions in loops, looked at in one round only, whichever that is.
//!
//! A loop that compares the cells of arrays asserts something of each cell, and a proof would have to say something of all cells at once. So the program
//! gets a variable that nobody writes and that may have any value, and an assertion in a loop counts only while the loop's counter has
//! that value. Then a proof speaks of one cell, and holds for all, since the value is arbitrary.
//!
//! Theorem: the program has a violation if and only if the new one has. Take an execution of the program up to its first failing assertion, while
//! the counter is v. With v as the value of the new variable, the new program has the same execution: earlier assertions hold, so they
//! hold weakened, and this one fails as it stands. The other way, what fails in the new program fails in the program, there or before. Nothing
//! of this depends on which variable is taken for the counter of a loop.

use crate::ast::{Expr, ExprKind, Fold, Op, Program, Stmt, StmtKind, Storage, Type, VarId, Variable, build, fold_stmt};

/// The name of the new variable: not one that a program can have.
pub const ROUND: &str = "#round";

/// The program where assertions in loops that go through cells count in one round; none if there are no such assertions.
pub fn one_round(program: &Program) -> Option<Program> {
    let mut rounds = Rounds { program, round: VarId(program.variables.len() as u32), counter: None, found: false };
    let mut changed = program.clone();
    for procedure in &mut changed.procedures {
        procedure.body = rounds.stmt(&procedure.body);
    }
    let span = program.procedure(program.main).span;
    changed.variables.push(Variable { name: ROUND.into(), ty: Type::Int, storage: Storage::Global, span });
    rounds.found.then_some(changed)
}

struct Rounds<'a> {
    program: &'a Program,
    round: VarId,
    /// That of the innermost loop.
    counter: Option<VarId>,
    /// Is there an assertion that was changed?
    found: bool,
}

impl Fold for Rounds<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match (&stmt.kind, self.counter) {
            (StmtKind::While(test, body), outer) => {
                self.counter = self.counter_of(test, body);
                let folded = fold_stmt(self, stmt);
                self.counter = outer;
                folded
            }
            (StmtKind::Assert(check, formula), Some(counter)) => {
                self.found = true;
                let var = |id| build::var(id, Type::Int, stmt.span);
                let other = build::not(build::eq(var(counter), var(self.round), stmt.span), stmt.span);
                let formula = build::or(other, formula.clone(), stmt.span);
                Stmt { kind: StmtKind::Assert(*check, formula), span: stmt.span }
            }
            _ => fold_stmt(self, stmt),
        }
    }
}

impl Rounds<'_> {
    /// A variable that the loop tests and steps, if the loop reads cells.
    fn counter_of(&self, test: &Expr, body: &Stmt) -> Option<VarId> {
        let reads = |stmt: &Stmt| {
            let mut parts = stmt.exprs().into_iter().flat_map(Expr::all);
            parts.any(|part| matches!(part.kind, ExprKind::Op(Op::Select, _) | ExprKind::Apply(..)))
        };
        let calls = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Call { .. });
        let reads_cells = body.all().any(reads) || body.all().any(calls) && self.program.statements().any(reads);
        if !reads_cells {
            return None;
        }
        let mentions = |expr: &Expr, id: VarId| expr.all().any(|part| part.kind == ExprKind::Var(id));
        let steps = body.all().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(assignments) => Some(assignments),
            _ => None,
        });
        let is_counter = |id: VarId| self.program.variable(id).ty == Type::Int && mentions(test, id);
        let mut stepped = steps.flatten().filter(|(id, value)| is_counter(*id) && mentions(value, *id));
        stepped.next().map(|(id, _)| *id)
    }
}
