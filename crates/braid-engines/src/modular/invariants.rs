//! Invariants of single threads, guessed from samples and shown to be inductive for all threads together (Houdini): what
//! variables can be where a thread stands. They answer many queries without a sequential check.
//!
//! Candidates say `pc = l ⟹ low ≤ x ≤ high` of what the thread accesses, as the samples have it; in the prefix of all variables. All that is not preserved by some action is dropped, until the rest is.
//! *Invariant*: what stays holds initially (every candidate speaks of a location that is not an initial one) and is preserved.

use super::concurrent::{Concurrent, Vars, location};
use super::conditions::vars_of;
use super::samples::{Samples, place_of};
use crate::{Control, StopReason};
use braid_logic::{Answer, Integer, Model, Solver, Substitution, Term, Validity, Value, Var};
use braid_program::cfa::{Location, Relation, ThreadId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a variable is where a thread stands.
#[derive(Clone, Copy)]
struct Candidate {
    thread: ThreadId,
    var: Var,
    /// What is said of it.
    formula: Term,
}

#[derive(Default)]
pub(super) struct Invariants {
    /// For each variable, what is known of it, and for each location variable its values.
    about: FxHashMap<Var, Vec<Term>>,
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
        loop {
            let before = candidates.len();
            let mut at = 0;
            while at < candidates.len() {
                control.poll_now()?;
                match is_preserved(concurrent, solver, &transitions, &candidates, at) {
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
        if std::env::var_os("BRAID_TRACE").is_some() { for c in &candidates { eprintln!("inv {}", concurrent.pool.infix(c.formula)); } }
        let mut about: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
        for candidate in candidates {
            about.entry(candidate.var).or_default().push(candidate.formula);
        }
        let pool = concurrent.pool;
        for &thread in &concurrent.relevant {
            let pc = concurrent.pc[thread.index()];
            let may_wait = concurrent.prefix.iter().any(|edge| {
                edge.started.as_ref().is_some_and(|started| thread != ThreadId::MAIN && !started.contains(&thread))
            });
            let is_moved = transitions.iter().any(|(mover, _, relation)| {
                *mover != thread && concurrent.relevant.contains(mover) && relation.writes.contains(&pc)
            });
            let places = (0..concurrent.program.thread(thread).locations.len() as u32).map(Location);
            let places = places.filter(|&place| place != Location::NOT_STARTED || may_wait || is_moved);
            about.entry(pc).or_default().push(pool.or(places.map(|place| concurrent.is_at(thread, place))));
        }
        Ok(Invariants { about })
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
        let mut said = false;
        for var in vars.clone() {
            let about = self.about.get(&var).map_or(&[][..], Vec::as_slice);
            said |= !about.is_empty();
            formulas.extend(about);
            vars.extend(about.iter().flat_map(|&formula| vars_of(pool, formula)));
        }
        let places = vars.iter().filter(|var| concurrent.pc.contains(var));
        formulas.extend(places.filter_map(|var| self.about.get(var)).flatten());
        said && solver.decide(&[pool.and(formulas)]) == Answer::Unsat
    }
}

/// Bounds of all variables of each thread at each location that the samples saw it at.
fn candidates(concurrent: &Concurrent<'_, '_>, samples: &Samples) -> Vec<Candidate> {
    let (pool, program) = (concurrent.pool, concurrent.program);
    let mut candidates = Vec::new();
    for thread in program.thread_ids() {
        let others: Vec<ThreadId> = program.thread_ids().filter(|&other| other != thread).collect();
        let foreign = concurrent.written(&others);
        let (own, accessed) = (concurrent.written(&[thread]), concurrent.accessed(&[thread]));
        let in_prefix = |place: Location| thread == ThreadId::MAIN && concurrent.prefix.iter().any(|edge| edge.source == place);
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
            for variable in &program.variables {
                let var = variable.var;
                let is_own = own.contains(&var) && !foreign.contains(&var);
                let is_read = foreign.contains(&var) && accessed.contains(&var);
                if !is_own && !is_read && !in_prefix(place) {
                    continue;
                }
                let mut values: Vec<&Value> = states.iter().filter_map(|state| state.vars.get(&var)).collect();
                values.sort_by(|a, b| match (a, b) {
                    (Value::Int(a), Value::Int(b)) => a.cmp(b),
                    _ => std::cmp::Ordering::Equal,
                });
                let (Some(low), Some(high)) = (values.first(), values.last()) else { continue };
                let term = pool.of_var(var);
                let claims = match (low, high) {
                    (Value::Int(low), Value::Int(high)) => {
                        vec![pool.ge(term, pool.int(low.clone())), pool.le(term, pool.int(high.clone()))]
                    }
                    (Value::Bool(value), _) if values.iter().all(|other| *other == *low) => {
                        vec![if *value { term } else { pool.not(term) }]
                    }
                    _ => Vec::new(),
                };
                let candidate = |claim| Candidate { thread, var, formula: pool.implies(here, claim) };
                candidates.extend(claims.into_iter().map(candidate));
            }
        }
    }
    candidates
}

/// Does every action that may end a claim, or start one, keep it under all candidates?
fn is_preserved(
    concurrent: &Concurrent<'_, '_>,
    solver: &mut Solver<'_>,
    transitions: &[(ThreadId, Location, Relation)],
    candidates: &[Candidate],
    number: usize,
) -> bool {
    let pool = concurrent.pool;
    let wanted = &candidates[number];
    let own_pc = concurrent.pc[wanted.thread.index()];
    transitions.iter().all(|(mover, source, relation)| {
        if !relation.writes.contains(&own_pc) && !relation.writes.contains(&wanted.var) {
            return true;
        }
        let here = Substitution::from_iter([(concurrent.pc[mover.index()], location(pool, *source))]);
        let goal = pool.substitute(relation.before(pool, wanted.formula), &here);
        if goal == Term::TRUE {
            return true;
        }
        let guard = pool.substitute(relation.guard, &here);
        // What is known of the variables that matter.
        let vars: Vars = vars_of(pool, goal).chain(vars_of(pool, guard)).collect();
        let known = candidates.iter().filter(|candidate| {
            vars.contains(&candidate.var)
                || (candidate.thread != *mover && vars.contains(&concurrent.pc[candidate.thread.index()]))
        });
        let known: Vec<Term> = known
            .map(|candidate| pool.substitute(candidate.formula, &here))
            .filter(|&formula| formula != Term::TRUE)
            .chain([guard])
            .collect();
        solver.entails(&known, goal) == Validity::Valid
    })
}
