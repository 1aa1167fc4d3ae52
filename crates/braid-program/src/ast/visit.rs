//! What statements and expressions are made of: walks through a program that change nothing. Changes are in `fold`.

use super::{Expr, ExprKind, Stmt, StmtKind, VarId};

impl Stmt {
    /// The expressions of this statement, in order; not those of statements inside it.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assume(test) | StmtKind::Assert(_, test) | StmtKind::If(test, ..) | StmtKind::While(test, _) => {
                vec![test]
            }
            StmtKind::Await(test, release) => std::iter::once(test).chain(release.thread()).collect(),
            StmtKind::Assign(pairs) => pairs.iter().map(|(_, value)| value).collect(),
            StmtKind::Call { arguments, .. } | StmtKind::Async { arguments, .. } => arguments.iter().collect(),
            StmtKind::Fork { identity, arguments, .. } => std::iter::once(identity).chain(arguments).collect(),
            StmtKind::Join { identity: handle, .. } | StmtKind::Wait { handle, .. } => vec![handle],
            _ => Vec::new(),
        }
    }

    /// The variables that this statement writes; not those of statements inside it.
    pub fn targets(&self) -> Vec<VarId> {
        match &self.kind {
            StmtKind::Assign(pairs) => pairs.iter().map(|(target, _)| *target).collect(),
            StmtKind::Havoc(results)
            | StmtKind::Call { results, .. }
            | StmtKind::Join { results, .. }
            | StmtKind::Wait { results, .. } => results.clone(),
            StmtKind::Async { handle, .. } => handle.iter().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// Does the statement read or write such a variable itself?
    pub fn touches(&self, is_such: impl Fn(VarId) -> bool) -> bool {
        let mut found = self.targets().into_iter().any(&is_such);
        self.exprs().into_iter().for_each(|expr| expr.for_each_var(&mut |id| found |= is_such(id)));
        found
    }

    /// This statement and all that are inside it, in no certain order.
    pub fn all(&self) -> impl Iterator<Item = &Stmt> {
        below(vec![self])
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
}

/// Statements and all that are inside them.
pub(super) fn below(mut todo: Vec<&Stmt>) -> impl Iterator<Item = &Stmt> {
    std::iter::from_fn(move || {
        let next = todo.pop()?;
        todo.extend(next.children());
        Some(next)
    })
}

impl Expr {
    /// The expressions directly inside this one, in order.
    pub fn children(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Op(_, operands) | ExprKind::Apply(_, operands) => operands,
            ExprKind::ConstArray(inner) | ExprKind::Quantified(_, _, inner) => std::slice::from_ref(inner),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_) | ExprKind::Var(_) => &[],
        }
    }

    /// This expression and all that are inside it, those on the left first.
    pub fn all(&self) -> impl Iterator<Item = &Expr> {
        let mut todo = vec![self];
        std::iter::from_fn(move || {
            let next = todo.pop()?;
            todo.extend(next.children().iter().rev());
            Some(next)
        })
    }

    /// Calls `visit` with each variable that occurs free, in order, repeats included.
    pub fn for_each_var(&self, visit: &mut dyn FnMut(VarId)) {
        match &self.kind {
            ExprKind::Var(id) => visit(*id),
            ExprKind::Quantified(_, bound, body) => body.for_each_var(&mut |id| {
                if !bound.contains(&id) {
                    visit(id);
                }
            }),
            _ => self.children().iter().for_each(|child| child.for_each_var(visit)),
        }
    }
}
