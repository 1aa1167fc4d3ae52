//! The schedulers as they are defined (paper 3, Section 3), on concrete values: every execution of a program with finite data, state by
//! state, with a delay wherever the definition allows one. What everything else here is tested against: small and obviously right.

use braid_engines::delay::{Scheduler, TaskTree};
use braid_logic::{Open, Sort, Value, Var};
use braid_program::cfa::{ActionId, Program, StepKind, ThreadId, Violation};
use braid_program::{Interpreter, State, Stuck};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What a scheduler reaches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// R(P, Ψ): the values of the observed variables at the end of all executions in which all tasks end.
    pub valuations: BTreeSet<Vec<Option<Value>>>,
    /// Does an assertion fail on the way, whether or not all tasks can end then?
    pub fails: bool,
}

/// All executions with at most `delays` delays. None if an input is read that is not a truth value. Steps of the program must not be fused.
pub fn reached(program: &Program<'_>, scheduler: Scheduler, delays: u32, observed: &[Var]) -> Option<Reached> {
    let interpreter = Interpreter::new(program);
    let first = (interpreter.open_state(), TaskTree::new(scheduler, program.threads.len()), 0);
    let mut seen: FxHashSet<(State, TaskTree, u32)> = FxHashSet::default();
    let mut todo = vec![first];
    let mut reached = Reached::default();
    while let Some((state, tree, spent)) = todo.pop() {
        if !seen.insert((state.clone(), tree.clone(), spent)) {
            continue;
        }
        let Some(task) = tree.selected() else {
            if tree.is_final() {
                let values = observed.iter().map(|&var| interpreter.value(&state, var).cloned());
                reached.valuations.insert(values.collect());
            }
            continue;
        };
        if spent < delays {
            let mut delayed = tree.clone();
            delayed.delay(task);
            todo.push((state.clone(), delayed, spent + 1));
        }
        let thread = tree.thread(task);
        for &id in program.thread(thread).outgoing(state.locations.location(thread)) {
            let action = program.action(id);
            if scheduler == Scheduler::Dfw && !action.joins.is_empty() && tree.passed(task).is_none() {
                if waits_here(&interpreter, program, &state, id) {
                    let mut waiting = tree.clone();
                    waiting.wait(task, action.joins.clone());
                    todo.push((state.clone(), waiting, spent));
                }
                continue;
            }
            if !program.is_enabled(&state.locations, action) {
                continue;
            }
            let target = &program.thread(thread).locations[action.target.index()];
            for next in successors(&interpreter, program, &state, id)? {
                if target.violation.is_some_and(Violation::is_error) {
                    reached.fails = true;
                    continue;
                }
                let mut tree = tree.clone();
                if !action.joins.is_empty() {
                    tree.go_on(task, &action.joins);
                }
                let is_over = |thread: ThreadId| next.locations.location(thread) == program.thread(thread).exit;
                for &child in &action.forks {
                    let started = tree.start(task, child);
                    if is_over(child) {
                        tree.complete(started);
                    }
                }
                if is_over(thread) {
                    tree.complete(task);
                }
                todo.push((next, tree, spent));
            }
        }
    }
    Some(reached)
}

/// Does the action wait for the task that control has come to wait for? Its first test says so.
fn waits_here(interpreter: &Interpreter<'_, '_>, program: &Program<'_>, state: &State, action: ActionId) -> bool {
    match program.action(action).steps.first().map(|step| &step.kind) {
        Some(StepKind::Assume(test) | StepKind::Await(test, _)) => {
            program.pool.evaluate(*test, &interpreter.view(state)).is_ok_and(|value| value == Value::Bool(true))
        }
        _ => true,
    }
}

/// The states behind an action, for all values of the inputs that it reads and of its choices.
fn successors(
    interpreter: &Interpreter<'_, '_>,
    program: &Program<'_>,
    state: &State,
    action: ActionId,
) -> Option<Vec<State>> {
    let mut successors = Vec::new();
    let mut todo: Vec<(State, Vec<Option<Value>>)> = vec![(state.clone(), Vec::new())];
    while let Some((state, choices)) = todo.pop() {
        match interpreter.run(&state, action, &choices) {
            Ok(next) => successors.push(next),
            Err(Stuck::Blocked | Stuck::Waits) => {}
            Err(Stuck::Input(open)) => {
                let Open::Var(var) = open else { return None };
                if program.pool.var_sort(var) != Sort::BOOL {
                    return None;
                }
                for value in [false, true] {
                    let mut settled = state.clone();
                    interpreter.settle(&mut settled, &open, Value::Bool(value));
                    todo.push((settled, choices.clone()));
                }
            }
            Err(Stuck::Choice(number)) => {
                for value in [false, true] {
                    let mut choices = choices.clone();
                    choices.resize(choices.len().max(number + 1), None);
                    choices[number] = Some(Value::Bool(value));
                    todo.push((state.clone(), choices));
                }
            }
        }
    }
    Some(successors)
}
