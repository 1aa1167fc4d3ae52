//! Hoare triples as they occur in programs: through the façade, and the same formulas prebuilt for Z3 alone.
//! `cargo bench -p braid-proof --bench triples -- [PATH…] [--count N]`.
//!
//! The triples combine assertions that trace proving found in a program with the actions of that program.

#[path = "../tests/support/mod.rs"]
mod support;

use braid_frontend::load;
use braid_logic::text::script;
use braid_logic::{Answer, Solver, SolverOptions, Sort, Term, TermPool};
use braid_program::{LowerOptions, Random, Walker, lower};
use braid_proof::{ProveTraces, ProverOptions, Trace, TraceOutcome, TraceProver};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::program_files;

/// The formulas of a triple: they are unsatisfiable together iff it holds.
type Triple = Vec<Term>;

/// Different triples of one program that are not settled by simplification alone.
fn triples(file: &Path, pool: &TermPool, count: usize) -> Vec<Triple> {
    let program = load(file).unwrap_or_else(|error| panic!("{error}"));
    let program = lower(&program, pool, LowerOptions::default()).expect("benchmarks can be lowered");
    let mut solver = Solver::new(pool, SolverOptions::default()).expect("the linked solver starts");
    let mut prover = TraceProver::new(pool, ProverOptions::default());
    let (walker, mut random) = (Walker::new(&program), Random::new(7));
    let mut assertions = Vec::new();
    for _ in 0..12 {
        let Some(walk) = walker.walk(&mut random, 30) else { continue };
        if let TraceOutcome::Infeasible(found) = prover.prove(&mut solver, &Trace::of_actions(&program, &walk)) {
            assertions.extend(found.iter().flat_map(|annotation| annotation.distinct()));
        }
    }
    assertions.sort_unstable();
    assertions.dedup();
    assertions.retain(|&assertion| assertion != Term::TRUE && assertion != Term::FALSE);
    let mut triples: Vec<Triple> = Vec::new();
    if assertions.is_empty() {
        return triples;
    }
    for _ in 0..count * 8 {
        if triples.len() == count {
            break;
        }
        let premises = 1 + random.below(3);
        let before = pool.and((0..premises).map(|_| assertions[random.below(assertions.len())]).collect::<Vec<_>>());
        let after = assertions[random.below(assertions.len())];
        let action = program.actions[random.below(program.actions.len())].relation(pool);
        let mut formulas = vec![before, action.guard, pool.not(action.before(pool, after))];
        formulas.retain(|&formula| formula != Term::TRUE);
        if pool.and(formulas.clone()) != Term::FALSE && !triples.contains(&formulas) {
            triples.push(formulas);
        }
    }
    triples
}

#[derive(Default)]
struct Total {
    queries: u64,
    native: u64,
    disagreements: u64,
    facade: Duration,
    raw: Duration,
    /// Only the queries that reached Z3: through the façade, and raw.
    reached: u64,
    reached_facade: Duration,
    reached_raw: Duration,
    /// All queries through the façade with the native tier switched off.
    without_native: Duration,
    facade_times: Vec<Duration>,
}

fn measure(file: &Path, count: usize, total: &mut Total) {
    let pool = TermPool::new();
    let triples = triples(file, &pool, count);
    let solver = |native| {
        let options = SolverOptions { native, memory: false, ..SolverOptions::default() };
        let mut solver = Solver::new(&pool, options).expect("the linked solver starts");
        solver.decide(&[pool.symbol("warm.up", Sort::BOOL)]);
        solver
    };
    let (mut facade, mut without_native) = (solver(true), solver(false));
    let raw = z3::Solver::new();
    for formulas in &triples {
        let reader = z3::Solver::new();
        reader.from_string(script(&pool, formulas));
        let prebuilt = reader.get_assertions();
        let before = facade.statistics().backend.total();
        let start = Instant::now();
        let answer = facade.decide(formulas);
        let own = start.elapsed();
        let reached = facade.statistics().backend.total() > before;
        let start = Instant::now();
        raw.push();
        for formula in &prebuilt {
            raw.assert(formula);
        }
        let theirs = raw.check();
        raw.pop(1);
        let other = start.elapsed();
        total.queries += 1;
        total.facade += own;
        total.raw += other;
        total.facade_times.push(own);
        let start = Instant::now();
        without_native.decide(formulas);
        total.without_native += start.elapsed();
        if reached {
            total.reached += 1;
            total.reached_facade += own;
            total.reached_raw += other;
        } else {
            total.native += 1;
        }
        let disagree =
            matches!((answer, theirs), (Answer::Sat, z3::SatResult::Unsat) | (Answer::Unsat, z3::SatResult::Sat));
        total.disagreements += u64::from(disagree);
    }
}

fn main() {
    let (mut paths, mut count) = (Vec::new(), 10_000_usize);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--count" => count = arguments.next().and_then(|n| n.parse().ok()).expect("a number follows --count"),
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    if paths.is_empty() {
        paths.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples").into());
    }
    let files = program_files(&paths);
    let mut total = Total::default();
    for (number, file) in files.iter().enumerate() {
        let missing = count.saturating_sub(total.queries as usize);
        // Not every program has as many different triples as are asked for.
        measure(file, (missing + missing / 2).div_ceil(files.len() - number), &mut total);
    }
    let per_second = |time: Duration| total.queries as f64 / time.as_secs_f64();
    total.facade_times.sort_unstable();
    let quantile = |q: usize| total.facade_times[(total.facade_times.len() - 1) * q / 100].as_secs_f64() * 1e6;
    println!("{} triples of {} files", total.queries, files.len());
    println!(
        "façade   {:10.0} queries/s, median {:.1} µs, 95 % {:.1} µs",
        per_second(total.facade),
        quantile(50),
        quantile(95)
    );
    println!("Z3 alone {:10.0} queries/s", per_second(total.raw));
    println!("ratio    {:10.2}", total.raw.as_secs_f64() / total.facade.as_secs_f64());
    println!("native   {:9.1} %", 100.0 * total.native as f64 / total.queries as f64);
    let over = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!("{} reach Z3, façade / raw: {:.2}", total.reached, over(total.reached_facade, total.reached_raw));
    println!("all without the native tier, façade / raw: {:.2}", over(total.without_native, total.raw));
    println!("disagreements: {}", total.disagreements);
}
