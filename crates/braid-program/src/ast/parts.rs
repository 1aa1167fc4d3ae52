//! What statements and expressions are made of.

use super::{Expr, ExprKind, Release, Stmt, StmtKind, VarId};

impl Stmt {
    /// Calls `on_expr` with the expressions of this statement, and `on_target` with the variables that it writes; not with
    /// those of statements inside it.
    pub fn parts(&self, on_expr: &mut impl FnMut(&Expr), on_target: &mut impl FnMut(VarId)) {
        match &self.kind {
            StmtKind::Assume(test) | StmtKind::Assert(_, test) | StmtKind::If(test, ..) | StmtKind::While(test, _) => {
                on_expr(test)
            }
            StmtKind::Await(test, release) => {
                on_expr(test);
                release.thread().into_iter().for_each(on_expr);
            }
            StmtKind::Assign(pairs) => pairs.iter().for_each(|(target, value)| {
                on_target(*target);
                on_expr(value);
            }),
            StmtKind::Havoc(targets) => targets.iter().copied().for_each(on_target),
            StmtKind::Call { results, arguments, .. } => {
                results.iter().copied().for_each(on_target);
                arguments.iter().for_each(on_expr);
            }
            StmtKind::Fork { identity, arguments, .. } => {
                on_expr(identity);
                arguments.iter().for_each(on_expr);
            }
            StmtKind::Join { results, identity: handle } | StmtKind::Wait { results, handle } => {
                results.iter().copied().for_each(on_target);
                on_expr(handle);
            }
            StmtKind::Async { handle, arguments, .. } => {
                handle.iter().copied().for_each(on_target);
                arguments.iter().for_each(on_expr);
            }
            StmtKind::Unmodelled(_)
            | StmtKind::Seq(_)
            | StmtKind::Choice(_)
            | StmtKind::Loop(_)
            | StmtKind::Par(_)
            | StmtKind::Atomic(_)
            | StmtKind::Declare(..)
            | StmtKind::Return
            | StmtKind::Label(_)
            | StmtKind::Goto(_) => {}
        }
    }

    /// The statements directly inside this one, in order.
    pub fn children(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => items.iter().collect(),
            StmtKind::If(_, then, other) => std::iter::once(&**then).chain(other.as_deref()).collect(),
            StmtKind::While(_, body) | StmtKind::Loop(body) | StmtKind::Atomic(body) | StmtKind::Declare(_, body) => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Stmt> {
        match &mut self.kind {
            StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => items.iter_mut().collect(),
            StmtKind::If(_, then, other) => std::iter::once(&mut **then).chain(other.as_deref_mut()).collect(),
            StmtKind::While(_, body) | StmtKind::Loop(body) | StmtKind::Atomic(body) | StmtKind::Declare(_, body) => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }

    /// Calls `change` with the expressions of this statement, and with the variable that takes the value, if one does; not
    /// with those of statements inside it.
    pub fn for_each_expr_mut(&mut self, change: &mut impl FnMut(&mut Expr, Option<VarId>)) {
        match &mut self.kind {
            StmtKind::Assume(test) | StmtKind::Assert(_, test) | StmtKind::If(test, ..) | StmtKind::While(test, _) => {
                change(test, None);
            }
            StmtKind::Await(test, release) => {
                change(test, None);
                if let Release::Thread(identity) = &mut **release {
                    change(identity, None);
                }
            }
            StmtKind::Assign(pairs) => pairs.iter_mut().for_each(|(target, value)| change(value, Some(*target))),
            StmtKind::Call { arguments, .. } | StmtKind::Async { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| change(argument, None));
            }
            StmtKind::Fork { identity, arguments, .. } => {
                std::iter::once(identity).chain(arguments).for_each(|part| change(part, None));
            }
            StmtKind::Join { identity: handle, .. } | StmtKind::Wait { handle, .. } => change(handle, None),
            _ => {}
        }
    }
}

impl Expr {
    /// The expressions directly inside this one, in order.
    pub fn children_mut(&mut self) -> &mut [Expr] {
        match &mut self.kind {
            ExprKind::Op(_, operands) | ExprKind::Apply(_, operands) => operands,
            ExprKind::ConstArray(inner) | ExprKind::Quantified(_, _, inner) => std::slice::from_mut(inner),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_) | ExprKind::Var(_) => &mut [],
        }
    }
}
