//! Traces drawn from program files, proven and measured: shared by the test and the benchmark.

#![allow(dead_code, reason = "the test and the benchmarks each use a part")]

use braid_frontend::load;
use braid_logic::{Solver, SolverOptions, Term, TermPool};
use braid_program::{LowerOptions, Random, Walker, lower, replay};
use braid_proof::{ProveTraces, ProverOptions, Strategy, Trace, TraceOutcome, TraceProver};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All `.wvr` files below the given paths, sorted.
pub fn program_files(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let inside: Vec<PathBuf> =
                std::fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
            files.extend(program_files(&inside));
        } else if path.extension().is_some_and(|extension| extension == "wvr") {
            files.push(path.clone());
        }
    }
    files.sort();
    files
}

/// What came of a set of traces.
#[derive(Default)]
pub struct Measured {
    pub traces: usize,
    pub steps: usize,
    pub feasible: usize,
    pub proven: usize,
    pub unknown: usize,
    pub invalid: u64,
    /// Feasible traces whose model does not replay.
    pub unreplayed: usize,
    /// The time of each trace that is not feasible.
    pub times: Vec<Duration>,
    /// Per strategy: traces tried and proven, distinct assertions in all, time.
    pub strategies: Vec<(Strategy, u64, u64, u64, Duration)>,
    /// Files with an infeasible trace that nothing proved.
    pub unproven: BTreeSet<PathBuf>,
}

impl Measured {
    pub fn median(&mut self) -> Duration {
        self.times.sort_unstable();
        self.times.get(self.times.len() / 2).copied().unwrap_or_default()
    }
}

/// Draws `per_file` traces of up to `limit` steps from each file, and proves them.
pub fn measure(files: &[PathBuf], per_file: usize, limit: usize, options: &ProverOptions) -> Measured {
    let strategies = options.strategies.iter().map(|&s| (s, 0, 0, 0, Duration::ZERO)).collect();
    let mut measured = Measured { strategies, ..Measured::default() };
    for file in files {
        measure_file(file, per_file, limit, options, &mut measured);
    }
    measured
}

fn measure_file(file: &Path, per_file: usize, limit: usize, options: &ProverOptions, measured: &mut Measured) {
    let program = load(file).unwrap_or_else(|error| panic!("{error}"));
    let pool = TermPool::new();
    let program = lower(&program, &pool, LowerOptions::default()).expect("benchmarks can be lowered");
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("the linked solver starts");
    let mut prover = TraceProver::new(&pool, options.clone());
    let walker = Walker::new(&program);
    let mut random = Random::new(0x5eed);
    let mut drawn = 0;
    for _ in 0..per_file * 4 {
        if drawn == per_file {
            break;
        }
        let Some(walk) = walker.walk(&mut random, limit) else { continue };
        drawn += 1;
        measured.traces += 1;
        measured.steps += walk.len();
        let start = Instant::now();
        let trace = Trace::of_actions(&program, &walk);
        let outcome = prover.prove(&mut solver, &trace);
        let time = start.elapsed();
        match outcome {
            TraceOutcome::Feasible(values) => {
                measured.feasible += 1;
                if replay(&program, &values.execution(&walk)).is_err() {
                    measured.unreplayed += 1;
                }
            }
            TraceOutcome::Infeasible(annotations) => {
                measured.proven += 1;
                measured.times.push(time);
                for annotation in annotations {
                    assert_eq!(annotation.assertions.first(), Some(&Term::TRUE));
                    assert_eq!(annotation.assertions.last(), Some(&Term::FALSE));
                }
            }
            TraceOutcome::Unknown(_) => {
                measured.unknown += 1;
                measured.times.push(time);
                measured.unproven.insert(file.to_path_buf());
            }
        }
    }
    for (total, (_, own)) in measured.strategies.iter_mut().zip(prover.statistics()) {
        total.1 += own.tried;
        total.2 += own.proven;
        total.3 += own.assertions;
        total.4 += own.time;
        measured.invalid += own.invalid;
    }
}
