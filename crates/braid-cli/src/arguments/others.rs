//! The commands that do not verify: they show, repeat, check, serve or help.

use super::{CReading, Delays, Lowering};
use crate::units::{parse_directory, parse_duration, parse_file};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 all that verification needs is there, 1 something is missing.")]
pub struct Doctor {
    /// Try this SMT-LIB solver, too, for example "cvc5 --incremental"
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Write what is found as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Completions {
    /// The shell: put what is printed where it looks for completions, see docs/install.md
    pub shell: ShellName,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShellName {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
pub struct Manual {
    /// The command to describe, such as verify [default: braid itself]
    pub command: Option<String>,
    /// Write the pages of all commands into this folder: braid.1, braid-verify.1, …
    #[arg(long, value_name = "DIR", value_parser = parse_directory, conflicts_with = "command")]
    pub to: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// Some clients ask for what is the only way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub struct Print {
    /// The program: a .c, .i, .bpl, .wvr or .braid file, or - for C from standard input
    #[arg(required_unless_present = "compile_commands")]
    pub file: Option<PathBuf>,
    /// In which form
    #[arg(long = "as", value_enum, default_value_t = Form::Text)]
    pub form: Form,
    /// What is to be shown of a C program, as for `verify`: what is checked is part of the translation
    #[arg(long, value_name = "PROPERTY", default_value = "unreach-call")]
    pub property: String,
    #[command(flatten)]
    pub reading: CReading,
    #[command(flatten)]
    pub lowering: Lowering,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The program in its own language
    Text,
    /// Its automata as a graph for Graphviz
    Dot,
    /// Its automata as a list of threads, locations and actions
    Automata,
}

#[derive(Args, Debug)]
pub struct Sequentialize {
    /// The program: a .bpl, .c, .i or .braid file
    pub file: PathBuf,
    /// In which language
    #[arg(long = "as", value_enum, default_value_t = SequentialForm::Boogie)]
    pub form: SequentialForm,
    #[command(flatten)]
    pub delays: Delays,
    #[command(flatten)]
    pub reading: CReading,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequentialForm {
    /// Boogie
    Boogie,
    /// C, with arrays of 64 cells
    C,
    /// Braid's own language
    Braid,
}

#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 accepted, 1 refused, 2 wrong usage, 3 input rejected, 20 not known in time.")]
pub struct Check {
    /// The certificate
    pub certificate: PathBuf,
    /// The program
    pub file: PathBuf,
    /// Let this SMT-LIB solver decide instead of the linked Z3, for example "cvc5 --incremental"
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Give up after this time: 60, 60s, 1.5m, 500ms, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Print nothing but the answer
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct Replay {
    /// The program that the execution was found in
    pub file: PathBuf,
    /// The JSON that `braid verify --json` wrote
    pub result: PathBuf,
    /// Lead the compiled C program the same way, and say what it did. This executes the program
    #[arg(long)]
    pub run: bool,
    /// With --run: where a folder stays with all that it takes to build and run it again
    #[arg(long, value_name = "DIR", requires = "run")]
    pub keep: Option<PathBuf>,
    /// With --run: another C file of the program
    #[arg(long, value_name = "FILE", value_parser = parse_file, requires = "run")]
    pub also: Vec<PathBuf>,
    /// With --run: an option for the C compiler or linker
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, requires = "run")]
    pub cc_option: Vec<String>,
}
