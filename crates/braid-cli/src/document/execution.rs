//! An execution in a result, and back: names and values as text.

use crate::dependence;
use crate::trace::{Trace, TraceStep};
use crate::value_text::{from_text, to_text};
use braid_engines::Counterexample;
use braid_logic::{FunctionTable, Model, TermPool, Value, Var};
use braid_program::cfa::{ActionId, Program};
use braid_program::{ExecutedStep, Execution};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An execution that violates the claim.
#[derive(Serialize, Deserialize, Debug)]
pub struct StoredExecution {
    pub violation: String,
    /// Values of functions without a body that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    pub initial: Initial,
    pub steps: Vec<Step>,
    /// What threads repeat for ever after that, each on its own.
    #[serde(default, rename = "loop", skip_serializing_if = "Vec::is_empty")]
    pub circle: Vec<Step>,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Initial {
    pub variables: BTreeMap<String, String>,
    pub functions: BTreeMap<String, Table>,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Table {
    pub entries: Vec<Entry>,
    pub otherwise: String,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Entry {
    pub arguments: Vec<String>,
    pub value: String,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Step {
    pub thread: String,
    pub action: u32,
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub text: String,
    pub choices: Vec<Binding>,
    pub changed: Vec<Binding>,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct Binding {
    pub variable: String,
    pub value: String,
}

pub fn bindings(pairs: &[(String, String)]) -> Vec<Binding> {
    pairs.iter().map(|(variable, value)| Binding { variable: variable.clone(), value: value.clone() }).collect()
}

impl StoredExecution {
    /// A counterexample with everything that it takes to run it again.
    pub fn new(program: &Program<'_>, counterexample: &Counterexample, trace: &Trace) -> StoredExecution {
        let pool = program.pool;
        let model = &counterexample.execution().initial;
        let variables = model
            .vars
            .iter()
            .map(|(&var, value)| (pool.var_name(var).to_owned(), to_text(pool, pool.var_sort(var), value)));
        let functions = model.funs.iter().map(|(&fun, table)| {
            let (sorts, result) = pool.fun_signature(fun);
            let entry = |(arguments, value): (&Vec<Value>, &Value)| Entry {
                arguments: arguments.iter().zip(sorts).map(|(value, &sort)| to_text(pool, sort, value)).collect(),
                value: to_text(pool, result, value),
            };
            let otherwise = to_text(pool, result, &table.otherwise);
            (pool.fun_name(fun).to_owned(), Table { entries: table.entries.iter().map(entry).collect(), otherwise })
        });
        let stored = |step: &TraceStep| {
            let position = program.sources.position(step.span);
            Step {
                thread: program.thread(step.thread).name.clone(),
                action: step.action.0,
                file: program.sources.file(step.span.file).name.clone(),
                line: position.line,
                column: position.column,
                text: step.text.clone(),
                choices: bindings(&step.choices),
                changed: bindings(&step.changed),
            }
        };
        StoredExecution {
            violation: trace.violation.clone(),
            depends_on: dependence::depends_on(program, counterexample),
            steps: trace.steps.iter().map(stored).collect(),
            circle: trace.circle.iter().map(stored).collect(),
            initial: Initial { variables: variables.collect(), functions: functions.collect() },
        }
    }

    /// The execution, for the program that it was found in. The error is a clause.
    pub fn to_execution(&self, program: &Program<'_>) -> Result<Execution, String> {
        let pool = program.pool;
        let mut initial = Model::default();
        for (name, text) in &self.initial.variables {
            let var = variable(program, name)?;
            initial.vars.insert(var, from_text(pool, pool.var_sort(var), text)?);
        }
        initial.funs = self.functions(program)?;
        let mut steps = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let known = program.actions.get(step.action as usize);
            let Some(action) = known.filter(|action| program.thread(action.thread).name == step.thread) else {
                let thread = &step.thread;
                return Err(format!("step {}: thread {thread} of the program has no such action", number + 1));
            };
            let mut choices = Vec::new();
            for (binding, var) in step.choices.iter().zip(action.havocked()) {
                choices.push(from_text(pool, pool.var_sort(var), &binding.value)?);
            }
            steps.push(ExecutedStep { action: ActionId(step.action), choices });
        }
        Ok(Execution { initial, steps })
    }

    fn functions(&self, program: &Program<'_>) -> Result<FxHashMap<braid_logic::Fun, FunctionTable>, String> {
        let pool = program.pool;
        let mut tables = FxHashMap::default();
        for (name, table) in &self.initial.functions {
            let found = program.functions.iter().find(|&&fun| pool.fun_name(fun) == name);
            let &fun = found.ok_or_else(|| format!("the program has no function `{name}`"))?;
            let (sorts, result) = pool.fun_signature(fun);
            let mut entries = BTreeMap::new();
            for entry in &table.entries {
                if entry.arguments.len() != sorts.len() {
                    return Err(format!("`{name}` takes {} arguments", sorts.len()));
                }
                let arguments = entry.arguments.iter().zip(sorts).map(|(text, &sort)| from_text(pool, sort, text));
                entries.insert(arguments.collect::<Result<Vec<_>, _>>()?, from_text(pool, result, &entry.value)?);
            }
            tables.insert(fun, FunctionTable { entries, otherwise: from_text(pool, result, &table.otherwise)? });
        }
        Ok(tables)
    }
}

fn variable(program: &Program<'_>, name: &str) -> Result<Var, String> {
    let pool: &TermPool = program.pool;
    let found = program.variables.iter().find(|variable| pool.var_name(variable.var) == name);
    found.map(|variable| variable.var).ok_or_else(|| format!("the program has no variable `{name}`"))
}
