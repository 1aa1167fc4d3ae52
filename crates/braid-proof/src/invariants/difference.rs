//! Difference-bound matrices: all bounds `x - y ≤ c` between clocks, where clock 0 is always 0 (Miné 2001).
//!
//! Invariant: a matrix has a solution, and all but the results of widening are closed: each bound is the tightest that
//! follows, so a set is part of another if its bounds are. Bounds beyond a trillion count as none: nothing overflows.

/// No bound.
pub(super) const NONE: i64 = i64::MAX;
const HUGE: i64 = 1 << 40;

/// The sum of two bounds.
pub(super) fn plus(a: i64, b: i64) -> i64 {
    if a == NONE || b == NONE { NONE } else { bound(a + b) }
}

/// A bound of moderate size that is not tighter.
pub(super) fn bound(c: i64) -> i64 {
    if c > HUGE { NONE } else { c.max(-HUGE) }
}

/// `Σ c·x + k` over clocks other than 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Expression {
    /// Clocks with coefficients that are not 0, each clock once.
    pub parts: Vec<(usize, i64)>,
    /// The constant; at most a trillion from 0, as the coefficients are.
    pub constant: i64,
}

impl Expression {
    /// The expression times -1.
    pub fn negated(&self) -> Expression {
        let parts = self.parts.iter().map(|(clock, c)| (*clock, -c)).collect();
        Expression { parts, constant: -self.constant }
    }

    /// The expression plus a constant.
    pub fn plus(&self, constant: i64) -> Expression {
        Expression { parts: self.parts.clone(), constant: self.constant + constant }
    }

    /// The clocks with this coefficient, and clock 0.
    fn with_coefficient(&self, wanted: i64) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter(move |(_, c)| *c == wanted).map(|(clock, _)| *clock).chain([0])
    }

    fn without(&self, clocks: [usize; 2]) -> Expression {
        let parts = self.parts.iter().copied().filter(|(clock, _)| !clocks.contains(clock)).collect();
        Expression { parts, constant: self.constant }
    }
}

/// A matrix with a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Zone {
    size: usize,
    /// `bounds[i · size + j]` bounds `x_i - x_j`.
    bounds: Vec<i64>,
}

impl Zone {
    /// All values of `size` clocks, clock 0 included.
    pub fn top(size: usize) -> Zone {
        Zone::from_fn(size, |i, j| if i == j { 0 } else { NONE })
    }

    fn from_fn(size: usize, bound: impl Fn(usize, usize) -> i64) -> Zone {
        let bounds = (0..size * size).map(|place| bound(place / size, place % size)).collect();
        Zone { size, bounds }
    }

