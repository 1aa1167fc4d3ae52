//! Expressions: one arm for each form.

use super::*;
use crate::c::syntax::ExprKind as Syntax;

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

    /// Both ends of a range; of one expression, if there is no second one.
    pub(super) fn constant_range(&mut self, low: Written<'t>, high: Option<Written<'t>>) -> Check<(i128, i128)> {
        let first = self.constant_expression(low)?;
        Ok((first, high.map_or(Ok(first), |high| self.constant_expression(high))?))
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
            Syntax::Member(base, name, arrow) => return self.member(base, *name, *arrow, span),
            Syntax::Prefix("*", pointer) => {
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
            Syntax::Number(text) => {
                let (kind, ty) = self.literal(literals::number(text, self.model), span)?;
                Expr { kind, ty, span }
            }
            Syntax::SizeOf(what) => {
                let (ty, lengths) = match what {
                    Typed::Type(name) => self.type_name_with_lengths(name)?,
                    Typed::Expr(inner) => (self.type_of(inner)?.ty, Vec::new()),
                };
                Self::after_lengths(lengths, self.size_value(&ty, span)?)
            }
            Syntax::AlignOf(what, preferred) => {
                let align = match what {
                    Typed::Type(name) => self.alignment_of_type(name, *preferred)?,
                    Typed::Expr(inner) => self.alignment_of_expression(inner, span)?,
                };
                int(i128::from(align), types::size_type(self.model), span)
            }
            Syntax::OffsetOf(name, path) => self.offset_of(name, path, span)?,
            Syntax::Compatible(left, right) => {
                let is_plain =
                    |name: &TypeName<'_>| matches!(name.specifiers.base, syntax::Base::Basic(Type::Int { .. }));
                let are_plain = is_plain(left) && is_plain(right);
                let (left, right) = (self.type_name(left)?, self.type_name(right)?);
                if !are_plain && left.ty == right.ty && types::mentions_unsigned(&left.ty) {
                    return self.unsupported(span, "whether types are compatible that could be enumerations");
                }
                int(i128::from(compatible(&left.ty, &right.ty)), INT, span)
            }
            Syntax::Prefix(op @ ("+" | "-" | "~"), inner) => self.unary(op, inner, span)?,
            Syntax::Prefix("!", inner) => {
                let inner = self.test(inner)?;
                Expr { kind: ExprKind::Not(Box::new(inner)), ty: INT, span }
            }
            Syntax::Prefix("&", inner) => {
                let inner = self.operand(inner)?;
                self.address_of(inner, span)?
            }
            Syntax::Prefix(..) => return self.unsupported(span, "a part of a complex number"),
            Syntax::Step(operand, op, order) => {
                let place = self.place(operand)?;
                self.check_operand(&place.ty.ty, place.ty.ty.is_scalar(), span)?;
                self.update(place, *op, int(1, INT, span), *order, span)?
            }
            Syntax::Cast(name, inner) => self.explicit_cast(name, inner, span)?,
            Syntax::Infix(Infix::Binary(_), left, right) if [left, right].into_iter().any(|it| is_label_value(it)) => {
                return self.unsupported(span, "calculating with the address of a label");
            }
            Syntax::Infix(Infix::Binary(op), left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.binary(*op, left, right, span)?
            }
            Syntax::Infix(Infix::Compare(op), left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                self.compare(*op, left, right, span)?
            }
            Syntax::Infix(op @ (Infix::And | Infix::Or), left, right) => {
                let make = if matches!(op, Infix::And) { ExprKind::And } else { ExprKind::Or };
                Expr { kind: make(Box::new(self.test(left)?), Box::new(self.test(right)?)), ty: INT, span }
            }
            Syntax::Conditional(test, then, other) => {
                let test = self.expr(test)?;
                let then = then.as_ref().map(|then| self.expr(then)).transpose()?;
                let other = self.expr(other)?;
                self.conditional(test, then, other, span)?
            }
            Syntax::Assign(op, left, right) => {
                let (place, value) = (self.place(left)?, self.expr(right)?);
                match op {
                    None => self.assign(place, value, span)?,
                    Some(op) => self.update(place, *op, value, UpdateValue::New, span)?,
                }
            }
            Syntax::Comma(left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                let ty = right.ty.clone();
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
            Syntax::VaArg(list, name) => self.next_argument(list, name, span)?,
            Syntax::Statements(block) => self.statement_expression(block, span)?,
            Syntax::LabelValue(name) => self.label_value(*name, span)?,
        };
        Ok(Operand::Value(value))
    }

    /// What a literal means, or what is wrong with it.
    pub(super) fn literal<T>(&mut self, read: Result<T, &'static str>, span: Span) -> Check<T> {
        read.or_else(|message| self.error(span, message))
    }

    fn string(&mut self, pieces: &[&str], span: Span) -> Check<Operand> {
        if let Some(bytes) = self.literal(literals::string(pieces), span)? {
            return Ok(Operand::Place(self.string_place(bytes, span)));
        }
        let (ty, init) = self.wide_string(pieces, None, span)?;
        let id = self.new_variable("string", plain(ty), Storage::Static, span);
        self.variables[id.index()].init = Some(init);
        Ok(Operand::Place(self.variable_place(id, span)))
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
        let (ty, lengths) = self.type_name_with_lengths(name)?;
        let inner = self.expr(inner)?;
        if !lengths.is_empty() {
            return Ok(Self::after_lengths(lengths, self.converted(inner, &ty, span)?));
        }
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
                let init = Init::List(vec![(member as u64, Init::Expr(inner))]);
                let place = self.literal_place("literal", plain(ty), init, span);
                return Ok(Self::loaded(place));
            }
        }
        if inner.ty == ty && self.width_of_value(&inner).is_some() {
            // It is no bit-field any more.
            return Ok(Expr { kind: ExprKind::Cast(Box::new(inner)), ty, span });
        }
        let cast = self.converted(inner, &ty, span)?;
        Ok(Expr { span, ..cast })
    }

    fn compound_literal(&mut self, name: &'t TypeName<'t>, value: Initial<'t>, span: Span) -> Check<Operand> {
        let ty = self.type_name(name)?;
        let (init, sized) = self.initial_value(&ty.ty, value)?;
        Ok(Operand::Place(self.literal_place("literal", Qualified { ty: sized, ..ty }, init, span)))
    }

    fn statement_expression(&mut self, block: &'t [syntax::Stmt<'t>], span: Span) -> Check<Expr> {
        self.reject_if(self.context.id.is_none(), span, "statements cannot stand outside of functions")?;
        let before = self.errors.len();
        self.note_labels(block);
        let mut statements = self.block(block);
        // A value behind a label is one, too.
        while let Some(Stmt { kind: StmtKind::Label(_, then), .. }) = statements.last_mut() {
            let span = then.span;
            let behind = std::mem::replace(&mut **then, Stmt { kind: StmtKind::Skip, span });
            statements.push(behind);
        }
        if self.errors.len() > before {
            return Err(Reported);
        }
        let ty = match statements.last().map(|last| &last.kind) {
            Some(StmtKind::Expr(value)) => value.ty.clone(),
            _ => Type::Void,
        };
        Ok(Expr { kind: ExprKind::Statements(statements), ty, span })
    }
}

fn is_label_value(expr: &syntax::Expr<'_>) -> bool {
    match &expr.kind {
        Syntax::Cast(_, inner) => is_label_value(inner),
        kind => matches!(kind, Syntax::LabelValue(_)),
    }
}

/// An integer constant.
pub(super) fn int(value: i128, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(Integer::from(value)), ty, span }
}
