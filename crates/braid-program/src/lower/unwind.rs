//! Loops of the first thread that start or join others, round by round: a location becomes several, one for each value of what counts the rounds.
//!
//! Which thread is started in a round, with which argument, and which thread a round waits for, is often a matter of a few counters: the index of the loop, how many
//! threads were started. With their values in the locations, constants say the rest, and it is known at each location who may be there.
//!
//! *Counters* are variables that only the first thread writes, and that every edge of such a loop leaves as they are, sets to a constant, or moves by themselves; but
//! not in a loop inside of it that does without threads. A new
//! location is an old one with the values of some counters. An edge leads to the values that it gives them; an edge whose assumption is false for
//! the values at its source goes. The executions stay the same: each one of the old automaton goes through the new locations with the values
//! that its counters have, and each one of the new automaton is one of the old. Where one location has too many values, nothing is said of the
//! counters, until they get values again. Where more threads are started than there are instances, only that is said: forks ask no more of their
//! counters than which instance is next, or that there is none.

use super::graph::targets;
use super::{Automaton, Edge};
use crate::cfa::{Location, LocationInfo, Relation, Step, StepKind, ThreadId};
use crate::graph::components;
use braid_logic::{SortKind, Substitution, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// One location becomes at most so many.
const MOST_COPIES: usize = 24;
/// Automata with more edges than this stay as they are.
const MOST_EDGES: usize = 6000;

/// The values of counters, sorted; those that are not here may have any.
type Values = Vec<(Var, Term)>;

/// Unwinds the loops of the first thread in which threads are started or joined. `instances`: the counters of forks, each with the number
/// of instances that there are. Is anything changed?
pub(super) fn unwind(pool: &TermPool, automata: &mut [Automaton], instances: &FxHashMap<Var, Term>) -> bool {
    if instances.is_empty() || automata[ThreadId::MAIN.index()].edges.len() > MOST_EDGES {
        return false;
    }
    let counters = counters(pool, automata, instances);
    if counters.is_empty() {
        return false;
    }
    Unwinding { pool, counters, instances }.run(&mut automata[ThreadId::MAIN.index()])
}

struct Unwinding<'a> {
    pool: &'a TermPool,
    counters: FxHashSet<Var>,
    instances: &'a FxHashMap<Var, Term>,
}

impl Unwinding<'_> {
    /// Gives the automaton more locations; false if it gets too large.
    fn run(&self, automaton: &mut Automaton) -> bool {
        let mut outgoing: Vec<Vec<&Edge>> = vec![Vec::new(); automaton.locations.len()];
        automaton.edges.iter().for_each(|edge| outgoing[edge.source.index()].push(edge));
        let mut copies = Copies { of: vec![FxHashMap::default(); automaton.locations.len()], places: Vec::new() };
        // The locations that are in use stay where they are, without values.
        copies.places.extend((0..automaton.locations.len() as u32).map(|old| (Location(old), Values::new())));
        for (old, found) in copies.of.iter_mut().enumerate() {
            found.insert(Values::new(), Location(old as u32));
        }
        let mut edges = Vec::new();
        let mut done: FxHashSet<Location> = FxHashSet::default();
        let mut work = vec![automaton.entry];
        while let Some(location) = work.pop() {
            if !done.insert(location) {
                continue;
            }
            let (old, values) = copies.places[location.index()].clone();
            for edge in &outgoing[old.index()] {
                let Some(after) = self.after(edge, &values) else { continue };
                let ends = outgoing[edge.target.index()].is_empty();
                let target = copies.get(edge.target, if ends { Values::new() } else { after });
                edges.push(Edge { source: location, target, ..(*edge).clone() });
                work.push(target);
            }
            if edges.len() > MOST_EDGES {
                return false;
            }
        }
        let locations: Vec<LocationInfo> =
            copies.places.iter().map(|(old, _)| automaton.locations[old.index()].clone()).collect();
        let regions = copies.places.iter().map(|(old, _)| automaton.regions[old.index()]).collect();
        (automaton.locations, automaton.regions, automaton.edges) = (locations, regions, edges);
        true
    }

    /// The values after an edge; none if it cannot happen.
    fn after(&self, edge: &Edge, values: &Values) -> Option<Values> {
        let mut known: Substitution = values.iter().copied().collect();
        for Step { kind, .. } in &edge.steps {
            match kind {
                StepKind::Assume(formula) => {
                    if self.pool.substitute(*formula, &known) == Term::FALSE {
                        return None;
                    }
                }
                // Who waits for what never comes waits.
                StepKind::Await(..) => {}
                StepKind::Assign(assignments) => {
                    let counted = assignments.iter().filter(|(var, _)| self.counters.contains(var));
                    let assigned: Vec<(Var, Term)> =
                        counted.map(|(var, value)| (*var, self.pool.substitute(*value, &known))).collect();
                    for (var, value) in assigned {
                        match self.pool.free_vars(value).is_empty() {
                            true => known.insert(var, value),
                            false => known.remove(&var),
                        };
                    }
                }
                StepKind::Havoc(vars) => vars.iter().for_each(|var| _ = known.remove(var)),
            }
        }
        let mut after: Values = known.into_iter().collect();
        if after.iter().any(|(var, value)| self.is_exhausted(*var, *value)) {
            after.retain(|(var, _)| self.instances.contains_key(var));
            after.iter_mut().filter(|(var, value)| self.is_exhausted(*var, *value)).for_each(|(var, value)| {
                *value = self.pool.add([self.instances[var], self.pool.int(1)]);
            });
        }
        after.sort_unstable();
        Some(after)
    }

    /// Are more threads started than there are instances?
    fn is_exhausted(&self, var: Var, value: Term) -> bool {
        self.instances.get(&var).is_some_and(|&most| self.pool.gt(value, most) == Term::TRUE)
    }
}

