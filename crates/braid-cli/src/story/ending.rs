//! The end of a story: what is wrong there, in words and with places.

use super::matters::Needed;
use super::rows::Rows;
use super::steps::{Locked, Micro};
use super::words::{Cell, Moment, Words};
use super::{Ending, Held, Spot, library};
use crate::deadlock::Waiting;
use crate::race::{Access, Lock, Side};
use crate::{deadlock, livelock, race, trace};
use braid_engines::Counterexample;
use braid_program::Interpreter;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Program, ThreadId, Violation};
use braid_program::deadlock::{Member, Standstill};
use braid_program::source::Span;

/// So many values are told in a sentence.
const MOST_VALUES: usize = 6;

/// Calls are looked at as far as this many characters.
const LONGEST_CALL: usize = 200;

/// The title of deadlocks.
pub const DEADLOCK: &str = "deadlock";

/// An execution whose end is told.
pub struct Told<'a, 'p> {
    pub program: &'a Program<'p>,
    pub counterexample: &'a Counterexample,
    pub words: &'a Words<'a, 'p>,
    pub micros: &'a [Micro],
}

impl Told<'_, '_> {
    /// What the violation needs directly.
    pub fn needed(&self) -> Needed {
        let mut needed = Needed::default();
        let steps = &self.counterexample.execution().steps;
        match self.counterexample.replayed().violation {
            Accepted::Violation(thread, ..) => {
                let last = steps.iter().rposition(|step| self.program.action(step.action).thread == thread);
                needed.steps.extend(self.steps_of(last));
                if let Some((_, other)) = race::accesses(self.program, self.counterexample) {
                    let access = |micro: &Micro| micro.thread == other.0 && micro.span == other.1;
                    needed.steps.extend(self.micros.iter().rposition(access));
                }
            }
            Accepted::Deadlock => {
                for member in self.waiting() {
                    for wait in &member.waits {
                        let reads = self.program.action(wait.action).relation(self.program.pool).reads.clone();
                        needed.cells.extend(reads.into_iter().map(Cell::whole));
                    }
                }
            }
            Accepted::Livelock => {
                for step in livelock::circle(self.program, self.counterexample) {
                    let reads = self.program.action(step.action).relation(self.program.pool).reads.clone();
                    needed.cells.extend(reads.into_iter().map(Cell::whole));
                }
            }
            Accepted::Completion => needed.steps.extend(self.steps_of(steps.len().checked_sub(1))),
        }
        needed
    }

    fn steps_of(&self, action: Option<usize>) -> Vec<usize> {
        let all = self.micros.iter().enumerate();
        all.filter(|(_, micro)| Some(micro.action) == action).map(|(number, _)| number).collect()
    }

    fn waiting(&self) -> Vec<Member> {
        let functions = self.counterexample.execution().initial.funs.clone();
        let interpreter = Interpreter::with_functions(self.program, functions);
        match self.counterexample.replayed().states.last().map(|state| interpreter.standstill(state)) {
            Some(Standstill::Deadlock(deadlock)) => deadlock.members,
            _ => Vec::new(),
        }
    }

    /// The end, with the sentence that is told anyhow.
    pub fn ending(&self, rows: &Rows<'_, '_>, sentence: &str) -> Ending {
        let values = self.values(rows);
        let fault = self.fault(rows);
        let spots = self.spots(rows, fault.as_deref(), &values);
        let violation = self.counterexample.replayed().violation;
        let sentence = match &fault {
            Some(fault) => trace::violation(self.program, violation, Some(fault)),
            None => self.race().unwrap_or_else(|| sentence.trim_end().replace('\n', " ")),
        };
        let sentence = match values.is_empty() {
            true => sentence,
            false => format!("{} There {}.", sentence, values.join(", ")),
        };
        let help = self.sides().map(|[first, second]| race::advice(&first, &second));
        Ending { title: self.title().to_owned(), sentence, help, spots }
    }

    /// A data race in words.
    fn race(&self) -> Option<String> {
        self.sides().map(|sides| race::told(self.program, &sides))
    }