    /// The number of clocks, clock 0 included.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bound of `x_i - x_j`.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> i64 {
        self.bounds[i * self.size + j]
    }

    /// With more clocks, of which nothing is known.
    pub fn extended(&self, more: usize) -> Zone {
        let known = |i, j| i < self.size && j < self.size;
        let bound = |i, j| match () {
            () if known(i, j) => self.get(i, j),
            () if i == j => 0,
            () => NONE,
        };
        Zone::from_fn(self.size + more, bound)
    }

    /// The given clocks, in that order. The first stays clock 0.
    pub fn projected(&self, clocks: &[usize]) -> Zone {
        Zone::from_fn(clocks.len(), |i, j| self.get(clocks[i], clocks[j]))
    }

    /// Adds `x_i - x_j ≤ c`; false if nothing is left.
    #[must_use]
    pub fn assume(&mut self, i: usize, j: usize, c: i64) -> bool {
        if self.get(i, j) <= c {
            return true;
        }
        if plus(self.get(j, i), c) < 0 {
            return false;
        }
        for a in 0..self.size {
            let to_j = plus(self.get(a, i), c);
            if to_j == NONE {
                continue;
            }
            for b in 0..self.size {
                let through = plus(to_j, self.get(j, b));
                let place = a * self.size + b;
                self.bounds[place] = self.bounds[place].min(through);
            }
        }
        true
    }

    /// An upper bound of an expression: differences of clocks where there are pairs, intervals for the rest.
    pub fn upper(&self, expression: &Expression) -> i64 {
        let mut total = bound(expression.constant);
        let mut open: Vec<(usize, i64)> = expression.parts.clone();
        while let Some((clock, c)) = open.pop() {
            let partner = open.iter().position(|&(other, d)| {
                let pair = if c > 0 { self.get(clock, other) } else { self.get(other, clock) };
                c.abs() == 1 && d == -c && pair != NONE
            });
            let part = match partner {
                Some(place) => {
                    let (other, _) = open.swap_remove(place);
                    if c > 0 { self.get(clock, other) } else { self.get(other, clock) }
                }
                None => {
                    let single = if c > 0 { self.get(clock, 0) } else { self.get(0, clock) };
                    if single == NONE { NONE } else { single.checked_mul(c.abs()).map_or(NONE, bound) }
                }
            };
            total = plus(total, part);
        }
        total
    }

    /// Assumes `expression ≤ 0`, as far as differences can say it; false if nothing is left.
    #[must_use]
    pub fn assume_at_most_zero(&mut self, expression: &Expression) -> bool {
        expression.with_coefficient(1).all(|i| {
            expression.with_coefficient(-1).all(|j| {
                let limit = self.upper(&expression.without([i, j]).negated());
                if i == j { limit >= 0 } else { limit == NONE || self.assume(i, j, limit) }
            })
        })
    }

    /// Assumes `expression ≠ 0`: a bound that touches 0 moves by one; false if nothing is left.
    #[must_use]
    pub fn assume_not_zero(&mut self, expression: &Expression) -> bool {
        let (above, below) = (self.upper(expression), self.upper(&expression.negated()));
        (above != 0 || self.assume_at_most_zero(&expression.plus(1)))
            && (below != 0 || self.assume_at_most_zero(&expression.negated().plus(1)))
    }

    /// Defines a clock of which nothing is known as the value of an expression over others.
    pub fn define(&mut self, clock: usize, expression: &Expression) {
        for base in expression.with_coefficient(1) {
            let rest = expression.without([base, base]);
            let (above, below) = (self.upper(&rest), self.upper(&rest.negated()));
            let consistent = (above == NONE || self.assume(clock, base, above))
                && (below == NONE || self.assume(base, clock, below));
            debug_assert!(consistent, "the value of the expression is a solution");
        }
    }

    /// The smallest zone around both.
    pub fn join(&self, other: &Zone) -> Zone {
        Zone::from_fn(self.size, |i, j| self.get(i, j).max(other.get(i, j)))
    }

    /// Raises every bound that grew to the next threshold. The result is not closed: what closure would tighten again
    /// could grow forever.
    pub fn widen(&self, grown: &Zone, thresholds: &[i64]) -> Zone {
        let next = |c: i64| thresholds.get(thresholds.partition_point(|&t| t < c)).copied().unwrap_or(NONE);
        let raised = |i, j| match (self.get(i, j), grown.get(i, j)) {
            (old, new) if new <= old => old,
            (_, NONE) => NONE,
            (_, new) => next(new),
        };
        Zone::from_fn(self.size, raised)
    }

    /// The closed matrix of the same set (Floyd and Warshall).
    pub fn closed(&self) -> Zone {
        let mut closed = self.clone();
        for k in 0..self.size {
            for i in 0..self.size {
                let first = closed.get(i, k);
                if first == NONE {
                    continue;
                }
                for j in 0..self.size {
                    let through = plus(first, closed.get(k, j));
                    let place = i * self.size + j;
                    closed.bounds[place] = closed.bounds[place].min(through);
                }
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(parts: &[(usize, i64)], constant: i64) -> Expression {
        Expression { parts: parts.to_vec(), constant }
    }

    #[test]
    fn sums_are_bounded_by_pairs_and_intervals() {
        let mut zone = Zone::top(4);
        assert!(zone.assume(1, 2, 3) && zone.assume(3, 0, 5) && zone.assume(0, 3, -2));
        assert_eq!(zone.upper(&expression(&[(1, 1), (2, -1), (3, 2)], 1)), 3 + 10 + 1);
        assert_eq!(zone.upper(&expression(&[(1, 1), (3, -1)], 0)), NONE);
        // x1 + x3 ≤ x2 with x3 ≥ 2.
        assert!(zone.assume_at_most_zero(&expression(&[(1, 1), (2, -1), (3, 1)], 0)));
        assert_eq!((zone.get(1, 2), zone.get(3, 0)), (-2, 5));
    }

    #[test]
    fn a_disequality_moves_a_bound_that_it_touches() {
        let mut zone = Zone::top(2);
        assert!(zone.assume(1, 0, 4) && zone.assume_not_zero(&expression(&[(1, 1)], -4)));
        assert_eq!(zone.get(1, 0), 3);
        assert!(zone.assume(0, 1, -3) && !zone.assume_not_zero(&expression(&[(1, -1)], 3)));
    }

    #[test]
    fn contradictions_are_seen_through_a_chain() {
        let mut zone = Zone::top(3);
        assert!(zone.assume(1, 2, -1) && zone.assume(2, 0, 0) && !zone.assume(0, 1, 0));
    }
}
