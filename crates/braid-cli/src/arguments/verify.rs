//! The options of the commands that verify: `verify`, `explain`, `hyper`, `validate`.

use super::cegar::Abstraction;
use super::explicit::Visiting;
use super::gem::Sequentialization;
use super::modular::Modules;
use super::parametric::Horn;
use super::weave::Weaving;
use super::{CReading, Delays, EVIDENCE, LIMITS, Lowering};
use crate::formats::Formats;
use crate::machine::Machine;
use crate::report::parse_page;
use crate::units::{parse_bytes, parse_duration};
use crate::witness::Witnessing;
use braid_engines::strategy::Selection;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct Validate {
    /// The witness: YAML (.yml, .yaml) or GraphML (.graphml)
    pub witness: PathBuf,
    /// The C program
    pub file: PathBuf,
    /// What the witness is about [default: what it says]
    #[arg(long, value_name = "PROP|FILE.prp")]
    pub property: Option<String>,
    #[command(flatten)]
    pub run: Run,
}

#[derive(Args, Debug)]
pub struct Verify {
    /// The program: a .c, .i, .bpl, .wvr or .braid file, or - for C from standard input; or an SV-COMP task definition (.yml)
    #[arg(required_unless_present = "compile_commands")]
    pub file: Option<PathBuf>,
    /// What must never happen: unreach-call (assertions), memsafety, no-data-race, no-deadlock, no-overflow, no-undefined, … [default: all
    /// for C, else the program's own claim]
    ///
    /// Several with commas between them. memsafety: valid-deref, valid-free, valid-memtrack and valid-memcleanup, which can be named alone.
    /// no-uninitialised: reads of variables without a value. progress: threads that spin for ever. all: everything but progress and
    /// valid-memcleanup. Or an SV-COMP property file.
    #[arg(long, value_name = "PROP|FILE.prp")]
    pub property: Option<String>,
    #[command(flatten)]
    pub witnessing: Witnessing,
    #[command(flatten)]
    pub formats: Formats,
    /// End with the answer in the words of the Software Verification Competition: true, false(PROPERTY) or unknown
    #[arg(long, help_heading = EVIDENCE)]
    pub svcomp: bool,
    /// Do the rules of the competition hold, because the property is one of its files?
    #[arg(skip)]
    pub competition: bool,
    #[command(flatten)]
    pub run: Run,
}

#[derive(Args, Debug)]
#[command(after_help = HYPERPROPERTIES)]
pub struct Hyper {
    /// The program: a .c, .i, .wvr or .braid file
    pub file: PathBuf,
    /// What to show of its runs: a formula (forall …), or the name of a property
    #[arg(long, value_name = "PROPERTY")]
    pub property: String,
    /// Which function of a C file, or how another program is one: "max(x, y) -> z" [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub function: Option<String>,
    #[command(flatten)]
    pub run: Run,
}

const HYPERPROPERTIES: &str = "\
Formulas speak of values and calls, or of runs and their variables before (p.x) and after (p'.x):
  forall a b c: f(a, b) > 0 && f(b, c) > 0 ==> f(a, c) > 0
  forall p q: p.x == q.x ==> p'.y == q'.y
Names: determinism, security:low=x,y, equivalence:OTHER, symmetry, antisymmetry, transitivity,
  substitutivity, distributivity, associativity, monotonicity.
With ;out=x,y behind a name only these outputs count. See docs/hyper.md.";

/// How to verify, whatever is to be shown. What no group names is among the common options, or hidden from a short help.
#[derive(Args, Debug)]
pub struct Run {
    /// Which algorithm verifies; `auto` tries several side by side
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    pub engine: EngineName,
    /// Which steps of an execution to show
    #[arg(long, value_name = "STEPS", value_enum, default_value_t)]
    pub trace: Telling,
    /// Show every place in a C program where something is wrong, not only the first of each kind
    #[arg(long)]
    pub all: bool,
    /// Give up after this time: 60, 60s, 1.5m, 500ms, 1h [default: never]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Write the result as JSON to a file, or to standard output (-)
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,
    /// Print nothing but the verdict
    #[arg(long)]
    pub quiet: bool,
    /// Write the result as one page for a browser, with pictures of what goes wrong or why nothing does
    #[arg(long, value_name = "FILE.html", value_parser = parse_page, help_heading = EVIDENCE)]
    pub report: Option<PathBuf>,
    /// Write why a safe program is safe to a file that `braid check` accepts
    #[arg(long, value_name = "FILE", help_heading = EVIDENCE)]
    pub certificate: Option<PathBuf>,
    /// How the certificate argues
    #[arg(long, value_enum, value_name = "FORM", default_value_t = CertificateForm::Own, requires = "certificate", help_heading = EVIDENCE)]
    pub certificate_as: CertificateForm,
    /// Is a proof to be explained?
    #[arg(skip)]
    pub explain: bool,
    #[command(flatten)]
    pub reading: CReading,
    /// Give up at this much memory: 4GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "4GiB", help_heading = LIMITS)]
    pub memory: u64,
    /// So many engines work at once [default: two for each processor, and three]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = LIMITS)]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub lowering: Lowering,
    #[command(flatten)]
    pub machine: Machine,
    #[command(flatten)]
    pub sequentialization: Sequentialization,
    #[command(flatten)]
    pub weaving: Weaving,
    #[command(flatten)]
    pub abstraction: Abstraction,
    #[command(flatten)]
    pub modules: Modules,
    #[command(flatten)]
    pub delays: Delays,
    #[command(flatten)]
    pub visiting: Visiting,
    #[command(flatten)]
    pub horn: Horn,
}

names!(EngineName for Selection {
    /// Whatever suits the program, side by side
    Auto => Selection::Auto,
    /// Proves one of each class of equivalent interleavings, in a fixed order: for most proofs
    Gem => Selection::Gem,
    /// As gem, in whichever order makes the proof simple: for programs that compare computations
    Weave => Selection::Weave,
    /// Visits abstract states: for programs with few interesting values
    Cegar => Selection::Cegar,
    /// Checks one thread at a time, and asks what the others can do: for threads that have little to do with each other
    Modular => Selection::Modular,
    /// Looks for bugs within few delays of a deterministic schedule: for asynchronous tasks and deep bugs
    Delay => Selection::Delay,
    /// Visits the states one by one: for small programs, and for the shortest execution of a bug
    Explicit => Selection::Explicit,
    /// Proves a program for any number of threads
    Parametric => Selection::Parametric,
    /// Proves by the order of locks that there is no deadlock
    Locks => Selection::Locks,
    // It has no automata, and does not get to other engines.
    /// Runs the compiled C program under many schedules, which executes it: for what Braid cannot read
    Run => Selection::Auto,
});

/// Which steps of an execution are shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Telling {
    /// Those that the violation depends on
    #[default]
    Short,
    /// All
    Full,
}

/// How a certificate says why a program is safe.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateForm {
    /// As the engine has proven it: short
    Own,
    /// By what holds at each location of each thread, with ghost variables: needs no theory of reductions to be believed
    OwickiGries,
}
