//! Atomic operations: `__atomic_*`, `__sync_*` and `__c11_atomic_*`. All are sequentially consistent, whatever order they ask for,
//! and a weak comparison fails only if the values differ.

use super::LibraryCall;
use crate::c::translate::place::Location;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{BinaryOp, Expr, Type, UnaryOp};
use braid_program::source::Span;

/// Which value an operation gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Old,
    New,
}

impl Translator<'_, '_> {
    pub(super) fn atomic_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let prefixes = ["__atomic_", "__c11_atomic_", "__sync_", "atomic_"];
        let Some(name) = prefixes.iter().find_map(|prefix| call.name.strip_prefix(prefix)) else { return Ok(None) };
        if name.ends_with("fence") || name == "synchronize" {
            self.evaluate(call.arguments)?;
            return Ok(Some(Vec::new()));
        }
        let [first, rest @ ..] = call.arguments else { return Ok(None) };
        let Type::Pointer(pointee) = &first.ty else { return Ok(None) };
        let ty = pointee.ty.clone();
        let span = call.expr.span;
        let Some(scalar) = self.only_scalar(&ty).filter(|&scalar| scalar != Scalar::Float) else {
            return reject(span, "an atomic operation on something that is not an integer or a pointer");
        };
        let place = self.target(first, &ty)?.into_atomic();
        // How memory is ordered does not matter here, but what else the argument does.
        let orders = if !call.name.starts_with("__atomic_") && !name.ends_with("_explicit") {
            0
        } else if name.starts_with("compare_exchange") {
            2
        } else {
            1
        };
        self.evaluate(&rest[rest.len().saturating_sub(orders)..])?;
        let name = name.strip_suffix("_n").unwrap_or(name);
        let name = name.strip_prefix("flag_").unwrap_or(name).trim_end_matches("_explicit");
        let by_pointer = call.name.starts_with("__atomic_") && !call.name.ends_with("_n");
        let values = match (name, rest) {
            ("load", []) | ("load", [_]) if !by_pointer || rest.is_empty() || !is_pointer(&rest[0]) => {
                let value = self.load(&place, scalar, span)?;
                vec![self.settled(value, span)]
            }
            ("load", [to, ..]) => {
                let value = self.load(&place, scalar, span)?;
                let value = self.settled(value, span);
                self.store_behind(to, &ty, scalar, value, span)?;
                Vec::new()
            }
            ("store" | "init", [value, ..]) => {
                let value = self.operand(value, &ty, scalar, by_pointer, span)?;
                self.store(&place, scalar, value, span)?;
                Vec::new()
            }
            ("lock_release" | "clear", _) => {
                let zero = self.number(scalar, 0, span);
                self.store(&place, scalar, zero, span)?;
                Vec::new()
            }
            ("test_and_set", _) => {
                let one = self.number(scalar, 1, span);
                let old = self.exchange(&place, scalar, one, span)?;
                let truth = self.ints.truth(scalar, &old, span);
                let result = self.scalar(&call.expr.ty).unwrap_or(Scalar::Bool);
                vec![self.ints.of_truth(truth, result, false, span)]
            }
            ("exchange", [value, to, ..]) if by_pointer && is_pointer(to) => {
                let value = self.operand(value, &ty, scalar, true, span)?;
                let old = self.exchange(&place, scalar, value, span)?;
                self.store_behind(to, &ty, scalar, old, span)?;
                Vec::new()
            }
            ("exchange" | "lock_test_and_set", [value, ..]) => {
                let value = self.operand(value, &ty, scalar, false, span)?;
                vec![self.exchange(&place, scalar, value, span)?]
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [expected, desired, ..]) => {
                let expected = self.operand(expected, &ty, scalar, false, span)?;
                let desired = self.operand(desired, &ty, scalar, false, span)?;
                let (old, swapped) = self.compare_and_swap(&place, scalar, expected, desired, span)?;
                if name == "val_compare_and_swap" {
                    vec![old]
                } else {
                    let result = self.scalar(&call.expr.ty).unwrap_or(Scalar::Bool);
                    vec![self.ints.of_truth(swapped, result, false, span)]
                }
            }
            (name, [expected, desired, ..]) if name.starts_with("compare_exchange") => {
                let by_pointer = call.name == "__atomic_compare_exchange";
                let Type::Pointer(expected_type) = &expected.ty else {
                    return reject(span, "an atomic comparison with something that is not a pointer");
                };
                let expected_place = self.target(expected, &expected_type.ty)?;
                let value = self.load(&expected_place, scalar, span)?;
                let value = self.settled(value, span);
                let desired = self.operand(desired, &ty, scalar, by_pointer, span)?;
                let (old, swapped) = self.compare_and_swap(&place, scalar, value, desired, span)?;
                let (stmts, _) = self.apart(|t| t.store(&expected_place, scalar, old, span))?;
                self.branch(build::not(swapped.clone(), span), stmts, Vec::new(), span);
                let result = self.scalar(&call.expr.ty).unwrap_or(Scalar::Bool);
                vec![self.ints.of_truth(swapped, result, false, span)]
            }
            (name, [operand, ..]) => {
                let (operation, gives) = if let Some(name) = name.strip_prefix("fetch_and_") {
                    (name, Gives::Old)
                } else if let Some(name) = name.strip_prefix("fetch_") {
                    (name.trim_end_matches("_explicit"), Gives::Old)
                } else if let Some(name) = name.strip_suffix("_and_fetch").or_else(|| name.strip_suffix("_fetch")) {
                    (name, Gives::New)
                } else {
                    return reject(span, format!("`{}` is not supported", call.name));
                };
                let operand = self.operand(operand, &ty, scalar, false, span)?;
                vec![self.fetch(&place, scalar, operation, gives, operand, span)?]
            }
            _ => return reject(span, format!("`{}` is not supported", call.name)),
        };
        Ok(Some(values))
    }

    /// The type of the one value in a type: `atomic_flag` is a struct.
    fn only_scalar(&self, ty: &Type) -> Option<Scalar> {
        self.scalar(ty).or_else(|| match &self.points.objects.layouts.leaves(ty)?[..] {
            [leaf] if leaf.offset == 0 && leaf.dimensions.is_empty() && leaf.bit_field.is_none() => Some(leaf.scalar),
            _ => None,
        })
    }

    /// A value, or what a pointer to one points to.
    fn operand(&mut self, expr: &Expr, ty: &Type, scalar: Scalar, by_pointer: bool, span: Span) -> Result<Value> {
        if by_pointer && is_pointer(expr) {
            let place = self.target(expr, ty)?;
            let value = self.load(&place, scalar, span)?;
            return Ok(self.settled(value, span));
        }
        let from = self.scalar(&expr.ty).unwrap_or(scalar);
        let value = self.value(expr)?;
        let value = self.settled(value, span);
        Ok(self.ints.convert(from, scalar, value, span))
    }

    fn store_behind(&mut self, to: &Expr, ty: &Type, scalar: Scalar, value: Value, span: Span) -> Result<()> {
        let place = self.target(to, ty)?;
        self.store(&place, scalar, value, span).map(drop)
    }

    /// The value at a place in a temporary, inside of an atomic step.
    fn kept(&mut self, place: &Location, scalar: Scalar, span: Span) -> Result<Value> {
        let old = self.load(place, scalar, span)?;
        Ok(self.settled(Value { reads: true, ..old }, span))
    }

    fn exchange(&mut self, place: &Location, scalar: Scalar, value: Value, span: Span) -> Result<Value> {
        self.atomically(span, |t| {
            let old = t.kept(place, scalar, span)?;
            t.store(place, scalar, value, span)?;
            Ok(old)
        })
    }

    fn compare_and_swap(
        &mut self,
        place: &Location,
        scalar: Scalar,
        expected: Value,
        desired: Value,
        span: Span,
    ) -> Result<(Value, braid_program::ast::Expr)> {
        self.atomically(span, |t| {
            let old = t.kept(place, scalar, span)?;
            let same = build::eq(old.expr.clone(), expected.expr.clone(), span);
            let (stmts, _) = t.apart(|t| t.store(place, scalar, desired, span))?;
            t.branch(same.clone(), stmts, Vec::new(), span);
            Ok((old, same))
        })
    }

    fn fetch(
        &mut self,
        place: &Location,
        scalar: Scalar,
        operation: &str,
        gives: Gives,
        operand: Value,
        span: Span,
    ) -> Result<Value> {
        let op = match operation {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Subtract,
            "and" | "nand" => BinaryOp::BitAnd,
            "or" => BinaryOp::BitOr,
            "xor" => BinaryOp::BitXor,
            _ => return reject(span, format!("the atomic operation `{operation}` is not supported")),
        };
        self.atomically(span, |t| {
            let old = t.kept(place, scalar, span)?;
            // Atomic arithmetic wraps around, signed or not.
            let wrapping = match scalar {
                Scalar::Int { bits, .. } => Scalar::Int { bits, signed: false },
                other => other,
            };
            let left = t.ints.convert(scalar, wrapping, old.clone(), span);
            let right = t.ints.convert(scalar, wrapping, operand, span);
            let signed_sum = scalar.is_signed() && matches!(op, BinaryOp::Add | BinaryOp::Subtract);
            let new = if signed_sum && t.ints == crate::c::translate::Ints::Math {
                // One correction on the signed values is simpler than two conversions.
                let wide = Scalar::Int { bits: scalar.bits() + 1, signed: true };
                let sum = t.exact(op, wide, old.clone(), t.ints.convert(wrapping, scalar, right, span), span)?;
                t.ints.convert(wide, scalar, sum, span)
            } else {
                let result = t.exact(op, wrapping, left, right, span)?;
                let result = if operation == "nand" {
                    t.ints.unary(UnaryOp::Complement, wrapping, result, span)
                } else {
                    result
                };
                t.ints.convert(wrapping, scalar, result, span)
            };
            if gives == Gives::New {
                let new = t.settled(Value { reads: true, ..new }, span);
                t.store(place, scalar, new.clone(), span)?;
                return Ok(new);
            }
            t.store(place, scalar, new, span)?;
            Ok(old)
        })
    }
}

fn is_pointer(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Pointer(_))
}
