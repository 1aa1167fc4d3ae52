//! Evaluation of constant expressions on the typed tree: exact, in the type that each node has.

use super::Checker;
use super::types;
use crate::c::floats;
use crate::c::tree::{BinaryOp, CompareOp, Expr, ExprKind, Place, PlaceKind, Type, UnaryOp};
use braid_logic::{FloatOp, Integer};

/// The value of a number as wide as C has them.
pub fn to_i128(value: &Integer) -> Option<i128> {
    value.to_i64().map(i128::from).or_else(|| value.to_string().parse().ok())
}

impl Checker<'_> {
    /// A value as a type holds it: wrapped around; absent for what has no integer values.
    pub(super) fn wrapped(&self, value: i128, ty: &Type) -> Option<i128> {
        let (bits, signed) = match ty {
            Type::Bool => return Some(i128::from(value != 0)),
            Type::Int { bits, signed, .. } => (*bits, *signed),
            Type::Pointer(_) => (types::pointer_bits(self.model), false),
            _ => return None,
        };
        if bits >= 128 {
            return (signed || value >= 0).then_some(value);
        }
        let low = value & ((1_i128 << bits) - 1);
        Some(if signed && low >> (bits - 1) != 0 { low - (1_i128 << bits) } else { low })
    }

    /// The value of an expression that can be known without running the program.
    pub(super) fn constant(&mut self, expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Int(value) => to_i128(value),
            ExprKind::Cast(inner) => {
                let value = self.constant(inner)?;
                self.wrapped(value, &expr.ty)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.constant(inner)?;
                let result = match op {
                    UnaryOp::Negate => value.checked_neg()?,
                    UnaryOp::Complement => !value,
                };
                self.wrapped(result, &expr.ty)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                let result = self.calculate(*op, left, right, &expr.ty)?;
                self.wrapped(result, &expr.ty)
            }
            ExprKind::Compare(op, left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                Some(i128::from(compare(*op, left, right)))
            }
            ExprKind::Not(inner) => Some(i128::from(!self.truth(inner)?)),
            ExprKind::And(left, right) => Some(i128::from(self.truth(left)? && self.truth(right)?)),
            ExprKind::Or(left, right) => Some(i128::from(self.truth(left)? || self.truth(right)?)),
            ExprKind::Conditional(test, then, other) => match (self.truth(test)?, then) {
                (false, _) => self.constant(other),
                (true, Some(then)) => self.constant(then),
                (true, None) => {
                    let value = self.constant(test)?;
                    self.wrapped(value, &expr.ty)
                }
            },
            ExprKind::AddressOf(place) => self.constant_address(place),
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                let (pointer, count) = (self.constant(pointer)?, self.constant(count)?);
                let distance = count.checked_mul(i128::from(*size))?;
                let sum = if *negative { pointer.checked_sub(distance)? } else { pointer.checked_add(distance)? };
                self.wrapped(sum, &expr.ty)
            }
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Variable(id) if place.ty.constant => self.constant_variable(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Does a constant differ from zero?
    fn truth(&mut self, expr: &Expr) -> Option<bool> {
        match (&expr.kind, floats::format(&expr.ty)) {
            (ExprKind::Float(bits), Some(format)) => Some(floats::truth(format, bits)),
            _ => self.constant(expr).map(|value| value != 0),
        }
    }

    /// What an operator or a conversion gives on literals, where one of them is a float or the result is.
    fn float_folded(&self, kind: &ExprKind, ty: &Type) -> Option<ExprKind> {
        let literal = |expr: &Expr| match (&expr.kind, floats::format(&expr.ty)) {
            (ExprKind::Float(bits), Some(format)) => Some((bits.clone(), format)),
            _ => None,
        };
        let integer = |value: Integer| ExprKind::Int(value);
        Some(match kind {
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                let (bits, format) = literal(inner)?;
                ExprKind::Float(floats::negated(format, &bits))
            }
            ExprKind::Binary(op, left, right) => {
                let ((left, format), (right, _)) = (literal(left)?, literal(right)?);
                ExprKind::Float(floats::arithmetic(*op)?.calculate(format, &[&left, &right]))
            }
            ExprKind::Compare(op, left, right) => {
                let ((left, format), (right, _)) = (literal(left)?, literal(right)?);
                let (op, swapped, negated) = floats::comparison(*op);
                let operands = if swapped { [&right, &left] } else { [&left, &right] };
                let holds = op.calculate(format, &operands).is_one() != negated;
                integer(Integer::from(i64::from(holds)))
            }
            ExprKind::Cast(inner) => match (literal(inner), floats::format(ty), &inner.kind) {
                (Some((bits, from)), Some(to), _) => ExprKind::Float(FloatOp::Convert(to).calculate(from, &[&bits])),
                (None, Some(to), ExprKind::Int(value)) => {
                    let unsigned = value.rem_euclid(&crate::c::translate::power(128));
                    let op = floats::from_integer(128, value.is_negative());
                    ExprKind::Float(op.calculate(to, &[&unsigned]))
                }
                (Some((bits, from)), None, _) => match ty {
                    Type::Bool => integer(Integer::from(i64::from(floats::truth(from, &bits)))),
                    Type::Int { bits: width, signed, .. } => integer(floats::truncated(from, &bits, *width, *signed)?),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Of a place behind a literal address: `&((struct s *)0)->f`.
    fn constant_address(&mut self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Variable(_) => None,
            PlaceKind::Deref(pointer) => self.constant(pointer),
            PlaceKind::Field(base, index) => {
                let address = self.constant_address(base)?;
                let Type::Record(id) = base.ty.ty else { return None };
                let field = &self.records[id.index()].fields[*index as usize];
                Some(address + i128::from(field.offset))
            }
            PlaceKind::Element(base, index) => {
                let address = self.constant_address(base)?;
                let size = types::size_of(&place.ty.ty, self.model, &self.records)?;
                address.checked_add(self.constant(index)?.checked_mul(i128::from(size))?)
            }
        }
    }

    /// The exact result of an operation, before it is wrapped; absent where C leaves it undefined.
    fn calculate(&self, op: BinaryOp, left: i128, right: i128, ty: &Type) -> Option<i128> {
        let bits = match ty {
            Type::Int { bits, .. } => i128::from(*bits),
            _ => return None,
        };
        match op {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Subtract => left.checked_sub(right),
            BinaryOp::Multiply => left.checked_mul(right),
            BinaryOp::Divide => left.checked_div(right),
            BinaryOp::Remainder => left.checked_rem(right),
            BinaryOp::ShiftLeft if (0..bits.min(64)).contains(&right) => left.checked_mul(1 << right),
            BinaryOp::ShiftRight if (0..bits).contains(&right) => Some(left >> right),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => None,
            BinaryOp::BitAnd => Some(left & right),
            BinaryOp::BitOr => Some(left | right),
            BinaryOp::BitXor => Some(left ^ right),
        }
    }

    /// Calculates an operator on literals at once, unless the result overflows a signed type: that is the program's mistake to find.
    pub(super) fn folded(&mut self, expr: Expr) -> Expr {
        if let Some(kind) = self.float_folded(&expr.kind, &expr.ty) {
            return Expr { kind, ..expr };
        }
        let is_literal = |operand: &Expr| matches!(operand.kind, ExprKind::Int(_));
        let exact = match &expr.kind {
            ExprKind::Unary(UnaryOp::Negate, inner) if is_literal(inner) => {
                self.constant(inner).and_then(i128::checked_neg)
            }
            ExprKind::Unary(UnaryOp::Complement, inner) if is_literal(inner) => self.constant(&expr),
            ExprKind::Binary(op, left, right) if is_literal(left) && is_literal(right) => {
                match (self.constant(left), self.constant(right)) {
                    (Some(left), Some(right)) => self.calculate(*op, left, right, &expr.ty),
                    _ => None,
                }
            }
            ExprKind::Compare(_, left, right) if is_literal(left) && is_literal(right) => self.constant(&expr),
            _ => None,
        };
        let Some(exact) = exact else { return expr };
        let Some(wrapped) = self.wrapped(exact, &expr.ty) else { return expr };
        let is_signed = matches!(expr.ty, Type::Int { signed: true, .. });
        if is_signed && wrapped != exact {
            return expr;
        }
        Expr { kind: ExprKind::Int(Integer::from(wrapped)), ..expr }
    }
}

fn compare(op: CompareOp, left: i128, right: i128) -> bool {
    match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::Less => left < right,
        CompareOp::LessEqual => left <= right,
        CompareOp::Greater => left > right,
        CompareOp::GreaterEqual => left >= right,
    }
}
