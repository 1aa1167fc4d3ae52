//! The obligations as constrained Horn clauses: facts are unknown predicates, and a solver looks for them (Gupta, Popeea and Rybalchenko 2011 for
//! level 1; Hoenicke, Majumdar and Podelski 2017).
//!
//! There is a predicate for each place, over shared and own variables, and at level 2 one for each two places that two instances can be at together. An
//! obligation is a clause: predicates before the move give the predicate of its goal after it. An error place gives `false`. Facts that
//! are known to be inductive may be premises: together with a solution they are inductive, too.
//!
//! At level 2, a clause about several instances needs no predicate about one: if there is a solution with those, there is one where each predicate about
//! two says what is known of either.
//!
//! *Invariant*: a solution is a guess like any other candidate, and is checked as such.

use super::matter::Matter;
use braid_check::threads::{About, Condition, Copy, Facts, Obligation, Place, System};
use braid_logic::{Clause, HornClauses, Predicate, Substitution, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// What predicates speak of.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// One instance.
    One,
    /// One instance, and any two.
    Two,
}

/// The obligations of a system as clauses.
pub(super) struct Horn {
    pub clauses: HornClauses,
    /// What each predicate speaks of.
    subjects: Vec<About>,
    /// What nobody can be at, whatever the values of variables are.
    unreachable: Vec<About>,
}

impl Horn {
    /// The clauses for facts that, with those that are known, prove the system.
    pub fn of(system: &System<'_>, known: &Facts, level: Level) -> Horn {
        let subjects = subjects(system, level);
        let reachable = Reachable::of(system, known, level, &subjects);
        let matter = Matter::of(system);
        let mut builder = Builder { system, matter, level, predicates: FxHashMap::default(), clauses: Vec::new() };
        let (reached, unreachable): (Vec<About>, Vec<About>) =
            subjects.into_iter().partition(|about| reachable.reached.contains(about));
        for &about in &reached {
            let predicate = builder.predicate(about);
            builder.predicates.insert(about, predicate);
        }
        builder.start();
        for (obligation, condition) in &reachable.live {
            builder.obligation(obligation, condition);
        }
        builder.errors();
        let predicates = reached.iter().map(|about| builder.predicates[about].clone()).collect();
        Horn { clauses: HornClauses { predicates, clauses: builder.clauses }, subjects: reached, unreachable }
    }

    /// The facts that a solution consists of, one formula for each predicate.
    pub fn facts(&self, system: &System<'_>, solution: &[Term]) -> Facts {
        let mut facts = Facts::default();
        self.unreachable.iter().for_each(|&about| facts.set(about, vec![Term::FALSE]));
        for (&about, &formula) in self.subjects.iter().zip(solution) {
            facts.set(about, system.pool.conjuncts(formula));
        }
        let errors =
            system.templates.iter().enumerate().flat_map(|(template, t)| {
                t.errors.iter().map(move |&location| About::One(Place { template, location }))
            });
        errors.for_each(|about| facts.set(about, vec![Term::FALSE]));
        facts
    }
}

/// What there may be facts about.
fn subjects(system: &System<'_>, level: Level) -> Vec<About> {
    let places: Vec<Place> = system.places().collect();
    let mut found: Vec<About> = places.iter().map(|&place| About::One(place)).collect();
    for (at, &one) in places.iter().enumerate().filter(|_| level == Level::Two) {
        let others = places[at..].iter().filter(|other| system.can_meet(one.template, other.template));
        found.extend(others.map(|&other| About::Two(one.min(other), one.max(other))));
    }
    found
}

/// The subjects that somebody may be at, as far as places and known facts tell, with the obligations about them.
struct Reachable {
    reached: FxHashSet<About>,
    live: Vec<(Obligation, Condition)>,
}