    fn title(&self) -> &'static str {
        match self.counterexample.replayed().violation {
            Accepted::Deadlock => DEADLOCK,
            Accepted::Livelock => "livelock",
            Accepted::Completion => "the end is reached",
            Accepted::Violation(_, _, Violation::Failed(check)) => title(check),
            Accepted::Violation(..) => "something that is not modelled",
        }
    }

    fn spots(&self, rows: &Rows<'_, '_>, fault: Option<&str>, values: &[String]) -> Vec<Spot> {
        let spot = |thread: ThreadId, span: Span, label: String| {
            Some(Spot { thread: rows.lane(thread)?, place: self.words.place(span), label, ..Spot::default() })
        };
        if let Some(sides) = self.sides() {
            let told = sides.into_iter().zip(["", "while "]).filter_map(|(side, when)| {
                let label = race::label(self.program, &side, when);
                let Side { access, locks } = side;
                let does = Some(access.how.to_owned());
                let object = self.raced(access.thread);
                let holds = locks.into_iter().map(|lock| self.held(lock.name, Some(lock.taken))).collect();
                Some(Spot { does, object, holds, ..spot(access.thread, access.span, label)? })
            });
            return told.collect();
        }
        match self.counterexample.replayed().violation {
            Accepted::Violation(thread, location, violation) => {
                let span = self.program.thread(thread).locations[location.index()].span;
                let name = &self.program.thread(thread).name;
                let why = fault.or_else(|| trace::why(violation)).map(str::to_owned);
                let told = why.into_iter().chain(values.iter().cloned());
                let told = told.collect::<Vec<String>>().join(", ");
                let label =
                    if told.is_empty() { format!("in thread {name}") } else { format!("in thread {name}: {told}") };
                spot(thread, span, label).into_iter().collect()
            }
            Accepted::Deadlock => self.waits(rows),
            Accepted::Livelock => {
                let spots = livelock::spots(self.program, self.counterexample);
                spots.into_iter().filter_map(|(thread, span, label)| spot(thread, span, label)).collect()
            }
            Accepted::Completion => Vec::new(),
        }
    }

    /// Who waits where for whom; those first who wait for each other.
    pub fn waits(&self, rows: &Rows<'_, '_>) -> Vec<Spot> {
        let mut waiting = deadlock::waiting(self.program, self.counterexample);
        waiting.sort_by_key(|waiting| waiting.is_join);
        let spots = waiting.into_iter().filter_map(|Waiting { thread, span, label, helper, lock, held, .. }| {
            let waits_for = helper.and_then(|helper| rows.lane(helper));
            let holds = held.into_iter().map(|(name, span)| self.held(name, span)).collect();
            let (thread, place) = (rows.lane(thread)?, self.words.place(span));
            Some(Spot { thread, place, label, waits_for, object: lock, holds, does: None })
        });
        spots.collect()
    }

    fn held(&self, name: String, span: Option<Span>) -> Held {
        Held { name, place: span.map(|span| self.words.place(span)) }
    }

    /// Both accesses of a data race, with the locks that are held.
    fn sides(&self) -> Option<[Side; 2]> {
        let both = race::both(self.program, self.counterexample)?;
        Some(both.map(|access| Side { locks: self.locks(&access), access }))
    }

    /// The locks that a thread has taken before an access of its own, and not given back.
    fn locks(&self, access: &Access) -> Vec<Lock> {
        let own = self.micros.iter().filter(|micro| micro.thread == access.thread && micro.action < access.after);
        let state = &self.counterexample.replayed().states[access.after];
        let moment = Moment { state, thread: access.thread, at: Some(access.span) };
        let mut held: Vec<Lock> = Vec::new();
        for micro in own {
            let called = library::lock(&self.program.sources.excerpt(micro.span, LONGEST_CALL));
            for Locked { cell, taken, .. } in micro.locks.iter().filter(|locked| locked.is_lock || called.is_some()) {
                let name = self.words.lock_name(cell, moment).or_else(|| called.clone());
                match name.filter(|_| *taken) {
                    // A lock has several parts.
                    Some(name) if held.iter().all(|lock| lock.name != name) => {
                        held.push(Lock { name, cell: cell.clone(), taken: micro.span });
                    }
                    Some(_) => {}
                    None => held.retain(|lock| lock.cell != *cell),
                }
            }
        }
        held
    }

    /// What two threads access at once, as one of them would write it.
    fn raced(&self, thread: ThreadId) -> Option<String> {
        let (var, at) = race::object(self.program, self.counterexample)?;
        let state = self.counterexample.replayed().states.last()?;
        self.words.name(&Cell { var, at }, Moment { state, thread, at: None })
    }

    /// The values that the failing step reads.
    fn values(&self, rows: &Rows<'_, '_>) -> Vec<String> {
        let Accepted::Violation(thread, _, Violation::Failed(check)) = self.counterexample.replayed().violation else {
            return Vec::new();
        };
        let Some(state) = self.counterexample.replayed().states.last() else { return Vec::new() };
        if check == Check::Race {
            return Vec::new();
        }
        // Values come through temporaries: look at all steps of the last statement.
        let Some(last) = rows.drafts.iter().rev().find(|draft| Some(draft.row.thread) == rows.lane(thread)) else {
            return Vec::new();
        };
        let moment = Moment { state, thread, at: last.micros.last().map(|&number| self.micros[number].span) };
        let mut told: Vec<String> = Vec::new();
        for micro in last.micros.iter().rev().map(|&number| &self.micros[number]) {
            for cell in &micro.reads {
                let Some(name) = self.words.name(cell, moment) else { continue };
                let Some(value) = self.words.current(cell, state) else { continue };
                let value = self.words.value(cell, &value, moment);
                let is = if self.words.is_pointer(cell.var) && value.contains(" at line ") {
                    "points to the block of"
                } else {
                    "is"
                };
                let text = format!("{name} {is} {value}");
                if !told.contains(&text) && told.len() < MOST_VALUES {
                    told.push(text);
                }
            }
        }
        told.reverse();
        told
    }
}

/// A check that fails, in a few words.
pub fn title(check: Check) -> &'static str {
    match check {
        Check::Assertion => "assertion violated",
        Check::Deref => "invalid memory access",
        Check::Free => "invalid free",
        Check::Deadlock => DEADLOCK,
        Check::Progress => "livelock",
        Check::Race => "data race",
        Check::Overflow => "overflow",
        Check::Undefined => "undefined behaviour",
        Check::Uninitialised => "uninitialised read",
        Check::Memtrack => "lost memory",
        Check::Memcleanup => "memory not freed",
    }
}

/// The sentence that a counterexample is told with.
pub fn sentence(program: &Program<'_>, counterexample: &Counterexample) -> String {
    let told = race::race(program, counterexample).or_else(|| deadlock::sentence(program, counterexample));
    let told = told.or_else(|| livelock::sentence(program, counterexample));
    told.unwrap_or_else(|| trace::violation(program, counterexample.replayed().violation, None))
}
