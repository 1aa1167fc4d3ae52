//! Microseconds per query, native tier and Z3 side by side: `cargo bench -p braid-logic --bench linear`.
//!
//! The queries imitate those of proof checking (Hoare triples over a few variables, with flags, choices, queues as
//! functions, arrays) and of trace checking (long conjunctions in static single assignment).

#[path = "../tests/common/mod.rs"]
mod common;

use braid_logic::{LinearSolver, NativeAnswer, Term, TermPool};
use common::programs::{FAMILIES, Program, trace};
use common::{Oracle, Random};
use std::time::{Duration, Instant};

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn report(name: &str, pool: &TermPool, queries: &[Vec<Term>], rounds: usize) {
    let mut solver = LinearSolver::new(pool);
    let mut oracle = Oracle::new(pool);
    let (mut sat, mut unsat, mut gave_up) = (0, 0, 0);
    for query in queries {
        match solver.check(query) {
            NativeAnswer::Sat => sat += 1,
            NativeAnswer::Unsat(_) => unsat += 1,
            NativeAnswer::GiveUp => gave_up += 1,
        }
    }
    // The best of some rounds, for the machine is shared. Each round goes through all queries, so that no query finds its own tables in the cache.
    let mut times = vec![f64::INFINITY; queries.len()];
    for _ in 0..rounds {
        for (query, time) in queries.iter().zip(&mut times) {
            let start = Instant::now();
            std::hint::black_box(solver.check(query));
            *time = time.min(micros(start.elapsed()));
        }
    }
    let start = Instant::now();
    for query in queries.iter().take(400) {
        std::hint::black_box(oracle.check(query));
    }
    let z3 = micros(start.elapsed()) / queries.len().min(400) as f64;
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let quantile = |q: f64| times[((times.len() - 1) as f64 * q) as usize];
    println!(
        "{name:<22} median {:8.2} µs  mean {mean:8.2}  95% {:8.2}  max {:9.2}  z3 mean {z3:8.1}   sat {sat:5} unsat {unsat:5} gave up {:.2} %",
        quantile(0.5),
        quantile(0.95),
        quantile(1.0),
        100.0 * f64::from(gave_up) / queries.len() as f64,
    );
}

fn main() {
    for family in FAMILIES {
        let pool = TermPool::new();
        let mut program = Program::new(&pool, 7, family);
        let queries: Vec<Vec<Term>> = (0..2000).map(|_| program.triple()).collect();
        report(&format!("triples, {}", family.name), &pool, &queries, 20);
    }
    for steps in [10, 30, 60, 120] {
        let pool = TermPool::new();
        let mut random = Random::new(11);
        let queries: Vec<Vec<Term>> = (0..40).map(|i| trace(&pool, &mut random, steps, i % 2 == 0)).collect();
        report(&format!("traces, {steps} steps"), &pool, &queries, 5);
    }
}
