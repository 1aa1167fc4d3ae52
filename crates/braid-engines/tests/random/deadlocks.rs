//! Deadlocks in random programs of locks, semaphores, joins and tests.
//!
//! What the interpreter calls a deadlock is compared with the graph of all states: its members never move again on any way from there; a state
//! in which all that lives waits is one; and so is a circle of owners and takers of locks. Then all engines must agree, fused or not.
//! Numbers are spent as in `generator`.

use crate::cases;
use braid_engines::cegar::Cegar;
use braid_engines::deadlock::LockOrder;
use braid_engines::explicit::{Explicit, Visits};
use braid_engines::gem::Gem;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_logic::{TermPool, Value};
use braid_program::ast::Program;
use braid_program::cfa::{self, Location, ThreadId};
use braid_program::deadlock::Standstill;
use braid_program::{Interpreter, LowerOptions, State, Stuck, lower};
use braid_testkit::{Choices, parsed, stepwise};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// More states than this are not looked at.
const STATES: usize = 4_000;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    /// The number of the thread, and what it holds, the latest last.
    own: usize,
    held: Vec<&'static str>,
}

/// A program out of numbers. Threads give back only what they hold.
fn program(numbers: &[u8]) -> String {
    let mut generator = Generator { choices: Choices::new(numbers), text: String::new(), own: 0, held: Vec::new() };
    generator.text.push_str("(claim no-deadlock) (var m n o s f g Int) (var b Bool)\n");
    for worker in 1..=3 {
        generator.own = worker;
        let _ = write!(generator.text, "(proc w{worker} () ()");
        generator.body(5);
        generator.text.push_str(")\n");
    }
    generator.own = 0;
    generator.text.push_str("(proc main () () (set! (m n o s f g b) (0 0 0 0 0 0 false))");
    let count = 1 + generator.below(3);
    if generator.below(3) == 0 {
        generator.lock();
    }
    for worker in 1..=count {
        let _ = write!(generator.text, " (fork {worker} w{worker})");
    }
    generator.body(3);
    for worker in 1..=count {
        if generator.below(3) > 0 {
            let _ = write!(generator.text, " (join () {worker})");
        }
    }
    if generator.below(3) == 0 {
        generator.text.push_str(" (stop)");
    }
    generator.text.push_str(")\n");
    generator.text
}

impl Generator<'_> {
    /// One of `0 .. count`.
    fn below(&mut self, count: usize) -> usize {
        self.choices.below(count)
    }

    fn body(&mut self, most: usize) {
        for _ in 0..self.below(most + 1) {
            self.stmt(1);
        }
        while let Some(lock) = self.held.pop() {
            if self.below(8) > 0 {
                let _ = write!(self.text, " (set! {lock} 0)");
            }
        }
    }

    fn lock(&mut self) {
        let lock = ["m", "n", "o"][self.below(3)];
        let own = self.own + 1;
        let _ = write!(self.text, " (atomic (await (= {lock} 0) (- {lock} 1)) (set! {lock} {own}))");
        self.held.push(lock);
    }

    fn stmt(&mut self, depth: usize) {
        let choice = self.below(if depth > 0 { 16 } else { 12 });
        let text = match choice {
            0..=3 => return self.lock(),
            4 | 5 => match self.held.pop() {
                Some(lock) => format!("(set! {lock} 0)"),
                None => "(set! g (- 1 g))".to_owned(),
            },
            6 => "(atomic (await (> s 0)) (set! s (- s 1)))".to_owned(),
            7 => "(atomic (if (< s 2) (set! s (+ s 1))))".to_owned(),
            8 => ["(await (= f 1))", "(set! f 1)", "(set! f 0)"][self.below(3)].to_owned(),
            9 => ["(assume (= f 1))", "(assume (= g 0))"][self.below(2)].to_owned(),
            10 if self.own > 0 => {
                let other = 1 + self.below(3);
                format!("(join () {other})")
            }
            11 => ["(set! g 1)", "(while (= g 1) (set! f 1))", "(stop)"][self.below(3)].to_owned(),
            13 => return self.both(["(havoc! b) (if b (seq", ") (seq", "))"]),
            // Whoever decides does a step. A test that never holds would count in one program, and be gone from the other one.
            14 => return self.both(["(cond (seq (set! g g)", ") (seq (set! g g)", "))"]),
            12 if self.below(2) == 0 => "(cond (await (= f 1)) (await (> s 0)))".to_owned(),
            12 => return self.both(["(if (= g 0) (seq", ") (seq", "))"]),
            // To go round is a step of its own, as in C. Otherwise a thread that may wait for itself or leave the loop for a test that
            // fails does either in one step, and fused steps decide which.
            15 => return self.both(["(loop (havoc! b) (seq", ") (seq", "))"]),
            _ => "(set! g (- 1 g))".to_owned(),
        };
        let _ = write!(self.text, " {text}");
    }

    /// Two blocks, each of which holds at its end what it held before.
    fn both(&mut self, [start, middle, end]: [&str; 3]) {
        let outside = std::mem::take(&mut self.held);
        for part in [start, middle] {
            let _ = write!(self.text, " {part}");
            self.stmt(0);
            while let Some(lock) = self.held.pop() {
                let _ = write!(self.text, " (set! {lock} 0)");
            }
        }
        self.held = outside;
        let _ = write!(self.text, " {end}");
    }
}

