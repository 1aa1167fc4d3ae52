//! Larger actions: a location goes where nobody can tell that a thread stops there (Lipton's reduction).
//!
//! An edge is a *right mover* if whatever another thread does next could as well have been done before it, and a *left
//! mover* if it could as well have happened before whatever another thread did last. A location in the middle of `a; b`
//! can go if every `a` is a right mover: it can wait for `b`, and if `b` never comes, others do without `a`. It can also go
//! if every `b` is a left mover and one of them can always happen: it can follow `a` at once, and where it did not come
//! it can be added without harm. If nothing but completion is a violation, the `b`s may block: an execution that
//! blocks is not complete. Loop heads always stay, so every cycle keeps a location.
//!
//! Two edges `e` and `f` of different threads *conflict* if one writes what the other reads or writes. Edges that do not
//! conflict can change places. Those that do need not, if they never follow each other:
//!
//! * because their threads are not there at the same time (`concurrency`);
//! * because of a lock (`locks`): `e; f` cannot be if `f` needs a lock that the thread of `e` holds after `e`, or if `e`
//!   needs a lock that the thread of `f` holds at the source of `f`. An edge *needs* the locks that its thread holds, and
//!   those that it tests to be free.
//!
//! So taking a lock is a right mover, giving it back a left mover, and what is done to guarded variables in between is both:
//! a critical section becomes one action. An edge that starts a thread is no right mover (the thread may go on at once), and
//! one that joins a thread is no left mover (the thread may just have ended); otherwise starting and joining are
//! like any other step, since a thread has one parent and is joined once.
//!
//! *Deadlocks.* Where a deadlock is a violation, locations at which a thread can wait stay, and nothing blocks that comes after a
//! removed location. Nothing is tested in an action after a join, or after a decision not to wait. Take a deadlock of the threads `S` in an execution before fusing. Members of `S` stand where they wait,
//! and those locations stay. Another thread may stand in the middle of `a; b`. If all `a` are right movers, `a` is left out: it
//! did nothing to what members of `S` wait for, as they wait for each other or for threads that have ended. Otherwise `b` is
//! added, and no step of others ends a deadlock. So the same threads wait for each other after fusing. The other way is
//! easier: an execution after fusing is one before, and who waits at a location waits there before.
//!
//! Threads are treated one after the other. Each sees the others as they are by then: what is known of locations (who is
//! there, which locks are held) stays true when executions get fewer, and what an edge touches is computed anew.

use super::concurrency::{Concurrency, Threads};
use super::graph::{Graph, can_join, joined};
use super::locks::{LockSet, LockUse, Locks};
use super::{Automaton, Edge};
use crate::cfa::{Location, Relation, Step, StepKind, ThreadId};
use braid_logic::{Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// A location is not removed if that makes more edges than this out of fewer.
const MAX_FAN: usize = 4;
/// Of more ways through a location than this it is not asked which can happen.
const MAX_WAYS: usize = 64;
/// Fused actions have at most this many steps.
const MAX_STEPS: usize = 64;

/// Fuses what nobody observes, in all automata.
pub(super) fn fuse(pool: &TermPool, automata: &mut [Automaton], waits: bool) {
    let concurrency = Concurrency::of(automata);
    let locks = Locks::of(pool, automata, &concurrency);
    let errors = waits || automata.iter().any(|a| a.locations.iter().any(|location| location.violation.is_some()));
    let mut others = Others::of(pool, automata, &concurrency, &locks);
    for (number, automaton) in automata.iter_mut().enumerate() {
        let thread = ThreadId(number as u32);
        let mut fusing =
            Fusing { pool, thread, errors, waits, concurrency: &concurrency, locks: &locks, others: &others };
        let fused = fusing.run(automaton);
        others.replace(thread, fused);
    }
}

/// What other threads must know of an edge.
struct Neighbour {
    thread: ThreadId,
    /// Who may be there when it happens.
    there: Threads,
    /// The locks that are held before, that are needed, and that are held after it.
    held: LockSet,
    needed: LockSet,
    after: LockSet,
    reads: Vec<Var>,
    writes: Vec<Var>,
}

/// The edges of all threads by what they touch.
struct Others {
    edges: Vec<Neighbour>,
    readers: FxHashMap<Var, Vec<usize>>,
    writers: FxHashMap<Var, Vec<usize>>,
}

impl Others {
    fn of(pool: &TermPool, automata: &[Automaton], concurrency: &Concurrency, locks: &Locks) -> Others {
        let mut others = Others { edges: Vec::new(), readers: FxHashMap::default(), writers: FxHashMap::default() };
        for (number, automaton) in automata.iter().enumerate() {
            let thread = ThreadId(number as u32);
            for edge in &automaton.edges {
                let relation = Relation::of_steps(pool, &edge.steps);
                let used = locks.used(pool, &relation);
                others.add(neighbour(concurrency, locks, thread, edge, used, relation));
            }
        }
        others
    }

    fn add(&mut self, edge: Neighbour) {
        let number = self.edges.len();
        edge.reads.iter().for_each(|var| self.readers.entry(*var).or_default().push(number));
        edge.writes.iter().for_each(|var| self.writers.entry(*var).or_default().push(number));
        self.edges.push(edge);
    }

    /// The edges of a thread are other ones now.
    fn replace(&mut self, thread: ThreadId, edges: Vec<Neighbour>) {
        let kept = std::mem::take(&mut self.edges).into_iter().filter(|edge| edge.thread != thread);
        (self.readers, self.writers) = (FxHashMap::default(), FxHashMap::default());
        kept.chain(edges).for_each(|edge| self.add(edge));
    }

    /// The edges that conflict with one that reads and writes these variables; some more than once.
    fn conflicts<'a>(&'a self, reads: &'a [Var], writes: &'a [Var]) -> impl Iterator<Item = &'a Neighbour> {
        let read = reads.iter().filter_map(|var| self.writers.get(var));
        let written = writes.iter().flat_map(|var| [self.writers.get(var), self.readers.get(var)]).flatten();
        read.chain(written).flatten().map(|&number| &self.edges[number])
    }
}

