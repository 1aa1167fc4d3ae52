//! The general simplex of Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006).
//!
//! Each basic variable is a row over the non-basic ones; constraints are bounds on variables, each with the reason that
//! asserted it, so that a conflict names the bounds that clash. The tableau is one dense matrix: it is small, and a pivot
//! touches only rows and columns with an entry. Invariant: non-basic variables always keep their bounds, and (for bounds
//! that are integers) have integer values.

use crate::rational::Rational;

/// A variable of the tableau.
pub(super) type Column = u32;

/// Why a bound holds: a tag that the caller understands.
pub(super) type Reason = u32;

/// A lower or upper bound with its reason.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub value: Rational,
    pub reason: Reason,
}

/// Which of the two bounds of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Lower,
    Upper,
}

/// Where a variable stands in the tableau.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Row number.
    Basic(u32),
    /// Column number.
    NonBasic(u32),
}

pub(super) struct Variable {
    pub value: Rational,
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
    pub place: Place,
}

/// The outcome of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feasibility {
    Feasible,
    /// The bounds in [`Simplex::conflict`] clash.
    Infeasible,
    /// Too many pivots.
    Exhausted,
}

/// The tableau and its bounds. See the module's description.
#[derive(Default)]
pub(super) struct Simplex {
    pub(super) variables: Vec<Variable>,
    /// Row-major, `stride` entries per row, of which the first `heads.len()` are used.
    pub(super) matrix: Vec<Rational>,
    pub(super) stride: usize,
    /// The basic variable of each row.
    rows: Vec<Column>,
    /// The non-basic variable of each column.
    pub(super) heads: Vec<Column>,
    /// Bounds to restore on backtracking.
    trail: Vec<(Column, Side, Option<Bound>)>,
    /// The reasons of the last conflict with their Farkas coefficients (signed: positive for upper bounds).
    pub conflict: Vec<(Reason, Rational)>,
    /// Work left before giving up: entries of the matrix to change, where big numbers count for many.
    pub budget: u32,
    /// Columns with an entry in the pivot row.
    entries: Vec<usize>,
    /// The combinations that rows were made as: variable, range of `definition_parts`.
    pub(super) definitions: Vec<(Column, u32, u32)>,
    pub(super) definition_parts: Vec<(Column, Rational)>,
    pivot_row: Vec<Rational>,
}

impl Simplex {
    /// Forgets everything and makes room for about `columns` variables.
    pub fn reset(&mut self, columns: usize, budget: u32) {
        self.variables.clear();
        self.matrix.clear();
        self.rows.clear();
        self.heads.clear();
        self.trail.clear();
        self.definitions.clear();
        self.definition_parts.clear();
        self.stride = columns.max(4);
        self.budget = budget;
    }

    /// A new variable without bounds.
    pub fn add_variable(&mut self) -> Column {
        if self.heads.len() == self.stride {
            self.widen();
        }
        let variable = self.variables.len() as Column;
        let place = Place::NonBasic(self.heads.len() as u32);
        self.heads.push(variable);
        self.variables.push(Variable { value: Rational::ZERO, lower: None, upper: None, place });
        variable
    }

    fn widen(&mut self) {
        let stride = self.stride * 2;
        let mut matrix = Vec::with_capacity(self.rows.len() * stride);
        for row in self.matrix.chunks(self.stride) {
            matrix.extend_from_slice(row);
            matrix.resize(matrix.len() + self.stride, Rational::ZERO);
        }
        (self.matrix, self.stride) = (matrix, stride);
    }

