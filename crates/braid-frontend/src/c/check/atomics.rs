//! Atomic builtins: generic over the type that their first argument points to.
//!
//! They stay calls to functions of their own names; the call's type is right, and arguments that are values have the type that is pointed to.

use super::types::{INT, plain, pointer_to};
use super::{Check, Checker};
use crate::c::syntax;
use crate::c::tree::{Expr, Qualified, Type};
use braid_program::source::Span;

/// What an argument is, or the result.
#[derive(Clone, Copy)]
enum Shape {
    /// The type that the first argument points to.
    Value,
    /// A pointer to such a value.
    Pointer,
    /// A memory order or a flag.
    Int,
    Bool,
    Void,
}

/// The shapes of result and of the arguments behind the first; absent: no atomic builtin. Further arguments are ints.
fn shapes(name: &str) -> Option<(Shape, &'static [Shape])> {
    use Shape::*;
    if let Some(sync) = name.strip_prefix("__sync_") {
        return Some(match sync {
            "bool_compare_and_swap" => (Bool, &[Value, Value]),
            "val_compare_and_swap" => (Value, &[Value, Value]),
            "lock_test_and_set" => (Value, &[Value]),
            "lock_release" => (Void, &[]),
            _ if sync.starts_with("fetch_and_") || sync.ends_with("_and_fetch") => (Value, &[Value]),
            _ => return None,
        });
    }
    if let Some(c11) = name.strip_prefix("__c11_atomic_") {
        return Some(match c11 {
            "load" => (Value, &[]),
            "store" | "init" => (Void, &[Value]),
            "compare_exchange_strong" | "compare_exchange_weak" => (Bool, &[Pointer, Value]),
            "exchange" => (Value, &[Value]),
            _ if c11.starts_with("fetch_") => (Value, &[Value]),
            _ => return None,
        });
    }
    Some(match name.strip_prefix("__atomic_")? {
        "load_n" => (Value, &[]),
        "load" | "store" => (Void, &[Pointer]),
        "store_n" => (Void, &[Value]),
        "exchange_n" => (Value, &[Value]),
        "exchange" => (Void, &[Pointer, Pointer]),
        "compare_exchange_n" => (Bool, &[Pointer, Value]),
        "compare_exchange" => (Bool, &[Pointer, Pointer]),
        "test_and_set" => (Bool, &[]),
        "clear" => (Void, &[]),
        other if other.starts_with("fetch_") || other.ends_with("_fetch") => (Value, &[Value]),
        _ => return None,
    })
}

impl<'t> Checker<'t> {
    pub(super) fn atomic_builtin(
        &mut self,
        name: &'t str,
        arguments: &'t [syntax::Expr<'t>],
        callee_span: Span,
        span: Span,
    ) -> Option<Check<Expr>> {
        let plain_result = match name {
            "__atomic_thread_fence"
            | "__atomic_signal_fence"
            | "__sync_synchronize"
            | "__c11_atomic_thread_fence"
            | "__c11_atomic_signal_fence" => Some(Type::Void),
            "__atomic_always_lock_free" | "__atomic_is_lock_free" | "__c11_atomic_is_lock_free" => Some(Type::Bool),
            _ => None,
        };
        if let Some(result) = plain_result {
            let arguments: Check<Vec<Expr>> = arguments.iter().map(|argument| self.expr(argument)).collect();
            return Some(arguments.and_then(|arguments| self.builtin_call(name, arguments, result, callee_span, span)));
        }
        let shapes = shapes(name)?;
        Some(self.shaped_call(name, shapes, arguments, callee_span, span))
    }

    fn shaped_call(
        &mut self,
        name: &'t str,
        (result, wanted): (Shape, &[Shape]),
        arguments: &'t [syntax::Expr<'t>],
        callee_span: Span,
        span: Span,
    ) -> Check<Expr> {
        let [first, rest @ ..] = arguments else {
            return self.error(span, format!("`{name}` needs a pointer"));
        };
        let pointer = self.expr(first)?;
        let Some(target) = pointer.ty.pointee().map(|target| target.ty.clone()) else {
            return self.error(first.span, format!("the first argument of `{name}` must be a pointer"));
        };
        if rest.len() < wanted.len() {
            return self.error(span, format!("`{name}` needs {} arguments", wanted.len() + 1));
        }
        let mut values = vec![pointer];
        for (position, argument) in rest.iter().enumerate() {
            let value = self.expr(argument)?;
            let ty = match wanted.get(position).copied().unwrap_or(Shape::Int) {
                // Pointers are moved by bytes here.
                Shape::Value if target.is_pointer() && value.ty.is_integer() => value.ty.clone(),
                Shape::Value => target.clone(),
                Shape::Pointer if value.ty.is_pointer() => value.ty.clone(),
                Shape::Pointer => pointer_to(plain(target.clone())),
                Shape::Int | Shape::Bool | Shape::Void if value.ty.is_scalar() && !value.ty.is_pointer() => INT,
                _ => value.ty.clone(),
            };
            values.push(self.converted(value, &ty, argument.span)?);
        }
        let ty = match result {
            Shape::Value => target,
            Shape::Pointer => pointer_to(Qualified { ..plain(target) }),
            Shape::Int => INT,
            Shape::Bool => Type::Bool,
            Shape::Void => Type::Void,
        };
        self.builtin_call(name, values, ty, callee_span, span)
    }
}
