//! The concrete interpreter: runs the steps of actions on values, one at a time.
//!
//! It does not use the relations of actions: what it says is independent of everything that proofs are built on.
//! Inputs may be left open. Reading an open one does not fail, it says which, and the caller chooses a value and asks
//! again; nothing was read before, so the choice stands for one that was made at the start.

use crate::cfa::{Action, ActionId, ProductState, Program, StepKind};
use crate::values::Values;
use braid_logic::{
    ArrayBase, ArrayValue, Cells, Environment, Fun, FunctionTable, Open, SortKind, TermPool, Value, Var,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A state of a running program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where every thread is.
    pub locations: ProductState,
    /// The value of each program variable, by its place in `Program::variables`; none is open.
    values: Values,
    /// What is known of open arrays and of functions.
    inputs: Inputs,
}

/// What has been chosen for inputs that have more than one value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Inputs {
    cells: BTreeMap<(Var, Value), Value>,
    applications: BTreeMap<(Fun, Vec<Value>), Value>,
}

/// Why an action did not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// An assumption does not hold.
    Blocked,
    /// It waits for something that does not hold.
    Waits,
    /// It reads an input that is open.
    Input(Open),
    /// It reads the value of its own havoc of this number (or havocs an array), and no choice was given for that.
    Choice(usize),
}

/// Runs one program.
pub struct Interpreter<'a, 'p> {
    program: &'a Program<'p>,
    /// The place of each variable in `Program::variables`, by its index in the pool.
    slots: FxHashMap<Var, usize>,
    /// Functions that are given as a whole.
    tables: FxHashMap<Fun, FunctionTable>,
}

/// What evaluation sees: the values in the middle of an action.
struct View<'a, 'b, 'p> {
    interpreter: &'a Interpreter<'b, 'p>,
    values: &'a Values,
    inputs: &'a Inputs,
}

impl Environment for View<'_, '_, '_> {
    fn var(&self, var: Var) -> Option<Value> {
        let slot = *self.interpreter.slots.get(&var).expect("actions mention only variables of the program");
        self.values.get(slot).clone()
    }

    fn application(&self, fun: Fun, arguments: &[Value]) -> Option<Value> {
        if let Some(table) = self.interpreter.tables.get(&fun) {
            return Some(table.entries.get(arguments).unwrap_or(&table.otherwise).clone());
        }
        self.inputs.applications.get(&(fun, arguments.to_vec())).cloned()
    }

    fn cell(&self, var: Var, index: &Value) -> Option<Value> {
        self.inputs.cells.get(&(var, index.clone())).cloned()
    }
}

impl<'a, 'p> Interpreter<'a, 'p> {
    /// An interpreter where nothing is known of the functions.
    pub fn new(program: &'a Program<'p>) -> Self {
        let slots = program.variables.iter().enumerate().map(|(slot, variable)| (variable.var, slot)).collect();
        Interpreter { program, slots, tables: FxHashMap::default() }
    }

    /// An interpreter with given functions.
    pub fn with_functions(program: &'a Program<'p>, tables: FxHashMap<Fun, FunctionTable>) -> Self {
        Interpreter { tables, ..Interpreter::new(program) }
    }

    /// The initial state, with all variables open. Of arrays, the single cells are.
    pub fn open_state(&self) -> State {
        let pool = self.program.pool;
        let values = self.program.variables.iter().map(|variable| open_value(pool, variable.var)).collect();
        State { locations: self.program.initial_state(), values, inputs: Inputs::default() }
    }

    /// The initial state with the given values; variables that are not given have the first value of their sort.
    pub fn initial_state(&self, given: &FxHashMap<Var, Value>) -> State {
        let pool = self.program.pool;
        let value = |var: Var| given.get(&var).cloned().unwrap_or_else(|| pool.first_value(pool.var_sort(var)));
        let values = self.program.variables.iter().map(|variable| Some(value(variable.var))).collect();
        State { locations: self.program.initial_state(), values, inputs: Inputs::default() }
    }

