//! The options of engine `modular`.

use braid_engines::modular::{External, Hierarchy, Modular};
use clap::Args;
use std::path::PathBuf;

/// How `modular` takes a program apart.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine modular")]
pub struct Modules {
    /// Which thread may ask which others what they can do: each asks those after it. `auto`, or names with commas between them
    #[arg(long, value_name = "THREADS", default_value_t = Hierarchy::Auto)]
    pub hierarchy: Hierarchy,
    /// Let another tool check the sequential programs, for example "cbmc {file}". What rests on its proof is called unknown, with its name
    #[arg(long, value_name = "COMMAND")]
    pub sequential: Option<String>,
    /// Keep the sequential programs in this directory, as C, and of each thread the last one with its proof
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// How many random computations to draw, to answer questions and to suggest invariants
    #[arg(long, value_name = "N", default_value_t = 48)]
    pub samples: usize,
}

impl Modules {
    /// The engine with these options, but for its sequential checker.
    pub fn modular(&self) -> Modular {
        let external = External { command: self.sequential.clone(), keep: self.keep.clone() };
        Modular { hierarchy: self.hierarchy.clone(), external, samples: self.samples, ..Modular::default() }
    }
}
