//! The candidates that are facts: what is not inductive is dropped until the rest is (Flanagan and Leino 2001, Houdini).

use crate::{Control, StopReason};
use braid_check::threads::{About, Condition, Facts, Obligation, System, about_start};
use braid_logic::{Answer, Solver, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// An obligation with what its premises depend on.
struct Task {
    obligation: Obligation,
    depends: Vec<About>,
}

/// Drops candidates until all obligations hold.
pub(super) fn keep_inductive(
    system: &System<'_>,
    solver: &mut Solver<'_>,
    facts: &mut Facts,
    control: &Control,
) -> Result<(), StopReason> {
    let tasks: Vec<Task> =
        facts.subjects().into_iter().flat_map(|goal| system.obligations(goal)).map(|o| task(system, o)).collect();
    let mut needed_by: FxHashMap<About, Vec<usize>> = FxHashMap::default();
    for (number, task) in tasks.iter().enumerate() {
        task.depends.iter().for_each(|&about| needed_by.entry(about).or_default().push(number));
    }
    let (first, start) = (About::One(system.first()), about_start(system, facts));
    let holds = start.iter().map(|&violated| solver.decide(&[violated]) == Answer::Unsat).collect::<Vec<_>>();
    let kept = facts.get(first).iter().zip(holds).filter(|(_, holds)| *holds).map(|(fact, _)| *fact).collect();
    facts.set(first, kept);
    // Facts about one instance first: they are premises of everything.
    let mut dirty = vec![true; tasks.len()];
    loop {
        let mut changed = false;
        for (number, task) in tasks.iter().enumerate() {
            if !std::mem::replace(&mut dirty[number], false) {
                continue;
            }
            if drop_refuted(system, solver, &task.obligation, facts, control)? {
                changed = true;
                let about = task.obligation.goal;
                needed_by.get(&about).into_iter().flatten().for_each(|&other| dirty[other] = true);
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

fn task(system: &System<'_>, obligation: Obligation) -> Task {
    let (template, number) = obligation.mover;
    let joins = system.templates[template].moves[number].joins.iter();
    let exits = joins.map(|&t| braid_check::threads::Place { template: t, location: system.templates[t].exit });
    let places: Vec<_> = obligation.cast.iter().map(|(place, _)| *place).chain(exits).collect();
    let mut depends: Vec<About> = places.iter().map(|&place| About::One(place)).collect();
    for (at, &place) in places.iter().enumerate() {
        depends.extend(places[..at].iter().map(|&other| About::Two(place.min(other), place.max(other))));
    }
    Task { obligation, depends }
}

/// Drops the facts that the obligation does not give; were there any?
fn drop_refuted(
    system: &System<'_>,
    solver: &mut Solver<'_>,
    obligation: &Obligation,
    facts: &mut Facts,
    control: &Control,
) -> Result<bool, StopReason> {
    let pool = system.pool;
    if facts.get(obligation.goal).is_empty() {
        return Ok(false);
    }
    let condition = Condition::of(system, obligation, facts).filter(|condition| !condition.is_void(system));
    let Some(condition) = condition else { return Ok(false) };
    let premises: FxHashSet<Term> = condition.premises.iter().copied().collect();
    let mut open: Vec<(Term, Term)> = Vec::new();
    for &fact in facts.get(obligation.goal) {
        let before = condition.before(system, fact);
        if before != Term::TRUE && !premises.contains(&before) {
            open.push((fact, before));
        }
    }
    let mut dropped: FxHashSet<Term> = FxHashSet::default();
    while !open.is_empty() {
        control.poll_now()?;
        let violated = pool.not(pool.and(open.iter().map(|(_, before)| *before)));
        let query: Vec<Term> = condition.premises.iter().copied().chain([violated]).collect();
        let answer = solver.decide(&query);
        if answer == Answer::Unsat {
            break;
        }
        let model = if answer == Answer::Sat { solver.model() } else { None };
        let refuted = |before: Term| model.as_ref().is_some_and(|model| pool.holds_in(before, model) == Some(false));
        let before = open.len();
        open.retain(|&(fact, before)| {
            let keep = !refuted(before);
            if !keep {
                dropped.insert(fact);
            }
            keep
        });
        if open.len() == before {
            // Nobody knows which: one by one.
            let (fact, last) = open.pop().expect("some are open");
            let query: Vec<Term> = condition.premises.iter().copied().chain([pool.not(last)]).collect();
            if solver.decide(&query) != Answer::Unsat {
                dropped.insert(fact);
            }
        }
    }
    if dropped.is_empty() {
        return Ok(false);
    }
    let kept = facts.get(obligation.goal).iter().copied().filter(|fact| !dropped.contains(fact)).collect();
    facts.set(obligation.goal, kept);
    Ok(true)
}
