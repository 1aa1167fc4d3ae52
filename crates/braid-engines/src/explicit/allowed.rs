//! What a guard allows for the unknowns that it mentions: bounds and fixed values, by propagation.
//!
//! The answer may allow too much, never too little: a value that is not allowed makes the guard false whatever the other
//! unknowns are.

use braid_logic::{Environment, Fun, Integer, Linear, Node, Open, Term, TermPool, Value, Var};

/// Passes over a guard after which propagation ends even if bounds still move.
const MOST_PASSES: usize = 8;

/// What is allowed for one unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Allowed {
    Anything,
    /// Integers from and to these, both included; none: without end.
    Between(Option<Integer>, Option<Integer>),
    /// One value of a sort other than Int.
    Exactly(Value),
    Nothing,
}

use Allowed::{Anything, Between, Exactly, Nothing};

impl Allowed {
    fn only(value: Value) -> Allowed {
        match value {
            Value::Int(value) => Between(Some(value.clone()), Some(value)),
            other => Exactly(other),
        }
    }

    fn bounds(&self) -> (Option<&Integer>, Option<&Integer>) {
        match self {
            Between(low, high) => (low.as_ref(), high.as_ref()),
            _ => (None, None),
        }
    }

    /// What both allow.
    fn and(self, other: Allowed) -> Allowed {
        match (self, other) {
            (Nothing, _) | (_, Nothing) => Nothing,
            (Anything, rest) | (rest, Anything) => rest,
            (Between(a, b), Between(c, d)) => {
                let low = [a, c].into_iter().flatten().max();
                let high = [b, d].into_iter().flatten().min();
                match (&low, &high) {
                    (Some(low), Some(high)) if low > high => Nothing,
                    _ => Between(low, high),
                }
            }
            (Exactly(a), Exactly(b)) if a == b => Exactly(a),
            (Exactly(_), Exactly(_)) => Nothing,
            _ => unreachable!("an unknown has one sort"),
        }
    }

    /// What at least one of them allows, and maybe more.
    fn or(self, other: Allowed) -> Allowed {
        match (self, other) {
            (Anything, _) | (_, Anything) => Anything,
            (Nothing, rest) | (rest, Nothing) => rest,
            (Between(a, b), Between(c, d)) => {
                match (a.zip(c).map(|(a, c)| a.min(c)), b.zip(d).map(|(b, d)| b.max(d))) {
                    (None, None) => Anything,
                    (low, high) => Between(low, high),
                }
            }
            (Exactly(a), Exactly(b)) if a == b => Exactly(a),
            _ => Anything,
        }
    }
}

/// A guard with what is known of its unknowns.
pub(super) struct Propagation<'a, E> {
    pool: &'a TermPool,
    environment: &'a E,
    /// Each unknown with what is allowed for it so far.
    allowed: Vec<(Open, Allowed)>,
}

impl<'a, E: Environment> Propagation<'a, E> {
    /// Finds what `guard` allows for each of the unknowns.
    pub fn run(pool: &'a TermPool, environment: &'a E, guard: Term, unknowns: Vec<Open>) -> Vec<(Open, Allowed)> {
        let allowed = unknowns.into_iter().map(|unknown| (unknown, Anything)).collect();
        let mut propagation = Propagation { pool, environment, allowed };
        for _ in 0..MOST_PASSES {
            let mut changed = false;
            for number in 0..propagation.allowed.len() {
                let before = propagation.allowed[number].1.clone();
                let now = propagation.by(guard, number).and(before.clone());
                changed |= now != before;
                propagation.allowed[number].1 = now;
            }
            if !changed {
                break;
            }
        }
        propagation.allowed
    }

    fn value(&self, term: Term) -> Option<Value> {
        self.pool.evaluate(term, self.environment).ok()
    }

    /// The unknown that a term is, if it is one of ours.
    fn unknown(&self, term: Term) -> Option<usize> {
        let is_direct = match self.pool.node(term) {
            Node::Var(_) => true,
            Node::Apply(_, arguments) => arguments.iter().all(|&argument| self.value(argument).is_some()),
            Node::Select(array, index) => self.value(*array).is_some() && self.value(*index).is_some(),
            _ => false,
        };
        let open = is_direct.then(|| self.pool.evaluate(term, self.environment).err())??;
        self.allowed.iter().position(|(unknown, _)| *unknown == open)
    }

    /// What a formula allows for one unknown.
    fn by(&self, formula: Term, number: usize) -> Allowed {
        match self.pool.node(formula) {
            Node::True => Anything,
            Node::False => Nothing,
            Node::And(items) => items.iter().fold(Anything, |all, &item| all.and(self.by(item, number))),
            Node::Or(items) => items.iter().fold(Nothing, |all, &item| all.or(self.by(item, number))),
            Node::Le(linear) => self.by_sum(linear, number, false),
            Node::Zero(linear) => self.by_sum(linear, number, true),
            Node::Eq(a, b) => match (self.unknown(*a), self.unknown(*b)) {
                (Some(one), None) if one == number => self.value(*b).map_or(Anything, Allowed::only),
                (None, Some(one)) if one == number => self.value(*a).map_or(Anything, Allowed::only),
                _ => self.known(formula),
            },
            Node::Not(inner) if self.unknown(*inner) == Some(number) => Exactly(Value::Bool(false)),
            _ if self.unknown(formula) == Some(number) => Exactly(Value::Bool(true)),
            _ => self.known(formula),
        }
    }

    /// A formula that does not bound the unknown may still be false.
    fn known(&self, formula: Term) -> Allowed {
        if self.value(formula) == Some(Value::Bool(false)) { Nothing } else { Anything }
    }

