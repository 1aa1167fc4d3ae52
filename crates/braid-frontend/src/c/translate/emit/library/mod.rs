//! The primitives of the C library: what is about memory and control, and cannot be said in C. Arguments are evaluated once.

mod allocation;
mod joinable;
mod memory;
mod threads;
mod verifier;

pub use joinable::Joinable;

use crate::c::primitives::{Primitive, primitive};
use crate::c::translate::{Ints, Met, ObjectKind, Result, Scalar, Target, Translator, Value, reject, walk};
use crate::c::tree::{BinaryOp, Expr, ExprKind, Function};
use braid_program::ast::{self, Check};

/// A call of a primitive.
#[derive(Clone, Copy)]
pub struct LibraryCall<'a> {
    pub name: &'a str,
    pub expr: &'a Expr,
    pub arguments: &'a [Expr],
}

/// The primitive that a function is.
pub fn primitive_of(function: &Function) -> Option<Primitive> {
    primitive(&function.name, function.body.is_some())
}

impl Translator<'_, '_> {
    /// A call of a function that has no body, or whose body does not count.
    pub(crate) fn library(&mut self, name: &str, expr: &Expr, arguments: &[Expr]) -> Result<Vec<Value>> {
        let call = LibraryCall { name, expr, arguments };
        let Some(primitive) = primitive(name, false) else { return self.unknown(call) };
        match (primitive, arguments) {
            (Primitive::Start, [handle, start, argument]) => self.start(call, [handle, start, argument]),
            (Primitive::Join, [handle]) => self.join(handle, call),
            (Primitive::ExitThread, [value]) => self.exit_call(value, call),
            (Primitive::Identity, []) => {
                let scalar = self.scalar(&expr.ty).unwrap_or(Scalar::INT);
                let identity = self.identity(expr.span);
                Ok(vec![self.of_integer(identity, scalar, expr.span)])
            }
            (Primitive::Allocate(_), _) => self.allocate(call),
            (Primitive::Free, [pointer]) => self.free(pointer, expr.span).map(|()| Vec::new()),
            (Primitive::BlockSize, [pointer]) => self.block_size(pointer, call),
            (Primitive::IsLiteral, [pointer]) => {
                let targets = self.points.targets(pointer);
                let is_literal =
                    |target: &Target| matches!(self.points.objects.get(target.object).kind, ObjectKind::String(_));
                let leads_to_literals = !targets.is_empty() && targets.iter().all(is_literal);
                Ok(self.gives(call, i64::from(leads_to_literals)))
            }
            (Primitive::IsNumber, [pointer]) => {
                let is_number = self.arguments_are_numbers && self.points.leads_to_arguments(pointer);
                Ok(self.gives(call, i64::from(is_number)))
            }
            (Primitive::Stays, [pointer, size]) => self.stays(pointer, size, call),
            (Primitive::Fill, [to, byte, size]) => self.fill_call([to, byte, size], expr.span),
            (Primitive::Copy, [to, from, size]) => self.copy_call(call, [to, from, size]),
            (Primitive::Wrapping(op), [a, b]) => self.wrapping(op, a, b),
            (Primitive::Float(op), _) => self.float_call(Some(op), call),
            (Primitive::CopySign, _) => self.float_call(None, call),
            (Primitive::SameBits, [a, b]) => self.same_bits(a, b, call).map(|same| vec![same]),
            (Primitive::Wanted, []) => {
                let wanted = self.frame.expansion.as_ref().is_some_and(|expansion| expansion.wanted);
                Ok(self.gives(call, i64::from(wanted)))
            }
            (Primitive::Inexact, _) if !self.options.defined => Ok(self.gives(call, 0)),
            (Primitive::Unsupported | Primitive::Inexact, _) => {
                let span = self.frame.expansion.as_ref().map_or(expr.span, |expansion| expansion.span);
                let what = match arguments.first().map(|argument| &walk::uncast(argument).kind) {
                    Some(ExprKind::String(id)) => {
                        String::from_utf8_lossy(&self.unit.strings[*id as usize]).into_owned()
                    }
                    _ => "this".to_owned(),
                };
                self.emit(ast::StmtKind::Unmodelled(format!("{what} is not supported")), span);
                self.any_result(call)
            }
            (Primitive::Races, []) => Ok(self.gives(call, i64::from(self.watches()))),
            (Primitive::Reads, []) => Ok(self.gives(call, i64::from(self.watches() || self.checks(Check::Deref)))),
            (Primitive::Definedness, []) => Ok(self.gives(call, i64::from(self.checks(Check::Undefined)))),
            (Primitive::Detach, [handle]) => self.detach(handle, call),
            _ => self.verifier_call(primitive, call),
        }
    }

    /// Atomic arithmetic wraps around, signed or not; pointers are moved by bytes.
    fn wrapping(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Vec<Value>> {
        let span = a.span;
        let Some(scalar) = self.scalar(&a.ty).filter(|scalar| !scalar.is_float()) else {
            return reject(span, "arithmetic on something that is no integer and no address");
        };
        let from = self.scalar(&b.ty).unwrap_or(scalar);
        let (left, right) = self.both(a, b)?;
        let right = self.ints.convert(from, scalar, right, span);
        let Scalar::Int { bits, signed } = scalar else {
            return Ok(vec![self.exact(op, scalar, left, right, span)?]);
        };
        // One correction on the signed values is simpler than two conversions.
        let math = self.ints == Ints::Math;
        let (bits, signed) = if math && signed { (bits + 1, true) } else { (bits, false) };
        let within = Scalar::Int { bits, signed };
        let [left, right] = [left, right].map(|value| self.ints.convert(scalar, within, value, span));
        let sum = self.exact(op, within, left, right, span)?;
        Ok(vec![self.ints.convert(within, scalar, sum, span)])
    }

    /// A number as the call's result; nothing if it has none.
    fn gives(&self, call: LibraryCall<'_>, number: i64) -> Vec<Value> {
        let scalar = self.scalar(&call.expr.ty);
        scalar.map(|scalar| self.number(scalar, number, call.expr.span)).into_iter().collect()
    }
}

/// Does the evaluation of an expression do anything?
pub fn has_effects(expr: &Expr) -> bool {
    let is_change = |kind: &ExprKind| matches!(kind, ExprKind::Assign(..) | ExprKind::Update { .. });
    let runs = |kind: &ExprKind| matches!(kind, ExprKind::Call(..) | ExprKind::Statements(_) | ExprKind::Literal(..));
    Met::Expr(expr).any(&|met| matches!(met, Met::Expr(expr) if is_change(&expr.kind) || runs(&expr.kind)))
}
