//! Random schedules: after each action, the interpreter has the values that a second, plain evaluator has.
//!
//! The second one knows only machine integers and maps, and evaluates the steps of actions by itself.

use crate::config;
use crate::generator::{self, Inputs};
use braid_logic::{ArrayBase, Node, Sort, Term, TermPool, Value, Var};
use braid_program::cfa::{Action, Program, StepKind};
use braid_program::{Interpreter, LowerOptions, Stuck, lower};
use braid_testkit::Choices;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A value of the second evaluator. Arrays: the element elsewhere, and the cells that differ.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Plain {
    Bool(bool),
    Int(i64),
    Array(i64, BTreeMap<i64, i64>),
}

type Values = BTreeMap<Var, Plain>;

fn plain(value: &Value) -> Plain {
    let int = |value: &Value| match plain(value) {
        Plain::Int(value) => value,
        other => panic!("{other:?} is not an integer"),
    };
    match value {
        Value::Bool(value) => Plain::Bool(*value),
        Value::Int(value) => Plain::Int(value.to_i64().expect("small numbers")),
        Value::Array(array) => {
            let ArrayBase::Constant(base) = &array.base else { panic!("nothing is open") };
            Plain::Array(int(base), array.cells.iter().map(|(index, element)| (int(index), int(element))).collect())
        }
        other => panic!("{other:?} does not occur"),
    }
}

fn evaluate(pool: &TermPool, values: &Values, term: Term) -> Plain {
    let eval = |term: Term| evaluate(pool, values, term);
    let int = |term: Term| match eval(term) {
        Plain::Int(value) => value,
        other => panic!("{other:?} is not an integer"),
    };
    let truth = |term: Term| eval(term) == Plain::Bool(true);
    let sum = |linear: &braid_logic::Linear| {
        let parts = linear.parts.iter().map(|(part, c)| c.to_i64().expect("small numbers") * int(*part));
        parts.sum::<i64>() + linear.constant.to_i64().expect("small numbers")
    };
    match pool.node(term) {
        Node::True => Plain::Bool(true),
        Node::False => Plain::Bool(false),
        Node::Integer(value) => Plain::Int(value.to_i64().expect("small numbers")),
        Node::Var(var) => values[var].clone(),
        Node::Not(a) => Plain::Bool(!truth(*a)),
        Node::And(items) => Plain::Bool(items.iter().all(|&item| truth(item))),
        Node::Or(items) => Plain::Bool(items.iter().any(|&item| truth(item))),
        Node::Ite(condition, then, other) => eval(if truth(*condition) { *then } else { *other }),
        Node::Eq(a, b) => Plain::Bool(eval(*a) == eval(*b)),
        Node::Le(linear) => Plain::Bool(sum(linear) <= 0),
        Node::Zero(linear) => Plain::Bool(sum(linear) == 0),
        Node::Sum(linear) => Plain::Int(sum(linear)),
        Node::Product(factors) => Plain::Int(factors.iter().map(|&factor| int(factor)).product()),
        Node::Div(a, b) => Plain::Int(int(*a).div_euclid(int(*b))),
        Node::Mod(a, b) => Plain::Int(int(*a).rem_euclid(int(*b))),
        // All functions are 0 everywhere.
        Node::Apply(..) => Plain::Int(0),
        Node::Select(array, index) => match eval(*array) {
            Plain::Array(base, cells) => Plain::Int(*cells.get(&int(*index)).unwrap_or(&base)),
            other => panic!("{other:?} has no cells"),
        },
        Node::Store(array, index, element) => match eval(*array) {
            Plain::Array(base, mut cells) => {
                match int(*element) {
                    element if element == base => cells.remove(&int(*index)),
                    element => cells.insert(int(*index), element),
                };
                Plain::Array(base, cells)
            }
            other => panic!("{other:?} has no cells"),
        },
        Node::ConstArray(element) => Plain::Array(int(*element), BTreeMap::new()),
        other => panic!("{other:?} does not occur"),
    }
}

/// The values after an action; none if it is blocked.
fn after(
    pool: &TermPool,
    action: &Action,
    mut values: Values,
    mut choices: impl Iterator<Item = Plain>,
) -> Option<Values> {
    for step in &action.steps {
        match &step.kind {
            StepKind::Assume(formula) | StepKind::Await(formula, _) => {
                if evaluate(pool, &values, *formula) != Plain::Bool(true) {
                    return None;
                }
            }
            StepKind::Assign(assignments) => {
                let new: Vec<_> =
                    assignments.iter().map(|(var, term)| (*var, evaluate(pool, &values, *term))).collect();
                values.extend(new);
            }
            StepKind::Havoc(vars) => {
                values.extend(vars.iter().map(|&var| (var, choices.next().expect("a value for each havoc"))));
            }
        }
    }
    Some(values)
}

fn random_value(pool: &TermPool, sort: Sort, number: u8) -> Value {
    match sort {
        Sort::BOOL => Value::Bool(number & 1 == 1),
        Sort::INT => Value::Int(i64::from(number % 2).into()),
        _ => pool.first_value(sort),
    }
}

/// Runs one schedule on both; gives the number of actions that happened.
fn run(program: &Program<'_>, numbers: &[u8]) -> usize {
    let pool = program.pool;
    let mut numbers = numbers.iter().copied().cycle();
    let mut number = move || numbers.next().unwrap_or(0);
    let tables = program.functions.iter().map(|&fun| {
        let otherwise = pool.first_value(pool.fun_signature(fun).1);
        (fun, braid_logic::FunctionTable { entries: BTreeMap::new(), otherwise })
    });
    let interpreter = Interpreter::with_functions(program, tables.collect());
    let given: FxHashMap<Var, Value> = program
        .variables
        .iter()
        .map(|variable| (variable.var, random_value(pool, pool.var_sort(variable.var), number())))
        .collect();
    let mut state = interpreter.initial_state(&given);
    let mut values: Values = given.iter().map(|(&var, value)| (var, plain(value))).collect();
    let mut happened = 0;
    for _ in 0..40 {
        let enabled: Vec<_> = program.enabled(&state.locations).collect();
        if enabled.is_empty() {
            break;
        }
        let id = enabled[usize::from(number()) % enabled.len()];
        let action = program.action(id);
        let choices: Vec<Value> =
            action.havocked().map(|var| random_value(pool, pool.var_sort(var), number())).collect();
        let expected = after(pool, action, values.clone(), choices.iter().map(plain));
        let given: Vec<Option<Value>> = choices.into_iter().map(Some).collect();
        match (interpreter.run(&state, id, &given), expected) {
            (Ok(next), Some(new)) => {
                for (var, expected) in &new {
                    let found = interpreter.value(&next, *var).expect("nothing is open");
                    assert_eq!(plain(found), *expected, "{} after\n{}", pool.var_name(*var), program.describe(action));
                }
                // A violation is no reason to stop: the other threads may go on.
                (state, values) = (next, new);
                happened += 1;
            }
            (Err(Stuck::Blocked), None) => {}
            (found, expected) => panic!("{found:?} instead of {expected:?} after\n{}", program.describe(action)),
        }
    }
    happened
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_interpreter_agrees_on_every_step(
        numbers in prop::collection::vec(any::<u8>(), 0..120),
        schedule in prop::collection::vec(any::<u8>(), 20..60),
        fuse: bool,
    ) {
        let program = generator::program(Choices::new(&numbers), Inputs::Open);
        let pool = TermPool::new();
        let options = LowerOptions { fuse, ..LowerOptions::default() };
        let automata = lower(&program, &pool, options).expect("the program can be lowered");
        run(&automata, &schedule);
    }
}
