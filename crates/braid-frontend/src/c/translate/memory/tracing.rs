//! Which blocks static memory leads to when the program ends: those that a walk along all pointers meets.
//!
//! The program itself takes the walk. It begins at the pointers in static memory, goes on along one pointer of each block that it
//! meets, and keeps the others on a stack. It counts the blocks of each allocation. If fewer are met than are left, some are lost.
//!
//! *The walk is about one moment*: it works on copies of memory that are made in one step, so what threads do meanwhile does not matter.

use crate::c::translate::{Extra, Location, ObjectId, Part, Result, Translator, block};
use braid_program::ast::build::{add, and, eq, int, lt, not, or, select, store, sub};
use braid_program::ast::{Check, Expr, Fold, Stmt, StmtKind, Storage, Type, VarId, fold_stmt};
use braid_program::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Pointers in a block beyond this are met in a loop.
const MOST_AT_ONCE: usize = 16;

/// The variables of a walk.
struct Walk {
    /// Where it is, and whether it goes on.
    cursor: VarId,
    goes_on: VarId,
    /// What is still to be looked at, and how many that are.
    stack: VarId,
    height: VarId,
    /// The allocations that it goes through.
    met: Vec<Met>,
}

/// What was met of an allocation: which blocks, and how many.
#[derive(Clone, Copy)]
struct Met {
    object: ObjectId,
    seen: VarId,
    count: VarId,
}

impl Translator<'_, '_> {
    /// Is it known where the blocks of an allocation are, and which pointers into some objects are in them?
    pub(crate) fn is_traceable(&self, object: ObjectId, objects: &[ObjectId]) -> bool {
        let described = self.points.objects.get(object);
        let has_blocks = !described.many || (!self.is_observed(object) && self.block_step(object).is_some());
        let is_known = |leaf: usize| {
            let part = &described.leaves[leaf];
            let inner = &part.dimensions[usize::from(described.many)..];
            let bounded = inner.iter().all(|dimension| dimension.count.is_some_and(|count| count > 0));
            bounded && self.holds_addresses(part) && part.overlaps.is_empty()
        };
        let mut leading = (0..described.leaves.len()).filter(|&leaf| self.leads_to(object, leaf, objects));
        has_blocks && !described.in_bytes && described.size > 0 && leading.all(is_known)
    }

    /// Checks allocations whose blocks are reached through other blocks.
    pub(crate) fn trace_blocks(&mut self, traced: &[ObjectId]) -> Result<()> {
        // No line of the program takes the walk.
        let span = Span::default();
        let around: BTreeSet<ObjectId> = traced.iter().flat_map(|&object| self.points.leading_to(object)).collect();
        let around: Vec<ObjectId> = around.into_iter().collect();
        let (stmts, ()) = self.apart(|t| {
            let walk = t.walk(&around, span);
            t.begin_walk(&walk, &around, span)?;
            t.take_walk(&walk, &around, span)?;
            for &Met { object, count, .. } in walk.met.iter().filter(|met| traced.contains(&met.object)) {
                let left = t.kept_of(object, Extra::Live, span);
                let all = eq(t.var(count, span), left, span);
                t.assert(Check::Memtrack, all, t.object_span(object));
            }
            Ok(())
        })?;
        let mut left = Expr::bool(false, span);
        for &object in traced {
            left = or(left, not(self.none_left(object, span), span), span);
        }
        let (stmts, ()) = self.apart(|t| {
            t.branch(left, stmts, Vec::new(), span);
            Ok(())
        })?;
        self.at_one_moment(stmts, span);
        Ok(())
    }

    fn walk(&mut self, around: &[ObjectId], span: Span) -> Walk {
        let address = self.ints.ty(self.pointer());
        let stack = Type::Array(Box::new(Type::Int), Box::new(address.clone()));
        let mut met = Vec::new();
        for &object in around {
            let many = self.points.objects.get(object).many;
            let seen = if many { self.by_address(Type::Bool) } else { Type::Bool };
            let seen = self.local(format!("heap{}.seen", object.0), seen, span);
            let count = self.local(format!("heap{}.met", object.0), Type::Int, span);
            met.push(Met { object, seen, count });
        }
        Walk {
            cursor: self.local("walk.at".into(), address, span),
            goes_on: self.local("walk.goes_on".into(), Type::Bool, span),
            stack: self.local("walk.stack".into(), stack, span),
            height: self.local("walk.height".into(), Type::Int, span),
            met,
        }
    }

