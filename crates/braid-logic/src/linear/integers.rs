//! From rational to integer solutions: the unit cube test, and Gomory's cuts.
//!
//! Both work on a feasible tableau whose bounds are integers. What they do not settle is left to branching.

use super::simplex::{Bound, Column, Feasibility, Place, Side, Simplex, Variable};
use crate::number::Integer;
use crate::rational::Rational;

/// Cuts with larger coefficients do more harm than good.
const MAX_CUT: i64 = 1 << 20;

impl Simplex {
    /// Looks for an integer solution by the unit cube test of Bromberger and Weidenbach (2016): a point around which all
    /// of a unit cube is a solution is one after rounding. Finds solutions where the problem is unbounded and branching
    /// would run away.
    pub fn unit_cube(&mut self) -> bool {
        let count = self.variables.len();
        // Half the edge of the cube, seen along each variable's combination.
        let mut radius = vec![Rational::new(&Integer::ONE, &Integer::from(2)); count];
        for &(variable, start, end) in &self.definitions {
            let parts = &self.definition_parts[start as usize..end as usize];
            let mut sum = Rational::ZERO;
            for (part, c) in parts {
                sum.add_product(&c.abs(), &radius[*part as usize]);
            }
            radius[variable as usize] = sum;
        }
        let mark = self.mark();
        let fits = (0..count as Column).all(|variable| {
            let radius = &radius[variable as usize];
            let tightened = |bound: &Option<Bound>, inward: Rational| {
                bound.as_ref().map(|Bound { value, reason }| (value + &inward, *reason))
            };
            let entry = &self.variables[variable as usize];
            let (lower, upper) = (tightened(&entry.lower, radius.clone()), tightened(&entry.upper, -radius));
            let sides = [(Side::Lower, lower), (Side::Upper, upper)];
            sides.into_iter().all(|(side, bound)| {
                bound.is_none_or(|(value, reason)| self.assert_bound(variable, side, &value, reason).is_ok())
            })
        });
        let found = fits && self.check() == Feasibility::Feasible;
        self.undo_to(mark);
        if found {
            let mut definitions = self.definitions.iter().peekable();
            let half = Rational::new(&Integer::ONE, &Integer::from(2));
            for variable in 0..count {
                self.variables[variable].value =
                    match definitions.next_if(|(defined, ..)| *defined as usize == variable) {
                        Some(&(_, start, end)) => {
                            let mut value = Rational::ZERO;
                            for (part, c) in &self.definition_parts[start as usize..end as usize] {
                                value.add_product(c, &self.variables[*part as usize].value);
                            }
                            value
                        }
                        None => Rational::from(&(&self.variables[variable].value + &half).floor()),
                    };
            }
        } else {
            self.snap();
        }
        found
    }

    /// Moves the non-basic variables to integers again; their bounds are integers too.
    fn snap(&mut self) {
        for column in 0..self.heads.len() {
            let variable = &mut self.variables[self.heads[column] as usize];
            if !variable.value.is_integer() {
                let floor = Rational::from(&variable.value.floor());
                let change = &floor - &variable.value;
                variable.value = floor;
                self.shift_rows(column, &change, None);
            }
        }
    }

    /// A cutting plane that the current solution violates: where the basic variable has a fractional value and all
    /// variables of its row are at bounds, Gomory's cut over them, as `Σ c·x ≥ limit` with integer coefficients.
    /// The reasons of the bounds, under which it holds, go into `conflict`.
    pub fn gomory_cut(&mut self, variable: Column) -> Option<(Vec<(Column, Rational)>, Rational)> {
        let Place::Basic(row) = self.variables[variable as usize].place else { return None };
        let fraction = |number: &Rational| number - &Rational::from(&number.floor());
        let entries = &self.matrix[row as usize * self.stride..][..self.heads.len()];
        // With s ≥ 0 the distances from the bounds, Σ frac(-a)·s ≥ frac(value).
        let mut limit = fraction(&self.variables[variable as usize].value);
        let mut cut = Vec::new();
        self.conflict.clear();
        for (entry, &head) in entries.iter().zip(&self.heads) {
            if entry.is_zero() {
                continue;
            }
            let Variable { value, lower, upper, .. } = &self.variables[head as usize];
            let at = |bound: &Option<Bound>| bound.as_ref().filter(|bound| bound.value == *value).map(|b| b.reason);
            if let (Some(a), Some(b)) = (at(lower), at(upper)) {
                self.conflict.extend([(a, Rational::ZERO), (b, Rational::ZERO)]);
            } else if let Some(reason) = at(lower) {
                self.conflict.push((reason, Rational::ZERO));
                let c = fraction(&-entry);
                limit.add_product(&c, value);
                cut.push((head, c));
            } else if let Some(reason) = at(upper) {
                self.conflict.push((reason, Rational::ZERO));
                let c = -&fraction(entry);
                limit.add_product(&c, value);
                cut.push((head, c));
            } else if !entry.is_integer() || !value.is_integer() {
                return None;
            }
        }
        cut.retain(|(_, c)| !c.is_zero());
        let mut multiple = Integer::ONE;
        for denominator in cut.iter().map(|(_, c)| c.denominator()) {
            multiple = &multiple * &denominator.div_floor(&multiple.gcd(&denominator));
        }
        if multiple > Integer::from(MAX_CUT) {
            return None;
        }
        let multiple = Rational::from(&multiple);
        cut.iter_mut().for_each(|(_, c)| *c = &*c * &multiple);
        let small = cut.iter().all(|(_, c)| c.abs() <= Rational::from(MAX_CUT));
        small.then(|| (cut, &limit * &multiple))
    }
}
