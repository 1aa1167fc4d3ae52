//! Blocks that are left over when the program ends: of each allocation it is counted how many have not been freed.
//!
//! `valid-memcleanup` wants none of them. `valid-memtrack` allows those that static memory still leads to, through any number of
//! pointers; what is on stacks does not count any more. A block is surely lost if no pointer in static memory is into memory
//! from which it can be reached at all. It is surely not lost if it is the only one of its allocation, and such a pointer is one to it.
//! In between the answer is open.

use crate::c::translate::{Extra, Location, ObjectId, ObjectKind, Result, Scalar, Stop, Translator, reject};
use crate::c::tree::{Storage, VariableId};
use braid_program::ast::build::{self, add, eq, int, not, or};
use braid_program::ast::{Check, Checks, Expr, StmtKind};
use braid_program::source::Span;

/// Pointers in static memory that are looked at; beyond this the answer is open.
const MOST_POINTERS: usize = 256;

impl Translator<'_, '_> {
    /// Does the memory go by itself when its function ends?
    pub(crate) fn is_automatic(&self, object: ObjectId) -> bool {
        let heap = self.points.objects.allocation(object);
        heap.is_some_and(|heap| heap.automatic)
    }

    fn counts_blocks(&self) -> bool {
        let leaks = Checks::of(Check::Memtrack).with(Check::Memcleanup);
        !self.options.checks.among(leaks).is_empty()
    }

    /// There is one block more, or one less if a formula holds.
    pub(crate) fn count_block(&mut self, object: ObjectId, freed: Option<Expr>, span: Span) {
        if !self.counts_blocks() {
            return;
        }
        let live = self.extra(object, Extra::Live, span);
        let now = self.var(live, span);
        let then = match freed {
            None => add(now, int(1, span), span),
            Some(freed) => build::ite(freed, build::sub(now.clone(), int(1, span), span), now, span),
        };
        self.assign(live, then, span);
    }

    /// The first thread ends, and others may go on.
    pub(crate) fn leaks_are_open(&mut self, span: Span) {
        if self.counts_blocks() {
            self.emit(StmtKind::Unmodelled("leaks of a program that goes on after main".to_owned()), span);
        }
    }

    /// The program ends here. What cannot be said about leaks leaves everything else as it is.
    pub(crate) fn check_leaks(&mut self, span: Span) -> Result<()> {
        if !self.counts_blocks() {
            return Ok(());
        }
        let emitted = self.out.len();
        match self.check_blocks(span) {
            Err(Stop::Rejected(error)) => {
                self.out.truncate(emitted);
                self.emit(StmtKind::Unmodelled(error.message), span);
                Ok(())
            }
            done => done,
        }
    }

    fn check_blocks(&mut self, span: Span) -> Result<()> {
        let objects = (0..self.points.objects.list.len() as u32).map(ObjectId);
        let is_block = |id: &ObjectId| matches!(self.points.objects.get(*id).kind, ObjectKind::Heap(_));
        let blocks: Vec<ObjectId> = objects.filter(is_block).filter(|&id| !self.is_automatic(id)).collect();
        for object in blocks {
            let none = eq(self.kept_of(object, Extra::Live, span), int(0, span), span);
            let at = self.object_span(object);
            if self.checks(Check::Memcleanup) {
                self.assert(Check::Memcleanup, none.clone(), at);
            }
            if self.checks(Check::Memtrack) {
                self.check_tracked(object, none, at)?;
            }
        }
        Ok(())
    }

    fn check_tracked(&mut self, object: ObjectId, none: Expr, span: Span) -> Result<()> {
        let around = self.points.leading_to(object);
        let mut reached = Expr::bool(false, span);
        for pointer in self.static_pointers(&around, span)? {
            for &other in &around {
                reached = or(reached, self.is_inside(other, &pointer, 0, span)?, span);
            }
        }
        let fine = or(none.clone(), reached, span);
        self.assert(Check::Memtrack, fine, span);
        if self.points.objects.get(object).many || around.len() > 1 {
            let (open, ()) = self.apart(|t| {
                let message = "whether static memory leads to all blocks that are left";
                t.emit(StmtKind::Unmodelled(message.to_owned()), span);
                Ok(())
            })?;
            self.branch(not(none, span), open, Vec::new(), span);
        }
        Ok(())
    }

    /// The pointers in static memory that may be into one of some objects.
    fn static_pointers(&mut self, objects: &[ObjectId], span: Span) -> Result<Vec<Expr>> {
        let mut pointers = Vec::new();
        for number in 0..self.unit.variables.len() {
            let id = VariableId(number as u32);
            let variable = &self.unit.variables[number];
            if matches!(variable.storage, Storage::Local(_)) {
                continue;
            }
            let Some(holder) = self.points.objects.known(ObjectKind::Variable(id)) else { continue };
            let leaves = self.points.objects.get(holder).leaves.len();
            let holds = |leaf| self.points.targets_of_leaf(holder, leaf).iter().any(|t| objects.contains(&t.object));
            if !(0..leaves).any(holds) {
                continue;
            }
            if variable.storage == Storage::Thread && self.graph.has_threads {
                return reject(span, "leaks of memory that thread-local variables point to are not checked");
            }
            for part in self.parts(&variable.ty.ty, span)? {
                if let Scalar::Pointer(_) = part.scalar {
                    let at = self.part_at(&part, &Location::object(holder), span);
                    let value = self.load(&at, part.scalar, span)?;
                    pointers.push(self.settled(value, span).expr);
                }
            }
            if pointers.len() > MOST_POINTERS {
                return reject(span, "leaks of memory that large arrays point to are not checked");
            }
        }
        Ok(pointers)
    }
}
