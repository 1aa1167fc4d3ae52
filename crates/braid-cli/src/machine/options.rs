//! Options of what runs the compiled program.

use crate::arguments::CReading;
use crate::exit::Failure;
use crate::property;
use crate::units::parse_file;
use braid_program::ast::{Check, Checks};
use braid_run::{Memory, Property, Sources, Watch};
use clap::Args;
use std::path::{Path, PathBuf};

/// How the compiled program is run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Running the program")]
pub struct Machine {
    /// Run the compiled C program, too, under a scheduler of our own: beside the engines of `auto`, and where the
    /// front end rejects the program. This executes the program
    #[arg(long)]
    pub allow_run: bool,
    /// Repeat a violation on the compiled C program. This executes the program
    #[arg(long)]
    pub confirm: bool,
    /// Another C file of the program; for the compiled program only
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    pub also: Vec<PathBuf>,
    /// An option for the C compiler or linker, such as -lfoo; for the compiled program only
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub cc_option: Vec<String>,
    /// At most so many schedules are tried by engine run [default: as many as there is time for]
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub schedules: u64,
    /// Let engine run choose schedules at random only
    #[arg(long)]
    pub random_schedules: bool,
    /// Where the random choices of engine run start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl Machine {
    /// What is compiled.
    pub fn sources(&self, file: &Path, reading: &CReading, property: Property) -> Sources {
        Sources {
            compiler: String::new(),
            files: (std::iter::once(file.to_owned()))
                .chain(reading.more.iter().chain(&self.also).filter(|other| *other != file).cloned())
                .collect(),
            include: reading.include.clone(),
            define: reading.define.clone(),
            options: self.cc_option.clone(),
            property,
            watch: Watch::default(),
            malloc_may_fail: reading.malloc_may_fail,
        }
    }
}

/// The property of a `--property` argument, among them one that only runs can show.
/// Where runs do not show it, why.
pub fn run_property(argument: &str) -> Result<Result<Property, Unseen>, Failure> {
    match argument {
        "no-crash" => Ok(Ok(Property::NoCrash)),
        other => property::property(other).map(of_model),
    }
}

/// Why no run shows a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unseen {
    /// What is read without a value has one on the machine.
    Value,
    /// The compiler has chosen one order.
    Order,
    /// A run that never ends cannot be told from a long one.
    Livelock,
}

impl Unseen {
    /// As a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Unseen::Value => "compiled programs do not show reads of variables without a value",
            Unseen::Order => "compiled programs do not show effects without an order: the compiler has chosen one",
            Unseen::Livelock => "compiled programs do not show that threads spin for ever",
        }
    }
}

/// Why no run shows violations of a check; none if some do.
pub fn unseen(check: Check) -> Option<Unseen> {
    of_model(Checks::of(check)).err()
}

/// What a run must not do so that it violates none of these checks, as far as runs show that: the first of them, and with a rule
/// for memory all others. Where runs do not show it, why.
pub fn of_model(checks: Checks) -> Result<Property, Unseen> {
    Ok(match checks.iter().next() {
        Some(Check::Assertion) | None => Property::UnreachCall,
        Some(Check::Overflow) => Property::NoOverflow,
        Some(Check::Undefined) => Property::NoUndefined,
        Some(Check::Race) => Property::NoDataRace,
        Some(Check::Deadlock) => Property::NoDeadlock,
        Some(Check::Deref | Check::Free | Check::Memtrack | Check::Memcleanup) => Property::Memory(Memory {
            deref: checks.contains(Check::Deref),
            free: checks.contains(Check::Free),
            track: checks.contains(Check::Memtrack),
            cleanup: checks.contains(Check::Memcleanup),
        }),
        Some(Check::Uninitialised) => return Err(Unseen::Value),
        Some(Check::Progress) => return Err(Unseen::Livelock),
    })
}
