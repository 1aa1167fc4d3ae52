//! From a path through the visited states to an execution with all inputs.
//!
//! Inputs were chosen when they were first read. Nothing had read them before, so each choice stands for one that was
//! made earlier: at the start, or by the latest havoc of the variable, or of the array that a cell belongs to.

use super::arena::{Chosen, Transition};
use braid_logic::{ArrayBase, Model, Open, TermPool, Value, Var};
use braid_program::cfa::Program;
use braid_program::{ExecutedStep, Execution, Interpreter, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A havoc: the number of its step, and its own number within that.
type Havoc = (usize, usize);

/// The execution along a path that ends in `last`. What was never read gets the first value of its sort.
pub(super) fn execution(
    program: &Program<'_>,
    interpreter: &Interpreter<'_, '_>,
    path: &[&Transition],
    last: &State,
) -> Execution {
    let pool = program.pool;
    let mut initial: FxHashMap<Var, Value> = FxHashMap::default();
    let mut steps: Vec<ExecutedStep> = Vec::with_capacity(path.len());
    // The latest havoc of each variable, and of each unknown content of an array.
    let mut havocs: FxHashMap<Var, Havoc> = FxHashMap::default();
    let mut contents: FxHashMap<Var, Havoc> = FxHashMap::default();
    let nothing = Chosen::default();
    for (number, transition) in path.iter().enumerate() {
        let chosen = transition.chosen.as_deref().unwrap_or(&nothing);
        for (open, value) in &chosen.settled {
            let Open::Var(var) = open else { continue };
            match havocs.get(var) {
                Some(&(step, havoc)) => steps[step].choices[havoc] = value.clone(),
                None => drop(initial.insert(*var, value.clone())),
            }
        }
        let mut choices = Vec::new();
        for (havoc, var) in program.action(transition.action).havocked().enumerate() {
            havocs.insert(var, (number, havoc));
            let choice = chosen.choices.get(havoc).and_then(Option::as_ref);
            choices.push(match (choice, choice.and_then(unknown_content)) {
                (Some(value), None) => value.clone(),
                (_, content) => {
                    contents.extend(content.map(|name| (name, (number, havoc))));
                    pool.first_value(pool.var_sort(var))
                }
            });
        }
        steps.push(ExecutedStep { action: transition.action, choices });
        for (open, value) in &chosen.settled {
            if let Open::Cell(name, index) = open
                && let Some(&(step, havoc)) = contents.get(name)
                && let Value::Array(array) = &mut steps[step].choices[havoc]
            {
                *array = Arc::new(array.store(index.clone(), value.clone()));
            }
        }
    }
    complete(pool, program, &mut initial, |var| interpreter.initial_array(last, var));
    // Functions and the initial content of arrays never change: the last state knows them.
    Execution { steps, initial: Model { vars: initial, funs: interpreter.tables(last) } }
}

/// Gives values to the variables that have none yet.
fn complete(pool: &TermPool, program: &Program<'_>, values: &mut FxHashMap<Var, Value>, array: impl Fn(Var) -> Value) {
    for variable in &program.variables {
        let (var, sort) = (variable.var, pool.var_sort(variable.var));
        let is_array = pool.array_sorts(sort).is_some();
        values.entry(var).or_insert_with(|| if is_array { array(var) } else { pool.first_value(sort) });
    }
}

/// The name of the content of an array that was left open.
fn unknown_content(value: &Value) -> Option<Var> {
    match value {
        Value::Array(array) => match array.base {
            ArrayBase::Input(name) => Some(name),
            ArrayBase::Constant(_) => None,
        },
        _ => None,
    }
}
