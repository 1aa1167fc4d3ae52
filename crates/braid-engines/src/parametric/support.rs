//! Of all facts, those that a proof rests on: backwards from errors, by what each obligation needs.

use crate::{Control, StopReason};
use braid_check::threads::{About, Condition, Facts, Obligation, Origin, Place, System};
use braid_logic::{Answer, Solver, Term};
use rustc_hash::FxHashSet;

type Fact = (About, Term);

/// The facts that exclude all errors, and those that these rest on; none if that cannot be found out.
pub(super) fn support(
    system: &System<'_>,
    solver: &mut Solver<'_>,
    facts: &Facts,
    control: &Control,
) -> Result<Option<Facts>, StopReason> {
    let errors = system.templates.iter().enumerate().flat_map(|(template, t)| {
        t.errors.iter().map(move |&location| (About::One(Place { template, location }), Term::FALSE))
    });
    let mut open: Vec<Fact> = errors.collect();
    let mut needed: FxHashSet<Fact> = open.iter().copied().collect();
    while let Some((about, fact)) = open.pop() {
        for obligation in system.obligations(about) {
            control.poll_now()?;
            let Some(more) = premises(system, solver, facts, (&obligation, fact), &needed) else { return Ok(None) };
            for origin in more {
                if needed.insert(origin) {
                    open.push(origin);
                }
            }
        }
    }
    let mut kept = Facts::default();
    for about in facts.subjects() {
        let of: Vec<Term> = facts.get(about).iter().copied().filter(|&fact| needed.contains(&(about, fact))).collect();
        kept.set(about, of);
    }
    Ok(Some(kept))
}

/// The facts that an obligation needs for one fact; none if nobody knows.
fn premises(
    system: &System<'_>,
    solver: &mut Solver<'_>,
    facts: &Facts,
    (obligation, fact): (&Obligation, Term),
    needed: &FxHashSet<Fact>,
) -> Option<Vec<Fact>> {
    let pool = system.pool;
    let Some(condition) = Condition::of(system, obligation, facts) else { return Some(Vec::new()) };
    let goal = condition.before(system, fact);
    let all = || condition.premises.iter().copied().zip(condition.origins.iter().copied());
    let at_hand = |origin: Origin| origin.is_none_or(|origin| needed.contains(&origin));
    let known: Vec<Term> = all().filter(|(_, origin)| at_hand(*origin)).map(|(term, _)| term).collect();
    let violated = pool.not(goal);
    if pool.and(known.iter().copied().chain([violated])) == Term::FALSE {
        return Some(Vec::new());
    }
    if let Some((_, origin)) = all().find(|(term, _)| *term == Term::FALSE || *term == goal) {
        return Some(origin.into_iter().collect());
    }
    let query: Vec<Term> = known.into_iter().chain([violated]).collect();
    if solver.decide(&query) == Answer::Unsat {
        return Some(Vec::new());
    }
    let mut assumptions: Vec<Term> = all().map(|(term, _)| term).chain([violated]).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    if solver.check_assuming(&assumptions) != Answer::Unsat {
        return None;
    }
    let core: FxHashSet<Term> = solver.core().iter().copied().collect();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    Some(all().filter(|(term, _)| core.contains(term) && seen.insert(*term)).filter_map(|(_, origin)| origin).collect())
}
