//! Unsequenced effects: C does not say in which order operands are evaluated, so no operand may change a variable that another one
//! reads or changes (C11 6.5, paragraph 2). Only variables by name are looked at.

use crate::c::tree::{Callee, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind, VariableId};
use braid_program::source::Span;

/// What the evaluation of an expression does to variables.
#[derive(Default)]
struct Effects {
    reads: Vec<VariableId>,
    writes: Vec<VariableId>,
    /// Of the writes, those that need not be over when the value is there.
    late: Vec<VariableId>,
    /// Where two effects have no order.
    clash: Option<Span>,
}

/// The first place in a statement's own expressions where two effects on a variable have no order, if it is surely evaluated.
pub fn unsequenced(stmt: &Stmt) -> Option<Span> {
    let expr = match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::If(expr, ..) | StmtKind::While(expr, _) | StmtKind::Switch(expr, _) => expr,
        StmtKind::Return(Some(expr)) | StmtKind::Declare(_, Some(Init::Expr(expr))) => expr,
        StmtKind::For { test: Some(expr), .. } => expr,
        _ => return None,
    };
    effects(expr).clash
}

impl Effects {
    /// Both, in any order.
    fn beside(mut self, other: Effects, span: Span) -> Effects {
        let clash = |a: &Effects, b: &Effects| a.writes.iter().any(|id| b.reads.contains(id) || b.writes.contains(id));
        let new = (clash(&self, &other) || clash(&other, &self)).then_some(span);
        self.clash = self.clash.or(other.clash).or(new);
        self.merge(other)
    }

    /// This one first, then the other.
    fn then(mut self, other: Effects) -> Effects {
        self.late.clear();
        self.clash = self.clash.or(other.clash);
        self.merge(other)
    }

    fn merge(mut self, other: Effects) -> Effects {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.late.extend(other.late);
        self
    }

    /// Only what surely happens: of a branch that may not be taken nothing is said.
    fn then_perhaps(self, other: Effects) -> Effects {
        self.then(Effects { clash: None, ..other })
    }

    /// A variable is changed when the value is there.
    fn changing(mut self, place: &Place, span: Span) -> Effects {
        if let PlaceKind::Variable(id) = place.kind {
            let new = self.late.contains(&id).then_some(span);
            self.clash = self.clash.or(new);
            self.writes.push(id);
            self.late.push(id);
        }
        self
    }
}

fn effects(expr: &Expr) -> Effects {
    let span = expr.span;
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Function(_) => Effects::default(),
        ExprKind::Load(place) => {
            let mut found = around(place);
            if let PlaceKind::Variable(id) = place.kind {
                found.reads.push(id);
            }
            found
        }
        ExprKind::AddressOf(place) => around(place),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) => effects(a),
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => effects(a).beside(effects(b), span),
        ExprKind::PointerAdd { pointer: a, count: b, .. } | ExprKind::PointerDiff { left: a, right: b, .. } => {
            effects(a).beside(effects(b), span)
        }
        ExprKind::Comma(a, b) => effects(a).then(effects(b)),
        ExprKind::And(a, b) | ExprKind::Or(a, b) => effects(a).then_perhaps(effects(b)),
        ExprKind::Conditional(test, then, other) => {
            let one = then.as_ref().map_or_else(Effects::default, |then| effects(then));
            let branches = Effects { clash: None, ..one }.merge(effects(other));
            effects(test).then_perhaps(branches)
        }
        ExprKind::Assign(place, value) => around(place).beside(effects(value), span).changing(place, span),
        ExprKind::Update { place, value, .. } => around(place).beside(effects(value), span).changing(place, span),
        ExprKind::Call(callee, arguments) => {
            let first = match callee {
                Callee::Direct(_) => Effects::default(),
                Callee::Pointer(pointer) => effects(pointer),
            };
            let all = arguments.iter().fold(first, |all, argument| all.beside(effects(argument), span));
            // All of that is over before the function begins.
            Effects { late: Vec::new(), ..all }
        }
        // What is in there has an order of its own.
        ExprKind::Statements(_) | ExprKind::Literal(..) => Effects::default(),
    }
}

/// What the evaluation of a place does, without an access to it.
fn around(place: &Place) -> Effects {
    match &place.kind {
        PlaceKind::Variable(_) => Effects::default(),
        PlaceKind::Deref(pointer) => effects(pointer),
        PlaceKind::Field(inner, _) => around(inner),
        PlaceKind::Element(inner, index) => around(inner).beside(effects(index), place.span),
    }
}
