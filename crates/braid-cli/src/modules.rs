//! The options of engine `modular`.

use crate::arguments::Sequentialization;
use braid_engines::modular::{Hierarchy, Modular};
use braid_reduction::OrderSpec;
use clap::Args;

/// How `modular` takes a program apart.
#[derive(Args, Clone, Debug)]
pub struct Modules {
    /// In which order modular asks the threads: `auto`, or names with commas between them
    #[arg(long, value_name = "THREADS", default_value_t = Hierarchy::Auto)]
    pub hierarchy: Hierarchy,
}

impl Modules {
    /// The engine with these options, and those that it shares with `gem`, its sequential checker.
    pub fn modular(&self, shared: &Sequentialization) -> Modular {
        Modular { hierarchy: self.hierarchy.clone(), sequential: shared.gem(OrderSpec::Seq) }
    }
}
