//! The command line, as clap reads it: one file for each group of options.
//!
//! `-h` shows the common options alone, `--help` all of them under the headings of their groups. *Invariant*: an option is in a group
//! by its heading; which are common, and in which order, is said only in [`COMMON`].

#[macro_use]
mod names;

mod bench;
mod c;
mod cegar;
mod delay;
mod explicit;
mod gem;
mod limits;
mod modular;
mod others;
mod parametric;
mod verify;
mod weave;

pub use bench::Bench;
pub use c::{CReading, DataModelName, words};
pub use delay::Delays;
pub use gem::Seeding;
pub use limits::Lowering;
pub use others::{
    Check, Completions, Doctor, Form, Lsp, Manual, Print, Replay, SequentialForm, Sequentialize, ShellName,
};
pub use verify::{CertificateForm, EngineName, Hyper, Run, Telling, Validate, Verify};

use crate::output::Colour;
use crate::version;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::Path;

/// Headings that options of several files have.
pub const CHECKED: &str = "What is checked";
pub const EVIDENCE: &str = "Evidence and reports";
pub const LIMITS: &str = "Limits";

/// The options that most people need, in the order of the help; by the names of their fields.
const COMMON: [&str; 13] = [
    "property", "function", "form", "timeout", "engine", "trace", "all", "include", "define", "confirm", "json",
    "quiet", "help",
];

/// Proves concurrent programs correct, or shows step by step how they break
///
/// Reads C with POSIX threads (.c, .i), Boogie (.bpl), and the languages of Weaver (.wvr) and of Braid (.braid). Never says safe without a
/// proof, and never unsafe without an execution that was replayed; unknown otherwise.
#[derive(Parser, Debug)]
#[command(name = "braid", version = version::line(), max_term_width = 100, after_help = first_steps())]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to write in colours
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        global = true,
        help_heading = "Terminal",
        hide_short_help = true
    )]
    pub color: Colour,
}

/// What processes end with, by meaning.
pub const STATUSES: [(&str, &str); 7] = [
    ("0", "safe"),
    ("10", "unsafe"),
    ("20", "unknown"),
    ("2", "wrong usage"),
    ("3", "input rejected"),
    ("70", "internal error"),
    ("74", "the answer cannot be written"),
];

/// What to try first.
pub const EXAMPLES: [(&str, &str); 4] = [
    ("braid verify queue.c", "looks for all that can go wrong, and proves that nothing does"),
    ("braid verify --property no-data-race --timeout 1m queue.c", "asks for data races only, for a minute"),
    ("braid explain queue.c", "shows the proof in the source, or the execution that fails"),
    ("braid doctor", "says what is missing on this machine"),
];

/// What stands at the end of the help.
fn first_steps() -> String {
    let examples: String = EXAMPLES.iter().map(|(line, what)| format!("  {line}\n      {what}\n")).collect();
    let statuses: Vec<String> = STATUSES.iter().map(|(number, meaning)| format!("{number} {meaning}")).collect();
    format!("Examples:\n{examples}\nExit status: {}.", statuses.join(", "))
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove a program's claim, or show an execution that violates it
    #[command(
        override_usage = "braid verify [OPTIONS] <FILE>...\n       braid verify [OPTIONS] --compile-commands <FILE>"
    )]
    Verify(Box<Verify>),
    /// Verify, and show why: the assertions of the proof and where they hold, or the interleaving that fails
    #[command(
        override_usage = "braid explain [OPTIONS] <FILE>...\n       braid explain [OPTIONS] --compile-commands <FILE>"
    )]
    Explain(Box<Verify>),
    /// Prove a property of several runs, or show runs that violate it together
    #[command(override_usage = "braid hyper [OPTIONS] --property <PROPERTY> <FILE>...")]
    Hyper(Box<Hyper>),
    /// Show a program as Braid understands it
    Print(Print),
    /// Show the sequential program whose executions are those of an asynchronous one within a number of delays
    Sequentialize(Sequentialize),
    /// Run the execution of a JSON result again, step by step
    Replay(Replay),
    /// Check a certificate that `braid verify --certificate` wrote, without any engine
    Check(Check),
    /// Say whether a witness holds: confirmed (status 0), refuted (10) or unknown (20)
    #[command(override_usage = "braid validate [OPTIONS] <WITNESS> <FILE>...")]
    Validate(Box<Validate>),
    /// Run many tasks with several configurations: a table, plots, and what has changed
    Bench(Box<Bench>),
    /// Serve an editor on standard input and output: verify what is opened and saved
    Lsp(Lsp),
    /// Say what is missing on this machine, and what to do about it
    Doctor(Doctor),
    /// Print completions for a shell
    Completions(Completions),
    /// Print a manual page, to read with: braid man verify | man -l -
    Man(Manual),
}

impl Arguments {
    /// The arguments of this process. Wrong ones end it with a message.
    pub fn of_process() -> Arguments {
        let matches = Arguments::grouped().try_get_matches().unwrap_or_else(|error| with_advice(error).exit());
        Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The command line with its options in groups.
    pub fn grouped() -> clap::Command {
        let command = Arguments::command();
        // `bench` shows all its options under their headings.
        let verifying: Vec<String> = (command.get_subcommands())
            .filter(|command| command.get_arguments().count() > COMMON.len() && command.get_name() != "bench")
            .map(|command| command.get_name().to_owned())
            .collect();
        verifying.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_common_first))
    }
}

/// A file that stands where a command is expected is one to verify, most likely.
fn with_advice(error: clap::Error) -> clap::Error {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if Path::new(word).is_file() => {
            let message = format!("'{word}' is a file, not a command\n\n  tip: to verify it: braid verify {word}");
            Arguments::grouped().error(ErrorKind::InvalidSubcommand, message)
        }
        _ => error,
    }
}

/// The options of a command, with the common ones apart.
fn with_common_first(command: clap::Command) -> clap::Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help("Show the common options (-h), or all of them (--help)");
    let place = |arg: &Arg| COMMON.iter().position(|&name| arg.get_id() == name);
    command.disable_help_flag(true).arg(help).mut_args(|arg| match place(&arg) {
        Some(place) => arg.help_heading("Common options").display_order(place),
        None if arg.is_positional() => arg.help_heading(None),
        None => arg.hide_short_help(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_has_ten_options_and_the_long_one_a_heading_for_each() {
        let mut command = Arguments::grouped();
        command.build();
        let verify = command.find_subcommand("verify").expect("there is such a command");
        let options = || verify.get_arguments().filter(|arg| !arg.is_positional() && arg.get_id() != "help");
        let common = options().filter(|arg| !arg.is_hide_short_help_set());
        assert_eq!(common.count(), 10);
        let homeless: Vec<&str> =
            options().filter(|arg| arg.get_help_heading().is_none()).map(|arg| arg.get_id().as_str()).collect();
        assert_eq!(homeless, Vec::<&str>::new());
    }

    #[test]
    fn common_options_exist() {
        let command = Arguments::command();
        for name in COMMON.iter().filter(|name| **name != "help") {
            let known =
                command.get_subcommands().any(|command| command.get_arguments().any(|arg| arg.get_id() == name));
            assert!(known, "{name}");
        }
        Arguments::grouped().debug_assert();
    }
}
