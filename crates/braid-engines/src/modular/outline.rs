//! Proof outlines of sequential programs: what should hold where, as far as the queries so far suggest it.
//!
//! Where a thread may be interrupted no promise of error holds, and behind `env_move` nothing that the environment was shown not to reach.
//! Everywhere else it is the weakest precondition of that. If all triples hold the program is proven at once; that is the usual end of a
//! series of queries, and no trace has to be refuted for it.

use braid_logic::{Solver, Term, TermPool, Validity};
use braid_program::cfa::{Location, Program, ThreadId};
use braid_proof::triple;
use rustc_hash::{FxHashMap, FxHashSet};

/// What should hold at some locations.
pub type Outline = FxHashMap<Location, Term>;

/// For each location what holds there: an inductive annotation without error locations.
pub type Annotation = Vec<Term>;

/// The annotation that the outline makes, if it proves the program.
pub(super) fn proven(program: &Program<'_>, outline: &Outline, solver: &mut Solver<'_>) -> Option<Annotation> {
    if outline.is_empty() {
        return None;
    }
    let annotation = complete(program, outline)?;
    is_inductive(program, &annotation, solver).then_some(annotation)
}

/// Does the annotation prove that no error location is reached?
pub fn is_inductive(program: &Program<'_>, annotation: &[Term], solver: &mut Solver<'_>) -> bool {
    let (pool, thread) = (program.pool, program.thread(ThreadId::MAIN));
    let at = |location: Location| annotation[location.index()];
    let is_error = |location: Location| thread.locations[location.index()].violation.is_some();
    let errors = (0..thread.locations.len() as u32).map(Location).filter(|&location| is_error(location));
    errors.into_iter().all(|location| at(location) == Term::FALSE)
        && solver.entails(&[], at(thread.entry)) == Validity::Valid
        && program.actions.iter().all(|action| {
            triple(solver, pool, at(action.source), action.relation(pool), at(action.target)) == Validity::Valid
        })
}

/// Weakest preconditions where the outline says nothing; none if it leaves a cycle open, or a choice on the way.
fn complete(program: &Program<'_>, outline: &Outline) -> Option<Annotation> {
    let thread = program.thread(ThreadId::MAIN);
    let mut annotation: Vec<Option<Term>> = (0..thread.locations.len() as u32)
        .map(|location| match thread.locations[location as usize].violation {
            Some(_) => Some(Term::FALSE),
            None => outline.get(&Location(location)).copied(),
        })
        .collect();
    let mut open = FxHashSet::default();
    visit(program, thread.entry, &mut annotation, &mut open)?;
    for &location in outline.keys() {
        for &action in thread.outgoing(location) {
            visit(program, program.action(action).target, &mut annotation, &mut open)?;
        }
    }
    Some(annotation.into_iter().map(|at| at.unwrap_or(Term::TRUE)).collect())
}

fn visit(
    program: &Program<'_>,
    location: Location,
    annotation: &mut [Option<Term>],
    open: &mut FxHashSet<Location>,
) -> Option<Term> {
    if let Some(known) = annotation[location.index()] {
        return Some(known);
    }
    if !open.insert(location) {
        return None;
    }
    let pool: &TermPool = program.pool;
    let mut conditions = Vec::new();
    for &action in program.thread(ThreadId::MAIN).outgoing(location) {
        let action = program.action(action);
        let behind = visit(program, action.target, annotation, open)?;
        let relation = action.relation(pool);
        if !relation.choices.is_empty() && behind != Term::TRUE {
            return None;
        }
        conditions.push(pool.implies(relation.guard, relation.before(pool, behind)));
    }
    open.remove(&location);
    let condition = pool.and(conditions);
    annotation[location.index()] = Some(condition);
    Some(condition)
}
