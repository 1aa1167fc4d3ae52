//! Evaluation of constant expressions on the typed tree: exact, in the type that each node has.

use super::*;
use braid_logic::FloatOp;

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
        if let ExprKind::Int(value) = &expr.kind {
            return to_i128(value);
        }
        let exact = self.exact(expr)?;
        self.wrapped(exact, &expr.ty)
    }

    /// The value before it is wrapped around.
    fn exact(&mut self, expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Cast(inner) => self.constant(inner),
            ExprKind::Unary(UnaryOp::Negate, inner) => self.constant(inner)?.checked_neg(),
            ExprKind::Unary(UnaryOp::Complement, inner) => Some(!self.constant(inner)?),
            ExprKind::Binary(op, left, right) => {
                let Type::Int { bits, .. } = expr.ty else { return None };
                calculate(*op, self.constant(left)?, self.constant(right)?, i128::from(bits))
            }
            ExprKind::Compare(op, left, right) => {
                Some(i128::from(compare(*op, self.constant(left)?, self.constant(right)?)))
            }
            ExprKind::Not(inner) => Some(i128::from(!self.truth(inner)?)),
            ExprKind::And(left, right) => Some(i128::from(self.truth(left)? && self.truth(right)?)),
            ExprKind::Or(left, right) => Some(i128::from(self.truth(left)? || self.truth(right)?)),
            ExprKind::Conditional(test, then, other) => match (self.truth(test)?, then) {
                (false, _) => self.constant(other),
                (true, Some(then)) => self.constant(then),
                (true, None) => self.constant(test),
            },
            ExprKind::AddressOf(place) => self.constant_address(place),
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                let (pointer, count) = (self.constant(pointer)?, self.constant(count)?);
                let distance = count.checked_mul(i128::from(*size))?;
                if *negative { pointer.checked_sub(distance) } else { pointer.checked_add(distance) }
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
                ExprKind::Int(Integer::from(i64::from(holds)))
            }
            ExprKind::Cast(inner) => match (literal(inner), floats::format(ty), &inner.kind) {
                (Some((bits, from)), Some(to), _) => ExprKind::Float(FloatOp::Convert(to).calculate(from, &[&bits])),
                (None, Some(to), ExprKind::Int(value)) => {
                    let unsigned = value.rem_euclid(&crate::c::translate::power(128));
                    let op = floats::from_integer(128, value.is_negative());
                    ExprKind::Float(op.calculate(to, &[&unsigned]))
                }
                (Some((bits, from)), None, _) => match ty {
                    Type::Bool => ExprKind::Int(Integer::from(i64::from(floats::truth(from, &bits)))),
                    Type::Int { bits: width, signed, .. } => {
                        ExprKind::Int(floats::truncated(from, &bits, *width, *signed)?)
                    }
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

    /// Calculates an operator on literals at once, unless the result overflows a signed type: that is the program's mistake to find.
    pub(super) fn folded(&mut self, expr: Expr) -> Expr {
        if let Some(kind) = self.float_folded(&expr.kind, &expr.ty) {
            return Expr { kind, ..expr };
        }
        let is_literal = |operand: &Expr| matches!(operand.kind, ExprKind::Int(_));
        let is_known = match &expr.kind {
            ExprKind::Unary(_, inner) => is_literal(inner),
            ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
                is_literal(left) && is_literal(right)
            }
            _ => false,
        };
        let Some(exact) = is_known.then(|| self.exact(&expr)).flatten() else { return expr };
        match self.wrapped(exact, &expr.ty) {
            Some(wrapped) if wrapped == exact || !matches!(expr.ty, Type::Int { signed: true, .. }) => {
                Expr { kind: ExprKind::Int(Integer::from(wrapped)), ..expr }
            }
            _ => expr,
        }
    }
}

/// The exact result of an operation in a type of so many bits; absent where C leaves it undefined.
fn calculate(op: BinaryOp, left: i128, right: i128, bits: i128) -> Option<i128> {
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

impl<'t> Checker<'t> {
    /// The value of a `const` variable whose initial value is constant.
    pub(super) fn constant_variable(&mut self, id: VariableId) -> Option<i128> {
        let Some(&index) = self.global_of.get(&id) else { return self.local_constants.get(&id).copied() };
        let Global { variable, value: Some(Initialiser::Expr(value)), .. } = &self.globals[index] else { return None };
        let (value, ty): (&'t _, Type) = (value, variable.ty.ty.clone());
        if !ty.is_integer() || self.unevaluated > 100 {
            return None;
        }
        let inner = self.scopes.take_inner();
        let errors = self.errors.len();
        self.unevaluated += 10;
        let checked = self.expr(value);
        let result = checked.ok().and_then(|checked| self.constant(&checked));
        self.unevaluated -= 10;
        self.errors.truncate(errors);
        self.scopes.put_back(inner);
        self.wrapped(result?, &ty)
    }
}
