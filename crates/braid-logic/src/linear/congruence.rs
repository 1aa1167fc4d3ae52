//! Congruence on demand: equal arguments give equal results.
//!
//! Applications and products are opaque to the simplex. Where a candidate solution gives two applications of one function
//! the same arguments and different results, the instance of congruence that forbids it is added. Products are forced
//! the same way, and by fixing all factors but one at their values, which makes the product linear.

use super::LinearSolver;
use super::bounds::Comparison;
use super::library::{Form, Head, Outcome};
use super::sat::Lit;
use super::search::Step;
use crate::number::Integer;

/// A clause in the making, with the input formulas that it depends on.
#[derive(Default)]
pub(super) struct Lemma {
    pub clause: Vec<Lit>,
    pub support: Vec<u64>,
}

/// A product in a candidate solution.
struct Product {
    /// The opaque term.
    product: u32,
    value: Integer,
    /// The factors with their values, sorted by value to line up products of the same values.
    factors: Vec<(Integer, u32)>,
}

/// The form of one opaque term.
pub(super) fn single(opaque: u32) -> Form {
    Form { parts: Box::new([(opaque, Integer::ONE)]), constant: Integer::ZERO }
}

/// The form of a numeral.
fn numeral(value: Integer) -> Form {
    Form { parts: Box::default(), constant: value }
}

