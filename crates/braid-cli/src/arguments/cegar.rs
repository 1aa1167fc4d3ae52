//! The options of engine `cegar`.

use braid_engines::cegar::{Cegar, DomainKind, InitialPrecision, SearchOrder};
use braid_engines::gem::Gem;
use braid_reduction::ConeMode;
use clap::Args;

/// How `cegar` visits abstract states.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Engine cegar")]
pub struct Abstraction {
    /// What an abstract state knows [default: predicates]
    #[arg(long, value_enum)]
    pub domain: Option<DomainName>,
    /// When assignments are left out that no branch depends on
    #[arg(long, value_enum, default_value_t = ConeName::Dynamic)]
    pub cone: ConeName,
    /// How equivalent interleavings are left out
    #[arg(long, value_enum, default_value_t = PorName::Static)]
    pub por: PorName,
    /// What is tracked before the first refinement
    #[arg(long, value_enum, default_value_t = PrecisionName::Empty)]
    pub precision: PrecisionName,
    /// Which abstract states are visited first
    #[arg(long, value_enum, default_value_t = SearchName::Breadth)]
    pub search: SearchName,
    /// Up to how many values of an unknown variable are looked at one by one; above that its value is forgotten
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub enumerate: u16,
}

impl Abstraction {
    /// The engine with these options, but for its domain, and those that it shares with `gem`.
    pub fn cegar(&self, shared: &Gem) -> Cegar {
        Cegar {
            cone: self.cone.into(),
            reduction: self.por == PorName::Static,
            precision: self.precision.into(),
            search: self.search.into(),
            enumerate: self.enumerate.into(),
            prover: shared.prover.clone(),
            solver: shared.solver.clone(),
            ..Cegar::default()
        }
    }
}

/// Which interleavings are left out of an abstract search.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PorName {
    /// Not at all: to compare with
    None,
    /// By persistent sets over what is tracked
    Static,
}

names!(DomainName for DomainKind {
    /// The values of some variables: cheap, for programs with few values
    Explicit => DomainKind::Explicit,
    /// Which predicates hold and which do not: for relations between variables
    Predicates => DomainKind::Predicates,
});

names!(ConeName for ConeMode {
    /// Never
    None => ConeMode::None,
    /// Where no branch of the program depends on them
    Static => ConeMode::Static,
    /// Where no branch that can still be reached depends on them
    Dynamic => ConeMode::Dynamic,
});

names!(PrecisionName for InitialPrecision {
    /// Nothing: the smallest abstraction that is enough is found
    Empty => InitialPrecision::Empty,
    /// What the branches of the program ask for: fewer refinements, more states
    Branches => InitialPrecision::Branches,
});

names!(SearchName for SearchOrder {
    /// Those found first: finds short executions
    Breadth => SearchOrder::Breadth,
    /// Those found last: finds deep bugs sooner
    Depth => SearchOrder::Depth,
});
