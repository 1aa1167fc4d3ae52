//! Proofs for any number of threads: facts about one thread and about any two, which every step of any thread keeps.
//!
//! `system` puts like threads together, `obligations` has what must hold of facts and why that is enough, `counters` and `numbers` add ghost variables. The engine
//! that looks for facts uses the same definitions.

mod counters;
mod facts;
mod numbers;
mod obligations;
mod system;

pub use facts::{Facts, Origin};
pub use obligations::{About, Condition, Obligation};
pub use system::{Copy, JOINED, Move, NEWBORN, Place, System, Template};

use crate::certificate::ThreadFacts;
use crate::{Checked, Refusal};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Answer, Solver, Sort, Term, Var};
use braid_program::cfa::{Location, Program, ThreadId};

/// For each fact about the first thread at its entry, how it may be violated at the start.
pub fn about_start(system: &System<'_>, facts: &Facts) -> Vec<Term> {
    let pool = system.pool;
    let start = pool.and(system.start());
    facts.get(About::One(system.first())).iter().map(|&fact| pool.and([start, pool.not(fact)])).collect()
}

/// Can nobody be where an error is?
pub fn is_safe(system: &System<'_>, facts: &Facts) -> bool {
    system
        .templates
        .iter()
        .enumerate()
        .all(|(template, t)| t.errors.iter().all(|&location| facts.excludes(About::One(Place { template, location }))))
}

/// What of facts does not follow.
#[derive(Clone, Debug)]
pub enum Broken {
    /// A fact about the first thread, at the start.
    Start,
    /// The facts about a goal, after a move.
    Move(Obligation),
}

/// The first obligation that does not hold, by a solver that knows nothing of how the facts were found; none if the facts are inductive.
/// `goes_on` is asked before each.
pub fn broken<S>(
    system: &System<'_>,
    solver: &mut Solver<'_>,
    facts: &Facts,
    mut goes_on: impl FnMut() -> Result<(), S>,
) -> Result<Option<Broken>, S> {
    let start = about_start(system, facts);
    if start.iter().any(|&violated| solver.decide(&[violated]) != Answer::Unsat) {
        return Ok(Some(Broken::Start));
    }
    for obligation in facts.subjects().into_iter().flat_map(|goal| system.obligations(goal)) {
        goes_on()?;
        let condition = Condition::of(system, &obligation, facts).filter(|condition| !condition.is_void(system));
        let Some(condition) = condition else { continue };
        let goals = facts.get(obligation.goal).iter().map(|&fact| condition.before(system, fact));
        let violated = system.pool.not(system.pool.and(goals));
        let query: Vec<Term> = condition.premises.iter().copied().chain([violated]).collect();
        if violated != Term::FALSE && solver.decide(&query) != Answer::Unsat {
            return Ok(Some(Broken::Move(obligation)));
        }
    }
    Ok(None)
}

/// Checks facts about a program that was lowered with templates.
pub(crate) fn check<'p>(
    program: &Program<'p>,
    mut solver: Solver<'p>,
    (counters, numbers): (bool, bool),
    stated: &[ThreadFacts],
    goes_on: &dyn Fn() -> bool,
) -> Result<Checked, Refusal> {
    let mut system = System::of(program).map_err(|why| Refusal::new(format!("There are no templates: {why}.")))?;
    if counters {
        system.count();
    }
    if numbers {
        system.number();
    }
    let mut facts = Facts::default();
    for one in stated {
        let about = about(&system, one)?;
        let terms = one.formulas.iter().map(|text| fact(&system, about, text)).collect::<Result<Vec<Term>, _>>()?;
        facts.set(about, [facts.get(about), &terms].concat());
    }
    if !is_safe(&system, &facts) {
        return Err(Refusal::new("The facts do not exclude all errors."));
    }
    let stopped = || if goes_on() { Ok(()) } else { Err(Refusal::Stopped) };
    match broken(&system, &mut solver, &facts, stopped)? {
        None => {}
        Some(Broken::Start) => return Err(Refusal::new("A fact about the first thread does not hold at the start.")),
        Some(Broken::Move(obligation)) => return Err(Refusal::new(told(program, &system, &obligation))),
    }
    let steps = facts.subjects().into_iter().map(|goal| system.obligations(goal).len() as u64).sum();
    Ok(Checked { states: facts.subjects().len() as u64, steps, queries: solver.statistics().queries })
}

/// What some facts are about.
fn about(system: &System<'_>, stated: &ThreadFacts) -> Result<About, Refusal> {
    let place = |&(thread, location): &(ThreadId, Location)| {
        let found = system.templates.iter().position(|t| t.thread == thread);
        let template = found.filter(|&template| {
            let exists: std::ops::Range<usize> = 1..system.templates[template].size;
            exists.contains(&location.index())
        });
        let template = template.ok_or_else(|| Refusal::new("A fact is about a place that there is not."))?;
        Ok::<Place, Refusal>(Place { template, location })
    };
    let places: Vec<Place> = stated.places.iter().map(place).collect::<Result<_, _>>()?;
    match places[..] {
        [one] => Ok(About::One(one)),
        [one, other] if one <= other => Ok(About::Two(one, other)),
        _ => Err(Refusal::new("A fact is about one place, or about two in order.")),
    }
}

/// A fact out of its text: over shared variables and those of the threads that it is about; of the second, the copies.
fn fact(system: &System<'_>, about: About, text: &str) -> Result<Term, Refusal> {
    let pool = system.pool;
    let of = |place: Place, copy: Copy| {
        system.templates[place.template].locals.iter().map(move |&var| system.copy(var, copy))
    };
    let mut own: Vec<Var> = system.shared.clone();
    match about {
        About::One(one) => own.extend(of(one, 0)),
        About::Two(one, other) => own.extend(of(one, 0).chain(of(other, 1))),
    }
    let wrong = |why: String| Refusal::new(format!("Fact {text}: {why}."));
    let term = parse_term(pool, text, &PoolScope(pool)).map_err(|error| wrong(error.to_string()))?;
    if pool.sort_of(term) != Sort::BOOL {
        return Err(wrong("not a formula".into()));
    }
    match pool.free_vars(term).iter().find(|var| !own.contains(var)) {
        Some(&other) => Err(wrong(format!("{} is not a variable of these threads", pool.var_name(other)))),
        None => Ok(term),
    }
}

/// An obligation that does not hold, in words.
fn told(program: &Program<'_>, system: &System<'_>, obligation: &Obligation) -> String {
    let line = |place: Place| {
        let t = &system.templates[place.template];
        let line = program.sources.position(t.spans[place.location.index()]).line;
        format!("a thread {} at location {} (line {line})", t.name, place.location.0)
    };
    let (template, number) = obligation.mover;
    let from = Place { template, location: system.templates[template].moves[number].source };
    let goal = match obligation.goal {
        About::One(one) => line(one),
        About::Two(one, other) => format!("{} and {}", line(one), line(other)),
    };
    format!("The facts about {goal} do not follow after a step of {}.", line(from))
}
