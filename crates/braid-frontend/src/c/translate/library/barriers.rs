//! Barriers: all wait until enough have come. A barrier knows how many it waits for, how many are there, and how often it has opened.

use super::LibraryCall;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::{Result, Translator, build, reject};
use braid_program::ast::StmtKind;

/// Where a barrier keeps how many have come, and how often it has opened.
const ARRIVED: u64 = 4;
const ROUND: u64 = 8;

impl Translator<'_, '_> {
    pub(super) fn barrier_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        let span = call.expr.span;
        match (call.name, call.arguments) {
            ("pthread_barrier_init", [barrier, attributes, count]) => {
                self.evaluate(std::slice::from_ref(attributes))?;
                let from = self.scalar(&count.ty).unwrap_or(Scalar::INT);
                let value = self.value(count)?;
                let value = self.ints.convert(from, Scalar::INT, value, span);
                let value = self.settled(value, span);
                let place = self.library_object(barrier)?;
                self.store(&place, Scalar::INT, value, span)?;
                self.set(&place.part(ARRIVED, Vec::new(), None), 0, span)?;
                self.set(&place.part(ROUND, Vec::new(), None), 0, span)?;
            }
            ("pthread_barrier_wait", [barrier]) => {
                // One of those that waited is told so, and it is open which.
                if self.wanted {
                    return reject(span, "the result of `pthread_barrier_wait` is not supported");
                }
                let place = self.library_object(barrier)?;
                let (arrived_at, round_at) =
                    (place.part(ARRIVED, Vec::new(), None), place.part(ROUND, Vec::new(), None));
                let mine = self.temporary(self.ints.ty(Scalar::INT), span);
                self.atomically(span, |t| {
                    let round = t.load(&round_at, Scalar::INT, span)?;
                    t.assign(mine, round.expr.clone(), span);
                    let arrived = t.load(&arrived_at, Scalar::INT, span)?;
                    let count = t.load(&place, Scalar::INT, span)?;
                    t.add(&arrived_at, arrived.clone(), 1, span)?;
                    let all = build::eq(t.load(&arrived_at, Scalar::INT, span)?.expr, count.expr, span);
                    let (open, ()) = t.apart(|t| {
                        t.set(&arrived_at, 0, span)?;
                        t.add(&round_at, round, 1, span)
                    })?;
                    t.branch(all, open, Vec::new(), span);
                    Ok(())
                })?;
                let round = self.load(&round_at, Scalar::INT, span)?;
                let mine = self.var(mine, span);
                let opened = self.differs(round.expr, mine, span);
                self.emit(StmtKind::Assume(opened), span);
            }
            ("pthread_barrier_destroy" | "pthread_barrierattr_init" | "pthread_barrierattr_destroy", arguments) => {
                self.evaluate(arguments)?;
            }
            _ => return Ok(None),
        }
        Ok(Some(self.gives(call, 0)))
    }
}