/// The copies of locations by the values of counters.
struct Copies {
    of: Vec<FxHashMap<Values, Location>>,
    /// What each new location is a copy of.
    places: Vec<(Location, Values)>,
}

impl Copies {
    fn get(&mut self, old: Location, values: Values) -> Location {
        let found = &mut self.of[old.index()];
        if let Some(&known) = found.get(&values) {
            return known;
        }
        if found.len() > MOST_COPIES {
            return old;
        }
        let new = Location(self.places.len() as u32);
        found.insert(values.clone(), new);
        self.places.push((old, values));
        new
    }
}

/// What counts the rounds of loops that start or join threads.
fn counters(pool: &TermPool, automata: &[Automaton], instances: &FxHashMap<Var, Term>) -> FxHashSet<Var> {
    let automaton = &automata[ThreadId::MAIN.index()];
    // Where more threads are started than there are instances, a counter is tested and no thread is there.
    let handles = |edge: &Edge| {
        let tests = |step: &Step| match step.kind {
            StepKind::Assume(formula) => pool.free_vars(formula).iter().any(|var| instances.contains_key(var)),
            _ => false,
        };
        !edge.forks.is_empty() || !edge.joins.is_empty() || edge.steps.iter().any(tests)
    };
    let rounds = Cycles::of(automaton, |_| true);
    let inner = Cycles::of(automaton, |edge| !handles(edge));
    let loops: FxHashSet<usize> =
        automaton.edges.iter().filter(|edge| handles(edge)).filter_map(|edge| rounds.of_edge(edge)).collect();
    // Does the edge lie on a cycle with one that starts or joins a thread?
    let in_loop = |edge: &Edge| rounds.of_edge(edge).is_some_and(|cycles| loops.contains(&cycles));
    let mut found: FxHashMap<Var, (bool, bool)> = FxHashMap::default();
    for edge in automaton.edges.iter().filter(|edge| in_loop(edge)) {
        for (var, value) in Relation::of_steps(pool, &edge.steps).updates {
            let is_number = matches!(pool.sort_kind(pool.var_sort(var)), SortKind::Int | SortKind::BitVec(_));
            let (fits, moves) = found.entry(var).or_insert((is_number, false));
            let moved = !pool.free_vars(value).is_empty();
            *fits &= pool.free_vars(value).iter().all(|free| *free == var)
                && !(moved && !handles(edge) && inner.of_edge(edge).is_some());
            *moves |= moved || handles(edge);
        }
    }
    for edge in automata.iter().skip(1).flat_map(|automaton| &automaton.edges) {
        Relation::of_steps(pool, &edge.steps).writes.iter().for_each(|var| _ = found.remove(var));
    }
    found.into_iter().filter(|(_, (fits, moves))| *fits && *moves).map(|(var, _)| var).collect()
}

/// The strongly connected components of an automaton with some of its edges.
struct Cycles(Vec<usize>);

impl Cycles {
    fn of(automaton: &Automaton, wanted: impl Fn(&Edge) -> bool) -> Cycles {
        Cycles(components(&targets(automaton, |edge| wanted(&automaton.edges[edge]))))
    }

    /// The component that an edge lies in, if it lies on a cycle.
    fn of_edge(&self, edge: &Edge) -> Option<usize> {
        let component = self.0[edge.source.index()];
        (component == self.0[edge.target.index()]).then_some(component)
    }
}
