//! The options of engine `cegar`.

use braid_engines::cegar::{Cegar, DomainKind, InitialPrecision, SearchOrder};
use braid_engines::gem::Gem;
use braid_reduction::ConeMode;
use clap::Args;

/// How `cegar` visits abstract states.
#[derive(Args, Clone, Debug)]
pub struct Abstraction {
    /// What an abstract state of cegar knows [default: predicates]
    #[arg(long, value_enum)]
    pub domain: Option<DomainName>,
    /// When cegar leaves out assignments that no branch depends on
    #[arg(long, value_enum, default_value_t = ConeName::Dynamic)]
    pub cone: ConeName,
    /// Which interleavings cegar leaves out
    #[arg(long, value_enum, default_value_t = PorName::Static)]
    pub por: PorName,
    /// What cegar knows before the first refinement
    #[arg(long, value_enum, default_value_t = PrecisionName::Empty)]
    pub precision: PrecisionName,
    /// Which abstract states cegar visits first
    #[arg(long, value_enum, default_value_t = SearchName::Breadth)]
    pub search: SearchName,
    /// How many values of an unknown variable cegar looks at one by one
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
    /// None
    None,
    /// Some, by persistent sets over what the precision sees
    Static,
}

names!(DomainName for DomainKind {
    /// The values of some variables
    Explicit => DomainKind::Explicit,
    /// Which predicates hold and which do not
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
    /// Nothing
    Empty => InitialPrecision::Empty,
    /// What the branches of the program ask for
    Branches => InitialPrecision::Branches,
});

names!(SearchName for SearchOrder {
    /// Those found first
    Breadth => SearchOrder::Breadth,
    /// Those found last
    Depth => SearchOrder::Depth,
});
