//! Types from declarators and type names.

use super::*;

/// Types have no more parts than this, typedefs written out: they are copied freely.
const LARGEST_TYPE: u32 = 1_000;

impl<'t> Checker<'t> {
    pub(super) fn type_name(&mut self, name: &'t TypeName<'t>) -> Check<Qualified> {
        let before = self.lengths.len();
        let ty = self.declared_type(name.declared());
        if self.lengths.len() > before {
            self.lengths.truncate(before);
            return self.unsupported(name.declarator.span, "a type of variable length here");
        }
        ty
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
                    let is_wrong = matches!(ty.ty, Type::Array(..) | Type::Sized(..) | Type::Function(_));
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
        let count = size.map_or(Ok(Count::Open), |size| self.array_length(size))?;
        let ty = match count {
            // What consists of arrays of variable length is one.
            Count::Known(count) if matches!(element.ty, Type::Sized(..)) => {
                let count = int(i128::from(count), types::size_type(self.model), span);
                self.sized(element, count)
            }
            Count::Known(count) => Type::Array(Box::new(element), Some(count)),
            Count::Open => Type::Array(Box::new(element), None),
            Count::Variable(length) => self.sized(element, length),
        };
        Ok(Qualified { ty, atomic: false, volatile, constant })
    }

    /// The number of elements.
    fn array_length(&mut self, size: Written<'t>) -> Check<Count> {
        let before = self.errors.len();
        let checked = match self.unevaluated(size).map(Self::value_of) {
            // It may mention a parameter, and matters only inside of another array.
            Err(_) if self.parameter_lists > 0 => {
                self.errors.truncate(before);
                return Ok(Count::Open);
            }
            checked => checked?,
        };
        self.reject_if(!checked.ty.is_integer(), size.span, "the size of an array must be an integer")?;
        match self.constant(&checked) {
            Some(value) if (0..1 << 48).contains(&value) => Ok(Count::Known(value as u64)),
            Some(_) => self.error(size.span, "an array cannot have so many elements"),
            // A parameter is a pointer anyway.
            None if self.parameter_lists > 0 => Ok(Count::Open),
            None if self.context.id.is_none() => self.error(size.span, "the size of an array must be constant here"),
            None => Ok(Count::Variable(self.expr(size)?)),
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

/// How many elements an array has.
enum Count {
    Known(u64),
    /// Nobody says, or it does not matter.
    Open,
    Variable(Expr),
}

/// The type of a parameter: arrays and functions become pointers.
pub(super) fn adjusted(ty: Qualified) -> Type {
    match ty.ty {
        Type::Array(element, _) | Type::Sized(element, _) => Type::Pointer(element),
        function @ Type::Function(_) => pointer_to(plain(function)),
        other => other,
    }
}
