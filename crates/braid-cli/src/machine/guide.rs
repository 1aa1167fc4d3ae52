//! From a counterexample on the automata to a guide for the compiled program.

use super::effects::{self, Effect};
use crate::dependence::zeros;
use braid_engines::Counterexample;
use braid_logic::{Term, Value, Var};
use braid_program::ast;
use braid_program::cfa::{Accepted, Action, Program, Step, StepKind, ThreadId};
use braid_program::source::Span;
use braid_run::{Given, Guide, GuideStep, GuideThread, Mark, Written};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// In the name of a variable that says whether memory was allocated; no name of C holds it.
const ALLOCATES: &str = "alloc?";

/// Turns a counterexample into a guide; places outside of the user's file are left out. The structured program is given where
/// data races are looked for: it knows what functions without a body access.
pub fn guide(
    program: &Program<'_>,
    structured: Option<&ast::Program>,
    counterexample: &Counterexample,
    file: &Path,
) -> Guide {
    let mut maker = Maker {
        program,
        file: file.to_string_lossy().into_owned(),
        owners: owners(program),
        numbers: HashMap::from([(ThreadId::MAIN, 0)]),
        outside: outside(program),
        allocations: allocations(program),
        calls: Calls::default(),
        guide: Guide { threads: vec![GuideThread { function: "main".into(), ordinal: 0 }], ..Guide::default() },
    };
    for executed in &counterexample.execution().steps {
        maker.action(program.action(executed.action), &executed.choices);
    }
    for variable in structured.iter().flat_map(|structured| &structured.variables) {
        maker.access(variable);
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

/// The calls of functions without a body that may write something.
fn outside(program: &Program<'_>) -> HashSet<Span> {
    let steps = program.actions.iter().flat_map(|action| &action.steps);
    let writes = |var: &Var| effects::effect(program.pool.var_name(*var)).is_some();
    steps.filter(|step| chosen(step).iter().any(writes)).map(|step| step.span).collect()
}

/// The allocations that may fail.
fn allocations(program: &Program<'_>) -> HashSet<Span> {
    let steps = program.actions.iter().flat_map(|action| &action.steps);
    steps.filter(|step| chooses_failure(program, step)).map(|step| step.span).collect()
}

fn chooses_failure(program: &Program<'_>, step: &Step) -> bool {
    chosen(step).iter().any(|var| program.pool.var_name(*var).contains(ALLOCATES))
}

fn chosen(step: &Step) -> &[Var] {
    match &step.kind {
        StepKind::Havoc(vars) => vars,
        StepKind::Assign(_) | StepKind::Assume(_) | StepKind::Await(..) => &[],
    }
}

/// Calls of functions without a body: where one ends and the next one begins is not said in an execution.
#[derive(Default)]
struct Calls {
    count: u32,
    /// The call that each thread is in, and the variables that have got values there.
    open: HashMap<ThreadId, (Span, HashSet<Var>)>,
    /// What each thread has chosen during its call.
    chosen: HashMap<ThreadId, Vec<i64>>,
}

impl Calls {
    /// A thread does something at a place.
    fn step(&mut self, thread: ThreadId, span: Span) {
        if self.open.get(&thread).is_some_and(|(open, _)| *open != span) {
            self.open.remove(&thread);
            self.chosen.remove(&thread);
        }
    }

    /// The number of the call that gives a variable its value.
    fn call(&mut self, thread: ThreadId, span: Span, var: Var, often: bool) -> u32 {
        self.step(thread, span);
        let (_, known) = self.open.entry(thread).or_insert_with(|| {
            self.count += 1;
            (span, HashSet::new())
        });
        if !known.insert(var) && !often {
            self.count += 1;
            *known = HashSet::from([var]);
        }
        self.count
    }
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
        StepKind::Assume(_) | StepKind::Await(..) => Vec::new(),
    }
}

fn read(program: &Program<'_>, step: &Step) -> Vec<Var> {
    let free = |term: Term| program.pool.free_vars(term).to_vec();
    match &step.kind {
        StepKind::Assume(formula) | StepKind::Await(formula, _) => free(*formula),
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
    outside: HashSet<Span>,
    /// Allocations that may fail.
    allocations: HashSet<Span>,
    calls: Calls,
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
        let mut step = GuideStep { thread, marks: Vec::new(), given: Vec::new(), written: Vec::new() };
        for (var, span) in zeros(self.program, action) {
            self.choice(&mut step, (action.thread, span), var, &Value::Int(0.into()));
        }
        let mut values = choices.iter();
        let failing = action.steps.iter().filter(|part| chooses_failure(self.program, part)).map(|part| part.span);
        let mut allocated: HashSet<Span> = failing.collect();
        for part in &action.steps {
            // Of an allocation that succeeds nothing is left to choose.
            if self.allocations.contains(&part.span) && allocated.insert(part.span) {
                step.given.extend(self.place(part.span).map(|(file, line)| Given {
                    file,
                    line,
                    value: 0,
                    text: String::new(),
                    allocates: true,
                }));
            }
            for (&var, value) in chosen(part).iter().zip(values.by_ref()) {
                self.choice(&mut step, (action.thread, part.span), var, value);
            }
            if matches!(part.kind, StepKind::Havoc(_)) {
                continue;
            }
            self.calls.step(action.thread, part.span);
            let Some((file, line)) = self.place(part.span) else { continue };
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

    /// A variable gets a value that the program does not compute.
    fn choice(&mut self, step: &mut GuideStep, (thread, span): (ThreadId, Span), var: Var, value: &Value) {
        let name = self.program.pool.var_name(var);
        let Some((file, line)) = self.place(span) else { return };
        let number = number(value);
        match effects::effect(name) {
            Some(effect) => self.effect(step, (thread, span), (var, value), &effect),
            // Of what such a function does, only the result is an input.
            None if self.outside.contains(&span) && !name.contains("()") => {
                self.calls.step(thread, span);
                self.calls.chosen.entry(thread).or_default().extend(number);
            }
            None => {
                self.calls.open.remove(&thread);
                let text = self.program.sources.excerpt(span, 40);
                let allocates = name.contains(ALLOCATES);
                step.given.extend(number.map(|value| Given { file, line, value, text, allocates }));
            }
        }
    }

    /// A function without a body writes something.
    fn effect(
        &mut self,
        step: &mut GuideStep,
        (thread, span): (ThreadId, Span),
        (var, value): (Var, &Value),
        effect: &Effect<'_>,
    ) {
        let before = self.calls.chosen.get(&thread).map_or(&[][..], Vec::as_slice);
        let place = effect.place.as_ref();
        let (Some(place), Some(values)) = (place, place.and_then(|place| place.values(value, before))) else {
            self.guide.unforced.insert(effect.function.to_owned());
            return;
        };
        let Some((file, line)) = self.place(span) else { return };
        let call = self.calls.call(thread, span, var, place.is_any_element());
        step.written.extend(values.into_iter().map(|(offset, value)| Written {
            file: file.clone(),
            line,
            call,
            function: effect.function.to_owned(),
            object: place.object.clone(),
            offset,
            size: place.size,
            bits: place.bits,
            value: Some(value),
            is_read: false,
            is_atomic: place.is_atomic,
        }));
    }

    /// What a function without a body accesses, whether its value matters or not.
    fn access(&mut self, variable: &ast::Variable) {
        let Some((file, line)) = self.place(variable.span) else { return };
        let Some(Effect { function, place: Some(place) }) = effects::effect(&variable.name) else { return };
        let (function, (offset, size)) = (function.to_owned(), place.extent());
        let (bits, value, is_read, is_atomic) = (None, None, place.is_read, place.is_atomic);
        let object = place.object;
        self.guide.accessed.push(Written {
            file,
            line,
            call: 0,
            function,
            object,
            offset,
            size,
            bits,
            value,
            is_read,
            is_atomic,
        });
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

pub fn number(value: &Value) -> Option<i64> {
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