impl Reachable {
    fn of(system: &System<'_>, known: &Facts, level: Level, subjects: &[About]) -> Reachable {
        let mut waiting: Vec<(Obligation, Condition)> = Vec::new();
        for obligation in subjects.iter().flat_map(|&about| system.obligations(about)) {
            let condition = Condition::of(system, &obligation, known);
            if let Some(condition) = condition.filter(|condition| !condition.is_void(system)) {
                waiting.push((obligation, condition));
            }
        }
        let mut reached: FxHashSet<About> = FxHashSet::from_iter([About::One(system.first())]);
        let mut live = Vec::new();
        loop {
            let ready = |(_, condition): &(Obligation, Condition)| {
                needed(&condition.cast, level).iter().all(|(about, _)| reached.contains(about))
            };
            let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(ready);
            if now.is_empty() {
                return Reachable { reached, live };
            }
            reached.extend(now.iter().map(|(obligation, _)| obligation.goal).filter(|&goal| !known.excludes(goal)));
            live.extend(now);
            waiting = later;
        }
    }
}

/// The predicates that a clause about these instances needs, and for which copies.
fn needed(cast: &[(Place, Copy)], level: Level) -> Vec<(About, Vec<(Place, Copy)>)> {
    match cast {
        [(place, copy)] => vec![(About::One(*place), vec![(*place, *copy)])],
        _ if level == Level::One => cast.iter().map(|&one| (About::One(one.0), vec![one])).collect(),
        _ => {
            let pairs =
                cast.iter().enumerate().flat_map(|(at, &one)| cast[..at].iter().map(move |&other| (other, one)));
            let ordered = pairs.map(|(one, other)| if one.0 <= other.0 { (one, other) } else { (other, one) });
            ordered.map(|(one, other)| (About::Two(one.0, other.0), vec![one, other])).collect()
        }
    }
}

struct Builder<'a, 'p> {
    system: &'a System<'p>,
    matter: Matter,
    level: Level,
    predicates: FxHashMap<About, Predicate>,
    clauses: Vec<Clause>,
}

impl Builder<'_, '_> {
    fn predicate(&self, about: About) -> Predicate {
        let (system, pool) = (self.system, self.system.pool);
        let places = match about {
            About::One(one) => vec![one],
            About::Two(one, other) => vec![one, other],
        };
        let ghost = |var: &Var| system.counters.values().any(|counter| counter == var) || system.given == Some(*var);
        let shared = system.shared.iter().copied().filter(|var| ghost(var) || self.matter.shared(*var));
        let mut parameters: Vec<Var> = shared.collect();
        for (copy, &place) in places.iter().enumerate() {
            let locals = system.templates[place.template].locals.iter();
            let own = locals.filter(|&&var| self.matter.local(place, var));
            parameters.extend(own.map(|&var| system.copy(var, copy as Copy)));
        }
        let name = |place: &Place| format!("{}@{}", system.templates[place.template].name, place.location.0);
        Predicate::new(pool, &places.iter().map(name).collect::<Vec<_>>().join("+"), parameters)
    }

    /// The first thread is at its entry, with any values.
    fn start(&mut self) {
        let conclusion = self.predicates[&About::One(self.system.first())].atom;
        self.clauses.push(Clause { premises: self.system.start(), conclusion });
    }

    fn obligation(&mut self, obligation: &Obligation, condition: &Condition) {
        let (system, pool) = (self.system, self.system.pool);
        let mut premises: Vec<Term> = condition.premises.iter().copied().filter(|&term| term != Term::TRUE).collect();
        for (about, copies) in needed(&condition.cast, self.level) {
            let names = copies
                .iter()
                .enumerate()
                .flat_map(|(at, &(place, copy))| system.renaming(place.template, at as Copy, copy).collect::<Vec<_>>());
            premises.push(self.predicates[&about].of(pool, &names.collect::<Substitution>()));
        }
        premises.sort_unstable();
        premises.dedup();
        let Some(goal) = self.predicates.get(&obligation.goal) else {
            // What is known excludes it.
            return;
        };
        let conclusion = condition.before(system, goal.atom);
        if !premises.contains(&conclusion) {
            self.clauses.push(Clause { premises, conclusion });
        }
    }

    fn errors(&mut self) {
        for (template, t) in self.system.templates.iter().enumerate() {
            for &location in &t.errors {
                if let Some(predicate) = self.predicates.get(&About::One(Place { template, location })) {
                    self.clauses.push(Clause { premises: vec![predicate.atom], conclusion: Term::FALSE });
                }
            }
        }
    }
}
