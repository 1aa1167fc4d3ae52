//! Arrays of variable length (C11 6.7.6.2).
//!
//! Each length is a variable that gets its value where the declaration is passed, and the type names it ([`Type::Sized`]). Sizes and the
//! steps of pointers become calculations with these variables, so nobody else meets such an array as a whole: what a pointer leads to
//! becomes a pointer to its first element at once. A variable of such a type is a flat array, as long as its lengths say together.

use super::*;
use crate::c::tree::uncast;

/// A length in a type that was read, and the variable that is to hold it.
pub(super) struct Length {
    pub variable: VariableId,
    pub value: Expr,
}

impl<'t> Checker<'t> {
    /// A type name whose lengths are evaluated where it stands.
    pub(super) fn type_name_with_lengths(&mut self, name: &'t TypeName<'t>) -> Check<(Type, Vec<Length>)> {
        let before = self.lengths.len();
        let ty = self.declared_type(name.declared())?.ty;
        Ok((ty, self.lengths.split_off(before)))
    }

    /// The type of an array whose length is not constant.
    pub(super) fn sized(&mut self, element: Qualified, value: Expr) -> Type {
        let (ty, span) = (plain(value.ty.clone()), value.span);
        let variable = self.new_local("length", ty, span);
        self.lengths.push(Length { variable, value });
        Type::Sized(Box::new(element), variable)
    }

    /// A value, after lengths were evaluated.
    pub(super) fn after_lengths(lengths: Vec<Length>, value: Expr) -> Expr {
        lengths.into_iter().rev().fold(value, |value, Length { variable, value: length }| {
            let (ty, span) = (value.ty.clone(), value.span);
            let (own, at) = (length.ty.clone(), length.span);
            let first = Expr { kind: ExprKind::Literal(variable, Box::new(Init::Expr(length))), ty: own, span: at };
            Expr { kind: ExprKind::Comma(Box::new(first), Box::new(value)), ty, span }
        })
    }

    /// The statements that evaluate lengths.
    pub(super) fn declared_lengths(lengths: Vec<Length>) -> impl Iterator<Item = Stmt> {
        lengths.into_iter().map(|Length { variable, value }| {
            let span = value.span;
            Stmt { kind: StmtKind::Declare(variable, Some(Init::Expr(value))), span }
        })
    }

    /// The size of a type as a value.
    pub(super) fn size_value(&mut self, ty: &Type, span: Span) -> Check<Expr> {
        if self.holds_list(ty) {
            return self.unsupported(span, "the size of a `va_list`");
        }
        let (element, lengths) = flat(ty);
        let size = self.size_of(element, span)?;
        let size = int(i128::from(size), types::size_type(self.model), span);
        Ok(self.times(size, &lengths, span))
    }

    /// By how many bytes what a pointer points to is counted, and how many of those a step is.
    pub(super) fn step(&mut self, pointer: &Type, span: Span) -> Check<(u64, Vec<VariableId>)> {
        let Some(target) = pointer.pointee() else { return self.error(span, "this is not a pointer") };
        let (element, lengths) = flat(&target.ty);
        Ok((self.size_of(element, span)?, lengths))
    }

    /// A number times lengths, in the type of the number.
    pub(super) fn times(&mut self, number: Expr, lengths: &[VariableId], span: Span) -> Expr {
        let mut product = number;
        for &length in lengths {
            let length = self.variable_value(length, span);
            let ty = product.ty.clone();
            let factor = Box::new(self.cast(length, &ty));
            product = Expr { kind: ExprKind::Binary(BinaryOp::Multiply, Box::new(product), factor), ty, span };
        }
        product
    }

    /// The variable of a declaration: flat, if its length is not constant.
    pub(super) fn declared_variable(&mut self, name: Name<'t>, ty: Qualified, storage: Storage) -> VariableId {
        let (element, lengths) = flat(&ty.ty);
        if lengths.is_empty() {
            return self.new_variable(name.text, ty, storage, name.span);
        }
        let element = Qualified { ty: element.clone(), ..ty.clone() };
        let array = Qualified { ty: Type::Array(Box::new(element), None), ..ty.clone() };
        let id = self.new_variable(name.text, array, storage, name.span);
        self.variables[id.index()].lengths = lengths;
        self.views.insert(id, ty);
        id
    }

    /// A variable as the place that its name means.
    pub(super) fn named_variable(&self, id: VariableId, span: Span) -> Place {
        let place = self.variable_place(id, span);
        let Some(ty) = self.views.get(&id) else { return place };
        let address = Expr { ty: pointer_to(place.ty.clone()), kind: ExprKind::AddressOf(Box::new(place)), span };
        let view = Expr { kind: ExprKind::Cast(Box::new(address)), ty: pointer_to(ty.clone()), span };
        Place { kind: PlaceKind::Deref(view), ty: ty.clone(), span }
    }

    /// The address of the first element of an array of variable length that a pointer leads to.
    pub(super) fn first_element(pointer: &Expr, element: Qualified, span: Span) -> Expr {
        let start = uncast(pointer);
        if let ExprKind::AddressOf(place) = &start.kind
            && matches!(&place.ty.ty, Type::Array(own, None) if own.ty == element.ty)
        {
            return Expr { ty: pointer_to(element), span, ..start.clone() };
        }
        Expr { kind: ExprKind::Cast(Box::new(pointer.clone())), ty: pointer_to(element), span }
    }
}

/// What arrays of variable length are made of at last, and their lengths from the outermost one on.
fn flat(ty: &Type) -> (&Type, Vec<VariableId>) {
    let (mut inner, mut lengths) = (ty, Vec::new());
    while let Type::Sized(element, length) = inner {
        lengths.push(*length);
        inner = &element.ty;
    }
    (inner, lengths)
}
