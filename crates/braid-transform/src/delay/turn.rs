//! Programs whose tasks switch only at certain places. They are written with a variable that says "some task is running": a task
//! takes the turn before it does anything, and gives it back where others may run.
//!
//! That a variable is used so is read off the program: it occurs nowhere but where the turn is taken and given, everything that
//! starts begins by taking it, and between giving and taking it a task does nothing but wait.

use super::build::flat;
use braid_program::ast::{Expr, ExprKind, Op, ProcId, Program, Stmt, StmtKind, Storage, Type, VarId};

/// Gives the turn back.
pub(super) fn gives(stmt: &Stmt, turn: VarId) -> bool {
    matches!(&stmt.kind, StmtKind::Assign(pairs) if matches!(pairs.as_slice(), [(target, value)]
        if *target == turn && value.kind == ExprKind::Bool(false)))
}

/// Waits until nobody has the turn, and takes it.
pub(super) fn takes(stmt: &Stmt, turn: VarId) -> bool {
    let StmtKind::Atomic(body) = &stmt.kind else { return false };
    let mut items = Vec::new();
    flat(body, &mut items);
    let [test, set] = items.as_slice() else { return false };
    let is_free = matches!(&test.kind, StmtKind::Assume(Expr { kind: ExprKind::Op(Op::Not, operands), .. })
        if matches!(operands.as_slice(), [Expr { kind: ExprKind::Var(id), .. }] if *id == turn));
    let is_set = matches!(&set.kind, StmtKind::Assign(pairs) if matches!(pairs.as_slice(), [(target, value)]
        if *target == turn && value.kind == ExprKind::Bool(true)));
    is_free && is_set
}

/// The variable that is the turn, if there is one.
pub(super) fn turn(program: &Program) -> Option<VarId> {
    let candidates = program.variables.iter().enumerate();
    let candidates =
        candidates.filter(|(_, variable)| variable.storage == Storage::Global && variable.ty == Type::Bool);
    candidates.map(|(number, _)| VarId(number as u32)).find(|&id| is_turn(program, id))
}

fn is_turn(program: &Program, turn: VarId) -> bool {
    let (mut started, mut called): (Vec<ProcId>, Vec<ProcId>) = (vec![program.main], Vec::new());
    let mut used = false;
    let mut todo: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = todo.pop() {
        if gives(stmt, turn) || takes(stmt, turn) {
            used = true;
            continue;
        }
        match &stmt.kind {
            StmtKind::Async { procedure, .. } | StmtKind::Fork { procedure, .. } => started.push(*procedure),
            StmtKind::Call { procedure, .. } => called.push(*procedure),
            StmtKind::Par(_) => return false,
            _ => {}
        }
        if stmt.touches(|id| id == turn) {
            return false;
        }
        todo.extend(stmt.children());
    }
    used && program.procedures.iter().enumerate().all(|(number, procedure)| {
        let id = ProcId(number as u32);
        let starts = started.contains(&id);
        !(starts && called.contains(&id)) && has_turns(&procedure.body, turn, starts)
    })
}

/// Is the turn given and taken in pairs, with nothing but a wait between? The body of what is started begins by taking it
/// (or has it, as the first task) and ends by giving it back.
fn has_turns(body: &Stmt, turn: VarId, starts: bool) -> bool {
    let mut items = Vec::new();
    flat(body, &mut items);
    if let [Stmt { kind: StmtKind::Declare(_, inner), .. }] = items.as_slice() {
        return has_turns(inner, turn, starts);
    }
    let waits = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Wait { .. } | StmtKind::Join { .. });
    let inner =
        |items: &[&Stmt]| items.iter().flat_map(|item| item.children()).all(|child| has_turns(child, turn, false));
    for (place, item) in items.iter().enumerate() {
        let before = |distance: usize| place.checked_sub(distance).map(|place| items[place]);
        let after = |distance: usize| items.get(place + distance).copied();
        if gives(item, turn) {
            let ends = starts && place + 1 == items.len();
            let goes_on = after(1).is_some_and(|next| {
                takes(next, turn) || (waits(next) && after(2).is_some_and(|next| takes(next, turn)))
            });
            if !ends && !goes_on {
                return false;
            }
        } else if takes(item, turn) {
            let begins = starts && place == 0;
            let gave = before(1).is_some_and(|last| {
                gives(last, turn) || (waits(last) && before(2).is_some_and(|last| gives(last, turn)))
            });
            if !begins && !gave {
                return false;
            }
        } else if waits(item) && !before(1).is_some_and(|last| gives(last, turn)) {
            return false;
        }
    }
    let other: Vec<&Stmt> = items.iter().copied().filter(|item| !takes(item, turn)).collect();
    inner(&other)
}
