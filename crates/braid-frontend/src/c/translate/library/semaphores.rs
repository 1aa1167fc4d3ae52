//! Semaphores: a number that is never negative.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator};
use crate::c::tree::{CompareOp, Type};
use braid_program::ast::StmtKind;

impl Translator<'_, '_> {
    pub(super) fn semaphore_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("sem_init", [semaphore, shared, initial]) => {
                self.discard(shared)?;
                let from = self.scalar(&initial.ty).unwrap_or(Scalar::INT);
                let value = self.value(initial)?;
                let value = self.ints.convert(from, Scalar::INT, value, span);
                let value = self.settled(value, span);
                let place = self.library_object(semaphore)?;
                self.store(&place, Scalar::INT, value, span)?;
            }
            ("sem_wait", [semaphore]) => {
                let place = self.library_object(semaphore)?;
                self.atomically(span, |t| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    let available = t.is(&state, CompareOp::Greater, 0, span);
                    t.emit(StmtKind::Assume(available), span);
                    t.add(&place, state, -1, span)
                })?;
            }
            ("sem_post", [semaphore]) => {
                let place = self.library_object(semaphore)?;
                self.atomically(span, |t| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    t.add(&place, state, 1, span)
                })?;
            }
            ("sem_trywait", [semaphore]) => {
                let place = self.library_object(semaphore)?;
                let values = self.step_with_result(span, |t, result| {
                    let state = t.load(&place, Scalar::INT, span)?;
                    let available = t.is(&state, CompareOp::Greater, 0, span);
                    let yes = t.way((result, 0), span, |t| t.add(&place, state, -1, span))?;
                    let no = t.way((result, -1), span, |_| Ok(()))?;
                    t.branch(available, yes, no, span);
                    Ok(())
                })?;
                return Ok(Some(values));
            }
            ("sem_getvalue", [semaphore, to]) => {
                let place = self.library_object(semaphore)?;
                let value = self.load(&place, Scalar::INT, span)?;
                let value = self.settled(value, span);
                let int = Type::Int { bits: 32, signed: true, rank: 3 };
                let target = self.target(to, &int)?;
                self.store(&target, Scalar::INT, value, span)?;
            }
            ("sem_destroy" | "sem_close" | "sem_unlink", _) => {}
            _ => return Ok(None),
        }
        Ok(Some(self.gives(call, 0)))
    }
}
