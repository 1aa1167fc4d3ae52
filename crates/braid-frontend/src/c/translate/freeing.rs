//! Freeing memory, where data races are checked: it is a write to all cells of the block.
//!
//! A thread that frees announces the block, and every access to memory that can be in it asserts that it is not. One marker serves
//! all blocks of an allocation; the argument is that of `races`. Accesses need no marker for it: of two that can
//! happen at the same time, the one that frees can come first.

use super::build::{self, and, eq, not};
use super::objects::{ObjectId, ObjectKind};
use super::place::Location;
use super::{Result, Translator, reject};
use crate::c::tree;
use braid_program::ast::{Expr, Stmt, StmtKind, Storage, Type, VarId};
use braid_program::source::Span;

/// The variables that announce a block of an allocation.
#[derive(Clone, Copy, Debug)]
pub struct Freeing {
    /// Is a block being freed?
    pub active: VarId,
    /// Its address; none where the allocation makes one block only.
    start: Option<VarId>,
}

impl Translator<'_, '_> {
    /// `free`.
    pub(super) fn free(&mut self, pointer: &tree::Expr, span: Span) -> Result<()> {
        if !self.watches() {
            return self.discard(pointer);
        }
        let value = self.value(pointer)?;
        let address = self.settled(value, pointer.span).expr;
        let mut blocks: Vec<ObjectId> = self.points.targets(pointer).iter().map(|target| target.object).collect();
        blocks.dedup();
        blocks.retain(|&object| {
            let object = self.points.objects.get(object);
            matches!(object.kind, ObjectKind::Heap(_)) && !object.leaves.is_empty()
        });
        if blocks.is_empty() {
            return Ok(());
        }
        if self.frame.atomic > 0 {
            return reject(span, "data races on memory that an atomic section frees are not checked");
        }
        let (mut free, mut announced, mut ends) = (Expr::bool(true, span), Vec::new(), Vec::new());
        for &object in &blocks {
            self.learned.freed.insert(self.points.objects.get(object).kind);
            let again = self.in_freed_block(object, &address, blocks.len() > 1, span)?;
            free = and(free, not(again, span), span);
            let freeing = self.freeing(object, span);
            announced.push((freeing.active, self.is_block_of(object, &address, span)?));
            announced.extend(freeing.start.map(|start| (start, address.clone())));
            ends.push((freeing.active, Expr::bool(false, span)));
        }
        let stmts = [StmtKind::Assert(free), StmtKind::Assign(announced)].map(|kind| Stmt { kind, span });
        self.emit(StmtKind::Atomic(Box::new(Stmt { kind: StmtKind::Seq(stmts.into()), span })), span);
        self.emit(StmtKind::Assign(ends), span);
        Ok(())
    }

    /// The formula that the place is in no block that is being freed; none where that cannot be.
    pub(super) fn not_freed(&mut self, location: &Location, span: Span) -> Result<Option<Expr>> {
        let mut objects = location.objects();
        let alone = objects.len() == 1;
        objects.retain(|&object| self.decisions.freed.contains(&self.points.objects.get(object).kind));
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
        let freeing = self.freeing(object, span);
        let active = self.var(freeing.active, span);
        let number = |t: &Self, n: i64| t.number(t.pointer(), n, span).expr;
        let (start, end) = match freeing.start {
            None if !elsewhere => return Ok(active),
            None => {
                let size = self.points.objects.get(object).size;
                let base = self.base(object, span)?;
                (base.clone(), self.sum(base, number(self, size as i64), span))
            }
            Some(start) => {
                let start = self.var(start, span);
                let end = match self.points.objects.get(object).bytes {
                    Some(bytes) => self.sum(start.clone(), number(self, bytes as i64), span),
                    None => {
                        let ends = self.block_ends(object, span);
                        build::select(self.var(ends, span), start.clone(), span)
                    }
                };
                (start, end)
            }
        };
        let compare = |op, a, b| self.ints.compare(op, self.pointer(), a, b, span);
        let above = compare(tree::CompareOp::LessEqual, start, address.clone());
        let below = compare(tree::CompareOp::Less, address.clone(), end);
        Ok(and(active, and(above, below, span), span))
    }

    /// Is an address that of a block of this allocation, rather than null or another's?
    fn is_block_of(&mut self, object: ObjectId, address: &Expr, span: Span) -> Result<Expr> {
        if !self.points.objects.get(object).many {
            let base = self.address(object, span)?;
            return Ok(eq(address.clone(), base, span));
        }
        let (base, end) = self.region(object, span)?;
        let number = |n: i64| self.fixed(n, span);
        let compare = |op, a, b| self.ints.compare(op, self.pointer(), a, b, span);
        let above = compare(tree::CompareOp::LessEqual, number(base), address.clone());
        Ok(and(above, compare(tree::CompareOp::Less, address.clone(), number(end)), span))
    }

    fn freeing(&mut self, object: ObjectId, span: Span) -> Freeing {
        if let Some(&freeing) = self.cells.freeing.get(&object) {
            return freeing;
        }
        let name = format!("heap{}.freeing", object.0);
        let active = self.declare(name.clone(), Type::Bool, Storage::Global, span);
        let many = self.points.objects.get(object).many;
        let ty = self.ints.ty(self.pointer());
        let start = many.then(|| self.declare(format!("{name}.at"), ty, Storage::Global, span));
        let freeing = Freeing { active, start };
        self.cells.freeing.insert(object, freeing);
        freeing
    }

    /// The ends of the blocks of an allocation whose size is not constant, by address.
    pub(super) fn block_ends(&mut self, object: ObjectId, span: Span) -> VarId {
        if let Some(&ends) = self.cells.block_ends.get(&object) {
            return ends;
        }
        let address = || Box::new(self.ints.ty(self.pointer()));
        let ty = Type::Array(address(), address());
        let ends = self.declare(format!("heap{}.end", object.0), ty, Storage::Global, span);
        self.cells.block_ends.insert(object, ends);
        ends
    }

    /// Must an allocation note where its blocks end?
    pub(super) fn notes_ends(&self, object: ObjectId) -> bool {
        let object = self.points.objects.get(object);
        self.decisions.freed.contains(&object.kind) && object.many && object.bytes.is_none()
    }
}
