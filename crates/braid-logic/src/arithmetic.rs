//! Integer arithmetic in normal form: sorted linear sums, and comparisons as `sum ≤ 0` and `sum = 0`.
//!
//! Invariant: two comparisons that differ only by scaling, by the order of their parts, by the side on which a part
//! stands, or by integer rounding are the same term.

use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{Linear, Node, Term};

/// Products of sums are multiplied out up to this many monomials.
const MAX_MONOMIALS: usize = 64;

/// A linear combination under construction: parts may repeat and stand in any order.
#[derive(Default)]
pub struct LinearBuilder {
    parts: Vec<(Term, Integer)>,
    constant: Integer,
}

impl LinearBuilder {
    /// Adds `factor · term`, taking sums and numerals apart.
    pub fn add(&mut self, pool: &TermPool, factor: &Integer, term: Term) {
        match pool.node(term) {
            Node::Integer(value) => self.constant += &(factor * value),
            Node::Sum(linear) => self.add_linear(factor, linear),
            _ => self.parts.push((term, factor.clone())),
        }
    }

    /// Adds `factor · linear`.
    pub fn add_linear(&mut self, factor: &Integer, linear: &Linear) {
        self.constant += &(factor * &linear.constant);
        self.parts.extend(linear.parts.iter().map(|(part, c)| (*part, factor * c)));
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, constant: &Integer) {
        self.constant += constant;
    }

    /// The combination, sorted, with each part once.
    pub fn finish(mut self) -> Linear {
        self.parts.sort_by_key(|(part, _)| *part);
        self.parts.dedup_by(|(next, c), (kept, sum)| {
            let same = next == kept;
            if same {
                *sum += c;
            }
            same
        });
        self.parts.retain(|(_, c)| !c.is_zero());
        Linear { parts: self.parts.into_boxed_slice(), constant: self.constant }
    }
}

impl TermPool {
    /// The numeral of an integer.
    pub fn int(&self, value: impl Into<Integer>) -> Term {
        self.intern(Node::Integer(value.into()), Sort::INT)
    }

    /// A linear combination as a term.
    pub fn linear(&self, linear: Linear) -> Term {
        if linear.parts.is_empty() {
            return self.int(linear.constant);
        }
        if let [(part, c)] = &linear.parts[..]
            && c.is_one()
            && linear.constant.is_zero()
        {
            return *part;
        }
        self.intern(Node::Sum(linear), Sort::INT)
    }

    /// An integer term as a linear combination.
    pub fn to_linear(&self, term: Term) -> Linear {
        debug_assert_eq!(self.sort_of(term), Sort::INT);
        match self.node(term) {
            Node::Sum(linear) => linear.clone(),
            Node::Integer(value) => Linear { parts: Box::default(), constant: value.clone() },
            _ => Linear { parts: Box::new([(term, Integer::ONE)]), constant: Integer::ZERO },
        }
    }

    /// `Σ factor · term`.
    pub fn combination(&self, parts: impl IntoIterator<Item = (Integer, Term)>) -> Linear {
        let mut builder = LinearBuilder::default();
        for (factor, term) in parts {
            builder.add(self, &factor, term);
        }
        builder.finish()
    }

    /// Sum.
    pub fn add(&self, items: impl IntoIterator<Item = Term>) -> Term {
        self.linear(self.combination(items.into_iter().map(|item| (Integer::ONE, item))))
    }

