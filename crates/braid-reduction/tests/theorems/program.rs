//! Text to automata, and what a reduction is made of.

use crate::words::Automaton;
use braid_frontend::{Language, parse};
use braid_logic::{Solver, SolverOptions, TermPool};
use braid_program::cfa::{ActionId, ProductState, Program};
use braid_program::{LowerOptions, lower};
use braid_reduction::{
    Commutativity, CommutativityMode, Context, Leaving, OrderSpec, PreferenceOrder, Reduced, ReducedState, Reduction,
    Target,
};
use std::cell::RefCell;

/// Lowers a text step by step, nothing fused, and hands the automata on.
pub fn lowered<R>(text: &str, language: Language, run: impl FnOnce(&Program<'_>) -> R) -> R {
    let program = parse("test", text, language).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let pool = TermPool::new();
    let options = LowerOptions { fuse: false, instances: 2, recursion: 1, ..LowerOptions::default() };
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

/// The reduced program by one commutativity relation.
pub struct Walk<'c, 'p, C> {
    reduced: RefCell<Reduced<'c, 'p>>,
    commutes: C,
}

impl<'c, 'p, C: Fn(ActionId, ActionId) -> bool> Walk<'c, 'p, C> {
    pub fn new(ordered: &'c Ordered<'_, 'p>, commutes: C, reduction: Reduction) -> Self {
        let reduced = Reduced::new(ordered.program, ordered.target, &ordered.order, reduction);
        Walk { reduced: reduced.into(), commutes }
    }

    fn leaving(&self, place: &ReducedState) -> Leaving {
        self.reduced.borrow_mut().leaving(place, &self.commutes)
    }
}

impl<C: Fn(ActionId, ActionId) -> bool> Automaton for Walk<'_, '_, C> {
    type State = ReducedState;

    fn initial(&self) -> ReducedState {
        self.reduced.borrow().initial()
    }

    fn enabled(&self, place: &ReducedState) -> Vec<ActionId> {
        self.leaving(place).explored().to_vec()
    }

    fn successor(&self, place: &ReducedState, action: ActionId) -> ReducedState {
        let leaving = self.leaving(place);
        self.reduced.borrow().successor(place, &leaving, action, &self.commutes)
    }

    fn is_accepting(&self, place: &ReducedState) -> bool {
        self.reduced.borrow().accepted(place).is_some()
    }
}
