//! `locks`: a proof that there is no deadlock, by the order in which threads take locks.
//!
//! A *place* is a location where a thread can wait. At its place `p` a thread of `S` holds some locks and wants others; the end of a
//! thread is like a lock that it holds as long as it lives, and that whoever joins it wants. A place *needs* another one, of another
//! thread, if it wants what the thread holds there; it needs itself if it wants a lock that its own thread holds, or its own end.
//!
//! *Claim*: if there is a deadlock in a reachable state, there is a cycle of needs that passes each thread at most once. For let `t` be a member of `S`.
//! It wants a lock `L` that is not 0, or the end of a live thread in `S`. By the invariant of `held`, `L` names a thread that may hold it where it is.
//! That thread is a member of `S`, because nobody ends with a lock. So every member needs another one (or itself),
//! and going on from one to the next leads to a cycle.
//!
//! Cycles that cannot be are left out: two threads cannot hold the same lock at once (a *gate*), and a thread that is not live does not wait.
//! What cannot be said in this way (semaphores, condition variables, a lock that is not released) is left to other engines.

use super::held::{LockId, Locks, base, holds_if, mark};
use super::live::Live;
use crate::proof::texts;
use crate::{Argument, Control, Engine, Outcome, Reason, Statistics, Task, Verdict, Waiting};
use braid_logic::Var;
use braid_program::cfa::{Action, Location, Program, StepKind, ThreadId};
use braid_program::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Ways that are tried before it is given up to show that no cycle can be.
const MOST_WAYS: usize = 100_000;

/// The engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LockOrder;

impl Engine for LockOrder {
    fn name(&self) -> &'static str {
        "locks"
    }

    fn verify(&self, task: &Task<'_, '_>, _: &Control) -> Outcome {
        let verdict = match prove(task.program) {
            Ok(argument) => task.safe(argument),
            Err(why) => Verdict::Unknown(Reason::Incomplete(why)),
        };
        Outcome { verdict, statistics: Statistics::default() }
    }
}

/// A location where a thread can wait.
struct WaitingPlace {
    thread: ThreadId,
    location: Location,
    /// The locks that it may hold, and those that it surely holds.
    may: BTreeSet<LockId>,
    must: BTreeSet<LockId>,
    locks: BTreeSet<LockId>,
    ends: BTreeSet<ThreadId>,
    /// Does it want a lock again that it may hold and that does not let its owner pass, or its own end?
    again: bool,
}

impl WaitingPlace {
    fn waiting(&self) -> Waiting {
        let numbers = |locks: &BTreeSet<LockId>| locks.iter().map(|lock| lock.0).collect();
        let (thread, location) = (self.thread, self.location);
        let (holds, wants) = (numbers(&self.may), numbers(&self.locks));
        Waiting { thread, location, holds, wants, joins: self.ends.iter().copied().collect() }
    }
}

pub(super) fn prove(program: &Program<'_>) -> Result<Argument, String> {
    if !program.deadlock_is_violation {
        return Err("there is no question of deadlocks".into());
    }
    if program.has_assertions() || program.threads.iter().any(has_bound) {
        return Err("there is more to show than that nobody waits for ever".into());
    }
    let at = |span: Span| format!("line {}", program.sources.position(span).line);
    let locks = Locks::of(program);
    if let Some((why, span)) = locks.odd {
        return Err(format!("the order of locks does not tell: {why}, in {}", at(span)));
    }
    if let Some(var) = uninitialised(program, &locks) {
        return Err(format!("a lock may be used before it is free: {}", program.pool.var_name(var)));
    }
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        if let Some(&lock) = locks.held(id, thread.exit).first() {
            let lock = program.pool.infix(locks.terms[lock.0 as usize]);
            return Err(format!("thread {} may end without giving back {lock}", thread.name));
        }
    }
    let places = places(program, &locks);
    let many = program.threads.iter().any(|thread| thread.template.is_some());
    let mut search = Search { places: &places, live: Live::of(program), many, ways: 0 };
    match search.cycle() {
        Some(false) => {
            let places = places.iter().map(WaitingPlace::waiting).collect();
            Ok(Argument::LockOrder { locks: texts(program.pool, locks.terms), places })
        }
        Some(true) => Err("locks are taken in different orders".into()),
        None => Err("there are too many orders of locks to look at".into()),
    }
}

fn has_bound(thread: &braid_program::cfa::Thread) -> bool {
    thread.locations.iter().any(|location| location.violation.is_some())
}

fn places(program: &Program<'_>, locks: &Locks) -> Vec<WaitingPlace> {
    let mut places = Vec::new();
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        for location in (0..thread.locations.len() as u32).map(Location) {
            let (mut wanted, mut ends, mut again) = (BTreeSet::new(), BTreeSet::new(), false);
            let may = locks.held(id, location);
            for action in thread.outgoing(location).iter().map(|&action| program.action(action)) {
                ends.extend(action.joins.iter().copied());
                again |= action.joins.contains(&id);
                for (lock, test) in locks.wanted(program.pool, action) {
                    let own = mark(program, id).map(|mark| program.pool.eq(locks.terms[lock.0 as usize], mark));
                    let passes = own.is_some_and(|own| holds_if(program.pool, test, own));
                    again |= may.contains(&lock) && !passes;
                    wanted.insert(lock);
                }
            }
            if !wanted.is_empty() || !ends.is_empty() {
                let must = locks.surely(id, location);
                places.push(WaitingPlace { thread: id, location, may: may.clone(), must, locks: wanted, ends, again });
            }
        }
    }
    places
}

