//! From a counterexample to what a violation witness says: who does which statement when, with which inputs.
//!
//! The counterexample is led through the automata before fusing first. Where that fails, a violation is looked for in these; where
//! there is none in short time, the counterexample is told as it is.

use super::outline::tokens;
use super::place::{Place, Texts};
use super::values::{Names, literal, literal_as};
use crate::input;
use crate::machine::is_effect;
use crate::race::accesses;
use crate::story::led;
use braid_engines::Counterexample;
use braid_frontend::c::tree::Unit;
use braid_logic::{Term, TermPool, Value};
use braid_program::ast;
use braid_program::cfa::{Accepted, Action, Program, Step, StepKind, ThreadId};
use braid_program::source::Span;
use braid_program::{Execution, Interpreter, LowerOptions};
use rustc_hash::FxHashMap;

/// What a violation witness says.
#[derive(Clone, Debug, Default)]
pub struct Violation {
    /// What happens, in order.
    pub events: Vec<Event>,
    /// The statements that violate the property: two of a data race, otherwise one.
    pub targets: Vec<Target>,
}

/// A thread does a statement, or some of it.
#[derive(Clone, Debug)]
pub struct Event {
    /// The number of the thread: 0 is the main one, others count in the order in which they are started.
    pub thread: usize,
    pub place: Place,
    /// Did another thread move before?
    pub begins_turn: bool,
    /// Does the statement begin here? It may have begun in an earlier turn, or be a loop that goes on.
    pub is_begun: bool,
    /// What holds of variables before the statement that reads them, as expressions of C.
    pub holds: Vec<String>,
    /// The results of functions without a body.
    pub inputs: Vec<Input>,
    /// The thread that is started.
    pub starts: Option<usize>,
    /// The call that starts it.
    pub call: Option<Place>,
    /// Where the thread stands after its last statement, if the program says more about it there.
    pub stays: Option<Place>,
}

/// A function without a body returns something.
#[derive(Clone, Debug)]
pub struct Input {
    pub function: String,
    /// The place of the call.
    pub call: Place,
    pub value: String,
    /// The variable that takes it, if the statement does nothing else, and what is then in it.
    pub variable: Option<(String, String)>,
}

/// A statement that violates the property.
#[derive(Clone, Debug)]
pub struct Target {
    pub thread: usize,
    pub place: Place,
}

