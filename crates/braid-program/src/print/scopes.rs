//! Which variables keep the `Declare` that the program has for them, and what each piece of program mentions.
//!
//! A declared variable prints as `(declare (x Int) …)` in its place if all that mentions it is inside, there is one such
//! place, and its storage is what reading it at that place gives. Any other variable is declared around everything.

use crate::ast::{Expr, ExprKind, FunId, ProcId, Program, Stmt, StmtKind, Storage, VarId, Variable};
use rustc_hash::FxHashSet;

/// Something that a name in an expression can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entity {
    Var(VarId),
    Fun(FunId),
}

/// Everything that the expression names.
pub(super) fn mentions_of_expr(expr: &Expr) -> impl Iterator<Item = Entity> {
    expr.all().filter_map(|expr| match expr.kind {
        ExprKind::Var(id) => Some(Entity::Var(id)),
        ExprKind::Apply(id, _) => Some(Entity::Fun(id)),
        _ => None,
    })
}

/// Everything that is named in the statement and in those inside it.
pub(super) fn mentions(stmt: &Stmt) -> FxHashSet<Entity> {
    let mut found = FxHashSet::default();
    for stmt in stmt.all() {
        found.extend(stmt.exprs().into_iter().flat_map(mentions_of_expr));
        found.extend(stmt.targets().into_iter().map(Entity::Var));
    }
    found
}

/// For each variable: does it keep its `Declare`? The main procedure counts as a list of top-level statements if it has
/// no variables of its own.
pub(super) fn kept_declares(program: &Program) -> Vec<bool> {
    let count = program.variables.len();
    let mut survey = Survey { declares: vec![0; count], open: vec![0; count], fits: vec![true; count] };
    for seed in &program.seeds {
        survey.expr(seed);
    }
    for (number, procedure) in program.procedures.iter().enumerate() {
        for id in procedure.parameters.iter().chain(&procedure.results).chain(&procedure.identity) {
            survey.fits[id.index()] = false;
        }
        let id = ProcId(number as u32);
        let home = if id == program.main && main_is_top_level(program) { Storage::Global } else { Storage::Local(id) };
        survey.stmt(&procedure.body, home, program);
    }
    survey.declares.iter().zip(survey.fits).map(|(&declares, fits)| fits && declares == 1).collect()
}

/// Can the main procedure be written as top-level statements? Then it has no variables of its own, and is never called.
pub(super) fn main_is_top_level(program: &Program) -> bool {
    let main = program.main;
    let is_called = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Call { procedure, .. } | StmtKind::Fork { procedure, .. } | StmtKind::Async { procedure, .. } => {
            *procedure == main
        }
        _ => false,
    };
    let is_own = |variable: &Variable| variable.storage == Storage::Local(main);
    !program.statements().any(is_called) && !program.variables.iter().any(is_own)
}

struct Survey {
    /// The number of `Declare`s of each variable.
    declares: Vec<u32>,
    /// How many of them are around the statement at hand.
    open: Vec<u32>,
    /// Is the variable mentioned only inside its `Declare`, and is that in the right place?
    fits: Vec<bool>,
}

impl Survey {
    fn mention(&mut self, id: VarId) {
        self.fits[id.index()] &= self.open[id.index()] > 0;
    }

    fn expr(&mut self, expr: &Expr) {
        expr.for_each_var(&mut |id| self.mention(id));
    }

    fn stmt(&mut self, stmt: &Stmt, home: Storage, program: &Program) {
        stmt.exprs().into_iter().for_each(|expr| self.expr(expr));
        stmt.targets().into_iter().for_each(|id| self.mention(id));
        let declared = match &stmt.kind {
            StmtKind::Declare(id, _) => Some(*id),
            _ => None,
        };
        if let Some(id) = declared {
            self.declares[id.index()] += 1;
            self.open[id.index()] += 1;
            self.fits[id.index()] &= program.variable(id).storage == home;
        }
        for child in stmt.children() {
            self.stmt(child, home, program);
        }
        if let Some(id) = declared {
            self.open[id.index()] -= 1;
        }
    }
}
