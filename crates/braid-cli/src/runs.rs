//! Runs that violate a property together, side by side: one column per run, inputs above, outputs below.

use crate::document::{Binding, Run};
use crate::value_text::to_text;
use braid_engines::Counterexample;
use braid_logic::{ArrayBase, Integer, Value};
use braid_program::Interpreter;
use braid_program::Place;
use braid_program::cfa::Program;
use braid_transform::{Column, Shown};

/// The values of the runs in an execution. What does not matter to it has none.
pub fn runs(program: &Program<'_>, counterexample: &Counterexample, columns: &[Column]) -> Vec<Run> {
    let pool = program.pool;
    let interpreter = Interpreter::new(program);
    let states = &counterexample.replayed().states;
    let binding = |shown: &Shown| {
        let variable = program.variables.iter().find(|variable| pool.var_name(variable.var) == shown.variable)?;
        let state = if shown.initial { states.first()? } else { states.last()? };
        let value = interpreter.value(state, variable.var)?;
        let text = plain(value, shown.signed).or_else(|| elements(shown.place, value, shown.signed));
        let value = text.unwrap_or_else(|| to_text(pool, pool.var_sort(variable.var), value));
        Some(Binding { variable: shown.name.clone(), value })
    };
    let bindings = |shown: &[Shown]| shown.iter().filter_map(binding).collect();
    columns
        .iter()
        .map(|column| Run {
            name: column.title.clone(),
            inputs: bindings(&column.inputs),
            outputs: bindings(&column.outputs),
        })
        .collect()
}

/// A value as people write it; none for values that only SMT-LIB can write.
fn plain(value: &Value, signed: bool) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::BitVec(bits, width) => {
            let power = |bits: u32| (0..bits).fold(Integer::from(1), |power, _| power * Integer::from(2));
            let number: Integer = bits.to_string().parse().ok()?;
            let is_negative = signed && number >= power(width - 1);
            Some(if is_negative { (number - power(*width)).to_string() } else { number.to_string() })
        }
        _ => None,
    }
}

/// An array of C, by its elements: `{[0] = 5, others 0}`.
fn elements(place: Place, value: &Value, signed: bool) -> Option<String> {
    let (Place::Array { first, stride, .. }, Value::Array(array)) = (place, value) else { return None };
    let mut parts = Vec::new();
    for (at, value) in array.cells.iter() {
        let at: i64 = plain(at, false)?.parse().ok()?;
        let index = (at - first).checked_div(stride)?;
        if index >= 0 && index * stride + first == at {
            parts.push(format!("[{index}] = {}", plain(value, signed)?));
        }
    }
    if let ArrayBase::Constant(value) = &array.base {
        parts.push(format!("others {}", plain(value, signed)?));
    }
    Some(format!("{{{}}}", parts.join(", ")))
}

/// The runs as a table.
pub fn render(runs: &[Run]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let titles = ["", "variable"].map(str::to_owned).into_iter().chain(runs.iter().map(|run| run.name.clone()));
    rows.push(titles.collect());
    for (what, part) in [("input", inputs as fn(&Run) -> &[Binding]), ("output", outputs)] {
        let mut names: Vec<&str> = Vec::new();
        for binding in runs.iter().flat_map(part) {
            if !names.contains(&binding.variable.as_str()) {
                names.push(&binding.variable);
            }
        }
        for name in names {
            let value = |run: &Run| part(run).iter().find(|binding| binding.variable == name).map(|b| b.value.clone());
            let values = runs.iter().map(|run| value(run).unwrap_or_else(|| "any".into()));
            rows.push([what.to_owned(), name.to_owned()].into_iter().chain(values).collect());
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..runs.len() + 2).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn inputs(run: &Run) -> &[Binding] {
    &run.inputs
}

fn outputs(run: &Run) -> &[Binding] {
    &run.outputs
}
