//! `explicit`: visits the reachable states of the interpreter one by one, with every interleaving.
//!
//! No reduction, no abstraction, no solver: small and obviously right, it is the oracle that all other engines are tested
//! against. Inputs are chosen when they are first read. It says `safe` only if every state was visited, every candidate
//! set was full, and no bound of lowering was reached. Breadth first, the first counterexample it meets is a shortest one.

mod allowed;
mod arena;
mod candidates;
mod frontier;
mod path;

pub use frontier::Visits;

use crate::{Argument, Control, Engine, Outcome, Progress, Reason, Statistics, StopReason, Task, Verdict};
use arena::{Arena, Chosen, Place, StateId, Transition};
use braid_logic::Var;
use braid_program::cfa::{Accepted, ActionId, Program, ThreadId, Violation};
use braid_program::deadlock::Standstill;
use braid_program::livelock::Circling;
use braid_program::{Interpreter, State};
use candidates::{Candidates, NoCandidates, Unknown, candidates, open_array, unknown};
use frontier::{Frontier, Reached, Threatened};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use std::thread;
use std::time::Instant;

/// So many states are freed in no time.
const FREED_AT_ONCE: usize = 100_000;

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explicit {
    /// The most states to visit; at most 2³² - 1 are.
    pub states: u64,
    /// The values to try for inputs that have infinitely many.
    pub inputs: Option<RangeInclusive<i64>>,
    /// The order in which states are visited.
    pub visits: Visits,
}

impl Default for Explicit {
    fn default() -> Self {
        Explicit { states: 10_000_000, inputs: None, visits: Visits::Breadth }
    }
}

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let start = Instant::now();
        let mut search = Search::new(self, task.program, control);
        let verdict = match search.run() {
            Ok(()) => search.gaps.verdict(self, task, search.arena.len() as u64),
            Err(End::Violation(state)) => search.counterexample(state),
            Err(End::Stopped(reason)) => Verdict::Unknown(Reason::Stopped(reason)),
            Err(End::Budget) => Verdict::Unknown(Reason::States(self.states)),
        };
        let statistics = Statistics {
            states: search.arena.len() as u64,
            transitions: search.transitions,
            depth: search.depth,
            check_time: start.elapsed(),
            ..Statistics::default()
        };
        give_back(search.arena);
        Outcome { verdict, statistics }
    }
}

/// Frees the states. Of gigabytes that takes seconds, for which nobody who has interrupted the search should wait.
fn give_back(arena: Arena) {
    if arena.len() > FREED_AT_ONCE {
        // Where there can be no thread, it is freed here.
        let _ = thread::Builder::new().name("freeing".into()).spawn(move || drop(arena));
    }
}

/// Why the search ended before all states were visited.
enum End {
    Violation(StateId),
    Stopped(StopReason),
    Budget,
}

impl From<StopReason> for End {
    fn from(reason: StopReason) -> End {
        End::Stopped(reason)
    }
}

/// What was left out, the first of each kind. As long as all are empty, nothing was.
#[derive(Default)]
struct Gaps {
    no_candidates: Option<NoCandidates>,
    bound: Option<(Violation, String)>,
    /// Whether a thread waits could not be said in some state.
    undetermined_wait: bool,
    /// Whether threads only go round in circles could not be said in some state.
    undetermined_circle: bool,
    /// The given range stood for infinitely many values.
    inputs_cut: bool,
}

impl Gaps {
    /// The verdict on a program without a violation in the visited states.
    fn verdict(&self, engine: &Explicit, task: &Task<'_, '_>, states: u64) -> Verdict {
        let values = |what: &str, infinite| Verdict::Unknown(Reason::Values { what: what.into(), infinite });
        let missing = match (&self.no_candidates, &self.bound, &engine.inputs) {
            (Some(NoCandidates::Infinite(what)), ..) => return values(what, true),
            (Some(NoCandidates::TooMany(what)), ..) => return values(what, false),
            (Some(NoCandidates::Undetermined(why)), ..) => {
                format!("an action cannot be run on single values: {why}")
            }
            _ if self.undetermined_circle => "whether a loop of a thread ends depends on too many values".into(),
            _ if self.undetermined_wait => "whether a thread waits depends on a value that is open".into(),
            (None, _, Some(range)) if self.inputs_cut => {
                format!("no violation for inputs in {}..{}", range.start(), range.end())
            }
            (None, Some((bound, clause)), _) => return Verdict::Unknown(Reason::Bound(*bound, clause.clone())),
            (None, None, _) => return task.safe(Argument::Exhaustive { states }),
        };
        Verdict::Unknown(Reason::Incomplete(missing))
    }
}

