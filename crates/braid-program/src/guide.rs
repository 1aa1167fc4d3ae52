//! Guiding: an execution of one program, led along an execution of another that differs from it in tests and temporaries only.
//!
//! The threads take their turns in the same order. Inputs have the same values where they have the same names; so have choices, where they are
//! also made at the same place. Steps may be fused into actions in another way: a turn is over after the action that holds
//! the last step of the turn, by its place in the source; if that leads nowhere, one action later or earlier.
//! Nothing is claimed about what comes out: whoever believes it replays it.

use crate::cfa::{Accepted, Action, ActionId, Program, ThreadId};
use crate::interpreter::{Interpreter, State};
use crate::replay::{ExecutedStep, Execution};
use crate::source::Span;
use braid_logic::Value;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// States that are visited at most, for each turn and in any case.
const STATES_PER_TURN: usize = 8;
const LEAST_STATES: usize = 2_000;

/// Who moves, and where in the source the last step of the action stands.
struct Turn {
    thread: ThreadId,
    until: Span,
}

/// A variable, as the thread that chooses its value and the place call it.
type Choice = (ThreadId, String, Span);

/// A state on the way.
struct Node {
    state: State,
    /// How many values of each choice were taken.
    taken: Rc<FxHashMap<Choice, usize>>,
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
    let (mut turns, mut choices) = (Vec::new(), FxHashMap::<Choice, Vec<Value>>::default());
    for step in &execution.steps {
        let action = from.action(step.action);
        let thread = threads[action.thread.index()];
        turns.push(Turn { thread, until: action.steps.last().map_or(action.span, |step| step.span) });
        for (choice, value) in chosen(from, action, thread).zip(&step.choices) {
            choices.entry(choice).or_default().push(value.clone());
        }
    }
    let mut initial = braid_logic::Model::default();
    for (&var, value) in &execution.initial.vars {
        initial.vars.extend(to.pool.find_var(from.pool.var_name(var)).map(|var| (var, value.clone())));
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

/// The choices of an action of a thread, in order.
fn chosen<'a>(program: &'a Program<'_>, action: &'a Action, thread: ThreadId) -> impl Iterator<Item = Choice> + 'a {
    let place = |step: &'a crate::cfa::Step| match &step.kind {
        crate::cfa::StepKind::Havoc(vars) => vars.iter().map(|&var| (var, step.span)).collect(),
        _ => Vec::new(),
    };
    let name = move |(var, span)| (thread, program.pool.var_name(var).to_owned(), span);
    action.steps.iter().flat_map(place).map(name)
}

impl Guide<'_, '_> {
    /// Depth first: the most likely way first.
    fn search(&self, start: State) -> Option<Vec<ExecutedStep>> {
        let mut nodes = vec![Node { state: start, taken: Rc::default(), from: None }];
        // Nodes, with how many turns are over there.
        let mut todo = vec![(0, 0)];
        let mut seen = FxHashSet::default();
        let budget = LEAST_STATES + STATES_PER_TURN * self.turns.len();
        while let Some((number, turns)) = todo.pop() {
            if is_violation(self.program, &nodes[number].state) {
                return Some(self.steps(&nodes, number));
            }
            if nodes.len() > budget {
                return None;
            }
            if !seen.insert(fingerprint(&nodes[number].state, turns)) {
                continue;
            }
            if turns < self.turns.len() {
                // The last resort: what the turn did has been done.
                todo.push((number, turns + 1));
            }
            // After the last turn, its thread may go on.
            let is_over = turns == self.turns.len();
            let Some(turn) = self.turns.get(turns).or(self.turns.last()) else { continue };
            let mut likely = Vec::new();
            for &action in
                self.program.thread(turn.thread).outgoing(nodes[number].state.locations.location(turn.thread))
            {
                let Some(next) = self.run(&nodes, number, action) else { continue };
                let reached = nodes.len();
                let ends = self.program.action(action).steps.iter().any(|step| step.span == turn.until);
                nodes.push(next);
                if is_over {
                    likely.push((reached, turns));
                    continue;
                }
                todo.push((reached, if ends { turns } else { turns + 1 }));
                likely.push((reached, if ends { turns + 1 } else { turns }));
            }
            todo.extend(likely.into_iter().rev());
        }
        None
    }

    fn run(&self, nodes: &[Node], number: usize, id: ActionId) -> Option<Node> {
        let Node { state, taken, .. } = &nodes[number];
        let action = self.program.action(id);
        if !self.program.is_enabled(&state.locations, action) {
            return None;
        }
        let (mut taken, mut choices) = (taken.clone(), Vec::new());
        for (choice, var) in chosen(self.program, action, action.thread).zip(action.havocked()) {
            let next = taken.get(&choice).copied().unwrap_or(0);
            let known = self.choices.get(&choice).and_then(|values| values.get(next)).cloned();
            let pool = self.program.pool;
            choices.push(known.unwrap_or_else(|| pool.first_value(pool.var_sort(var))));
            Rc::make_mut(&mut taken).insert(choice, next + 1);
        }
        let given: Vec<Option<Value>> = choices.iter().cloned().map(Some).collect();
        let state = self.interpreter.run(state, id, &given).ok()?;
        Some(Node { state, taken, from: Some((number, ExecutedStep { action: id, choices })) })
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

fn is_violation(program: &Program<'_>, state: &State) -> bool {
    match program.accepted(&state.locations) {
        Some(Accepted::Violation(_, _, violation)) => violation.is_error(),
        Some(Accepted::Completion) => true,
        None => false,
    }
}
