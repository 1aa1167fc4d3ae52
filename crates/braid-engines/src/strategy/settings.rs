//! The engines as the user wants them. What the user leaves open is for the policy to choose.

use crate::Member;
use crate::cegar::{Cegar, DomainKind};
use crate::delay::Delay;
use crate::explicit::{Explicit, Visits};
use crate::gem::Gem;
use crate::modular::Modular;
use crate::parametric::{Parametric, Reach};
use crate::strategy::{Deepening, OneRound};
use crate::weave::Weave;
use braid_proof::Contradiction;
use braid_reduction::OrderSpec;
use std::path::PathBuf;

/// States that `explicit` visits at most beside other engines: they need some memory, too.
const STATES_BESIDE_OTHERS: u64 = 4_000_000;

/// Who is to work on a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Selection {
    /// Whatever suits the program.
    #[default]
    Auto,
    /// [`Gem`] alone.
    Gem,
    /// [`Weave`] alone.
    Weave,
    /// [`Cegar`] alone.
    Cegar,
    /// [`Modular`] alone.
    Modular,
    /// [`Delay`] alone.
    Delay,
    /// [`Explicit`] alone.
    Explicit,
    /// [`Parametric`] alone.
    Parametric,
    /// [`LockOrder`](crate::deadlock::LockOrder) alone.
    Locks,
}

/// The engines with their options.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Who is to work.
    pub selection: Selection,
    /// How many engines work at once, if the user has chosen.
    pub jobs: Option<usize>,
    /// `gem`, but for its order and its seeds.
    pub gem: Gem,
    /// The preference order, if the user has chosen one.
    pub order: Option<OrderSpec>,
    /// Does `gem` look for invariants before the first round? By default where the order keeps threads in step.
    pub seed_invariants: Option<bool>,
    /// `weave`: several to run side by side, unless the user has chosen one.
    pub weave: Vec<Weave>,
    /// `cegar`, but for its domain.
    pub cegar: Cegar,
    /// The abstract domain, if the user has chosen one.
    pub domain: Option<DomainKind>,
    /// `modular`, but for its sequential checker, which is `gem`.
    pub modular: Modular,
    /// `delay`.
    pub delay: Delay,
    /// `explicit`, but for the order of its visits.
    pub explicit: Explicit,
    /// Where `parametric` writes its Horn clauses, if that is wanted.
    pub horn: Option<PathBuf>,
    /// Which states are visited first, if the user has chosen that.
    pub visits: Option<Visits>,
}

impl Settings {
    /// `gem` with an order, unless the user has chosen one.
    pub fn gem(&self, order: OrderSpec) -> Gem {
        let order = self.order.clone().unwrap_or(order);
        let in_step = !matches!(order, OrderSpec::Seq | OrderSpec::SeqOf(_));
        Gem { order, seed_invariants: self.seed_invariants.unwrap_or(in_step), ..self.gem.clone() }
    }

    pub(super) fn ordered(&self, order: OrderSpec) -> Member {
        Settings::in_order(self.gem(order))
    }

    pub(super) fn seeded(&self, order: OrderSpec) -> Member {
        Settings::in_order(Gem { seed_invariants: true, ..self.gem(order) })
    }

    pub(super) fn unseeded(&self, order: OrderSpec) -> Member {
        Settings::in_order(Gem { seed_invariants: false, ..self.gem(order) })
    }

    /// `gem` that says of one cell what holds of all.
    pub(super) fn of_one_round(&self, order: OrderSpec) -> Member {
        let gem = Gem { seed_invariants: true, ..self.gem(order) };
        Member { order: Some(gem.order.to_string()), engine: Box::new(OneRound(gem)) }
    }

    /// `gem` that learns from the contradiction that begins last.
    pub(super) fn latest_first(&self, order: OrderSpec) -> Member {
        let mut gem = self.gem(order);
        gem.prover.contradiction = Contradiction::Last;
        Settings::in_order(gem)
    }

    /// `cegar` with a domain, unless the user has chosen one.
    pub(super) fn abstraction(&self, domain: DomainKind) -> Member {
        Member::new(Cegar { domain: self.domain.unwrap_or(domain), ..self.cegar.clone() })
    }

    pub(super) fn modules(&self, most_threads: Option<usize>) -> Member {
        Member::new(Modular { most_threads, sequential: self.gem(OrderSpec::Seq), ..self.modular.clone() })
    }

    pub(super) fn any_number(&self, reach: Reach) -> Member {
        Member::new(Parametric { reach, solver: self.gem.solver.clone(), dump: self.horn.clone() })
    }

    /// `delay` with at most so many delays.
    pub(super) fn delays(&self, most: u32) -> Member {
        Member::new(Deepening(Delay { delays: 0..=most, ..self.delay.clone() }))
    }

    /// The search for single states. Beside other engines it looks for what they are slow at.
    pub(super) fn states(&self, visits: Option<Visits>) -> Member {
        let (most, usual, inputs) = match self.selection {
            Selection::Auto => (STATES_BESIDE_OTHERS, Visits::Switches, Some(0..=1)),
            _ => (u64::MAX, Visits::Breadth, None),
        };
        Member::new(Explicit {
            states: self.explicit.states.min(most),
            inputs: self.explicit.inputs.clone().or(inputs),
            visits: visits.or(self.visits).unwrap_or(usual),
        })
    }

    fn in_order(gem: Gem) -> Member {
        Member { order: Some(gem.order.to_string()), engine: Box::new(gem) }
    }
}
