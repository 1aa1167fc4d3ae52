//! Systems of affine equalities over the rationals, as subspaces: an equality is a row `Σ c·d + k·1 = 0`, and the
//! constant is one more column, the last.
//!
//! Invariant: a system is in reduced row echelon form, so equal solution sets are equal values. The empty set has no
//! system. The join (affine hull) is the intersection of the two row spaces: exactly the equalities that hold in both.

use braid_logic::Rational;

/// The column of the constant.
pub(super) const CONSTANT: u32 = u32::MAX;

/// A linear combination of columns, sorted by column, without zeros.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Row(Vec<(u32, Rational)>);

impl Row {
    /// The column alone.
    pub fn of(column: u32) -> Row {
        Row(vec![(column, Rational::ONE)])
    }

    /// The constant alone.
    pub fn constant(value: Rational) -> Row {
        Row(if value.is_zero() { Vec::new() } else { vec![(CONSTANT, value)] })
    }

    /// The entries, sorted by column.
    pub fn entries(&self) -> &[(u32, Rational)] {
        &self.0
    }

    /// Is this 0 everywhere?
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, if no column but the constant's has an entry.
    pub fn as_constant(&self) -> Option<Rational> {
        match &self.0[..] {
            [] => Some(Rational::ZERO),
            [(CONSTANT, value)] => Some(value.clone()),
            _ => None,
        }
    }

    /// The entry of a column, if it is not 0.
    pub fn coefficient(&self, column: u32) -> Option<&Rational> {
        let place = self.0.binary_search_by_key(&column, |(column, _)| *column).ok()?;
        Some(&self.0[place].1)
    }

    /// `self += factor · other`.
    pub fn add(&mut self, factor: &Rational, other: &Row) {
        if factor.is_zero() || other.0.is_empty() {
            return;
        }
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let mut mine = std::mem::take(&mut self.0).into_iter().peekable();
        for (column, c) in &other.0 {
            while let Some(entry) = mine.next_if(|(earlier, _)| earlier < column) {
                sum.push(entry);
            }
            let mut value = mine.next_if(|(same, _)| same == column).map_or(Rational::ZERO, |(_, value)| value);
            value.add_product(factor, c);
            if !value.is_zero() {
                sum.push((*column, value));
            }
        }
        sum.extend(mine);
        self.0 = sum;
    }

    /// `self - other`.
    pub fn minus(mut self, other: &Row) -> Row {
        self.add(&Rational::from(-1), other);
        self
    }

    /// The row with every entry times `factor`.
    pub fn scaled(&self, factor: &Rational) -> Row {
        let mut scaled = Row::default();
        scaled.add(factor, self);
        scaled
    }

    fn first(&self) -> Option<u32> {
        self.0.first().map(|(column, _)| *column)
    }

    /// The columns under other numbers.
    fn renamed(self, rename: impl Fn(u32) -> u32) -> Row {
        let mut entries = self.0;
        entries.iter_mut().for_each(|(column, _)| *column = rename(*column));
        entries.sort_by_key(|(column, _)| *column);
        Row(entries)
    }

    fn is_small(&self) -> bool {
        let word = |value: &Rational| {
            value.numerator().to_i64().is_some_and(|n| n.unsigned_abs() < 1 << 40)
                && value.denominator().to_i64().is_some_and(|d| d < 1 << 20)
        };
        self.0.iter().all(|(_, value)| word(value))
    }
}

/// The equalities of a non-empty affine space.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct System {
    /// Sorted by first column, which has coefficient 1 there and 0 in all other rows.
    rows: Vec<Row>,
}

impl System {
    /// The equalities, independent of each other.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row with all first columns of the system eliminated: 0 if and only if `row = 0` follows.
    pub fn reduce(&self, row: &Row) -> Row {
        let mut reduced = row.clone();
        for (column, c) in &row.0 {
            if let Some(place) = self.place(*column) {
                reduced.add(&-c, &self.rows[place]);
            }
        }
        reduced
    }