    /// A new basic variable that is the given combination of others.
    pub fn add_row<'a>(&mut self, parts: impl Iterator<Item = (Column, &'a Rational)>) -> Column {
        let start = self.matrix.len();
        self.matrix.resize(start + self.stride, Rational::ZERO);
        let mut value = Rational::ZERO;
        let definition = self.definition_parts.len() as u32;
        for (variable, factor) in parts {
            self.definition_parts.push((variable, factor.clone()));
            let of_part = &self.variables[variable as usize];
            value.add_product(factor, &of_part.value);
            match of_part.place {
                Place::NonBasic(column) => {
                    let entry = &mut self.matrix[start + column as usize];
                    *entry = &*entry + factor;
                }
                Place::Basic(row) => {
                    let (known, new) = self.matrix.split_at_mut(start);
                    let row = &known[row as usize * self.stride..][..self.heads.len()];
                    for (entry, known) in new.iter_mut().zip(row) {
                        if !known.is_zero() {
                            entry.add_product(factor, known);
                        }
                    }
                }
            }
        }
        let variable = self.variables.len() as Column;
        self.definitions.push((variable, definition, self.definition_parts.len() as u32));
        let place = Place::Basic(self.rows.len() as u32);
        self.rows.push(variable);
        self.variables.push(Variable { value, lower: None, upper: None, place });
        variable
    }

    /// The current value of a variable.
    #[inline]
    pub fn value(&self, variable: Column) -> &Rational {
        &self.variables[variable as usize].value
    }

    /// The bound of a variable on one side.
    #[inline]
    pub fn bound(&self, variable: Column, side: Side) -> Option<&Bound> {
        let variable = &self.variables[variable as usize];
        match side {
            Side::Lower => variable.lower.as_ref(),
            Side::Upper => variable.upper.as_ref(),
        }
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// A mark to come back to with [`Simplex::undo_to`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Restores the bounds that held at the mark. Values stay, for they satisfy looser bounds too.
    pub fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (variable, side, bound) = self.trail.pop().expect("the trail is longer than the mark");
            let variable = &mut self.variables[variable as usize];
            match side {
                Side::Lower => variable.lower = bound,
                Side::Upper => variable.upper = bound,
            }
        }
    }

    /// Adds a bound. `Ok(true)` if it is tighter than what was known; `Err` leaves a conflict.
    pub fn assert_bound(&mut self, variable: Column, side: Side, value: &Rational, reason: Reason) -> Result<bool, ()> {
        let entry = &mut self.variables[variable as usize];
        let (same, opposite) = match side {
            Side::Lower => (&mut entry.lower, &entry.upper),
            Side::Upper => (&mut entry.upper, &entry.lower),
        };
        let beyond = |a: &Rational, b: &Rational| if side == Side::Lower { a > b } else { a < b };
        if same.as_ref().is_some_and(|bound| !beyond(value, &bound.value)) {
            return Ok(false);
        }
        if let Some(bound) = opposite
            && beyond(value, &bound.value)
        {
            self.conflict.clear();
            let sign = Rational::from(if side == Side::Upper { 1 } else { -1 });
            self.conflict.push((bound.reason, -&sign));
            self.conflict.push((reason, sign));
            return Err(());
        }
        let old = same.replace(Bound { value: value.clone(), reason });
        self.trail.push((variable, side, old));
        if let Place::NonBasic(column) = entry.place
            && beyond(value, &entry.value)
        {
            let change = value - &entry.value;
            entry.value = value.clone();
            self.shift_rows(column as usize, &change, None);
        }
        Ok(true)
    }

    /// Adds `change` times the column's entry to the value of each row but one.
    pub(super) fn shift_rows(&mut self, column: usize, change: &Rational, except: Option<usize>) {
        for (row, &basic) in self.rows.iter().enumerate() {
            let entry = &self.matrix[row * self.stride + column];
            if !entry.is_zero() && Some(row) != except {
                self.variables[basic as usize].value.add_product(entry, change);
            }
        }
    }

    /// Looks for values within all bounds, by Bland's rule.
    pub fn check(&mut self) -> Feasibility {
        loop {
            let mut violated: Option<(usize, Column, Side)> = None;
            for (row, &basic) in self.rows.iter().enumerate() {
                if violated.is_some_and(|(_, best, _)| best < basic) {
                    continue;
                }
                let variable = &self.variables[basic as usize];
                if variable.lower.as_ref().is_some_and(|bound| variable.value < bound.value) {
                    violated = Some((row, basic, Side::Lower));
                } else if variable.upper.as_ref().is_some_and(|bound| variable.value > bound.value) {
                    violated = Some((row, basic, Side::Upper));
                }
            }
            let Some((row, basic, side)) = violated else { return Feasibility::Feasible };
            match self.entering_column(row, side) {
                Some(_) if self.budget == 0 => return Feasibility::Exhausted,
                Some(column) => {
                    let target = self.bound(basic, side).expect("the violated bound").value.clone();
                    self.pivot_and_update(row, column, target);
                }
                None => {
                    self.explain(row, basic, side);
                    return Feasibility::Infeasible;
                }
            }
        }
    }

    /// A column whose variable can move the row's value back across its bound; of those the smallest variable.
    fn entering_column(&self, row: usize, side: Side) -> Option<usize> {
        let entries = &self.matrix[row * self.stride..][..self.heads.len()];
        let mut best: Option<(Column, usize)> = None;
        for (column, entry) in entries.iter().enumerate() {
            if entry.is_zero() || best.is_some_and(|(head, _)| head < self.heads[column]) {
                continue;
            }
            let head = &self.variables[self.heads[column] as usize];
            let must_grow = entry.is_positive() == (side == Side::Lower);
            let free = if must_grow {
                head.upper.as_ref().is_none_or(|bound| head.value < bound.value)
            } else {
                head.lower.as_ref().is_none_or(|bound| head.value > bound.value)
            };
            if free {
                best = Some((self.heads[column], column));
            }
        }
        best.map(|(_, column)| column)
    }

    /// Writes down the bounds that keep the row from its bound.
    fn explain(&mut self, row: usize, basic: Column, side: Side) {
        self.conflict.clear();
        let own = self.bound(basic, side).expect("the violated bound").reason;
        let sign = Rational::from(if side == Side::Upper { 1 } else { -1 });
        let entries = &self.matrix[row * self.stride..][..self.heads.len()];
        for (column, entry) in entries.iter().enumerate() {
            if entry.is_zero() {
                continue;
            }
            let head = &self.variables[self.heads[column] as usize];
            let blocked_above = entry.is_positive() == (side == Side::Lower);
            let bound = if blocked_above { &head.upper } else { &head.lower };
            let reason = bound.as_ref().expect("a blocked variable is at its bound").reason;
            self.conflict.push((reason, -&(&sign * entry)));
        }
        self.conflict.push((own, sign));
    }

    fn pivot_and_update(&mut self, row: usize, column: usize, target: Rational) {
        let (basic, head) = (self.rows[row], self.heads[column]);
        let change = {
            let entry = &self.matrix[row * self.stride + column];
            let variable = &self.variables[basic as usize];
            &(&target - &variable.value) / entry
        };
        self.shift_rows(column, &change, Some(row));
        self.variables[basic as usize].value = target;
        let variable = &mut self.variables[head as usize];
        variable.value = &variable.value + &change;
        self.pivot(row, column);
    }

    /// Exchanges the row's basic variable with the column's non-basic one.
    fn pivot(&mut self, row: usize, column: usize) {
        let (stride, width) = (self.stride, self.heads.len());
        let start = row * stride;
        // b = a·h + Σ e·x becomes h = 1/a·b − Σ e/a·x.
        let reciprocal = self.matrix[start + column].reciprocal();
        let factor = -&reciprocal;
        self.entries.clear();
        self.pivot_row.clear();
        for position in 0..width {
            let entry = &mut self.matrix[start + position];
            if position == column {
                *entry = reciprocal.clone();
            } else if entry.is_zero() {
                continue;
            } else {
                *entry = &*entry * &factor;
                self.entries.push(position);
                self.pivot_row.push(entry.clone());
            }
        }
        let weight = self.pivot_row.iter().map(Rational::weight).max().unwrap_or(1);
        let mut work = 1;
        for other in (0..self.rows.len()).filter(|&other| other != row) {
            let line = &mut self.matrix[other * stride..][..width];
            if line[column].is_zero() {
                continue;
            }
            let scale = std::mem::replace(&mut line[column], Rational::ZERO);
            for (&position, entry) in self.entries.iter().zip(&self.pivot_row) {
                line[position].add_product(&scale, entry);
            }
            line[column] = &scale * &reciprocal;
            work += 1 + self.entries.len() as u32;
        }
        self.budget = self.budget.saturating_sub(work.saturating_mul(weight));
        let (basic, head) = (self.rows[row], self.heads[column]);
        self.rows[row] = head;
        self.heads[column] = basic;
        self.variables[head as usize].place = Place::Basic(row as u32);
        self.variables[basic as usize].place = Place::NonBasic(column as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i64) -> Rational {
        Rational::from(value)
    }

    #[test]
    fn a_conflict_names_the_bounds_that_clash() {
        let mut simplex = Simplex::default();
        simplex.reset(2, 100);
        let (x, y) = (simplex.add_variable(), simplex.add_variable());
        let one = number(1);
        let sum = simplex.add_row([(x, &one), (y, &one)].into_iter());
        let difference = simplex.add_row([(x, &one), (y, &number(-1))].into_iter());
        for (variable, side, value, reason) in
            [(sum, Side::Lower, 5, 0), (difference, Side::Lower, 1, 1), (y, Side::Upper, 100, 2)]
        {
            assert_eq!(simplex.assert_bound(variable, side, &number(value), reason), Ok(true));
        }
        assert_eq!(simplex.check(), Feasibility::Feasible);
        let mark = simplex.mark();
        assert_eq!(simplex.assert_bound(x, Side::Upper, &number(2), 3), Ok(true));
        assert_eq!(simplex.check(), Feasibility::Infeasible);
        let mut reasons: Vec<Reason> = simplex.conflict.iter().map(|(reason, _)| *reason).collect();
        reasons.sort_unstable();
        assert_eq!(reasons, [0, 1, 3]);
        simplex.undo_to(mark);
        assert_eq!(simplex.check(), Feasibility::Feasible);
    }
}