    /// Difference.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.linear(self.difference(a, b))
    }

    /// Negative.
    pub fn neg(&self, a: Term) -> Term {
        self.scale(&Integer::from(-1), a)
    }

    /// Product with a constant.
    pub fn scale(&self, factor: &Integer, a: Term) -> Term {
        self.linear(self.combination([(factor.clone(), a)]))
    }

    /// Product. Sums of moderate size are multiplied out, so that products have one form too.
    pub fn mul(&self, a: Term, b: Term) -> Term {
        if let Node::Integer(value) = self.node(a) {
            return self.scale(value, b);
        }
        if let Node::Integer(value) = self.node(b) {
            return self.scale(value, a);
        }
        let (x, y) = (self.to_linear(a), self.to_linear(b));
        if x.parts.len() * y.parts.len() > MAX_MONOMIALS {
            return self.product(&[a, b]);
        }
        let mut builder = LinearBuilder::default();
        builder.add_constant(&(&x.constant * &y.constant));
        for (part, c) in &x.parts {
            builder.add(self, &(c * &y.constant), *part);
            for (other, d) in &y.parts {
                builder.add(self, &(c * d), self.product(&[*part, *other]));
            }
        }
        for (other, d) in &y.parts {
            builder.add(self, &(d * &x.constant), *other);
        }
        self.linear(builder.finish())
    }

    fn product(&self, factors: &[Term]) -> Term {
        let mut flat = Vec::with_capacity(factors.len());
        for &factor in factors {
            match self.node(factor) {
                Node::Product(inner) => flat.extend_from_slice(inner),
                _ => flat.push(factor),
            }
        }
        flat.sort_unstable();
        self.intern(Node::Product(flat.into_boxed_slice()), Sort::INT)
    }

    /// SMT-LIB's `div`.
    pub fn div(&self, a: Term, b: Term) -> Term {
        if let Node::Integer(divisor) = self.node(b)
            && !divisor.is_zero()
        {
            if divisor.is_one() {
                return a;
            }
            if let Node::Integer(value) = self.node(a) {
                return self.int(value.div_euclid(divisor));
            }
        }
        self.intern(Node::Div(a, b), Sort::INT)
    }

    /// SMT-LIB's `mod`.
    pub fn modulo(&self, a: Term, b: Term) -> Term {
        let Node::Integer(divisor) = self.node(b) else { return self.intern(Node::Mod(a, b), Sort::INT) };
        if divisor.is_zero() {
            return self.intern(Node::Mod(a, b), Sort::INT);
        }
        let modulus = divisor.abs();
        let mut reduced = LinearBuilder::default();
        let linear = self.to_linear(a);
        reduced.add_constant(&linear.constant.rem_euclid(&modulus));
        for (part, c) in &linear.parts {
            reduced.add(self, &c.rem_euclid(&modulus), *part);
        }
        let reduced = self.linear(reduced.finish());
        match self.node(reduced) {
            Node::Integer(value) => self.int(value.rem_euclid(&modulus)),
            _ => self.intern(Node::Mod(reduced, self.int(modulus)), Sort::INT),
        }
    }

    fn difference(&self, a: Term, b: Term) -> Linear {
        self.combination([(Integer::ONE, a), (Integer::from(-1), b)])
    }

    /// `a ≤ b`.
    pub fn le(&self, a: Term, b: Term) -> Term {
        self.le_zero(self.difference(a, b))
    }

    /// `a < b`.
    pub fn lt(&self, a: Term, b: Term) -> Term {
        let mut linear = self.difference(a, b);
        linear.constant += &Integer::ONE;
        self.le_zero(linear)
    }

    /// `a ≥ b`.
    pub fn ge(&self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    pub(crate) fn int_eq(&self, a: Term, b: Term) -> Term {
        self.zero(self.difference(a, b))
    }

    /// `linear ≤ 0`.
    pub fn le_zero(&self, linear: Linear) -> Term {
        if linear.parts.is_empty() {
            return self.bool(!linear.constant.is_positive());
        }
        if let Some(decided) = self.compare_choice(&linear, |pool, value| pool.le_zero(value)) {
            return decided;
        }
        let Linear { mut parts, mut constant } = linear;
        let divisor = common_divisor(&parts);
        if !divisor.is_one() {
            parts.iter_mut().for_each(|(_, c)| *c = c.div_floor(&divisor));
            constant = -&(-&constant).div_floor(&divisor);
        }
        self.intern(Node::Le(Linear { parts, constant }), Sort::BOOL)
    }

    /// `linear = 0`.
    pub fn zero(&self, linear: Linear) -> Term {
        if linear.parts.is_empty() {
            return self.bool(linear.constant.is_zero());
        }
        if let Some(decided) = self.compare_choice(&linear, |pool, value| pool.zero(value)) {
            return decided;
        }
        let Linear { mut parts, mut constant } = linear;
        let mut divisor = common_divisor(&parts);
        if !divisor.divides(&constant) {
            return Term::FALSE;
        }
        if parts[0].1.is_negative() {
            divisor = -&divisor;
        }
        if !divisor.is_one() {
            parts.iter_mut().for_each(|(_, c)| *c = c.div_euclid(&divisor));
            constant = constant.div_euclid(&divisor);
        }
        self.intern(Node::Zero(Linear { parts, constant }), Sort::BOOL)
    }

    /// Compares `c · (if p then m else n) + k` with 0 where m and n are numerals: a formula over p alone.
    fn compare_choice(&self, linear: &Linear, compare: impl Fn(&TermPool, Linear) -> Term) -> Option<Term> {
        let [(part, c)] = &linear.parts[..] else { return None };
        let Node::Ite(condition, then, other) = self.node(*part) else { return None };
        let value = |branch: Term| match self.node(branch) {
            Node::Integer(value) => {
                Some(compare(self, Linear { parts: Box::default(), constant: &(c * value) + &linear.constant }))
            }
            _ => None,
        };
        Some(self.ite(*condition, value(*then)?, value(*other)?))
    }
}

fn common_divisor(parts: &[(Term, Integer)]) -> Integer {
    let mut divisor = Integer::ZERO;
    for (_, c) in parts {
        divisor = divisor.gcd(c);
        if divisor.is_one() {
            break;
        }
    }
    divisor
}
