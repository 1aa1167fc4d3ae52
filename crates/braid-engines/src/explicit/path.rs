//! From a path through the visited states to an execution with all inputs.
//!
//! Inputs were chosen when they were first read. Nothing had read them before, so each choice stands for one that was
//! made earlier: at the start, or by the latest havoc of the variable.

use super::arena::{Chosen, Transition};
use braid_logic::{Model, Open, Value, Var};
use braid_program::cfa::Program;
use braid_program::{ExecutedStep, Execution, Interpreter, State};
use rustc_hash::FxHashMap;

/// The execution along a path that ends in `last`. What was never read gets the first value of its sort.
pub(super) fn execution(
    program: &Program<'_>,
    interpreter: &Interpreter<'_, '_>,
    path: &[&Transition],
    last: &State,
) -> Execution {
    let pool = program.pool;
    let mut initial: FxHashMap<Var, Value> = FxHashMap::default();
    let mut choices: Vec<Vec<Option<Value>>> = Vec::with_capacity(path.len());
    // The step, and the number within it, of each variable's latest havoc.
    let mut havocs: FxHashMap<Var, (usize, usize)> = FxHashMap::default();
    let nothing = Chosen::default();
    for (step, transition) in path.iter().enumerate() {
        let chosen = transition.chosen.as_deref().unwrap_or(&nothing);
        for (open, value) in &chosen.settled {
            // Cells and applications never change: the last state knows them.
            let Open::Var(var) = open else { continue };
            match havocs.get(var) {
                Some(&(step, number)) => choices[step][number] = Some(value.clone()),
                None => {
                    initial.insert(*var, value.clone());
                }
            }
        }
        let mut made = chosen.choices.clone();
        for (number, var) in program.action(transition.action).havocked().enumerate() {
            made.resize(made.len().max(number + 1), None);
            havocs.insert(var, (step, number));
        }
        choices.push(made);
    }
    for variable in &program.variables {
        let (var, sort) = (variable.var, pool.var_sort(variable.var));
        let is_array = pool.array_sorts(sort).is_some();
        initial.entry(var).or_insert_with(|| match is_array {
            true => interpreter.initial_array(last, var),
            false => pool.first_value(sort),
        });
    }
    let steps = path.iter().zip(choices).map(|(transition, choices)| {
        let havocked = program.action(transition.action).havocked();
        let given =
            |(choice, var): (Option<Value>, Var)| choice.unwrap_or_else(|| pool.first_value(pool.var_sort(var)));
        ExecutedStep { action: transition.action, choices: choices.into_iter().zip(havocked).map(given).collect() }
    });
    Execution { steps: steps.collect(), initial: Model { vars: initial, funs: interpreter.tables(last) } }
}
