//! The lives of local variables, and of memory of `alloca`, that somebody may point to after their end. Each has a flag: is it over?
//!
//! A life begins where the declaration is passed, and ends on every way out of its block. A variable that is declared more than once
//! is another object each time, so that a pointer to that of an earlier round of a loop, or of an earlier call, leads to one whose
//! life is over. Memory of `alloca` lives as long as the call of the function that asked for it.

use crate::c::translate::{Extra, Met, ObjectId, ObjectKind, Result, Translator, scope_at};
use crate::c::tree::{FunctionId, Init, LabelId, Stmt, StmtKind, Storage, VariableId};
use braid_program::ast::{Expr, VarId, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// May the object be gone while somebody points to it?
    pub(crate) fn may_end(&self, object: ObjectId) -> bool {
        match self.points.objects.get(object).kind {
            kind @ (ObjectKind::Variable(_) | ObjectKind::Heap(_)) => self.outliving.contains(&kind),
            _ => false,
        }
    }

    /// The function whose call memory of `alloca` lives as long as.
    pub(crate) fn frame_of(&self, object: ObjectId) -> Option<FunctionId> {
        self.points.objects.allocation(object)?.frame_of
    }

    /// Is it blocks whose lives end with the calls that asked for them?
    pub(crate) fn is_of_calls(&self, object: ObjectId) -> bool {
        self.points.objects.get(object).many && self.frame_of(object).is_some() && self.may_end(object)
    }

    /// A call begins of the function that is being translated: it may ask for memory that goes with it.
    pub(crate) fn begin_call(&mut self, span: Span) -> Result<()> {
        let objects = (0..self.points.objects.list.len() as u32).map(ObjectId);
        let here = Some(self.frame.function);
        let own: Vec<ObjectId> = objects.filter(|&id| self.frame_of(id) == here && self.may_end(id)).collect();
        for object in own {
            if self.is_of_calls(object) {
                self.count_declaration(object, span)?;
            }
            self.frame.alive.push(self.points.objects.get(object).kind);
        }
        Ok(())
    }

    /// Notes which call a new block belongs to, where that matters.
    pub(crate) fn note_call(&mut self, object: ObjectId, address: VarId, span: Span) {
        if !self.is_of_calls(object) {
            return;
        }
        let number = self.declaration_number(object, span);
        let calls = self.kept_of(object, Extra::CallOf, span);
        let noted = build::store(calls, self.var(address, span), self.var(number, span), span);
        let calls = self.extra(object, Extra::CallOf, span);
        self.assign(calls, noted, span);
    }

    /// The life of a local variable begins, and lasts until its block is left.
    pub(crate) fn begin_life(&mut self, id: VariableId, span: Span) -> Result<()> {
        let kind = ObjectKind::Variable(id);
        if self.outliving.contains(&kind) {
            let object = self.points.objects.of(kind);
            if !self.is_declared_once(object) {
                self.learned.renewed.insert(kind);
            }
            self.frame.alive.push(kind);
            self.set_over(kind, false, span)?;
        }
        Ok(())
    }

    /// The variable of a compound literal gets its value, and lives until the block around is left.
    pub(crate) fn begin_literal(&mut self, id: VariableId, init: &Init, span: Span) -> Result<ObjectId> {
        self.declare_variable(id, Some(init), span)?;
        self.begin_life(id, span)?;
        Ok(self.points.objects.of(ObjectKind::Variable(id)))
    }

    /// The lives end that began after a number of others.
    pub(crate) fn end_lives(&mut self, first: usize, span: Span) -> Result<()> {
        let over = self.frame.alive[first..].to_vec();
        over.into_iter().rev().try_for_each(|kind| self.set_over(kind, true, span))
    }

    /// The block around is left on the usual way.
    pub(crate) fn leave_block(&mut self, first: usize, span: Span) -> Result<()> {
        self.end_lives(first, span)?;
        self.frame.alive.truncate(first);
        Ok(())
    }

    /// Does what stands in a block, and leaves it.
    pub(crate) fn in_block<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let alive = self.frame.alive.len();
        let done = work(self)?;
        self.leave_block(alive, span)?;
        Ok(done)
    }

    /// A thread ends: so do the lives of its own variables.
    pub(crate) fn end_thread_lives(&mut self, span: Span) -> Result<()> {
        let own = |kind: &ObjectKind| match *kind {
            ObjectKind::Variable(id) => (self.unit.variables[id.index()].storage == Storage::Thread).then_some(id),
            _ => None,
        };
        let mut over: Vec<VariableId> = self.outliving.iter().filter_map(own).collect();
        over.sort_unstable();
        over.into_iter().try_for_each(|id| self.set_over(ObjectKind::Variable(id), true, span))
    }

    /// A `goto` leaves blocks: the lives end of what is not there where it leads to.
    pub(crate) fn end_lives_at(&mut self, label: LabelId, span: Span) -> Result<()> {
        let Some(body) = &self.unit.functions[self.frame.function.index()].body else { return Ok(()) };
        if self.frame.alive.is_empty() {
            return Ok(());
        }
        let mut there = Vec::new();
        let is_label = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Label(own, _) if own == label);
        scope_at(body.iter().map(Met::Stmt), &is_label, &mut there);
        let is_left = |kind: &ObjectKind| matches!(kind, ObjectKind::Variable(id) if !there.contains(id));
        let over: Vec<ObjectKind> = self.frame.alive.iter().copied().filter(is_left).collect();
        over.into_iter().rev().try_for_each(|kind| self.set_over(kind, true, span))
    }

    fn set_over(&mut self, kind: ObjectKind, over: bool, span: Span) -> Result<()> {
        let object = self.points.objects.of(kind);
        let flag = self.extra(object, Extra::Free, span);
        let over = Expr::bool(over, span);
        let value = if self.is_of_calls(object) {
            let number = self.declaration_number(object, span);
            build::store(self.var(flag, span), self.var(number, span), over, span)
        } else if self.is_numbered(object) {
            build::store(self.var(flag, span), self.address(object, span)?, over, span)
        } else {
            over
        };
        self.assign(flag, value, span);
        Ok(())
    }
}
