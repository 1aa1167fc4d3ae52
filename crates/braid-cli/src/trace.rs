//! A counterexample as people read it: for each step who did what where, and what it changed.

use crate::machine::plain;
use crate::value_text::to_text;
use crate::{livelock, story};
use braid_engines::Counterexample;
use braid_logic::{ArrayBase, ArrayValue, Sort, Term, TermPool, Value, Var};
use braid_program::Interpreter;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Action, ActionId, Origin, Program, Step, StepKind, ThreadId, Violation};
use braid_program::source::Span;
use std::collections::HashMap;

/// Source text in a step is cut to this many characters.
const LONGEST: usize = 200;

/// A counterexample in words.
pub struct Trace {
    /// The initial values of the variables that are read before they are written.
    pub initial: Vec<(String, String)>,
    pub steps: Vec<TraceStep>,
    /// The steps that are repeated for ever, thread by thread, if it ends so.
    pub circle: Vec<TraceStep>,
    /// What the end violates, as a sentence.
    pub violation: String,
}

/// One step in words.
pub struct TraceStep {
    pub thread: ThreadId,
    pub action: ActionId,
    pub span: Span,
    pub text: String,
    /// Each havocked variable with its new value.
    pub choices: Vec<(String, String)>,
    /// Each variable that was assigned or has another value than before, with its value afterwards; of arrays, the cells that have.
    pub changed: Vec<(String, String)>,
}

/// Puts a counterexample into words.
pub fn trace(program: &Program<'_>, counterexample: &Counterexample) -> Trace {
    let (execution, replayed) = (counterexample.execution(), counterexample.replayed());
    let interpreter = Interpreter::new(program);
    let pool = program.pool;
    let named = |var: Var, value: &Value| (plain(pool.var_name(var)), to_text(pool, pool.var_sort(var), value));
    let value = |state: usize, var: Var| interpreter.value(&replayed.states[state], var);
    let variables = || program.variables.iter().map(|variable| variable.var);
    let named_place = |var: Var| (plain(pool.var_name(var)), pool.var_sort(var));
    let wording = Wording::new(program);
    let mut steps = Vec::new();
    for (number, step) in execution.steps.iter().enumerate() {
        let action = program.action(step.action);
        let assigned: Vec<Var> = action.steps.iter().flat_map(assigned).collect();
        let changed = |&var: &Var| assigned.contains(&var) || value(number, var) != value(number + 1, var);
        steps.push(TraceStep {
            thread: action.thread,
            action: step.action,
            span: action.steps.first().map_or(action.span, |step| step.span),
            text: plain(&wording.action(action)),
            choices: action.havocked().zip(&step.choices).map(|(var, value)| named(var, value)).collect(),
            changed: variables()
                .filter(changed)
                .filter_map(|var| Some((var, value(number, var), value(number + 1, var)?)))
                .flat_map(|(var, before, after)| changes(pool, named_place(var), before, after))
                .collect(),
        });
    }
    let initial = variables().filter(|&var| matters(program, counterexample, var));
    let initial = initial.filter_map(|var| Some(named(var, value(0, var)?))).collect();
    let violation = story::sentence(program, counterexample);
    Trace { initial, steps, circle: livelock::circle(program, counterexample), violation }
}

/// What changed at a named place of a sort: the place as a whole, or single cells of an array.
fn changes(
    pool: &TermPool,
    (name, sort): (String, Sort),
    before: Option<&Value>,
    after: &Value,
) -> Vec<(String, String)> {
    let (Some(Value::Array(old)), Value::Array(new)) = (before, after) else {
        return vec![(name, to_text(pool, sort, after))];
    };
    let (ArrayBase::Constant(base), true) = (&new.base, old.base == new.base) else {
        return vec![(name, to_text(pool, sort, after))];
    };
    let (index, element) = pool.array_sorts(sort).expect("an array value has an array sort");
    let cell = |at: &Value| (format!("{name}[{}]", to_text(pool, index, at)), element);
    let element_of = |array: &ArrayValue, at: &Value| array.cells.get(at).unwrap_or(base).clone();
    let differences = new.cells.differences(&old.cells);
    let changed = differences.into_iter().map(|at| (cell(at), element_of(old, at), element_of(new, at)));
    changed.flat_map(|(cell, old, new)| changes(pool, cell, Some(&old), &new)).collect()
}

/// The variables that a step assigns. Havocs do not count: many of them only say that nothing is known.
fn assigned(step: &Step) -> impl Iterator<Item = Var> {
    let assignments: &[(Var, Term)] = match &step.kind {
        StepKind::Assign(assignments) => assignments,
        _ => &[],
    };
    assignments.iter().map(|(var, _)| *var)
}

/// Is the initial value of a variable read by the execution?
fn matters(program: &Program<'_>, counterexample: &Counterexample, var: Var) -> bool {
    for step in &counterexample.execution().steps {
        let relation = program.action(step.action).relation(program.pool);
        if relation.reads.binary_search(&var).is_ok() {
            return true;
        }
        if relation.writes.binary_search(&var).is_ok() {
            return false;
        }
    }
    false
}

