//! From options to a strategy, and from reasons and hints to options: engines and front ends know no option by its name.

use crate::arguments::{Lowering, Run, Seeding};
use crate::exit::Failure;
use braid_engines::Reason;
use braid_engines::cegar::DomainKind;
use braid_engines::explicit::Visits;
use braid_engines::strategy::{Bounds, Settings, Strategy};
use braid_frontend::{Diagnostics, Hint, LoadError};
use braid_program::LowerOptions;
use braid_program::cfa::Violation;

impl Run {
    /// The engines and bounds that the user asks for.
    pub fn strategy(&self) -> Strategy {
        let shared = &self.sequentialization;
        let gem = shared.gem();
        let settings = Settings {
            selection: self.engine.into(),
            jobs: self.jobs.map(usize::from),
            order: shared.order.clone(),
            seed_invariants: match shared.seed_invariants {
                Seeding::Auto => None,
                Seeding::On => Some(true),
                Seeding::Off => Some(false),
            },
            weave: self.weaving.weave(shared),
            cegar: self.abstraction.cegar(&gem),
            domain: self.abstraction.domain.map(DomainKind::from),
            modular: self.modules.modular(),
            delay: self.delays.delay(&gem),
            explicit: self.visiting.explicit(),
            horn: self.horn.dump_horn.clone(),
            visits: self.visiting.visits.map(Visits::from),
            gem,
        };
        Strategy { settings, bounds: self.lowering.into() }
    }
}

impl From<Lowering> for Bounds {
    fn from(lowering: Lowering) -> Bounds {
        Bounds { fuse: !lowering.no_fuse, instances: lowering.instances, recursion: lowering.recursion }
    }
}

impl From<Lowering> for LowerOptions {
    fn from(lowering: Lowering) -> LowerOptions {
        Bounds::from(lowering).into()
    }
}

/// What is wrong with an input, with the options that help.
pub fn rejected(mut errors: Diagnostics) -> Failure {
    for hint in errors.errors.iter_mut().filter_map(|error| error.hint.as_mut()) {
        let option = match hint {
            Hint::Words(_) => continue,
            Hint::BitVectors => "--ints bv".to_owned(),
            Hint::Pure(function) => format!("--extern {function}=pure"),
            Hint::Caller => "--entry FUNCTION, or --threads \"f(&x)\" for each thread".to_owned(),
        };
        *hint = Hint::Words(format!("{hint}: {option}"));
    }
    Failure::rejected(errors.to_string())
}

/// The same, where the input may not even be read.
pub fn not_loaded(error: LoadError) -> Failure {
    match error {
        LoadError::Rejected(errors) => rejected(errors),
        other => Failure::rejected(other.to_string()),
    }
}

/// A reason with what the user can do about it.
pub fn advice(reason: &Reason) -> String {
    let option = match reason {
        Reason::Bound(Violation::InstanceBound, _) => "; raise --instances",
        Reason::Bound(Violation::RecursionBound, _) => "; raise --recursion",
        Reason::States(_) => "; raise --states",
        Reason::Values { .. } => "; bound it with --inputs LO..HI",
        _ => "",
    };
    format!("{reason}{option}")
}