fn neighbour(
    concurrency: &Concurrency,
    locks: &Locks,
    thread: ThreadId,
    edge: &Edge,
    used: LockUse,
    relation: Relation,
) -> Neighbour {
    let held = locks.held(thread, edge.source);
    Neighbour {
        thread,
        there: concurrency.during(thread, edge),
        held,
        needed: held | used.tests,
        after: used.after(held),
        reads: relation.reads,
        writes: relation.writes,
    }
}

/// An edge with what fusing asks about it.
struct Candidate {
    edge: Edge,
    used: LockUse,
    right_mover: bool,
    left_mover: bool,
    /// When it can happen, if that is a matter of the state alone, and not of what it chooses.
    guard: Option<Term>,
}

impl AsRef<Edge> for Candidate {
    fn as_ref(&self) -> &Edge {
        &self.edge
    }
}

/// Fusing one automaton.
struct Fusing<'a> {
    pool: &'a TermPool,
    thread: ThreadId,
    /// Is there a violation other than completion?
    errors: bool,
    /// Is a deadlock a violation?
    waits: bool,
    concurrency: &'a Concurrency,
    locks: &'a Locks,
    others: &'a Others,
}

impl Fusing<'_> {
    /// Fuses, and gives what others must know of the new edges.
    fn run(&mut self, automaton: &mut Automaton) -> Vec<Neighbour> {
        let edges = std::mem::take(&mut automaton.edges);
        let candidates = edges.into_iter().map(|edge| {
            let relation = Relation::of_steps(self.pool, &edge.steps);
            let used = self.locks.used(self.pool, &relation);
            self.candidate(edge, used, relation)
        });
        let mut graph = Graph::new(automaton.locations.len(), candidates);
        let mut work: Vec<Location> = (1..automaton.locations.len() as u32).rev().map(Location).collect();
        while let Some(location) = work.pop() {
            let info = &automaton.locations[location.index()];
            let fixed = location == automaton.entry || location == automaton.exit || info.loop_head;
            if fixed
                || self.waits && matters(&graph, location)
                || info.violation.is_some()
                || !self.can_go(&graph, location)
            {
                continue;
            }
            let into: Vec<Candidate> =
                graph.into[location.index()].clone().into_iter().map(|e| graph.remove(e)).collect();
            let out: Vec<Candidate> =
                graph.out[location.index()].clone().into_iter().map(|e| graph.remove(e)).collect();
            for before in &into {
                for after in &out {
                    let edge = joined(&before.edge, &after.edge);
                    let relation = Relation::of_steps(self.pool, &edge.steps);
                    if relation.guard == Term::FALSE && !self.waits {
                        continue;
                    }
                    graph.add(self.candidate(edge, before.used.then(after.used), relation));
                }
            }
            work.extend(into.iter().map(|before| before.edge.source));
            work.extend(out.iter().map(|after| after.edge.target));
        }
        let (mut edges, mut known) = (Vec::new(), Vec::new());
        for Candidate { edge, used, .. } in graph.finish() {
            let relation = Relation::of_steps(self.pool, &edge.steps);
            known.push(neighbour(self.concurrency, self.locks, self.thread, &edge, used, relation));
            edges.push(edge);
        }
        automaton.edges = edges;
        known
    }

    fn candidate(&self, edge: Edge, used: LockUse, relation: Relation) -> Candidate {
        let chosen = self.pool.free_vars(relation.guard).iter().any(|var| relation.choices.contains(var));
        let guard = (!chosen).then_some(relation.guard);
        let own = neighbour(self.concurrency, self.locks, self.thread, &edge, used, relation);
        let met = |other: &&Neighbour| own.there.contains(other.thread) && other.there.contains(self.thread);
        let (mut right_mover, mut left_mover) = (edge.forks.is_empty(), edge.joins.is_empty());
        for other in self.others.conflicts(&own.reads, &own.writes).filter(met) {
            right_mover &= cannot_follow(&own, other);
            left_mover &= cannot_follow(other, &own);
            if !right_mover && !left_mover {
                break;
            }
        }
        Candidate { edge, used, right_mover, left_mover, guard }
    }

    /// Are there few ways through a location? Where one test follows another, most ways may be none.
    fn is_narrow(&self, graph: &Graph<Candidate>, location: Location) -> bool {
        let (ins, outs) = (graph.into[location.index()].len(), graph.out[location.index()].len());
        let most = MAX_FAN.max(ins + outs);
        if ins * outs <= most || self.waits || ins * outs > MAX_WAYS {
            return ins * outs <= most;
        }
        let happens = |before: &Candidate, after: &Candidate| {
            let steps: Vec<Step> = before.edge.steps.iter().chain(&after.edge.steps).cloned().collect();
            Relation::of_steps(self.pool, &steps).guard != Term::FALSE
        };
        let ways =
            graph.incoming(location).flat_map(|before| graph.outgoing(location).map(move |after| (before, after)));
        ways.filter(|(before, after)| happens(before, after)).take(most + 1).count() <= most
    }

    /// May the edges through a location be fused?
    fn can_go(&self, graph: &Graph<Candidate>, location: Location) -> bool {
        let (Some(before), Some(after)) = (
            graph.incoming(location).map(|candidate| candidate.edge.steps.len()).max(),
            graph.outgoing(location).map(|candidate| candidate.edge.steps.len()).max(),
        ) else {
            return false;
        };
        let loops = graph.incoming(location).any(|candidate| candidate.edge.source == location);
        if loops || before + after > MAX_STEPS || !self.is_narrow(graph, location) {
            return false;
        }
        let fits = |after: &Candidate| graph.incoming(location).all(|before| can_join(&before.edge, &after.edge));
        if !graph.outgoing(location).all(fits) {
            return false;
        }
        let cannot_block = || {
            let guards: Option<Vec<Term>> = graph.outgoing(location).map(|candidate| candidate.guard).collect();
            guards.is_some_and(|guards| self.pool.or(guards) == Term::TRUE)
        };
        graph.incoming(location).all(|candidate| candidate.right_mover)
            || (graph.outgoing(location).all(|candidate| candidate.left_mover) && (!self.errors || cannot_block()))
    }
}

