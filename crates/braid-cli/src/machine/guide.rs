//! From a counterexample on the automata to a guide for the compiled program.

use braid_engines::Counterexample;
use braid_logic::{Term, Value, Var};
use braid_program::cfa::{Accepted, Action, Program, Step, StepKind, ThreadId};
use braid_program::source::Span;
use braid_run::{Given, Guide, GuideStep, GuideThread, Mark};
use std::collections::HashMap;
use std::path::Path;

/// Turns a counterexample into a guide; places outside of the user's file are left out.
pub fn guide(program: &Program<'_>, counterexample: &Counterexample, file: &Path) -> Guide {
    let mut maker = Maker {
        program,
        file: file.to_string_lossy().into_owned(),
        owners: owners(program),
        numbers: HashMap::from([(ThreadId::MAIN, 0)]),
        guide: Guide {
            threads: vec![GuideThread { function: "main".into(), ordinal: 0 }],
            steps: Vec::new(),
            target: None,
        },
    };
    for executed in &counterexample.execution().steps {
        maker.action(program.action(executed.action), &executed.choices);
    }
    if let Accepted::Violation(thread, location, _) = counterexample.replayed().violation {
        maker.guide.target = maker.place(program.thread(thread).locations[location.index()].span);
    }
    maker.guide
}

/// The only thread that speaks of a variable, if there is only one.
fn owners(program: &Program<'_>) -> HashMap<Var, Option<ThreadId>> {
    let mut owners: HashMap<Var, Option<ThreadId>> = HashMap::new();
    for action in &program.actions {
        for var in action.steps.iter().flat_map(|step| mentioned(program, step)) {
            let owner = owners.entry(var).or_insert(Some(action.thread));
            if *owner != Some(action.thread) {
                *owner = None;
            }
        }
    }
    owners
}

fn mentioned(program: &Program<'_>, step: &Step) -> Vec<Var> {
    let mut vars = read(program, step);
    vars.extend(written(step));
    vars
}

fn written(step: &Step) -> Vec<Var> {
    match &step.kind {
        StepKind::Assign(assignments) => assignments.iter().map(|(var, _)| *var).collect(),
        StepKind::Havoc(vars) => vars.clone(),
        StepKind::Assume(_) => Vec::new(),
    }
}

fn read(program: &Program<'_>, step: &Step) -> Vec<Var> {
    let free = |term: Term| program.pool.free_vars(term).to_vec();
    match &step.kind {
        StepKind::Assume(formula) => free(*formula),
        StepKind::Assign(assignments) => assignments.iter().flat_map(|(_, term)| free(*term)).collect(),
        StepKind::Havoc(_) => Vec::new(),
    }
}

struct Maker<'a, 'p> {
    program: &'a Program<'p>,
    file: String,
    owners: HashMap<Var, Option<ThreadId>>,
    /// The newest thread of the guide for each instance.
    numbers: HashMap<ThreadId, usize>,
    guide: Guide,
}

impl Maker<'_, '_> {
    fn action(&mut self, action: &Action, choices: &[Value]) {
        for &started in &action.forks {
            let name = &self.program.thread(started).name;
            let function = function_of(name).to_owned();
            let ordinal = self.guide.threads.iter().filter(|thread| thread.function == function).count() as u32;
            self.numbers.insert(started, self.guide.threads.len());
            self.guide.threads.push(GuideThread { function, ordinal });
        }
        let Some(&thread) = self.numbers.get(&action.thread) else { return };
        let mut step = GuideStep { thread, marks: Vec::new(), given: Vec::new() };
        let mut values = choices.iter();
        for part in &action.steps {
            let place = self.place(part.span);
            if let StepKind::Havoc(vars) = &part.kind {
                for value in values.by_ref().take(vars.len()) {
                    if let (Some((file, line)), Some(value)) = (place.clone(), number(value)) {
                        let text = self.program.sources.excerpt(part.span, 40);
                        step.given.push(Given { file, line, value, text });
                    }
                }
                continue;
            }
            let Some((file, line)) = place else { continue };
            let shared = |vars: Vec<Var>| vars.iter().any(|var| self.owners.get(var).is_some_and(Option::is_none));
            let (reads, writes) = (shared(read(self.program, part)), shared(written(part)));
            match step.marks.last_mut() {
                Some(last) if last.line == line && last.file == file => {
                    last.reads |= reads;
                    last.writes |= writes;
                }
                _ => step.marks.push(Mark { file, line, reads, writes }),
            }
        }
        self.guide.steps.push(step);
    }

    /// A place in the user's own file.
    fn place(&self, span: Span) -> Option<(String, usize)> {
        let name = &self.program.sources.file(span.file).name;
        (*name == self.file).then(|| (name.clone(), self.program.sources.position(span).line))
    }
}

/// Instances of a thread have the name of its function, with a number.
fn function_of(name: &str) -> &str {
    match name.split_once('.') {
        Some((function, _)) => function,
        None => name,
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Int(value) => of_text(&value.to_string()),
        Value::BitVec(bits, _) => of_text(&bits.to_string()),
        Value::Element(_) | Value::Array(_) => None,
    }
}

/// Large unsigned numbers keep their bits.
fn of_text(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| text.parse::<u64>().ok().map(|bits| bits as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        assert_eq!(of_text("-3"), Some(-3));
        assert_eq!(of_text("18446744073709551615"), Some(-1));
        assert_eq!(of_text("99999999999999999999999"), None);
        assert_eq!(function_of("worker.3"), "worker");
    }
}
