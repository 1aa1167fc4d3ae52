//! Theorems 1 and 2 of paper 3 on random programs with finite data: what DF reaches DFW reaches too, and the sequential program Σ(P, K)
//! reaches exactly what the scheduler reaches. The symbolic search of the engine must agree with both.

use crate::generator::{self, Generated};
use crate::guesses::{self, Valuations};
use crate::reference;
use braid_engines::Control;
use braid_engines::delay::{Exploration, Halt, Limits, PreemptionPoints, Scheduler};
use braid_frontend::{Language, parse};
use braid_logic::{Answer, Solver, SolverOptions, Substitution, Term, TermPool, Value, Var};
use braid_program::ast;
use braid_program::cfa::Program;
use braid_program::{LowerOptions, lower};
use braid_transform::delay::sequentialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const LOWERING: LowerOptions =
    LowerOptions { fuse: false, instances: 3, recursion: 3, templates: false, one_round: false };

/// A sequential program with more states than these is too much for a test.
const NODES: usize = 20_000;

/// Programs that start no task, or more than these, are left out too.
const MOST_TASKS: usize = 4;

/// The most delays.
const MOST_DELAYS: u32 = 2;

fn variables(program: &Program<'_>, names: &[&str]) -> Vec<Var> {
    let find = |name: &&str| {
        program.variables.iter().map(|variable| variable.var).find(|&var| program.pool.var_name(var) == *name)
    };
    names.iter().map(|name| find(name).unwrap_or_else(|| panic!("there is no variable {name}"))).collect()
}

/// What the definition of the scheduler reaches, and whether an assertion fails on the way.
fn by_definition(structured: &ast::Program, names: &[&str], scheduler: Scheduler, delays: u32) -> guesses::Reached {
    let pool = TermPool::new();
    let program = lower(structured, &pool, LOWERING).expect("lowers");
    let observed = variables(&program, names);
    let reached = reference::reached(&program, scheduler, delays, &observed).expect("all data are truth values");
    let truth = |value: Option<Value>| matches!(value, Some(Value::Bool(true)));
    let valuations = reached.valuations.into_iter().map(|values| values.into_iter().map(truth).collect()).collect();
    guesses::Reached { valuations, fails: reached.fails }
}

/// What the search of the engine reaches. None if it ends with a violation.
fn by_search(structured: &ast::Program, names: &[&str], scheduler: Scheduler, delays: u32) -> Option<Valuations> {
    let pool = TermPool::new();
    let program = lower(structured, &pool, LOWERING).expect("lowers");
    let observed = variables(&program, names);
    let points = PreemptionPoints::of(&program);
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("a solver");
    let control = Control::new();
    let mut ends: BTreeSet<(Vec<Term>, Vec<Term>)> = BTreeSet::new();
    let limits = Limits { delays, branches: 1000, steps: u64::MAX };
    let mut search = Exploration::new(&program, &points, &mut solver, &control, limits);
    let ended = search.run(scheduler, |finished| {
        let values: &Substitution = finished.values;
        let value = |var: &Var| values.get(var).copied().unwrap_or(pool.of_var(*var));
        ends.insert((observed.iter().map(value).collect(), finished.path.to_vec()));
    });
    assert!(!search.left_out.branches && !search.left_out.instances && !search.left_out.undecided);
    match ended {
        Ok(()) => {}
        Err(Halt::Violation(_)) => return None,
        Err(Halt::Stopped(_)) => unreachable!("nobody stops it"),
    }
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
    Some(reached)
}

/// What the sequential program reaches, all of it. None if that is too much.
fn by_sequentialization(
    structured: &ast::Program,
    names: &[&str],
    scheduler: Scheduler,
    delays: u32,
    tasks: usize,
) -> Option<guesses::Reached> {
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
    let pool = TermPool::new();
    let program = lower(&sequential.program, &pool, LOWERING).expect("lowers");
    guesses::reached(&program, &variables(&program, &names), tasks, NODES)
}

/// What was compared, and what it took.
#[derive(Default)]
struct Tally {
    programs: u64,
    /// Programs without tasks, or with too many of them.
    left_out: u64,
    /// Programs with a sequential program that is too large, and that others came in for.
    replaced: u64,
    comparisons: u64,
    /// Programs whose assertions fail within the delays.
    failing: u64,
    definition: Duration,
    search: Duration,
    sequential: Duration,
}

fn timed<T>(sum: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *sum += start.elapsed();
    result
}

/// Checks one program, if it can be searched completely.
fn check(seed: u64, language: Language, tally: &mut Tally) {
    let Generated { text, globals, tasks } = generator::program(seed, language);
    if tasks == 0 || tasks > MOST_TASKS {
        tally.left_out += 1;
        return;
    }
    let program = parse("random", &text, language).unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{text}"));
    let mut fails = false;
    for delays in 0..=MOST_DELAYS {
        let mut by_scheduler = Vec::new();
        for scheduler in [Scheduler::Df, Scheduler::Dfw] {
            let place = || format!("seed {seed}, {language:?}, {scheduler}, K = {delays}\n{text}");
            let reached = timed(&mut tally.definition, || by_definition(&program, &globals, scheduler, delays));
            let found = timed(&mut tally.search, || by_search(&program, &globals, scheduler, delays));
            let sequential =
                timed(&mut tally.sequential, || by_sequentialization(&program, &globals, scheduler, delays, tasks));
            let Some(sequential) = sequential else {
                tally.replaced += 1;
                return;
            };
            assert_eq!(sequential.valuations, reached.valuations, "Theorem 2: {}", place());
            assert_eq!(sequential.fails, found.is_none(), "failures: {}", place());
            // Under DF a failure counts if all tasks can end.
            let agrees = sequential.fails == reached.fails || (scheduler == Scheduler::Df && reached.fails);
            assert!(agrees, "failures by definition: {}", place());
            if let Some(found) = found {
                assert_eq!(found, reached.valuations, "the search: {}", place());
            }
            fails |= sequential.fails;
            tally.comparisons += 1;
            by_scheduler.push(reached.valuations);
        }
        assert!(by_scheduler[0].is_subset(&by_scheduler[1]), "Theorem 1: seed {seed}, K = {delays}\n{text}");
    }
    tally.failing += u64::from(fails);
    tally.programs += 1;
}

fn check_all(language: Language) {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.programs < cases() / 2 {
        check(seed, language, &mut tally);
        seed += 1;
    }
    let Tally { programs, left_out, replaced, comparisons, failing, definition, search, sequential } = tally;
    println!(
        "{language:?}: {programs} programs ({failing} with failures), {left_out} left out, {replaced} replaced, {comparisons} sequential programs compared; \
         {definition:.1?} by definition, {search:.1?} by search, {sequential:.1?} sequential"
    );
    assert!(replaced * 4 <= programs && failing > 0);
}

fn cases() -> u64 {
    std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60)
}

#[test]
fn tasks_that_switch_anywhere() {
    check_all(Language::Braid);
}

#[test]
fn tasks_that_switch_at_yields() {
    check_all(Language::Boogie);
}
