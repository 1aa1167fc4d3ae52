//! Guiding: an execution of one program, led along an execution of another that differs from it in tests and temporaries only.
//!
//! The threads take their turns in the same order. Inputs have the same values where they have the same names and sorts, choices where
//! they are made at the same place. Steps may be fused into actions in another way: a turn is likely to be over after the action that ends
//! with the last step of the turn, by its place in the source; if that leads nowhere, one action later or earlier.
//! Nothing is claimed about what comes out: whoever believes it replays it.

use crate::cfa::{Action, ActionId, Program, Step, StepKind, ThreadId};
use crate::interpreter::{Interpreter, State};
use crate::replay::{ExecutedStep, Execution, accepted};
use crate::source::Span;
use braid_logic::{Model, TermPool, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// States that are visited at most, for each turn and in any case.
const STATES_PER_TURN: usize = 8;
const LEAST_STATES: usize = 2_000;

/// Who moves, and where in the source the last step of the action stands that both programs have.
struct Turn {
    thread: ThreadId,
    until: Span,
}

/// A choice: who makes it, where in the source, after how many others of the same action and place, and of which sort it is.
type Choice = (ThreadId, Span, usize, String);

/// A state on the way.
struct Node {
    state: State,
    /// How many values of each choice were taken.
    taken: Rc<FxHashMap<Choice, usize>>,
    /// The steps of last actions of threads that belong to later turns: the action, and the first of these steps.
    ahead: Rc<FxHashMap<ThreadId, (ActionId, usize)>>,
    /// The state before, and the step from there.
    from: Option<(usize, ExecutedStep)>,
}

struct Guide<'a, 'p> {
    program: &'a Program<'p>,
    interpreter: Interpreter<'a, 'p>,
    turns: Vec<Turn>,
    choices: FxHashMap<Choice, Vec<Value>>,
}

/// An execution of `to` that ends in a violation, along an execution of `from` that does; none if none was found in short time.
pub fn guide(from: &Program<'_>, execution: &Execution, to: &Program<'_>) -> Option<Execution> {
    let threads: Vec<ThreadId> = from
        .threads
        .iter()
        .map(|thread| to.thread_ids().find(|&id| to.thread(id).name == thread.name))
        .collect::<Option<_>>()?;
    let place = |action: &Action, step: &Step| (action.thread, step.span);
    let places: FxHashSet<(ThreadId, Span)> =
        to.actions.iter().flat_map(|action| action.steps.iter().map(move |step| place(action, step))).collect();
    let (mut turns, mut choices) = (Vec::new(), FxHashMap::<Choice, Vec<Value>>::default());
    for step in &execution.steps {
        let action = from.action(step.action);
        let thread = threads[action.thread.index()];
        let mut last = action.steps.iter().rev().map(|step| step.span);
        let until = last.clone().find(|span| places.contains(&(thread, *span))).or(last.next());
        turns.push(Turn { thread, until: until.unwrap_or(action.span) });
        for (choice, value) in chosen(from.pool, action, thread).into_iter().zip(&step.choices) {
            choices.entry(choice).or_default().push(value.clone());
        }
    }
    let mut initial = Model::default();
    for (&var, value) in &execution.initial.vars {
        let same = to.pool.find_var(from.pool.var_name(var));
        let same = same.filter(|&same| sort_of(to.pool, same) == sort_of(from.pool, var));
        initial.vars.extend(same.map(|same| (same, value.clone())));
    }
    for (&fun, table) in &execution.initial.funs {
        initial.funs.extend(to.pool.find_fun(from.pool.fun_name(fun)).map(|fun| (fun, table.clone())));
    }
    initial.vars.retain(|&var, _| to.variables.iter().any(|variable| variable.var == var));
    let interpreter = Interpreter::with_functions(to, initial.funs.clone());
    let start = interpreter.initial_state(&initial.vars);
    let steps = Guide { program: to, interpreter, turns, choices }.search(start)?;
    Some(Execution { initial, steps })
}

/// A sort, as both programs call it.
fn sort_of(pool: &TermPool, var: Var) -> String {
    pool.display_sort(pool.var_sort(var)).to_string()
}

/// The choices of an action of a thread, in order.
fn chosen(pool: &TermPool, action: &Action, thread: ThreadId) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    for step in &action.steps {
        let StepKind::Havoc(vars) = &step.kind else { continue };
        for &var in vars {
            let before = choices.iter().filter(|(_, span, ..)| *span == step.span).count();
            choices.push((thread, step.span, before, sort_of(pool, var)));
        }
    }
    choices
}

