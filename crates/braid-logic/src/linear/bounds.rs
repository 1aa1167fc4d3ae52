//! Comparisons as bounds: what each proposition says about a column of the simplex.
//!
//! The equations that hold at level 0 are solved first; all other comparisons are then unfolded over the variables that
//! are left, brought to coprime coefficients, and become a bound on the column of their combination. Combinations that
//! differ only by sign or constant share a column, so that bounds on it meet without a pivot.

use super::eliminate::Solved;
use super::library::{Form, Library, Proposition};
use super::query::{Meaning, Query};
use super::sat::{Lit, unite};
use super::simplex::Column;
use crate::number::Integer;
use crate::rational::Rational;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Which comparison with 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Le,
    Zero,
}

impl Query {
    /// Solves the equations that hold at level 0, and writes all comparisons over the variables that are left.
    /// False: contradiction.
    pub fn translate(&mut self, library: &Library) -> bool {
        let mut solved = 0;
        loop {
            if !self.sat.propagate() {
                return false;
            }
            let before = self.elimination.definition_count();
            while let Some(&lit) = self.sat.trail.get(solved) {
                solved += 1;
                if lit.is_positive()
                    && matches!(self.meaning[lit.var()], Meaning::Untranslated)
                    && !self.solve(library, lit)
                {
                    return false;
                }
            }
            if solved > 0 && self.elimination.definition_count() == before && !self.pending.is_empty() {
                break;
            }
            let facts = self.sat.trail.len();
            if !self.unfold_comparisons(library) {
                return false;
            }
            if self.sat.trail.len() == facts {
                break;
            }
        }
        self.simplex
            .reset(self.elimination.variable_count() - self.elimination.definition_count(), super::search::MAX_WORK);
        let pending = std::mem::take(&mut self.pending);
        for (var, start, end, constant) in &pending {
            self.parts.clear();
            self.parts.extend_from_slice(&self.pending_parts[*start as usize..*end as usize]);
            let meaning = self.bound_meaning(self.comparison(library, *var), constant);
            self.attach(*var, meaning);
        }
        self.pending = pending;
        true
    }

    fn comparison(&self, library: &Library, var: u32) -> Comparison {
        match self.origin[var as usize].map(|id| &library.propositions[id as usize]) {
            Some(Proposition::Zero(_)) => Comparison::Zero,
            _ => Comparison::Le,
        }
    }

    /// Uses an equation of level 0 to define a variable.
    fn solve(&mut self, library: &Library, lit: Lit) -> bool {
        let id = self.origin[lit.var()].expect("only formulas' own comparisons are untranslated");
        let Proposition::Zero(form) = &library.propositions[id as usize] else { return true };
        self.meaning[lit.var()] = Meaning::Boolean;
        self.elimination.start();
        self.add_form(&Integer::ONE, form);
        self.elimination.unfold();
        match self.elimination.solve(self.sat.support(lit.var())) {
            Solved::Consistent => true,
            Solved::Contradiction => {
                self.sat.conflict.clear();
                self.sat.conflict_support.copy_from_slice(&self.elimination.support);
                self.sat.resolve()
            }
        }
    }

    /// Unfolds the definitions in all comparisons that are still open to translation; decides those without variables.
    fn unfold_comparisons(&mut self, library: &Library) -> bool {
        self.pending.clear();
        self.pending_parts.clear();
        for at in 0..self.comparisons.len() {
            let var = self.comparisons[at];
            if !matches!(self.meaning[var as usize], Meaning::Untranslated) {
                continue;
            }
            let id = self.origin[var as usize].expect("only formulas' own comparisons are untranslated");
            let (form, comparison) = match &library.propositions[id as usize] {
                Proposition::Le(form) => (form, Comparison::Le),
                Proposition::Zero(form) => (form, Comparison::Zero),
                _ => unreachable!("only comparisons are untranslated"),
            };
            self.elimination.start();
            self.add_form(&Integer::ONE, form);
            self.elimination.unfold();
            match self.normalise(comparison) {
                Some(truth) => {
                    self.meaning[var as usize] = Meaning::Boolean;
                    if !self.sat.assume(Lit::new(var, truth), &self.elimination.support) {
                        return false;
                    }
                }
                None => {
                    self.sat.set_premise(var as usize, &self.elimination.support);
                    let start = self.pending_parts.len() as u32;
                    self.pending_parts.append(&mut self.parts);
                    let constant = std::mem::take(&mut self.elimination.constant);
                    self.pending.push((var, start, self.pending_parts.len() as u32, constant));
                }
            }
        }
        true
    }

