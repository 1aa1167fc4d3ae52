//! How deep calls are nested of functions that call themselves. Their variables have addresses by it, and it is known only where that is needed.

use crate::c::translate::{DEPTH, Role, Translator};
use crate::c::tree::FunctionId;
use braid_program::ast::build::{self, int};
use braid_program::ast::{Expr, Stmt, StmtKind, Type, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// The parameter that says how many calls there are around this one, where that is needed.
    pub(crate) fn depth_parameter(&mut self, function: FunctionId, role: Role, span: Span) -> Option<VarId> {
        if !matches!(role, Role::Called { .. }) || !self.decisions.depths || !self.graph.is_recursive(function) {
            return None;
        }
        let depth = self.local("depth".into(), Type::Int, span);
        self.frame.depth = Some(depth);
        let is_near = build::lt(self.var(depth, span), int(DEPTH, span), span);
        let what = format!("more than {DEPTH} calls of functions that call themselves, at one time");
        let stop = Stmt { kind: StmtKind::Unmodelled(format!("{what}, is not supported")), span };
        self.branch(is_near, Vec::new(), vec![stop], span);
        Some(depth)
    }

    /// What a call of a function gives for it.
    pub(crate) fn depth_argument(&self, function: FunctionId, span: Span) -> Option<Expr> {
        (self.decisions.depths && self.graph.is_recursive(function)).then(|| match self.frame.depth {
            Some(depth) => build::add(self.var(depth, span), int(1, span), span),
            None => int(0, span),
        })
    }
}
