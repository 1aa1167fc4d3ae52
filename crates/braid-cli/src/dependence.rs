//! Which results of functions without a body an execution depends on: with others, it would not violate anything.
//!
//! The translation keeps what such a function returns, or writes, in variables of their own, which no name of C can have.

use crate::machine::plain;
use braid_engines::Counterexample;
use braid_logic::{Integer, Term, Value, Var};
use braid_program::Execution;
use braid_program::cfa::{Action, Program, Step, StepKind};
use braid_program::source::Span;

/// More values than this are not tried out one by one.
const MOST: usize = 20;

/// The values that matter, as clauses.
pub fn depends_on(program: &Program<'_>, counterexample: &Counterexample) -> Vec<String> {
    let execution = counterexample.execution();
    let mut clauses = Vec::new();
    for (step, executed) in execution.steps.iter().enumerate() {
        let action = program.action(executed.action);
        for (choice, (var, value)) in action.havocked().zip(&executed.choices).enumerate() {
            let Some((function, written)) = outside(program.pool.var_name(var)) else { continue };
            if clauses.len() < MOST && matters(program, execution, step, choice, value) {
                let shown = match value {
                    Value::Int(value) => value.to_string(),
                    Value::Bool(value) => u8::from(*value).to_string(),
                    Value::BitVec(bits, _) => bits.to_string(),
                    Value::Array(_) | Value::Element(_) => "values".to_owned(),
                };
                clauses.push(clause(&function, written.as_deref(), &shown, &place(program, chosen_at(action, var))));
            }
        }
        for (var, span) in zeros(program, action) {
            let outside = outside(program.pool.var_name(var));
            let place = place(program, span);
            clauses.extend(outside.map(|(function, written)| clause(&function, written.as_deref(), "0", &place)));
        }
    }
    clauses
}

fn clause(function: &str, written: Option<&str>, value: &str, place: &str) -> String {
    match written {
        None => format!("{function}() returned {value} at {place}"),
        Some(written) => format!("{function}() wrote {value} to {written} at {place}"),
    }
}

/// The values that lowering chose: one that an action only tests is 0 if that passes. Another action from the same place, which the
/// test keeps out, still has the variable.
pub fn zeros(program: &Program<'_>, action: &Action) -> Vec<(Var, Span)> {
    let passed: Vec<Span> =
        action.steps.iter().filter(|step| step.kind == StepKind::Assume(Term::TRUE)).map(|s| s.span).collect();
    let siblings = program.thread(action.thread).outgoing(action.source).iter().map(|&id| program.action(id));
    let mut found: Vec<(Var, Span)> = Vec::new();
    for other in siblings.filter(|_| !passed.is_empty()) {
        for var in other.havocked().filter(|&var| action.havocked().all(|own| own != var)) {
            let chosen = other.steps.iter().find(|step| chooses(&step.kind, var)).map(|step| step.span);
            let tests = |step: &Step| match step.kind {
                StepKind::Assume(formula) => program.pool.free_vars(formula).contains(&var),
                _ => false,
            };
            let is_tested = other.steps.iter().any(|s| tests(s) && Some(s.span) != chosen && passed.contains(&s.span));
            if is_tested && found.iter().all(|(known, _)| *known != var) {
                found.push((var, chosen_at(other, var)));
            }
        }
    }
    found
}

/// The function, and what it wrote, of a variable `f()` or `f()->x`; a number at the end makes the name unique.
fn outside(name: &str) -> Option<(String, Option<String>)> {
    let name = plain(name);
    let (before, after) = name.split_once("()")?;
    let function = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next().unwrap_or(before);
    let after = match after.rsplit_once('.') {
        Some((rest, number)) if number.chars().all(|c| c.is_ascii_digit()) => rest,
        _ => after,
    };
    Some((function.to_owned(), after.strip_prefix("->").map(str::to_owned)))
}

/// Where an action chooses a variable.
fn chosen_at(action: &Action, var: Var) -> Span {
    action.steps.iter().find(|step| chooses(&step.kind, var)).map_or(action.span, |step| step.span)
}

fn place(program: &Program<'_>, span: Span) -> String {
    format!("{}:{}", program.sources.file(span.file).name, program.sources.position(span).line)
}

fn chooses(kind: &StepKind, var: Var) -> bool {
    matches!(kind, StepKind::Havoc(vars) if vars.contains(&var))
}

/// Is some other value not as good?
fn matters(program: &Program<'_>, execution: &Execution, step: usize, choice: usize, value: &Value) -> bool {
    let others: Vec<Value> = match value {
        Value::Int(value) => [Integer::ZERO, Integer::ONE, value + &Integer::ONE].map(Value::Int).into(),
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::BitVec(_, width) => vec![Value::BitVec(0u32.into(), *width), Value::BitVec(1u32.into(), *width)],
        Value::Array(_) | Value::Element(_) => return true,
    };
    others.into_iter().filter(|other| other != value).any(|other| {
        let mut changed = execution.clone();
        changed.steps[step].choices[choice] = other;
        Counterexample::confirm(program, changed).is_err()
    })
}

#[cfg(test)]
mod tests {
    use super::outside;

    #[test]
    fn names_of_variables_say_who_wrote_what() {
        let check = |name: &str, expected: Option<(&str, Option<&str>)>| {
            let expected = expected.map(|(function, written)| (function.to_owned(), written.map(str::to_owned)));
            assert_eq!(outside(name), expected, "{name}");
        };
        check("getpid()", Some(("getpid", None)));
        check("getpid().2", Some(("getpid", None)));
        check("worker.1.get_x()", Some(("get_x", None)));
        check("fill()->a.b[3].12", Some(("fill", Some("a.b[3]"))));
        check("fill()->a@a0>8+4:2.12", Some(("fill", Some("a"))));
        check("x.2", None);
    }
}
