//! Linear equations that hold in all samples.

use braid_logic::{Integer, Rational};

/// A sum `Σ c·column + constant` that is 0.
pub(super) struct Equation {
    pub coefficients: Vec<(usize, Integer)>,
    pub constant: Integer,
}

/// A basis of the equations that hold in all rows, each with one column that is in no other and as a sum of columns to its left.
pub(super) fn equations(rows: &[Vec<Integer>], columns: usize) -> Vec<Equation> {
    // The first column is the constant. What is left of it in echelon form are the columns that others depend on.
    let mut basis: Vec<(usize, Vec<Rational>)> = Vec::new();
    let one = Integer::from(1);
    for row in rows {
        let all = std::iter::once(&one).chain(row).map(|value| Rational::new(value, &one));
        let mut row: Vec<Rational> = all.collect();
        for (pivot, known) in &basis {
            subtract(&mut row, *pivot, known);
        }
        let Some(pivot) = row.iter().position(|value| !value.is_zero()) else { continue };
        let factor = row[pivot].reciprocal();
        row.iter_mut().for_each(|value| *value = &*value * &factor);
        for (_, known) in &mut basis {
            subtract(known, pivot, &row);
        }
        basis.push((pivot, row));
        if basis.len() > columns {
            return Vec::new();
        }
    }
    let is_pivot = |column: usize| basis.iter().any(|(pivot, _)| *pivot == column);
    let free = (1..=columns).filter(|&column| !is_pivot(column));
    free.filter_map(|column| {
        // In every row, the free column is this sum of the pivots'.
        let mut sum: Vec<(usize, Rational)> = basis.iter().map(|(pivot, row)| (*pivot, -&row[column])).collect();
        sum.push((column, Rational::ONE));
        let denominator = sum.iter().fold(Integer::from(1), |all, (_, value)| all * value.denominator());
        let scaled = |value: &Rational| {
            let scaled = value * &Rational::new(&denominator, &Integer::from(1));
            scaled.to_integer()
        };
        let mut equation = Equation { coefficients: Vec::new(), constant: Integer::ZERO };
        for (at, value) in sum.iter().filter(|(_, value)| !value.is_zero()) {
            match at {
                0 => equation.constant = scaled(value)?,
                _ => equation.coefficients.push((at - 1, scaled(value)?)),
            }
        }
        Some(equation)
    })
    .collect()
}

/// Makes a column 0 with a row that has 1 there.
fn subtract(row: &mut [Rational], pivot: usize, known: &[Rational]) {
    let factor = -&row[pivot];
    if !factor.is_zero() {
        row.iter_mut().zip(known).for_each(|(value, other)| value.add_product(&factor, other));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&[i64]], expected: &[&str]) {
        let columns = rows[0].len();
        let rows: Vec<Vec<Integer>> = rows.iter().map(|row| row.iter().map(|&v| Integer::from(v)).collect()).collect();
        let text = |equation: &Equation| {
            let parts = equation.coefficients.iter().map(|(column, c)| format!("{c}*x{column}"));
            parts.chain([equation.constant.to_string()]).collect::<Vec<_>>().join(" + ")
        };
        assert_eq!(equations(&rows, columns).iter().map(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn equations_hold_in_all_rows() {
        check(&[&[0, 1], &[1, 3], &[2, 5]], &["-2*x0 + 1*x1 + -1"]);
        check(&[&[0, 1], &[1, 3], &[2, 4]], &[]);
        check(&[&[4, 7]], &["1*x0 + -4", "1*x1 + -7"]);
        check(&[&[0, 0, 0], &[2, 1, 3], &[2, 0, 2]], &["-1*x0 + -1*x1 + 1*x2 + 0"]);
    }
}
