//! Proofs in the manner of Owicki and Gries (1976): at each location of each thread an annotation, over the program's variables and ghost variables that say where
//! the threads are. No theory of reductions is needed.
//!
//! The ghost variable `#at.t` is the location of thread `t`, 0 if it is not started; every action keeps it up to date. The annotations are a proof if
//!
//! 1. that of the first thread's entry holds at the start;
//! 2. each action leads from the annotation before it to the one behind it, and to those at the entries of threads that it starts;
//! 3. no action breaks an annotation of another thread (*interference freedom*), given both annotations;
//! 4. the annotations of error locations cannot hold.
//!
//! Then by induction over an execution, each thread's annotation holds wherever it is, and so no error location is reached.

use crate::certificate::Annotation;
use crate::{Checked, Refusal, ghost};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Answer, Solver, Sort, Term, TermPool, Var};
use braid_program::cfa::{Action, Location, Program, Relation, ThreadId};
use rustc_hash::FxHashMap;

/// The ghost variable for the location of a thread.
pub fn location_of(program: &Program<'_>, thread: ThreadId) -> Var {
    let is_own = |var: Var| program.variables.iter().any(|variable| variable.var == var);
    ghost(program.pool, &format!("#at.{}", program.thread(thread).name), Sort::INT, is_own)
}

/// Checks the annotations of a program.
pub(crate) fn check<'p>(
    program: &Program<'p>,
    solver: Solver<'p>,
    annotations: &[Annotation],
    goes_on: &dyn Fn() -> bool,
) -> Result<Checked, Refusal> {
    let ghosts: Vec<Var> = program.thread_ids().map(|thread| location_of(program, thread)).collect();
    let mut at: FxHashMap<(ThreadId, Location), Term> = FxHashMap::default();
    for one in annotations {
        let locations = program.threads.get(one.thread.index()).map_or(0, |thread| thread.locations.len());
        if !(1..locations).contains(&one.location.index()) {
            return Err(Refusal::new("An annotation is at a location that there is not."));
        }
        let term = formula(program, &ghosts, &one.formula)?;
        if at.insert((one.thread, one.location), term).is_some() {
            return Err(Refusal::new("A location has two annotations."));
        }
    }
    let mut checker = Checker { program, solver, ghosts, at, checked: Checked::default() };
    checker.start()?;
    checker.errors()?;
    for action in &program.actions {
        if !goes_on() {
            return Err(Refusal::Stopped);
        }
        checker.action(action)?;
    }
    checker.checked.states = annotations.len() as u64;
    checker.checked.queries = checker.solver.statistics().queries;
    Ok(checker.checked)
}

/// An annotation out of its text: over the program's variables and the ghost variables.
fn formula(program: &Program<'_>, ghosts: &[Var], text: &str) -> Result<Term, Refusal> {
    let pool = program.pool;
    let wrong = |why: String| Refusal::new(format!("Annotation {text}: {why}."));
    let term = parse_term(pool, text, &PoolScope(pool)).map_err(|error| wrong(error.to_string()))?;
    if pool.sort_of(term) != Sort::BOOL {
        return Err(wrong("not a formula".into()));
    }
    let own = |var: &Var| ghosts.contains(var) || program.variables.iter().any(|variable| variable.var == *var);
    match pool.free_vars(term).iter().find(|var| !own(var)) {
        Some(&other) => Err(wrong(format!("{} is no variable of the program", pool.var_name(other)))),
        None => Ok(term),
    }
}

struct Checker<'a, 'p> {
    program: &'a Program<'p>,
    solver: Solver<'p>,
    ghosts: Vec<Var>,
    at: FxHashMap<(ThreadId, Location), Term>,
    checked: Checked,
}

impl Checker<'_, '_> {
    fn pool(&self) -> &TermPool {
        self.program.pool
    }

    /// The annotation of a location, and that the thread is there.
    fn known(&self, thread: ThreadId, location: Location) -> Term {
        let annotation = self.at.get(&(thread, location)).copied().unwrap_or(Term::TRUE);
        self.pool().and([annotation, self.is_at(thread, location)])
    }

