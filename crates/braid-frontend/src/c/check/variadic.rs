//! Functions with `...`: one for each list of types that calls give behind the parameters.
//!
//! The arguments of a call become parameters, and a `va_list` is the number of those that have been read. *Invariant*: an argument is read in
//! the type it has, or the execution ends: reading another type, or more arguments than there are, is undefined (C11 7.16.1.1).

use super::*;
use crate::c::translate::walk;

/// The type of a `va_list`: an integer like no other. Its size is not that of a list, and not asked for.
pub const LIST: Type = Type::Int { bits: 32, signed: true, rank: 7 };

const NOT_HERE: &str =
    "reading variable arguments (`va_arg`) outside of a function that is called by its name with them";

impl<'t> Checker<'t> {
    /// The function of the program with `...` that a call by this name means.
    pub(super) fn variadic_function(&self, name: &str) -> Option<usize> {
        let Some(&Entity::Function(index)) = self.scopes.find(name) else { return None };
        let function = &self.functions[index];
        let GlobalFunction { ty, definition, .. } = function;
        (self.unevaluated == 0 && !function.is_prelude() && ty.variadic && definition.is_some()).then_some(index)
    }

    pub(super) fn variadic_call(&mut self, index: usize, arguments: Arguments<'t>, span: Span) -> Check<Expr> {
        let ty = self.functions[index].ty.clone();
        let arguments = self.arguments(&ty, arguments, span)?;
        self.call_with_types(index, arguments, span)
    }

    /// A call of a function with as many parameters as there are arguments.
    fn call_with_types(&mut self, index: usize, arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let GlobalFunction { ty, definition, .. } = &self.functions[index];
        let ty = ty.clone();
        // A format is known to whom it is handed on, unless who gets it reads the arguments itself.
        let is_handed_on = definition.is_some_and(|definition| !definition.reads_arguments);
        let literal = |argument: &Expr| match walk::uncast(argument).kind {
            ExprKind::String(id) => Some(id),
            ExprKind::Load(ref place) => match place.kind {
                PlaceKind::Variable(id) => self.context.literals.get(&id).map(|(id, _)| *id),
                _ => None,
            },
            _ => None,
        };
        let (fixed, more) = arguments.split_at(ty.parameters.len());
        let literals: Vec<Option<u32>> =
            fixed.iter().map(|argument| if is_handed_on { literal(argument) } else { None }).collect();
        let key = (index, more.iter().map(|argument| argument.ty.clone()).collect::<Vec<Type>>(), literals);
        let id = self.variadic.get(&key).copied().unwrap_or_else(|| {
            let parameters = ty.parameters.iter().chain(&key.1).cloned().collect();
            let signature = FunctionType { parameters, variadic: false, ..ty.clone() };
            let id = self.new_unit_function(index, signature);
            self.literals.insert(id, key.2.clone());
            self.variadic.insert(key, id);
            self.pending.push(Pending::Body(index, id, span));
            id
        });
        Ok(Expr { kind: ExprKind::Call(Callee::Direct(id), arguments), ty: ty.result, span })
    }

    /// The function of the program that a call by this name hands a list of arguments to, as it is.
    pub(super) fn list_taker(&self, name: &str) -> Option<usize> {
        let Some(&Entity::Function(index)) = self.scopes.find(name) else { return None };
        let function = &self.functions[index];
        let takes = function.ty.parameters.contains(&LIST) && !function.ty.variadic;
        let is_known = self.context.arguments.is_some() && function.definition.is_some() && !function.is_prelude();
        (self.unevaluated == 0 && takes && is_known).then_some(index)
    }

    /// A call that hands a list of arguments on: they are arguments of the call, too, and the list says how many have been read.
    pub(super) fn call_with_list(&mut self, index: usize, arguments: Arguments<'t>, span: Span) -> Check<Expr> {
        let ty = self.functions[index].ty.clone();
        let mut values = self.arguments(&ty, arguments, span)?;
        for id in self.known_arguments(span)? {
            values.push(self.variable_value(id, span));
        }
        self.call_with_types(index, values, span)
    }

    /// A string literal that a parameter is known to be.
    pub(super) fn known_literal(&mut self, text: &Expr) -> Option<u32> {
        let ExprKind::Load(place) = &walk::uncast(text).kind else { return None };
        let PlaceKind::Variable(id) = place.kind else { return None };
        let (literal, is_used) = self.context.literals.get_mut(&id)?;
        *is_used = true;
        Some(*literal)
    }

