//! Which variables keep the `Declare` that the program has for them, and what each piece of program mentions.
//!
//! A declared variable prints as `(declare (x Int) …)` in its place if all that mentions it is inside, there is one such
//! place, and its storage is what reading it at that place gives. Any other variable is declared around everything.

use crate::ast::{Expr, ExprKind, FunId, ProcId, Program, Stmt, StmtKind, Storage, VarId};
use rustc_hash::FxHashSet;

/// Something that a name in an expression can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entity {
    Var(VarId),
    Fun(FunId),
}

/// Calls `visit` with everything that the expression names.
pub(super) fn mentions_of_expr(expr: &Expr, visit: &mut impl FnMut(Entity)) {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_) => {}
        ExprKind::Var(id) => visit(Entity::Var(*id)),
        ExprKind::Op(_, operands) => operands.iter().for_each(|operand| mentions_of_expr(operand, visit)),
        ExprKind::Apply(id, arguments) => {
            visit(Entity::Fun(*id));
            arguments.iter().for_each(|argument| mentions_of_expr(argument, visit));
        }
        ExprKind::ConstArray(element) | ExprKind::Quantified(_, _, element) => mentions_of_expr(element, visit),
    }
}

/// Everything that is named in the statement and in those inside it.
pub(super) fn mentions(stmt: &Stmt) -> FxHashSet<Entity> {
    let mut found = FxHashSet::default();
    let mut todo = vec![stmt];
    while let Some(stmt) = todo.pop() {
        let mut targets = Vec::new();
        stmt.parts(&mut |expr| mentions_of_expr(expr, &mut |entity| _ = found.insert(entity)), &mut |target| {
            targets.push(Entity::Var(target))
        });
        found.extend(targets);
        todo.extend(stmt.children());
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
    let mut todo: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = todo.pop() {
        if is_called(stmt) {
            return false;
        }
        todo.extend(stmt.children());
    }
    program.variables.iter().all(|variable| variable.storage != Storage::Local(main))
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
        let mut mentioned = Vec::new();
        let mut targets = Vec::new();
        stmt.parts(&mut |expr| expr.for_each_var(&mut |id| mentioned.push(id)), &mut |target| targets.push(target));
        mentioned.into_iter().chain(targets).for_each(|id| self.mention(id));
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