struct Search<'a, 'p> {
    engine: &'a Explicit,
    program: &'a Program<'p>,
    control: &'a Control,
    interpreter: Interpreter<'a, 'p>,
    arena: Arena,
    frontier: Frontier,
    gaps: Gaps,
    /// Names for the unknown content of havocked arrays, by action and number of the havoc.
    arrays: FxHashMap<(ActionId, usize), Vec<Var>>,
    /// Where threads hold a lock and want another one, if states with many of these come first.
    threatened: Option<Threatened>,
    transitions: u64,
    depth: u64,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(engine: &'a Explicit, program: &'a Program<'p>, control: &'a Control) -> Self {
        let interpreter = Interpreter::new(program);
        Search {
            engine,
            program,
            control,
            interpreter,
            arena: Arena::default(),
            frontier: Frontier::new(engine.visits),
            gaps: Gaps::default(),
            arrays: FxHashMap::default(),
            threatened: (engine.visits == Visits::Locks).then(|| Threatened::of(program)),
            transitions: 0,
            depth: 0,
        }
    }

    fn run(&mut self) -> Result<(), End> {
        let initial = self.interpreter.open_state();
        self.found(initial, None, Reached { by: ThreadId::MAIN, preemptions: 0, depth: 0 })?;
        while let Some(id) = self.frontier.pop() {
            self.control.poll()?;
            self.control.report(|| Progress { states: self.arena.len() as u64, ..Progress::default() });
            self.expand(id)?;
        }
        Ok(())
    }

    /// Takes every action that is enabled in a state, those of the thread that got there first.
    fn expand(&mut self, id: StateId) -> Result<(), End> {
        let program = self.program;
        let mut enabled: Vec<ActionId> = program.enabled(&self.arena.state(id).locations).collect();
        let before = self.frontier.reached(id);
        self.depth = self.depth.max(u64::from(before.depth));
        if self.engine.visits == Visits::Switches {
            enabled.sort_by_key(|&action| program.action(action).thread != before.by);
        }
        let mut goes_on = false;
        for action in enabled {
            let by = program.action(action).thread;
            let preemptions = before.preemptions + u32::from(by != before.by && goes_on);
            let reached = Reached { by, preemptions, depth: before.depth + 1 };
            let transitions = self.transitions;
            match self.interpreter.run(self.arena.state(id), action, &[]) {
                Ok(next) => self.found(next, Some(Transition { from: id, action, chosen: None }), reached)?,
                Err(stuck) => {
                    if let Some(unknown) = unknown(stuck) {
                        self.branch(id, action, unknown, reached)?;
                    }
                }
            }
            goes_on |= by == before.by && self.transitions > transitions;
        }
        Ok(())
    }

    /// Takes an action with every choice of values that it needs.
    fn branch(&mut self, id: StateId, action: ActionId, stuck: Unknown, reached: Reached) -> Result<(), End> {
        let mut trials = vec![(self.arena.state(id).clone(), Chosen::default(), stuck)];
        while let Some((mut state, chosen, stuck)) = trials.pop() {
            self.control.poll()?;
            let candidates = match self.havocked_array(&mut state, action, &stuck) {
                Some(array) => Candidates { unknown: stuck, values: vec![open_array(array)], cut: false },
                None => {
                    let (place, range) = ((&state, action, &chosen), self.engine.inputs.as_ref());
                    match candidates(self.program, &self.interpreter, place, stuck, range) {
                        Ok(candidates) => candidates,
                        Err(gap) => {
                            self.gaps.no_candidates.get_or_insert(gap);
                            continue;
                        }
                    }
                }
            };
            self.gaps.inputs_cut |= candidates.cut;
            for value in candidates.values {
                let (mut state, mut chosen) = (state.clone(), chosen.clone());
                match &candidates.unknown {
                    Unknown::Choice(number) => {
                        let length = chosen.choices.len().max(number + 1);
                        chosen.choices.resize(length, None);
                        chosen.choices[*number] = Some(value);
                    }
                    Unknown::Input(open) => {
                        self.interpreter.settle(&mut state, open, value.clone());
                        chosen.settled.push((open.clone(), value));
                    }
                }
                match self.interpreter.run(&state, action, &chosen.choices) {
                    Ok(next) => {
                        let by = Transition { from: id, action, chosen: Some(Box::new(chosen)) };
                        self.found(next, Some(by), reached)?;
                    }
                    Err(stuck) => trials.extend(unknown(stuck).map(|unknown| (state, chosen, unknown))),
                }
            }
        }
        Ok(())
    }

