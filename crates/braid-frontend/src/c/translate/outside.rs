//! Functions without a body and without a model: what they may do to the program.

use super::library::{LibraryCall, has_effects};
use super::scalar::{Scalar, Value};
use super::{Result, Translator, reject};
use crate::c::tree::{Expr, Type};

impl Translator<'_, '_> {
    /// A function of which nothing is known: the arguments are evaluated, the result is any value.
    pub(super) fn unknown(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        // Of these more is known than that they return something: a wrong result could make up an error.
        let exact = [
            "memcmp",
            "strcmp",
            "strncmp",
            "strcasecmp",
            "strlen",
            "strnlen",
            "strtol",
            "strtoul",
            "atoi",
            "atol",
            "memchr",
            "strchr",
            "strrchr",
            "strstr",
            "ffs",
            "ffsl",
            "ffsll",
            "abs",
            "labs",
            "llabs",
            "div",
            "isdigit",
            "isalpha",
            "isalnum",
            "isspace",
            "isupper",
            "islower",
            "toupper",
            "tolower",
        ];
        if Self::means_something(call.name) || exact.contains(&call.name) {
            return reject(call.expr.span, format!("`{}` is not supported", call.name));
        }
        // It could call what it is given, or join it: neither with nor without that, an answer could be relied on.
        for argument in call.arguments {
            if let Some(function) = self.points.reachable_function(argument) {
                let (callee, name) = (call.name, &self.unit.functions[function.index()].name);
                return reject(argument.span, format!("`{callee}` has no body, and could call `{name}`"));
            }
            if self.graph.has_threads && self.points.is_handle(argument) {
                return reject(argument.span, format!("`{}` has no body, and could join a thread", call.name));
            }
        }
        self.evaluate(call.arguments)?;
        self.any_result(call)
    }

    /// Evaluates arguments whose values do not matter: those without side effects only where reading them can be an error.
    pub(super) fn evaluate(&mut self, arguments: &[Expr]) -> Result<()> {
        let races = self.options.races;
        arguments
            .iter()
            .filter(|argument| races || has_effects(argument))
            .try_for_each(|argument| self.discard(argument))
    }

    pub(super) fn any_result(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        match (self.scalar(&call.expr.ty), &call.expr.ty) {
            (_, Type::Void) => Ok(Vec::new()),
            (Some(Scalar::Float), _) => Ok(vec![self.number(Scalar::Float, 0, span)]),
            (Some(scalar), _) => Ok(vec![self.arbitrary(scalar, span)]),
            (None, ty) => {
                let parts = self.parts(ty, span)?;
                Ok(parts.iter().map(|part| self.arbitrary(part.scalar, span)).collect())
            }
        }
    }
}
