//! Operators: which operands they take, and what they give.

use super::*;

impl<'t> Checker<'t> {
    /// `+e`, `-e`, `~e`.
    pub(super) fn unary(&mut self, op: &str, value: Written<'t>, span: Span) -> Check<Expr> {
        let value = self.expr(value)?;
        let fits = if op == "~" { value.ty.is_integer() } else { value.ty.is_arithmetic() };
        self.check_operand(&value.ty, fits, span)?;
        let value = self.promoted(value);
        let ty = value.ty.clone();
        let op = match op {
            "-" => UnaryOp::Negate,
            "~" => UnaryOp::Complement,
            _ => return Ok(value),
        };
        Ok(self.folded(Expr { kind: ExprKind::Unary(op, Box::new(value)), ty, span }))
    }

    pub(super) fn check_operand(&mut self, ty: &Type, fits: bool, span: Span) -> Check<()> {
        if fits { Ok(()) } else { self.error(span, format!("this operator does not take `{}`", self.show(ty))) }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Check<Expr> {
        match (op, left.ty.pointee(), right.ty.pointee()) {
            (BinaryOp::Add | BinaryOp::Subtract, Some(_), None) if right.ty.is_integer() => {
                return self.pointer_moved(left, right, op == BinaryOp::Subtract, span);
            }
            (BinaryOp::Add, None, Some(_)) if left.ty.is_integer() => {
                return self.pointer_moved(right, left, false, span);
            }
            (BinaryOp::Subtract, Some(_), Some(_)) => {
                let (size, lengths) = self.step(&left.ty, span)?;
                let kind = ExprKind::PointerDiff { left: Box::new(left), right: Box::new(right), size };
                let distance = Expr { kind, ty: types::difference_type(self.model), span };
                return match lengths.is_empty() {
                    true => Ok(distance),
                    false => {
                        let one = int(1, distance.ty.clone(), span);
                        let step = self.times(one, &lengths, span);
                        self.binary(BinaryOp::Divide, distance, step, span)
                    }
                };
            }
            _ => {}
        }
        self.check_operands(op, &left.ty, &right.ty, span)?;
        let (left, right) = match op {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => (self.promoted(left), self.promoted(right)),
            _ => self.balanced(left, right),
        };
        let ty = left.ty.clone();
        Ok(self.folded(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }))
    }

