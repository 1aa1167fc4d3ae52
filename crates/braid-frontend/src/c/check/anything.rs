//! Arguments that are anything: `__braid_any()` in the calls of a harness, and all arguments of `__braid_call(f)`.

use super::types::plain;
use super::{Arguments, Check, Checker};
use crate::c::syntax::{self, ExprKind as Syntax};
use crate::c::tree::{Callee, Expr, ExprKind, Stmt, StmtKind, Type};
use braid_program::source::Span;

/// So many characters are behind a pointer to them.
const CHARACTERS: u64 = 16;

impl<'t> Checker<'t> {
    /// Is the expression an argument that is anything?
    pub(super) fn is_anything(argument: &syntax::Expr<'_>) -> bool {
        matches!(&argument.kind, Syntax::Call(callee, _) if matches!(callee.kind, Syntax::Name("__braid_any")))
    }

    /// Any value of a type; of a pointer, the address of an object of its own that holds anything.
    pub(super) fn anything(&mut self, ty: &Type, span: Span) -> Expr {
        let object = match ty {
            Type::Pointer(to) if is_character(&to.ty) => Some(Type::Array(to.clone(), Some(CHARACTERS))),
            Type::Pointer(to) if to.ty != Type::Void && self.is_complete(&to.ty) => Some(to.ty.clone()),
            _ => None,
        };
        let id = self.new_local("any", plain(object.clone().unwrap_or_else(|| ty.clone())), span);
        let declared = Stmt { kind: StmtKind::Declare(id, None), span };
        let kind = match object {
            None => {
                let value = Stmt { kind: StmtKind::Expr(self.variable_value(id, span)), span };
                ExprKind::Statements(vec![declared, value])
            }
            // The object is there as long as its function: its address is not the value of the block that makes it.
            Some(_) => {
                let made = Expr { kind: ExprKind::Statements(vec![declared]), ty: Type::Void, span };
                let address = ExprKind::AddressOf(Box::new(self.variable_place(id, span)));
                ExprKind::Comma(Box::new(made), Box::new(Expr { kind: address, ty: ty.clone(), span }))
            }
        };
        Expr { kind, ty: ty.clone(), span }
    }

    fn is_complete(&self, ty: &Type) -> bool {
        super::types::size_of(ty, self.model, &self.records).is_some_and(|size| size > 0)
    }

    /// `__braid_call(f)`: a call with arguments that are anything.
    pub(super) fn call_with_anything(&mut self, arguments: Arguments<'t>, span: Span) -> Check<Expr> {
        let [function] = arguments else { return self.error(span, "one function is expected here") };
        let callee = self.expr(function)?;
        let (ExprKind::Function(id), Some(ty)) = (&callee.kind, callee.ty.called().cloned()) else {
            return self.error(callee.span, "this is not a function");
        };
        let values = ty.parameters.iter().map(|parameter| self.anything(parameter, span)).collect();
        Ok(Expr { kind: ExprKind::Call(Callee::Direct(*id), values), ty: ty.result, span })
    }
}

fn is_character(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 8, .. })
}
