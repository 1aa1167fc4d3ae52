//! Types from declarators and type names.

use super::types::{self, INT, plain, pointer_to};
use super::{Check, Checker};
use crate::c::syntax::{Base, Declaration, Declarator, Derived, Expr, Parameters, Specifiers, TypeName};
use crate::c::tree::{self, FunctionType, Qualified, Type};
use braid_logic::Integer;
use braid_program::source::Span;

/// Types have no more parts than this, typedefs written out: they are copied freely.
const LARGEST_TYPE: u32 = 1_000;

impl<'t> Checker<'t> {
    pub(super) fn type_name(&mut self, name: &'t TypeName<'t>) -> Check<Qualified> {
        let before = self.lengths.len();
        let ty = self.declared_type(&name.specifiers, &name.declarator);
        self.lengths.truncate(before);
        ty
    }

    /// The same for `sizeof`, with the lengths of arrays of variable length.
    pub(super) fn type_name_with_lengths(&mut self, name: &'t TypeName<'t>) -> Check<(Type, Vec<tree::Expr>)> {
        let before = self.lengths.len();
        let ty = self.declared_type(&name.specifiers, &name.declarator)?.ty;
        Ok((ty, self.lengths.split_off(before)))
    }

    /// What the lengths of a variable's array were when it was declared; absent for other things.
    pub(super) fn lengths_of(&mut self, expr: &'t Expr<'t>) -> Option<Vec<tree::Expr>> {
        let crate::c::syntax::ExprKind::Name(name) = expr.kind else { return None };
        let Some(&super::scope::Entity::Local(id)) = self.scopes.find(name) else { return None };
        let lengths = self.variable_lengths.get(&id)?.clone();
        let values = lengths.into_iter().map(|id| self.variable_place(id, expr.span));
        Some(values.map(|place| Self::value_of(super::places::Operand::Place(place))).collect())
    }

    /// The size of an array of variable length.
    pub(super) fn variable_size(&mut self, ty: &Type, lengths: Vec<tree::Expr>, span: Span) -> Check<tree::Expr> {
        let (mut inner, mut known, mut open) = (ty, 1u64, 0);
        while let Type::Array(element, count) = inner {
            match count {
                Some(count) => known = known.saturating_mul(*count),
                None => open += 1,
            }
            inner = &element.ty;
        }
        let size = self.size_of(inner, span)?.saturating_mul(known);
        if open != lengths.len() {
            return self.unsupported(span, "the size of a type that mentions arrays of variable length");
        }
        let ty = types::size_type(self.model);
        let mut product =
            tree::Expr { kind: tree::ExprKind::Int(Integer::from(i128::from(size))), ty: ty.clone(), span };
        for length in lengths {
            let cast = tree::Expr { kind: tree::ExprKind::Cast(Box::new(length)), ty: ty.clone(), span };
            let kind = tree::ExprKind::Binary(tree::BinaryOp::Multiply, Box::new(product), Box::new(cast));
            product = tree::Expr { kind, ty: ty.clone(), span };
        }
        Ok(product)
    }

    /// The type that specifiers and a declarator give together.
    pub(super) fn declared_type(
        &mut self,
        specifiers: &'t Specifiers<'t>,
        declarator: &'t Declarator<'t>,
    ) -> Check<Qualified> {
        let base = self.base_type(specifiers)?;
        self.derived_type(base, declarator)
    }

    pub(super) fn derived_type(&mut self, base: Qualified, declarator: &'t Declarator<'t>) -> Check<Qualified> {
        self.supported(&declarator.attributes)?;
        let mut ty = base;
        for derived in &declarator.derived {
            ty = match derived {
                Derived::Pointer(qualifiers) => qualifiers.of(pointer_to(ty)),
                Derived::Array(size, span) => self.array_type(ty, size.as_deref(), *span)?,
                Derived::Function(parameters) => {
                    if matches!(ty.ty, Type::Array(..) | Type::Function(_)) {
                        return self.error(declarator.span, "a function cannot give an array or a function");
                    }
                    plain(Type::Function(Box::new(self.function_type(ty.ty, parameters)?)))
                }
            };
        }
        if types::is_larger_than(&ty.ty, LARGEST_TYPE) {
            return self.error(declarator.span, "this type has too many parts");
        }
        self.with_mode(ty, &declarator.attributes)
    }

