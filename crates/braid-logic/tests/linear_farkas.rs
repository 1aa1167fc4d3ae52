//! Farkas certificates on random systems: they sum up to a contradiction, and agree with the decision procedure.

mod common;

use braid_logic::{Integer, Linear, LinearSolver, NativeAnswer, Rational, Relation, Sort, Term, TermPool, farkas};
use common::Random;

/// Checks a certificate by summation: all variables cancel, and a positive constant is left.
fn assert_certificate(constraints: &[(Linear, Relation)], coefficients: &[Rational]) {
    let mut constant = Rational::ZERO;
    let mut sums: std::collections::HashMap<Term, Rational> = std::collections::HashMap::new();
    for ((linear, relation), factor) in constraints.iter().zip(coefficients) {
        assert!(*relation == Relation::Eq || !factor.is_negative(), "{coefficients:?}");
        constant.add_product(factor, &Rational::from(&linear.constant));
        for (part, c) in &linear.parts {
            sums.entry(*part).or_default().add_product(factor, &Rational::from(c));
        }
    }
    assert!(sums.values().all(Rational::is_zero) && constant.is_positive(), "{constraints:?}: {coefficients:?}");
}

fn check(seed: u64, size: i64) {
    let pool = TermPool::new();
    let mut solver = LinearSolver::new(&pool);
    let mut random = Random::new(seed);
    let variables: Vec<Term> = (0..5).map(|i| pool.symbol(&format!("x{i}"), Sort::INT)).collect();
    let (mut refuted, mut open) = (0, 0);
    for _ in 0..1000 {
        let constraints: Vec<(Linear, Relation)> = (0..2 + random.below(7))
            .map(|_| {
                let count = 1 + random.below(3);
                let mut parts = || (Integer::from(random.range(-size, size)), random.pick(&variables));
                let mut linear = pool.combination((0..count).map(|_| parts()).collect::<Vec<_>>());
                linear.constant = Integer::from(random.range(-size, size));
                (linear, if random.once_in(3) { Relation::Eq } else { Relation::Le })
            })
            .collect();
        let formulas: Vec<Term> = constraints
            .iter()
            .map(|(linear, relation)| match relation {
                Relation::Le => pool.le_zero(linear.clone()),
                Relation::Eq => pool.zero(linear.clone()),
            })
            .collect();
        let verdict = solver.check(&formulas);
        match farkas(&constraints) {
            Some(coefficients) => {
                refuted += 1;
                assert_certificate(&constraints, &coefficients);
                assert_ne!(verdict, NativeAnswer::Sat);
            }
            None => open += 1,
        }
    }
    assert!(refuted > 50 && open > 50, "{refuted} refuted, {open} open");
}

#[test]
fn small_coefficients() {
    check(1, 4);
}

#[test]
fn coefficients_near_the_word_size() {
    check(2, i64::MAX / 2);
}
