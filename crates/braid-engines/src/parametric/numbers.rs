//! Numbers that were never given to a thread: memory that belongs to a thread is still as it was where no thread had the number yet.
//!
//! A ghost variable holds which numbers were given. It changes nothing: a new number is one that nobody had before, and the ghost variable only writes down
//! which these are. What it is for: "cells of threads to come are 0" is a fact with a quantifier over such numbers.

use super::kinds::Kinds;
use super::system::System;
use braid_logic::{Quantifier, Sort, Substitution, Term, Var};

impl System<'_> {
    /// Writes down which numbers were given.
    pub fn number(&mut self) {
        let pool = self.pool;
        let used = pool.fresh_var("#given", pool.array_sort(Sort::INT, Sort::BOOL));
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

    /// Candidates: numbers that instances of a template have were given, and for the others what the program reads at a thread's number is `first`.
    pub fn about_numbers(&self, kinds: &Kinds, first: impl Fn(usize, Term) -> Option<Term>) -> Vec<Term> {
        let (pool, Some(used)) = (self.pool, self.given) else { return Vec::new() };
        let mut found = Vec::new();
        for (template, t) in self.templates.iter().enumerate() {
            let Some(number) = t.number else { continue };
            let own = |read: &&Term| {
                let vars = pool.free_vars(**read);
                vars.contains(&number) && vars.iter().all(|var| *var == number || self.shared.contains(var))
            };
            for &read in kinds.reads.iter().filter(own) {
                let Some(value) = first(template, read) else { continue };
                let any = pool.fresh_var("number", Sort::INT);
                let names = Substitution::from_iter([(number, pool.of_var(any))]);
                let is_first = pool.eq(pool.substitute(read, &names), value);
                let body = pool.or([pool.select(pool.of_var(used), pool.of_var(any)), is_first]);
                found.push(pool.quantify(Quantifier::Forall, &[any], body));
            }
        }
        found
    }
}
