//! Data races: two accesses to one cell by different threads that can happen at the same time, at least one of them a write, not both atomic.
//!
//! A write that is not atomic becomes three steps: it announces itself in a marker of the cell's variable, writes, and takes the
//! marker back. Every other access asserts that no announced write is to its cell. If two accesses can happen at the same time, then
//! one of them can announce itself while the other is about to assert; and a marker is never set but by a write that is about
//! to happen. Reads announce themselves only where the cell is written atomically, for such a write has no middle.
//! One marker serves all cells of an array, with the index; another writer that takes it over hides nothing for good: he can
//! as well be done before, or start later.

use crate::c::translate::{Candidate, Cell, Location, Result, Slot, Translator, block, if_else, one_by_guard};
use braid_program::ast::{Check, Expr, Stmt, StmtKind, Storage, Type, VarId, build};
use braid_program::source::Span;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    Read,
    Write,
}

/// The variables of a marker.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Is an access announced?
    pub active: VarId,
    /// To which element, in arrays.
    at: Option<VarId>,
    /// To how many of them, in bytes.
    count: Option<VarId>,
}

/// What takes announcements back.
type Ends = Vec<(VarId, Expr)>;

/// May other threads access it, and is that anybody's business?
fn is_watched((_, slot): &Candidate) -> bool {
    slot.shared && !slot.library
}

impl Translator<'_, '_> {
    /// Announces a read that is not atomic, and asserts that nobody is writing; gives what takes the announcement back.
    pub(crate) fn begin_read(&mut self, candidates: &[Candidate], location: &Location, span: Span) -> Result<Ends> {
        if !self.checks(Check::Race) || self.is_intended() {
            return Ok(Vec::new());
        }
        let free = self.not_freed(location, span)?;
        self.assert_nobody(candidates, &[Access::Write], free, span);
        if location.atomic || self.frame.atomic > 0 {
            return Ok(Vec::new());
        }
        // All or none: the guard of one candidate is that of no other.
        let meets_atomic = |(_, slot): &Candidate| self.decisions.atomic_writes.contains(&slot.key);
        if !candidates.iter().any(meets_atomic) {
            return Ok(Vec::new());
        }
        Ok(self.announce(candidates, Access::Read, span))
    }

    /// The same for a write.
    pub(crate) fn begin_write(&mut self, candidates: &[Candidate], location: &Location, span: Span) -> Result<Ends> {
        if !self.checks(Check::Race) || self.is_intended() || !candidates.iter().any(is_watched) {
            return Ok(Vec::new());
        }
        let free = self.not_freed(location, span)?;
        if location.atomic || self.frame.atomic > 0 {
            self.learned.atomic_writes.extend(candidates.iter().map(|(_, slot)| slot.key));
            self.assert_nobody(candidates, &[Access::Read, Access::Write], free, span);
            return Ok(Vec::new());
        }
        let (stmts, ends) = self.apart(|t| {
            t.assert_nobody(candidates, &[Access::Write], free, span);
            Ok(t.announce(candidates, Access::Write, span))
        })?;
        self.emit(StmtKind::Atomic(block(stmts, span)), span);
        Ok(ends)
    }

    /// Takes announcements back.
    pub(crate) fn end_access(&mut self, ends: Ends, span: Span) {
        if !ends.is_empty() {
            self.emit(StmtKind::Assign(ends), span);
        }
    }

    /// Are data races of the function at hand intended?
    fn is_intended(&self) -> bool {
        self.unit.functions[self.frame.function.index()].attributes.may_race
    }

    /// Does it matter who accesses what?
    pub(crate) fn watches(&self) -> bool {
        self.checks(Check::Race) && self.graph.has_threads
    }

    /// Asserts that nobody accesses the cell; `free`: nor frees it.
    fn assert_nobody(&mut self, candidates: &[Candidate], accesses: &[Access], free: Option<Expr>, span: Span) {
        let nobody = |(guard, slot): &Candidate| {
            let mut free = Expr::bool(true, span);
            for &access in accesses.iter().filter(|_| slot.shared && !slot.library) {
                let under_way = self.under_way(slot, access, span);
                free = build::and(free, build::not(under_way, span), span);
            }
            (guard.clone(), free)
        };
        let choose = |guard, free, other| build::ite(guard, free, other, span);
        let formula = one_by_guard(candidates.iter().map(nobody), choose);
        if let Some(formula) = formula.filter(|_| candidates.iter().any(is_watched)) {
            let formula = free.map_or(formula.clone(), |free| build::and(formula, free, span));
            self.assert(Check::Race, formula, span);
        }
    }

    /// Sets the marker of the cell that is meant; gives what resets all of them.
    fn announce(&mut self, candidates: &[Candidate], access: Access, span: Span) -> Ends {
        let mut ends: Ends = Vec::new();
        let announce = |(guard, slot): &Candidate| {
            let mut assignments = Vec::new();
            if slot.shared && !slot.library {
                let marker = self.marker(slot, access, span);
                assignments.push((marker.active, Expr::bool(true, span)));
                if let (Some(at), Cell::Element { index, .. }) = (marker.at, &slot.cell) {
                    assignments.push((at, index.clone()));
                }
                if let (Some(count), Some(bytes)) = (marker.count, slot.bytes) {
                    assignments.push((count, self.fixed(i64::from(bytes.count), span)));
                }
                if !ends.iter().any(|(active, _)| *active == marker.active) {
                    ends.push((marker.active, Expr::bool(false, span)));
                }
            }
            (guard.clone(), Stmt { kind: StmtKind::Assign(assignments), span })
        };
        let announced = one_by_guard(candidates.iter().map(announce), if_else);
        self.out.extend(announced.filter(|_| !ends.is_empty()));
        ends
    }

    fn under_way(&mut self, slot: &Slot, access: Access, span: Span) -> Expr {
        let marker = self.marker(slot, access, span);
        let active = self.var(marker.active, span);
        match (marker.at, &slot.cell) {
            (Some(at), Cell::Element { index, .. }) => {
                let at = self.var(at, span);
                let meets = match (marker.count, slot.bytes) {
                    (Some(count), Some(bytes)) => {
                        let end = self.sum(at.clone(), self.var(count, span), span);
                        let own_end = self.displaced(index.clone(), i64::from(bytes.count), &[], span);
                        build::and(self.below(at, own_end, span), self.below(index.clone(), end, span), span)
                    }
                    _ => build::eq(at, index.clone(), span),
                };
                build::and(active, meets, span)
            }
            _ => active,
        }
    }

    fn marker(&mut self, slot: &Slot, access: Access, span: Span) -> Marker {
        let variable = match &slot.cell {
            Cell::Variable(variable) | Cell::Element { array: variable, .. } => *variable,
        };
        if let Some(&marker) = self.cells.markers.get(&(variable, access)) {
            return marker;
        }
        let what = match access {
            Access::Read => "read",
            Access::Write => "written",
        };
        let name = format!("{}.{what}", self.variables[variable.index()].name);
        let active = self.declare(name.clone(), Type::Bool, Storage::Global, span);
        let at = match &slot.cell {
            Cell::Variable(_) => None,
            Cell::Element { index, .. } => {
                Some(self.declare(format!("{name}.at"), index.ty.clone(), Storage::Global, span))
            }
        };
        let address = self.ints.ty(self.pointer());
        let count = slot.bytes.map(|_| self.declare(format!("{name}.count"), address, Storage::Global, span));
        let marker = Marker { active, at, count };
        self.cells.markers.insert((variable, access), marker);
        marker
    }
}
