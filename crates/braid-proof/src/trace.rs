//! Traces: finite sequences of actions, whatever threads they come from.
//!
//! A trace is run forward on symbolic values: each guard becomes a formula over the initial values (and the choices of
//! havocs), and the trace can happen iff their conjunction is satisfiable.

use braid_logic::{Model, Substitution, Term, TermPool, Value, Var};
use braid_program::cfa::{ActionId, ProductState, Program, Relation};
use braid_program::{ExecutedStep, Execution};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A trace. Position `k` is before step `k`; the last position is behind the last step.
pub struct Trace<'a> {
    /// The steps, each with choice variables of its own.
    steps: Vec<Cow<'a, Relation>>,
    /// For each position, which node of the path program it is; nodes are numbered as they are first met.
    nodes: Vec<usize>,
}

/// Values under which a trace happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Feasible {
    /// The initial values and the functions.
    pub initial: Model,
    /// The values of the choices of each step, in order.
    pub choices: Vec<Vec<Value>>,
}

impl Feasible {
    /// The execution of the actions that the trace was made of.
    pub fn execution(self, actions: &[ActionId]) -> Execution {
        let steps = actions.iter().zip(self.choices).map(|(&action, choices)| ExecutedStep { action, choices });
        Execution { initial: self.initial, steps: steps.collect() }
    }
}

impl<'a> Trace<'a> {
    /// The trace of actions of a program.
    pub fn of_actions(program: &'a Program<'_>, actions: &[ActionId]) -> Trace<'a> {
        let relations = actions.iter().map(|&action| program.action(action).relation(program.pool));
        let mut numbers: FxHashMap<ProductState, usize> = FxHashMap::default();
        let mut state = program.initial_state();
        numbers.insert(state.clone(), 0);
        let mut nodes = vec![0];
        for &action in actions {
            state = program.successor(&state, action);
            let next = numbers.len();
            nodes.push(*numbers.entry(state.clone()).or_insert(next));
        }
        Trace { nodes, ..Trace::new(program.pool, relations) }
    }

    /// The trace of given relations; it has no loops.
    pub fn new(pool: &TermPool, relations: impl IntoIterator<Item = &'a Relation>) -> Trace<'a> {
        let steps = relations.into_iter().enumerate().map(|(position, relation)| {
            if relation.choices.is_empty() { Cow::Borrowed(relation) } else { Cow::Owned(at(pool, relation, position)) }
        });
        let steps: Vec<Cow<'_, Relation>> = steps.collect();
        Trace { nodes: (0..=steps.len()).collect(), steps }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Is there no step?
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// For each position, its node in the path program: positions with the same locations of all threads share one.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The step at a position.
    pub fn step(&self, position: usize) -> &Relation {
        &self.steps[position]
    }

    /// All steps, in order.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Relation> + ExactSizeIterator {
        self.steps.iter().map(|step| &**step)
    }

    /// The conjuncts of each step's guard, over initial values and choices.
    pub fn path_condition(&self, pool: &TermPool) -> Vec<Vec<Term>> {
        let mut values = Substitution::default();
        let mut conditions = Vec::with_capacity(self.len());
        for step in self.steps() {
            let guards = pool.conjuncts(step.guard);
            conditions.push(guards.into_iter().map(|guard| pool.substitute(guard, &values)).collect());
            let updated: Vec<(Var, Term)> =
                step.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &values))).collect();
            values.extend(updated);
        }
        conditions
    }

    /// What a model of the path condition says about the choices of each step.
    pub(crate) fn feasible(&self, pool: &TermPool, model: Model) -> Feasible {
        let value = |var: &Var| match model.vars.get(var) {
            Some(value) => value.clone(),
            None => pool.first_value(pool.var_sort(*var)),
        };
        let choices = self.steps().map(|step| step.choices.iter().map(value).collect()).collect();
        Feasible { initial: model, choices }
    }
}

/// The relation with choice variables that belong to the position.
fn at(pool: &TermPool, relation: &Relation, position: usize) -> Relation {
    let copy = |&choice: &Var| pool.copy_of(choice, position as u32);
    let renaming: Substitution = relation.choices.iter().map(|choice| (*choice, pool.of_var(copy(choice)))).collect();
    Relation {
        guard: pool.substitute(relation.guard, &renaming),
        updates: relation.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &renaming))).collect(),
        choices: relation.choices.iter().map(copy).collect(),
        reads: relation.reads.clone(),
        writes: relation.writes.clone(),
    }
}
