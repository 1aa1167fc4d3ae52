//! Random formulas: the tiers and backends agree, cores suffice, models hold, and elimination keeps the meaning.

use braid_logic::{
    Answer, Backend, Budget, BvOp, Integer, Model, Solver, SolverOptions, Sort, SortKind, Term, TermPool, Validity, Var,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::path::PathBuf;
use std::time::Duration;

/// The writing of a formula, apart from any pool.
#[derive(Clone, Debug)]
enum Shape {
    /// `Σ coefficient · variable  relation  constant`.
    Compare(Vec<(i32, u8)>, i32, u8),
    /// `a[x] relation constant`, with a write before the read if there is a value.
    Read(u8, u8, Option<(u8, i32)>, i32),
    /// `f(x) = y`.
    Apply(u8, u8),
    /// `x mod constant = y`.
    Mod(u8, u8, i32),
    /// An operation on bytes.
    Bits(u8, u8, u8),
    Flag(u8),
    Not(Box<Shape>),
    And(Vec<Shape>),
    Or(Vec<Shape>),
}

/// Which atoms occur.
#[derive(Clone, Copy)]
enum Theory {
    Linear,
    All,
}

fn shapes(theory: Theory) -> BoxedStrategy<Shape> {
    let compare = (prop::collection::vec((-3..=3, 0u8..4), 1..4), -5..=5, 0u8..3)
        .prop_map(|(parts, constant, relation)| Shape::Compare(parts, constant, relation));
    let flag = (0u8..2).prop_map(Shape::Flag);
    let atom = match theory {
        Theory::Linear => prop_oneof![6 => compare, 1 => flag].boxed(),
        Theory::All => {
            let read = (0u8..2, 0u8..4, prop::option::of((0u8..4, -2..=2)), -2..=2)
                .prop_map(|(array, index, written, constant)| Shape::Read(array, index, written, constant));
            let apply = (0u8..4, 0u8..4).prop_map(|(x, y)| Shape::Apply(x, y));
            let modulo = (0u8..4, 0u8..4, 2..=4).prop_map(|(x, y, by)| Shape::Mod(x, y, by));
            let bits = (0u8..8, 0u8..2, any::<u8>()).prop_map(|(op, x, value)| Shape::Bits(op, x, value));
            prop_oneof![6 => compare, 1 => flag, 3 => read, 2 => apply, 1 => modulo, 1 => bits].boxed()
        }
    };
    atom.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|shape| Shape::Not(Box::new(shape))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Shape::And),
            prop::collection::vec(inner, 2..4).prop_map(Shape::Or),
        ]
    })
    .boxed()
}

fn var(pool: &TermPool, number: u8) -> Term {
    pool.symbol(["x", "y", "z", "u"][usize::from(number)], Sort::INT)
}

fn build(pool: &TermPool, shape: &Shape) -> Term {
    match shape {
        Shape::Compare(parts, constant, relation) => {
            let sum = pool.add(parts.iter().map(|&(c, v)| pool.scale(&Integer::from(c), var(pool, v))));
            let constant = pool.int(*constant);
            [pool.le(sum, constant), pool.eq(sum, constant), pool.gt(sum, constant)][usize::from(*relation)]
        }
        Shape::Read(array, index, written, constant) => {
            let sort = pool.array_sort(Sort::INT, Sort::INT);
            let mut array = pool.symbol(["a", "b"][usize::from(*array)], sort);
            if let Some((at, value)) = written {
                array = pool.store(array, var(pool, *at), pool.int(*value));
            }
            pool.eq(pool.select(array, var(pool, *index)), pool.int(*constant))
        }
        Shape::Apply(x, y) => {
            let f = pool.fun("f", &[Sort::INT], Sort::INT);
            pool.eq(pool.apply(f, &[var(pool, *x)]), var(pool, *y))
        }
        Shape::Mod(x, y, by) => pool.eq(pool.modulo(var(pool, *x), pool.int(*by)), var(pool, *y)),
        Shape::Bits(op, x, value) => {
            let byte = pool.sort(SortKind::BitVec(8));
            let [v, w] = ["v", "w"].map(|name| pool.symbol(name, byte));
            let (x, value) = (if *x == 0 { v } else { w }, pool.bv_value(&Integer::from(i32::from(*value)), 8));
            let op = [BvOp::Add, BvOp::Mul, BvOp::Udiv, BvOp::Srem, BvOp::And, BvOp::Shl, BvOp::Ashr, BvOp::Sdiv]
                [usize::from(*op)];
            pool.eq(pool.bv(op, &[v, w]), pool.bv(BvOp::Xor, &[x, value]))
        }
        Shape::Flag(number) => pool.symbol(["p", "q"][usize::from(*number)], Sort::BOOL),
        Shape::Not(inner) => pool.not(build(pool, inner)),
        Shape::And(items) => pool.and(items.iter().map(|item| build(pool, item))),
        Shape::Or(items) => pool.or(items.iter().map(|item| build(pool, item))),
    }
}