/// Can a deadlock depend on the location? A thread may wait there; or it tests something there after it joined another thread, or after it
/// decided against waiting: an action that fails at such a test would make the thread wait for what it did not choose.
fn matters(graph: &Graph<Candidate>, location: Location) -> bool {
    let is_test = |step: &Step| !matches!(step.kind, StepKind::Assign(_) | StepKind::Havoc(_));
    let tests = || graph.outgoing(location).any(|candidate| candidate.edge.steps.iter().any(is_test));
    let decides = |candidate: &Candidate| {
        let first = |candidate: &Candidate| candidate.edge.steps.first().cloned();
        let same = |other: &Candidate| first(other) == first(candidate);
        let source = candidate.edge.source;
        graph.outgoing(source).any(|other| other.edge.waits()) && !graph.outgoing(source).all(same)
    };
    let is_late = |candidate: &Candidate| !candidate.edge.joins.is_empty() || decides(candidate);
    graph.outgoing(location).any(|candidate| candidate.edge.waits()) || tests() && graph.incoming(location).any(is_late)
}

/// Can the second edge, of another thread, not happen right after the first, because of a lock?
fn cannot_follow(first: &Neighbour, second: &Neighbour) -> bool {
    first.after & second.needed != 0 || first.needed & second.held != 0
}
