//! Random runs of a program on single values: which of them end, pass an assertion, or stop for good.

use braid_logic::{Integer, SortKind, TermPool, Value, Var};
use braid_program::cfa::{Action, ActionId, Location, Program, ThreadId};
use braid_program::{Interpreter, Random, State};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Runs to make, if none of them shows all that is looked for.
const RUNS: u64 = 20;
/// Steps of one run.
const STEPS: usize = 4000;
/// Values to try for what an action chooses, before it counts as blocked.
const CHOICES: u32 = 6;

/// What runs have shown.
#[derive(Default)]
pub struct Runs {
    /// Did the first thread come to its end?
    pub ended: bool,
    /// Was an assertion passed?
    pub asserted: bool,
    /// Where the first thread stood when no thread could move any more, run by run.
    pub stops: Vec<Location>,
    /// Was a run cut off while threads were moving?
    pub cut: bool,
}

/// Runs a program for a while.
pub fn runs(program: &Program<'_>, time: Duration) -> Runs {
    let deadline = Instant::now() + time;
    let interpreter = Interpreter::new(program);
    let mut shown = Runs::default();
    for seed in 0..RUNS {
        if (shown.ended && shown.asserted) || Instant::now() >= deadline {
            break;
        }
        run(program, &interpreter, Random::new(seed), deadline, &mut shown);
    }
    shown
}

fn run(
    program: &Program<'_>,
    interpreter: &Interpreter<'_, '_>,
    mut random: Random,
    deadline: Instant,
    shown: &mut Runs,
) {
    let exit = program.thread(ThreadId::MAIN).exit;
    let mut state = interpreter.initial_state(&FxHashMap::default());
    for step in 0..STEPS {
        if state.locations.location(ThreadId::MAIN) == exit {
            shown.ended = true;
            return;
        }
        if step % 64 == 63 && Instant::now() >= deadline {
            break;
        }
        let fails = |id: &ActionId| is_failure(program, program.action(*id));
        let mut enabled: Vec<ActionId> = program.enabled(&state.locations).filter(|id| !fails(id)).collect();
        let mut next = None;
        while !enabled.is_empty() && next.is_none() {
            let id = enabled.swap_remove(random.below(enabled.len()));
            next = attempt(program, interpreter, &state, id, &mut random).map(|after| (id, after));
        }
        let Some((id, after)) = next else {
            shown.stops.push(state.locations.location(ThreadId::MAIN));
            return;
        };
        shown.asserted = shown.asserted || passes_assertion(program, program.action(id));
        state = after;
    }
    shown.cut = true;
}

fn attempt(
    program: &Program<'_>,
    interpreter: &Interpreter<'_, '_>,
    state: &State,
    id: ActionId,
    random: &mut Random,
) -> Option<State> {
    let chosen: Vec<Var> = program.action(id).havocked().collect();
    let attempts = if chosen.is_empty() { 1 } else { CHOICES };
    (0..attempts).find_map(|attempt| {
        let choices: Vec<Option<Value>> =
            chosen.iter().map(|&var| Some(value(program.pool, var, attempt, random))).collect();
        interpreter.run(state, id, &choices).ok()
    })
}

/// A value: the first one, then small and other numbers.
fn value(pool: &TermPool, var: Var, attempt: u32, random: &mut Random) -> Value {
    let sort = pool.var_sort(var);
    let number = match attempt {
        0 => 0,
        1 => 1,
        2 => random.below(4),
        _ => random.below(200),
    };
    match pool.sort_kind(sort) {
        SortKind::Bool => Value::Bool(number % 2 == 1),
        SortKind::Int => Value::Int(Integer::from(number as i64)),
        SortKind::BitVec(width) => Value::BitVec((number & ((1 << (*width).min(8)) - 1)).into(), *width),
        _ => pool.first_value(sort),
    }
}

fn is_failure(program: &Program<'_>, action: &Action) -> bool {
    program.thread(action.thread).locations[action.target.index()].violation.is_some()
}

/// Does an action begin like one that fails an assertion, but for the assertion itself?
fn passes_assertion(program: &Program<'_>, action: &Action) -> bool {
    let others = program.thread(action.thread).outgoing(action.source).iter().map(|&id| program.action(id));
    others.filter(|other| is_failure(program, other)).any(|other| {
        let before = other.steps.len().saturating_sub(1);
        action.steps.len() >= before && action.steps[..before] == other.steps[..before]
    })
}
