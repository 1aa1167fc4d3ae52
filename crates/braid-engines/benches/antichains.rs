//! Antichains against the plain fixpoint (paper 4, Table 4): finished proofs are checked both ways.
//! `cargo bench -p braid-engines --bench antichains -- [FILE…] [--seconds N] [--no-fuse]`, where N is how long the plain check may take.

use braid_engines::weave::Weave;
use braid_engines::{Control, Task};
use braid_frontend::load;
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let (mut files, mut patience, mut fuse) = (Vec::new(), 10, true);
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => patience = arguments.next().and_then(|text| text.parse().ok()).expect("--seconds N"),
            "--no-fuse" => fuse = false,
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if files.is_empty() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        files.extend(["array-sum-parallel.wvr", "nested-par.wvr"].map(|name| examples.join(name)));
    }
    let columns = ("program", "threads", "proof", "antichain", "states", "plain", "states");
    println!(
        "{:28} {:>7} {:>6} {:>12} {:>8} {:>12} {:>8}",
        columns.0, columns.1, columns.2, columns.3, columns.4, columns.5, columns.6
    );
    for file in files {
        println!("{}", row(&file, fuse, Duration::from_secs(patience)));
    }
}

fn row(file: &Path, fuse: bool, patience: Duration) -> String {
    let program = load(file).unwrap_or_else(|error| panic!("{error}"));
    let pool = TermPool::new();
    let automata = lower(&program, &pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("can be lowered");
    let task = Task::new(&automata);
    let (name, threads) = (file.file_stem().unwrap_or_default().to_string_lossy(), automata.threads.len() - 1);
    let proving = Control::new().until(Some(Instant::now() + Duration::from_secs(20)));
    let mut variants = Weave::default().variants().into_iter();
    let Some(found) = variants.find_map(|engine| engine.compare(&task, &proving, Instant::now() + patience)) else {
        return format!("{name:28} {threads:>7} no proof");
    };
    let (fast, states) = found.antichain;
    let (slow, slow_states) = match found.plain {
        Some((slow, states)) => (format!("{:.4} s", slow.as_secs_f64()), states.to_string()),
        None => ("T/O".to_owned(), String::new()),
    };
    let fast = format!("{:.4} s", fast.as_secs_f64());
    format!("{name:28} {threads:>7} {:>6} {fast:>12} {states:>8} {slow:>12} {slow_states:>8}", found.proof_size)
}