/// What the end of an execution violates, as a sentence; why, if more is known than what kind of thing it is.
pub fn violation(program: &Program<'_>, accepted: Accepted, why: Option<&str>) -> String {
    match accepted {
        Accepted::Deadlock => "Some threads wait for ever.".into(),
        Accepted::Livelock => "Nobody can ever progress.".into(),
        Accepted::Completion => "The program runs to its end, which it claims to be impossible.".into(),
        Accepted::Violation(thread, location, violation) => {
            let thread = program.thread(thread);
            let span = thread.locations[location.index()].span;
            let text = program.sources.excerpt(span, 80);
            if let Violation::Failed(check) = violation
                && let Some((what, usual)) = wrong(check)
            {
                let why = why.map_or(usual.to_owned(), |why| format!(": {why}"));
                return format!("{what}: thread {} does `{text}` at {}{why}.", thread.name, place(program, span));
            }
            let what = match violation {
                Violation::Failed(_) => "violates",
                Violation::Unmodelled(_) => "comes to something that is not modelled at",
                Violation::InstanceBound | Violation::RecursionBound => "reaches a bound of the analysis at",
            };
            format!("Thread {} {what} `{text}` at {}.", thread.name, place(program, span))
        }
    }
}

/// Why a step is wrong, as a clause of its own; none where the program says so itself.
pub fn why(violation: Violation) -> Option<&'static str> {
    let Violation::Failed(check) = violation else { return None };
    let (_, why) = wrong(check)?;
    let why = [", and ", ", which is ", ", which ", ", where ", ", "]
        .iter()
        .find_map(|start| why.strip_prefix(start))
        .unwrap_or(why);
    Some(why).filter(|why| !why.is_empty())
}

/// What is wrong with a step, and why; none where the program says so itself.
fn wrong(check: Check) -> Option<(&'static str, &'static str)> {
    Some(match check {
        Check::Assertion => return None,
        Check::Deref => ("Invalid access", ", where there is no object (null, freed, out of scope, or out of bounds)"),
        Check::Free => ("Invalid free", ", which is no block, or one that was freed before"),
        Check::Deadlock => ("Deadlock", ""),
        Check::Progress => ("Livelock", ""),
        Check::Race => ("Data race", ""),
        Check::Overflow => ("Overflow", ", and the result does not fit into its type"),
        Check::Undefined => ("Undefined behaviour", ", which has no meaning for these values"),
        Check::Uninitialised => ("Uninitialised read", ", before there is a value"),
        Check::Memtrack => ("Leak", ", and at the end nothing points to the block any more"),
        Check::Memcleanup => ("Leak", ", and the block is not freed at the end"),
    })
}

/// A place as `file:line:column`.
pub fn place(program: &Program<'_>, span: Span) -> String {
    let position = program.sources.position(span);
    format!("{}:{}:{}", program.sources.file(span.file).name, position.line, position.column)
}

/// How actions are told.
pub struct Wording<'a, 'p> {
    program: &'a Program<'p>,
    /// The assumptions that stand at each place.
    assumptions: HashMap<Span, Vec<Term>>,
    /// The places of assertions.
    assertions: Vec<Span>,
}

impl<'a, 'p> Wording<'a, 'p> {
    pub fn new(program: &'a Program<'p>) -> Self {
        let mut assumptions: HashMap<Span, Vec<Term>> = HashMap::new();
        for step in program.actions.iter().flat_map(|action| &action.steps) {
            if let StepKind::Assume(formula) = step.kind {
                assumptions.entry(step.span).or_default().push(formula);
            }
        }
        let locations = program.threads.iter().flat_map(|thread| &thread.locations);
        let assertions = locations.filter(|location| location.violation.is_some()).map(|location| location.span);
        Wording { program, assumptions, assertions: assertions.collect() }
    }

    /// What an action does, in the source's words; tests of conditionals and loops as what they found to hold.
    pub fn action(&self, action: &Action) -> String {
        let (pool, sources) = (self.program.pool, &self.program.sources);
        let mut parts: Vec<String> = Vec::new();
        let mut told: Option<Span> = None;
        if let Some(joined) = self.branches(&action.joins) {
            parts.push(format!("join {joined}"));
        }
        for step in &action.steps {
            let part = match step.kind {
                StepKind::Assume(formula) if self.is_branch(pool, step.span, formula) => {
                    format!("[{}]", pool.infix(formula))
                }
                _ if told == Some(step.span) => continue,
                _ => {
                    told = Some(step.span);
                    sources.excerpt(step.span, LONGEST)
                }
            };
            parts.push(part);
        }
        if let Some(forked) = self.branches(&action.forks) {
            parts.push(format!("start {forked}"));
        }
        if parts.is_empty() {
            parts.push(sources.excerpt(action.span, 40));
        }
        parts.join("; ")
    }

    /// Is the other case of this test a step of the program, too? Then the source's text does not tell which case it is.
    fn is_branch(&self, pool: &TermPool, span: Span, formula: Term) -> bool {
        !self.assertions.contains(&span) && self.assumptions[&span].contains(&pool.not(formula))
    }

    /// The names of branches of a `par`; none if the threads are others.
    fn branches(&self, threads: &[ThreadId]) -> Option<String> {
        let is_branch = |&&id: &&ThreadId| matches!(self.program.thread(id).origin, Origin::Branch { .. });
        let names: Vec<&str> =
            threads.iter().filter(is_branch).map(|&id| self.program.thread(id).name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}
