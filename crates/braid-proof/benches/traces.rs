//! Proves random traces of the `.wvr` programs below the given paths, by each strategy and by all together:
//! `cargo bench -p braid-proof --bench traces -- [PATH…] [--per-file N] [--steps N]`.

#[path = "../tests/support/mod.rs"]
mod support;

use braid_proof::{ProverOptions, Strategy};
use std::path::PathBuf;
use support::{measure, program_files};

fn main() {
    let (mut paths, mut per_file, mut steps) = (Vec::new(), 20, 60);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse().ok()).expect("a number follows the option");
        match argument.as_str() {
            "--per-file" => per_file = number(),
            "--steps" => steps = number(),
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    if paths.is_empty() {
        paths.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples").into());
    }
    let files = program_files(&paths);
    println!("{} files, up to {per_file} traces each, up to {steps} steps", files.len());
    println!(
        "{:10} {:>7} {:>9} {:>8} {:>7} {:>8} {:>7} {:>10} {:>10} {:>10}",
        "strategy", "traces", "feasible", "proven", "%", "unknown", "invalid", "median ms", "p95 ms", "assertions"
    );
    let single = Strategy::ALL.map(|strategy| (strategy.name(), vec![strategy]));
    for (name, strategies) in single.into_iter().chain([("all", Strategy::ALL.to_vec())]) {
        let mut measured = measure(&files, per_file, steps, &ProverOptions { strategies, ..ProverOptions::default() });
        let infeasible = measured.traces - measured.feasible;
        let median = measured.median();
        let p95 = measured.times.get(measured.times.len() * 95 / 100).copied().unwrap_or_default();
        let assertions: u64 = measured.strategies.iter().map(|(_, _, _, assertions, _)| assertions).sum();
        println!(
            "{name:10} {:7} {:9} {:8} {:6.1}% {:8} {:7} {:10.3} {:10.3} {:10.2}",
            measured.traces,
            measured.feasible,
            measured.proven,
            100.0 * measured.proven as f64 / infeasible.max(1) as f64,
            measured.unknown,
            measured.invalid,
            median.as_secs_f64() * 1e3,
            p95.as_secs_f64() * 1e3,
            assertions as f64 / measured.proven.max(1) as f64
        );
        if name == "all" {
            for (strategy, tried, proven, assertions, time) in &measured.strategies {
                let mean = *assertions as f64 / (*proven).max(1) as f64;
                println!(
                    "  {:8} tried {tried:6} proven {proven:6} assertions {mean:6.2} time {time:.2?}",
                    strategy.name()
                );
            }
            println!(
                "  mean steps {:.1}, unreplayed {}",
                measured.steps as f64 / measured.traces as f64,
                measured.unreplayed
            );
            for file in &measured.unproven {
                println!("  unproven: {}", file.display());
            }
        }
    }
}
