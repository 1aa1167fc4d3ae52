//! Calls of the library: the body of the prelude's function stands where it is called.
//!
//! Arguments are evaluated once, from left to right, before the body. A parameter that the body does not change is *bound*: to the place
//! whose address the argument is, or to its value. So `&m[i]` stays an element of an array by name, and what is known of an
//! argument is known in the body. All steps have the place of the call.

use crate::c::translate::{Base, Location, Met, ObjectKind, Result, Stop, Translator, Value, reject, uncast};
use crate::c::tree::{Expr, ExprKind, FunctionId, PlaceKind, Stmt, StmtKind, Type, VariableId};
use braid_program::ast::build;
use braid_program::ast::{self, LabelId, StmtKind as AstStmt, VarId};
use braid_program::source::Span;

/// What a parameter stands for.
#[derive(Clone, Debug)]
pub enum Bound {
    /// The address of a place of the type.
    Place(Location, Type),
    /// A value that does not change, and the thread whose handle it is, if that is known.
    Value(Value, Option<i64>),
}

/// The body that is being expanded.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The place of the call.
    pub span: Span,
    /// Is the call's value used?
    pub wanted: bool,
    results: Vec<VarId>,
    end: LabelId,
}

impl Translator<'_, '_> {
    /// Expands a call; gives the parts of its value.
    pub(crate) fn expand(&mut self, id: FunctionId, given: &[Expr], wanted: bool, span: Span) -> Result<Vec<Value>> {
        let unit = self.unit;
        let function = &unit.functions[id.index()];
        let Some(body) = &function.body else { return reject(span, "the function has no body") };
        let mut bound = Vec::new();
        for (number, argument) in given.iter().enumerate() {
            match function.parameters.get(number) {
                Some(&parameter) => bound.extend(self.bind(parameter, argument)?.map(|bound| (parameter, bound))),
                None => self.read_argument(argument)?,
            }
        }
        self.frame.bound.extend(bound);
        let span = self.frame.expansion.as_ref().map_or(span, |outer| outer.span);
        let expansion = Expansion { span, wanted, results: Vec::new(), end: self.label() };
        let outer = self.frame.expansion.replace(expansion);
        let jumps = std::mem::take(&mut self.frame.jumps);
        // What is not supported in the body is not supported in the call.
        let values = self.expanded(id, body, span).map_err(|stop| match stop {
            Stop::Rejected(mut error) if error.span.file >= unit.prelude => {
                error.span = span;
                error.message = format!("in a call of `{}`: {}", function.name, error.message);
                Stop::Rejected(error)
            }
            other => other,
        });
        self.frame.jumps = jumps;
        self.frame.expansion = outer;
        values
    }

    fn expanded(&mut self, id: FunctionId, body: &[Stmt], span: Span) -> Result<Vec<Value>> {
        // One `return` at the end needs no jump.
        if let Some((Stmt { kind: StmtKind::Return(value), .. }, rest)) = body.split_last()
            && !rest.iter().any(returns)
        {
            self.statements(rest)?;
            return value.as_ref().map_or(Ok(Vec::new()), |value| self.stable_values(value, span));
        }
        let scalars = self.scalars(&self.unit.functions[id.index()].ty.result, span)?;
        let results: Vec<VarId> = scalars.iter().map(|&scalar| self.temporary(self.ints.ty(scalar), span)).collect();
        if let Some(expansion) = &mut self.frame.expansion {
            expansion.results.clone_from(&results);
        }
        self.statements(body)?;
        if let Some(Expansion { end, .. }) = self.frame.expansion
            && body.iter().any(returns)
        {
            // A jump may come from anywhere.
            self.frame.constants.clear();
            self.emit(AstStmt::Label(end), span);
        }
        let values = results.into_iter().zip(scalars);
        Ok(values.map(|(id, scalar)| self.ints.any(scalar, self.var(id, span), false)).collect())
    }

    /// `return` in a body that is being expanded.
    pub(crate) fn leave_expansion(&mut self, value: Option<&Expr>, span: Span) -> Result<()> {
        let Some(Expansion { results, end, .. }) = self.frame.expansion.clone() else { return Ok(()) };
        let values = value.map_or(Ok(Vec::new()), |value| self.values(value))?;
        for (result, value) in results.into_iter().zip(values) {
            self.assign(result, value.expr, span);
        }
        self.emit(AstStmt::Goto(vec![end]), span);
        Ok(())
    }

    /// Evaluates an argument that no parameter takes.
    pub(crate) fn read_argument(&mut self, argument: &Expr) -> Result<()> {
        self.stable_values(argument, argument.span).map(drop)
    }

