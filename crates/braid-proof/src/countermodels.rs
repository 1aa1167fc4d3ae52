//! States that showed triples to be invalid, kept: a state in which the premises hold and behind which the conclusion does not is an
//! answer that needs no solver. Most triples that are asked for are invalid, and few states refute most of them.
//!
//! Everything is evaluated on the state itself, so it does not matter where a state came from.

use braid_logic::{BitSet, Model, Term, TermPool};
use braid_program::cfa::{ActionId, Relation};
use rustc_hash::FxHashMap;

/// So many states are kept for an action; those that are of use stay.
const MOST: usize = 128;

/// The states kept for all actions.
#[derive(Default)]
pub(crate) struct Countermodels {
    actions: FxHashMap<ActionId, States>,
}

#[derive(Default)]
struct States {
    /// For each assertion of the pool, what it says behind the action, said of the state before.
    before: Vec<Term>,
    states: Vec<State>,
}

/// A state in which the action can happen.
struct State {
    model: Model,
    /// The assertions that hold there, and those that may hold behind the action.
    holding: BitSet,
    holding_behind: BitSet,
    /// How many assertions of the pool were evaluated.
    evaluated: usize,
}

impl Countermodels {
    /// What an assertion of the pool says behind the action, said of the state before.
    pub fn before(
        &mut self,
        pool: &TermPool,
        assertions: &[Term],
        action: ActionId,
        relation: &Relation,
        conclusion: usize,
    ) -> Term {
        let before = &mut self.actions.entry(action).or_default().before;
        for &assertion in &assertions[before.len()..] {
            before.push(relation.before(pool, assertion));
        }
        before[conclusion]
    }

    /// Is there a state that satisfies the premises, and behind which the conclusion does not hold?
    pub fn refute(
        &mut self,
        pool: &TermPool,
        assertions: &[Term],
        action: ActionId,
        premises: &BitSet,
        conclusion: usize,
    ) -> bool {
        let Some(States { before, states }) = self.actions.get_mut(&action) else { return false };
        let found = states.iter_mut().position(|state| {
            state.evaluate(pool, assertions, before);
            !state.holding_behind.contains(conclusion) && premises.is_subset(&state.holding)
        });
        if let Some(place) = found {
            states[..=place].rotate_right(1);
        }
        found.is_some()
    }

    /// Keeps a state. The action can happen there.
    pub fn add(&mut self, action: ActionId, model: Model) {
        let states = &mut self.actions.entry(action).or_default().states;
        states.truncate(MOST - 1);
        states.insert(0, State { model, holding: BitSet::new(), holding_behind: BitSet::new(), evaluated: 0 });
    }
}

impl State {
    /// Looks at the assertions that are new. What cannot be evaluated does not hold, and may hold behind the action.
    fn evaluate(&mut self, pool: &TermPool, assertions: &[Term], before: &[Term]) {
        for number in self.evaluated..before.len() {
            if pool.holds_in(assertions[number], &self.model) == Some(true) {
                self.holding.insert(number);
            }
            if pool.holds_in(before[number], &self.model) != Some(false) {
                self.holding_behind.insert(number);
            }
        }
        self.evaluated = self.evaluated.max(before.len());
    }
}
