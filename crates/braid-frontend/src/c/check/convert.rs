//! Conversions, those that C does silently and those that casts ask for.

use super::types::{self, INT, promoted};
use super::{Check, Checker};
use crate::c::tree::{Expr, ExprKind, PlaceKind, Type};
use braid_logic::Integer;
use braid_program::source::Span;

impl Checker<'_> {
    /// A value in another scalar type. Literals are converted at once.
    pub(super) fn cast(&mut self, value: Expr, ty: &Type) -> Expr {
        if value.ty == *ty {
            return value;
        }
        let span = value.span;
        let is_literal_address = ty.is_integer() && value.ty.is_pointer();
        let constant = match value.kind {
            ExprKind::Int(_) => self.constant(&value),
            _ if is_literal_address => self.constant(&value),
            _ => None,
        };
        if let Some(wrapped) = constant.and_then(|constant| self.wrapped(constant, ty)) {
            return Expr { kind: ExprKind::Int(Integer::from(wrapped)), ty: ty.clone(), span };
        }
        Expr { kind: ExprKind::Cast(Box::new(value)), ty: ty.clone(), span }
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
        let (from, to) = (self.show(&value.ty), self.show(ty));
        self.error(span, format!("`{from}` cannot become `{to}`"))
    }

    /// After the integer promotions; bit-fields by their width.
    pub(super) fn promoted(&mut self, value: Expr) -> Expr {
        let width = match &value.kind {
            ExprKind::Load(place) if matches!(place.kind, PlaceKind::Field(..)) => self.bit_width(place),
            _ => None,
        };
        let ty = match (width, &value.ty) {
            (Some(width), Type::Int { signed, .. }) if width < 32 || (width == 32 && *signed) => INT,
            (Some(32), Type::Int { signed: false, .. }) => types::UNSIGNED,
            (_, ty) => promoted(ty),
        };
        self.cast(value, &ty)
    }

    /// Both operands in their common type.
    pub(super) fn balanced(&mut self, left: Expr, right: Expr) -> (Expr, Expr, Type) {
        let is_floating = matches!(left.ty, Type::Float { .. }) || matches!(right.ty, Type::Float { .. });
        let (left, right) = if is_floating { (left, right) } else { (self.promoted(left), self.promoted(right)) };
        let ty = types::common(&left.ty, &right.ty);
        (self.cast(left, &ty), self.cast(right, &ty), ty)
    }

    /// The default argument promotions.
    pub(super) fn default_promoted(&mut self, value: Expr) -> Expr {
        match value.ty {
            Type::Float { bits } if bits < 64 => self.cast(value, &types::DOUBLE),
            _ => self.promoted(value),
        }
    }

    /// A condition: any scalar.
    pub(super) fn scalar(&mut self, value: Expr) -> Check<Expr> {
        if value.ty.is_scalar() {
            return Ok(value);
        }
        let shown = self.show(&value.ty);
        self.error(value.span, format!("`{shown}` is not a number or a pointer"))
    }
}