    /// Adds a form to the combination of the elimination.
    pub fn add_form(&mut self, factor: &Integer, form: &Form) {
        self.elimination.constant += &(factor * &form.constant);
        for (opaque, c) in &form.parts {
            let variable = self.opaques.get(*opaque).expect("an opaque term of the query");
            if factor.is_one() {
                self.elimination.add(c, variable);
            } else {
                self.elimination.add(&(factor * c), variable);
            }
        }
    }

    /// Brings the elimination's combination, compared with 0, to coprime coefficients in `parts`. Its truth value if
    /// it has no variables or no integer solution.
    fn normalise(&mut self, comparison: Comparison) -> Option<bool> {
        let divisor = self.elimination.finish(&mut self.parts);
        let constant = &mut self.elimination.constant;
        if self.parts.is_empty() {
            return Some(match comparison {
                Comparison::Le => !constant.is_positive(),
                Comparison::Zero => constant.is_zero(),
            });
        }
        if !divisor.is_one() {
            match comparison {
                Comparison::Le => *constant = -&(-&*constant).div_floor(&divisor),
                Comparison::Zero if divisor.divides(constant) => *constant = constant.div_floor(&divisor),
                Comparison::Zero => return Some(false),
            }
        }
        None
    }

    /// What `parts + constant` compared with 0 says about a column.
    fn bound_meaning(&mut self, comparison: Comparison, constant: &Integer) -> Meaning {
        let flip = self.parts[0].1.is_negative();
        if flip {
            for (_, c) in &mut self.parts {
                *c = -&*c;
            }
        }
        let column = self.column_of_parts();
        match comparison {
            Comparison::Zero => Meaning::Equal(column, if flip { constant.clone() } else { -constant }),
            Comparison::Le if flip => Meaning::AtLeast(column, constant.clone()),
            Comparison::Le => Meaning::AtMost(column, -constant),
        }
    }

    fn column_of_parts(&mut self) -> Column {
        if let [(variable, c)] = &self.parts[..]
            && c.is_one()
        {
            return self.column(*variable);
        }
        let hash = FxBuildHasher.hash_one(&self.parts[..]);
        let row_parts = &self.row_parts;
        let same = |&(start, end, _): &(u32, u32, Column)| row_parts[start as usize..end as usize] == self.parts[..];
        if let Some(&(_, _, column)) = self.row_table.find(hash, same) {
            return column;
        }
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        for at in 0..self.parts.len() {
            let column = self.column(self.parts[at].0);
            row.push((column, Rational::from(&self.parts[at].1)));
        }
        let column = self.simplex.add_row(row.iter().map(|(column, c)| (*column, c)));
        self.row = row;
        let start = self.row_parts.len() as u32;
        self.row_parts.extend_from_slice(&self.parts);
        let row_parts = &self.row_parts;
        self.row_table.insert_unique(hash, (start, row_parts.len() as u32, column), |&(start, end, _)| {
            FxBuildHasher.hash_one(&row_parts[start as usize..end as usize])
        });
        self.make_room_for(column);
        column
    }

    /// The column of a variable of the elimination, made now if need be.
    fn column(&mut self, variable: u32) -> Column {
        if self.columns.len() <= variable as usize {
            self.columns.resize(variable as usize + 1, None);
        }
        if let Some(column) = self.columns[variable as usize] {
            return column;
        }
        let column = self.simplex.add_variable();
        self.columns[variable as usize] = Some(column);
        self.make_room_for(column);
        column
    }

    /// The column of a variable of the elimination, if it has one.
    pub fn known_column(&self, variable: u32) -> Option<Column> {
        self.columns.get(variable as usize).copied().flatten()
    }