/// Runs a property on lists of formulas.
fn for_all(theory: Theory, cases: u32, property: impl Fn(&TermPool, &[Term])) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let lists = prop::collection::vec(shapes(theory), 1..5);
    let run = TestRunner::new(config).run(&lists, |list| {
        let pool = TermPool::new();
        let formulas: Vec<Term> = list.iter().map(|shape| build(&pool, shape)).collect();
        property(&pool, &formulas);
        Ok(())
    });
    if let Err(failure) = run {
        panic!("{failure}");
    }
}

fn solver(pool: &TermPool, native: bool) -> Solver<'_> {
    Solver::new(pool, SolverOptions { native, ..SolverOptions::default() }).expect("Z3 is linked")
}

/// All ways to ask for the formulas together give this answer, and support it.
fn answer_in_all_ways(pool: &TermPool, solver: &mut Solver, formulas: &[Term]) -> Answer {
    let holds = |model: &Model| formulas.iter().all(|&formula| pool.holds_in(formula, model) != Some(false));
    let answer = solver.decide(formulas);
    if answer == Answer::Sat {
        assert!(solver.model().is_none_or(|model| holds(&model)));
    }
    assert_eq!(solver.check_assuming(formulas), answer);
    match answer {
        Answer::Sat => assert!(holds(&solver.model().expect("a model"))),
        Answer::Unsat => {
            let core = solver.core().to_vec();
            assert!(core.iter().all(|formula| formulas.contains(formula)));
            assert_eq!(solver.decide(&core), Answer::Unsat, "a core suffices");
            assert_eq!(solver.check_assuming(formulas), Answer::Unsat);
            let minimal = solver.minimize_core().to_vec();
            assert_eq!(solver.decide(&minimal), Answer::Unsat, "a minimal core suffices");
            for &formula in &minimal {
                let rest: Vec<Term> = minimal.iter().copied().filter(|&other| other != formula).collect();
                assert_eq!(solver.decide(&rest), Answer::Sat, "a minimal core is minimal");
            }
        }
        Answer::Unknown => panic!("these formulas are easy"),
    }
    let (first, rest) = formulas.split_at(formulas.len() / 2);
    first.iter().for_each(|&formula| solver.assert(formula));
    solver.push();
    rest.iter().for_each(|&formula| solver.assert(formula));
    assert_eq!(solver.check(), answer);
    solver.pop();
    assert_eq!(solver.check_assuming(rest), answer);
    answer
}

#[test]
fn the_native_tier_and_z3_agree() {
    for theory in [Theory::Linear, Theory::All] {
        for_all(theory, 400, |pool, formulas| {
            let native = answer_in_all_ways(pool, &mut solver(pool, true), formulas);
            let z3 = answer_in_all_ways(pool, &mut solver(pool, false), formulas);
            assert_eq!(native, z3);
        });
    }
}

#[test]
fn an_external_process_agrees() {
    let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.z3/bin/z3");
    if !program.exists() {
        eprintln!("skipped: there is no Z3 program at {}", program.display());
        return;
    }
    let command = format!("'{}' -in", program.display());
    for_all(Theory::All, 40, |pool, formulas| {
        let backend = Backend::Process(command.clone());
        let budget = Budget { wall_clock: Duration::from_secs(20), ..Budget::default() };
        let options = SolverOptions { native: false, backend, budget, ..SolverOptions::default() };
        let mut process = Solver::new(pool, options).expect("the program is there");
        let external = answer_in_all_ways(pool, &mut process, formulas);
        assert_eq!(external, solver(pool, true).decide(formulas));
        assert_eq!(process.diagnostics(), [] as [String; 0]);
    });
}

#[test]
fn elimination_is_the_projection() {
    for_all(Theory::Linear, 200, |pool, formulas| {
        let formula = pool.and(formulas.iter().copied());
        let x = pool.var("x", Sort::INT);
        let vars: [Var; 2] = [x, pool.var("p", Sort::BOOL)];
        let mut solver = solver(pool, true);
        let Some(result) = solver.eliminate(&vars, formula) else { return };
        assert!(!vars.iter().any(|&var| pool.mentions(result, var)));
        assert_eq!(solver.entails(&[formula], result), Validity::Valid);
        // A model of the result extends to one of the formula: fix everything else and ask for the rest.
        if solver.decide(&[result]) == Answer::Sat {
            let model = solver.model().expect("a model");
            let mut fixed = vec![formula];
            for name in ["y", "z", "u"] {
                let term = pool.symbol(name, Sort::INT);
                if let Some(braid_logic::Value::Int(value)) = pool.evaluate_in(term, &model) {
                    fixed.push(pool.eq(term, pool.int(value)));
                }
            }
            let q = pool.symbol("q", Sort::BOOL);
            fixed.push(if pool.holds_in(q, &model) == Some(true) { q } else { pool.not(q) });
            assert_eq!(solver.decide(&fixed), Answer::Sat, "{}", pool.display(result));
        }
    });
}

#[test]
fn interpolants_are_inductive() {
    for_all(Theory::Linear, 150, |pool, formulas| {
        let mut solver = solver(pool, true);
        let answer = solver.decide(formulas);
        let Some(interpolants) = solver.interpolate(formulas) else { return };
        assert_eq!(answer, Answer::Unsat);
        for (position, &formula) in formulas.iter().enumerate() {
            let step = solver.entails(&[interpolants[position], formula], interpolants[position + 1]);
            assert_eq!(step, Validity::Valid, "step {position}");
        }
    });
}