    fn place(&self, column: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&Some(column), Row::first).ok()
    }

    /// Adds `row = 0`; false if nothing is left.
    #[must_use]
    pub fn assume(&mut self, row: &Row) -> bool {
        let reduced = self.reduce(row);
        let Some((column, leading)) = reduced.0.first() else { return true };
        if *column == CONSTANT {
            return false;
        }
        let (column, reduced) = (*column, reduced.scaled(&leading.reciprocal()));
        for other in &mut self.rows {
            if let Some(c) = other.coefficient(column) {
                let factor = -c;
                other.add(&factor, &reduced);
            }
        }
        let place = self.rows.partition_point(|other| other.first() < Some(column));
        self.rows.insert(place, reduced);
        true
    }

    /// Projects a column away. Eliminating with the last row that mentions it keeps the echelon form: that row's first
    /// column, which comes into earlier rows, is behind their own and no longer first anywhere.
    pub fn forget(&mut self, column: u32) {
        let Some(last) = self.rows.iter().rposition(|row| row.coefficient(column).is_some()) else { return };
        let removed = self.rows.remove(last);
        let inverse = removed.coefficient(column).expect("the row mentions the column").reciprocal();
        for row in &mut self.rows[..last] {
            if let Some(c) = row.coefficient(column) {
                let factor = -&(c * &inverse);
                row.add(&factor, &removed);
            }
        }
    }

    /// The columns under other numbers, different ones for different ones.
    pub fn rename(self, rename: impl Fn(u32) -> u32) -> System {
        let mut renamed = System::default();
        for row in self.rows {
            let consistent = renamed.assume(&row.renamed(&rename));
            debug_assert!(consistent, "renaming keeps a solution");
        }
        renamed
    }

    /// The affine hull of the union.
    pub fn join(&self, other: &System) -> System {
        let mut joined = System::default();
        // Rests of own rows modulo the other system, with the combination of own rows that they come from.
        let mut rests: Vec<(Row, Row)> = Vec::new();
        for row in &self.rows {
            let (mut rest, mut combination) = (other.reduce(row), row.clone());
            for (earlier, origin) in &rests {
                let (column, leading) = &earlier.0[0];
                if let Some(c) = rest.coefficient(*column) {
                    let factor = -&(c * &leading.reciprocal());
                    rest.add(&factor, earlier);
                    combination.add(&factor, origin);
                }
            }
            if !rest.is_zero() {
                rests.push((rest, combination));
            } else if combination.is_small() {
                let consistent = joined.assume(&combination);
                debug_assert!(consistent, "a combination of satisfiable rows");
            }
        }
        joined
    }

    /// Drops equalities with huge coefficients.
    pub fn drop_huge(&mut self) {
        self.rows.retain(Row::is_small);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row from coefficients of columns 0, 1, … and a constant.
    fn row(coefficients: &[i64], constant: i64) -> Row {
        let mut row = Row::constant(constant.into());
        for (column, &c) in coefficients.iter().enumerate() {
            row.add(&c.into(), &Row::of(column as u32));
        }
        row
    }

    fn system(rows: &[Row]) -> System {
        let mut system = System::default();
        assert!(rows.iter().all(|row| system.assume(row)));
        system
    }

    #[test]
    fn points_span_a_line() {
        let join = system(&[row(&[1, 0], 0), row(&[0, 1], 0)]).join(&system(&[row(&[1, 0], -3), row(&[0, 1], -3)]));
        assert_eq!(join, system(&[row(&[1, -1], 0)]));
        assert_eq!(join.join(&system(&[row(&[1, 0], 0), row(&[0, 1], -1)])), System::default());
    }

    #[test]
    fn projection_keeps_what_follows() {
        let mut chain = system(&[row(&[1, -1, 0], 0), row(&[0, 1, -1], 2)]);
        chain.forget(1);
        assert_eq!(chain, system(&[row(&[1, 0, -1], 2)]));
        chain.forget(0);
        assert_eq!(chain, System::default());
    }

    #[test]
    fn contradictions_are_seen() {
        let mut point = system(&[row(&[1, 1], -2), row(&[1, -1], 0)]);
        assert!(point.reduce(&row(&[1, 0], -1)).is_zero());
        assert!(!point.assume(&row(&[3, 0], 1)));
    }
}
