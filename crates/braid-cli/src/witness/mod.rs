//! Witnesses: what Braid found, in the formats that other tools read ([docs/witnesses.md](../../../../docs/witnesses.md)).
//!
//! `violation` and `correctness` say what there is to say, in terms of the C text; `yaml` and `graphml` write it down.
//! *Invariant*: places are those of the files as the user wrote them, and nothing is said that is not in the evidence.

mod correctness;
mod formula;
mod graphml;
mod metadata;
pub mod outline;
pub mod place;
mod values;
mod violation;
mod yaml;

pub use correctness::{Correctness, correctness};
pub use metadata::{Metadata, utc};
pub use violation::{Violation, violation};

use crate::arguments::EVIDENCE;
use crate::exit::{Failure, Status};
use clap::{Args, ValueEnum};
use std::fs;
use std::path::{Path, PathBuf};

/// Where witnesses go.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = EVIDENCE)]
pub struct Witnessing {
    /// Write what was found as a witness that other tools read: YAML (.yml, .yaml) or GraphML (.graphml)
    #[arg(long, value_name = "FILE", value_parser = parse_witness)]
    pub witness: Option<PathBuf>,
    /// The version of the format of YAML witnesses
    #[arg(long, value_name = "VERSION", value_enum, requires = "witness", default_value_t)]
    pub witness_version: Version,
}

/// The versions of the format in YAML.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Version {
    /// Without threads
    #[default]
    #[value(name = "2.0")]
    V2_0,
    /// As 2.0: the ghost variables that it adds are not used
    #[value(name = "2.1")]
    V2_1,
    /// With threads
    #[value(name = "2.2")]
    V2_2,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        }
    }
}

/// The formats of witnesses, as their file names end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Yaml,
    GraphMl,
}

impl Format {
    /// The format of a file.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "yml" | "yaml" => Some(Format::Yaml),
            "graphml" => Some(Format::GraphMl),
            _ => None,
        }
    }
}

fn parse_witness(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match Format::of(&path) {
        Some(_) => Ok(path),
        None => Err("the name of a witness ends in .yml, .yaml or .graphml".to_owned()),
    }
}

/// What there is to say about a C program.
#[derive(Clone, Debug)]
pub enum Evidence {
    Violation(Violation),
    Correctness(Correctness),
}

/// Writes a witness.
pub fn write(told: &Witnessing, evidence: &Evidence, metadata: &Metadata) -> Result<(), Failure> {
    let Some(path) = &told.witness else { return Ok(()) };
    let text = match (Format::of(path), evidence) {
        (Some(Format::GraphMl), Evidence::Violation(violation)) => graphml::violation(violation, metadata),
        (Some(Format::GraphMl), Evidence::Correctness(_)) => graphml::correctness(metadata),
        (_, Evidence::Violation(violation)) => yaml::violation(violation, metadata, told.witness_version),
        (_, Evidence::Correctness(correctness)) => yaml::correctness(correctness, metadata, told.witness_version),
    };
    fs::write(path, text).map_err(|error| Failure {
        status: Status::Output,
        message: format!("{} cannot be written: {error}", path.display()),
    })
}
