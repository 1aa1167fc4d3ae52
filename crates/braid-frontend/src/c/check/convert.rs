//! Conversions, those that C does silently and those that casts ask for.

use super::*;

impl Checker<'_> {
    /// A value in another scalar type. Literals are converted at once.
    pub(super) fn cast(&mut self, value: Expr, ty: &Type) -> Expr {
        if value.ty == *ty {
            return value;
        }
        let span = value.span;
        let is_literal_address = ty.is_integer() && value.ty.is_pointer();
        if (is_literal_address || matches!(value.kind, ExprKind::Int(_)))
            && let Some(constant) = self.constant(&value)
            && let Some(wrapped) = self.wrapped(constant, ty)
        {
            return Expr { kind: ExprKind::Int(Integer::from(wrapped)), ty: ty.clone(), span };
        }
        let inner = match value.kind {
            // The first of two casts is not needed if it changes no value.
            ExprKind::Cast(inner) if ty.is_integer() && holds(&value.ty, &inner.ty) => inner,
            _ => Box::new(value),
        };
        self.folded(Expr { kind: ExprKind::Cast(inner), ty: ty.clone(), span })
    }

    /// The value as it arrives where `ty` is wanted: assigned, passed, returned. As lenient as GCC, which warns of strange pointers.
    pub(super) fn converted(&mut self, value: Expr, ty: &Type, span: Span) -> Check<Expr> {
        if value.ty == *ty && *ty != Type::Void {
            return Ok(value);
        }
        let fits = match (&value.ty, ty) {
            (Type::Pointer(_), Type::Float { .. }) | (Type::Float { .. }, Type::Pointer(_)) => false,
            (from, to) => from.is_scalar() && to.is_scalar(),
        };
        if fits {
            return Ok(self.cast(value, ty));
        }
        self.error(span, format!("`{}` cannot become `{}`", self.show(&value.ty), self.show(ty)))
    }

    /// After the integer promotions; bit-fields by their width.
    pub(super) fn promoted(&mut self, value: Expr) -> Expr {
        let ty = promoted_bits(self.width_of_value(&value), &value.ty);
        self.cast(value, &ty)
    }

    /// The width of the bit-field that a value comes from.
    pub(super) fn width_of_value(&self, value: &Expr) -> Option<u32> {
        match &value.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) | ExprKind::Update { place, .. } => {
                self.bit_width(place)
            }
            ExprKind::Comma(_, last) => self.width_of_value(last),
            _ => None,
        }
    }

    /// Both operands in their common type.
    pub(super) fn balanced(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let is_floating = matches!(left.ty, Type::Float { .. }) || matches!(right.ty, Type::Float { .. });
        let (left, right) = if is_floating { (left, right) } else { (self.promoted(left), self.promoted(right)) };
        let ty = types::common(&left.ty, &right.ty);
        (self.cast(left, &ty), self.cast(right, &ty))
    }

    /// The default argument promotions.
    pub(super) fn default_promoted(&mut self, value: Expr) -> Expr {
        match value.ty {
            // The prelude's own functions take floats as they are.
            Type::Float { bits } if bits < 64 && !self.inside_prelude => self.cast(value, &types::DOUBLE),
            _ => self.promoted(value),
        }
    }

    /// A condition: any scalar.
    pub(super) fn scalar(&mut self, value: Expr) -> Check<Expr> {
        if value.ty.is_scalar() {
            return Ok(value);
        }
        self.error(value.span, format!("`{}` is not a number or a pointer", self.show(&value.ty)))
    }
}

/// The promoted type of a bit-field, or of an integer. GCC calculates with bit-fields wider than `int` in their own width.
pub(super) fn promoted_bits(width: Option<u32>, ty: &Type) -> Type {
    match (width, ty) {
        (Some(width), Type::Int { signed, .. }) if width < 32 || (width == 32 && *signed) => INT,
        (Some(32), Type::Int { signed: false, .. }) => types::UNSIGNED,
        (Some(width), &Type::Int { signed, rank, .. }) => Type::Int { bits: width, signed, rank },
        (_, ty) => types::promoted(ty),
    }
}

/// Whether every value of an integer type is one of another's.
fn holds(ty: &Type, values_of: &Type) -> bool {
    match (ty, values_of) {
        (Type::Int { .. }, Type::Bool) => true,
        (Type::Int { bits, signed, .. }, Type::Int { bits: inner_bits, signed: inner_signed, .. }) => {
            if signed == inner_signed { bits >= inner_bits } else { *signed && bits > inner_bits }
        }
        _ => false,
    }
}
