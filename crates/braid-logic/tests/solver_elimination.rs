//! Quantifier elimination and interpolation: what comes out is equivalent, or is an interpolant.

use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Quantifier, Solver, SolverOptions, Sort, SortKind, Term, TermPool, Validity, Var};

fn pool() -> TermPool {
    let pool = TermPool::new();
    for name in ["x", "y", "z", "u", "v", "i", "j", "n"] {
        pool.var(name, Sort::INT);
    }
    for name in ["p", "q"] {
        pool.var(name, Sort::BOOL);
    }
    let array = pool.array_sort(Sort::INT, Sort::INT);
    for name in ["a", "b", "c"] {
        pool.var(name, array);
    }
    pool.var("w", pool.sort(SortKind::BitVec(8)));
    pool.fun("f", &[Sort::INT], Sort::INT);
    pool
}

fn parse(pool: &TermPool, text: &str) -> Term {
    parse_term(pool, text, &PoolScope(pool)).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Eliminates, and compares with what is expected; `none` where nothing may come out.
fn check_elimination(vars: &[&str], formula: &str, expected: &str) {
    let pool = pool();
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("Z3 is linked");
    let vars: Vec<Var> = vars.iter().map(|name| pool.find_var(name).expect("a declared name")).collect();
    let term = parse(&pool, formula);
    let result = solver.eliminate(&vars, term);
    let Some(result) = result else { return assert_eq!(expected, "none", "{formula}") };
    assert_ne!(expected, "none", "{formula}: {}", pool.display(result));
    assert!(!vars.iter().any(|&var| pool.mentions(result, var)), "{formula}: {}", pool.display(result));
    let wanted = parse(&pool, expected);
    let shown = format!("{formula}: {} instead of {expected}", pool.display(result));
    assert_eq!(solver.entails(&[result], wanted), Validity::Valid, "{shown}");
    assert_eq!(solver.entails(&[wanted], result), Validity::Valid, "{shown}");
}

#[test]
fn rules_and_tactics_eliminate() {
    for (vars, formula, expected) in [
        (&["x"][..], "(< y z)", "(< y z)"),
        (&["x"], "(and (= x (+ y 1)) (< x z))", "(< (+ y 1) z)"),
        (&["x"], "(and (= (+ x y) 3) (< x z) p)", "(and p (< (- 3 y) z))"),
        (&["x", "u"], "(and (= x (+ u 1)) (= u (* 2 y)) (< x z))", "(< (+ (* 2 y) 1) z)"),
        (&["x"], "(or (and (= x y) (< x z)) (and (= x z) (< y x)))", "(< y z)"),
        (&["x"], "(and (<= y x) (<= x z))", "(<= y z)"),
        (&["x"], "(and (< y x) (< x z))", "(< (+ y 1) z)"),
        (&["x"], "(and (<= y x) (not (= x z)))", "true"),
        (&["x"], "(and (<= y x) (<= x z) (not (= x u)))", "(and (<= y z) (not (and (= y z) (= y u))))"),
        (&["x"], "(and (<= y (* 2 x)) (<= x z))", "(<= y (* 2 z))"),
        (&["x"], "(and (<= y (* 2 x)) (<= (* 2 x) y))", "(= (mod y 2) 0)"),
        (&["x"], "(= y (* 2 x))", "(= (mod y 2) 0)"),
        (&["x"], "(and (<= y (* 3 x)) (<= (* 2 x) 5))", "(<= y 6)"),
        (&["p"], "(or (and p (< x y)) (and (not p) (< y x)))", "(not (= x y))"),
        (&["p"], "(and (or p (< x y)) (or (not p) q))", "(or q (< x y))"),
        (&["p", "x"], "(and (= p (< x y)) (= x (+ y 1)) (or q p))", "q"),
        (&["b"], "(and (= b (store a i 5)) (< (select b j) 3))", "(and (not (= i j)) (< (select a j) 3))"),
        (&["x"], "(and (= (select a x) 3) (= x i))", "(= (select a i) 3)"),
        (&["w"], "(and (= w #x05) (< x y))", "(< x y)"),
        (&["x"], "(and (or (= x y) (= x z)) (or (< x u) (< u x)))", "(or (not (= y u)) (not (= z u)))"),
        (&["x", "y"], "(and (< x y) (< y z) (< u x))", "(< (+ u 2) z)"),
        (&["x"], "(and (<= 0 x) (<= x 9) (not (= x y)) (not (= x z)))", "true"),
        (&["x"], "(and (<= 0 x) (<= x 1) (not (= x y)) (not (= x z)))", "(not (and (= (+ y z) 1) (<= 0 y) (<= y 1)))"),
        (
            &["x"],
            "(and (<= y x) (<= x z) (< (ite p x u) v))",
            "(and (<= y z) (or (and p (< y v)) (and (not p) (< u v))))",
        ),
        (
            &["x"],
            "(and (<= 0 x) (< (select (store a i x) j) y))",
            "(or (and (= i j) (< 0 y)) (and (not (= i j)) (< (select a j) y)))",
        ),
        (
            &["x"],
            "(and (<= 0 x) (< (select (ite p (store a i x) b) j) y))",
            "(or (and p (= i j) (< 0 y)) (and p (not (= i j)) (< (select a j) y)) (and (not p) (< (select b j) y)))",
        ),
        (&["x"], "(and (= (mod x 3) 1) (<= y x) (<= x (+ y 1)))", "(not (= (mod y 3) 2))"),
    ] {
        check_elimination(vars, formula, expected);
    }
}

#[test]
fn what_cannot_be_said_without_quantifiers_is_given_up() {
    check_elimination(&["i"], "(= (select a i) (select b (+ i 1)))", "none");
    check_elimination(&["x"], "(and (= (f x) 3) (< x y))", "none");
}

#[test]
fn a_quantified_formula_is_given_up() {
    let pool = pool();
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("Z3 is linked");
    let (x, bound) = (pool.find_var("x").expect("declared"), pool.fresh_var("b", Sort::INT));
    let body = pool.eq(pool.of_var(x), pool.mul(pool.of_var(bound), pool.of_var(bound)));
    let formula = pool.quantify(Quantifier::Exists, &[bound], body);
    assert_eq!(solver.eliminate(&[x], formula), None);
}

/// Interpolates and checks every implication and every variable.
fn check_interpolation(formulas: &[&str], found: bool) {
    let pool = pool();
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("Z3 is linked");
    let formulas: Vec<Term> = formulas.iter().map(|text| parse(&pool, text)).collect();
    for _ in 0..2 {
        let result = solver.interpolate(&formulas);
        assert_eq!(result.is_some(), found, "{formulas:?}");
        let Some(interpolants) = result else { return };
        assert_eq!(interpolants.len(), formulas.len() + 1);
        assert_eq!((interpolants[0], interpolants[formulas.len()]), (Term::TRUE, Term::FALSE));
        for (position, &formula) in formulas.iter().enumerate() {
            let (before, after) = (interpolants[position], interpolants[position + 1]);
            assert_eq!(solver.entails(&[before, formula], after), Validity::Valid, "step {position}");
            let mentions = |terms: &[Term], var: Var| terms.iter().any(|&term| pool.mentions(term, var));
            for &var in pool.free_vars(after) {
                assert!(mentions(&formulas[..=position], var) && mentions(&formulas[position + 1..], var));
            }
        }
    }
}

#[test]
fn interpolants_of_a_sequence() {
    check_interpolation(&["(and (= x 0) (= y 0))", "(= u (+ x 1))", "(= v (+ y u))", "(< v 1)"], true);
    check_interpolation(&["(= b (store a i 1))", "(= c (store b j 1))", "(= i j)", "(not (= (select c i) 1))"], true);
    check_interpolation(&["(and p (= x 3))", "(or (not p) q)", "(not q)"], true);
    check_interpolation(&["(< x y)", "(< z u)", "(< y x)"], true);
    check_interpolation(&["(< x y)", "(and (< z u) (< u z))", "(< v 3)"], true);
    check_interpolation(&["false"], true);
    check_interpolation(&["true", "(and (< x y) (< y x))"], true);
    check_interpolation(&["(= w #x05)", "(= w #x06)"], true);
}

#[test]
fn no_interpolants_where_there_are_none_or_spacer_knows_none() {
    check_interpolation(&["(< x y)", "(< y z)"], false);
    check_interpolation(&["(= (f x) 1)", "(= (f x) 2)"], false);
    check_interpolation(&[], false);
}
