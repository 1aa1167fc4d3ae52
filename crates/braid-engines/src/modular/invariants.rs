//! Invariants of single threads, guessed from samples and shown to be inductive for all threads together (Houdini): what
//! variables can be where a thread stands. They answer many queries without a sequential check.
//!
//! Candidates say `pc = l ⟹ low ≤ x ≤ high` of what the thread accesses, as the samples have it; in the prefix of all variables. All that is not preserved by some action is dropped, until the rest is.
//! *Invariant*: what stays holds initially (every candidate speaks of a location that is not an initial one) and is preserved.

use super::concurrent::{Concurrent, Transition, Vars, location};
use super::conditions::vars_of;
use super::samples::{Samples, place_of};
use crate::{Control, StopReason};
use braid_logic::{Answer, Integer, Model, Solver, Substitution, Term, TermPool, Validity, Value, Var};
use braid_program::cfa::{Location, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A variable with more values than this is not one that control depends on.
const MAX_VALUES: usize = 4;

/// What a variable is where a thread stands.
#[derive(Clone, Copy)]
struct Candidate {
    thread: ThreadId,
    var: Var,
    /// A variable of the thread alone on whose value it depends, such as a counter.
    counter: Option<Var>,
    /// What is said of it.
    formula: Term,
}

#[derive(Default)]
pub(super) struct Invariants {
    /// For each variable, what is known of it, and for each location variable its values.
    about: FxHashMap<Var, Vec<Term>>,
    all: Vec<Term>,
}

impl Invariants {
    pub fn new<'p>(
        concurrent: &Concurrent<'_, 'p>,
        samples: &Samples,
        solver: &mut Solver<'p>,
        control: &Control,
    ) -> Result<Invariants, StopReason> {
        let mut candidates = candidates(concurrent, samples);
        let transitions = concurrent.transitions();
        let places = places(concurrent, &transitions);
        loop {
            let before = candidates.len();
            let mut at = 0;
            while at < candidates.len() {
                control.poll_now()?;
                match is_preserved(concurrent, solver, (&transitions, &places), &candidates, at) {
                    true => at += 1,
                    false => {
                        candidates.remove(at);
                    }
                }
            }
            if candidates.len() == before {
                break;
            }
        }
        let formulas = candidates.iter().map(|candidate| candidate.formula);
        let all = places.iter().map(|(_, places)| *places).chain(formulas).collect();
        let mut about: FxHashMap<Var, Vec<Term>> = places.into_iter().map(|(pc, places)| (pc, vec![places])).collect();
        for candidate in candidates {
            about.entry(candidate.var).or_default().push(candidate.formula);
        }
        Ok(Invariants { about, all })
    }

    /// All of them.
    pub fn all(&self) -> &[Term] {
        &self.all
    }

    /// Values that variables never have: too small or too large ones.
    pub fn bounds(&self, concurrent: &Concurrent<'_, '_>, samples: &Samples, solver: &mut Solver<'_>) -> Vec<Term> {
        let pool = concurrent.pool;
        let mut bounds = Vec::new();
        for var in concurrent.written(&concurrent.relevant) {
            let values = samples.all().filter_map(|state| match state.vars.get(&var)? {
                Value::Int(value) => Some(value.clone()),
                _ => None,
            });
            let values: Vec<Integer> = values.collect();
            let (Some(low), Some(high)) = (values.iter().min(), values.iter().max()) else { continue };
            let (term, low, high) = (pool.of_var(var), pool.int(low.clone()), pool.int(high.clone()));
            for outside in [pool.lt(term, low), pool.gt(term, high)] {
                if !concurrent.pc.contains(&var) && self.refute(concurrent, solver, outside) {
                    bounds.push(outside);
                }
            }
        }
        bounds
    }

    /// Do they rule a condition out?
    pub fn refute(&self, concurrent: &Concurrent<'_, '_>, solver: &mut Solver<'_>, condition: Term) -> bool {
        let pool = concurrent.pool;
        let mut vars: Vars = vars_of(pool, condition).collect();
        let mut formulas = vec![condition];
        // Also of what that depends on: locations and counters.
        for _ in 0..2 {
            for var in vars.clone() {
                let about = self.about.get(&var).map_or(&[][..], Vec::as_slice);
                formulas.extend(about);
                vars.extend(about.iter().flat_map(|&formula| vars_of(pool, formula)));
            }
        }
        solver.decide(&[pool.and(formulas)]) == Answer::Unsat
    }
}

