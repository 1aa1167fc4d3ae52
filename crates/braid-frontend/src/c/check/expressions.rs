//! Expressions: one arm for each form.

use super::literals::{self, Number};
use super::places::Operand;
use super::types::{self, INT, compatible, plain};
use super::{Check, Checker, Written};
use crate::c::syntax::{self, Designator, ExprKind as Syntax, TypeName};
use crate::c::tree::{Expr, ExprKind, Init, Qualified, StmtKind, Storage, Type, UpdateValue};
use braid_logic::Integer;
use braid_program::source::Span;

impl<'t> Checker<'t> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, expr: Written<'t>) -> Check<Expr> {
        let operand = self.operand(expr)?;
        Ok(Self::value_of(operand))
    }

    /// An expression that is not run.
    pub(super) fn unevaluated(&mut self, expr: Written<'t>) -> Check<Operand> {
        self.unevaluated += 1;
        let operand = self.operand(expr);
        self.unevaluated -= 1;
        operand
    }

    /// An expression that must be known before the program runs.
    pub(super) fn constant_expression(&mut self, expr: Written<'t>) -> Check<i128> {
        let checked = Self::value_of(self.unevaluated(expr)?);
        match self.constant(&checked).filter(|_| checked.ty.is_integer()) {
            Some(value) => Ok(value),
            None => self.error(expr.span, "this is not an integer constant"),
        }
    }

    /// The type of an expression that is not run.
    pub(super) fn type_of(&mut self, expr: Written<'t>) -> Check<Qualified> {
        Ok(match self.unevaluated(expr)? {
            Operand::Place(place) => place.ty,
            Operand::Value(Expr { kind: ExprKind::Function(id), .. }) => {
                plain(Type::Function(Box::new(self.unit_functions[id.index()].ty.clone())))
            }
            Operand::Value(value) => plain(value.ty),
        })
    }

    pub(super) fn operand(&mut self, expr: Written<'t>) -> Check<Operand> {
        let span = expr.span;
        let value = match &expr.kind {
            Syntax::Name(name) => return self.named(name, span),
            Syntax::Index(base, index) => return self.indexed(base, index, span),
            Syntax::Member { base, name, arrow } => return self.member(base, *name, *arrow, span),
            Syntax::Deref(pointer) => {
                let pointer = self.expr(pointer)?;
                return self.deref(pointer, span);
            }
            Syntax::String(pieces) => return self.string(pieces, span),
            Syntax::Literal(name, value) => return self.compound_literal(name, value, span),
            Syntax::Generic(subject, cases) => {
                let chosen = self.selected(subject, cases, span)?;
                return self.operand(chosen);
            }
            Syntax::Call(callee, arguments) => return self.call(callee, arguments, span),
            Syntax::Number(text) => self.number(text, span)?,
            Syntax::Char(text) => match literals::character(text, self.model) {
                Ok((value, ty)) => int(value, ty, span),
                Err(message) => return self.error(span, message),
            },
            Syntax::SizeOfType(name) => {
                let (ty, lengths) = self.type_name_with_lengths(name)?;
                if lengths.is_empty() {
                    self.size_constant(&ty, span)?
                } else {
                    self.variable_size(&ty, lengths, span)?
                }
            }
            Syntax::SizeOf(inner) => {
                let ty = self.type_of(inner)?.ty;
                match self.lengths_of(inner) {
                    Some(lengths) => self.variable_size(&ty, lengths, span)?,
                    None => self.size_constant(&ty, span)?,
                }
            }
            Syntax::AlignOfType(name, preferred) => {
                let align = self.alignment_of_type(name, *preferred)?;
                int(i128::from(align), types::size_type(self.model), span)
            }
            Syntax::AlignOf(inner) => {
                let align = self.alignment_of_expression(inner, span)?;
                int(i128::from(align), types::size_type(self.model), span)
            }
            Syntax::OffsetOf(name, path) => self.offset_of(name, path, span)?,
            Syntax::Compatible(left, right) => {
                let is_plain = |name: &TypeName<'_>| matches!(name.specifiers.base, syntax::Base::Int { .. });
                let are_plain = is_plain(left) && is_plain(right);
                let (left, right) = (self.type_name(left)?, self.type_name(right)?);
                if !are_plain && left.ty == right.ty && types::mentions_unsigned(&left.ty) {
                    return self.unsupported(span, "whether types are compatible that could be enumerations");
                }
                int(i128::from(compatible(&left.ty, &right.ty)), INT, span)
            }
            Syntax::Unary(op, inner) => {
                let inner = self.expr(inner)?;
                self.unary(*op, inner, span)?
            }
            Syntax::Plus(inner) => {
                let inner = self.expr(inner)?;
                if !inner.ty.is_arithmetic() {
                    let shown = self.show(&inner.ty);
                    return self.error(span, format!("this operator does not take `{shown}`"));
                }
                self.promoted(inner)
            }
            Syntax::Not(inner) => {
                let inner = self.expr(inner)?;
                let inner = self.scalar(inner)?;
                Expr { kind: ExprKind::Not(Box::new(inner)), ty: INT, span }
            }
            Syntax::AddressOf(inner) => {
                let inner = self.operand(inner)?;
                self.address_of(inner, span)?
            }
            Syntax::Step { operand, op, prefix } => self.step(operand, *op, *prefix, span)?,
            Syntax::Cast(name, inner) => self.explicit_cast(name, inner, span)?,
            Syntax::Binary(op, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.binary(*op, left, right, span)?
            }
            Syntax::Compare(op, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.compare(*op, left, right, span)?
            }
            Syntax::And(left, right) => {
                let (left, right) = self.conditions(left, right)?;
                Expr { kind: ExprKind::And(left, right), ty: INT, span }
            }
            Syntax::Or(left, right) => {
                let (left, right) = self.conditions(left, right)?;
                Expr { kind: ExprKind::Or(left, right), ty: INT, span }
            }
            Syntax::Conditional(test, then, other) => {
                let test = self.expr(test)?;
                let then = then.as_ref().map(|then| self.expr(then)).transpose()?;
                let other = self.expr(other)?;
                self.conditional(test, then, other, span)?
            }
            Syntax::Assign(None, left, right) => {
                let place = self.place(left)?;
                let value = self.expr(right)?;
                self.assign(place, value, span)?
            }
            Syntax::Assign(Some(op), left, right) => {
                let place = self.place(left)?;
                let value = self.expr(right)?;
                self.update(place, *op, value, UpdateValue::New, span)?
            }
            Syntax::Comma(left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                let ty = right.ty.clone();
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
            Syntax::VaArg(list, name) => self.next_argument(list, name, span)?,
            Syntax::Statements(block) => self.statement_expression(block, span)?,
            Syntax::Unsupported(what) => return self.unsupported(span, what),
        };
        Ok(Operand::Value(value))
    }

    fn conditions(&mut self, left: Written<'t>, right: Written<'t>) -> Check<(Box<Expr>, Box<Expr>)> {
        let left = self.expr(left)?;
        let left = self.scalar(left)?;
        let right = self.expr(right)?;
        let right = self.scalar(right)?;
        Ok((Box::new(left), Box::new(right)))
    }

    fn number(&mut self, text: &str, span: Span) -> Check<Expr> {
        match literals::number(text, self.model) {
            Ok(Number::Integer(value, ty)) => Ok(int(value, ty, span)),
            Ok(Number::Float(ty)) => Ok(Expr { kind: ExprKind::Float, ty, span }),
            Err(message) => self.error(span, message),
        }
    }

    fn string(&mut self, pieces: &[&str], span: Span) -> Check<Operand> {
        match literals::string(pieces) {
            Ok(Some(bytes)) => Ok(Operand::Place(self.string_place(bytes, span))),
            Ok(None) => {
                let any = |element| Type::Array(Box::new(plain(element)), None);
                let element = literals::wide_string(pieces, self.model).map_or(INT, |(_, element)| element);
                let (ty, init) = self.wide_string(pieces, &any(element), span)?;
                let id = self.new_variable("string", plain(ty), Storage::Static, span);
                self.variables[id.index()].init = Some(init);
                Ok(Operand::Place(self.variable_place(id, span)))
            }
            Err(message) => self.error(span, message),
        }
    }

    fn size_constant(&mut self, ty: &Type, span: Span) -> Check<Expr> {
        if self.holds_list(ty) {
            return self.unsupported(span, "the size of a `va_list`");
        }
        let size = self.size_of(ty, span)?;
        Ok(int(i128::from(size), types::size_type(self.model), span))
    }

    fn offset_of(&mut self, name: &'t TypeName<'t>, path: &'t [Designator<'t>], span: Span) -> Check<Expr> {
        let mut ty = self.type_name(name)?.ty;
        let mut offset = 0_i128;
        for step in path {
            match (step, &ty) {
                (Designator::Member(member), Type::Record(id)) => {
                    let Some(fields) = self.field_path(*id, member.text) else {
                        return self.error(member.span, format!("there is no member `{}`", member.text));
                    };
                    for index in fields {
                        let Type::Record(id) = ty else { break };
                        let field = &self.records[id.index()].fields[index as usize];
                        offset += i128::from(field.offset);
                        ty = field.ty.ty.clone();
                    }
                }
                (Designator::Index(index, None), Type::Array(element, _)) => {
                    let element = element.ty.clone();
                    let size = self.size_of(&element, span)?;
                    let distance = self.constant_expression(index)?.saturating_mul(i128::from(size));
                    offset = offset.saturating_add(distance);
                    ty = element;
                }
                _ => return self.error(span, "this path does not lead to a member"),
            }
        }
        Ok(int(offset, types::size_type(self.model), span))
    }

    fn explicit_cast(&mut self, name: &'t TypeName<'t>, inner: Written<'t>, span: Span) -> Check<Expr> {
        let ty = self.type_name(name)?.ty;
        let inner = self.expr(inner)?;
        if ty == Type::Void {
            return Ok(Expr { kind: ExprKind::Cast(Box::new(inner)), ty, span });
        }
        // GNU: a value of one of a union's members.
        if let Type::Record(id) = ty {
            if inner.ty == ty {
                return Ok(inner);
            }
            let member = self.records[id.index()].fields.iter().position(|field| field.ty.ty == inner.ty);
            if let (true, Some(member)) = (self.records[id.index()].is_union, member) {
                let storage = self.local_storage();
                let variable = self.new_variable("literal", plain(ty), storage, span);
                let init = Init::List(vec![(member as u64, Init::Expr(inner))]);
                let place = self.literal_place(variable, init, span);
                return Ok(Self::value_of(Operand::Place(place)));
            }
        }
        if inner.ty == ty && self.width_of_value(&inner).is_some() {
            // It is no bit-field any more.
            return Ok(Expr { kind: ExprKind::Cast(Box::new(inner)), ty, span });
        }
        let cast = self.converted(inner, &ty, span)?;
        Ok(Expr { span, ..cast })
    }

    fn compound_literal(
        &mut self,
        name: &'t TypeName<'t>,
        value: &'t syntax::Initialiser<'t>,
        span: Span,
    ) -> Check<Operand> {
        let ty = self.type_name(name)?;
        let (init, sized) = self.initial_value(&ty.ty, value)?;
        let storage = self.local_storage();
        let id = self.new_variable("literal", Qualified { ty: sized, ..ty }, storage, span);
        Ok(Operand::Place(self.literal_place(id, init, span)))
    }

    fn statement_expression(&mut self, block: &'t [syntax::Stmt<'t>], span: Span) -> Check<Expr> {
        if self.context.is_none() {
            return self.error(span, "statements cannot stand outside of functions");
        }
        let before = self.errors.len();
        let statements = self.block(block);
        if self.errors.len() > before {
            return Err(super::Reported);
        }
        let ty = match statements.last().map(|last| &last.kind) {
            Some(StmtKind::Expr(value)) => value.ty.clone(),
            _ => Type::Void,
        };
        Ok(Expr { kind: ExprKind::Statements(statements), ty, span })
    }
}

/// An integer constant.
pub(super) fn int(value: i128, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(Integer::from(value)), ty, span }
}
