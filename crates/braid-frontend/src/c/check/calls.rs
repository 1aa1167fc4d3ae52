//! Calls.

use super::*;
use crate::c::syntax::ExprKind as Syntax;

/// What becomes of the result of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultUse {
    Used,
    /// The call is a statement.
    Dropped,
}

impl<'t> Checker<'t> {
    pub(super) fn call(&mut self, callee: Written<'t>, arguments: Arguments<'t>, span: Span) -> Check<Operand> {
        let is_this = |own: Written<'t>| matches!(&own.kind, Syntax::Call(own, _) if std::ptr::eq(&**own, callee));
        let result = if self.discarded.is_some_and(is_this) { ResultUse::Dropped } else { ResultUse::Used };
        if let Syntax::Name(name) = callee.kind
            && self.scopes.find(name).is_none_or(|entity| matches!(entity, Entity::Function(_)))
        {
            if self.inside_prelude && matches!(name, "__braid_calls" | "__braid_uses") {
                let known = if name == "__braid_calls" { &self.called } else { &self.used };
                let is_known =
                    |argument: &syntax::Expr<'_>| matches!(argument.kind, Syntax::Name(name) if known.contains(name));
                return Ok(Operand::Value(int(i128::from(arguments.iter().any(is_known)), INT, span)));
            }
            // What the call gives, for its type.
            if self.inside_prelude && name == "__braid_result" {
                return Ok(Operand::Value(int(0, self.context.result.clone(), span)));
            }
            if name == "__braid_call" {
                return self.call_with_anything(arguments, span).map(Operand::Value);
            }
            if !self.inside_prelude {
                self.note_call(name, result == ResultUse::Used);
            }
            if let Some(result) = self.answered(name, arguments, span)? {
                return Ok(result);
            }
            if self.scopes.find(name).is_none() {
                self.undeclared_function(name, callee.span);
            }
        }
        if let Syntax::Name(name) = callee.kind
            && let Some(index) = self.variadic_function(name)
        {
            return self.variadic_call(index, arguments, span).map(Operand::Value);
        }
        if let Syntax::Name(name) = callee.kind
            && let Some(index) = self.list_taker(name)
        {
            return self.call_with_list(index, arguments, span).map(Operand::Value);
        }
        let mentioned = self.mentioned.len();
        let callee = self.expr(callee)?;
        if matches!(callee.kind, ExprKind::Function(_)) {
            self.mentioned.truncate(mentioned);
        }
        let Some(ty) = callee.ty.called().cloned() else {
            return self.error(callee.span, format!("this is not a function, but `{}`", self.show(&callee.ty)));
        };
        let arguments = self.arguments(&ty, arguments, span)?;
        if ty.result != Type::Void {
            self.size_of(&ty.result, span)?;
        }
        let ExprKind::Function(id) = callee.kind else {
            let callee = Callee::Pointer(Box::new(callee));
            return Ok(Operand::Value(Expr { kind: ExprKind::Call(callee, arguments), ty: ty.result, span }));
        };
        self.library_call(id, arguments, (&ty.result, result), span).map(Operand::Value)
    }

    pub(super) fn arguments(&mut self, ty: &FunctionType, arguments: Arguments<'t>, span: Span) -> Check<Vec<Expr>> {
        let wanted = ty.parameters.len();
        let fits = ty.open || arguments.len() == wanted || (ty.variadic && arguments.len() > wanted);
        if !fits {
            let least = if ty.variadic { "at least " } else { "" };
            let given = arguments.len();
            return self.error(span, format!("this function takes {least}{wanted} arguments, not {given}"));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            if let (true, Some(parameter)) = (Self::is_anything(argument), ty.parameters.get(position)) {
                values.push(self.anything(parameter, argument.span));
                continue;
            }
            let value = self.expr(argument)?;
            values.push(match ty.parameters.get(position) {
                // Of any type, in the prelude.
                Some(Type::Void) => value,
                // GNU's transparent unions, as in some headers: the value is one of the members.
                Some(Type::Record(id)) if self.transparent.contains(id) && value.ty.is_pointer() => value,
                Some(parameter) => self.converted(value, parameter, argument.span)?,
                None if value.ty == Type::Void => return self.error(value.span, "`void` is no argument"),
                None => self.default_promoted(value),
            });
        }
        Ok(values)
    }

    /// A call without arguments or a result, of a function that has no declaration of its own.
    pub(super) fn builtin_call(&mut self, name: &'t str, span: Span) -> Check<Expr> {
        let index = self.undeclared_function(name, span);
        let id = self.function_id(index);
        self.library_call(id, Vec::new(), (&Type::Void, ResultUse::Used), span)
    }
}
