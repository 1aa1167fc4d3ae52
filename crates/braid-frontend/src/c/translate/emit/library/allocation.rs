//! Memory from the heap. Allocation succeeds. Freed blocks come back where that can be noticed.

use super::LibraryCall;
use crate::c::translate::{
    BYTE, Extra, Ints, Leaf, Location, MOST_ELEMENTS, ObjectId, ObjectKind, Result, Scalar, Translator, Value,
    element_offsets, reject, site,
};
use crate::c::tree::Expr;
use braid_program::ast::{Check, Expr as AstExpr, Stmt, StmtKind, Type, VarId, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// Allocation succeeds, unless it may fail: then the arguments are evaluated, and there is no block.
    pub(crate) fn allocate(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let object = self.points.objects.of(ObjectKind::Heap(site(call.expr)));
        if !self.options.malloc_may_fail || self.is_automatic(object) {
            return self.succeeding(call);
        }
        let address = self.temporary(self.ints.ty(self.pointer()), span);
        let (mut succeeds, values) = self.apart(|t| t.succeeding(call))?;
        let own = values.into_iter().next().map_or_else(|| self.fixed(0, span), |value| value.expr);
        let stmt = |value| Stmt { kind: StmtKind::Assign(vec![(address, value)]), span };
        succeeds.push(stmt(own));
        let (mut fails, ()) = self.apart(|t| t.evaluate(call.arguments))?;
        fails.push(stmt(self.fixed(0, span)));
        // The compiled program can be made to do the same: the name says what is chosen, and of a number an execution keeps whether
        // it was 0.
        let choice = self.local("alloc?".to_owned(), self.ints.ty(self.pointer()), span);
        self.emit(StmtKind::Havoc(vec![choice]), span);
        let choice = build::eq(self.var(choice, span), self.fixed(0, span), span);
        self.branch(choice, succeeds, fails, span);
        let address = self.var(address, span);
        Ok(vec![self.ints.any(self.pointer(), address, false)])
    }

    fn succeeding(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let (span, arguments) = (call.expr.span, call.arguments);
        let object = self.points.objects.of(ObjectKind::Heap(site(call.expr)));
        let described = self.points.objects.get(object).clone();
        let freed = |pair: &[ObjectKind; 2]| pair.iter().any(|kind| self.observed.freed.contains(kind));
        let elsewhere = |pair: &[ObjectKind; 2]| pair.contains(&described.kind) && freed(pair);
        if let Some((_, at)) = self.observed.elsewhere.iter().find(|(pair, _)| elsewhere(pair)) {
            let what = "comparing addresses of two allocations as numbers, where freed blocks could come back";
            return reject(*at, what);
        }
        if !described.many {
            self.evaluate(arguments)?;
            self.count_block(object, None, span);
            if described.zeroed {
                let zero = self.number(BYTE, 0, span);
                self.set_element(&Location::object(object), &described.ty, &zero, span)?;
            }
            return Ok(vec![self.address_value(&Location::object(object), self.pointer(), span)?]);
        }
        let mut bytes = self.fixed(1, span);
        let size_arguments = if call.name == "calloc" { arguments } else { &arguments[..arguments.len().min(1)] };
        for argument in size_arguments {
            let value = self.stable(argument, span)?;
            let from = self.scalar(&argument.ty).unwrap_or(self.pointer());
            let factor = self.ints.convert(from, self.pointer(), value, span);
            let product = self.ints.any(self.pointer(), bytes, false);
            bytes = self.exact(crate::c::tree::BinaryOp::Multiply, self.pointer(), product, factor, span)?.expr;
        }
        self.evaluate(&arguments[size_arguments.len()..])?;
        let address = self.temporary(self.ints.ty(self.pointer()), span);
        self.atomically(span, |t| {
            t.count_block(object, None, span);
            let (fresh, ()) = t.apart(|t| t.take_fresh(object, address, &bytes, span))?;
            if !t.is_reused(object) {
                t.out.extend(fresh);
                return Ok(());
            }
            let (again, ()) = t.apart(|t| t.take_freed(object, address, &bytes, span))?;
            let choice = t.temporary(Type::Bool, span);
            t.emit(StmtKind::Havoc(vec![choice]), span);
            let choice = t.var(choice, span);
            t.branch(choice, again, fresh, span);
            Ok(())
        })?;
        let address = self.var(address, span);
        let clean = (0..described.leaves.len()).all(|leaf| self.starts_zeroed((described.kind, leaf)));
        if described.zeroed && (self.is_reused(object) || !clean) {
            let factors: Option<Vec<i64>> =
                size_arguments.iter().map(|size| self.points.objects.layouts.constant(size)).collect();
            let total = factors.and_then(|factors| factors.into_iter().try_fold(1i64, i64::checked_mul));
            let size = described.size as i64;
            match total {
                Some(total) if size > 0 && total % size == 0 => {
                    let target = Location::at(address.clone(), object);
                    let zero = self.number(BYTE, 0, span);
                    self.set_all(&target, &described.ty, &zero, total / size, span)?;
                }
                _ => return reject(span, "`calloc` of an unknown number of objects is not supported"),
            }
        }
        Ok(vec![self.ints.any(self.pointer(), address, false)])
    }

    /// How many bytes the block has that a pointer points to. It must be one.
    pub(crate) fn block_size(&mut self, pointer: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let address = self.stable(pointer, span)?.expr;
        let blocks = self.blocks_at(pointer);
        if self.requires(Check::Free) {
            let valid = self.is_null_or_block(&blocks, &address, span)?;
            self.require(Check::Free, valid, span);
        }
        let mut size = self.fixed(0, span);
        for (number, &object) in blocks.iter().enumerate() {
            let end = self.end_of(object, &address, span);
            let own = self.difference(&end, &address, span);
            size = if number == 0 {
                own
            } else {
                let is_own = self.is_block_of(object, &address, span)?;
                build::ite(is_own, own, size, span)
            };
        }
        let value = self.ints.any(self.pointer(), size, false);
        let to = self.scalar(&call.expr.ty).unwrap_or(self.pointer());
        Ok(vec![self.ints.convert(self.pointer(), to, value, span)])
    }

    /// Whether a block that gets another size stays where it is: either way, if anybody can tell. Its new end is noted then.
    pub(crate) fn stays(&mut self, pointer: &Expr, size: &Expr, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        let mut blocks = self.blocks_at(pointer);
        blocks.retain(|&object| self.may_stay(object));
        if blocks.is_empty() {
            return Ok(self.gives(call, 0));
        }
        let address = self.stable(pointer, span)?.expr;
        let from = self.scalar(&size.ty).unwrap_or(self.pointer());
        let bytes = self.stable(size, span)?;
        let bytes = self.ints.convert(from, self.pointer(), bytes, span).expr;
        let choice = self.temporary(Type::Bool, span);
        self.emit(StmtKind::Havoc(vec![choice]), span);
        let (noted, ()) = self.apart(|t| t.note_ends(&blocks, &address, &bytes, span))?;
        let choice = self.var(choice, span);
        self.branch(choice.clone(), noted, Vec::new(), span);
        let scalar = self.scalar(&call.expr.ty).unwrap_or(Scalar::INT);
        let [yes, no] = [1, 0].map(|number| self.number(scalar, number, span).expr);
        Ok(vec![self.ints.any(scalar, build::ite(choice, yes, no, span), false)])
    }

    /// A block of one of the allocations has another size from now on.
    fn note_ends(&mut self, blocks: &[ObjectId], address: &AstExpr, bytes: &AstExpr, span: Span) -> Result<()> {
        let (mut ends, mut known) = (Vec::new(), AstExpr::bool(false, span));
        for &object in blocks {
            let own = self.is_block_of(object, address, span)?;
            known = build::or(known, own.clone(), span);
            if let Some(most) = self.block_step(object) {
                self.assume(self.below(bytes.clone(), self.fixed(most, span), span), span);
            }
            let old = self.kept_of(object, Extra::Ends, span);
            let end = self.sum(address.clone(), bytes.clone(), span);
            let new = build::store(old.clone(), address.clone(), end, span);
            ends.push((self.extra(object, Extra::Ends, span), build::ite(own, new, old, span)));
        }
        self.assume(known, span);
        self.emit(StmtKind::Assign(ends), span);
        Ok(())
    }

    /// The allocations whose blocks a pointer can point to, without those that nobody may free.
    pub(crate) fn blocks_at(&self, pointer: &Expr) -> Vec<ObjectId> {
        let mut blocks = self.points.objects_at(pointer);
        blocks.retain(|&object| {
            let is_block = matches!(self.points.objects.get(object).kind, ObjectKind::Heap(_));
            is_block && self.frame_of(object).is_none()
        });
        blocks
    }

    /// A block that there was not before.
    fn take_fresh(&mut self, object: ObjectId, address: VarId, bytes: &AstExpr, span: Span) -> Result<()> {
        let mut next = self.kept_of(object, Extra::Frontier, span);
        if self.is_observed(object) {
            let chosen = self.temporary(self.ints.ty(self.pointer()), span);
            self.emit(StmtKind::Havoc(vec![chosen]), span);
            let (any, aligned) = self.aligned(chosen, self.alignment(object), span);
            let above = self.at_most(next, any.clone(), span);
            self.assume(build::and(above, aligned, span), span);
            next = any;
        }
        self.assign(address, next.clone(), span);
        self.note_call(object, address, span);
        let end = self.sum(next.clone(), bytes.clone(), span);
        if self.notes_ends(object) {
            let ends = self.kept_of(object, Extra::Ends, span);
            let noted = build::store(ends, self.var(address, span), end.clone(), span);
            let ends = self.extra(object, Extra::Ends, span);
            self.assign(ends, noted, span);
        }
        let step = self.block_step(object);
        if self.may_run_out(object) {
            let (first, last) = self.region(object, span)?;
            for (number, most) in [(bytes.clone(), step.unwrap_or(last - first)), (end.clone(), last - 16)] {
                self.assume(self.below(number, self.fixed(most, span), span), span);
            }
        }
        let behind = match step {
            Some(step) => self.displaced(next, step, &[], span),
            None => self.displaced(end, 16, &[], span),
        };
        let frontier = self.extra(object, Extra::Frontier, span);
        self.assign(frontier, behind, span);
        Ok(())
    }

    /// A block that was freed: its numbers are anything. Pointers in it, and what is in large blocks and in those of different
    /// sizes, stay: who follows such a pointer has undefined behaviour.
    fn take_freed(&mut self, object: ObjectId, address: VarId, bytes: &AstExpr, span: Span) -> Result<()> {
        self.choose_block(object, address, span)?;
        let start = self.var(address, span);
        let is_free = self.is_free(object, start.clone(), span);
        self.assume(is_free, span);
        let free = self.kept_of(object, Extra::Free, span);
        let taken = build::store(free, start.clone(), AstExpr::bool(false, span), span);
        let free = self.extra(object, Extra::Free, span);
        self.assign(free, taken, span);
        let described = self.points.objects.get(object).clone();
        let Some(size) = described.bytes else {
            let end = build::select(self.kept_of(object, Extra::Ends, span), start.clone(), span);
            let needed = self.sum(start, bytes.clone(), span);
            self.assume(self.at_most(needed, end, span), span);
            return Ok(());
        };
        for (number, leaf) in described.leaves.iter().enumerate() {
            let inner = Leaf { dimensions: leaf.dimensions[1..].to_vec(), ..leaf.clone() };
            let objects = (0..size / described.size.max(1)).map(|count| count * described.size);
            let offsets: Vec<u64> = objects.flat_map(|at| element_offsets(&inner).map(move |o| at + o)).collect();
            if offsets.len() as u64 > MOST_ELEMENTS || !matches!(leaf.scalar, Scalar::Int { .. } | Scalar::Bool) {
                continue;
            }
            self.havoc_at(object, number, &start, &offsets, span);
        }
        Ok(())
    }

    /// Any address at which a block may start. That there are finitely many is said where it can be.
    fn choose_block(&mut self, object: ObjectId, address: VarId, span: Span) -> Result<()> {
        let step = self.block_step(object).filter(|_| self.ints == Ints::Math && !self.is_observed(object));
        let Some(step) = step else {
            self.emit(StmtKind::Havoc(vec![address]), span);
            return Ok(());
        };
        let number = self.temporary(Type::Int, span);
        self.emit(StmtKind::Havoc(vec![number]), span);
        let number = self.var(number, span);
        self.assume(build::le(build::int(0, span), number.clone(), span), span);
        let base = self.base(object, span)?;
        let chosen = build::add(base, build::mul(build::int(step, span), number, span), span);
        let frontier = self.kept_of(object, Extra::Frontier, span);
        self.assume(build::lt(chosen.clone(), frontier, span), span);
        self.assign(address, chosen, span);
        Ok(())
    }
}
