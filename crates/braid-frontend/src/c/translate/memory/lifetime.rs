//! The lives of local variables that somebody may point to after their end. Each has a flag: is it over?
//!
//! A life begins where the declaration is passed, and ends on every way out of its block. A variable that is declared more than once
//! is another object each time, so that a pointer to that of an earlier round of a loop, or of an earlier call, leads to one whose
//! life is over. *Not so*: parameters, and variables of functions that call themselves.

use crate::c::translate::{Extra, ObjectId, ObjectKind, Result, Translator, scope_at};
use crate::c::tree::{Init, LabelId, Stmt, StmtKind, Storage, VariableId};
use braid_program::ast::{Expr, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// May the object be gone while somebody points to it?
    pub(crate) fn may_end(&self, object: ObjectId) -> bool {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.outliving.contains(&id),
            _ => false,
        }
    }

    /// The life of a local variable begins, and lasts until its block is left.
    pub(crate) fn begin_life(&mut self, id: VariableId, span: Span) -> Result<()> {
        if self.outliving.contains(&id) {
            let object = self.points.objects.of(ObjectKind::Variable(id));
            let owner = &self.unit.functions[self.frame.function.index()];
            let stays = owner.parameters.contains(&id) || self.graph.is_recursive(self.frame.function);
            if !stays && !self.is_declared_once(object) {
                self.learned.renewed.insert(ObjectKind::Variable(id));
            }
            self.frame.alive.push(id);
            self.set_over(id, false, span)?;
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
        over.into_iter().rev().try_for_each(|id| self.set_over(id, true, span))
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
        let is_own = |id: &VariableId| self.unit.variables[id.index()].storage == Storage::Thread;
        let mut over: Vec<VariableId> = self.outliving.iter().copied().filter(is_own).collect();
        over.sort_unstable();
        over.into_iter().try_for_each(|id| self.set_over(id, true, span))
    }

    /// A `goto` leaves blocks: the lives end of what is not there where it leads to.
    pub(crate) fn end_lives_at(&mut self, label: LabelId, span: Span) -> Result<()> {
        let Some(body) = &self.unit.functions[self.frame.function.index()].body else { return Ok(()) };
        if self.frame.alive.is_empty() {
            return Ok(());
        }
        let mut there = Vec::new();
        let is_label = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Label(own, _) if own == label);
        scope_at(body.iter().collect(), &is_label, &mut there);
        let over: Vec<VariableId> = self.frame.alive.iter().copied().filter(|id| !there.contains(id)).collect();
        over.into_iter().rev().try_for_each(|id| self.set_over(id, true, span))
    }

    fn set_over(&mut self, id: VariableId, over: bool, span: Span) -> Result<()> {
        let object = self.points.objects.of(ObjectKind::Variable(id));
        let flag = self.extra(object, Extra::Free, span);
        let over = Expr::bool(over, span);
        let value = if self.is_numbered(object) {
            build::store(self.var(flag, span), self.address(object, span)?, over, span)
        } else {
            over
        };
        self.assign(flag, value, span);
        Ok(())
    }
}
