//! Boolean constructors: negation normal form, flattened and sorted junctions, merged bounds.
//!
//! Conjunctions meet the bounds of equal linear parts (`x ≤ 3 ∧ x ≥ 3` is `x = 3`, `x ≤ 2 ∧ x ≥ 3` is `false`) and
//! disjunctions join them, so that facts which differ only in their writing become one term.

use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{Linear, Node, Quantifier, Term, Var};

/// Which of the two dual junctions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

impl Junction {
    fn neutral(self) -> Term {
        match self {
            Junction::And => Term::TRUE,
            Junction::Or => Term::FALSE,
        }
    }

    fn absorbing(self) -> Term {
        match self {
            Junction::And => Term::FALSE,
            Junction::Or => Term::TRUE,
        }
    }

    fn dual(self) -> Junction {
        match self {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        }
    }

    /// The items of `node`, if it is a junction of this kind.
    fn items(self, node: &Node) -> Option<&[Term]> {
        match (self, node) {
            (Junction::And, Node::And(items)) | (Junction::Or, Node::Or(items)) => Some(items),
            _ => None,
        }
    }
}

/// What a conjunction says about one linear part `Σ c·t`, whose first coefficient is positive.
struct Bounds {
    parts: Box<[(Term, Integer)]>,
    low: Option<Integer>,
    high: Option<Integer>,
    except: Vec<Integer>,
}

impl TermPool {
    /// The constant of the given truth value.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// Negation, in negation normal form.
    pub fn not(&self, formula: Term) -> Term {
        debug_assert_eq!(self.sort_of(formula), Sort::BOOL);
        if let Some(negation) = self.cached_negation(formula) {
            return negation;
        }
        let negation = match self.node(formula) {
            Node::True => Term::FALSE,
            Node::False => Term::TRUE,
            Node::Not(inner) => *inner,
            Node::Le(linear) => {
                let mut flipped = negated(linear);
                flipped.constant += &Integer::ONE;
                self.le_zero(flipped)
            }
            Node::And(items) => self.or(items.iter().map(|&item| self.not(item))),
            Node::Or(items) => self.and(items.iter().map(|&item| self.not(item))),
            _ => self.intern(Node::Not(formula), Sort::BOOL),
        };
        if self.cached_negation(negation).is_none() {
            self.cache_negation(formula, negation);
        }
        negation
    }

