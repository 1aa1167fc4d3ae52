//! Expressions that name places (C calls them lvalues), and the way from a place to its value.

use super::*;

/// What an expression is before it is used.
pub(super) enum Operand {
    Place(Place),
    Value(Expr),
}

impl<'t> Checker<'t> {
    /// The value of an operand: places are read, arrays and functions become pointers.
    pub(super) fn value_of(operand: Operand) -> Expr {
        match operand {
            Operand::Value(value) => value,
            Operand::Place(place) => Self::loaded(place),
        }
    }

    pub(super) fn loaded(place: Place) -> Expr {
        let span = place.span;
        if let (Type::Sized(element, _), PlaceKind::Deref(pointer)) = (&place.ty.ty, &place.kind) {
            return Self::first_element(pointer, (**element).clone(), span);
        }
        let pointer = if let PlaceKind::Deref(pointer) = &place.kind { Some(&pointer.kind) } else { None };
        match (place.ty.ty.clone(), pointer) {
            // A string literal behind a pointer to its array is its first character's address.
            (Type::Array(element, _), Some(ExprKind::Cast(inner))) if matches!(inner.kind, ExprKind::String(_)) => {
                Expr { ty: Type::Pointer(element), ..(**inner).clone() }
            }
            (Type::Array(element, _), _) => {
                Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: Type::Pointer(element), span }
            }
            // The value of a literal, which nobody points to.
            (_, Some(ExprKind::Comma(literal, _))) if matches!(literal.kind, ExprKind::Literal(..)) => {
                (**literal).clone()
            }
            (ty, _) => Expr { kind: ExprKind::Load(Box::new(place)), ty, span },
        }
    }

    /// The value of a variable.
    pub(super) fn variable_value(&self, id: VariableId, span: Span) -> Expr {
        Self::loaded(self.variable_place(id, span))
    }

    /// The place that an expression names, or an error.
    pub(super) fn place(&mut self, expr: Written<'t>) -> Check<Place> {
        match self.operand(expr)? {
            Operand::Place(place) => Ok(place),
            Operand::Value(_) => {
                self.error(expr.span, "this has no place in memory that could be changed or pointed to")
            }
        }
    }

    pub(super) fn named(&mut self, name: &'t str, span: Span) -> Check<Operand> {
        let Some(entity) = self.scopes.find(name).cloned() else { return self.undeclared(name, span) };
        match entity {
            Entity::Local(id) => Ok(Operand::Place(self.named_variable(id, span))),
            Entity::Global(index) => {
                let id = self.global_id(index);
                Ok(Operand::Place(self.variable_place(id, span)))
            }
            Entity::Function(index) => {
                if self.unevaluated == 0 {
                    self.mentioned.push(index);
                }
                Ok(self.function_value(index, span))
            }
            Entity::Constant(value, ty) => Ok(Operand::Value(int(value, ty, span))),
            Entity::Typedef(..) => self.error(span, format!("`{name}` is a type, not a value")),
            Entity::Broken(errors) => self.report(errors),
        }
    }

    fn undeclared(&mut self, name: &'t str, span: Span) -> Check<Operand> {
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            // The string literal that it stands for.
            return Ok(Operand::Place(self.string_place(self.context.name.as_bytes().to_vec(), span)));
        }
        // Words that C has since 2023.
        match name {
            "nullptr" => return Ok(Operand::Value(int(0, pointer_to(plain(Type::Void)), span))),
            "true" | "false" => return Ok(Operand::Value(int(i128::from(name == "true"), Type::Bool, span))),
            _ => {}
        }
        if name.starts_with(builtins::BUILTIN) {
            let index = self.undeclared_function(name, span);
            return Ok(self.function_value(index, span));
        }
        self.error(span, format!("`{name}` is not declared"))
    }

    fn function_value(&mut self, index: usize, span: Span) -> Operand {
        let id = self.function_id(index);
        let ty = pointer_to(plain(Type::Function(Box::new(self.functions[index].ty.clone()))));
        Operand::Value(Expr { kind: ExprKind::Function(id), ty, span })
    }

    pub(super) fn string_place(&mut self, bytes: Vec<u8>, span: Span) -> Place {
        let length = bytes.len() as u64 + 1;
        let number = self.string_number(bytes);
        let array = plain(Type::Array(Box::new(plain(types::CHAR)), Some(length)));
        let first = Expr { kind: ExprKind::String(number), ty: pointer_to(plain(types::CHAR)), span };
        let pointer = Expr { kind: ExprKind::Cast(Box::new(first)), ty: pointer_to(array.clone()), span };
        Place { kind: PlaceKind::Deref(pointer), ty: array, span }
    }

    pub(super) fn variable_place(&self, id: VariableId, span: Span) -> Place {
        Place { kind: PlaceKind::Variable(id), ty: self.variables[id.index()].ty.clone(), span }
    }

    /// `*pointer`, in its simplest form.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Check<Operand> {
        let Some(target) = pointer.ty.pointee().cloned() else {
            return self.error(span, format!("this is not a pointer, but `{}`", self.show(&pointer.ty)));
        };
        if matches!(target.ty, Type::Function(_)) {
            return Ok(Operand::Value(pointer));
        }
        let is_array = |ty: &Type| matches!(ty, Type::Array(inner, _) if inner.ty == target.ty);
        let array = |base: &Expr| match &base.kind {
            ExprKind::AddressOf(array) if is_array(&array.ty.ty) => Some(array.clone()),
            _ => None,
        };
        let kind = match &pointer.kind {
            ExprKind::AddressOf(place) if place.ty.ty == target.ty => {
                return Ok(Operand::Place(Place { span, ..(**place).clone() }));
            }
            ExprKind::AddressOf(_) => array(&pointer).map(|array| (array, Box::new(int(0, INT, span)))),
            ExprKind::PointerAdd { pointer: base, count, negative: false, .. } => {
                array(base).map(|array| (array, count.clone()))
            }
            _ => None,
        };
        let kind = kind.map_or_else(|| PlaceKind::Deref(pointer), |(array, index)| PlaceKind::Element(array, index));
        Ok(Operand::Place(Place { kind, ty: target, span }))
    }

    /// `&place`, in its simplest form.
    pub(super) fn address_of(&mut self, operand: Operand, span: Span) -> Check<Expr> {
        if let Operand::Place(place) = &operand {
            self.forget_literal(place)?;
        }
        let place = match operand {
            Operand::Value(value) if value.ty.called().is_some() => return Ok(value),
            Operand::Value(_) => return self.error(span, "this has no address"),
            Operand::Place(place) => place,
        };
        self.reject_if(self.bit_width(&place).is_some(), span, "a bit-field has no address")?;
        let ty = pointer_to(place.ty.clone());
        Ok(match place.kind {
            PlaceKind::Deref(pointer) if pointer.ty == ty => Expr { span, ..pointer },
            _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span },
        })
    }

    /// The width of a bit-field.
    pub(super) fn bit_width(&self, place: &Place) -> Option<u32> {
        let PlaceKind::Field(base, index) = &place.kind else { return None };
        let Type::Record(id) = base.ty.ty else { return None };
        self.records[id.index()].fields.get(*index as usize)?.bit_width
    }

    pub(super) fn indexed(&mut self, base: Written<'t>, index: Written<'t>, span: Span) -> Check<Operand> {
        let (left, right) = (self.expr(base)?, self.expr(index)?);
        let (pointer, count) = if left.ty.is_pointer() { (left, right) } else { (right, left) };
        let fits = pointer.ty.is_pointer() && count.ty.is_integer();
        self.reject_if(!fits, span, "an index needs an array or a pointer, and an integer")?;
        let moved = self.pointer_moved(pointer, count, false, span)?;
        self.deref(moved, span)
    }

    pub(super) fn member(&mut self, base: Written<'t>, name: Name<'t>, arrow: bool, span: Span) -> Check<Operand> {
        let place = if arrow {
            let pointer = self.expr(base)?;
            match self.deref(pointer, base.span)? {
                Operand::Place(place) => place,
                Operand::Value(_) => return self.error(base.span, "a function has no members"),
            }
        } else {
            match self.operand(base)? {
                Operand::Place(place) => place,
                Operand::Value(value) => self.kept(value),
            }
        };
        let shown = self.show(&place.ty.ty);
        let Type::Record(id) = place.ty.ty else {
            let help = if place.ty.ty.is_pointer() && !arrow { "; for a pointer write `->`" } else { "" };
            return self.error(name.span, format!("`{shown}` has no members{help}"));
        };
        match self.field_path(id, name.text) {
            Some(path) => {
                Ok(Operand::Place(path.into_iter().fold(place, |place, index| self.field(place, index, span))))
            }
            None if self.records[id.index()].complete => {
                self.error(name.span, format!("`{shown}` has no member `{}`", name.text))
            }
            None => self.error(name.span, format!("`{shown}` is declared, but its members are not known")),
        }
    }

    /// The indices that lead to a field, through anonymous members.
    pub(super) fn field_path(&self, id: RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = &self.records[id.index()].fields;
        if let Some(index) = fields.iter().position(|field| field.name.as_deref() == Some(name)) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().find_map(|(index, field)| match (&field.name, &field.ty.ty) {
            (None, Type::Record(inner)) => {
                let mut path = self.field_path(*inner, name)?;
                path.insert(0, index as u32);
                Some(path)
            }
            _ => None,
        })
    }

    /// One step into a record.
    pub(super) fn field(&self, base: Place, index: u32, span: Span) -> Place {
        let Type::Record(id) = base.ty.ty else { return base };
        let mut ty = self.records[id.index()].fields[index as usize].ty.clone();
        ty.volatile |= base.ty.volatile;
        ty.constant |= base.ty.constant;
        Place { kind: PlaceKind::Field(Box::new(base), index), ty, span }
    }

    /// A place for a value that has none, as in `f().x`: a new variable.
    pub(super) fn kept(&mut self, value: Expr) -> Place {
        let (ty, span) = (plain(value.ty.clone()), value.span);
        self.literal_place("value", ty, Init::Expr(value), span)
    }

    /// The place of a new variable without a name of its own, which comes to life here.
    pub(super) fn literal_place(&mut self, shown: &str, ty: Qualified, init: Init, span: Span) -> Place {
        let id = self.new_local(shown, ty.clone(), span);
        let place = self.variable_place(id, span);
        if self.variables[id.index()].storage == Storage::Static {
            self.variables[id.index()].init = Some(init);
            return place;
        }
        let literal = Expr { kind: ExprKind::Literal(id, Box::new(init)), ty: ty.ty.clone(), span };
        let pointer = pointer_to(ty.clone());
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty: pointer.clone(), span };
        let both = Expr { kind: ExprKind::Comma(Box::new(literal), Box::new(address)), ty: pointer, span };
        Place { kind: PlaceKind::Deref(both), ty, span }
    }
}