    /// A name for the new content of an array, if that is what the action got stuck at: one that nothing holds now.
    fn havocked_array(&mut self, state: &mut State, action: ActionId, stuck: &Unknown) -> Option<Var> {
        let Unknown::Choice(number) = *stuck else { return None };
        let pool = self.program.pool;
        let var = self.program.action(action).havocked().nth(number).expect("the action has such a havoc");
        pool.array_sorts(pool.var_sort(var))?;
        let names = self.arrays.entry((action, number)).or_default();
        let free = names.iter().copied().find(|&name| !self.interpreter.holds_array(state, name));
        let name = free.unwrap_or_else(|| {
            names.push(pool.fresh_var(pool.var_name(var), pool.var_sort(var)));
            names[names.len() - 1]
        });
        self.interpreter.forget_array(state, name);
        Some(name)
    }

    /// Takes note of a state that was reached.
    fn found(&mut self, state: State, by: Option<Transition>, reached: Reached) -> Result<(), End> {
        self.transitions += u64::from(by.is_some());
        let closes = by.as_ref().is_some_and(|by| self.closes_loop(by));
        let vacancy = match self.arena.place(&state) {
            Place::Vacant(vacancy) => vacancy,
            Place::Known(id) if closes && self.circles(&state) => return Err(End::Violation(id)),
            Place::Known(_) => return Ok(()),
        };
        let accepted = self.accepted(&state, closes);
        // A violation is worth one state above the budget.
        let is_error = accepted.is_some_and(|accepted| !accepted.is_bound());
        if !is_error && self.arena.len() as u64 >= self.engine.states.min(u64::from(u32::MAX)) {
            return Err(End::Budget);
        }
        let ready = self.threatened.as_ref().map_or(0, |threatened| threatened.count(&state));
        let id = self.arena.add(state, vacancy, by);
        self.frontier.push(id, reached, ready);
        match accepted {
            Some(_) if is_error => Err(End::Violation(id)),
            Some(Accepted::Violation(thread, location, violation)) => {
                let span = self.program.thread(thread).locations[location.index()].span;
                let program = self.program;
                self.gaps.bound.get_or_insert_with(|| (violation, bound_reached(program, violation, span)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Is this a step to the head of a loop, where livelocks are looked for? A thread that spins comes to one again and again.
    fn closes_loop(&self, by: &Transition) -> bool {
        let action = self.program.action(by.action);
        let target = &self.program.thread(action.thread).locations[action.target.index()];
        self.program.livelock_is_violation && target.loop_head
    }

    /// Is the state a livelock?
    fn circles(&mut self, state: &State) -> bool {
        match self.interpreter.circling(state) {
            Circling::Livelock(_) => return true,
            Circling::Undetermined => self.gaps.undetermined_circle = true,
            Circling::None => {}
        }
        false
    }

    fn accepted(&mut self, state: &State, closes: bool) -> Option<Accepted> {
        let accepted = self.program.accepted(&state.locations);
        if accepted.is_some_and(|accepted| !accepted.is_bound()) {
            return accepted;
        }
        if closes && self.circles(state) {
            return Some(Accepted::Livelock);
        }
        if !self.program.deadlock_is_violation {
            return accepted;
        }
        match self.interpreter.standstill(state) {
            Standstill::Deadlock(_) => return Some(Accepted::Deadlock),
            Standstill::Undetermined => self.gaps.undetermined_wait = true,
            Standstill::None => {}
        }
        accepted
    }

    fn counterexample(&self, state: StateId) -> Verdict {
        let path = self.arena.path(state);
        let execution = path::execution(self.program, &self.interpreter, &path, self.arena.state(state));
        Verdict::from_execution(self.program, execution)
    }
}

fn bound_reached(program: &Program<'_>, violation: Violation, span: braid_program::source::Span) -> String {
    let line = program.sources.position(span).line;
    let excerpt = program.sources.excerpt(span, 40);
    match violation {
        Violation::InstanceBound => {
            format!("bound reached: one more instance of `{excerpt}` in line {line} needed")
        }
        Violation::RecursionBound => {
            format!("bound reached: one more nested call of `{excerpt}` in line {line} needed")
        }
        Violation::Unmodelled(number) => program.not_modelled(number, span),
        Violation::Failed(_) => unreachable!("an assertion is not a bound"),
    }
}