impl LinearSolver<'_> {
    pub(super) fn new_lemma(&self) -> Lemma {
        Lemma { clause: Vec::new(), support: vec![0; self.query.words] }
    }

    /// Adds the literal `a = b` to a lemma.
    pub(super) fn or_equal(&mut self, lemma: &mut Lemma, a: &Form, b: &Form) {
        let literal = self.query.compare(Comparison::Zero, (a, b), &Integer::ZERO, &mut lemma.support);
        debug_assert_ne!(literal, Err(true), "the lemma is violated");
        lemma.clause.extend(literal.ok());
    }

    /// Adds the literals `a < b` and `a > b` to a lemma.
    pub(super) fn or_different(&mut self, lemma: &mut Lemma, a: &Form, b: &Form) {
        for pair in [(a, b), (b, a)] {
            let literal = self.query.compare(Comparison::Le, pair, &Integer::ONE, &mut lemma.support);
            debug_assert_ne!(literal, Err(true), "the lemma is violated");
            lemma.clause.extend(literal.ok());
        }
    }

    pub(super) fn add(&mut self, lemma: &Lemma) -> Step {
        self.add_lemma(&lemma.clause, &lemma.support)
    }

    /// The current value of a read's result; truth values as 0 and 1.
    pub(super) fn result_value(&self, result: Outcome, values: &[Integer]) -> Integer {
        match result {
            Outcome::Int(opaque) => {
                values[self.query.opaques.get(opaque).expect("a result of the query") as usize].clone()
            }
            Outcome::Bool(id) => Integer::from(i64::from(self.query.truth(id))),
        }
    }

    /// Are arrays only read, never written or compared, so that they are like functions?
    pub(super) fn arrays_are_functions(&self) -> bool {
        self.query.array_equalities.is_empty()
            && self
                .query
                .entered_arrays
                .iter()
                .all(|&array| matches!(self.library.arrays[array as usize], super::library::Array::Var(_)))
    }

    pub(super) fn respect_congruence(&mut self, values: &[Integer]) -> Step {
        let arrays_too = self.arrays_are_functions();
        let count = self.query.reads.len();
        if count < 2 {
            return Step::Quiet;
        }
        let mut arguments: Vec<Integer> = Vec::new();
        // Per read: its head, where its arguments start, and its result.
        let mut lines: Vec<(Head, usize, Integer)> = Vec::with_capacity(count);
        for &read in &self.query.reads {
            let read = &self.library.reads[read as usize];
            lines.push((read.head, arguments.len(), self.result_value(read.result, values)));
            arguments.extend(read.arguments.iter().map(|form| self.query.evaluate(form, values)));
        }
        for (i, (head, start, result)) in lines.iter().enumerate() {
            if matches!(head, Head::Array(_)) && !arrays_too {
                continue;
            }
            let arity = self.library.reads[self.query.reads[i] as usize].arguments.len();
            for (j, (other, other_start, other_result)) in lines.iter().enumerate().take(i) {
                if head == other
                    && result != other_result
                    && arguments[*start..start + arity] == arguments[*other_start..other_start + arity]
                {
                    return self.add_congruence(i, j);
                }
            }
        }
        Step::Quiet
    }

    /// Adds the instance of congruence for two reads of the query.
    fn add_congruence(&mut self, i: usize, j: usize) -> Step {
        let (a, b) = (self.query.reads[i] as usize, self.query.reads[j] as usize);
        let mut lemma = self.new_lemma();
        for at in 0..self.library.reads[a].arguments.len() {
            let (x, y) = (self.library.reads[a].arguments[at].clone(), self.library.reads[b].arguments[at].clone());
            self.or_different(&mut lemma, &x, &y);
        }
        match (self.library.reads[a].result, self.library.reads[b].result) {
            (Outcome::Int(x), Outcome::Int(y)) => self.or_equal(&mut lemma, &single(x), &single(y)),
            (Outcome::Bool(x), Outcome::Bool(y)) => {
                let (p, q) = if self.query.truth(x) { (x, y) } else { (y, x) };
                let literal = |id| self.query.literal_of(Outcome::Bool(id)).expect("a proposition");
                lemma.clause.extend([!literal(p), literal(q)]);
            }
            _ => unreachable!("a function has one result sort"),
        }
        self.add(&lemma)
    }

    pub(super) fn respect_products(&mut self, values: &[Integer]) -> Step {
        if self.query.products.is_empty() {
            return Step::Quiet;
        }
        let value_of = |solver: &Self, opaque: u32| {
            values[solver.query.opaques.get(opaque).expect("a factor of the query") as usize].clone()
        };
        let mut wrong = None;
        let mut lined: Vec<Product> = Vec::with_capacity(self.query.products.len());
        for &product in &self.query.products {
            let mut factors: Vec<(Integer, u32)> =
                self.library.opaques[product as usize].factors.iter().map(|&f| (value_of(self, f), f)).collect();
            factors.sort();
            let value = value_of(self, product);
            let actual = factors.iter().fold(Integer::ONE, |total, (value, _)| &total * value);
            if actual != value && wrong.is_none() {
                wrong = Some(product);
            }
            lined.push(Product { product, value, factors });
        }
        let Some(wrong) = wrong else { return Step::Quiet };
        for (i, Product { product, value, factors }) in lined.iter().enumerate() {
            for Product { product: other, value: other_value, factors: other_factors } in &lined[..i] {
                let same = factors.iter().map(|(v, _)| v).eq(other_factors.iter().map(|(v, _)| v));
                if same && value != other_value {
                    let mut lemma = self.new_lemma();
                    for ((_, x), (_, y)) in factors.iter().zip(other_factors) {
                        if x != y {
                            self.or_different(&mut lemma, &single(*x), &single(*y));
                        }
                    }
                    self.or_equal(&mut lemma, &single(*product), &single(*other));
                    return self.add(&lemma);
                }
            }
        }
        self.fix_factors(wrong, values)
    }

    /// Makes a product linear, on the condition that all its factors but one have their current values.
    fn fix_factors(&mut self, product: u32, values: &[Integer]) -> Step {
        self.linearisations += 1;
        if self.linearisations > super::search::MAX_LINEARISATIONS {
            return Step::GiveUp;
        }
        let factors = self.library.opaques[product as usize].factors.clone();
        // Leave the factor free that is least settled: one that no equation fixes.
        let free = (0..factors.len()).rev().find(|&at| !self.is_settled(factors[at])).unwrap_or(0);
        let mut lemma = self.new_lemma();
        let mut scale = Integer::ONE;
        for (at, &factor) in factors.iter().enumerate() {
            if at != free {
                let variable = self.query.opaques.get(factor).expect("a factor of the query");
                let value = values[variable as usize].clone();
                scale = &scale * &value;
                self.or_different(&mut lemma, &single(factor), &numeral(value));
            }
        }
        let scaled = Form { parts: Box::new([(factors[free], scale)]), constant: Integer::ZERO };
        self.or_equal(&mut lemma, &single(product), &scaled);
        self.add(&lemma)
    }

    /// Do the equations that hold anyway give the opaque term a value?
    fn is_settled(&mut self, opaque: u32) -> bool {
        self.query.elimination.start();
        self.query.add_form(&Integer::ONE, &single(opaque));
        self.query.elimination.unfold();
        self.query.elimination.is_constant()
    }
}
