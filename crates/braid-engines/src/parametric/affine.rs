//! Linear equations that hold in all samples.
//!
//! They are computed modulo a large prime, where numbers stay small, and then read as equations between integers with small coefficients. A
//! wrong one is a wrong candidate, no more.

use braid_logic::Integer;

/// 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;
/// Larger coefficients are taken for accidents.
const LARGEST: i64 = 64;
/// Constants may be addresses.
const LARGEST_CONSTANT: i64 = 1 << 48;

/// A sum `Σ c·column + constant` that is 0.
pub(super) struct Equation {
    pub coefficients: Vec<(usize, i64)>,
    pub constant: i64,
}

/// A basis of the equations that hold in all rows, each with one column that is in no other and as a sum of columns to its left.
pub(super) fn equations(rows: &[Vec<Integer>], columns: usize) -> Vec<Equation> {
    // The first column is the constant. What is left of it in echelon form are the columns that others depend on.
    let mut basis: Vec<(usize, Vec<u64>)> = Vec::new();
    for row in rows {
        let Some(values) = row.iter().map(residue).collect::<Option<Vec<u64>>>() else { return Vec::new() };
        let mut row: Vec<u64> = std::iter::once(1).chain(values).collect();
        for (pivot, known) in &basis {
            subtract(&mut row, *pivot, known);
        }
        let Some(pivot) = row.iter().position(|&value| value != 0) else { continue };
        let factor = power(row[pivot], PRIME - 2);
        row.iter_mut().for_each(|value| *value = times(*value, factor));
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
        let mut equation = Equation { coefficients: Vec::new(), constant: 0 };
        for (pivot, row) in basis.iter().filter(|(_, row)| row[column] != 0) {
            let value = -signed(row[column]);
            let largest = if *pivot == 0 { LARGEST_CONSTANT } else { LARGEST };
            match (-largest..=largest).contains(&value) {
                true if *pivot == 0 => equation.constant = value,
                true => equation.coefficients.push((pivot - 1, value)),
                false => return None,
            }
        }
        equation.coefficients.push((column - 1, 1));
        Some(equation)
    })
    .collect()
}

/// Makes a column 0 with a row that has 1 there.
fn subtract(row: &mut [u64], pivot: usize, known: &[u64]) {
    let factor = PRIME - row[pivot];
    if factor != PRIME {
        row.iter_mut().zip(known).for_each(|(value, &other)| *value = (*value + times(factor, other)) % PRIME);
    }
}

fn residue(value: &Integer) -> Option<u64> {
    let value = value.to_i64()?;
    Some(value.rem_euclid(PRIME as i64) as u64)
}

/// The number nearest to 0 that has this residue.
fn signed(residue: u64) -> i64 {
    if residue > PRIME / 2 { residue as i64 - PRIME as i64 } else { residue as i64 }
}

fn times(one: u64, other: u64) -> u64 {
    (u128::from(one) * u128::from(other) % u128::from(PRIME)) as u64
}

fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut square, mut left) = (1, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        left >>= 1;
    }
    result
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
