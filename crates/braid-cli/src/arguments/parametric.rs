//! The option of engine `parametric`: where it writes its Horn clauses.

use super::EngineName;
use crate::exit::{Failure, Status};
use braid_program::ast::Checks;
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// What to do with Horn clauses.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine parametric")]
pub struct Horn {
    /// Write what `parametric` looks for to a file, as Horn clauses for any solver that reads SMT-LIB: `sat` means that the program is safe
    #[arg(long, value_name = "FILE")]
    pub dump_horn: Option<PathBuf>,
}

impl Horn {
    /// Makes sure, before the work, that there is a place for the clauses, and an engine that writes them.
    pub fn begin(&self, engine: EngineName, checks: Checks) -> Result<(), Failure> {
        let Some(path) = &self.dump_horn else { return Ok(()) };
        if !matches!(engine, EngineName::Auto | EngineName::Parametric) {
            return Err(Failure::usage("error: --dump-horn is for engine parametric (or auto, where that runs)"));
        }
        let several = checks.iter().count() > 1 && !checks.without(Checks::MEMORY).is_empty();
        if several {
            return Err(Failure::usage("error: --dump-horn is about one property: name it with --property"));
        }
        // An empty file is one that was not written.
        let failed = |error| Failure::usage(format!("error: {} cannot be written: {error}", path.display()));
        fs::write(path, "").map_err(failed)
    }

    /// Were there clauses?
    pub fn end(&self) -> Result<(), Failure> {
        let Some(path) = &self.dump_horn else { return Ok(()) };
        let is_written = fs::metadata(path).is_ok_and(|file| file.len() > 0);
        if is_written {
            return Ok(());
        }
        let _ = fs::remove_file(path);
        let why = "parametric did not work on this program: it is for assertions and races of programs that start threads again and again, \
                   and --engine parametric says what is missing";
        Err(Failure { status: Status::Output, message: format!("{} was not written: {why}", path.display()) })
    }
}
