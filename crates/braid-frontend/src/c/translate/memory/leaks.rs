//! Blocks that are left over when the program ends: of each allocation it is counted how many have not been freed.
//!
//! `valid-memcleanup` wants none of them. `valid-memtrack` allows those that static memory still leads to, through any number of
//! pointers; what is on stacks does not count any more. A block is surely lost if no pointer in static memory is into memory
//! from which it can be reached at all. It is surely not lost if it is the only one of its allocation, and such a pointer is one to it.
//! In between, static memory is searched (`tracing`); where it is not known what memory holds, the answer is open.

use crate::c::translate::{
    Extra, Leaf, Location, ObjectId, ObjectKind, Part, Result, Scalar, Stop, Translator, reject,
};
use crate::c::tree::{Storage, Type, VariableId};
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
        if self.counts_blocks() && !self.owed_blocks().is_empty() {
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

    /// What the program has to free.
    fn owed_blocks(&self) -> Vec<ObjectId> {
        let objects = (0..self.points.objects.list.len() as u32).map(ObjectId);
        let is_block = |id: &ObjectId| matches!(self.points.objects.get(*id).kind, ObjectKind::Heap(_));
        objects.filter(is_block).filter(|&id| !self.is_automatic(id)).collect()
    }

    fn check_blocks(&mut self, span: Span) -> Result<()> {
        let blocks = self.owed_blocks();
        let mut traced = Vec::new();
        for object in blocks {
            let none = self.none_left(object, span);
            let at = self.object_span(object);
            if self.checks(Check::Memcleanup) {
                self.assert(Check::Memcleanup, none.clone(), at);
            }
            if self.checks(Check::Memtrack) && !self.check_tracked(object, none, at)? {
                traced.push(object);
            }
        }
        if traced.is_empty() { Ok(()) } else { self.trace_blocks(&traced) }
    }

    /// No block of the allocation is left.
    pub(crate) fn none_left(&mut self, object: ObjectId, span: Span) -> Expr {
        eq(self.kept_of(object, Extra::Live, span), int(0, span), span)
    }

    /// Checks an allocation in one step, and is true; or is false where static memory must be searched.
    fn check_tracked(&mut self, object: ObjectId, none: Expr, span: Span) -> Result<bool> {
        let around = self.points.leading_to(object);
        let (pointers, in_threads) = self.static_pointers(&around, span)?;
        let is_one = !self.points.objects.get(object).many && around.len() == 1;
        let is_open = !is_one && !pointers.is_empty();
        if is_open && !in_threads && around.iter().all(|&object| self.is_traceable(object, &around)) {
            return Ok(false);
        }
        let mut reached = Expr::bool(false, span);
        for pointer in pointers {
            for &other in &around {
                reached = or(reached, self.is_inside(other, &pointer, 0, span)?, span);
            }
        }
        let fine = or(none.clone(), reached, span);
        if in_threads {
            // A pointer into one block says nothing of the others.
            let known = if is_one { fine } else { none };
            let message = "leaks of memory that thread-local variables point to are not checked";
            return self.leaves_open(known, message, span).map(|()| true);
        }
        self.assert(Check::Memtrack, fine, span);
        if is_open {
            self.leaves_open(none, "whether static memory leads to all blocks that are left", span)?;
        }
        Ok(true)
    }

    /// Nothing is said where a formula does not hold.
    fn leaves_open(&mut self, known: Expr, message: &str, span: Span) -> Result<()> {
        let (open, ()) = self.apart(|t| {
            t.emit(StmtKind::Unmodelled(message.to_owned()), span);
            Ok(())
        })?;
        self.branch(not(known, span), open, Vec::new(), span);
        Ok(())
    }

    /// The pointers in static memory that may be into one of some objects; and whether memory of threads holds such ones, too. All are read at once.
    pub(crate) fn static_pointers(&mut self, objects: &[ObjectId], span: Span) -> Result<(Vec<Expr>, bool)> {
        let (mut pointers, mut in_threads) = (Vec::new(), false);
        for number in 0..self.unit.variables.len() {
            let id = VariableId(number as u32);
            let variable = &self.unit.variables[number];
            if matches!(variable.storage, Storage::Local(_)) {
                continue;
            }
            let Some(holder) = self.points.objects.known(ObjectKind::Variable(id)) else { continue };
            let parts = self.leading_parts(holder, &variable.ty.ty, objects, span)?;
            if parts.is_empty() {
                continue;
            }
            if variable.storage == Storage::Thread && self.graph.has_threads {
                in_threads = true;
                continue;
            }
            if pointers.len() + parts.len() > MOST_POINTERS {
                return reject(span, "leaks of memory that large arrays point to are not checked");
            }
            for part in parts {
                let at = self.part_at(&part, &Location::object(holder), span);
                pointers.push(self.address_at_the_end(&at, part.scalar, span)?);
            }
        }
        Ok((pointers, in_threads))
    }

    /// The parts of a static variable that may hold a pointer into one of some objects.
    fn leading_parts(&self, holder: ObjectId, ty: &Type, objects: &[ObjectId], span: Span) -> Result<Vec<Part>> {
        let described = self.points.objects.get(holder);
        let leading = (0..described.leaves.len()).filter(|&leaf| self.leads_to(holder, leaf, objects));
        if described.in_bytes {
            let parts = if leading.count() > 0 { self.parts(ty, span)? } else { Vec::new() };
            return Ok(parts.into_iter().filter(|part| matches!(part.scalar, Scalar::Pointer(_))).collect());
        }
        let mut parts = Vec::new();
        for leaf in leading.map(|leaf| &described.leaves[leaf]) {
            if !self.holds_addresses(leaf) {
                return reject(span, "leaks of memory whose addresses are hidden in other values are not checked");
            }
            parts.extend(Part::all_of(leaf).take(MOST_POINTERS + 1));
        }
        Ok(parts)
    }

    /// May a leaf hold a pointer into one of some objects?
    pub(crate) fn leads_to(&self, holder: ObjectId, leaf: usize, objects: &[ObjectId]) -> bool {
        self.points.targets_of_leaf(holder, leaf).iter().any(|target| objects.contains(&target.object))
    }

    /// Is there room for an address in a leaf?
    pub(crate) fn holds_addresses(&self, leaf: &Leaf) -> bool {
        let is_number = matches!(leaf.scalar, Scalar::Pointer(_) | Scalar::Int { .. }) && leaf.bit_field.is_none();
        is_number && leaf.scalar.bits() == self.pointer().bits()
    }

    /// The address at a place when the program ends. Nobody reads it, so nothing is checked.
    pub(crate) fn address_at_the_end(&mut self, place: &Location, scalar: Scalar, span: Span) -> Result<Expr> {
        self.frame.atomic += 1;
        let value = self.load_defined(place, scalar, span);
        self.frame.atomic -= 1;
        Ok(self.ints.convert(scalar, self.pointer(), value?, span).expr)
    }
}