    fn is_at(&self, thread: ThreadId, location: Location) -> Term {
        let pool = self.pool();
        pool.eq(pool.of_var(self.ghosts[thread.index()]), pool.int(i64::from(location.0)))
    }

    fn follows(&mut self, premises: &[Term], conclusion: Term, why: impl FnOnce() -> String) -> Result<(), Refusal> {
        self.checked.steps += 1;
        if conclusion == Term::TRUE {
            return Ok(());
        }
        let query: Vec<Term> = premises.iter().copied().chain([self.pool().not(conclusion)]).collect();
        match self.solver.decide(&query) {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(Refusal::new(why())),
            Answer::Unknown => Err(Refusal::new(format!("{} (The solver does not know.)", why()))),
        }
    }

    fn start(&mut self) -> Result<(), Refusal> {
        let entry = self.program.thread(ThreadId::MAIN).entry;
        let places = self.program.initial_state();
        let start: Vec<Term> =
            self.program.thread_ids().map(|thread| self.is_at(thread, places.location(thread))).collect();
        let first = self.at.get(&(ThreadId::MAIN, entry)).copied().unwrap_or(Term::TRUE);
        self.follows(&start, first, || "The first annotation does not hold at the start.".into())
    }

    fn errors(&mut self) -> Result<(), Refusal> {
        let program = self.program;
        for id in program.thread_ids() {
            let thread = program.thread(id);
            for location in (0..thread.locations.len() as u32).map(Location) {
                let is_end = program.completion_is_violation && id == ThreadId::MAIN && location == thread.exit;
                if thread.locations[location.index()].violation.is_some() || is_end {
                    let here = self.known(id, location);
                    self.follows(&[here], Term::FALSE, || format!("Thread {} may be at an error.", thread.name))?;
                }
            }
        }
        Ok(())
    }

    /// Rules 2 and 3.
    fn action(&mut self, action: &Action) -> Result<(), Refusal> {
        let (program, pool) = (self.program, self.program.pool);
        let relation = self.with_ghosts(action);
        let known = self.known(action.thread, action.source);
        let premises = [known, relation.guard];
        let line = program.sources.position(action.span).line;
        let name = &program.thread(action.thread).name;
        let entries = action.forks.iter().map(|&child| (child, program.thread(child).entry));
        for (thread, location) in entries.chain([(action.thread, action.target)]).collect::<Vec<_>>() {
            let behind = self.at.get(&(thread, location)).copied().unwrap_or(Term::TRUE);
            self.follows(&premises, relation.before(pool, behind), || {
                format!("The annotation behind line {line} of thread {name} does not follow.")
            })?;
        }
        let mut others: Vec<(ThreadId, Location)> = self.at.keys().copied().collect();
        others.sort_unstable();
        for (other, location) in others {
            if other == action.thread || action.forks.contains(&other) || action.joins.contains(&other) {
                continue;
            }
            let annotation = self.at[&(other, location)];
            let theirs = self.known(other, location);
            self.follows(&[known, relation.guard, theirs], relation.before(pool, annotation), || {
                let interfered = &program.thread(other).name;
                format!("Line {line} of thread {name} may break what thread {interfered} relies on.")
            })?;
        }
        Ok(())
    }

    /// What an action does, to ghost variables too.
    fn with_ghosts(&self, action: &Action) -> Relation {
        let (program, pool) = (self.program, self.program.pool);
        let relation = action.relation(pool);
        let mut guards = vec![relation.guard];
        let mut updates = relation.updates.clone();
        let joined = action.joins.iter().map(|&child| (child, program.thread(child).exit, Location::NOT_STARTED));
        let forked = action.forks.iter().map(|&child| (child, Location::NOT_STARTED, program.thread(child).entry));
        for (thread, from, to) in joined.chain(forked).chain([(action.thread, action.source, action.target)]) {
            guards.push(self.is_at(thread, from));
            updates.push((self.ghosts[thread.index()], pool.int(i64::from(to.0))));
        }
        updates.sort_unstable_by_key(|(var, _)| *var);
        Relation { guard: pool.and(guards), updates, ..relation.clone() }
    }
}
