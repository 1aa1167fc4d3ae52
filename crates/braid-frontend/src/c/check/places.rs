//! Expressions that name places (C calls them lvalues), and the way from a place to its value.

use super::scope::Entity;
use super::types::{self, INT, plain, pointer_to};
use super::{Check, Checker, Reported, Written};
use crate::c::syntax::Name;
use crate::c::tree::{
    Expr, ExprKind, FunctionType, Init, Place, PlaceKind, Qualified, RecordId, Storage, Type, VariableId,
};
use braid_logic::Integer;
use braid_program::source::Span;

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

    fn loaded(place: Place) -> Expr {
        let span = place.span;
        match &place.ty.ty {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element.clone());
                // A string literal behind a pointer to its array is its first character's address.
                if let PlaceKind::Deref(Expr { kind: ExprKind::Cast(inner), .. }) = &place.kind
                    && matches!(inner.kind, ExprKind::String(_))
                {
                    return Expr { ty, ..(**inner).clone() };
                }
                Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span }
            }
            ty => {
                let ty = ty.clone();
                // The value of a literal, which nobody points to.
                if let PlaceKind::Deref(Expr { kind: ExprKind::Comma(literal, _), .. }) = &place.kind
                    && matches!(literal.kind, ExprKind::Literal(..))
                {
                    return (**literal).clone();
                }
                Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
            }
        }
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
        let entity = match self.scopes.find(name) {
            Some(entity) => entity.clone(),
            None => return self.undeclared(name, span),
        };
        match entity {
            Entity::Local(id) => Ok(Operand::Place(self.variable_place(id, span))),
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
            Entity::Constant(value, ty) => {
                Ok(Operand::Value(Expr { kind: ExprKind::Int(Integer::from(value)), ty, span }))
            }
            Entity::Typedef(..) => self.error(span, format!("`{name}` is a type, not a value")),
            Entity::Broken(errors) => {
                self.errors.extend(errors);
                Err(Reported)
            }
        }
    }

    fn undeclared(&mut self, name: &'t str, span: Span) -> Check<Operand> {
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(Operand::Place(self.function_name(span)));
        }
        if let Some(ty) = self.builtin_type(name) {
            let index = self.builtin_function(name, ty, span);
            return Ok(self.function_value(index, span));
        }
        self.error(span, format!("`{name}` is not declared"))
    }

    fn function_value(&mut self, index: usize, span: Span) -> Operand {
        let id = self.function_id(index);
        let ty = pointer_to(plain(Type::Function(Box::new(self.functions[index].ty.clone()))));
        Operand::Value(Expr { kind: ExprKind::Function(id), ty, span })
    }

    /// A function that is called without a declaration: it gives an `int`, unless the compiler knows it.
    pub(super) fn implicit_function(&mut self, name: &'t str, span: Span) -> usize {
        let ty = match super::builtins::is_library(name) {
            true => self.builtin_type(&format!("__builtin_{name}")),
            false => None,
        };
        let ty = ty.unwrap_or(FunctionType { result: INT, parameters: Vec::new(), variadic: false, open: true });
        let index = self.new_function(name, ty, span);
        self.scopes.declare_at_file_level(name, Entity::Function(index));
        index
    }

    /// `__func__`, as the string literal that it stands for.
    fn function_name(&mut self, span: Span) -> Place {
        let name = self.context.as_ref().map_or("", |context| context.name).as_bytes().to_vec();
        self.string_place(name, span)
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
            let shown = self.show(&pointer.ty);
            return self.error(span, format!("this is not a pointer, but `{shown}`"));
        };
        if matches!(target.ty, Type::Function(_)) {
            return Ok(Operand::Value(pointer));
        }
        let place = match pointer.kind {
            ExprKind::AddressOf(place) if place.ty.ty == target.ty => Place { span, ..*place },
            ExprKind::AddressOf(array) if is_array_of(&array, &target) => {
                let zero = Expr { kind: ExprKind::Int(Integer::from(0)), ty: INT, span };
                Place { kind: PlaceKind::Element(array, Box::new(zero)), ty: target, span }
            }
            ExprKind::PointerAdd { pointer: base, count, size, negative } => match base.kind {
                ExprKind::AddressOf(array) if !negative && is_array_of(&array, &target) => {
                    Place { kind: PlaceKind::Element(array, count), ty: target, span }
                }
                _ => {
                    let kind = ExprKind::PointerAdd { pointer: base, count, size, negative };
                    Place { kind: PlaceKind::Deref(Expr { kind, ..pointer }), ty: target, span }
                }
            },
            _ => Place { kind: PlaceKind::Deref(pointer), ty: target, span },
        };
        Ok(Operand::Place(place))
    }

    /// `&place`, in its simplest form.
    pub(super) fn address_of(&mut self, operand: Operand, span: Span) -> Check<Expr> {
        match operand {
            Operand::Value(value)
                if value.ty.pointee().is_some_and(|target| matches!(target.ty, Type::Function(_))) =>
            {
                Ok(value)
            }
            Operand::Value(_) => self.error(span, "this has no address"),
            Operand::Place(place) => {
                if self.bit_width(&place).is_some() {
                    return self.error(span, "a bit-field has no address");
                }
                let ty = pointer_to(place.ty.clone());
                Ok(match place.kind {
                    PlaceKind::Deref(pointer) if pointer.ty == ty => Expr { span, ..pointer },
                    _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span },
                })
            }
        }
    }

    /// The width of a bit-field.
    pub(super) fn bit_width(&self, place: &Place) -> Option<u32> {
        let PlaceKind::Field(base, index) = &place.kind else { return None };
        let Type::Record(id) = base.ty.ty else { return None };
        self.records[id.index()].fields.get(*index as usize)?.bit_width
    }

    pub(super) fn indexed(&mut self, base: Written<'t>, index: Written<'t>, span: Span) -> Check<Operand> {
        let left = self.expr(base)?;
        let right = self.expr(index)?;
        let (pointer, count) = if left.ty.is_pointer() { (left, right) } else { (right, left) };
        if !pointer.ty.is_pointer() || !count.ty.is_integer() {
            return self.error(span, "an index needs an array or a pointer, and an integer");
        }
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
        let Type::Record(id) = place.ty.ty else {
            let shown = self.show(&place.ty.ty);
            let help = if arrow { "" } else { "; for a pointer write `->`" };
            let help = if place.ty.ty.is_pointer() { help } else { "" };
            return self.error(name.span, format!("`{shown}` has no members{help}"));
        };
        let place = self.field_place(place, id, name, span)?;
        Ok(Operand::Place(place))
    }

    fn field_place(&mut self, base: Place, id: RecordId, name: Name<'t>, span: Span) -> Check<Place> {
        match self.field_path(id, name.text) {
            Some(path) => Ok(path.into_iter().fold(base, |place, index| self.field(place, index, span))),
            None if self.records[id.index()].complete => {
                let shown = self.show(&Type::Record(id));
                self.error(name.span, format!("`{shown}` has no member `{}`", name.text))
            }
            None => {
                let shown = self.show(&Type::Record(id));
                self.error(name.span, format!("`{shown}` is declared, but its members are not known"))
            }
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
        let storage = self.local_storage();
        let (ty, span) = (value.ty.clone(), value.span);
        let id = self.new_variable("value", plain(ty.clone()), storage, span);
        self.literal_place(id, Init::Expr(value), span)
    }

    /// The place of an unnamed variable that comes to life here.
    pub(super) fn literal_place(&mut self, id: VariableId, init: Init, span: Span) -> Place {
        let place = self.variable_place(id, span);
        let ty = place.ty.clone();
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

fn is_array_of(place: &Place, element: &Qualified) -> bool {
    matches!(&place.ty.ty, Type::Array(inner, _) if inner.ty == element.ty)
}
