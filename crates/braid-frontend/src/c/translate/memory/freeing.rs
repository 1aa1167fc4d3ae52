//! Freeing memory, where data races are checked: it is a write to all cells of the block.
//!
//! A thread that frees announces the block, and every access to memory that can be in it asserts that it is not. One marker serves
//! all blocks of an allocation; the argument is that of `races`. Accesses need no marker for it: of two that can
//! happen at the same time, the one that frees can come first.

use crate::c::translate::{Extra, Location, Object, ObjectId, ObjectKind, Result, Translator, block, reject};
use crate::c::tree;
use braid_program::ast::build::{self, and, eq, not};
use braid_program::ast::{Check, Checks, Expr, Stmt, StmtKind, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// `free`.
    pub(crate) fn free(&mut self, pointer: &tree::Expr, span: Span) -> Result<()> {
        let mut blocks = self.blocks_at(pointer);
        if !self.watches() && !self.tracks_blocks() && !blocks.iter().any(|&object| self.is_reused(object)) {
            return self.discard(pointer);
        }
        let address = self.stable(pointer, pointer.span)?.expr;
        self.release(&blocks, &address, span)?;
        blocks.retain(|&object| !self.points.objects.get(object).leaves.is_empty());
        if !self.watches() || blocks.is_empty() {
            return Ok(());
        }
        if self.frame.atomic > 0 {
            return reject(span, "data races on memory that an atomic section frees are not checked");
        }
        let (mut free, mut announced, mut ends) = (Expr::bool(true, span), Vec::new(), Vec::new());
        for &object in &blocks {
            // The null pointer is in no block.
            let again = self.in_freed_block(object, &address, true, span)?;
            free = and(free, not(again, span), span);
            let (active, start) = self.freeing(object, span);
            announced.push((active, self.is_block_of(object, &address, span)?));
            announced.extend(start.map(|start| (start, address.clone())));
            ends.push((active, Expr::bool(false, span)));
        }
        let stmts = [StmtKind::Assert(Check::Race, free), StmtKind::Assign(announced)].map(|kind| Stmt { kind, span });
        self.emit(StmtKind::Atomic(block(stmts.into(), span)), span);
        self.emit(StmtKind::Assign(ends), span);
        Ok(())
    }

    /// The formula that the place is in no block that is being freed; none where that cannot be.
    pub(crate) fn not_freed(&mut self, location: &Location, span: Span) -> Result<Option<Expr>> {
        let mut objects = location.objects();
        let alone = objects.len() == 1;
        objects.retain(|&object| {
            let Object { kind, leaves, .. } = self.points.objects.get(object);
            let is_freed = matches!(kind, ObjectKind::Heap(_)) && self.observed.freed.contains(kind);
            is_freed && !leaves.is_empty() && self.watches()
        });
        if objects.is_empty() {
            return Ok(None);
        }
        let address = self.address_of(location, span)?;
        let mut formula = Expr::bool(true, span);
        for object in objects {
            let freed = self.in_freed_block(object, &address, !alone, span)?;
            formula = and(formula, not(freed, span), span);
        }
        Ok(Some(formula))
    }

    /// Is an address in the block of an allocation that is being freed? `elsewhere`: the address may be in other memory.
    fn in_freed_block(&mut self, object: ObjectId, address: &Expr, elsewhere: bool, span: Span) -> Result<Expr> {
        let (active, start) = self.freeing(object, span);
        let active = self.var(active, span);
        let start = match start {
            None if !elsewhere => return Ok(active),
            None => self.base(object, span)?,
            Some(start) => self.var(start, span),
        };
        let end = self.end_of(object, &start, span);
        Ok(and(active, self.between(address, start, end, span), span))
    }

    /// Is an address that of a block of this allocation, rather than null or another's?
    pub(crate) fn is_block_of(&mut self, object: ObjectId, address: &Expr, span: Span) -> Result<Expr> {
        if !self.points.objects.get(object).many {
            let base = self.address(object, span)?;
            return Ok(eq(address.clone(), base, span));
        }
        let (base, end) = self.region(object, span)?;
        Ok(self.between(address, self.fixed(base, span), self.fixed(end, span), span))
    }

    /// May a block come back from the allocation after it was freed? It matters only where addresses of blocks are compared.
    pub(crate) fn is_reused(&self, object: ObjectId) -> bool {
        let described = self.points.objects.get(object);
        let kind = &described.kind;
        described.many && !self.watches() && self.observed.freed.contains(kind) && self.observed.compared.contains(kind)
    }

    /// Does it matter where blocks begin and end, and which are free?
    pub(crate) fn tracks_blocks(&self) -> bool {
        self.requires(Check::Deref) || !self.options.checks.among(Checks::MEMORY).is_empty()
    }

    /// May a block of the allocation stay where it is when it gets another size? It matters only where addresses of blocks are compared.
    pub(crate) fn may_stay(&self, object: ObjectId) -> bool {
        let described = self.points.objects.get(object);
        described.many
            && described.bytes.is_none()
            && !self.watches()
            && self.observed.resized.contains(&described.kind)
            && self.observed.compared.contains(&described.kind)
    }

    /// Is it known which blocks of an allocation are free?
    fn keeps_free(&self, object: ObjectId) -> bool {
        let kind = &self.points.objects.get(object).kind;
        self.is_reused(object) || self.may_end(object) || (self.tracks_blocks() && self.observed.freed.contains(kind))
    }

    /// Is the block that starts at an address free?
    pub(crate) fn is_free(&mut self, object: ObjectId, start: Expr, span: Span) -> Expr {
        if !self.keeps_free(object) {
            return Expr::bool(false, span);
        }
        let free = self.kept_of(object, Extra::Free, span);
        if self.is_of_calls(object) {
            let call = build::select(self.kept_of(object, Extra::CallOf, span), start, span);
            return build::select(free, call, span);
        }
        let several = self.points.objects.get(object).many || self.is_numbered(object);
        if several { build::select(free, start, span) } else { free }
    }

    /// Is it null, or the address of a block that is not free?
    pub(crate) fn is_null_or_block(&mut self, blocks: &[ObjectId], address: &Expr, span: Span) -> Result<Expr> {
        let mut valid = eq(address.clone(), self.fixed(0, span), span);
        for &object in blocks {
            let own = self.is_block_of(object, address, span)?;
            let start = self.block_start(object, address, span)?.map(|start| eq(start, address.clone(), span));
            let live = not(self.is_free(object, address.clone(), span), span);
            let starts = start.unwrap_or(Expr::bool(true, span));
            valid = build::or(valid, and(own, and(starts, live, span), span), span);
        }
        Ok(valid)
    }

    /// Notes that a block is free; it must be one.
    fn release(&mut self, blocks: &[ObjectId], address: &Expr, span: Span) -> Result<()> {
        let valid = self.is_null_or_block(blocks, address, span)?;
        let mut released = Vec::new();
        for &object in blocks {
            if self.keeps_free(object) {
                let own = self.is_block_of(object, address, span)?;
                let old = self.kept_of(object, Extra::Free, span);
                let new = match self.points.objects.get(object).many {
                    true => build::store(old, address.clone(), own, span),
                    false => build::or(old, own, span),
                };
                released.push((self.extra(object, Extra::Free, span), new));
            }
        }
        let mut own: Vec<(ObjectId, Expr)> = Vec::new();
        for &object in blocks {
            own.push((object, self.is_block_of(object, address, span)?));
        }
        self.atomically(span, |t| {
            t.require(Check::Free, valid, span);
            own.into_iter().for_each(|(object, own)| t.count_block(object, Some(own), span));
            if !released.is_empty() {
                t.emit(StmtKind::Assign(released), span);
            }
            Ok(())
        })
    }

    /// The variables that announce a block: whether there is one, and which, where there are several.
    fn freeing(&mut self, object: ObjectId, span: Span) -> (VarId, Option<VarId>) {
        let active = self.extra(object, Extra::Freeing, span);
        let many = self.points.objects.get(object).many;
        (active, many.then(|| self.extra(object, Extra::FreeingAt, span)))
    }

    /// Must an allocation note where its blocks end?
    pub(crate) fn notes_ends(&self, object: ObjectId) -> bool {
        let object = self.points.objects.get(object);
        let needed = self.tracks_blocks()
            || self.observed.freed.contains(&object.kind)
            || self.observed.resized.contains(&object.kind);
        needed && object.many && object.bytes.is_none()
    }
}