/// All states, and who leads from which to which.
struct Graph {
    states: Vec<State>,
    edges: Vec<Vec<(ThreadId, usize)>>,
}

/// What happens if an action is run: with either choice, if there is one.
fn run(interpreter: &Interpreter<'_, '_>, state: &State, id: cfa::ActionId) -> Vec<Result<State, Stuck>> {
    let havocs = interpreter.program().action(id).havocked().count();
    let choices = if havocs == 0 { vec![false] } else { vec![false, true] };
    choices.into_iter().map(|choice| interpreter.run(state, id, &vec![Some(Value::Bool(choice)); havocs])).collect()
}

fn graph(interpreter: &Interpreter<'_, '_>) -> Option<Graph> {
    let program = interpreter.program();
    let initial = interpreter.initial_state(&FxHashMap::default());
    let mut numbers = FxHashMap::from_iter([(initial.clone(), 0)]);
    let mut graph = Graph { states: vec![initial], edges: Vec::new() };
    while graph.edges.len() < graph.states.len() {
        if graph.states.len() > STATES {
            return None;
        }
        let state = graph.states[graph.edges.len()].clone();
        let mut edges = Vec::new();
        for id in program.enabled(&state.locations).collect::<Vec<_>>() {
            for next in run(interpreter, &state, id).into_iter().flatten() {
                let fresh = graph.states.len();
                let number = *numbers.entry(next.clone()).or_insert(fresh);
                if number == fresh {
                    graph.states.push(next);
                }
                edges.push((program.action(id).thread, number));
            }
        }
        graph.edges.push(edges);
    }
    Some(graph)
}

/// The threads that move on some way from each state.
fn movers(graph: &Graph) -> Vec<BTreeSet<ThreadId>> {
    let mut movers = vec![BTreeSet::new(); graph.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (from, edges) in graph.edges.iter().enumerate().rev() {
            for &(thread, to) in edges {
                let before = movers[from].len();
                let later = movers[to].clone();
                movers[from].extend(later);
                movers[from].insert(thread);
                changed |= movers[from].len() > before;
            }
        }
    }
    movers
}

/// How the actions of a live thread fail, if none can happen: by waiting, or by a test.
fn fails(interpreter: &Interpreter<'_, '_>, state: &State, thread: ThreadId) -> Vec<bool> {
    let program = interpreter.program();
    let actions = program.thread(thread).outgoing(state.locations.location(thread));
    let waits = |&id: &cfa::ActionId| {
        let action = program.action(id);
        match program.is_enabled(&state.locations, action) {
            true => run(interpreter, state, id).contains(&Err(Stuck::Waits)),
            false => action.joins.iter().all(|&child| state.locations.location(child) != Location::NOT_STARTED),
        }
    };
    actions.iter().map(waits).collect()
}

/// Is anybody where the program is over?
fn is_over(program: &cfa::Program<'_>, state: &State) -> bool {
    program.thread_ids().any(|thread| {
        let actions = program.thread(thread).outgoing(state.locations.location(thread));
        actions.iter().any(|&id| program.describe(program.action(id)).contains("stopped"))
    })
}

/// The owner of the lock that a thread wants, where it does nothing but take a lock.
fn owner(interpreter: &Interpreter<'_, '_>, state: &State, thread: ThreadId) -> Option<ThreadId> {
    let program = interpreter.program();
    let [id] = program.thread(thread).outgoing(state.locations.location(thread)) else { return None };
    let text = program.describe(program.action(*id));
    let name = ["m", "n", "o"].into_iter().find(|lock| text.starts_with(&format!("await (= {lock} 0) by")))?;
    let Some(Value::Int(value)) = interpreter.value(state, program.pool.find_var(name)?) else { return None };
    let number = value.to_i64()?;
    program.thread_ids().find(|&other| program.thread(other).identity == Some(number - 1))
}

