//! Theorems 1 and 2 of paper 3 on random programs with finite data: what DF reaches DFW reaches too, and the sequential program Σ(P, K)
//! reaches what the scheduler reaches. The symbolic search of the engine must agree with both.

use crate::generator;
use braid_engines::Control;
use braid_engines::delay::{Exploration, Limits, PreemptionPoints, Scheduler, reference};
use braid_frontend::{Language, parse};
use braid_logic::{Answer, Solver, SolverOptions, Substitution, Term, TermPool, Value, Var};
use braid_program::ast;
use braid_program::cfa::Program;
use braid_program::{LowerOptions, lower};
use braid_transform::delay::sequentialize;
use std::collections::BTreeSet;

type Valuations = BTreeSet<Vec<bool>>;

/// What was reached, and whether that is all.
struct Reached {
    valuations: Valuations,
    complete: bool,
}

/// Most of the sequential programs have fewer steps on all paths together; some guess themselves into very many.
const SEQUENTIAL_STEPS: u64 = 20_000;

const LOWERING: LowerOptions = LowerOptions { fuse: false, instances: 3, recursion: 3 };

fn variables(program: &Program<'_>, names: &[&str]) -> Vec<Var> {
    let find = |name: &&str| {
        program.variables.iter().map(|variable| variable.var).find(|&var| program.pool.var_name(var) == *name)
    };
    names.iter().map(|name| find(name).unwrap_or_else(|| panic!("there is no variable {name}"))).collect()
}

/// What the definition of the scheduler reaches.
fn by_definition(structured: &ast::Program, names: &[&str], scheduler: Scheduler, delays: u32) -> Valuations {
    let pool = TermPool::new();
    let program = lower(structured, &pool, LOWERING).expect("lowers");
    let observed = variables(&program, names);
    let reached = reference::reached(&program, scheduler, delays, &observed).expect("all data are truth values");
    let truth = |value: Option<Value>| matches!(value, Some(Value::Bool(true)));
    reached.into_iter().map(|values| values.into_iter().map(truth).collect()).collect()
}

/// What a symbolic search reaches within a number of steps.
fn by_search(structured: &ast::Program, names: &[&str], scheduler: Scheduler, delays: u32, steps: u64) -> Reached {
    let pool = TermPool::new();
    let program = lower(structured, &pool, LOWERING).expect("lowers");
    let observed = variables(&program, names);
    let points = PreemptionPoints::of(&program);
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("a solver");
    let control = Control::new();
    let mut ends: BTreeSet<(Vec<Term>, Vec<Term>)> = BTreeSet::new();
    let limits = Limits { delays, branches: 1000, steps };
    let mut search = Exploration::new(&program, &points, &mut solver, &control, limits);
    let ended = search.run(scheduler, |finished| {
        let values: &Substitution = finished.values;
        let value = |var: &Var| values.get(var).copied().unwrap_or(pool.of_var(*var));
        ends.insert((observed.iter().map(value).collect(), finished.path.to_vec()));
    });
    assert!(ended.is_ok(), "there are no assertions");
    assert!(!search.left_out.branches && !search.left_out.instances);
    let complete = !search.left_out.steps;
    let mut reached = Valuations::new();
    for (values, path) in ends {
        for number in 0..1 << values.len() {
            let wanted: Vec<bool> = (0..values.len()).map(|bit| number >> bit & 1 == 1).collect();
            if reached.contains(&wanted) {
                continue;
            }
            let mut formulas = path.clone();
            formulas.extend(
                values.iter().zip(&wanted).map(|(&value, &wanted)| if wanted { value } else { pool.not(value) }),
            );
            match solver.decide(&formulas) {
                Answer::Sat => {
                    reached.insert(wanted);
                }
                Answer::Unsat => {}
                Answer::Unknown => panic!("the solver must decide truth values"),
            }
        }
    }
    Reached { valuations: reached, complete }
}

/// What the sequential program reaches.
fn by_sequentialization(structured: &ast::Program, names: &[&str], scheduler: Scheduler, delays: u32) -> Reached {
    let sequential = sequentialize(structured, scheduler, delays).unwrap_or_else(|errors| panic!("{errors}"));
    let last = |name: &&str| {
        let (_, last) = sequential
            .last
            .iter()
            .find(|(id, _)| structured.variables.get(id.index()).is_some_and(|v| v.name == *name))
            .expect("shared");
        sequential.program.variable(*last).name.clone()
    };
    let names: Vec<String> = names.iter().map(last).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    by_search(&sequential.program, &names, scheduler, 0, SEQUENTIAL_STEPS)
}

/// Checks one program. How many comparisons with sequential programs were complete, and how many there were.
fn check(seed: u64, language: Language) -> (usize, usize) {
    let (mut complete, mut compared) = (0, 0);
    let (text, names) = generator::program(seed, language);
    let program = parse("random", &text, language).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{text}"));
    for delays in 0..=2 {
        let [df, dfw] = [Scheduler::Df, Scheduler::Dfw].map(|scheduler| {
            let reached = by_definition(&program, &names, scheduler, delays);
            let place = || format!("seed {seed}, {language:?}, {scheduler}, K = {delays}\n{text}");
            let found = by_search(&program, &names, scheduler, delays, u64::MAX);
            assert_eq!(found.valuations, reached, "the search: {}", place());
            // Under DF what has ended is a shared array, and guessing arrays takes long.
            if scheduler == Scheduler::Df && (delays > 1 || !seed.is_multiple_of(4)) {
                return reached;
            }
            let sequential = by_sequentialization(&program, &names, scheduler, delays);
            assert!(sequential.valuations.is_subset(&reached), "Theorem 2: {}", place());
            assert!(!sequential.complete || sequential.valuations == reached, "Theorem 2: {}", place());
            complete += usize::from(sequential.complete);
            compared += 1;
            reached
        });
        assert!(df.is_subset(&dfw), "Theorem 1: seed {seed}, K = {delays}\n{text}");
    }
    (complete, compared)
}

fn check_all(language: Language) {
    let counts: Vec<(usize, usize)> = (0..cases() / 2).map(|seed| check(seed, language)).collect();
    let complete: usize = counts.iter().map(|(complete, _)| complete).sum();
    let compared: usize = counts.iter().map(|(_, compared)| compared).sum();
    println!("{language:?}: {complete} of {compared} sequential programs were searched completely");
    assert!(complete * 10 >= compared * 9);
}

fn cases() -> u64 {
    std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100)
}

#[test]
fn tasks_that_switch_anywhere() {
    check_all(Language::Braid);
}

#[test]
fn tasks_that_switch_at_yields() {
    check_all(Language::Boogie);
}