    /// Nothing has been met yet, and the walk is at static memory.
    fn begin_walk(&mut self, walk: &Walk, around: &[ObjectId], span: Span) -> Result<()> {
        // What threads point to is not searched: allocations that they lead to are not here.
        let (mut pointers, _) = self.static_pointers(around, span)?;
        let mut first = Vec::new();
        for met in &walk.met {
            let no = Expr::bool(false, span);
            let is_one = self.variables[met.seen.index()].ty == Type::Bool;
            first.push((met.seen, if is_one { no } else { self.everywhere(met.seen, no, span) }));
            first.push((met.count, int(0, span)));
        }
        let cursor = pointers.pop().unwrap_or_else(|| self.fixed(0, span));
        first.extend([(walk.cursor, cursor), (walk.goes_on, Expr::bool(true, span))]);
        first.push((walk.height, int(0, span)));
        self.emit(StmtKind::Assign(first), span);
        pointers.into_iter().for_each(|pointer| self.push(walk, pointer, span));
        Ok(())
    }

    fn push(&mut self, walk: &Walk, pointer: Expr, span: Span) {
        let (stack, height) = (self.var(walk.stack, span), self.var(walk.height, span));
        let pushed = store(stack, height.clone(), pointer, span);
        let higher = add(height, int(1, span), span);
        self.emit(StmtKind::Assign(vec![(walk.stack, pushed), (walk.height, higher)]), span);
    }

    /// Meets all blocks.
    fn take_walk(&mut self, walk: &Walk, around: &[ObjectId], span: Span) -> Result<()> {
        let (stack, height) = (self.var(walk.stack, span), self.var(walk.height, span));
        let lower = sub(height.clone(), int(1, span), span);
        let popped = vec![(walk.cursor, select(stack, lower.clone(), span)), (walk.height, lower)];
        let assign = |pairs| vec![Stmt { kind: StmtKind::Assign(pairs), span }];
        let ends = assign(vec![(walk.goes_on, Expr::bool(false, span))]);
        let (mut round, ()) = self.apart(|t| {
            t.branch(lt(int(0, span), height, span), assign(popped), ends, span);
            Ok(())
        })?;
        for &met in walk.met.iter().rev() {
            let cursor = self.var(walk.cursor, span);
            let inside = self.is_inside(met.object, &cursor, 0, span)?;
            let (start, _) = self.extent(met.object, &cursor, span)?;
            let many = self.points.objects.get(met.object).many;
            let seen = self.var(met.seen, span);
            let is_new = not(if many { select(seen, start.clone(), span) } else { seen }, span);
            let (meets, ()) = self.apart(|t| t.meet(walk, met, start, around, span))?;
            let (choice, ()) = self.apart(|t| {
                t.branch(and(inside, is_new, span), meets, round, span);
                Ok(())
            })?;
            round = choice;
        }
        let goes_on = self.var(walk.goes_on, span);
        self.emit(StmtKind::While(goes_on, block(round, span)), span);
        Ok(())
    }

    /// Counts a block, and goes on along its pointers.
    fn meet(&mut self, walk: &Walk, met: Met, start: Expr, around: &[ObjectId], span: Span) -> Result<()> {
        let described = self.points.objects.get(met.object).clone();
        let (seen, count) = (self.var(met.seen, span), self.var(met.count, span));
        let yes = Expr::bool(true, span);
        let seen = if described.many { store(seen, start.clone(), yes, span) } else { yes };
        self.emit(StmtKind::Assign(vec![(met.seen, seen), (met.count, add(count, int(1, span), span))]), span);
        let null = self.fixed(0, span);
        let leading = (0..described.leaves.len()).filter(|&leaf| self.leads_to(met.object, leaf, around));
        // A pointer to blocks of the same kind comes last, so a list needs no stack.
        let (own, others): (Vec<usize>, Vec<usize>) =
            leading.partition(|&leaf| self.leads_to(met.object, leaf, &[met.object]));
        let mut parts = Vec::new();
        for leaf in others.into_iter().chain(own) {
            let mut leaf = described.leaves[leaf].clone();
            leaf.dimensions.drain(..usize::from(described.many));
            parts.extend(Part::all_of(&leaf));
        }
        if !described.many {
            return self.go_on(walk, &Location::object(met.object), &parts, span);
        }
        if parts.is_empty() {
            self.assign(walk.cursor, null, span);
            return Ok(());
        }
        let elements = described.bytes.map(|bytes| bytes.div_ceil(described.size) as usize);
        match elements {
            Some(1) => self.go_on(walk, &Location::at(start, met.object), &parts, span),
            Some(count @ 0..=MOST_AT_ONCE) if count * parts.len() <= MOST_AT_ONCE => {
                for number in 0..count {
                    let offset = (number as u64 * described.size) as i64;
                    let element = self.displaced(start.clone(), offset, &[], span);
                    self.push_all(walk, &Location::at(element, met.object), &parts, span)?;
                }
                self.assign(walk.cursor, null, span);
                Ok(())
            }
            _ => self.keep_elements(walk, met.object, start, &parts, span),
        }
    }

