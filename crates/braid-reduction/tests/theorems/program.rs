//! Text to automata, and what a reduction is made of.

use braid_frontend::{Language, parse};
use braid_logic::{Solver, SolverOptions, TermPool};
use braid_program::cfa::{ActionId, ProductState, Program};
use braid_program::{LowerOptions, lower};
use braid_reduction::{
    Automaton, Commutativity, CommutativityMode, Context, OrderSpec, PersistentSets, PreferenceOrder, Target,
};
use std::cell::RefCell;

/// Lowers a text step by step, nothing fused, and hands the automata on.
pub fn lowered<R>(text: &str, language: Language, run: impl FnOnce(&Program<'_>) -> R) -> R {
    let program = parse("test", text, language).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let pool = TermPool::new();
    let options = LowerOptions { fuse: false, instances: 2, recursion: 1, templates: false };
    let automata = lower(&program, &pool, options).unwrap_or_else(|error| panic!("{}\n{text}", error.message));
    run(&automata)
}

/// The one commutativity relation that everything in a comparison shares.
pub struct Relation<'a, 'p> {
    program: &'a Program<'p>,
    parts: RefCell<(Solver<'p>, Commutativity)>,
}

impl<'a, 'p> Relation<'a, 'p> {
    pub fn new(program: &'a Program<'p>, mode: CommutativityMode) -> Self {
        let solver = Solver::new(program.pool, SolverOptions::default()).expect("Z3 is linked");
        Relation { program, parts: RefCell::new((solver, Commutativity::new(mode))) }
    }

    pub fn commutes(&self, a: ActionId, b: ActionId) -> bool {
        let (solver, commutativity) = &mut *self.parts.borrow_mut();
        commutativity.always(solver, self.program, a, b)
    }

    /// The membrane at a state that is not accepting: where a word is accepted, nothing is left to look for.
    pub fn membrane(&self, sets: &mut PersistentSets, ordered: &Ordered<'_, '_>, state: &Positioned) -> Vec<ActionId> {
        let mut enabled = ordered.enabled(state);
        enabled.sort_by_key(|&action| ordered.rank(state, action));
        if ordered.is_accepting(state) {
            return enabled;
        }
        let (solver, commutativity) = &mut *self.parts.borrow_mut();
        sets.membrane(solver, commutativity, self.program, &state.0, &enabled)
    }
}

/// A state of the product with the order's context.
pub type Positioned = (ProductState, Context);

/// The interleavings that meet a target, where the states are those that an order depends on.
pub struct Ordered<'a, 'p> {
    pub program: &'a Program<'p>,
    pub order: PreferenceOrder,
    pub target: Target,
}

impl<'a, 'p> Ordered<'a, 'p> {
    pub fn new(program: &'a Program<'p>, order: &str, target: Target) -> Self {
        let spec: OrderSpec = order.parse().expect("the order is known");
        Ordered { program, order: PreferenceOrder::new(&spec, program).expect("the threads are known"), target }
    }

    pub fn rank(&self, state: &Positioned, action: ActionId) -> (u64, u32) {
        self.order.rank(state.1, &state.0, self.program, action)
    }
}

impl Automaton for Ordered<'_, '_> {
    type State = Positioned;

    fn initial(&self) -> Positioned {
        (self.program.initial_state(), self.order.initial())
    }

    fn enabled(&self, state: &Positioned) -> Vec<ActionId> {
        self.program.enabled(&state.0).collect()
    }

    fn successor(&self, state: &Positioned, action: ActionId) -> Positioned {
        (self.program.successor(&state.0, action), self.order.next(state.1, self.program, action))
    }

    fn is_accepting(&self, state: &Positioned) -> bool {
        self.target.is_met(self.program, &state.0)
    }
}

/// An automaton without the actions that are not allowed: the π-reduction of section 6.1.
pub struct Pruned<'a, A, Allowed> {
    pub automaton: &'a A,
    pub allowed: Allowed,
}

impl<A: Automaton, Allowed: Fn(&A::State) -> Vec<ActionId>> Automaton for Pruned<'_, A, Allowed> {
    type State = A::State;

    fn initial(&self) -> A::State {
        self.automaton.initial()
    }

    fn enabled(&self, state: &A::State) -> Vec<ActionId> {
        let allowed = (self.allowed)(state);
        self.automaton.enabled(state).into_iter().filter(|action| allowed.contains(action)).collect()
    }

    fn successor(&self, state: &A::State, action: ActionId) -> A::State {
        self.automaton.successor(state, action)
    }

    fn is_accepting(&self, state: &A::State) -> bool {
        self.automaton.is_accepting(state)
    }
}
