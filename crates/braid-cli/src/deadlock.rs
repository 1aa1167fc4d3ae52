//! A deadlock in words: who holds what, and who waits for whom, from one thread to the next.

use crate::machine::plain;
use braid_engines::Counterexample;
use braid_logic::{Node, Term, Value};
use braid_program::ast::Release;
use braid_program::cfa::{Accepted, Program, StepKind, ThreadId};
use braid_program::deadlock::{Deadlock, Helper, Member, Standstill, Wait};
use braid_program::source::{FileId, Span};
use braid_program::{Interpreter, State};
use std::path::Path;

/// What the prelude calls the part of a lock that says who has it.
const PARTS: [&str; 2] = [".owner", ".state"];

/// So many threads that wait for each other are told one by one.
const LONGEST: usize = 8;

/// The deadlock that a counterexample ends in, as a sentence; none if it ends in something else.
pub fn sentence(program: &Program<'_>, counterexample: &Counterexample) -> Option<String> {
    if counterexample.replayed().violation != Accepted::Deadlock {
        return None;
    }
    let interpreter = Interpreter::with_functions(program, counterexample.execution().initial.funs.clone());
    let Standstill::Deadlock(deadlock) = interpreter.standstill(counterexample.replayed().states.last()?) else {
        return None;
    };
    let told = Telling { program, interpreter, counterexample, deadlock };
    Some(format!("Deadlock: {}.", told.chains().join("; ")))
}

/// Where the first thread of the deadlock waits that a counterexample ends in.
pub fn place(program: &Program<'_>, counterexample: &Counterexample) -> Option<Span> {
    let interpreter = Interpreter::with_functions(program, counterexample.execution().initial.funs.clone());
    match interpreter.standstill(counterexample.replayed().states.last()?) {
        Standstill::Deadlock(deadlock) => Some(deadlock.members[0].waits[0].span),
        Standstill::None | Standstill::Undetermined => None,
    }
}

/// Where a thread of a deadlock waits, and for what.
pub struct Waiting {
    pub thread: ThreadId,
    pub span: Span,
    /// What is to be said right there.
    pub label: String,
    /// The thread that has what it waits for, or that would have to end.
    pub helper: Option<ThreadId>,
    /// Is the end of a thread awaited?
    pub is_join: bool,
    /// The lock that it waits for, if it is one.
    pub lock: Option<String>,
    /// The locks of this thread that others wait for, and where it took them.
    pub held: Vec<(String, Option<Span>)>,
}

/// Who waits where for whom in the deadlock that a counterexample ends in.
pub fn waiting(program: &Program<'_>, counterexample: &Counterexample) -> Vec<Waiting> {
    let interpreter = Interpreter::with_functions(program, counterexample.execution().initial.funs.clone());
    let standstill = counterexample.replayed().states.last().map(|state| interpreter.standstill(state));
    let Some(Standstill::Deadlock(deadlock)) = standstill else { return Vec::new() };
    let told = Telling { program, interpreter, counterexample, deadlock };
    told.deadlock.members.iter().map(|member| told.waiting(member)).collect()
}

struct Telling<'a, 'p> {
    program: &'a Program<'p>,
    interpreter: Interpreter<'a, 'p>,
    counterexample: &'a Counterexample,
    deadlock: Deadlock,
}

impl Telling<'_, '_> {
    /// Each member once, in the order in which they wait for each other; those first who come back to themselves.
    fn chains(&self) -> Vec<String> {
        let mut told: Vec<ThreadId> = Vec::new();
        let mut chains = Vec::new();
        let (circles, others): (Vec<&Member>, Vec<&Member>) =
            self.deadlock.members.iter().partition(|member| self.is_on_circle(member));
        for start in circles.into_iter().chain(others) {
            let (mut member, mut words, mut length) = (start, String::new(), 0);
            while !told.contains(&member.thread) {
                told.push(member.thread);
                length += 1;
                if length > LONGEST {
                    let Some(next) = self.next(member) else { break };
                    member = next;
                    continue;
                }
                let who = if words.is_empty() { self.name(member.thread) } else { ", which".to_owned() };
                words += &format!("{who} {}", self.waits(member));
                let Some(next) = self.next(member) else { break };
                member = next;
            }
            if length > LONGEST {
                words += &format!(", and so on, {} more threads", length - LONGEST);
            }
            chains.extend(Some(words).filter(|words| !words.is_empty()));
        }
        chains
    }

    fn is_on_circle(&self, member: &Member) -> bool {
        let mut ways = std::iter::successors(self.next(member), |last| self.next(last));
        ways.by_ref().take(self.deadlock.members.len()).any(|other| other.thread == member.thread)
    }

