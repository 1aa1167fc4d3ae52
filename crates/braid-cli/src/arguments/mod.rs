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
pub use others::{Check, Form, Lsp, Print, Replay, SequentialForm, Sequentialize};
pub use verify::{CertificateForm, EngineName, Hyper, Run, Telling, Validate, Verify};

use crate::output::Colour;
use crate::version;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Headings that options of several files have.
pub const CHECKED: &str = "What is checked";
pub const EVIDENCE: &str = "Evidence and reports";
pub const LIMITS: &str = "Limits";

/// The options that most people need, in the order of the help; by the names of their fields.
const COMMON: [&str; 13] = [
    "property", "function", "form", "timeout", "engine", "trace", "all", "include", "define", "confirm", "json",
    "quiet", "help",
];

/// Proves concurrent programs correct, or shows step by step how they break.
#[derive(Parser, Debug)]
#[command(name = "braid", version = version::line(), max_term_width = 100, after_help = STATUSES)]
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

const STATUSES: &str = "\
Exit status: 0 safe, 10 unsafe, 20 unknown, 2 wrong usage, 3 input rejected, 70 internal error.";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove a program's claim, or show an execution that violates it
    Verify(Box<Verify>),
    /// Verify, and show why: the assertions of the proof and where they hold, or the interleaving that fails
    Explain(Box<Verify>),
    /// Prove a property of several runs, or show runs that violate it together
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
    Validate(Box<Validate>),
    /// Run many tasks with several configurations: a table, plots, and what has changed
    Bench(Box<Bench>),
    /// Serve an editor on standard input and output: verify what is opened and saved
    Lsp(Lsp),
}

impl Arguments {
    /// The arguments of this process. Wrong ones end it with a message.
    pub fn of_process() -> Arguments {
        let matches = Arguments::grouped().get_matches();
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
