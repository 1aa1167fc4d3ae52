//! What the first thread does before it starts others, as far as there is only one way: it is followed once, and becomes a row of edges without tests and loops.
//! Options are read in this way, and tables are filled.
//!
//! From the entry on, variables have symbolic values: terms over what they are at first, and over what is chosen. If all edges but one cannot happen for a
//! false assumption, that one is the next in the row, without those of its assumptions that are true. The row ends where more than one edge may happen, or none, or a
//! thread is started or joined. *Invariant*: an execution of the old automaton begins with the row, for there is no other thread
//! that could do anything, and no other edge that could be taken; so the executions stay the same. What is not reached any more goes with the next
//! look for constants.

use super::{Automaton, Edge};
use crate::cfa::{Location, Step, StepKind};
use braid_logic::{Sort, SortKind, Substitution, Term, TermPool, Var};

/// A row gets at most so many edges; where there are more, nothing is changed.
const MOST_EDGES: usize = 10_000;
/// And so many variables are known along it, all together: whoever looks at each location with what is known there needs room for them.
const MOST_KNOWN: usize = 60_000;
/// Symbolic values have at most so many parts.
const MOST_TERMS: u32 = 10_000;

/// Follows the first thread as long as there is one way.
pub(super) fn follow(pool: &TermPool, main: &mut Automaton) {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); main.locations.len()];
    main.edges.iter().enumerate().for_each(|(number, edge)| outgoing[edge.source.index()].push(number));
    let (mut known, mut row, mut at) = (Substitution::default(), Vec::new(), main.entry);
    while let Some((edge, steps)) =
        next(pool, &mut known, outgoing[at.index()].iter().map(|&number| &main.edges[number]))
    {
        row.push(Edge { steps, ..edge.clone() });
        at = edge.target;
        if row.len() > MOST_EDGES || row.len() * known.len() > MOST_KNOWN {
            return;
        }
    }
    // A row through locations that are passed once anyhow is no news.
    let mut passed = vec![false; main.locations.len()];
    let again = row.iter().any(|edge| std::mem::replace(&mut passed[edge.target.index()], true));
    if again {
        append(main, row, at);
    }
}

/// The only edge that can happen, with its steps, if there is one; what is known becomes what is known after it.
fn next<'a>(
    pool: &TermPool,
    known: &mut Substitution,
    edges: impl Iterator<Item = &'a Edge>,
) -> Option<(&'a Edge, Vec<Step>)> {
    let mut found = None;
    for edge in edges {
        let mut after = known.clone();
        if let Some(steps) = run(pool, edge, &mut after) {
            if found.is_some() || !edge.forks.is_empty() || !edge.joins.is_empty() {
                return None;
            }
            found = Some((edge, steps, after));
        }
    }
    let (edge, steps, after) = found?;
    *known = after;
    Some((edge, steps))
}

/// The steps of an edge with what is known put in, if it can happen.
fn run(pool: &TermPool, edge: &Edge, known: &mut Substitution) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for Step { kind, span } in &edge.steps {
        let kind = match kind {
            StepKind::Assume(formula) => match pool.substitute(*formula, known) {
                Term::TRUE => continue,
                Term::FALSE => return None,
                _ => StepKind::Assume(shown(pool, *formula, known)),
            },
            StepKind::Await(..) => kind.clone(),
            StepKind::Assign(assignments) => {
                let shown = assignments.iter().map(|(var, value)| (*var, shown(pool, *value, known)));
                StepKind::Assign(shown.collect())
            }
            StepKind::Havoc(vars) => StepKind::Havoc(vars.clone()),
        };
        kind.change(pool, known);
        if let StepKind::Assign(assignments) = &kind {
            assignments.iter().for_each(|(var, _)| forget_large(pool, known, *var));
        }
        steps.push(Step { kind, span: *span });
    }
    Some(steps)
}

/// A value that is not known and gets too large may be any other one.
fn forget_large(pool: &TermPool, known: &mut Substitution, var: Var) {
    if let Some(value) = known.get_mut(&var)
        && pool.size(*value) > MOST_TERMS
        && !pool.free_vars(*value).is_empty()
    {
        *value = pool.of_var(pool.fresh_var(pool.var_name(var), pool.var_sort(var)));
    }
}

/// A value with all numbers put in that are known: arrays are too large to be written down again and again.
fn shown(pool: &TermPool, value: Term, known: &Substitution) -> Term {
    let is_array = |sort: Sort| matches!(pool.sort_kind(sort), SortKind::Array { .. });
    let closed = |term: Term| pool.free_vars(term).is_empty();
    if !is_array(pool.sort_of(value)) && closed(pool.substitute(value, known)) {
        return pool.substitute(value, known);
    }
    let numbers = pool.free_vars(value).iter().copied().filter(|var| !is_array(pool.var_sort(*var)));
    let numbers = numbers.filter_map(|var| Some((var, known.get(&var).copied().filter(|value| closed(*value))?)));
    pool.substitute(value, &numbers.collect())
}

/// Puts the row in front of the automaton: it leads from a new entry to the location that it ends at.
fn append(main: &mut Automaton, row: Vec<Edge>, end: Location) {
    let mut at = main.location(main.locations[main.entry.index()].span);
    main.entry = at;
    let count = row.len();
    for (number, edge) in row.into_iter().enumerate() {
        let target = if number + 1 == count { end } else { main.location(main.locations[edge.target.index()].span) };
        main.edges.push(Edge { source: at, target, ..edge });
        at = target;
    }
}