    /// Conjunction.
    pub fn and(&self, items: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::And, items.into_iter().collect())
    }

    /// Disjunction.
    pub fn or(&self, items: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::Or, items.into_iter().collect())
    }

    /// Implication.
    pub fn implies(&self, premise: Term, conclusion: Term) -> Term {
        self.or([self.not(premise), conclusion])
    }

    /// The conjuncts of a formula: the items of a conjunction, none of `true`, else the formula itself.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.node(formula) {
            Node::True => Vec::new(),
            Node::And(items) => items.to_vec(),
            _ => vec![formula],
        }
    }

    /// The disjuncts of a formula: the items of a disjunction, none of `false`, else the formula itself.
    pub fn disjuncts(&self, formula: Term) -> Vec<Term> {
        match self.node(formula) {
            Node::False => Vec::new(),
            Node::Or(items) => items.to_vec(),
            _ => vec![formula],
        }
    }

    /// A quantified formula over those of the `bound` variables that occur in `body`.
    pub fn quantify(&self, quantifier: Quantifier, bound: &[Var], body: Term) -> Term {
        let bound: Box<[Var]> = bound.iter().copied().filter(|&var| self.mentions(body, var)).collect();
        if bound.is_empty() {
            return body;
        }
        self.intern(Node::Quantifier { quantifier, bound, body }, Sort::BOOL)
    }

    fn junction(&self, kind: Junction, items: Vec<Term>) -> Term {
        let mut flat = Vec::with_capacity(items.len());
        for item in items {
            debug_assert_eq!(self.sort_of(item), Sort::BOOL);
            match kind.items(self.node(item)) {
                Some(inner) => flat.extend_from_slice(inner),
                None => flat.push(item),
            }
        }
        loop {
            flat.sort_unstable();
            flat.dedup();
            flat.retain(|&item| item != kind.neutral());
            if flat.first() <= Some(&Term::FALSE) && flat.contains(&kind.absorbing()) {
                return kind.absorbing();
            }
            match flat[..] {
                [] => return kind.neutral(),
                [only] => return only,
                _ => {}
            }
            if flat.iter().any(|&item| self.complement_in(item, &flat)) || !self.merge_bounds(kind, &mut flat) {
                return kind.absorbing();
            }
            if !self.absorb(kind, &mut flat) {
                break;
            }
        }
        match flat[..] {
            [] => kind.neutral(),
            [only] => only,
            _ => {
                let items = flat.into_boxed_slice();
                let node = if kind == Junction::And { Node::And(items) } else { Node::Or(items) };
                self.intern(node, Sort::BOOL)
            }
        }
    }

    /// Is `item` the negation of one of the sorted `items`? (Bounds are compared elsewhere.)
    fn complement_in(&self, item: Term, items: &[Term]) -> bool {
        matches!(self.node(item), Node::Not(inner) if items.binary_search(inner).is_ok())
    }

    /// Uses the single items to simplify those of the dual kind: `a ∧ (a ∨ b)` is `a`, and `a ∧ (¬a ∨ b)` is `a ∧ b`.
    /// Says whether `items` (sorted before, not necessarily after) changed.
    fn absorb(&self, kind: Junction, items: &mut Vec<Term>) -> bool {
        let mut changed = false;
        let mut result = Vec::with_capacity(items.len());
        for &item in items.iter() {
            let Some(inner) = kind.dual().items(self.node(item)) else {
                result.push(item);
                continue;
            };
            if inner.iter().any(|part| items.binary_search(part).is_ok()) {
                changed = true;
                continue;
            }
            let refuted = |part: Term| match self.node(part) {
                Node::And(_) | Node::Or(_) => false,
                _ => items.binary_search(&self.not(part)).is_ok(),
            };
            if inner.iter().any(|&part| refuted(part)) {
                changed = true;
                let rest = self.junction(kind.dual(), inner.iter().copied().filter(|&part| !refuted(part)).collect());
                match kind.items(self.node(rest)) {
                    Some(parts) => result.extend_from_slice(parts),
                    None => result.push(rest),
                }
            } else {
                result.push(item);
            }
        }
        *items = result;
        changed
    }

    /// Meets (for `or`: joins) the bounds of equal linear parts. False: the junction is its absorbing constant.
    fn merge_bounds(&self, kind: Junction, items: &mut Vec<Term>) -> bool {
        let is_bound = |term: Term| match self.node(term) {
            Node::Le(_) | Node::Zero(_) => true,
            Node::Not(inner) => matches!(self.node(*inner), Node::Zero(_)),
            _ => false,
        };
        if items.iter().filter(|&&item| is_bound(item)).count() < 2 {
            return true;
        }
        let mut bounds: Vec<Bounds> = Vec::new();
        let mut merged = false;
        for &item in items.iter().filter(|&&item| is_bound(item)) {
            let conjunct = if kind == Junction::And { item } else { self.not(item) };
            merged |= self.add_bound(&mut bounds, conjunct);
        }
        if !merged {
            return true;
        }
        let mut result: Vec<Term> = items.iter().copied().filter(|&item| !is_bound(item)).collect();
        for bound in bounds {
            match self.bound_literals(bound) {
                Some(literals) => {
                    result.extend(literals.into_iter().map(|t| if kind == Junction::And { t } else { self.not(t) }))
                }
                None => return false,
            }
        }
        result.sort_unstable();
        result.dedup();
        *items = result;
        true
    }

    /// Adds one literal to what is known of its linear part; true if something was known before.
    fn add_bound(&self, bounds: &mut Vec<Bounds>, literal: Term) -> bool {
        let (linear, is_le, is_zero) = match self.node(literal) {
            Node::Le(linear) => (linear, true, false),
            Node::Zero(linear) => (linear, false, true),
            Node::Not(inner) => match self.node(*inner) {
                Node::Zero(linear) => (linear, false, false),
                _ => unreachable!("only disequalities are bounds under a negation"),
            },
            _ => unreachable!("only comparisons are bounds"),
        };
        let flip = linear.parts[0].1.is_negative();
        let same = |bound: &Bounds| {
            bound.parts.len() == linear.parts.len()
                && bound
                    .parts
                    .iter()
                    .zip(&linear.parts)
                    .all(|((a, x), (b, y))| a == b && if flip { (x + y).is_zero() } else { x == y })
        };
        let (index, known) = match bounds.iter().position(same) {
            Some(index) => (index, true),
            None => {
                let parts = if flip { negated(linear).parts } else { linear.parts.clone() };
                bounds.push(Bounds { parts, low: None, high: None, except: Vec::new() });
                (bounds.len() - 1, false)
            }
        };
        let bound = &mut bounds[index];
        // s + k ≤ 0 says s ≤ -k; -s + k ≤ 0 says s ≥ k.
        let limit = if flip { linear.constant.clone() } else { -&linear.constant };
        if is_zero || (is_le && flip) {
            bound.low = Some(bound.low.take().map_or(limit.clone(), |low| low.max(limit.clone())));
        }
        if is_zero || (is_le && !flip) {
            bound.high = Some(bound.high.take().map_or(limit.clone(), |high| high.min(limit.clone())));
        }
        if !is_zero && !is_le {
            bound.except.push(limit);
        }
        known
    }

    /// The literals of met bounds; none if they contradict each other.
    fn bound_literals(&self, mut bound: Bounds) -> Option<Vec<Term>> {
        bound.except.sort();
        if let Some(low) = &mut bound.low {
            for value in &bound.except {
                if value == low {
                    *low += &Integer::ONE;
                }
            }
        }
        if let Some(high) = &mut bound.high {
            for value in bound.except.iter().rev() {
                if value == high {
                    *high = &*high - &Integer::ONE;
                }
            }
        }
        let (low, high) = (bound.low, bound.high);
        if let (Some(low), Some(high)) = (&low, &high)
            && low > high
        {
            return None;
        }
        let at = |constant: Integer| Linear { parts: bound.parts.clone(), constant };
        let mut literals = Vec::new();
        if let Some(value) = &low
            && low == high
        {
            literals.push(self.zero(at(-value)));
            return Some(literals);
        }
        let inside =
            |value: &Integer| low.as_ref().is_none_or(|l| value > l) && high.as_ref().is_none_or(|h| value < h);
        literals.extend(bound.except.iter().filter(|value| inside(value)).map(|v| self.not(self.zero(at(-v)))));
        literals.extend(high.as_ref().map(|high| self.le_zero(at(-high))));
        literals.extend(low.as_ref().map(|low| self.le_zero(negated(&at(-low)))));
        Some(literals)
    }
}