    fn check_operands(&mut self, op: BinaryOp, left: &Type, right: &Type, span: Span) -> Check<()> {
        let fits = match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                left.is_arithmetic() && right.is_arithmetic()
            }
            _ => left.is_integer() && right.is_integer(),
        };
        if fits {
            return Ok(());
        }
        let message = format!("this operator does not take `{}` and `{}`", self.show(left), self.show(right));
        self.error(span, message)
    }

    /// A number of steps of a pointer, in what a step is counted by, and the bytes of that.
    fn steps(&mut self, pointer: &Type, count: Expr, span: Span) -> Check<(Expr, u64)> {
        let (size, lengths) = self.step(pointer, span)?;
        let count = self.promoted(count);
        if lengths.is_empty() {
            return Ok((count, size));
        }
        let count = self.cast(count, &types::difference_type(self.model));
        Ok((self.times(count, &lengths, span), size))
    }

    pub(super) fn pointer_moved(&mut self, pointer: Expr, count: Expr, negative: bool, span: Span) -> Check<Expr> {
        let (count, size) = self.steps(&pointer.ty, count, span)?;
        let ty = pointer.ty.clone();
        let (pointer, count) = if negative { (pointer, count) } else { self.in_one_step(pointer, count, size) };
        let count = Box::new(count);
        Ok(Expr { kind: ExprKind::PointerAdd { pointer: Box::new(pointer), count, size, negative }, ty, span })
    }

    /// Where a pointer is an element of an array of variable length, one step leads from the start of that to an element of the element.
    fn in_one_step(&mut self, pointer: Expr, count: Expr, size: u64) -> (Expr, Expr) {
        if let (ExprKind::Cast(inner), Type::Pointer(element)) = (&pointer.kind, &pointer.ty)
            && let ExprKind::PointerAdd { pointer: array, count: before, size: own, negative: false } = &inner.kind
            && *own == size
            && matches!(inner.ty.pointee(), Some(Qualified { ty: Type::Sized(..), .. }))
        {
            let first = Self::first_element(array, (**element).clone(), pointer.span);
            let (ty, span) = (before.ty.clone(), count.span);
            let count = Box::new(self.cast(count, &ty));
            return (first, Expr { kind: ExprKind::Binary(BinaryOp::Add, before.clone(), count), ty, span });
        }
        (pointer, count)
    }

    pub(super) fn compare(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Check<Expr> {
        let (left, right) = match (&left.ty, &right.ty) {
            (Type::Pointer(_), Type::Pointer(_)) => (left, right),
            (Type::Pointer(_), ty) if ty.is_integer() => {
                let right = self.cast(right, &left.ty);
                (left, right)
            }
            (ty, Type::Pointer(_)) if ty.is_integer() => (self.cast(left, &right.ty), right),
            (left_ty, right_ty) if left_ty.is_arithmetic() && right_ty.is_arithmetic() => self.balanced(left, right),
            (Type::Record(a), Type::Record(b)) if a == b && self.inside_prelude => {
                return match (left.kind, right.kind) {
                    (ExprKind::Load(a), ExprKind::Load(b)) => self.same_bytes(*a, *b, span),
                    _ => self.unsupported(span, "a comparison of structs of this form"),
                };
            }
            (left, right) => {
                let message = format!("`{}` and `{}` cannot be compared", self.show(left), self.show(right));
                return self.error(span, message);
            }
        };
        Ok(self.folded(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: INT, span }))
    }

    /// Do two structs have the same bytes? The prelude asks that of what is compared and exchanged. Between members nothing may lie.
    fn same_bytes(&mut self, left: Place, right: Place, span: Span) -> Check<Expr> {
        let Type::Record(id) = left.ty.ty else {
            let (left, right) = (Self::loaded(left), Self::loaded(right));
            if matches!(left.ty, Type::Float { .. } | Type::Array(..)) {
                return self.unsupported(span, "comparing and exchanging a struct with arrays or floats");
            }
            return self.compare(CompareOp::Equal, left, right, span);
        };
        let record = self.records[id.index()].clone();
        let mut end = 0;
        let mut same: Option<Expr> = None;
        for (index, field) in (0..).zip(&record.fields) {
            let size = self.size_of(&field.ty.ty, span)?;
            if record.is_union || field.offset != end || field.bit_width.is_some() {
                return self.unsupported(span, "comparing and exchanging a struct with padding, bit-fields or unions");
            }
            end += size;
            let [a, b] = [&left, &right].map(|place| self.field(place.clone(), index, span));
            let both = self.same_bytes(a, b, span)?;
            same = Some(match same {
                Some(before) => Expr { kind: ExprKind::And(Box::new(before), Box::new(both)), ty: INT, span },
                None => both,
            });
        }
        match same {
            Some(same) if end == record.size => Ok(same),
            _ => self.unsupported(span, "comparing and exchanging a struct with padding"),
        }
    }

    pub(super) fn conditional(&mut self, test: Expr, then: Option<Expr>, other: Expr, span: Span) -> Check<Expr> {
        let test = self.scalar(test)?;
        let (mut then, mut other) = (then, other);
        if then.as_ref().unwrap_or(&test).ty.is_integer() && other.ty.is_integer() {
            (then, other) = (then.map(|then| self.promoted(then)), self.promoted(other));
        }
        let then_ty = then.as_ref().unwrap_or(&test).ty.clone();
        let ty = match (&then_ty, &other.ty) {
            (left, right) if left.is_arithmetic() && right.is_arithmetic() => types::common(left, right),
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (Type::Record(left), Type::Record(right)) if left == right => then_ty.clone(),
            (Type::Pointer(left), Type::Pointer(right)) => {
                // A null pointer takes the other's type; otherwise `void *` wins.
                let is_null = |branch: &Expr| matches!(&branch.kind, ExprKind::Int(value) if value.is_zero());
                match (&left.ty, &right.ty) {
                    (Type::Void, _) if then.as_ref().is_some_and(is_null) => other.ty.clone(),
                    (_, Type::Void) if is_null(&other) => then_ty.clone(),
                    (Type::Void, _) => then_ty.clone(),
                    (_, Type::Void) => other.ty.clone(),
                    _ => {
                        let mut both = (**left).clone();
                        both.constant |= right.constant;
                        both.volatile |= right.volatile;
                        pointer_to(both)
                    }
                }
            }
            (Type::Pointer(_), ty) if ty.is_integer() => then_ty.clone(),
            (ty, Type::Pointer(_)) if ty.is_integer() => other.ty.clone(),
            (left, right) => {
                let (left, right) = (self.show(left), self.show(right));
                return self.error(span, format!("the branches, `{left}` and `{right}`, have no common type"));
            }
        };
        let mut branch = |branch| if ty.is_scalar() { self.cast(branch, &ty) } else { branch };
        let (then, other) = (then.map(|then| Box::new(branch(then))), Box::new(branch(other)));
        Ok(Expr { kind: ExprKind::Conditional(Box::new(test), then, other), ty, span })
    }

    pub(super) fn assign(&mut self, place: Place, value: Expr, span: Span) -> Check<Expr> {
        self.forget_literal(&place)?;
        self.check_writable(&place, span)?;
        let ty = place.ty.ty.clone();
        let value = self.converted(value, &ty, span)?;
        Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
    }

    fn check_writable(&mut self, place: &Place, span: Span) -> Check<()> {
        self.reject_if(matches!(place.ty.ty, Type::Array(..)), span, "an array cannot be assigned as a whole")?;
        self.reject_if(place.ty.constant, span, "this is `const` and cannot be changed")
    }

    /// `place op= value`.
    pub(super) fn update(
        &mut self,
        place: Place,
        op: BinaryOp,
        by: Expr,
        order: UpdateValue,
        span: Span,
    ) -> Check<Expr> {
        self.forget_literal(&place)?;
        self.check_writable(&place, span)?;
        let ty = place.ty.ty.clone();
        let (value, pointer_size) = if ty.is_pointer() {
            let is_move = matches!(op, BinaryOp::Add | BinaryOp::Subtract) && by.ty.is_integer();
            self.reject_if(!is_move, span, "a pointer can only be moved by an integer")?;
            let (count, size) = self.steps(&ty, by, span)?;
            (count, Some(size))
        } else {
            self.check_operands(op, &ty, &by.ty, span)?;
            // What the place holds, only for its type after promotion.
            let held = convert::promoted_bits(self.bit_width(&place), &ty);
            let value = self.promoted(by);
            let wide = match op {
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => held,
                _ => types::common(&held, &value.ty),
            };
            (self.cast(value, &wide), None)
        };
        let kind = ExprKind::Update { place: Box::new(place), op, value: Box::new(value), pointer_size, order };
        Ok(Expr { kind, ty, span })
    }

    /// `_Generic`: the case whose type fits, the others are not even looked at.
    pub(super) fn selected(
        &mut self,
        subject: Written<'t>,
        cases: &'t [(Option<syntax::TypeName<'t>>, syntax::Expr<'t>)],
        span: Span,
    ) -> Check<Written<'t>> {
        let subject = Self::value_of(self.unevaluated(subject)?);
        for (name, value) in cases {
            if let Some(name) = name {
                let ty = self.type_name(name)?;
                let is_unqualified = !ty.constant && !ty.volatile && !ty.atomic;
                if is_unqualified && compatible(&subject.ty, &ty.ty) {
                    return Ok(value);
                }
            }
        }
        match cases.iter().rfind(|(name, _)| name.is_none()) {
            Some((_, value)) => Ok(value),
            None => self.error(span, format!("no case fits `{}`", self.show(&subject.ty))),
        }
    }
}
