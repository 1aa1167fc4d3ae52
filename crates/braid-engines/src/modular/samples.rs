//! Some computations of the concurrent program, drawn at random: what happens there is no fact about an environment, and no
//! sequential check has to find that out. One that meets the target answers everything.

use super::concurrent::{Concurrent, location};
use super::sequential::Fact;
use crate::{Control, StopReason};
use braid_logic::{Integer, Model, Sort, Term, TermPool, Value, Var};
use braid_program::Random;
use braid_program::cfa::{ActionId, Location, ThreadId};
use braid_reduction::Target;

/// So many steps a computation has at most.
const STEPS: usize = 80;

/// Computations that all start where all threads may have moved, and then only those from a level of the hierarchy on move.
pub(super) struct Samples {
    /// For each level, computations of its environment.
    of_environment: Vec<Vec<Vec<Model>>>,
    /// States behind the prefix where all threads are at cut points.
    reached: Vec<Model>,
    /// All others.
    between: Vec<Model>,
    /// The actions of a computation that meets the target.
    pub violation: Option<Vec<ActionId>>,
}

/// A state, and what led to it.
struct Walk {
    state: Model,
    trace: Vec<ActionId>,
}

impl Samples {
    pub fn new(
        concurrent: &Concurrent<'_, '_>,
        order: &[ThreadId],
        target: Target,
        walks: usize,
        control: &Control,
    ) -> Result<Samples, StopReason> {
        let mut draw = Draw { random: Random::new(1), ascending: None };
        let of_environment = vec![Vec::new(); order.len()];
        let mut samples = Samples { of_environment, reached: Vec::new(), between: Vec::new(), violation: None };
        for walk in 0..walks {
            draw.ascending = (walk % 3 == 1).then_some(0);
            let Some(mut now) = behind_prefix(concurrent, &mut draw, &mut samples.between) else { continue };
            let level = (walk / 4) % order.len();
            let turn = if walk < 2 { STEPS } else { draw.random.below(STEPS) };
            let mut alone = Vec::new();
            let mut schedule = Schedule::new(walk, order);
            for step in 0..STEPS {
                control.poll_now()?;
                let is_seen = order.iter().all(|&thread| {
                    place_of(concurrent, thread, &now.state).is_some_and(|place| concurrent.is_cut_point(thread, place))
                });
                let states = if is_seen { &mut samples.reached } else { &mut samples.between };
                states.push(now.state.clone());
                if is_seen && step >= turn {
                    alone.push(now.state.clone());
                }
                let place = place_of(concurrent, order[0], &now.state);
                if place.is_some_and(|place| concurrent.meets(order[0], place, target)) {
                    samples.violation = Some(now.trace);
                    return Ok(samples);
                }
                let from = if step < turn { 0 } else { level + 1 };
                let Some(next) = schedule.step(concurrent, &order[from..], &now.state, &mut draw) else { break };
                now.trace.push(next.0);
                now.state = next.1;
            }
            samples.of_environment[level].push(alone);
        }
        Ok(samples)
    }

    /// All states.
    pub fn all(&self) -> impl Iterator<Item = &Model> {
        self.reached.iter().chain(&self.between)
    }

    /// The least value of a sum behind `alpha` where a condition holds; none if there is none.
    pub fn least(&self, pool: &TermPool, level: usize, alpha: Term, condition: Term, sum: Term) -> Option<Integer> {
        let holds = |formula: Term, state: &Model| pool.holds_in(formula, state) == Some(true);
        let value = |state: &Model| match pool.evaluate_in(sum, state)? {
            Value::Int(value) if holds(condition, state) => Some(value),
            _ => None,
        };
        if alpha == Term::TRUE {
            return self.reached.iter().filter_map(value).min();
        }
        let behind = |states: &Vec<Model>| states.iter().position(|state| holds(alpha, state)).unwrap_or(states.len());
        self.of_environment[level].iter().flat_map(|states| &states[behind(states)..]).filter_map(value).min()
    }

    /// Does a computation of the level's environment lead from `alpha` to `beta`?
    pub fn refute(&self, pool: &TermPool, level: usize, fact: Fact) -> bool {
        let holds = |formula: Term, state: &Model| pool.holds_in(formula, state) == Some(true);
        if fact.alpha == Term::TRUE {
            return self.reached.iter().any(|state| holds(fact.beta, state));
        }
        self.of_environment[level].iter().any(|states| {
            let start = states.iter().position(|state| holds(fact.alpha, state));
            start.is_some_and(|start| states[start..].iter().any(|state| holds(fact.beta, state)))
        })
    }
}

