//! Farkas' lemma, constructively: why a system of linear constraints has no rational solution.
//!
//! The coefficients are read off the simplex row that could not be repaired. Summed over prefixes of a trace they are the
//! interpolants of linear trace proving.

use super::simplex::{Feasibility, Side, Simplex};
use crate::rational::Rational;
use crate::term::{Linear, Term};
use rustc_hash::FxHashMap;

/// How a linear combination compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `linear ≤ 0`.
    Le,
    /// `linear = 0`.
    Eq,
}

/// Coefficients, one per constraint and not negative for inequalities, with which the constraints sum up to
/// `c ≤ 0` for a positive constant c. None if the constraints have a rational solution.
///
/// The terms of the constraints count as variables, whatever they are.
pub fn farkas(constraints: &[(Linear, Relation)]) -> Option<Vec<Rational>> {
    let mut coefficients = vec![Rational::ZERO; constraints.len()];
    let mut simplex = Simplex::default();
    let mut columns: FxHashMap<Term, u32> = FxHashMap::default();
    for (part, _) in constraints.iter().flat_map(|(linear, _)| &linear.parts) {
        let next = columns.len() as u32;
        columns.entry(*part).or_insert(next);
    }
    simplex.reset(columns.len(), u32::MAX);
    for _ in 0..columns.len() {
        simplex.add_variable();
    }
    let mut refuted = false;
    let mut slacks = Vec::with_capacity(constraints.len());
    for (linear, _) in constraints {
        let parts: Vec<(u32, Rational)> =
            linear.parts.iter().map(|(part, c)| (columns[part], Rational::from(c))).collect();
        slacks.push(simplex.add_row(parts.iter().map(|(column, c)| (*column, c))));
    }
    for (index, (linear, relation)) in constraints.iter().enumerate() {
        let limit = -&Rational::from(&linear.constant);
        let sides: &[Side] = match relation {
            Relation::Le => &[Side::Upper],
            Relation::Eq => &[Side::Upper, Side::Lower],
        };
        refuted |= sides.iter().any(|&side| simplex.assert_bound(slacks[index], side, &limit, index as u32).is_err());
        if refuted {
            break;
        }
    }
    if !refuted && simplex.check() == Feasibility::Feasible {
        return None;
    }
    for (index, coefficient) in &simplex.conflict {
        let sum = &mut coefficients[*index as usize];
        *sum = &*sum + coefficient;
    }
    Some(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Integer;
    use crate::pool::TermPool;
    use crate::sort::Sort;

    /// Parts (variable and coefficient), constant, relation.
    type Row<'a> = (&'a [(usize, i64)], i64, Relation);

    fn check(rows: &[Row], refutable: bool) {
        let pool = TermPool::new();
        let names: Vec<Term> = (0..4).map(|i| pool.symbol(&format!("x{i}"), Sort::INT)).collect();
        let constraints: Vec<(Linear, Relation)> = rows
            .iter()
            .map(|(parts, constant, relation)| {
                let mut linear = pool.combination(parts.iter().map(|&(i, c)| (Integer::from(c), names[i])));
                linear.constant = Integer::from(*constant);
                (linear, *relation)
            })
            .collect();
        let answer = farkas(&constraints);
        assert_eq!(answer.is_some(), refutable, "{rows:?}");
        let Some(coefficients) = answer else { return };
        let mut constant = Rational::ZERO;
        let mut sums = vec![Rational::ZERO; names.len()];
        for ((parts, c, relation), factor) in rows.iter().zip(&coefficients) {
            assert!(*relation == Relation::Eq || !factor.is_negative());
            constant.add_product(factor, &Rational::from(*c));
            for &(i, c) in *parts {
                sums[i].add_product(factor, &Rational::from(c));
            }
        }
        assert!(sums.iter().all(Rational::is_zero) && constant.is_positive(), "{rows:?}: {coefficients:?}");
    }

    #[test]
    fn certificates_sum_up_to_a_contradiction() {
        use Relation::{Eq, Le};
        check(&[(&[(0, 1)], -1, Le), (&[(0, -1)], 2, Le)], true);
        check(&[(&[(0, 1)], -1, Le), (&[(0, -1)], 1, Le)], false);
        check(&[(&[(0, 1), (1, -1)], 0, Eq), (&[(1, 1), (2, -1)], 1, Eq), (&[(2, 1), (0, -1)], 0, Le)], true);
        check(&[(&[(0, 2), (1, 3)], -7, Eq), (&[(0, 4), (1, 6)], -15, Eq)], true);
        check(&[(&[], 1, Le)], true);
        check(&[(&[], 1, Eq), (&[(0, 1)], 0, Eq)], true);
        check(&[(&[], -1, Eq)], true);
        check(&[(&[(0, 1), (1, 1)], -2, Le), (&[(0, -3), (1, 1)], 5, Le), (&[(0, 1), (1, -4)], 9, Le)], true);
        check(&[(&[(0, i64::MAX), (1, 1)], 1, Le), (&[(0, -i64::MAX), (1, -1)], 0, Le)], true);
    }
}
