//! Trace proving over random walks through the example programs (and those below `BRAID_BENCH`, if it is set).
//!
//! Every annotation is validated by the prover; here it is also held against concrete runs, which no solver is part of.

mod support;

use braid_frontend::load;
use braid_logic::{Model, Solver, SolverOptions, TermPool, Value};
use braid_program::{Interpreter, LowerOptions, Random, Walker, lower};
use braid_proof::{ProveTraces, ProverOptions, Strategy, Trace, TraceOutcome, TraceProver};
use std::path::PathBuf;
use std::time::Duration;
use support::{measure, program_files};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

fn files() -> Vec<PathBuf> {
    let extra = std::env::var_os("BRAID_BENCH").map(PathBuf::from);
    program_files(&extra.into_iter().chain([EXAMPLES.into()]).collect::<Vec<_>>())
}

#[test]
fn nearly_all_infeasible_traces_are_proven_quickly() {
    let files = files();
    let per_file = 2_000_usize.div_ceil(files.len()) + 10;
    let mut measured = measure(&files, per_file, 60, &ProverOptions::default());
    let infeasible = measured.traces - measured.feasible;
    assert!(measured.traces >= 2_000, "only {} traces", measured.traces);
    assert_eq!(measured.invalid, 0, "annotations that do not validate");
    assert_eq!(measured.unreplayed, 0, "feasible traces that do not replay");
    assert!(measured.proven * 100 >= infeasible * 97, "{} of {infeasible} proven", measured.proven);
    // The bar is 5 ms on an idle machine (see the benchmark `traces`); a busy one gets ten times that.
    assert!(measured.median() < Duration::from_millis(50), "median {:?}", measured.median());
}

/// In a concrete run, each assertion of the annotation holds for as long as the run follows the trace.
#[test]
fn assertions_hold_in_concrete_runs() {
    let mut checked = 0;
    for file in files() {
        let program = load(&file).unwrap_or_else(|error| panic!("{error}"));
        let pool = TermPool::new();
        let program = lower(&program, &pool, LowerOptions::default()).expect("examples can be lowered");
        let mut solver = Solver::new(&pool, SolverOptions::default()).expect("the linked solver starts");
        let options = ProverOptions { annotations: Strategy::ALL.len(), ..ProverOptions::default() };
        let mut prover = TraceProver::new(&pool, options);
        let (walker, mut random) = (Walker::new(&program), Random::new(11));
        for _ in 0..5 {
            let Some(walk) = walker.walk(&mut random, 25) else { continue };
            let trace = Trace::of_actions(&program, &walk);
            let TraceOutcome::Infeasible(annotations) = prover.prove(&mut solver, &trace) else { continue };
            for _ in 0..20 {
                let small = |random: &mut Random| random.below(4) as i64;
                let vars = program.variables.iter().filter_map(|variable| {
                    match pool.first_value(pool.var_sort(variable.var)) {
                        Value::Int(_) => Some((variable.var, Value::Int(small(&mut random).into()))),
                        Value::Bool(_) => Some((variable.var, Value::Bool(small(&mut random) > 1))),
                        _ => None,
                    }
                });
                let initial = Model { vars: vars.collect(), ..Model::default() };
                let interpreter = Interpreter::new(&program);
                let mut state = interpreter.initial_state(&initial.vars);
                for (position, &action) in walk.iter().enumerate() {
                    let values = program
                        .variables
                        .iter()
                        .filter_map(|v| interpreter.value(&state, v.var).map(|value| (v.var, value.clone())));
                    let here = Model { vars: values.collect(), ..Model::default() };
                    for annotation in &annotations {
                        let holds = pool.holds_in(annotation.assertions[position], &here);
                        assert_ne!(holds, Some(false), "{}: {:?}", file.display(), annotation.strategy);
                        checked += 1;
                    }
                    let choices: Vec<Option<Value>> = program
                        .action(action)
                        .havocked()
                        .map(|_| Some(Value::Int(small(&mut random).into())))
                        .collect();
                    match interpreter.run(&state, action, &choices) {
                        Ok(next) => state = next,
                        Err(_) => break,
                    }
                }
            }
        }
    }
    assert!(checked > 1_000, "only {checked} assertions were reached by concrete runs");
}
