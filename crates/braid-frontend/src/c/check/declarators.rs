//! Types from declarators and type names.

use super::*;

/// Types have no more parts than this, typedefs written out: they are copied freely.
const LARGEST_TYPE: u32 = 1_000;

impl<'t> Checker<'t> {
    pub(super) fn type_name(&mut self, name: &'t TypeName<'t>) -> Check<Qualified> {
        let before = self.lengths.len();
        let ty = self.declared_type(name.declared());
        self.lengths.truncate(before);
        ty
    }

    /// The same for `sizeof`, with the lengths of arrays of variable length.
    pub(super) fn type_name_with_lengths(&mut self, name: &'t TypeName<'t>) -> Check<(Type, Vec<Expr>)> {
        let before = self.lengths.len();
        let ty = self.declared_type(name.declared())?.ty;
        Ok((ty, self.lengths.split_off(before)))
    }

    /// What the lengths of a variable's array were when it was declared; none for other things.
    pub(super) fn lengths_of(&self, expr: Written<'t>) -> Vec<Expr> {
        let syntax::ExprKind::Name(name) = expr.kind else { return Vec::new() };
        let Some(Entity::Local(id)) = self.scopes.find(name) else { return Vec::new() };
        let lengths = self.variable_lengths.get(id).into_iter().flatten();
        lengths.map(|&id| self.variable_value(id, expr.span)).collect()
    }

    /// The size of a type, with the lengths of arrays of variable length in it.
    pub(super) fn size_value(&mut self, ty: &Type, lengths: Vec<Expr>, span: Span) -> Check<Expr> {
        let size_type = types::size_type(self.model);
        if self.holds_list(ty) {
            return self.unsupported(span, "the size of a `va_list`");
        }
        if lengths.is_empty() {
            return Ok(int(i128::from(self.size_of(ty, span)?), size_type, span));
        }
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
        let product = |product, length| {
            let cast = Expr { kind: ExprKind::Cast(Box::new(length)), ty: size_type.clone(), span };
            let kind = ExprKind::Binary(BinaryOp::Multiply, Box::new(product), Box::new(cast));
            Expr { kind, ty: size_type.clone(), span }
        };
        Ok(lengths.into_iter().fold(int(i128::from(size), size_type.clone(), span), product))
    }

    /// The type that specifiers and a declarator give together.
    pub(super) fn declared_type(&mut self, declared: Declared<'t>) -> Check<Qualified> {
        let base = self.base_type(declared.specifiers)?;
        self.derived_type(base, declared.declarator)
    }

    pub(super) fn derived_type(&mut self, base: Qualified, declarator: &'t Declarator<'t>) -> Check<Qualified> {
        self.supported(&declarator.attributes)?;
        let mut ty = base;
        for derived in &declarator.derived {
            ty = match derived {
                Derived::Pointer(qualifiers) => Qualified { ty: pointer_to(ty), ..qualifiers.clone() },
                Derived::Array(size, span) => self.array_type(ty, size.as_deref(), *span)?,
                Derived::Function(parameters) => {
                    let is_wrong = matches!(ty.ty, Type::Array(..) | Type::Function(_));
                    self.reject_if(is_wrong, declarator.span, "a function cannot give an array or a function")?;
                    plain(Type::Function(Box::new(self.function_type(ty.ty, parameters)?)))
                }
            };
        }
        self.reject_if(types::is_larger_than(&ty.ty, LARGEST_TYPE), declarator.span, "this type has too many parts")?;
        self.with_mode(ty, &declarator.attributes)
    }

    fn array_type(&mut self, element: Qualified, size: Option<Written<'t>>, span: Span) -> Check<Qualified> {
        let is_no_object = matches!(element.ty, Type::Function(_) | Type::Void);
        self.reject_if(is_no_object, span, "functions and `void` cannot be elements of an array")?;
        let (constant, volatile) = (element.constant, element.volatile);
        let count = size.map_or(Ok(None), |size| self.array_length(size))?;
        Ok(Qualified { ty: Type::Array(Box::new(element), count), atomic: false, volatile, constant })
    }

    /// The number of elements, if it is constant.
    fn array_length(&mut self, size: Written<'t>) -> Check<Option<u64>> {
        let before = self.errors.len();
        let checked = match self.unevaluated(size).map(Self::value_of) {
            // It may mention a parameter, and matters only inside of another array.
            Err(_) if self.parameter_lists > 0 => {
                self.errors.truncate(before);
                return Ok(None);
            }
            checked => checked?,
        };
        self.reject_if(!checked.ty.is_integer(), size.span, "the size of an array must be an integer")?;
        match self.constant(&checked) {
            Some(value) if (0..1 << 48).contains(&value) => Ok(Some(value as u64)),
            Some(_) => self.error(size.span, "an array cannot have so many elements"),
            // A parameter is a pointer anyway.
            None if self.parameter_lists > 0 => Ok(None),
            None if self.context.id.is_none() => self.error(size.span, "the size of an array must be constant here"),
            // Of variable length: nothing is known about its end.
            None => {
                let length = self.expr(size)?;
                self.lengths.push(length);
                Ok(None)
            }
        }
    }

    fn function_type(&mut self, result: Type, parameters: &'t Parameters<'t>) -> Check<FunctionType> {
        self.scopes.enter();
        self.parameter_lists += 1;
        let types = parameters.list.iter().map(|parameter| self.declared_type(parameter.declared()).map(adjusted));
        let types: Check<Vec<Type>> = types.collect();
        self.parameter_lists -= 1;
        self.scopes.leave();
        Ok(FunctionType { result, parameters: types?, variadic: parameters.variadic, open: parameters.open })
    }

    /// The types of the parameters of a definition in the old form.
    pub(super) fn old_style_types(&mut self, names: &[Name<'t>], old: &'t [Declaration<'t>]) -> Check<Vec<Type>> {
        let mut types = vec![INT; names.len()];
        for declaration in old {
            let base = self.base_type(&declaration.specifiers)?;
            for (declarator, _) in &declaration.declarators {
                let ty = self.derived_type(base.clone(), declarator)?;
                let Some(name) = declarator.name else { continue };
                match names.iter().position(|parameter| parameter.text == name.text) {
                    Some(position) => types[position] = adjusted(ty),
                    None => return self.error(name.span, format!("`{}` is not a parameter", name.text)),
                }
            }
        }
        Ok(types)
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