    fn make_room_for(&mut self, column: Column) {
        if self.bounds_on.len() <= column as usize {
            self.bounds_on.resize_with(column as usize + 1, Vec::new);
        }
    }

    fn attach(&mut self, var: u32, meaning: Meaning) {
        if let Meaning::AtMost(column, _) | Meaning::AtLeast(column, _) | Meaning::Equal(column, _) = &meaning {
            self.bounds_on[*column as usize].push(var);
        }
        self.meaning[var as usize] = meaning;
    }

    /// A literal that says `column ≤ limit`, made now if need be; its premise goes into `support`.
    pub fn at_most(&mut self, column: Column, limit: &Integer, support: &mut [u64]) -> Lit {
        for &var in &self.bounds_on[column as usize] {
            let literal = match &self.meaning[var as usize] {
                Meaning::AtMost(_, known) if known == limit => Lit::new(var, true),
                Meaning::AtLeast(_, known) if &(known - &Integer::ONE) == limit => Lit::new(var, false),
                _ => continue,
            };
            unite(support, self.sat.premise(var as usize));
            return literal;
        }
        let meaning = Meaning::AtMost(column, limit.clone());
        let var = self.new_proposition(None, Meaning::Boolean);
        self.attach(var, meaning);
        Lit::new(var, true)
    }

    /// A literal that says `Σ c·column ≥ limit` with integer coefficients; none if there are no parts, for then the
    /// limit is positive and nothing satisfies it.
    pub fn cut(&mut self, parts: &[(Column, Rational)], limit: &Rational, support: &mut [u64]) -> Option<Lit> {
        let numerators = parts.iter().map(|(_, c)| c.numerator());
        let divisor = numerators.fold(Integer::ZERO, |divisor, c| divisor.gcd(&c));
        if parts.is_empty() {
            return None;
        }
        let scale = Rational::new(&Integer::ONE, &divisor);
        let row: Vec<(Column, Rational)> = parts.iter().map(|(column, c)| (*column, c * &scale)).collect();
        let column = self.simplex.add_row(row.iter().map(|(column, c)| (*column, c)));
        self.make_room_for(column);
        // Σ ≥ limit says Σ > ⌈limit⌉ - 1, and ⌈limit⌉ - 1 = -⌊-limit⌋ - 1.
        let below = &-&(-&(limit * &scale)).floor() - &Integer::ONE;
        Some(!self.at_most(column, &below, support))
    }

    /// A literal that says `column = value`, made now if need be; its premise goes into `support`.
    fn equal(&mut self, column: Column, value: &Integer, support: &mut [u64]) -> Lit {
        for &var in &self.bounds_on[column as usize] {
            if matches!(&self.meaning[var as usize], Meaning::Equal(_, known) if known == value) {
                unite(support, self.sat.premise(var as usize));
                return Lit::new(var, true);
            }
        }
        let var = self.new_proposition(None, Meaning::Boolean);
        self.attach(var, Meaning::Equal(column, value.clone()));
        Lit::new(var, true)
    }

    /// A literal that compares `a − b + offset` with 0, or its truth value if that is settled; what either depends on
    /// goes into `support`.
    pub fn compare(
        &mut self,
        comparison: Comparison,
        (a, b): (&Form, &Form),
        offset: &Integer,
        support: &mut [u64],
    ) -> Result<Lit, bool> {
        self.elimination.start();
        self.add_form(&Integer::ONE, a);
        self.add_form(&Integer::from(-1), b);
        self.elimination.constant += offset;
        self.elimination.unfold();
        unite(support, &self.elimination.support);
        if let Some(truth) = self.normalise(comparison) {
            return Err(truth);
        }
        let constant = std::mem::take(&mut self.elimination.constant);
        Ok(match self.bound_meaning(comparison, &constant) {
            Meaning::Equal(column, value) => self.equal(column, &value, support),
            Meaning::AtMost(column, limit) => self.at_most(column, &limit, support),
            Meaning::AtLeast(column, limit) => !self.at_most(column, &(&limit - &Integer::ONE), support),
            Meaning::Boolean | Meaning::Untranslated => unreachable!("a comparison bounds a column"),
        })
    }
}