    fn array_type(&mut self, element: Qualified, size: Option<&'t Expr<'t>>, span: Span) -> Check<Qualified> {
        if matches!(element.ty, Type::Function(_) | Type::Void) {
            return self.error(span, "functions and `void` cannot be elements of an array");
        }
        let (constant, volatile) = (element.constant, element.volatile);
        let count = match size {
            None => None,
            Some(expr) => {
                let before = self.errors.len();
                let checked = self.unevaluated(expr).map(Self::value_of);
                if checked.is_err() && self.parameter_lists > 0 {
                    // It may mention a parameter, and matters only inside of another array.
                    self.errors.truncate(before);
                    let ty = Type::Array(Box::new(element), None);
                    return Ok(Qualified { ty, atomic: false, volatile, constant });
                }
                let checked = checked?;
                if !checked.ty.is_integer() {
                    return self.error(expr.span, "the size of an array must be an integer");
                }
                match self.constant(&checked) {
                    Some(value) if (0..1 << 48).contains(&value) => Some(value as u64),
                    Some(_) => return self.error(expr.span, "an array cannot have so many elements"),
                    // A parameter is a pointer anyway.
                    None if self.parameter_lists > 0 => None,
                    None if self.context.is_none() => {
                        return self.error(expr.span, "the size of an array must be constant here");
                    }
                    // Of variable length: nothing is known about its end.
                    None => {
                        let length = self.expr(expr)?;
                        self.lengths.push(length);
                        None
                    }
                }
            }
        };
        Ok(Qualified { ty: Type::Array(Box::new(element), count), atomic: false, volatile, constant })
    }

    fn function_type(&mut self, result: Type, parameters: &'t Parameters<'t>) -> Check<FunctionType> {
        self.scopes.enter();
        self.parameter_lists += 1;
        let list = self.parameter_types(parameters);
        self.parameter_lists -= 1;
        self.scopes.leave();
        let list = list?;
        Ok(FunctionType { result, parameters: list, variadic: parameters.variadic, open: parameters.open })
    }

    fn parameter_types(&mut self, parameters: &'t Parameters<'t>) -> Check<Vec<Type>> {
        let mut types = Vec::with_capacity(parameters.list.len());
        for parameter in &parameters.list {
            let ty = self.declared_type(&parameter.specifiers, &parameter.declarator)?;
            types.push(adjusted(ty));
        }
        Ok(types)
    }

    /// The types of the parameters of a definition in the old form.
    pub(super) fn old_style_parameters(
        &mut self,
        parameters: &'t Parameters<'t>,
        declarations: &'t [Declaration<'t>],
    ) -> Check<Vec<Type>> {
        let mut types = vec![INT; parameters.names.len()];
        for declaration in declarations {
            let base = self.base_type(&declaration.specifiers)?;
            for (declarator, _) in &declaration.declarators {
                let ty = self.derived_type(base.clone(), declarator)?;
                let Some(name) = declarator.name else { continue };
                match parameters.names.iter().position(|parameter| parameter.text == name.text) {
                    Some(position) => types[position] = adjusted(ty),
                    None => return self.error(name.span, format!("`{}` is not a parameter", name.text)),
                }
            }
        }
        Ok(types)
    }

    /// `__auto_type`: the type comes from the initial value.
    pub(super) fn is_auto(specifiers: &Specifiers<'_>) -> bool {
        matches!(specifiers.base, Base::Auto)
    }
}

/// The type of a parameter: arrays and functions become pointers.
fn adjusted(ty: Qualified) -> Type {
    match ty.ty {
        Type::Array(element, _) => Type::Pointer(element),
        function @ Type::Function(_) => pointer_to(plain(function)),
        other => other,
    }
}