/// What a counterexample of a C program says; none if the place of the violation is not in the program's own files.
pub fn violation(
    fused: (&Program<'_>, &Counterexample),
    structured: &ast::Program,
    (lowering, again): (LowerOptions, &dyn Fn() -> Option<Execution>),
    (unit, files): (&Unit, &[String]),
) -> Option<Violation> {
    let pool = TermPool::new();
    let plain = input::automata(structured, &pool, LowerOptions { fuse: false, ..lowering }).ok();
    let led = plain.as_ref().and_then(|plain| Some((plain, led(fused, plain, again)?)));
    let starts = plain.as_ref().map(starts).unwrap_or_default();
    match &led {
        Some((program, counterexample)) => Teller::new(program, counterexample, (unit, files), starts).tell(),
        // Fused actions do not say in which order statements begin.
        None => Teller::new(fused.0, fused.1, (unit, files), starts).tell().map(Violation::without_turns),
    }
}

impl Violation {
    /// Only with what is started and returned.
    fn without_turns(mut self) -> Violation {
        for event in &mut self.events {
            (event.begins_turn, event.stays) = (false, None);
        }
        self
    }
}

/// Where threads are started, by their names: fused actions do not say it.
fn starts(program: &Program<'_>) -> FxHashMap<String, Span> {
    let span = |action: &Action| action.steps.last().map_or(action.span, |step| step.span);
    let started =
        program.actions.iter().flat_map(|action| action.forks.iter().map(move |&child| (child, span(action))));
    started.map(|(child, span)| (program.thread(child).name.clone(), span)).collect()
}

struct Teller<'a, 'p> {
    program: &'a Program<'p>,
    counterexample: &'a Counterexample,
    interpreter: Interpreter<'a, 'p>,
    names: Names<'a>,
    texts: Texts<'a>,
    /// The newest number for each instance of a thread.
    numbers: FxHashMap<ThreadId, usize>,
    started: usize,
    /// Where threads are started, by their names.
    starts: FxHashMap<String, Span>,
    found: Violation,
}

impl<'a, 'p> Teller<'a, 'p> {
    fn new(
        program: &'a Program<'p>,
        counterexample: &'a Counterexample,
        (unit, files): (&'a Unit, &[String]),
        starts: FxHashMap<String, Span>,
    ) -> Self {
        Teller {
            program,
            counterexample,
            interpreter: Interpreter::new(program),
            names: Names::new(unit),
            texts: Texts::new(&program.sources, files),
            numbers: FxHashMap::from_iter([(ThreadId::MAIN, 0)]),
            started: 0,
            starts,
            found: Violation::default(),
        }
    }

    fn tell(mut self) -> Option<Violation> {
        let execution = self.counterexample.execution();
        for (number, executed) in execution.steps.iter().enumerate() {
            let action = self.program.action(executed.action);
            self.action(number, action, &executed.choices);
        }
        self.stay();
        self.found.targets = self.targets()?;
        Some(self.found)
    }

    fn action(&mut self, number: usize, action: &Action, choices: &[Value]) {
        let Some(&thread) = self.numbers.get(&action.thread) else { return };
        let mut values = choices.iter();
        if let Some(begin) = action.steps.first().and_then(|first| self.texts.section(first.span)) {
            self.event(number, thread, &Step { kind: StepKind::Assume(Term::TRUE), span: begin });
        }
        for part in &action.steps {
            self.event(number, thread, part);
            if let StepKind::Havoc(vars) = &part.kind {
                for (&var, value) in vars.iter().zip(values.by_ref()) {
                    let owner = self.program.variables.iter().find(|known| known.var == var).and_then(|var| var.owner);
                    // What a new thread finds in its variables was returned by nobody.
                    if !owner.is_some_and(|owner| action.forks.contains(&owner)) {
                        self.input(thread, part.span, self.program.pool.var_name(var), value);
                    }
                }
            }
        }
        if action.steps.is_empty() {
            let step = Step { kind: StepKind::Assume(Term::TRUE), span: action.span };
            self.event(number, thread, &step);
        }
        for &child in &action.forks {
            self.started += 1;
            self.numbers.insert(child, self.started);
            let last = action.steps.last().map_or(action.span, |step| step.span);
            let span = self.starts.get(&self.program.thread(child).name).copied().unwrap_or(last);
            self.event(number, thread, &Step { kind: StepKind::Assume(Term::TRUE), span });
            if let Some(event) = self.found.events.last_mut().filter(|event| event.thread == thread) {
                event.starts = Some(self.started);
                event.call = self.texts.exactly(span);
            }
        }
    }

    /// A thread makes a step before which the program is in the state of a number.
    fn event(&mut self, state: usize, thread: usize, step: &Step) {
        let Some(place) = self.texts.statement(step.span) else { return };
        let last = self.found.events.last();
        let same_thread = last.is_some_and(|last| last.thread == thread);
        // One more thread is one more statement.
        let is_same = |last: &Event| same_thread && last.place == place && last.starts.is_none();
        if !last.is_some_and(is_same) {
            self.found.events.push(Event {
                thread,
                begins_turn: !same_thread,
                is_begun: self.is_fresh(thread, &place),
                place,
                holds: Vec::new(),
                inputs: Vec::new(),
                starts: None,
                call: None,
                stays: None,
            });
        }
        let holds = self.holds(state, step);
        // What is read first in an atomic section holds where the section begins.
        let opens = |event: &Event| self.texts.text(&event.place).contains("_atomic_begin");
        let back = match self.found.events.as_slice() {
            [.., begin, last] if !last.begins_turn && opens(begin) => 2,
            _ => 1,
        };
        let first = self.found.events.iter_mut().nth_back(back - 1);
        if let Some(event) = first.filter(|event| event.begins_turn && event.thread == thread) {
            let new: Vec<String> = holds.into_iter().filter(|fact| !event.holds.contains(fact)).collect();
            event.holds.extend(new);
        }
    }

    /// Is a thread at the beginning of a statement? Not if what it did last in this function is a part of it.
    fn is_fresh(&self, thread: usize, place: &Place) -> bool {
        let mut own = self.found.events.iter().rev().filter(|event| event.thread == thread);
        let last = own.find(|event| event.place.file == place.file && event.place.function == place.function);
        last.is_none_or(|last| !place.bytes.contains(&last.place.bytes.start))
    }

    /// What a step reads of the program's global variables, as expressions of C.
    fn holds(&self, state: usize, step: &Step) -> Vec<String> {
        let free = |term: Term| self.program.pool.free_vars(term).to_vec();
        let read = match &step.kind {
            StepKind::Assume(formula) | StepKind::Await(formula, _) => free(*formula),
            StepKind::Assign(assignments) => assignments.iter().flat_map(|(_, term)| free(*term)).collect(),
            StepKind::Havoc(_) => Vec::new(),
        };
        let state = &self.counterexample.replayed().states[state];
        let fact = |var| {
            let (name, value) = (self.program.pool.var_name(var), self.interpreter.value(state, var)?);
            Some(format!("{name} == {}", literal(value, self.names.global(name)?)?))
        };
        read.into_iter().filter_map(fact).collect()
    }

    /// A function without a body may have returned a value.
    fn input(&mut self, thread: usize, span: Span, name: &str, value: &Value) {
        let text = self.program.sources.text(span);
        let Some((function, _)) = text.split_once('(') else { return };
        let function = function.trim();
        // What pthread_create chooses are the arguments of threads.
        let is_result = !is_effect(name) && !name.contains("alloc?") && !function.starts_with("pthread_");
        let Some(ty) = self.names.result(function).filter(|_| is_result) else { return };
        let (Some(returned), Some(call)) = (literal(value, ty), self.texts.exactly(span)) else { return };
        let Some(event) = self.found.events.last_mut().filter(|event| event.thread == thread) else { return };
        if event.inputs.iter().any(|input| input.call == call) {
            return;
        }
        let variable = assigned(self.texts.text(&event.place), event.place.bytes.start, &call);
        let variable = variable.and_then(|name| {
            let taken = literal_as(value, ty, self.names.variable(&name)?)?;
            Some((name, taken))
        });
        event.inputs.push(Input { function: function.to_owned(), call, value: returned, variable });
    }

    /// Says where threads stand that do not go on.
    fn stay(&mut self) {
        let replayed = self.counterexample.replayed();
        let Some(end) = replayed.states.last() else { return };
        let violating = match replayed.violation {
            Accepted::Violation(thread, ..) => Some(thread),
            _ => None,
        };
        let threads: Vec<(ThreadId, usize)> = self.numbers.iter().map(|(&id, &number)| (id, number)).collect();
        for (id, number) in threads.into_iter().filter(|(id, _)| Some(*id) != violating) {
            let next = self.program.thread(id).outgoing(end.locations.location(id)).first();
            let Some(action) = next.map(|&id| self.program.action(id)) else { continue };
            let span = action.steps.first().map_or(action.span, |step| step.span);
            let statements = action.steps.iter().filter_map(|step| self.texts.statement(step.span));
            let is_one = statements.collect::<Vec<Place>>().windows(2).all(|pair| pair[0] == pair[1]);
            let place = self.texts.outside_of_sections(span, is_one).filter(|place| self.is_fresh(number, place));
            if let Some(event) = self.found.events.iter_mut().rev().find(|event| event.thread == number) {
                event.stays = place;
            }
        }
    }

    fn targets(&mut self) -> Option<Vec<Target>> {
        let Accepted::Violation(thread, location, _) = self.counterexample.replayed().violation else { return None };
        let own = (thread, self.program.thread(thread).locations[location.index()].span);
        let both = accesses(self.program, self.counterexample);
        let spans = both.map_or(vec![own], |(first, second)| vec![first, second]);
        let target = |(id, span)| Some(Target { thread: *self.numbers.get(&id)?, place: self.texts.statement(span)? });
        spans.into_iter().map(target).collect()
    }
}

/// The variable of a statement `x = f();` or `int x = f();` that starts at a byte.
fn assigned(statement: &str, start: usize, call: &Place) -> Option<String> {
    let before = statement.get(..call.bytes.start.checked_sub(start)?)?;
    let after = statement.get(call.bytes.end - start..)?;
    let words: Vec<&str> = tokens(before).into_iter().map(|token| &before[token]).collect();
    let is_name = |word: &str| word.starts_with(|c: char| c == '_' || c.is_alphabetic());
    match words.as_slice() {
        [types @ .., name, "="] if after.trim() == ";" && is_name(name) && types.iter().all(|word| is_name(word)) => {
            Some((*name).to_owned())
        }
        _ => None,
    }
}