    /// The value of a program variable; none if it is open.
    pub fn value<'s>(&self, state: &'s State, var: Var) -> Option<&'s Value> {
        state.values.get(self.slots[&var]).as_ref()
    }

    /// The place of a program variable in `Program::variables`.
    pub(crate) fn slot(&self, var: Var) -> usize {
        self.slots[&var]
    }

    /// The values of a state, as evaluation looks them up.
    pub fn view<'s>(&'s self, state: &'s State) -> impl Environment + 's {
        View { interpreter: self, values: &state.values, inputs: &state.inputs }
    }

    /// Settles an open input.
    pub fn settle(&self, state: &mut State, open: &Open, value: Value) {
        match open {
            Open::Var(var) => state.values.set(self.slots[var], Some(value)),
            Open::Cell(var, index) => {
                state.inputs.cells.insert((*var, index.clone()), value);
            }
            Open::Application(fun, arguments) => {
                state.inputs.applications.insert((*fun, arguments.clone()), value);
            }
            Open::Undetermined(_) => unreachable!("no value settles what cannot be determined"),
        }
    }

    /// Is the unknown content of this name part of the value of any variable?
    pub fn holds_array(&self, state: &State, name: Var) -> bool {
        let is_based = |value: &Value| matches!(value, Value::Array(array) if mentions(array, name));
        state.values.known().any(is_based)
    }

    /// Forgets what was chosen for the cells of an unknown content that nothing holds any more.
    pub fn forget_array(&self, state: &mut State, name: Var) {
        debug_assert!(!self.holds_array(state, name));
        state.inputs.cells.retain(|(owner, _), _| *owner != name);
    }

    /// What is known of functions in a state, as tables that give first values elsewhere.
    pub fn tables(&self, state: &State) -> FxHashMap<Fun, FunctionTable> {
        let mut tables = self.tables.clone();
        for ((fun, arguments), value) in &state.inputs.applications {
            let otherwise = || self.program.pool.first_value(self.program.pool.fun_signature(*fun).1);
            let table = tables
                .entry(*fun)
                .or_insert_with(|| FunctionTable { entries: BTreeMap::new(), otherwise: otherwise() });
            table.entries.insert(arguments.clone(), value.clone());
        }
        tables
    }

    /// What is known of the initial content of an array variable, first values elsewhere.
    pub fn initial_array(&self, state: &State, var: Var) -> Value {
        let pool = self.program.pool;
        let Value::Array(mut array) = pool.first_value(pool.var_sort(var)) else {
            unreachable!("only arrays have cells")
        };
        for ((owner, index), element) in &state.inputs.cells {
            if *owner == var {
                array = Arc::new(array.store(index.clone(), element.clone()));
            }
        }
        Value::Array(array)
    }

    /// The program that it runs.
    pub fn program(&self) -> &'a Program<'p> {
        self.program
    }

    /// The states after each step of an enabled action that was run with these choices; its thread is still where it was.
    pub fn in_between(&self, state: &State, action: ActionId, choices: &[Value]) -> Vec<State> {
        let choices: Vec<Option<Value>> = choices.iter().cloned().map(Some).collect();
        let mut states = Vec::new();
        let seen = |values: &Values| states.push(State { values: values.clone(), ..state.clone() });
        // Whoever ran it knows that no step is stuck.
        let _ = self.steps_seen(state, self.program.action(action), &choices, seen);
        states
    }

    /// Runs an enabled action. `choices` are the values of its havocs, in order; those that are missing stay open.
    pub fn run(&self, state: &State, action: ActionId, choices: &[Option<Value>]) -> Result<State, Stuck> {
        let steps = self.steps(state, self.program.action(action), choices);
        let values = steps.map_err(|(_, stuck)| stuck)?;
        let locations = self.program.successor(&state.locations, action);
        Ok(State { locations, values, inputs: state.inputs.clone() })
    }

    /// The state in which an action comes to the step where it gets stuck.
    pub(crate) fn stuck_in(&self, state: &State, action: &Action) -> State {
        let mut values = state.values.clone();
        // Where it got stuck is known already.
        let _ = self.steps_seen(state, action, &[], |after| values = after.clone());
        State { values, ..state.clone() }
    }

    /// The values after the steps of an action, wherever its thread is; or the step where it got stuck.
    pub(crate) fn steps(
        &self,
        state: &State,
        action: &Action,
        choices: &[Option<Value>],
    ) -> Result<Values, (usize, Stuck)> {
        self.steps_seen(state, action, choices, |_| {})
    }

    /// The same; somebody sees the values after each step.
    fn steps_seen(
        &self,
        state: &State,
        action: &Action,
        choices: &[Option<Value>],
        mut seen: impl FnMut(&Values),
    ) -> Result<Values, (usize, Stuck)> {
        let pool = self.program.pool;
        let mut values = state.values.clone();
        let mut havocs = 0;
        // Which havoc of this action a variable's open value comes from.
        let mut made_open: Vec<(Var, usize)> = Vec::new();
        for (number, step) in action.steps.iter().enumerate() {
            let stuck_here = |stuck| (number, stuck);
            let evaluate = |term| {
                let view = View { interpreter: self, values: &values, inputs: &state.inputs };
                pool.evaluate(term, &view).map_err(|open| match &open {
                    Open::Var(var) => match made_open.iter().rfind(|(made, _)| made == var) {
                        Some((_, number)) => Stuck::Choice(*number),
                        None => Stuck::Input(open),
                    },
                    _ => Stuck::Input(open),
                })
            };
            match &step.kind {
                StepKind::Assume(formula) => {
                    if evaluate(*formula).map_err(stuck_here)? != Value::Bool(true) {
                        return Err(stuck_here(Stuck::Blocked));
                    }
                }
                StepKind::Await(formula, _) => {
                    if evaluate(*formula).map_err(stuck_here)? != Value::Bool(true) {
                        return Err(stuck_here(Stuck::Waits));
                    }
                }
                StepKind::Assign(assignments) => {
                    let assigned: Vec<(Var, Value)> = assignments
                        .iter()
                        .map(|(var, term)| Ok((*var, evaluate(*term)?)))
                        .collect::<Result<_, Stuck>>()
                        .map_err(stuck_here)?;
                    for (var, value) in assigned {
                        values.set(self.slots[&var], Some(value));
                        made_open.retain(|(made, _)| *made != var);
                    }
                }
                StepKind::Havoc(vars) => {
                    for &var in vars {
                        let choice = choices.get(havocs).cloned().flatten();
                        if choice.is_none() && pool.array_sorts(pool.var_sort(var)).is_some() {
                            return Err(stuck_here(Stuck::Choice(havocs)));
                        }
                        values.set(self.slots[&var], choice);
                        made_open.push((var, havocs));
                        havocs += 1;
                    }
                }
            }
            seen(&values);
        }
        Ok(values)
    }
}

/// Is the array, or an array inside it, based on the unknown content of this name?
fn mentions(array: &ArrayValue, name: Var) -> bool {
    let inside = |value: &Value| matches!(value, Value::Array(inner) if mentions(inner, name));
    let base = match &array.base {
        ArrayBase::Input(var) => *var == name,
        ArrayBase::Constant(element) => inside(element),
    };
    base || array.cells.iter().any(|(index, element)| inside(index) || inside(element))
}

/// The initial value of a variable that nothing is known of.
fn open_value(pool: &TermPool, var: Var) -> Option<Value> {
    match pool.sort_kind(pool.var_sort(var)) {
        SortKind::Array { .. } => {
            Some(Value::Array(Arc::new(ArrayValue { base: ArrayBase::Input(var), cells: Cells::default() })))
        }
        _ => None,
    }
}
