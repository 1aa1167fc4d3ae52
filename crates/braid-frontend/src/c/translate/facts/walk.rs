//! A walk over all expressions of a function, with what surrounds them.

pub use crate::c::tree::uncast;

use crate::c::tree::{
    Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Storage, Unit, VariableId,
};
use rustc_hash::FxHashSet;

/// What surrounds an expression or a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// May it be passed more than once in one execution of the function?
    pub repeats: bool,
}

/// Something that is met on the way.
#[derive(Clone, Copy)]
pub enum Met<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Stmt(&'a Stmt),
    Init(&'a Init),
}

impl<'a> Met<'a> {
    /// What it is made of, in order.
    pub fn children(self) -> Vec<Met<'a>> {
        match self {
            Met::Stmt(stmt) => match &stmt.kind {
                StmtKind::Expr(a) | StmtKind::Return(Some(a)) => vec![Met::Expr(a)],
                StmtKind::Declare(_, Some(init)) => vec![Met::Init(init)],
                StmtKind::Block(stmts) => stmts.iter().map(Met::Stmt).collect(),
                StmtKind::If(test, then, Some(other)) => vec![Met::Expr(test), Met::Stmt(then), Met::Stmt(other)],
                StmtKind::If(a, then, None)
                | StmtKind::While(a, then)
                | StmtKind::DoWhile(then, a)
                | StmtKind::Switch(a, then) => vec![Met::Expr(a), Met::Stmt(then)],
                StmtKind::For { init, test, step, body } => {
                    let tests = [test, step].into_iter().flatten().map(Met::Expr);
                    [Met::Stmt(init)].into_iter().chain(tests).chain([Met::Stmt(body)]).collect()
                }
                StmtKind::Case { then, .. } | StmtKind::Default(then) | StmtKind::Label(_, then) => {
                    vec![Met::Stmt(then)]
                }
                _ => Vec::new(),
            },
            Met::Init(Init::Expr(expr)) => vec![Met::Expr(expr)],
            Met::Init(Init::String(..)) => Vec::new(),
            Met::Init(Init::List(list)) => list.iter().map(|(_, init)| Met::Init(init)).collect(),
            Met::Place(place) => match &place.kind {
                PlaceKind::Variable(_) => Vec::new(),
                PlaceKind::Deref(pointer) => vec![Met::Expr(pointer)],
                PlaceKind::Field(inner, _) => vec![Met::Place(inner)],
                PlaceKind::Element(inner, index) => vec![Met::Place(inner), Met::Expr(index)],
            },
            Met::Expr(expr) => match &expr.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Function(_) => Vec::new(),
                ExprKind::Load(at) | ExprKind::AddressOf(at) => vec![Met::Place(at)],
                ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) => vec![Met::Expr(a)],
                ExprKind::Binary(_, a, b)
                | ExprKind::Compare(_, a, b)
                | ExprKind::And(a, b)
                | ExprKind::Or(a, b)
                | ExprKind::Comma(a, b)
                | ExprKind::Conditional(a, None, b)
                | ExprKind::PointerAdd { pointer: a, count: b, .. }
                | ExprKind::PointerDiff { left: a, right: b, .. } => vec![Met::Expr(a), Met::Expr(b)],
                ExprKind::Conditional(a, Some(b), c) => vec![Met::Expr(a), Met::Expr(b), Met::Expr(c)],
                ExprKind::Assign(at, value) | ExprKind::Update { place: at, value, .. } => {
                    vec![Met::Place(at), Met::Expr(value)]
                }
                ExprKind::Call(Callee::Direct(_), arguments) => arguments.iter().map(Met::Expr).collect(),
                ExprKind::Call(Callee::Pointer(callee), arguments) => {
                    [&**callee].into_iter().chain(arguments).map(Met::Expr).collect()
                }
                ExprKind::Statements(stmts) => stmts.iter().map(Met::Stmt).collect(),
                ExprKind::Literal(_, init) => vec![Met::Init(init)],
            },
        }
    }

    /// Is there anything in it, itself included, that is so?
    pub fn any(self, is: &dyn Fn(Met<'a>) -> bool) -> bool {
        is(self) || self.children().into_iter().any(|child| child.any(is))
    }

    /// Calls `visit` with it and everything in it, parents before children.
    pub fn each(self, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
        visit(self, context);
        // What stands first in a `for` is done once.
        let once = match self {
            Met::Stmt(Stmt { kind: StmtKind::While(..) | StmtKind::DoWhile(..), .. }) => 0,
            Met::Stmt(Stmt { kind: StmtKind::For { .. }, .. }) => 1,
            _ => usize::MAX,
        };
        for (number, child) in self.children().into_iter().enumerate() {
            child.each(Context { repeats: context.repeats || number >= once }, visit);
        }
    }
}

/// Visits everything in a function's body. Where a `goto` jumps back, all of the body repeats.
pub fn body<'a>(stmts: &'a [Stmt], visit: &mut dyn FnMut(Met<'a>, Context)) {
    let context = Context { repeats: jumps_back(stmts) };
    stmts.iter().for_each(|stmt| Met::Stmt(stmt).each(context, visit));
}

/// Visits everything in the bodies of functions.
pub fn functions<'a>(unit: &'a Unit, ids: &[FunctionId], visit: &mut dyn FnMut(FunctionId, Met<'a>, Context)) {
    for &id in ids {
        let stmts = unit.functions[id.index()].body.as_deref().unwrap_or_default();
        body(stmts, &mut |met, context| visit(id, met, context));
    }
}

/// The local variables that other functions than their own name: those inside of it.
pub fn captured(unit: &Unit, ids: &[FunctionId]) -> FxHashSet<VariableId> {
    let mut captured = FxHashSet::default();
    functions(unit, ids, &mut |function, met, _| {
        if let Met::Place(Place { kind: PlaceKind::Variable(id), .. }) = met
            && let Storage::Local(owner) = unit.variables[id.index()].storage
            && owner != function
        {
            captured.insert(*id);
        }
    });
    captured
}

/// Visits everything in an expression.
pub fn expression<'a>(expr: &'a Expr, context: Context, visit: &mut dyn FnMut(Met<'a>, Context)) {
    Met::Expr(expr).each(context, visit);
}

/// The statements directly inside of one.
pub fn inner(stmt: &Stmt) -> impl Iterator<Item = &Stmt> {
    Met::Stmt(stmt).children().into_iter().filter_map(|met| if let Met::Stmt(stmt) = met { Some(stmt) } else { None })
}

/// Does a `goto` stand behind its label?
pub fn jumps_back(stmts: &[Stmt]) -> bool {
    let (mut seen, mut back) = (Vec::new(), false);
    let mut look = |met: Met<'_>, _: Context| match met {
        Met::Stmt(Stmt { kind: StmtKind::Label(label, _), .. }) => seen.push(*label),
        Met::Stmt(Stmt { kind: StmtKind::Goto(label), .. }) => back |= seen.contains(label),
        _ => {}
    };
    stmts.iter().for_each(|stmt| Met::Stmt(stmt).each(Context::default(), &mut look));
    back
}

/// Is there a label, or a case of a surrounding `switch`, that a jump can name?
pub fn has_label(stmt: &Stmt) -> bool {
    let is_label =
        |stmt: &Stmt| matches!(stmt.kind, StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_));
    Met::Stmt(stmt).any(&|met| matches!(met, Met::Stmt(stmt) if is_label(stmt)))
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