    /// The member that another one waits for.
    fn next(&self, member: &Member) -> Option<&Member> {
        let helper = match &self.wait(member).helper {
            Helper::Anyone => return None,
            Helper::Thread(helper) => *helper,
            Helper::Ends(threads) => self.stuck(threads)?,
        };
        self.deadlock.members.iter().find(|other| other.thread == helper)
    }

    fn stuck(&self, threads: &[ThreadId]) -> Option<ThreadId> {
        let is_member = |thread: &&ThreadId| self.deadlock.members.iter().any(|member| member.thread == **thread);
        threads.iter().find(is_member).copied()
    }

    /// What a member waits for; if that is several things, the first that says who could help.
    fn wait<'m>(&self, member: &'m Member) -> &'m Wait {
        let known = member.waits.iter().find(|wait| wait.helper != Helper::Anyone);
        known.or(member.waits.iter().find(|wait| wait.test.is_some())).unwrap_or(&member.waits[0])
    }

    fn waits(&self, member: &Member) -> String {
        let held = self.held(member.thread);
        let held = if held.is_empty() { held } else { format!("holds {held} and ") };
        let wait = self.wait(member);
        let line = self.line(wait.span);
        let at = || format!("`{}`", plain(&self.program.sources.excerpt(wait.span, 60)));
        match &wait.helper {
            Helper::Anyone => format!("{held}waits in {} ({line}), and nobody is left to end that", at()),
            Helper::Ends(threads) => {
                let ended = self.stuck(threads).unwrap_or(threads[0]);
                format!("{held}waits for the end ({line}) of {}", self.name(ended))
            }
            Helper::Thread(helper) => {
                let again = if *helper == member.thread { "itself" } else { &self.name(*helper) };
                let is_member = self.deadlock.members.iter().any(|other| other.thread == *helper);
                let ended = if is_member { "" } else { ", which has ended" };
                match self.lock(wait) {
                    Some(lock) => format!("{held}waits for {} ({line}), held by {again}{ended}", self.lock_name(lock)),
                    None => format!("{held}waits in {} ({line}) for {again}{ended}", at()),
                }
            }
        }
    }

    fn waiting(&self, member: &Member) -> Waiting {
        let wait = self.wait(member);
        let name = |thread: ThreadId| self.program.thread(thread).name.as_str();
        let own = name(member.thread);
        let (label, helper) = match &wait.helper {
            Helper::Anyone => (format!("{own} waits here, and nobody is left to end that"), None),
            Helper::Ends(threads) => {
                let ended = self.stuck(threads).unwrap_or(threads[0]);
                (format!("{own} waits here for the end of {}", name(ended)), Some(ended))
            }
            Helper::Thread(helper) => {
                let lock = self.lock(wait);
                let since = lock.and_then(|lock| self.taken(lock)).map(|span| format!(" since {}", self.line(span)));
                let since = since.unwrap_or_default();
                let lock = lock.map(|lock| self.lock_name(lock));
                let label = match (lock, *helper == member.thread) {
                    (Some(lock), true) => format!("{own} waits here for {lock}, which it holds itself{since}"),
                    (Some(lock), false) => format!("{own} waits here for {lock}, held by {}{since}", name(*helper)),
                    (None, true) => format!("{own} waits here for itself"),
                    (None, false) => format!("{own} waits here for {}", name(*helper)),
                };
                (label, Some(*helper))
            }
        };
        let is_join = matches!(wait.helper, Helper::Ends(_));
        let lock = self.lock(wait).map(|lock| self.lock_name(lock));
        let held = self.locks(member.thread).into_iter().map(|lock| (self.lock_name(lock), self.taken(lock))).collect();
        Waiting { thread: member.thread, span: wait.span, label, helper, is_join, lock, held }
    }

    /// The locks of a thread that members wait for, with the lines where it got them.
    fn held(&self, thread: ThreadId) -> String {
        let told = |&lock: &Term| match self.taken(lock) {
            Some(span) => format!("{} ({})", self.lock_name(lock), self.line(span)),
            None => self.lock_name(lock),
        };
        self.locks(thread).iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// The locks of a thread that members wait for.
    fn locks(&self, thread: ThreadId) -> Vec<Term> {
        let waits = self.deadlock.members.iter().flat_map(|member| &member.waits);
        let mut locks: Vec<Term> =
            waits.filter(|wait| wait.helper == Helper::Thread(thread)).filter_map(|wait| self.lock(wait)).collect();
        locks.sort_unstable();
        locks.dedup();
        locks
    }

    /// The lock that is waited for: what has the number of its owner.
    fn lock(&self, wait: &Wait) -> Option<Term> {
        let pool = self.program.pool;
        let steps = &self.program.action(wait.action).steps;
        let (at, identity) = steps.iter().enumerate().find_map(|(at, step)| match step.kind {
            StepKind::Await(test, Release::Thread(identity)) if Some(test) == wait.test => Some((at, identity)),
            _ => None,
        })?;
        // A temporary stands for what it was read from.
        let identity = steps[..at].iter().rev().fold(identity, |term, step| match &step.kind {
            StepKind::Assign(assignments) => pool.substitute(term, &assignments.iter().copied().collect()),
            _ => term,
        });
        let next = pool.add([identity, pool.int(1)]);
        let is_place = |term: &Term| matches!(pool.node(*term), Node::Var(_) | Node::Select(..));
        let place = [next, pool.neg(next)].into_iter().map(|term| self.chosen(term)).find(is_place)?;
        Some(self.element(place))
    }

    /// The same place of an array with the number of its element: a variable in it has had other values before.
    fn element(&self, lock: Term) -> Term {
        let Node::Select(array, index) = self.program.pool.node(lock) else { return lock };
        let last = self.counterexample.replayed().states.last();
        match last.map(|state| self.program.pool.evaluate(*index, &self.interpreter.view(state))) {
            Some(Ok(Value::Int(number))) => self.program.pool.select(*array, self.program.pool.int(number)),
            _ => lock,
        }
    }

    /// The case of a term that applies at the end.
    fn chosen(&self, term: Term) -> Term {
        let Node::Ite(condition, then, other) = self.program.pool.node(term) else { return term };
        let last = self.counterexample.replayed().states.last();
        match last.map(|state| self.program.pool.evaluate(*condition, &self.interpreter.view(state))) {
            Some(Ok(Value::Bool(true))) => self.chosen(*then),
            Some(Ok(Value::Bool(false))) => self.chosen(*other),
            _ => term,
        }
    }

    fn lock_name(&self, lock: Term) -> String {
        let name = plain(&self.program.pool.infix(lock).to_string());
        let name = PARTS.iter().fold(name, |name, part| name.replace(part, ""));
        self.as_written(&name).unwrap_or(name)
    }

    /// The name of a lock in a struct in an array, as the program writes it: `a[1].lock` and not `a.lock[1]`.
    fn as_written(&self, name: &str) -> Option<String> {
        let (path, index) = name.strip_suffix(']')?.split_once('[')?;
        let waits = || self.deadlock.members.iter().flat_map(|member| &member.waits);
        let is_written = |array: &str, member: &str| {
            waits().any(|wait| {
                let text = self.program.sources.excerpt(wait.span, usize::MAX);
                text.contains(&format!("{array}[")) && text.contains(&format!("]{member}"))
            })
        };
        let mut splits = path.match_indices('.').map(|(at, _)| path.split_at(at));
        let (array, member) = splits.find(|(array, member)| is_written(array, member))?;
        Some(format!("{array}[{index}]{member}"))
    }

    /// Where a lock got its last value.
    fn taken(&self, lock: Term) -> Option<Span> {
        let states = &self.counterexample.replayed().states;
        let value =
            |state: &State| -> Option<Value> { self.program.pool.evaluate(lock, &self.interpreter.view(state)).ok() };
        let last = value(states.last()?);
        let number = (1..states.len()).rev().find(|&number| value(&states[number - 1]) != last)?;
        let action = self.program.action(self.counterexample.execution().steps[number - 1].action);
        let vars = self.program.pool.free_vars(lock);
        let writes = |kind: &StepKind| match kind {
            StepKind::Assign(assignments) => assignments.iter().any(|(var, _)| vars.contains(var)),
            _ => false,
        };
        let at = action.steps.iter().position(|step| writes(&step.kind))?;
        // The library's files come after the user's: the call is the last place before that is in one of those.
        let spans = || action.steps[..=at].iter().map(|step| step.span);
        let first = spans().map(|span| span.file).min()?;
        spans().rev().find(|span| span.file == first)
    }

    fn name(&self, thread: ThreadId) -> String {
        format!("thread {}", self.program.thread(thread).name)
    }

    fn line(&self, span: Span) -> String {
        let line = self.program.sources.position(span).line;
        let name = &self.program.sources.file(span.file).name;
        match span.file {
            FileId(0) => format!("line {line}"),
            _ => format!("line {line} of {}", Path::new(name).file_name().unwrap_or_default().display()),
        }
    }
}
