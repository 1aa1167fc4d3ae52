//! Affine equalities and zones at once, each case of an action seen by both (the reduced product of Cousot 1979).
//!
//! A case that one domain excludes is excluded, and each learns from the other: an equality bounds every variable in it
//! by the bounds of the others, and two bounds that meet are an equality. So `d + w = W` with `w ≥ 0` gives `d ≤ W`, and
//! `i ≤ n` at the exit of `while (i < n)` gives `i = n`.

use super::affine::{self, Affine};
use super::cases::Case;
use super::difference::{Expression, NONE, Zone};
use super::domain::{Domain, analyse};
use super::system::{CONSTANT, Row, System};
use super::zones::{self, Zones};
use super::{FlowGraph, InvariantBudget};
use braid_logic::{Integer, Node, Rational, Term, TermPool};
use braid_program::cfa::Relation;

/// For each node, the equalities and bounds that hold whenever control is there, as of
/// [`affine_equalities`](super::affine_equalities) and [`zones`](super::zones()) but stronger than both. A node that
/// control does not reach has `false`.
pub fn loop_invariants(pool: &TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Vec<Vec<Term>> {
    let (affine, zones) = (Affine::new(pool, graph, budget), Zones::new(pool, graph, budget));
    let column = |var| affine.tracked().iter().position(|&term| term == pool.of_var(var)).map(|column| column as u32);
    let columns: Vec<Option<u32>> = [None].into_iter().chain(zones.vars().iter().map(|&var| column(var))).collect();
    let mut clocks = vec![None; affine.tracked().len()];
    for (clock, column) in columns.iter().enumerate() {
        if let Some(column) = column {
            clocks[*column as usize] = Some(clock);
        }
    }
    analyse(pool, graph, &Product { pool, affine, zones, columns, clocks }, budget)
}

struct Product<'p> {
    pool: &'p TermPool,
    affine: Affine<'p>,
    zones: Zones<'p>,
    /// Per clock: its variable's column.
    columns: Vec<Option<u32>>,
    /// Per column: its variable's clock.
    clocks: Vec<Option<usize>>,
}

impl Product<'_> {
    /// What both say, said by each; none if they contradict each other.
    fn reduced(&self, system: &System, zone: &Zone) -> Option<(System, Zone)> {
        let (mut system, mut zone) = (system.clone(), zone.closed());
        for expression in system.rows().iter().filter_map(|row| self.expression(row)) {
            if !(zone.assume_at_most_zero(&expression) && zone.assume_at_most_zero(&expression.negated())) {
                return None;
            }
        }
        for clock in 1..zone.size() {
            let equal =
                |other: usize| zone.get(clock, other) != NONE && zone.get(other, clock) == -zone.get(clock, other);
            let Some(other) = (0..clock).find(|&other| equal(other)) else { continue };
            let Some(mut row) = self.columns[clock].map(Row::of) else { continue };
            match (other, self.columns[other]) {
                (0, _) => {}
                (_, Some(column)) => row = row.minus(&Row::of(column)),
                (_, None) => continue,
            }
            if !system.assume(&row.minus(&Row::constant(Rational::from(zone.get(clock, other))))) {
                return None;
            }
        }
        Some((system, zone))
    }

    /// A row as an expression over clocks, if it is one with moderate coefficients.
    fn expression(&self, row: &Row) -> Option<Expression> {
        let mut scale = Integer::ONE;
        for (_, value) in row.entries() {
            let denominator = value.denominator();
            scale = &scale * &denominator.div_floor(&scale.gcd(&denominator));
        }
        let mut expression = Expression::default();
        for (column, value) in row.entries() {
            let whole = (value * &Rational::from(&scale)).numerator().to_i64();
            let whole = whole.filter(|c| c.unsigned_abs() < 1 << 32)?;
            match *column {
                CONSTANT => expression.constant = whole,
                column => expression.parts.push((self.clocks[column as usize]?, whole)),
            }
        }
        (expression.parts.len() <= zones::MAX_PARTS).then_some(expression)
    }
}

impl<'p> Domain for Product<'p> {
    type Element = (System, Zone);
    type Transfer = (affine::Transfer<'p>, zones::Transfer);

    fn top(&self) -> (System, Zone) {
        (self.affine.top(), self.zones.top())
    }

    fn values(&self, action: &Relation) -> Vec<Term> {
        [self.affine.values(action), self.zones.values(action)].concat()
    }

    fn transfer(&self, action: &Relation, case: &Case) -> Self::Transfer {
        let (first, second) = case.values.split_at(self.affine.values(action).len());
        let with = |values: &[Term]| Case { values: values.to_vec(), ..case.clone() };
        (self.affine.transfer(action, &with(first)), self.zones.transfer(action, &with(second)))
    }

    fn follow(&self, (first, second): &Self::Transfer, (system, zone): &(System, Zone)) -> Option<(System, Zone)> {
        let (system, zone) = self.reduced(system, zone)?;
        let zone = self.zones.follow(second, &zone)?;
        let system = self.affine.follow(first, &system)?;
        self.reduced(&system, &zone)
    }

    fn join(&self, a: &(System, Zone), b: &(System, Zone)) -> (System, Zone) {
        (self.affine.join(&a.0, &b.0), self.zones.join(&a.1, &b.1))
    }

    fn widen(&self, old: &(System, Zone), new: &(System, Zone), growth: usize) -> (System, Zone) {
        (self.affine.widen(&old.0, &new.0, growth), self.zones.widen(&old.1, &new.1, growth))
    }

    fn facts(&self, (system, zone): &(System, Zone)) -> Vec<Term> {
        let Some((system, zone)) = self.reduced(system, zone) else { return vec![Term::FALSE] };
        let mut facts = self.affine.facts(&system);
        if facts != [Term::FALSE] {
            let is_new = |fact: &Term| match self.pool.node(*fact) {
                Node::Zero(linear) => !self.affine.implies(&system, linear),
                _ => true,
            };
            facts.extend(self.zones.facts(&zone).into_iter().filter(is_new));
        }
        facts
    }
}
