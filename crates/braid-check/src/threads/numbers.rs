//! Numbers that were never given to a thread: memory that belongs to a thread is still as it was where no thread had the number yet.
//!
//! A ghost variable holds which numbers were given. It changes nothing: a new number is one that nobody had before, and the ghost variable only writes down
//! which these are. What it is for: "cells of threads to come are 0" is a fact with a quantifier over such numbers.

use super::system::System;
use crate::ghost;
use braid_logic::{Sort, Term, Var};

impl System<'_> {
    /// Writes down which numbers were given.
    pub fn number(&mut self) {
        let pool = self.pool;
        let used = ghost(pool, "#given", pool.array_sort(Sort::INT, Sort::BOOL), |var| self.has(var));
        let numbers: Vec<Option<Var>> = self.templates.iter().map(|t| t.number).collect();
        for m in self.templates.iter_mut().flat_map(|t| &mut t.moves) {
            let mut given = pool.of_var(used);
            for child in m.forks.clone() {
                let own = numbers[child];
                let Some(&(_, number)) = m.relation.updates.iter().find(|(var, _)| Some(*var) == own) else { continue };
                m.relation.guard = pool.and([m.relation.guard, pool.not(pool.select(given, number))]);
                given = pool.store(given, number, Term::TRUE);
            }
            if given != pool.of_var(used) {
                m.write(used, given);
            }
        }
        self.shared.push(used);
        self.given = Some(used);
    }

    /// What the ghost variable is at the start.
    pub fn nothing_given(&self) -> Option<Term> {
        let used = self.given?;
        let none = self.pool.const_array(self.pool.var_sort(used), Term::FALSE);
        Some(self.pool.eq(self.pool.of_var(used), none))
    }
}
