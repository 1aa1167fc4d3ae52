//! The result in the formats that other programs read: SARIF for code hosts and editors, JUnit for test reports.
//!
//! All is a function of the [`Document`], or of the [`Failure`] where there is none. *Invariant*: nothing here knows an engine, and a
//! document without a story still gives findings, with what its sentences say.

mod finding;
#[cfg(test)]
pub mod fixture;
pub mod junit;
pub mod properties;
mod rejection;
mod sarif;
mod story_text;
pub mod uri;

pub use finding::{Finding, findings};
pub use rejection::{Rejection, rejections};
pub use story_text::{markdown, place};

use crate::arguments::EVIDENCE;
use crate::document::Document;
use crate::exit::{Failure, Status};
use braid_program::ast::{Check, Checks};
use clap::Args;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where results go for other programs.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = EVIDENCE)]
pub struct Formats {
    /// Write what was found as SARIF 2.1.0, which code hosts and editors read
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write the verdicts as a JUnit report, with a test case for each property
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// What is written down: an answer, or that there is none.
pub struct Outcome<'a> {
    /// The program, as it was named.
    pub file: &'a str,
    /// The properties that were asked for.
    pub properties: Vec<&'static str>,
    pub result: Result<&'a Document, &'a Failure>,
    /// How Braid was called, without its own name.
    pub options: Vec<String>,
    /// The seconds since 1970.
    pub now: u64,
    /// The folder that relative names start from.
    pub folder: PathBuf,
}

impl<'a> Outcome<'a> {
    /// What came of this process.
    fn new(file: &'a str, checks: Checks, result: Result<&'a Document, &'a Failure>) -> Outcome<'a> {
        Outcome {
            file,
            properties: checks.iter().map(Check::name).collect(),
            result,
            options: crate::document::options(),
            now: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            folder: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// What the process ends with.
    fn status(&self) -> Status {
        match self.result.map(|document| document.verdict.as_str()) {
            Ok("safe") => Status::Safe,
            Ok("unsafe") => Status::Unsafe,
            Ok(_) => Status::Unknown,
            Err(failure) => failure.status,
        }
    }
}

impl Formats {
    /// The files that are to be written.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.sarif.iter().chain(&self.junit)
    }

    /// Writes an answer.
    pub fn write(&self, checks: Checks, document: &Document) -> Result<(), Failure> {
        self.write_outcome(&Outcome::new(&document.file, checks, Ok(document)))
    }

    /// Writes that there is no answer. What is wrong with the input counts more than what is wrong with the file to write.
    pub fn write_failure(&self, checks: Checks, file: &Path, failure: &Failure) {
        let _ = self.write_outcome(&Outcome::new(&file.to_string_lossy(), checks, Err(failure)));
    }

    fn write_outcome(&self, outcome: &Outcome<'_>) -> Result<(), Failure> {
        let written = |path: &Path, text: String| {
            fs::write(path, text).map_err(|error| Failure {
                status: Status::Output,
                message: format!("{} cannot be written: {error}", path.display()),
            })
        };
        if let Some(path) = &self.sarif {
            written(path, sarif::sarif(outcome, &mut Texts::default()))?;
        }
        match &self.junit {
            Some(path) => written(path, junit::junit(outcome)),
            None => Ok(()),
        }
    }
}

/// The lines of source files, read when they are needed. A file that cannot be read has none.
#[derive(Default)]
pub struct Texts(HashMap<String, Vec<String>>);

impl Texts {
    /// With the text of a file.
    #[cfg(test)]
    pub fn with(file: &str, text: &str) -> Texts {
        Texts(HashMap::from([(file.to_owned(), text.lines().map(str::to_owned).collect())]))
    }

    /// A line of a file; lines count from 1.
    pub fn line(&mut self, file: &str, line: usize) -> &str {
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| {
            let bytes = fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        line.checked_sub(1).and_then(|index| lines.get(index)).map_or("", String::as_str)
    }
}
