//! Reads of local variables before they have a value: undefined where nobody takes the address of the variable (C11 6.3.2.1).
//!
//! A scalar that is not surely written first has a flag: has it a value?

use crate::c::translate::{Base, Location, ObjectKind, Translator};
use crate::c::tree::VariableId;
use braid_program::ast::{Check, Expr, Type};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// A scalar is declared without a value, and may be read before it is written.
    pub(crate) fn begin_without_value(&mut self, id: VariableId, span: Span) {
        if !self.checks(Check::Uninitialised) || self.facts.addressed.contains(&id) || self.frame.expansion.is_some() {
            return;
        }
        let flag = match self.frame.given.get(&id) {
            Some(&flag) => flag,
            None => {
                let name = format!("{}.set", self.unit.variables[id.index()].name);
                let flag = self.local(name, Type::Bool, span);
                self.frame.given.insert(id, flag);
                flag
            }
        };
        self.assign(flag, Expr::bool(false, span), span);
    }

    /// A place is read or written: of a variable without a value, that is noted or checked.
    pub(crate) fn note_value(&mut self, location: &Location, writes: bool, span: Span) {
        let Base::Object(object) = location.base else { return };
        let ObjectKind::Variable(id) = self.points.objects.get(object).kind else { return };
        let Some(&flag) = self.frame.given.get(&id) else { return };
        if writes {
            self.assign(flag, Expr::bool(true, span), span);
        } else {
            let given = self.var(flag, span);
            self.require(Check::Uninitialised, given, span);
        }
    }
}
