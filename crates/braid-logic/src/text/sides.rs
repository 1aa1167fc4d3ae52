//! Linear sums as people write them: negative parts on the other side of a comparison, or behind a minus.

use crate::number::Integer;
use crate::term::{Linear, Term};

/// Parts with positive coefficients, in the order of the sum that they come from.
pub(super) type Parts = Vec<(Term, Integer)>;

/// How the two sides of a comparison relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Less,
    LessEqual,
    GreaterEqual,
    Equal,
}

/// One side of a comparison, `Σ parts + constant`; the constant is negative only if there are no parts.
pub(super) struct Side {
    pub parts: Parts,
    pub constant: Integer,
}

/// `left relation right`.
pub(super) struct Comparison {
    pub left: Side,
    pub relation: Relation,
    pub right: Side,
}

/// The parts with positive coefficients, and those with negative ones, negated.
pub(super) fn split(linear: &Linear) -> (Parts, Parts) {
    let (mut plus, mut minus) = (Parts::new(), Parts::new());
    for (part, c) in &linear.parts {
        if c.is_negative() { minus.push((*part, -c)) } else { plus.push((*part, c.clone())) }
    }
    (plus, minus)
}

impl Comparison {
    /// `linear ≤ 0`.
    pub fn at_most_zero(linear: &Linear) -> Comparison {
        let constant = &linear.constant;
        let (plus, minus) = split(linear);
        if plus.is_empty() {
            let (left, right) = (Side { parts: minus, constant: Integer::ZERO }, number(constant.clone()));
            return Comparison { left, relation: Relation::GreaterEqual, right };
        }
        if constant.is_one() && !minus.is_empty() {
            let side = |parts| Side { parts, constant: Integer::ZERO };
            return Comparison { left: side(plus), relation: Relation::Less, right: side(minus) };
        }
        Comparison::balanced(plus, constant, Relation::LessEqual, minus)
    }

    /// `linear = 0`.
    pub fn zero(linear: &Linear) -> Comparison {
        let (plus, minus) = split(linear);
        Comparison::balanced(plus, &linear.constant, Relation::Equal, minus)
    }

    /// `plus + constant relation minus`, with the constant where it is not negative, or alone.
    fn balanced(plus: Parts, constant: &Integer, relation: Relation, minus: Parts) -> Comparison {
        let to_the_right = minus.is_empty() || constant.is_negative();
        let (left, right) = if to_the_right { (Integer::ZERO, -constant) } else { (constant.clone(), Integer::ZERO) };
        let (left, right) = (Side { parts: plus, constant: left }, Side { parts: minus, constant: right });
        Comparison { left, relation, right }
    }
}

fn number(constant: Integer) -> Side {
    Side { parts: Parts::new(), constant }
}

/// A sum as `plus - minus`: both are lists of scaled terms and numbers, all positive but for a lone first number.
pub(super) struct Difference {
    pub plus: Vec<Summand>,
    pub minus: Vec<Summand>,
}

/// One part of a sum.
pub(super) enum Summand {
    /// A term times a positive coefficient.
    Scaled(Term, Integer),
    /// A number.
    Number(Integer),
}

impl Side {
    /// The summands of this side, at least one.
    pub fn summands(self) -> Vec<Summand> {
        let lone = self.parts.is_empty();
        let mut summands: Vec<Summand> = self.parts.into_iter().map(|(part, c)| Summand::Scaled(part, c)).collect();
        if lone || !self.constant.is_zero() {
            summands.push(Summand::Number(self.constant));
        }
        summands
    }
}

impl Difference {
    /// The sum as a difference. `plus` is empty if there is neither a positive part nor a constant.
    pub fn of(linear: &Linear) -> Difference {
        let (plus, minus) = split(linear);
        let scaled = |parts: Parts| parts.into_iter().map(|(part, c)| Summand::Scaled(part, c)).collect();
        let mut difference = Difference { plus: scaled(plus), minus: scaled(minus) };
        let constant = &linear.constant;
        if constant.is_positive() || (constant.is_negative() && difference.plus.is_empty()) {
            difference.plus.push(Summand::Number(constant.clone()));
        } else if constant.is_negative() {
            difference.minus.push(Summand::Number(-constant));
        }
        difference
    }
}
