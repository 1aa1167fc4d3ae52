//! The `braid` command: arguments in, verdict and exit status out.
//!
//! *Architecture invariant*: no verification logic is here; whatever the input, the command ends with one of the statuses
//! of `exit`, and never with a panic's message.

mod all;
mod answer;
mod arguments;
mod bench;
mod certificate;
mod check_words;
mod commands;
mod deadlock;
mod dependence;
mod doctor;
mod document;
mod exit;
mod explain;
mod facts;
mod formats;
mod hyper;
mod input;
mod judge;
pub mod library;
mod livelock;
mod lsp;
mod machine;
mod manual;
mod output;
mod print;
mod progress;
mod property;
mod queries;
mod questions;
mod race;
mod replay;
mod report;
mod runner;
mod runs;
mod sequentialize;
mod signals;
mod story;
mod strategy;
mod table;
mod task;
mod trace;
mod units;
mod vacuity;
mod validate;
mod value_text;
mod verify;
mod version;
mod watch;
mod witness;
mod worker;
mod yaml;

use arguments::{Arguments, Command, EngineName, Run, Verify};
use exit::{Failure, Status};
use std::panic;
use std::process::ExitCode;
use std::time::Instant;
use worker::Worker;

/// Reads the arguments of the process, does what they say, and gives its exit status.
pub fn main() -> ExitCode {
    let start = Instant::now();
    let arguments = Arguments::of_process();
    output::set_colour(arguments.color);
    worker::silence_panics();
    let result = panic::catch_unwind(|| run(arguments, start)).unwrap_or_else(|_| Err(worker::last_panic()));
    match result {
        Ok(status) => status.into(),
        Err(failure) => {
            eprintln!("{}", failure.message.trim_end());
            failure.status.into()
        }
    }
}

fn run(arguments: Arguments, start: Instant) -> Result<Status, Failure> {
    match arguments.command {
        Command::Verify(arguments) => verified(task::resolved(*arguments)?, start),
        Command::Explain(arguments) => {
            let arguments = task::resolved(*arguments)?;
            let run = Run { explain: true, ..arguments.run };
            verified(Verify { run, ..arguments }, start)
        }
        Command::Hyper(arguments) => verify::hyper(*arguments, start),
        Command::Print(arguments) => Worker::start(move || print::print(&arguments))?.finish(),
        Command::Sequentialize(arguments) => Worker::start(move || sequentialize::sequentialize(&arguments))?.finish(),
        Command::Validate(arguments) => validate::validate(*arguments, start),
        Command::Replay(arguments) => Worker::start(move || replay::replay(&arguments))?.finish(),
        Command::Bench(arguments) => bench::bench(&arguments, start),
        Command::Lsp(_) => lsp::serve(),
        Command::Doctor(arguments) => Worker::start(move || doctor::doctor(&arguments))?.finish(),
        Command::Completions(arguments) => manual::completions(arguments.shell),
        Command::Man(arguments) => manual::manual(&arguments),
        Command::Check(arguments) => Worker::start(move || certificate::check(&arguments, start))?.finish(),
    }
}

fn verified(arguments: Verify, start: Instant) -> Result<Status, Failure> {
    match arguments.run.engine {
        EngineName::Run => machine::verify(arguments, start),
        _ => verify::verify(arguments, start),
    }
}
