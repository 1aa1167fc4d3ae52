//! A walk over all expressions of a function, with what surrounds them.

pub use crate::c::tree::uncast;

use crate::c::tree::{Callee, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind, VariableId};

/// What surrounds an expression or a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// May it be passed more than once in one execution of the function?
    pub repeats: bool,
}

/// Something that is met on the way.
pub enum Met<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Stmt(&'a Stmt),
}

/// Calls `visit` with everything in a function's body, parents before children. Where a `goto` jumps back, all of the body repeats.
pub fn body<'a>(stmts: &'a [Stmt], visit: &mut dyn FnMut(Met<'a>, Context)) {
    statements(stmts, Context { repeats: jumps_back(stmts) }, visit);
}

/// Does a `goto` stand behind its label?
pub fn jumps_back(stmts: &[Stmt]) -> bool {
    let (mut seen, mut back) = (Vec::new(), false);
    let mut look = |met: Met<'_>, _: Context| match met {
        Met::Stmt(Stmt { kind: StmtKind::Label(label, _), .. }) => seen.push(*label),
        Met::Stmt(Stmt { kind: StmtKind::Goto(label), .. }) => back |= seen.contains(label),
        _ => {}
    };
    statements(stmts, Context::default(), &mut look);
    back
}

/// Is there a label, or a case of a surrounding `switch`, that a jump can name?
pub fn has_label(stmt: &Stmt) -> bool {
    let mut found = false;
    let mut look = |met: Met<'_>, _: Context| {
        if let Met::Stmt(stmt) = met {
            found |= matches!(stmt.kind, StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_));
        }
    };
    statement(stmt, Context::default(), &mut look);
    found
}

/// The variable that a place is a part of; none behind a pointer.
pub fn root(place: &Place) -> Option<VariableId> {
    match &place.kind {
        PlaceKind::Variable(variable) => Some(*variable),
        PlaceKind::Deref(_) => None,
        PlaceKind::Field(inner, _) | PlaceKind::Element(inner, _) => root(inner),
    }
}

/// The variable whose address something takes.
pub fn addressed(met: &Met<'_>) -> Option<VariableId> {
    match met {
        Met::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) => root(place),
        _ => None,
    }
}

/// The variables that something writes by name.
pub fn written(met: &Met<'_>) -> Option<VariableId> {
    match met {
        Met::Expr(Expr { kind: ExprKind::Assign(place, _) | ExprKind::Update { place, .. }, .. }) => root(place),
        Met::Stmt(Stmt { kind: StmtKind::Declare(variable, _), .. }) => Some(*variable),
        _ => None,
    }
}

pub fn statements<'a>(stmts: &'a [Stmt], context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    stmts.iter().for_each(|stmt| statement(stmt, context, visit));
}

pub fn statement<'a>(stmt: &'a Stmt, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    visit(Met::Stmt(stmt), context);
    let inside = Context { repeats: true };
    match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => expression(expr, context, visit),
        StmtKind::Declare(_, Some(init)) => initial(init, context, visit),
        StmtKind::Block(stmts) => statements(stmts, context, visit),
        StmtKind::If(test, then, other) => {
            expression(test, context, visit);
            statement(then, context, visit);
            if let Some(other) = other {
                statement(other, context, visit);
            }
        }
        StmtKind::While(test, then) | StmtKind::DoWhile(then, test) => {
            expression(test, inside, visit);
            statement(then, inside, visit);
        }
        StmtKind::For { init, test, step, body } => {
            statement(init, context, visit);
            for expr in [test, step].into_iter().flatten() {
                expression(expr, inside, visit);
            }
            statement(body, inside, visit);
        }
        StmtKind::Switch(value, then) => {
            expression(value, context, visit);
            statement(then, context, visit);
        }
        StmtKind::Case { then, .. } | StmtKind::Default(then) | StmtKind::Label(_, then) => {
            statement(then, context, visit)
        }
        StmtKind::Declare(_, None)
        | StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Skip => {}
    }
}

pub fn initial<'a>(init: &'a Init, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    match init {
        Init::Expr(expr) => expression(expr, context, visit),
        Init::String(..) => {}
        Init::List(list) => list.iter().for_each(|(_, init)| initial(init, context, visit)),
    }
}

pub fn expression<'a>(expr: &'a Expr, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    visit(Met::Expr(expr), context);
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Function(_) => {}
        ExprKind::Load(at) | ExprKind::AddressOf(at) => place(at, context, visit),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) => expression(a, context, visit),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PointerAdd { pointer: a, count: b, .. }
        | ExprKind::PointerDiff { left: a, right: b, .. } => {
            expression(a, context, visit);
            expression(b, context, visit);
        }
        ExprKind::Conditional(test, then, other) => {
            expression(test, context, visit);
            if let Some(then) = then {
                expression(then, context, visit);
            }
            expression(other, context, visit);
        }
        ExprKind::Assign(at, value) | ExprKind::Update { place: at, value, .. } => {
            place(at, context, visit);
            expression(value, context, visit);
        }
        ExprKind::Call(callee, arguments) => {
            if let Callee::Pointer(callee) = callee {
                expression(callee, context, visit);
            }
            arguments.iter().for_each(|argument| expression(argument, context, visit));
        }
        ExprKind::Statements(stmts) => statements(stmts, context, visit),
        ExprKind::Literal(_, init) => initial(init, context, visit),
    }
}

pub fn place<'a>(at: &'a Place, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    visit(Met::Place(at), context);
    match &at.kind {
        PlaceKind::Variable(_) => {}
        PlaceKind::Deref(pointer) => expression(pointer, context, visit),
        PlaceKind::Field(inner, _) => place(inner, context, visit),
        PlaceKind::Element(inner, index) => {
            place(inner, context, visit);
            expression(index, context, visit);
        }
    }
}