    /// What `sum ≤ 0`, or `sum = 0`, allows for one unknown.
    fn by_sum(&self, sum: &Linear, number: usize, equal: bool) -> Allowed {
        let mut factor = Integer::ZERO;
        // The least and the greatest value of the rest of the sum.
        let (mut least, mut greatest) = (Some(sum.constant.clone()), Some(sum.constant.clone()));
        for (part, c) in &sum.parts {
            let (low, high) = match self.unknown(*part) {
                Some(one) if one == number => {
                    factor += c;
                    continue;
                }
                Some(other) => {
                    let (low, high) = self.allowed[other].1.bounds();
                    (low.cloned(), high.cloned())
                }
                None => match self.value(*part) {
                    Some(Value::Int(value)) => (Some(value.clone()), Some(value)),
                    _ => (None, None),
                },
            };
            let (low, high) = if c.is_negative() { (high, low) } else { (low, high) };
            least = least.zip(low).map(|(sum, low)| &sum + &(c * &low));
            greatest = greatest.zip(high).map(|(sum, high)| &sum + &(c * &high));
        }
        // factor · unknown ≤ -rest; and ≥ -rest for equalities.
        let above = least.map(|rest| -&rest);
        let below = if equal { greatest.map(|rest| -&rest) } else { None };
        if factor.is_zero() {
            let holds =
                above.is_none_or(|above| !above.is_negative()) && below.is_none_or(|below| !below.is_positive());
            return if holds { Anything } else { Nothing };
        }
        let (low, high) = if factor.is_negative() {
            let factor = -&factor;
            (above.map(|above| ceiling(&-&above, &factor)), below.map(|below| (-&below).div_floor(&factor)))
        } else {
            (below.map(|below| ceiling(&below, &factor)), above.map(|above| above.div_floor(&factor)))
        };
        match (low, high) {
            (None, None) => Anything,
            (low, high) => Between(low, high).and(Between(None, None)),
        }
    }
}

/// The quotient rounded towards infinity; the divisor is positive.
fn ceiling(dividend: &Integer, divisor: &Integer) -> Integer {
    -&(-dividend).div_floor(divisor)
}

/// An environment with the values of an action's own havocs on top of those of a state.
pub(super) struct WithChoices<'a, E> {
    pub state: E,
    /// The variables that stand for the havocked values, and their values as far as they are chosen.
    pub variables: &'a [Var],
    pub values: &'a [Option<Value>],
}

impl<E: Environment> Environment for WithChoices<'_, E> {
    fn var(&self, var: Var) -> Option<Value> {
        match self.variables.iter().position(|&choice| choice == var) {
            Some(number) => self.values.get(number).cloned().flatten(),
            None => self.state.var(var),
        }
    }

    fn application(&self, fun: Fun, arguments: &[Value]) -> Option<Value> {
        self.state.application(fun, arguments)
    }

    fn cell(&self, var: Var, index: &Value) -> Option<Value> {
        self.state.cell(var, index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Sort;

    /// Nothing is known.
    struct Nobody;

    impl Environment for Nobody {
        fn var(&self, _: Var) -> Option<Value> {
            None
        }

        fn application(&self, _: Fun, _: &[Value]) -> Option<Value> {
            None
        }

        fn cell(&self, _: Var, _: &Value) -> Option<Value> {
            None
        }
    }

    /// The bounds that a guard gives for the integers `x` and `y`.
    fn check(guard: impl Fn(&TermPool, Term, Term) -> Term, x: &str, y: &str) {
        let pool = TermPool::new();
        let vars = [pool.var("x", Sort::INT), pool.var("y", Sort::INT)];
        let guard = guard(&pool, pool.of_var(vars[0]), pool.of_var(vars[1]));
        let allowed = Propagation::run(&pool, &Nobody, guard, vars.map(Open::Var).to_vec());
        let show = |allowed: &Allowed| match allowed {
            Between(low, high) => {
                let end = |bound: &Option<Integer>| bound.as_ref().map_or(String::new(), Integer::to_string);
                format!("{}..{}", end(low), end(high))
            }
            other => format!("{other:?}"),
        };
        assert_eq!((show(&allowed[0].1).as_str(), show(&allowed[1].1).as_str()), (x, y), "{guard:?}");
    }

    #[test]
    fn bounds_come_from_conjuncts_and_travel_along_sums() {
        check(|p, x, y| p.eq(x, y), "Anything", "Anything");
        check(|p, x, y| p.and([p.eq(x, y), p.eq(y, p.int(0))]), "0..0", "0..0");
        check(|p, x, y| p.and([p.le(p.int(0), x), p.le(x, y), p.le(y, p.int(3))]), "0..3", "0..3");
        check(|p, x, _| p.and([p.ge(x, p.int(-7)), p.lt(x, p.int(2))]), "-7..1", "Anything");
        check(|p, x, _| p.and([p.ge(x, p.int(2)), p.lt(x, p.int(2))]), "Nothing", "Nothing");
        check(|p, x, _| p.le(p.scale(&Integer::from(-3), x), p.int(-4)), "2..", "Anything");
        check(|p, x, y| p.and([p.eq(p.add([x, y]), p.int(5)), p.le(y, p.int(2))]), "3..", "..2");
    }

    #[test]
    fn a_disjunction_gives_the_hull() {
        check(|p, x, _| p.or([p.eq(x, p.int(1)), p.eq(x, p.int(4))]), "1..4", "Anything");
        check(|p, x, y| p.or([p.eq(x, p.int(1)), p.eq(y, p.int(4))]), "Anything", "Anything");
        check(|p, x, _| p.not(p.eq(x, p.int(1))), "Anything", "Anything");
    }
}
