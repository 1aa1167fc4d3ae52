//! Thread-specific values: one array for all, by key and thread.

use super::LibraryCall;
use crate::c::primitives::KeyOperation;
use crate::c::translate::expand::Bound;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::{Expr as TreeExpr, Type};
use braid_program::ast::{self, Storage, VarId};
use braid_program::source::Span;

/// Threads have smaller numbers than this.
const STRIDE: i64 = 1 << 16;

/// Where the values of a key start.
pub fn key_base(key: i64) -> i64 {
    key * STRIDE
}

impl Translator<'_, '_> {
    pub(super) fn key_call(&mut self, operation: KeyOperation, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        match (operation, call.arguments) {
            (KeyOperation::Make, [key, destructor]) => {
                if self.frame.repeats || !self.graph.runs_once(self.frame.function) {
                    return reject(span, "a key for thread-specific values that is made more than once");
                }
                let ty = match (self.bound(uncast(key)), &uncast(key).ty) {
                    (Some(Bound::Place(_, ty)), _) => ty,
                    (_, Type::Pointer(pointee)) => pointee.ty.clone(),
                    _ => return reject(span, "the place of a key is not a pointer"),
                };
                let scalar = self.scalar(&ty).unwrap_or(Scalar::INT);
                let place = self.target(key, &ty)?;
                self.cells.keys += 1;
                let number = self.number(scalar, self.cells.keys, span);
                self.store(&place, scalar, number, span)?;
                let value = self.value(destructor)?;
                if !build::numeral(&value.expr).is_some_and(|value| value.is_zero()) {
                    match self.functions_of(destructor)?.0[..] {
                        [function] => self.learned.destructors.insert(self.cells.keys, function),
                        _ => return reject(span, "it is not known which destructor a key has"),
                    };
                }
            }
            (KeyOperation::Set, [key, value]) => {
                let index = self.specific_index(key, span)?;
                let from = self.scalar(&value.ty).unwrap_or(self.pointer());
                let value = self.value(value)?;
                let value = self.ints.convert(from, self.pointer(), value, span);
                let value = self.settled(value, span);
                let array = self.specific(span);
                let stored = build::store(self.var(array, span), index, value.expr, span);
                self.assign(array, stored, span);
            }
            (KeyOperation::Get, [key]) => {
                let index = self.specific_index(key, span)?;
                let array = self.specific(span);
                let expr = build::select(self.var(array, span), index, span);
                return Ok(vec![self.ints.any(self.pointer(), expr, false)]);
            }
            _ => return reject(span, "a key for thread-specific values with other arguments"),
        }
        Ok(self.gives(call, 0))
    }

    fn specific_index(&mut self, key: &TreeExpr, span: Span) -> Result<ast::Expr> {
        let value = self.value(key)?;
        let value = self.settled(value, span);
        let key = self.as_integer(value, span);
        let identity = self.identity(span);
        Ok(build::add(build::mul(key, build::int(STRIDE, span), span), identity, span))
    }

    pub(in crate::c::translate) fn specific(&mut self, span: Span) -> VarId {
        if let Some(array) = self.cells.specific {
            return array;
        }
        let ty = ast::Type::Array(Box::new(ast::Type::Int), Box::new(self.ints.ty(self.pointer())));
        let array = self.declare("specific".into(), ty, Storage::Global, span);
        self.cells.specific = Some(array);
        array
    }
}