/// Where the threads that matter can be behind the prefix.
fn places(concurrent: &Concurrent<'_, '_>, transitions: &[Transition]) -> Vec<(Var, Term)> {
    let of_thread = |&thread: &ThreadId| {
        let pc = concurrent.pc[thread.index()];
        let waits = concurrent.prefix.iter().filter_map(|edge| edge.started.as_ref());
        let may_wait = thread != ThreadId::MAIN && waits.into_iter().any(|started| !started.contains(&thread));
        let mut later = transitions[concurrent.prefix.len()..].iter();
        let is_moved = later.any(|(mover, _, relation)| *mover != thread && relation.writes.contains(&pc));
        let all = (0..concurrent.program.thread(thread).locations.len() as u32).map(Location);
        let all = all.filter(|&place| place != Location::NOT_STARTED || may_wait || is_moved);
        (pc, concurrent.pool.or(all.map(|place| concurrent.is_at(thread, place))))
    };
    concurrent.relevant.iter().map(of_thread).collect()
}

/// Bounds of all variables of each thread at each location that the samples saw it at, and for each value of a counter there.
fn candidates(concurrent: &Concurrent<'_, '_>, samples: &Samples) -> Vec<Candidate> {
    let (pool, program) = (concurrent.pool, concurrent.program);
    let mut candidates = Vec::new();
    for thread in program.thread_ids() {
        let others: Vec<ThreadId> = program.thread_ids().filter(|&other| other != thread).collect();
        let (foreign, shared) = (concurrent.written(&others), concurrent.accessed(&others));
        let (own, accessed) = (concurrent.written(&[thread]), concurrent.accessed(&[thread]));
        let is_prefix = |place| thread == ThreadId::MAIN && concurrent.prefix.iter().any(|edge| edge.source == place);
        let mut seen: BTreeMap<Location, Vec<&Model>> = BTreeMap::new();
        for state in samples.all() {
            if let Some(place) = place_of(concurrent, thread, state) {
                seen.entry(place).or_default().push(state);
            }
        }
        for (place, states) in seen {
            let is_initial = thread == ThreadId::MAIN && place == program.thread(thread).entry;
            if place == Location::NOT_STARTED || is_initial {
                continue;
            }
            let here = concurrent.is_at(thread, place);
            let vars: Vec<Var> = program.variables.iter().map(|variable| variable.var).collect();
            let is_bounded = |var: &Var| {
                let is_own = own.contains(var) && !foreign.contains(var);
                is_own || (foreign.contains(var) && accessed.contains(var)) || is_prefix(place)
            };
            let bounded: Vec<Var> = vars.into_iter().filter(is_bounded).collect();
            let mut known: FxHashSet<(Var, Term)> = FxHashSet::default();
            for &var in &bounded {
                for claim in claims(pool, var, &states) {
                    known.insert((var, claim));
                    candidates.push(Candidate { thread, var, counter: None, formula: pool.implies(here, claim) });
                }
            }
            let counters = bounded.iter().copied().filter(|var| own.contains(var) && !shared.contains(var));
            for (counter, value) in
                counters.flat_map(|counter| values(counter, &states).map(move |value| (counter, value)))
            {
                let is_value = |state: &&Model| state.vars.get(&counter) == Some(value);
                let states: Vec<&Model> = states.iter().copied().filter(is_value).collect();
                let Value::Int(value) = value else { continue };
                let when = pool.and([here, pool.eq(pool.of_var(counter), pool.int(value.clone()))]);
                for &var in bounded.iter().filter(|&&var| var != counter) {
                    let new = claims(pool, var, &states).into_iter().filter(|&claim| !known.contains(&(var, claim)));
                    let candidate =
                        |claim| Candidate { thread, var, counter: Some(counter), formula: pool.implies(when, claim) };
                    candidates.extend(new.map(candidate));
                }
            }
        }
    }
    candidates
}