    fn push_all(&mut self, walk: &Walk, place: &Location, parts: &[Part], span: Span) -> Result<()> {
        for part in parts {
            let at = self.part_at(part, place, span);
            let pointer = self.address_at_the_end(&at, part.scalar, span)?;
            self.push(walk, pointer, span);
        }
        Ok(())
    }

    /// Goes on along the last pointer, and keeps the others.
    fn go_on(&mut self, walk: &Walk, place: &Location, parts: &[Part], span: Span) -> Result<()> {
        let next = match parts.split_last() {
            None => self.fixed(0, span),
            Some((last, others)) => {
                self.push_all(walk, place, others, span)?;
                let at = self.part_at(last, place, span);
                self.address_at_the_end(&at, last.scalar, span)?
            }
        };
        self.assign(walk.cursor, next, span);
        Ok(())
    }

    /// Keeps the pointers of all elements of a block.
    fn keep_elements(&mut self, walk: &Walk, object: ObjectId, start: Expr, parts: &[Part], span: Span) -> Result<()> {
        let size = self.points.objects.get(object).size as i64;
        let address = self.ints.ty(self.pointer());
        let (at, end) = (self.temporary(address.clone(), span), self.temporary(address, span));
        let last = self.end_of(object, &start, span);
        self.emit(StmtKind::Assign(vec![(at, start), (end, last)]), span);
        let element = self.var(at, span);
        let (mut round, ()) = self.apart(|t| t.push_all(walk, &Location::at(element.clone(), object), parts, span))?;
        let next = self.displaced(element.clone(), size, &[], span);
        round.push(Stmt { kind: StmtKind::Assign(vec![(at, next)]), span });
        let inside = self.below(element, self.var(end, span), span);
        self.emit(StmtKind::While(inside, block(round, span)), span);
        let null = self.fixed(0, span);
        self.assign(walk.cursor, null, span);
        Ok(())
    }

    /// Emits statements that read shared memory and write none, so that they see it as it is at one moment.
    fn at_one_moment(&mut self, stmts: Vec<Stmt>, span: Span) {
        if !self.graph.has_threads {
            self.out.extend(stmts);
            return;
        }
        let mut read = BTreeSet::new();
        for expr in stmts.iter().flat_map(Stmt::all).flat_map(Stmt::exprs) {
            expr.for_each_var(&mut |id| {
                if self.variables[id.index()].storage == Storage::Global {
                    read.insert(id);
                }
            });
        }
        let mut copies = Copies(FxHashMap::default());
        for &id in &read {
            let original = &self.variables[id.index()];
            let (name, ty) = (format!("{}.end", original.name), original.ty.clone());
            let copy = self.local(name, ty, span);
            copies.0.insert(id, copy);
        }
        let made = read.iter().map(|&id| (copies.0[&id], self.var(id, span))).collect();
        self.emit(StmtKind::Assign(made), span);
        self.out.extend(stmts.iter().map(|stmt| fold_stmt(&mut copies, stmt)));
    }
}

/// The variables that stand for others.
struct Copies(FxHashMap<VarId, VarId>);

impl Fold for Copies {
    fn var(&mut self, id: VarId) -> VarId {
        self.0.get(&id).copied().unwrap_or(id)
    }
}
