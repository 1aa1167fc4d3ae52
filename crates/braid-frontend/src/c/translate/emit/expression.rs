//! Expressions: side effects are emitted in C's order, what is left is a value.
//!
//! Invariant: a value reads shared memory at most once. Where two reads meet, or a read meets a later side effect, the first one gets a
//! step and a temporary of its own.

use crate::c::translate::{
    Bound, Ints, Location, ObjectKind, Operation, Result, Scalar, Stop, Translator, Value, reject, walk,
};
use crate::c::tree::{
    self, BinaryOp, Expr as TreeExpr, ExprKind, Place, PlaceKind, Stmt as TreeStmt, StmtKind as TreeStmtKind,
    UpdateValue, VariableId,
};
use braid_logic::Integer;
use braid_program::ast::{Check, ExprKind as AstExpr, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// Evaluates for side effects only.
    pub(crate) fn discard(&mut self, expr: &TreeExpr) -> Result<()> {
        match &expr.kind {
            ExprKind::Cast(inner) if !self.may_not_fit(inner, expr) => self.discard(inner),
            ExprKind::Update { .. } => self.update(expr, false).map(drop),
            ExprKind::Assign(..) if self.scalar(&expr.ty).is_some() => self.assignment(expr, false).map(drop),
            ExprKind::Call(..) => self.call(expr, false).map(drop),
            ExprKind::Comma(a, b) => {
                self.discard(a)?;
                self.discard(b)
            }
            ExprKind::Conditional(test, Some(then), other) => {
                let (test, _) = self.condition(test)?;
                let [(yes, ()), (no, ())] = self.both_ways(|t, first| t.discard(if first { then } else { other }))?;
                self.branch(test, yes, no, expr.span);
                Ok(())
            }
            ExprKind::Statements(stmts) => self.in_block(expr.span, |t| t.statements(stmts)),
            ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Not(_) => self.condition(expr).map(drop),
            _ if self.scalar(&expr.ty).is_some() => self.value(expr).map(drop),
            ExprKind::Load(_) if !self.watches() && !self.requires(Check::Deref) => Ok(()),
            _ => self.record(expr).map(drop),
        }
    }

    /// Is it a conversion that has no meaning for some values, and does that matter?
    fn may_not_fit(&self, from: &TreeExpr, to: &TreeExpr) -> bool {
        let is_float = |expr: &TreeExpr| self.scalar(&expr.ty).is_some_and(Scalar::is_float);
        self.requires(Check::Undefined) && is_float(from) && self.scalar(&to.ty).is_some() && !is_float(to)
    }

    /// Two operands from left to right.
    pub(crate) fn both(&mut self, a: &TreeExpr, b: &TreeExpr) -> Result<(Value, Value)> {
        let first = self.value(a)?;
        let mark = self.out.len();
        let second = self.value(b)?;
        if first.reads && (second.reads || self.out.len() > mark) {
            return Ok((self.settled_at(mark, first, a.span), second));
        }
        Ok((first, second))
    }

    /// The value of a scalar expression, which does not read shared memory.
    pub(crate) fn stable(&mut self, expr: &TreeExpr, span: Span) -> Result<Value> {
        let value = self.value(expr)?;
        Ok(self.settled(value, span))
    }

    /// The parts of the value of any expression.
    pub(crate) fn values(&mut self, expr: &TreeExpr) -> Result<Vec<Value>> {
        match self.scalar(&expr.ty) {
            Some(_) => Ok(vec![self.value(expr)?]),
            None if expr.ty == tree::Type::Void => self.discard(expr).map(|()| Vec::new()),
            None => self.record(expr),
        }
    }

    /// The same; none of them reads shared memory.
    pub(crate) fn stable_values(&mut self, expr: &TreeExpr, span: Span) -> Result<Vec<Value>> {
        let values = self.values(expr)?;
        Ok(values.into_iter().map(|value| self.settled(value, span)).collect())
    }

    /// The value of a scalar expression.
    pub(crate) fn value(&mut self, expr: &TreeExpr) -> Result<Value> {
        let span = expr.span;
        let Some(scalar) = self.scalar(&expr.ty) else {
            return reject(span, "a scalar is expected here");
        };
        match &expr.kind {
            ExprKind::Int(value) => Ok(self.ints.constant(scalar, value, span)),
            ExprKind::Float(_) if self.drops(scalar) => Ok(self.number(scalar, 0, span)),
            ExprKind::Float(bits) => Ok(self.ints.constant(scalar, bits, span)),
            ExprKind::String(id) => {
                let object = self.points.objects.of(ObjectKind::String(*id));
                self.address_value(&Location::object(object), scalar, span)
            }
            ExprKind::Function(id) => {
                let object = self.points.objects.of(ObjectKind::Function(*id));
                self.address_value(&Location::object(object), scalar, span)
            }
            ExprKind::Load(place) => match (self.bound(expr), self.known_variable(place)) {
                (Some(Bound::Value(value, _)), _) => Ok(value),
                (Some(Bound::Place(location, _)), _) => self.address_value(&location, scalar, span),
                (None, Some(known)) => Ok(self.ints.constant(scalar, &known, span)),
                (None, None) => {
                    let location = self.place(place)?;
                    self.load(&location, scalar, span)
                }
            },
            ExprKind::AddressOf(place) => {
                let location = self.place(place)?;
                self.address_value(&location, scalar, span)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner)?;
                match scalar {
                    Scalar::Float(format) => Ok(self.negated_float(format, value, span)),
                    _ => self.unary(*op, scalar, value, span),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = self.both(a, b)?;
                let from = self.scalar(&b.ty).unwrap_or(scalar);
                let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                let (right, from) =
                    if shift { (right, from) } else { (self.ints.convert(from, scalar, right, span), scalar) };
                self.binary(Operation { op: *op, scalar, right: from, span }, left, right)
            }
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let (formula, reads) = self.condition(expr)?;
                Ok(self.ints.of_truth(formula, scalar, reads, span))
            }
            ExprKind::Conditional(..) => self.conditional(expr, scalar),
            ExprKind::Comma(a, b) => {
                self.discard(a)?;
                self.value(b)
            }
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                let (mut from, mut count_value) = self.both(pointer, count)?;
                if self.requires(Check::Undefined) || self.checks(Check::Deref) {
                    (from, count_value) = (self.settled(from, span), self.settled(count_value, span));
                }
                let by = self.offset(count, count_value, *size, *negative)?;
                let reads = from.reads || by.reads;
                let moved = self.sum(from.expr.clone(), by.expr, span);
                let by_bytes = *size == 1 && matches!(walk::uncast(count).kind, ExprKind::Int(_));
                self.require_inside(pointer, (&from.expr, &moved), by_bytes, span)?;
                Ok(self.ints.any(scalar, moved, reads))
            }
            ExprKind::PointerDiff { left, right, size } => {
                self.require_together(left, right, span);
                let (left, right) = self.both(left, right)?;
                let signed = Scalar::Int { bits: self.pointer().bits(), signed: true };
                let distance = self.exact(BinaryOp::Subtract, signed, left, right, span)?;
                let size = self.number(signed, *size as i64, span);
                let count = self.exact(BinaryOp::Divide, signed, distance, size, span)?;
                Ok(self.ints.convert(signed, scalar, count, span))
            }
            ExprKind::Assign(..) => self.assignment(expr, true),
            ExprKind::Update { .. } => self.update(expr, true),
            ExprKind::Cast(inner) => self.cast(inner, scalar, span),
            ExprKind::Call(..) => match &self.call(expr, true)?[..] {
                [value] => Ok(value.clone()),
                _ => reject(span, "a call without a value is used as one"),
            },
            ExprKind::Statements(stmts) => self.in_block(span, |t| {
                let value = t.last_of(stmts, span)?;
                t.value(value)
            }),
            ExprKind::Literal(variable, init) => {
                let object = self.begin_literal(*variable, init, span)?;
                self.load(&Location::object(object), scalar, span)
            }
        }
    }

    /// The value of a statement expression, after what stands before it.
    pub(crate) fn last_of<'s>(&mut self, stmts: &'s [TreeStmt], span: Span) -> Result<&'s TreeExpr> {
        let Some((last, rest)) = stmts.split_last() else { return reject(span, "a value is missing") };
        self.statements(rest)?;
        match &last.kind {
            TreeStmtKind::Expr(value) => Ok(value),
            _ => reject(span, "a statement expression without a value"),
        }
    }

    /// The address of a place as a value.
    pub(crate) fn address_value(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Value> {
        let address = self.address_of(location, span)?;
        Ok(self.ints.any(scalar, address, false))
    }

    /// The value of a variable, where it is known.
    pub(crate) fn known_variable(&self, place: &Place) -> Option<Integer> {
        let PlaceKind::Variable(id) = place.kind else { return None };
        self.frame.constants.get(&id).cloned().or_else(|| self.never_written(id))
    }

    /// The value of a global variable that nobody writes.
    fn never_written(&self, id: VariableId) -> Option<Integer> {
        let variable = &self.unit.variables[id.index()];
        if variable.storage != tree::Storage::Static
            || self.facts.written.contains(&id)
            || self.facts.addressed.contains(&id)
        {
            return None;
        }
        match &variable.init {
            None => Some(Integer::ZERO),
            Some(tree::Init::Expr(init)) => match &walk::uncast(init).kind {
                ExprKind::Int(value) if !matches!(init.ty, tree::Type::Float { .. }) => Some(value.clone()),
                ExprKind::Float(bits) if matches!(init.kind, ExprKind::Float(_)) => Some(bits.clone()),
                _ => None,
            },
            Some(_) => None,
        }
    }

    /// Can the value of a variable be followed through the function? Nobody else can write it.
    pub(crate) fn is_followed(&self, id: VariableId) -> bool {
        let variable = &self.unit.variables[id.index()];
        matches!(variable.storage, tree::Storage::Local(_))
            && !self.facts.addressed.contains(&id)
            && self.scalar(&variable.ty.ty).is_some_and(|scalar| !self.drops(scalar))
    }

    /// Notes the new value of a place, if it is a variable whose value can be followed.
    pub(crate) fn follow(&mut self, place: &Place, value: &Value) {
        let PlaceKind::Variable(id) = place.kind else { return };
        let scalar = self.scalar(&place.ty.ty);
        self.follow_variable(id, scalar.and_then(|scalar| self.ints.known(scalar, &value.expr)));
    }

    /// Notes the new value of a variable, if it can be followed.
    pub(crate) fn follow_variable(&mut self, id: VariableId, known: Option<Integer>) {
        match known.filter(|_| self.is_followed(id)) {
            Some(known) => self.frame.constants.insert(id, known),
            None => self.frame.constants.remove(&id),
        };
    }

    /// The bytes that a pointer is moved by.
    fn offset(&mut self, count: &TreeExpr, value: Value, size: u64, negative: bool) -> Result<Value> {
        let span = count.span;
        let Some(scalar) = self.scalar(&count.ty) else { return reject(span, "a distance that is not a number") };
        let reads = value.reads;
        let expr = match self.ints {
            Ints::Math => value.expr,
            Ints::Bits => self.ints.convert(scalar, self.pointer(), value, span).expr,
        };
        let factor = if negative { -(size as i64) } else { size as i64 };
        // Addresses do not wrap: negative distances stay negative on mathematical integers.
        let expr = match self.ints {
            Ints::Math => build::mul(expr, build::int(factor, span), span),
            Ints::Bits => self.scaled(expr, factor, span),
        };
        Ok(Value { expr, range: self.pointer().range(), reads })
    }

    fn cast(&mut self, inner: &TreeExpr, scalar: Scalar, span: Span) -> Result<Value> {
        let Some(from) = self.scalar(&inner.ty) else {
            if let tree::Type::Array(..) = inner.ty {
                return reject(span, "an array is converted");
            }
            self.discard(inner)?;
            return reject(span, "something without a value is converted");
        };
        if scalar == Scalar::Bool {
            let (formula, reads) = self.condition(inner)?;
            return Ok(self.ints.of_truth(formula, scalar, reads, span));
        }
        let value = self.value(inner)?;
        self.converted(from, scalar, value, span)
    }

    /// `test ? then : other`; without `then`, the test's value is that.
    fn conditional(&mut self, expr: &TreeExpr, scalar: Scalar) -> Result<Value> {
        let span = expr.span;
        let ExprKind::Conditional(test, then, other) = &expr.kind else { return reject(span, "a choice is expected") };
        let (formula, test_reads, shared_value) = match then {
            Some(_) => {
                let (formula, reads) = self.condition(test)?;
                (formula, reads, None)
            }
            None => {
                let value = self.stable(test, span)?;
                let from = self.scalar(&test.ty).unwrap_or(scalar);
                if self.drops(from) {
                    return Err(Stop::NeedsBits(span));
                }
                let formula = self.ints.truth(from, &value, span);
                (formula, false, Some(self.converted(from, scalar, value, span)?))
            }
        };
        if let AstExpr::Bool(known) = formula.kind {
            return match (known, shared_value, then) {
                (true, Some(value), _) => Ok(value),
                (true, None, Some(then)) => self.value(then),
                _ => self.value(other),
            };
        }
        let [(yes, a), (no, b)] = self.both_ways(|t, first| match (first, then, &shared_value) {
            (false, ..) => t.value(other),
            (true, Some(then), _) => t.value(then),
            (true, None, Some(value)) => Ok(value.clone()),
            (true, None, None) => reject(span, "a value is missing"),
        })?;
        let reads = [test_reads, a.reads, b.reads].iter().filter(|&&reads| reads).count();
        if yes.is_empty() && no.is_empty() && reads <= 1 {
            let range = a.range.hull(&b.range);
            return Ok(Value { expr: build::ite(formula, a.expr, b.expr, span), range, reads: reads > 0 });
        }
        Ok(self.one_of(formula, [(yes, vec![a]), (no, vec![b])], span).remove(0))
    }

    /// `place = value`. The result, if somebody wants it, is what is at the place then: the value may have been
    /// calculated from what was there before.
    fn assignment(&mut self, expr: &TreeExpr, wanted: bool) -> Result<Value> {
        let span = expr.span;
        let (ExprKind::Assign(place, value), Some(scalar)) = (&expr.kind, self.scalar(&expr.ty)) else {
            return reject(span, "an assignment of a scalar is expected");
        };
        let location = self.place(place)?;
        self.require_changeable(&location, span);
        let value = self.value(value)?;
        let value = self.cut(place, scalar, value, span);
        let value = self.store(&location, scalar, value, span)?;
        self.follow(place, &value);
        if !wanted || build::numeral(&value.expr).is_some() || self.drops(scalar) {
            return Ok(value);
        }
        let shared = self.only_slot(&location, scalar, span)?.is_none_or(|slot| slot.shared);
        if shared && self.frame.atomic == 0 {
            // It is in a temporary, or made of variables that only this thread has.
            return Ok(value);
        }
        let mut stored = self.load(&location, scalar, span)?;
        stored.range = value.range;
        Ok(stored)
    }

    /// A value as a bit-field holds it; other places hold all values of their type.
    fn cut(&mut self, place: &Place, scalar: Scalar, value: Value, span: Span) -> Value {
        let PlaceKind::Field(record, number) = &place.kind else { return value };
        let tree::Type::Record(record) = record.ty.ty else { return value };
        match self.unit.records[record.index()].fields[*number as usize].bit_width {
            Some(bits) if bits < scalar.bits() => {
                let narrow = Scalar::Int { bits, signed: scalar.is_signed() };
                let value = self.ints.convert(scalar, narrow, value, span);
                self.ints.convert(narrow, scalar, value, span)
            }
            _ => value,
        }
    }

    /// `place op= value`. The result is worth a temporary only if somebody wants it.
    pub(crate) fn update(&mut self, expr: &TreeExpr, wanted: bool) -> Result<Value> {
        let ExprKind::Update { place, op, value, pointer_size, order } = &expr.kind else {
            return reject(expr.span, "an update is expected");
        };
        let span = expr.span;
        let Some(scalar) = self.scalar(&place.ty.ty) else { return reject(span, "an update of something not scalar") };
        let atomic = place.ty.atomic;
        let location = self.place(place)?;
        self.require_changeable(&location, span);
        let operand = self.value(value)?;
        let operand = if atomic || self.frame.atomic == 0 { self.settled(operand, span) } else { operand };
        let work = |t: &mut Self| -> Result<Value> {
            let old = match t.known_variable(place) {
                Some(known) => t.ints.constant(scalar, &known, span),
                None => {
                    let old = t.load(&location, scalar, span)?;
                    t.settled(old, span)
                }
            };
            let old = if *order == UpdateValue::Old && wanted { t.kept(old, span) } else { old };
            if t.drops(scalar) {
                return t.store(&location, scalar, old, span);
            }
            let new = if let Some(size) = pointer_size {
                let by = t.offset(value, operand.clone(), *size, *op == BinaryOp::Subtract)?;
                let moved = t.sum(old.expr.clone(), by.expr, span);
                t.require_inside(expr, (&old.expr, &moved), false, span)?;
                t.ints.any(scalar, moved, false)
            } else {
                let right = t.scalar(&value.ty).unwrap_or(scalar);
                let left = t.converted(scalar, right, old.clone(), span)?;
                let result = t.binary(Operation { op: *op, scalar: right, right, span }, left, operand.clone())?;
                let result = t.converted(right, scalar, result, span)?;
                t.cut(place, scalar, result, span)
            };
            // The new value is calculated from the old one, before that is gone.
            let new = if *order == UpdateValue::New && wanted { t.kept(new, span) } else { new };
            t.store(&location, scalar, new.clone(), span)?;
            t.follow(place, &new);
            Ok(if *order == UpdateValue::Old { old } else { new })
        };
        if atomic { self.atomically(span, work) } else { work(self) }
    }
}
