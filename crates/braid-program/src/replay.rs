//! Replay: a schedule with inputs, run by the interpreter. Only what replays to a violation is ever called a bug.

use crate::cfa::{Accepted, ActionId, Program};
use crate::deadlock::Standstill;
use crate::interpreter::{Interpreter, State, Stuck};
use crate::livelock::Circling;
use braid_logic::{Model, Open, Value};

/// One interleaving with everything that it does not determine by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The initial values of variables, and the functions.
    pub initial: Model,
    /// The actions in order, with the values of their havocs.
    pub steps: Vec<ExecutedStep>,
}

/// One action of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutedStep {
    /// The action.
    pub action: ActionId,
    /// The values that its havocs give, in order.
    pub choices: Vec<Value>,
}

/// An execution that was run.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The states, one more than there are steps.
    pub states: Vec<State>,
    /// What the last state violates.
    pub violation: Accepted,
}

/// Why an execution does not replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayError {
    /// The step that cannot be made (the number of steps: the end is not a violation).
    pub step: usize,
    /// Why, as a clause.
    pub reason: String,
    /// Nothing is wrong with the execution: the step depends on something that cannot be computed, such as a quantifier.
    pub undetermined: bool,
}

/// What a state violates: errors of the program first, then deadlocks and livelocks where they are violations, then bounds of the analysis.
pub fn accepted(interpreter: &Interpreter<'_, '_>, state: &State) -> Option<Accepted> {
    let program = interpreter.program();
    let accepted = program.accepted(&state.locations);
    if accepted.is_some_and(|accepted| !accepted.is_bound()) {
        return accepted;
    }
    let stuck = || program.deadlock_is_violation && matches!(interpreter.standstill(state), Standstill::Deadlock(_));
    let circles = || program.livelock_is_violation && matches!(interpreter.circling(state), Circling::Livelock(_));
    match () {
        () if stuck() => Some(Accepted::Deadlock),
        () if circles() => Some(Accepted::Livelock),
        () => accepted,
    }
}

/// Runs an execution, and says what it violates.
pub fn replay(program: &Program<'_>, execution: &Execution) -> Result<Replayed, ReplayError> {
    let interpreter = Interpreter::with_functions(program, execution.initial.funs.clone());
    let mut states = vec![interpreter.initial_state(&execution.initial.vars)];
    for (number, step) in execution.steps.iter().enumerate() {
        let fail = |reason: String| ReplayError { step: number, reason, undetermined: false };
        let state = &states[number];
        let Some(action) = program.actions.get(step.action.index()) else {
            return Err(fail("there is no such action".into()));
        };
        if !program.is_enabled(&state.locations, action) {
            let thread = &program.thread(action.thread).name;
            return Err(fail(format!("thread {thread} cannot take this action where the threads are")));
        }
        if action.havocked().count() != step.choices.len() {
            return Err(fail("the number of chosen values does not fit".into()));
        }
        let choices: Vec<Option<Value>> = step.choices.iter().cloned().map(Some).collect();
        match interpreter.run(state, step.action, &choices) {
            Ok(next) => states.push(next),
            Err(Stuck::Blocked | Stuck::Waits) => return Err(fail("its assumption does not hold".into())),
            Err(Stuck::Input(Open::Undetermined(what))) => {
                return Err(ReplayError { undetermined: true, ..fail(format!("it depends on {what}")) });
            }
            Err(Stuck::Input(open)) => return Err(fail(format!("its value cannot be determined: {open:?}"))),
            Err(Stuck::Choice(_)) => unreachable!("all choices are given"),
        }
    }
    let last = &states[states.len() - 1];
    let at_the_end =
        |reason: &str| ReplayError { step: execution.steps.len(), reason: reason.into(), undetermined: false };
    match accepted(&interpreter, last) {
        Some(Accepted::Violation(_, _, violation)) if !violation.is_error() => {
            Err(at_the_end("it ends at a bound of the analysis"))
        }
        Some(violation) => Ok(Replayed { states, violation }),
        None => Err(at_the_end("it ends without a violation")),
    }
}
