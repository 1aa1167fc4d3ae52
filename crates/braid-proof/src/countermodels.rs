//! States that showed triples to be invalid, kept: a state in which the premises hold and behind which the conclusion does not is an
//! answer that needs no solver. Most triples that are asked for are invalid, and few states refute most of them.
//!
//! Everything is evaluated on the state itself, so it does not matter where a state came from.

use braid_logic::{BitSet, Model, Term, TermPool};
use braid_program::cfa::{ActionId, Relation};
use rustc_hash::FxHashMap;

/// So many states are kept for an action; those that are of use stay.
const MOST: usize = 64;

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

/// A state in which the action can happen. Assertions are evaluated when they are asked for.
struct State {
    model: Model,
    here: Truth,
    behind: Truth,
}

/// What was evaluated of the assertions of the pool. What cannot be evaluated is neither known to hold nor known to be violated.
#[derive(Default)]
struct Truth {
    evaluated: BitSet,
    holds: BitSet,
    /// Those that are not known to hold.
    fails: BitSet,
    /// Those that are known not to hold.
    violated: BitSet,
}

impl Truth {
    fn evaluate(&mut self, pool: &TermPool, model: &Model, number: usize, formula: Term) {
        if self.evaluated.contains(number) {
            return;
        }
        self.evaluated.insert(number);
        let truth = pool.holds_in(formula, model);
        if truth == Some(true) {
            self.holds.insert(number);
        } else {
            self.fails.insert(number);
        }
        if truth == Some(false) {
            self.violated.insert(number);
        }
    }
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
        let found = states.iter_mut().position(|State { model, here, behind }| {
            if behind.holds.contains(conclusion) || !premises.is_disjoint(&here.fails) {
                return false;
            }
            behind.evaluate(pool, model, conclusion, before[conclusion]);
            behind.violated.contains(conclusion)
                && premises.iter().all(|premise| {
                    here.evaluate(pool, model, premise, assertions[premise]);
                    here.holds.contains(premise)
                })
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
        states.insert(0, State { model, here: Truth::default(), behind: Truth::default() });
    }
}