fn check_states(interpreter: &Interpreter<'_, '_>, graph: &Graph) -> Result<bool, String> {
    let program = interpreter.program();
    let movers = movers(graph);
    let mut found = false;
    for (number, state) in graph.states.iter().enumerate() {
        let at = |thread| state.locations.location(thread);
        let live =
            || program.thread_ids().filter(|&id| at(id) != Location::NOT_STARTED && at(id) != program.thread(id).exit);
        let members: BTreeSet<ThreadId> = match interpreter.standstill(state) {
            Standstill::Deadlock(deadlock) => deadlock.members.iter().map(|member| member.thread).collect(),
            Standstill::None | Standstill::Undetermined => BTreeSet::new(),
        };
        found |= !members.is_empty();
        if !members.is_disjoint(&movers[number]) {
            return Err(format!("{members:?} do not wait for ever in {state:?}"));
        }
        if is_over(program, state) {
            match members.is_empty() {
                true => continue,
                false => return Err(format!("the program is over in {state:?}")),
            }
        }
        let all_wait = live().all(|thread| {
            let fails = fails(interpreter, state, thread);
            !fails.is_empty() && fails.iter().all(|&waits| waits)
        });
        if graph.edges[number].is_empty() && all_wait && live().next().is_some() && members.is_empty() {
            return Err(format!("all wait in {state:?}"));
        }
        for thread in live() {
            let ways = std::iter::successors(Some(thread), |&last| owner(interpreter, state, last));
            let circle = ways.skip(1).take(program.threads.len()).any(|other| other == thread);
            if circle && !members.contains(&thread) {
                return Err(format!("{thread:?} waits for itself in {state:?}"));
            }
        }
    }
    Ok(found)
}

/// What an engine says of a program.
fn verdict(program: &Program, fuse: bool, engine: &dyn Engine) -> Option<bool> {
    let pool = TermPool::new();
    let automata = lower(program, &pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("it can be lowered");
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(1)));
    match engine.verify(&Task::new(&automata), &control).verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn deadlocks_are_what_they_should_be() {
    let (safe, violated, by_order, by_gem) = (Cell::new(0), Cell::new(0), Cell::new(0), Cell::new(0));
    let cases = cases(1500);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases * 10,
        ..ProptestConfig::default()
    };
    let numbers = prop::collection::vec(any::<u8>(), 0..90);
    let count = |counter: &Cell<u32>| {
        counter.set(counter.get() + 1);
        counter.get()
    };
    let result = TestRunner::new(config).run(&numbers, |numbers| {
        let text = program(&numbers);
        let program = parsed(&text, Language::Braid);
        let pool = TermPool::new();
        let automata = lower(&program, &pool, stepwise()).expect("it can be lowered");
        let interpreter = Interpreter::new(&automata);
        let Some(graph) = graph(&interpreter) else { return Err(TestCaseError::reject("too many states")) };
        let found = check_states(&interpreter, &graph).map_err(|why| TestCaseError::fail(format!("{why}\n{text}")))?;
        let agrees = |name: &str, verdict: Option<bool>| {
            prop_assert!(verdict.is_none_or(|safe| safe != found), "{name}: {verdict:?}\n{text}");
            Ok(())
        };
        for fuse in [false, true] {
            let explicit = verdict(&program, fuse, &Explicit::default());
            if explicit.is_none() && text.contains("(join") {
                return Err(TestCaseError::reject("a thread is joined that was not started"));
            }
            prop_assert!(explicit == Some(!found), "explicit, fused {fuse}: {explicit:?}\n{text}");
            let order = verdict(&program, fuse, &LockOrder);
            by_order.set(by_order.get() + u32::from(order.is_some()));
            agrees("locks", order)?;
        }
        agrees("directed", verdict(&program, true, &Explicit { visits: Visits::Locks, ..Explicit::default() }))?;
        let number = count(if found { &violated } else { &safe });
        if number % 8 == 0 {
            let gem = verdict(&program, true, &Gem::default());
            by_gem.set(by_gem.get() + u32::from(gem.is_some()));
            agrees("gem", gem)?;
            agrees("cegar", verdict(&program, true, &Cegar::default()))?;
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (safe, violated) = (safe.get(), violated.get());
    println!("{safe} safe, {violated} with a deadlock; by order {}, by gem {}", by_order.get(), by_gem.get());
    assert!(safe.min(violated) * 8 > safe + violated, "{safe} safe, {violated} with a deadlock");
}
