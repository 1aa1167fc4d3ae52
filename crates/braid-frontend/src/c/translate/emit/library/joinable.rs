//! Which threads can be joined, where undefined behaviour is checked: those that were started, and neither joined nor detached since.
//!
//! Each thread with a number of its own has a variable for it; where threads are started again and again, one array is for all.
//! Joining the first thread is defined, and is not followed here.

use crate::c::translate::{Result, Translator};
use braid_program::ast::build::{and, eq, int, ite, numeral, or, select, store};
use braid_program::ast::{Check, Expr, ExprKind, Stmt, StmtKind, Storage, Type, VarId};
use braid_program::source::Span;
use std::collections::BTreeMap;

/// The first thread's handle, as in the prelude.
const FIRST: i64 = 1 << 20;

/// The variables that say it.
#[derive(Default)]
pub struct Joinable {
    by_number: BTreeMap<i64, VarId>,
    /// By identity, where numbers are not known.
    by_identity: Option<VarId>,
}

impl Translator<'_, '_> {
    /// From here on, a thread can be joined, or cannot.
    pub(super) fn set_joinable(&mut self, identity: &Expr, can: bool, span: Span) {
        if !self.checks(Check::Undefined) {
            return;
        }
        let can = Expr::bool(can, span);
        if self.decisions.repeated_starts {
            let all = self.joinable_by_identity(span);
            let changed = store(self.var(all, span), identity.clone(), can, span);
            self.assign(all, changed, span);
            return;
        }
        for number in self.numbers(identity) {
            let one = self.joinable_by_number(number, span);
            let same = eq(identity.clone(), int(number, span), span);
            let changed = ite(same, can.clone(), self.var(one, span), span);
            self.assign(one, changed, span);
        }
    }

    /// Who joins a thread must be the first to do so.
    pub(super) fn begin_join(&mut self, identity: &Expr, span: Span) -> Result<()> {
        if !self.checks(Check::Undefined) {
            return Ok(());
        }
        self.atomically(span, |t| {
            let is = |number: i64| eq(identity.clone(), int(number, span), span);
            let mut formula = is(FIRST);
            if t.decisions.repeated_starts {
                let all = t.joinable_by_identity(span);
                formula = or(formula, select(t.var(all, span), identity.clone(), span), span);
            } else {
                for number in t.numbers(identity) {
                    let one = t.joinable_by_number(number, span);
                    formula = or(formula, and(is(number), t.var(one, span), span), span);
                }
            }
            t.require(Check::Undefined, formula, span);
            t.set_joinable(identity, false, span);
            Ok(())
        })
    }

    /// At first, nobody can be joined.
    pub(crate) fn first_joinable(&self) -> Vec<Stmt> {
        let span = Span::default();
        let none = || Expr::bool(false, span);
        let set = |id: VarId, value: Expr| Stmt { kind: StmtKind::Assign(vec![(id, value)]), span };
        let all = self.joinable.by_identity.map(|id| {
            let ty = self.variables[id.index()].ty.clone();
            set(id, Expr { kind: ExprKind::ConstArray(Box::new(none())), ty, span })
        });
        self.joinable.by_number.values().map(|&id| set(id, none())).chain(all).collect()
    }

    /// The numbers that an identity may be.
    fn numbers(&self, identity: &Expr) -> Vec<i64> {
        match numeral(identity).map(|number| number.to_i64()) {
            Some(number) => number.into_iter().filter(|number| (1..FIRST).contains(number)).collect(),
            None => (1..=self.decisions.starts).collect(),
        }
    }

    fn joinable_by_number(&mut self, number: i64, span: Span) -> VarId {
        if let Some(&known) = self.joinable.by_number.get(&number) {
            return known;
        }
        let new = self.declare(format!("joinable{number}"), Type::Bool, Storage::Global, span);
        self.joinable.by_number.insert(number, new);
        new
    }

    fn joinable_by_identity(&mut self, span: Span) -> VarId {
        if let Some(known) = self.joinable.by_identity {
            return known;
        }
        let ty = Type::Array(Box::new(Type::Int), Box::new(Type::Bool));
        let new = self.declare("joinable".into(), ty, Storage::Global, span);
        self.joinable.by_identity = Some(new);
        new
    }
}