    /// Evaluates an argument; a parameter that the body changes is a variable, and gets the value.
    fn bind(&mut self, parameter: VariableId, argument: &Expr) -> Result<Option<Bound>> {
        let span = argument.span;
        let object = self.points.objects.of(ObjectKind::Variable(parameter));
        let Some(scalar) = self.scalar(&argument.ty) else {
            let values = self.record(argument)?;
            self.store_parts(&Location::object(object), &argument.ty, &values, span)?;
            return Ok(None);
        };
        if self.facts.written.contains(&parameter) || self.facts.addressed.contains(&parameter) {
            let value = self.stable(argument, span)?;
            self.store(&Location::object(object), scalar, value, span)?;
            self.frame.constants.remove(&parameter);
            return Ok(None);
        }
        match &uncast(argument).kind {
            ExprKind::AddressOf(_) | ExprKind::PointerAdd { .. } if scalar == self.pointer() => {
                if let Some((location, ty)) = self.pointed_at(argument)? {
                    return Ok(Some(Bound::Place(self.held(location, span), ty)));
                }
            }
            ExprKind::Load(place) => {
                match self.bound(uncast(argument)) {
                    Some(bound @ Bound::Place(..)) if scalar == self.pointer() => return Ok(Some(bound)),
                    Some(bound @ Bound::Value(..)) if self.scalar(&uncast(argument).ty) == Some(scalar) => {
                        return Ok(Some(bound));
                    }
                    Some(_) => return self.bound_value(argument),
                    None => {}
                }
                if !self.decisions.repeated_starts && matches!(uncast(argument).ty, Type::Int { .. } | Type::Pointer(_))
                {
                    let location = self.place(place)?;
                    let from = self.scalar(&place.ty.ty).unwrap_or(scalar);
                    if let Some(thread) = self.known_thread(&location, from, span)? {
                        // What is read is known, but reading it is an access.
                        if self.watches() {
                            self.load(&location, from, span)?;
                        }
                        return Ok(Some(Bound::Value(self.number(scalar, thread, span), Some(thread))));
                    }
                    let value = match self.known_variable(place) {
                        Some(known) => self.ints.constant(from, &known, span),
                        None => self.load(&location, from, span)?,
                    };
                    let value = self.settled(Value { reads: true, ..value }, span);
                    let value = self.ints.convert(from, scalar, value, span);
                    return Ok(Some(Bound::Value(value, None)));
                }
            }
            _ => {}
        }
        self.bound_value(argument)
    }

    /// The same place, whatever the body does to the variables that it was calculated from.
    fn held(&mut self, mut location: Location, span: Span) -> Location {
        let mut hold = |expr: &mut ast::Expr| {
            if build::numeral(expr).is_none() {
                let value = self.ints.any(self.pointer(), expr.clone(), true);
                *expr = self.settled(value, span).expr;
            }
        };
        if let Base::Pointer { address, .. } = &mut location.base {
            hold(address);
        }
        location.indices.iter_mut().for_each(|(index, _)| hold(index));
        location.limits.iter_mut().for_each(|(index, _)| hold(index));
        location
    }

    fn bound_value(&mut self, argument: &Expr) -> Result<Option<Bound>> {
        let value = self.value(argument)?;
        let value = self.kept(value, argument.span);
        Ok(Some(Bound::Value(value, None)))
    }

    /// What a parameter is bound to, if the expression is one.
    pub(crate) fn bound(&self, expr: &Expr) -> Option<Bound> {
        let ExprKind::Load(place) = &expr.kind else { return None };
        let PlaceKind::Variable(id) = place.kind else { return None };
        self.frame.bound.get(&id).cloned()
    }

    /// The place whose address an expression is, with its type: `&place`, or an array by name and an index.
    pub(crate) fn pointed_at(&mut self, pointer: &Expr) -> Result<Option<(Location, Type)>> {
        let inner = uncast(pointer);
        match &inner.kind {
            ExprKind::AddressOf(place) => return Ok(Some((self.place(place)?, place.ty.ty.clone()))),
            ExprKind::PointerAdd { pointer: array, count, size, negative: false } => {
                let Some(element) = self.element_type(array).filter(|ty| self.points.objects.layouts.size(ty) == *size)
                else {
                    return Ok(None);
                };
                let Some((location, found)) = self.pointed_at(array)? else { return Ok(None) };
                let index = self.index(count)?;
                return Ok(Some((location.indexed(index, *size, &found), element)));
            }
            _ => {}
        }
        Ok(match self.bound(inner) {
            Some(Bound::Place(location, ty)) => Some((location, ty)),
            _ => None,
        })
    }
}

fn returns(stmt: &Stmt) -> bool {
    Met::Stmt(stmt).any(&|met| matches!(met, Met::Stmt(Stmt { kind: StmtKind::Return(_), .. })))
}