/// A state in which the threads have just been started, from small inputs; none if the walk did not get there.
fn behind_prefix(concurrent: &Concurrent<'_, '_>, draw: &mut Draw, between: &mut Vec<Model>) -> Option<Walk> {
    let (pool, program) = (concurrent.pool, concurrent.program);
    let mut state = Model::default();
    for variable in &program.variables {
        state.vars.insert(variable.var, small(pool, pool.var_sort(variable.var), draw));
    }
    for (thread, &pc) in program.thread_ids().zip(&concurrent.pc) {
        let place = if thread == ThreadId::MAIN { program.thread(thread).entry } else { Location::NOT_STARTED };
        state.vars.insert(pc, pool.evaluate_in(location(pool, place), &state)?);
    }
    let mut trace = Vec::new();
    for _ in 0..STEPS {
        let place = place_of(concurrent, ThreadId::MAIN, &state)?;
        let edges: Vec<_> = concurrent.prefix.iter().filter(|edge| edge.source == place).collect();
        let mut next = Vec::new();
        for edge in edges {
            let mut moved = Some(state.clone());
            for &action in &edge.actions {
                moved = moved.and_then(|state| run(concurrent, action, &state, draw));
            }
            next.extend(moved.map(|moved| (moved, edge)));
        }
        if next.is_empty() {
            return None;
        }
        let (moved, edge) = next.swap_remove(draw.random.below(next.len()));
        trace.extend(&edge.actions);
        if edge.started.is_some() {
            return Some(Walk { state: moved, trace });
        }
        between.push(std::mem::replace(&mut state, moved));
    }
    None
}

pub(super) fn place_of(concurrent: &Concurrent<'_, '_>, thread: ThreadId, state: &Model) -> Option<Location> {
    match state.vars.get(&concurrent.pc[thread.index()])? {
        Value::Int(place) => place.to_i64().and_then(|place| u32::try_from(place).ok()).map(Location),
        _ => None,
    }
}

/// How inputs and steps are chosen.
struct Draw {
    random: Random,
    /// The next input, where inputs come in ascending order: what is found out about order needs more luck otherwise.
    ascending: Option<i64>,
}

fn small(pool: &TermPool, sort: Sort, draw: &mut Draw) -> Value {
    match (pool.first_value(sort), &mut draw.ascending) {
        (Value::Bool(_), _) => Value::Bool(draw.random.below(2) == 1),
        (Value::Int(_), Some(next)) => {
            *next += 1;
            Value::Int((*next).into())
        }
        (Value::Int(_), None) => Value::Int([0, 1, 2, -1, 3][draw.random.below(5)].into()),
        (other, _) => other,
    }
}

/// Who moves next.
enum Schedule {
    /// Anybody.
    Fair,
    /// The first of these threads that can, now and then reordered.
    InTurn { turn: Vec<ThreadId>, is_restless: bool },
}

impl Schedule {
    /// One of all kinds: often those at the end of the hierarchy go first, since the others wait for their results.
    fn new(number: usize, order: &[ThreadId]) -> Schedule {
        let last_first = order.iter().rev().copied().collect();
        match number % 4 {
            0 => Schedule::InTurn { turn: last_first, is_restless: false },
            1 => Schedule::InTurn { turn: order.to_vec(), is_restless: true },
            2 => Schedule::InTurn { turn: last_first, is_restless: true },
            _ => Schedule::Fair,
        }
    }

    /// Some step of one of the threads, and the state behind it.
    fn step(
        &mut self,
        concurrent: &Concurrent<'_, '_>,
        movers: &[ThreadId],
        state: &Model,
        draw: &mut Draw,
    ) -> Option<(ActionId, Model)> {
        let of_thread = |&thread: &ThreadId| {
            let place = place_of(concurrent, thread, state);
            place.map_or(&[][..], |place| concurrent.program.thread(thread).outgoing(place))
        };
        let one_of = |mut actions: Vec<ActionId>, draw: &mut Draw| {
            while !actions.is_empty() {
                let action = actions.swap_remove(draw.random.below(actions.len()));
                if let Some(next) = run(concurrent, action, state, draw) {
                    return Some((action, next));
                }
            }
            None
        };
        match self {
            Schedule::Fair => one_of(movers.iter().flat_map(of_thread).copied().collect(), draw),
            Schedule::InTurn { turn, is_restless } => {
                if *is_restless && draw.random.below(6) == 0 {
                    let (a, b) = (draw.random.below(turn.len()), draw.random.below(turn.len()));
                    turn.swap(a, b);
                }
                let mut able = turn.iter().filter(|thread| movers.contains(thread));
                able.find_map(|thread| one_of(of_thread(thread).to_vec(), draw))
            }
        }
    }
}

/// The state behind an action with small inputs, if it can happen.
fn run(concurrent: &Concurrent<'_, '_>, action: ActionId, state: &Model, draw: &mut Draw) -> Option<Model> {
    let (pool, relation) = (concurrent.pool, concurrent.relation(action));
    let holds = |state: &Model| pool.holds_in(relation.guard, state) == Some(true);
    if relation.choices.is_empty() && !holds(state) {
        return None;
    }
    let mut next = state.clone();
    for &choice in &relation.choices {
        next.vars.insert(choice, small(pool, pool.var_sort(choice), draw));
    }
    if !relation.choices.is_empty() && !holds(&next) {
        return None;
    }
    let updates = relation.updates.iter().map(|(var, term)| Some((*var, pool.evaluate_in(*term, &next)?)));
    let updates: Vec<(Var, Value)> = updates.collect::<Option<_>>()?;
    next.vars.extend(updates);
    relation.choices.iter().for_each(|choice| {
        next.vars.remove(choice);
    });
    Some(next)
}