impl Guide<'_, '_> {
    /// Depth first, the most likely way first.
    fn search(&self, start: State) -> Option<Vec<ExecutedStep>> {
        let mut nodes = vec![Node { state: start, taken: Rc::default(), ahead: Rc::default(), from: None }];
        // Nodes, with how many turns are over there; those with fewest unlikely decisions on the way come first.
        let mut todo = vec![vec![(0, 0)]];
        let mut unlikely = 0;
        let mut seen = FxHashSet::default();
        let budget = LEAST_STATES + STATES_PER_TURN * self.turns.len();
        while unlikely < todo.len() {
            let Some((number, turns)) = todo[unlikely].pop() else {
                unlikely += 1;
                continue;
            };
            if is_violation(&self.interpreter, &nodes[number].state) {
                return Some(self.steps(&nodes, number));
            }
            if nodes.len() > budget {
                return None;
            }
            if !seen.insert(fingerprint(&nodes[number].state, turns)) {
                continue;
            }
            if todo.len() == unlikely + 1 {
                todo.push(Vec::new());
            }
            // After the last turn its thread may go on, and then the others: in a deadlock all come to where they wait.
            let is_over = turns == self.turns.len();
            let Some(turn) = self.turns.get(turns).or(self.turns.last()) else { continue };
            if !is_over {
                if let Some(&(action, first)) = nodes[number].ahead.get(&turn.thread)
                    && let Some(end) = self.end_of(turn, action, first)
                {
                    Rc::make_mut(&mut nodes[number].ahead).insert(turn.thread, (action, end));
                    todo[unlikely].push((number, turns + 1));
                    continue;
                }
                // What the turn did may have been done all the same.
                todo[unlikely + 1].push((number, turns + 1));
            }
            let others = self.program.thread_ids().filter(|&id| is_over && id != turn.thread);
            // What is pushed last is tried first.
            let movers: Vec<ThreadId> = others.chain([turn.thread]).collect();
            let outgoing = |&thread: &ThreadId| {
                self.program.thread(thread).outgoing(nodes[number].state.locations.location(thread)).to_vec()
            };
            for action in movers.iter().flat_map(outgoing).collect::<Vec<ActionId>>() {
                let Some(mut next) = self.run(&nodes, number, action) else { continue };
                let (reached, thread) = (nodes.len(), self.program.action(action).thread);
                let end = self.end_of(turn, action, 0);
                let steps = self.program.action(action).steps.len();
                Rc::make_mut(&mut next.ahead).insert(thread, (action, end.unwrap_or(steps)));
                let ends = end.is_some();
                nodes.push(next);
                if is_over {
                    todo[unlikely].push((reached, turns));
                } else {
                    todo[unlikely].push((reached, if ends { turns + 1 } else { turns }));
                    todo[unlikely + 1].push((reached, if ends { turns } else { turns + 1 }));
                }
            }
        }
        None
    }

    /// The first step that does not belong to the turn any more, of an action from a step on; none if the turn goes on.
    fn end_of(&self, turn: &Turn, action: ActionId, first: usize) -> Option<usize> {
        let steps = &self.program.action(action).steps[first..];
        if let Some(found) = steps.iter().position(|step| step.span == turn.until) {
            let same = steps[found..].iter().take_while(|step| step.span == turn.until).count();
            return Some(first + found + same);
        }
        let is_part = |span: Span| turn.until.to(span) == turn.until;
        steps.last().filter(|step| is_part(step.span)).map(|_| first + steps.len())
    }

    fn run(&self, nodes: &[Node], number: usize, id: ActionId) -> Option<Node> {
        let Node { state, taken, ahead, .. } = &nodes[number];
        let action = self.program.action(id);
        if !self.program.is_enabled(&state.locations, action) {
            return None;
        }
        let (mut taken, mut choices) = (taken.clone(), Vec::new());
        for (choice, var) in chosen(self.program.pool, action, action.thread).into_iter().zip(action.havocked()) {
            let next = taken.get(&choice).copied().unwrap_or(0);
            let known = self.choices.get(&choice).and_then(|values| values.get(next)).cloned();
            let pool = self.program.pool;
            choices.push(known.unwrap_or_else(|| pool.first_value(pool.var_sort(var))));
            Rc::make_mut(&mut taken).insert(choice, next + 1);
        }
        let given: Vec<Option<Value>> = choices.iter().cloned().map(Some).collect();
        let state = self.interpreter.run(state, id, &given).ok()?;
        Some(Node { state, taken, ahead: ahead.clone(), from: Some((number, ExecutedStep { action: id, choices })) })
    }

    fn steps(&self, nodes: &[Node], mut number: usize) -> Vec<ExecutedStep> {
        let mut steps = Vec::new();
        while let Some((before, step)) = &nodes[number].from {
            steps.push(step.clone());
            number = *before;
        }
        steps.reverse();
        steps
    }
}

fn fingerprint(state: &State, turns: usize) -> u64 {
    let mut hasher = FxHasher::default();
    (state, turns).hash(&mut hasher);
    hasher.finish()
}

fn is_violation(interpreter: &Interpreter<'_, '_>, state: &State) -> bool {
    accepted(interpreter, state).is_some_and(|accepted| !accepted.is_bound())
}