fn negated(linear: &Linear) -> Linear {
    Linear { parts: linear.parts.iter().map(|(part, c)| (*part, -c)).collect(), constant: -&linear.constant }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_facts_are_equal_terms() {
        let pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::INT), pool.symbol("y", Sort::INT));
        let p = pool.symbol("p", Sort::BOOL);
        let (three, four) = (pool.int(3), pool.int(4));
        let twice = |t| pool.add([t, t]);
        for (left, right) in [
            (pool.lt(x, four), pool.le(x, three)),
            (pool.le(twice(x), pool.int(7)), pool.le(x, three)),
            (pool.eq(twice(x), pool.int(7)), Term::FALSE),
            (pool.eq(pool.sub(x, y), pool.int(0)), pool.eq(y, x)),
            (pool.and([pool.le(x, y), pool.le(y, x)]), pool.eq(x, y)),
            (pool.or([pool.lt(x, y), pool.lt(y, x)]), pool.not(pool.eq(x, y))),
            (pool.and([pool.le(x, three), pool.ge(x, four)]), Term::FALSE),
            (pool.or([pool.le(x, three), pool.ge(x, four)]), Term::TRUE),
            (pool.and([pool.le(x, three), pool.not(pool.eq(x, three))]), pool.lt(x, three)),
            (pool.and([pool.eq(x, three), pool.le(x, four)]), pool.eq(x, three)),
            (pool.and([pool.eq(x, three), pool.eq(x, four)]), Term::FALSE),
            (pool.and([p, pool.or([pool.not(p), pool.le(x, y)])]), pool.and([p, pool.le(x, y)])),
            (pool.or([p, pool.and([p, pool.le(x, y)])]), p),
            (pool.not(pool.and([p, pool.le(x, y)])), pool.or([pool.not(p), pool.lt(y, x)])),
            (pool.eq(p, pool.not(p)), Term::FALSE),
            (pool.eq(pool.ite(p, three, four), three), p),
            (pool.mul(pool.add([x, three]), y), pool.add([pool.mul(y, x), pool.scale(&Integer::from(3), y)])),
        ] {
            assert_eq!(left, right, "{:?} and {:?}", pool.node(left), pool.node(right));
        }
    }

    #[test]
    fn a_hole_at_the_edge_of_an_interval_moves_the_edge() {
        let pool = TermPool::new();
        let x = pool.symbol("x", Sort::INT);
        let not_equal = |n: i32| pool.not(pool.eq(x, pool.int(n)));
        let squeezed = pool.and([pool.ge(x, pool.int(0)), pool.le(x, pool.int(2)), not_equal(0), not_equal(2)]);
        assert_eq!(squeezed, pool.eq(x, pool.int(1)));
        assert_eq!(pool.and([squeezed, not_equal(1)]), Term::FALSE);
    }
}
