//! The options of engine `modular`.

use braid_engines::modular::{External, Hierarchy, Modular};
use clap::Args;
use std::path::PathBuf;

/// How `modular` takes a program apart.
#[derive(Args, Clone, Debug)]
pub struct Modules {
    /// In which order modular asks the threads: `auto`, or names with commas between them
    #[arg(long, value_name = "THREADS", default_value_t = Hierarchy::Auto)]
    pub hierarchy: Hierarchy,
    /// Who checks modular's sequential programs: a command such as "cbmc {file}"; a proof that rests on it is called unknown, with its name
    #[arg(long, value_name = "COMMAND")]
    pub sequential: Option<String>,
    /// Where modular's sequential programs stay, as C, and of each thread the last one with its proof
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// How many random computations modular draws, to answer queries and to suggest invariants
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
