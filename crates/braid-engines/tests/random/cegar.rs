//! `cegar` against `explicit`, on random programs: in no domain, with no cone or reduction do they contradict each other.

use crate::compare::Settings;
use braid_engines::cegar::{Cegar, DomainKind, InitialPrecision, SearchOrder};
use braid_logic::{Budget, SolverOptions};
use braid_reduction::ConeMode;

const CONES: [ConeMode; 3] = [ConeMode::Dynamic, ConeMode::Static, ConeMode::None];

/// One of all settings, by number.
fn setting(number: usize) -> Cegar {
    let pick = |period: usize| (number / period).is_multiple_of(2);
    let budget = Budget { rlimit: 1_000_000, ..Budget::default() };
    Cegar {
        domain: if pick(1) { DomainKind::Predicates } else { DomainKind::Explicit },
        reduction: pick(2),
        cone: CONES[number / 4 % CONES.len()],
        precision: if pick(12) { InitialPrecision::Empty } else { InitialPrecision::Branches },
        search: if pick(24) { SearchOrder::Breadth } else { SearchOrder::Depth },
        enumerate: if pick(48) { 1 } else { 3 },
        solver: SolverOptions { budget, ..SolverOptions::default() },
        ..Cegar::default()
    }
}

const ALL: Settings<Cegar> = Settings { setting, strongest: 2, all: 96, refined_percent: 10, notices_faults: false };

#[test]
fn on_programs_of_all_kinds_cegar_never_contradicts_explicit() {
    ALL.on_programs(600);
}

#[test]
fn on_protocols_cegar_never_contradicts_explicit() {
    ALL.on_protocols(300);
}