/// The values of a variable that is like a counter: more than one, but few.
fn values<'s>(var: Var, states: &[&'s Model]) -> impl Iterator<Item = &'s Value> + use<'s> {
    let mut values: Vec<&Value> = Vec::new();
    for value in states.iter().filter_map(|state| state.vars.get(&var)) {
        if !values.contains(&value) && values.len() <= MAX_VALUES {
            values.push(value);
        }
    }
    let is_counter = (2..=MAX_VALUES).contains(&values.len());
    values.into_iter().filter(move |_| is_counter)
}

/// What the states say of a variable.
fn claims(pool: &TermPool, var: Var, states: &[&Model]) -> Vec<Term> {
    let term = pool.of_var(var);
    let integers = states.iter().filter_map(|state| match state.vars.get(&var) {
        Some(Value::Int(value)) => Some(value),
        _ => None,
    });
    if let (Some(low), Some(high)) = (integers.clone().min(), integers.max()) {
        return vec![pool.ge(term, pool.int(low.clone())), pool.le(term, pool.int(high.clone()))];
    }
    let mut truths = states.iter().filter_map(|state| match state.vars.get(&var) {
        Some(Value::Bool(value)) => Some(*value),
        _ => None,
    });
    match truths.next() {
        Some(first) if truths.all(|other| other == first) => vec![if first { term } else { pool.not(term) }],
        _ => Vec::new(),
    }
}

/// Does every action that may end a claim, or start one, keep it under all candidates?
fn is_preserved(
    concurrent: &Concurrent<'_, '_>,
    solver: &mut Solver<'_>,
    (transitions, places): (&[Transition], &[(Var, Term)]),
    candidates: &[Candidate],
    number: usize,
) -> bool {
    let pool = concurrent.pool;
    let wanted = &candidates[number];
    let own_pc = concurrent.pc[wanted.thread.index()];
    transitions.iter().enumerate().all(|(number, (mover, source, relation))| {
        let mut vars = [own_pc, wanted.var].into_iter().chain(wanted.counter);
        if !vars.any(|var| relation.writes.contains(&var)) {
            return true;
        }
        let here = Substitution::from_iter([(concurrent.pc[mover.index()], location(pool, *source))]);
        let goal = pool.substitute(relation.before(pool, wanted.formula), &here);
        if goal == Term::TRUE {
            return true;
        }
        let guard = pool.substitute(relation.guard, &here);
        // What the mover knows where it stands, and what is known of threads that the variables depend on.
        let mut vars: Vars = vars_of(pool, goal).chain(vars_of(pool, guard)).chain([wanted.var]).collect();
        let about = candidates.iter().filter(|candidate| vars.contains(&candidate.var));
        let owners: Vec<Var> = about.map(|candidate| concurrent.pc[candidate.thread.index()]).collect();
        vars.extend(owners);
        // The prefix comes first; behind it threads have been started.
        let places = places.iter().filter(|_| number >= concurrent.prefix.len());
        let known = candidates
            .iter()
            .filter(|candidate| candidate.thread == *mover || vars.contains(&concurrent.pc[candidate.thread.index()]));
        let known: Vec<Term> = known
            .map(|candidate| pool.substitute(candidate.formula, &here))
            .filter(|&formula| formula != Term::TRUE)
            .chain(places.filter(|(pc, _)| vars.contains(pc)).map(|(_, places)| *places))
            .chain([guard])
            .collect();
        solver.entails(&known, goal) == Validity::Valid
    })
}