/// A lock that may be waited for before it has a first value: the first thread gives it one before it starts others, at the latest in the
/// action that starts them.
fn uninitialised(program: &Program<'_>, locks: &Locks) -> Option<Var> {
    let bases: FxHashSet<Var> = locks.terms.iter().map(|&term| base(program.pool, term)).collect();
    let main = program.thread(ThreadId::MAIN);
    // What may be without a value, forwards.
    let mut open: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); main.locations.len()];
    open[main.entry.index()] = bases.clone();
    let own: Vec<_> = program.actions.iter().filter(|action| action.thread == ThreadId::MAIN).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for action in &own {
            let left = still_open(program, action, open[action.source.index()].clone());
            let target = &mut open[action.target.index()];
            let before = target.len();
            target.extend(left);
            changed |= target.len() > before;
        }
    }
    let early = own.iter().flat_map(|action| {
        let before = &open[action.source.index()];
        let waits = locks.wanted(program.pool, action).next().is_some();
        let waited = before.iter().copied().filter(move |_| waits);
        let started = Some(action).filter(|action| !action.forks.is_empty());
        waited.chain(started.into_iter().flat_map(|action| still_open(program, action, before.clone())))
    });
    early.min()
}

/// What is still without a value after an action.
fn still_open(program: &Program<'_>, action: &Action, mut open: FxHashSet<Var>) -> FxHashSet<Var> {
    for step in &action.steps {
        if let StepKind::Assign(assignments) = &step.kind {
            for (var, _) in assignments.iter().filter(|(var, value)| is_closed(program, *var, *value)) {
                open.remove(var);
            }
        }
    }
    open
}

/// Does the value say all of the variable?
fn is_closed(program: &Program<'_>, var: Var, value: braid_logic::Term) -> bool {
    !program.pool.free_vars(value).contains(&var)
}

/// Looks for a cycle of places that need each other.
struct Search<'a> {
    places: &'a [WaitingPlace],
    live: Live,
    /// Are there templates? Then nothing says who of many threads can be where at the same time.
    many: bool,
    ways: usize,
}

impl Search<'_> {
    /// Is there a cycle that can be? None if that takes too long to find out.
    fn cycle(&mut self) -> Option<bool> {
        if self.places.iter().any(|place| place.again) {
            return Some(true);
        }
        if !self.resources_have_cycle() {
            return Some(false);
        }
        if self.many {
            return Some(true);
        }
        for first in 0..self.places.len() {
            if self.extend(&mut vec![first])? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Can a way from place to place be closed? Its first place is the one with the least thread.
    fn extend(&mut self, way: &mut Vec<usize>) -> Option<bool> {
        self.ways += 1;
        if self.ways > MOST_WAYS {
            return None;
        }
        let places = self.places;
        let (first, last) = (&places[way[0]], &places[way[way.len() - 1]]);
        if way.len() > 1 && needs(last, first) {
            return Some(true);
        }
        for (number, next) in places.iter().enumerate().filter(|(_, next)| next.thread > first.thread) {
            let fits = |&other: &usize| self.together(&places[other], next);
            if needs(last, next) && way.iter().all(fits) {
                way.push(number);
                let closed = self.extend(way)?;
                way.pop();
                if closed {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Can two threads be at these places at the same time?
    fn together(&self, a: &WaitingPlace, b: &WaitingPlace) -> bool {
        let beside = |main: &WaitingPlace, other: &WaitingPlace| {
            main.thread != ThreadId::MAIN || self.live.beside_main(main.location, other.thread)
        };
        a.thread != b.thread && a.must.is_disjoint(&b.must) && beside(a, b) && beside(b, a)
    }

    /// Is there a cycle at all of what is held and what is wanted? Quick to see, and enough for most programs without one.
    fn resources_have_cycle(&self) -> bool {
        let mut left: Vec<bool> = vec![true; self.places.len()];
        loop {
            // A place whose wants nobody who is left holds cannot be on a cycle.
            let is_needed = |place: &WaitingPlace| {
                self.places
                    .iter()
                    .zip(&left)
                    .any(|(other, &left)| left && other.thread != place.thread && needs(place, other))
            };
            let next: Vec<bool> =
                self.places.iter().zip(&left).map(|(place, &left)| left && is_needed(place)).collect();
            if next == left {
                return left.contains(&true);
            }
            left = next;
        }
    }
}

/// Does the first place want something that the second one holds?
fn needs(place: &WaitingPlace, other: &WaitingPlace) -> bool {
    place.ends.contains(&other.thread) || !place.locks.is_disjoint(&other.may)
}