    /// A variable changes, or somebody else may change it: it is no literal any more.
    pub(super) fn forget_literal(&mut self, place: &Place) -> Check<()> {
        match walk::root(place).and_then(|id| self.context.literals.remove(&id)) {
            Some((_, true)) => self.unsupported(place.span, "changing a format that is used before or in a loop"),
            _ => Ok(()),
        }
    }

    /// Is a list a part of such an object?
    pub(super) fn holds_list(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(inner, _) => self.holds_list(&inner.ty),
            Type::Record(id) => self.records[id.index()].fields.iter().any(|field| self.holds_list(&field.ty.ty)),
            _ => *ty == LIST,
        }
    }

    /// The variables of the arguments behind the parameters.
    pub(super) fn argument_variables(&mut self, types: &[Type], span: Span) -> Vec<VariableId> {
        let numbered = types.iter().enumerate();
        numbered.map(|(number, ty)| self.new_local(&format!("argument{number}"), plain(ty.clone()), span)).collect()
    }

    fn known_arguments(&mut self, span: Span) -> Check<Vec<VariableId>> {
        match self.context.arguments.clone() {
            Some(arguments) => Ok(arguments),
            None => self.unsupported(span, NOT_HERE),
        }
    }

    /// `va_start`: none has been read.
    pub(super) fn start_arguments(&mut self, list: Written<'t>, span: Span) -> Check<Expr> {
        self.known_arguments(span)?;
        let list = self.place(list)?;
        self.assign(list, int(0, LIST, span), span)
    }

    /// `va_copy`: as many have been read.
    pub(super) fn copy_arguments(&mut self, to: Written<'t>, from: Written<'t>, span: Span) -> Check<Expr> {
        self.known_arguments(span)?;
        let (to, from) = (self.place(to)?, self.expr(from)?);
        self.assign(to, from, span)
    }

    /// `va_arg`: the next argument is read, and has the right type.
    pub(super) fn next_argument(&mut self, list: Written<'t>, name: &'t TypeName<'t>, span: Span) -> Check<Expr> {
        let ty = self.type_name(name)?.ty;
        let list = self.place(list)?;
        self.argument_at(list, ty, span)
    }

    /// The next argument of a list.
    pub(super) fn argument_at(&mut self, list: Place, ty: Type, span: Span) -> Check<Expr> {
        let arguments = self.known_arguments(span)?;
        if !matches!(list.kind, PlaceKind::Variable(_)) || list.ty.ty != LIST {
            return self.unsupported(span, "a list of variable arguments (`va_list`) that is not a variable");
        }
        let fitting = arguments.iter().enumerate().filter(|(_, id)| fits(&self.variables[id.index()].ty.ty, &ty));
        let fitting: Vec<(usize, VariableId)> = fitting.map(|(number, &id)| (number, id)).collect();
        let nothing = match ty.is_scalar() {
            true => self.cast(int(0, INT, span), &ty),
            false => {
                let nothing = self.new_local("nothing", plain(ty.clone()), span);
                self.variable_value(nothing, span)
            }
        };
        let end = self.builtin_call("__builtin_unreachable", span)?;
        let mut chain = Expr { kind: ExprKind::Comma(Box::new(end), Box::new(nothing)), ty: ty.clone(), span };
        for (number, id) in fitting.into_iter().rev() {
            let value = self.cast(self.variable_value(id, span), &ty);
            let read = Expr { kind: ExprKind::Load(Box::new(list.clone())), ty: LIST, span };
            let wanted = int(number as i128 + 1, LIST, span);
            let test = self.compare(CompareOp::Equal, read, wanted, span)?;
            let kind = ExprKind::Conditional(Box::new(test), Some(Box::new(value)), Box::new(chain));
            chain = Expr { kind, ty: ty.clone(), span };
        }
        let next = self.update(list, BinaryOp::Add, int(1, INT, span), UpdateValue::New, span)?;
        Ok(Expr { kind: ExprKind::Comma(Box::new(next), Box::new(chain)), ty, span })
    }
}

/// Can an argument of one type be read as the other?
fn fits(given: &Type, wanted: &Type) -> bool {
    match (given, wanted) {
        (Type::Int { bits: given, .. }, Type::Int { bits: wanted, .. }) => given == wanted,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        _ => given == wanted,
    }
}
