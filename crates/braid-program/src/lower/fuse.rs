//! Smaller automata with the same meaning: steps that do nothing go, steps that nobody observes are fused.
//!
//! A step is *local* if no thread that may run at the same time writes what it reads or touches what it writes: it
//! commutes with everything they do. A location in the middle of `a; b` can go if `a` is local (it can wait for `b`),
//! or if `b` is local and cannot block (it can follow `a` at once). If `b` may block and nothing but completion is a
//! violation, it may follow as well: an execution that blocks is not complete. Loop heads always stay.

use super::graph::{Graph, joined};
use super::{Automaton, Edge};
use crate::cfa::{Location, Origin, Relation, ThreadId};
use braid_logic::{Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// A location is not removed if that makes more edges than this out of fewer.
const MAX_FAN: usize = 4;
/// Fused actions have at most this many steps.
const MAX_STEPS: usize = 64;

/// Who accesses a variable.
#[derive(Default)]
struct Accesses {
    readers: Vec<ThreadId>,
    writers: Vec<ThreadId>,
}

/// Fuses what nobody observes, in all automata. `owners` tells whose instance a local variable belongs to.
pub(super) fn fuse(pool: &TermPool, automata: &mut [Automaton], owners: &FxHashMap<Var, ThreadId>) {
    let concurrent = Concurrency::of(automata);
    let mut accesses: FxHashMap<Var, Accesses> = FxHashMap::default();
    for (number, automaton) in automata.iter().enumerate() {
        for edge in &automaton.edges {
            let relation = Relation::of_steps(pool, &edge.steps);
            // A fork writes, and a join reads, variables of a thread that is not running then: as good as its own access.
            let accessor = |var: &Var| match owners.get(var) {
                Some(&owner) if edge.forks.contains(&owner) || edge.joins.contains(&owner) => owner,
                _ => ThreadId(number as u32),
            };
            relation.reads.iter().for_each(|var| accesses.entry(*var).or_default().readers.push(accessor(var)));
            relation.writes.iter().for_each(|var| accesses.entry(*var).or_default().writers.push(accessor(var)));
        }
    }
    for access in accesses.values_mut() {
        for threads in [&mut access.readers, &mut access.writers] {
            threads.sort_unstable();
            threads.dedup();
        }
    }
    let errors = automata.iter().any(|a| a.locations.iter().any(|location| location.violation.is_some()));
    for (number, automaton) in automata.iter_mut().enumerate() {
        let others = |threads: &[ThreadId]| threads.iter().any(|&t| concurrent.between(ThreadId(number as u32), t));
        let is_local = |relation: &Relation| {
            let mut written = relation.writes.iter().filter_map(|var| accesses.get(var));
            let mut read = relation.reads.iter().filter_map(|var| accesses.get(var));
            written.all(|a| !others(&a.readers) && !others(&a.writers)) && read.all(|a| !others(&a.writers))
        };
        fuse_one(pool, automaton, errors, is_local);
    }
}

/// An edge with what fusing asks about it.
struct Candidate {
    edge: Edge,
    /// Is it local (see the module's description)?
    local: bool,
    /// When it can happen, if that is a matter of the state alone.
    guard: Option<Term>,
}

impl AsRef<Edge> for Candidate {
    fn as_ref(&self) -> &Edge {
        &self.edge
    }
}

fn fuse_one(pool: &TermPool, automaton: &mut Automaton, errors: bool, is_local: impl Fn(&Relation) -> bool) {
    let candidate = |edge: Edge| {
        let relation = Relation::of_steps(pool, &edge.steps);
        let local = edge.forks.is_empty() && edge.joins.is_empty() && is_local(&relation);
        Candidate { edge, local, guard: relation.choices.is_empty().then_some(relation.guard) }
    };
    let edges = std::mem::take(&mut automaton.edges);
    let mut graph = Graph::new(automaton.locations.len(), edges.into_iter().map(candidate));
    let mut work: Vec<Location> = (1..automaton.locations.len() as u32).rev().map(Location).collect();
    while let Some(location) = work.pop() {
        let info = &automaton.locations[location.index()];
        let fixed = location == automaton.entry || location == automaton.exit || info.loop_head;
        if fixed || info.violation.is_some() || !can_go(pool, &graph, location, errors) {
            continue;
        }
        let into: Vec<Candidate> = graph.into[location.index()].clone().into_iter().map(|e| graph.remove(e)).collect();
        let out: Vec<Candidate> = graph.out[location.index()].clone().into_iter().map(|e| graph.remove(e)).collect();
        for before in &into {
            for after in &out {
                graph.add(candidate(joined(&before.edge, &after.edge)));
            }
        }
        work.extend(into.iter().map(|before| before.edge.source));
        work.extend(out.iter().map(|after| after.edge.target));
    }
    automaton.edges = graph.finish().map(|candidate| candidate.edge).collect();
}

/// May the edges through a location be fused?
fn can_go(pool: &TermPool, graph: &Graph<Candidate>, location: Location, errors: bool) -> bool {
    let (ins, outs) = (graph.incoming(location).count(), graph.outgoing(location).count());
    let (Some(before), Some(after)) = (
        graph.incoming(location).map(|candidate| candidate.edge.steps.len()).max(),
        graph.outgoing(location).map(|candidate| candidate.edge.steps.len()).max(),
    ) else {
        return false;
    };
    let loops = graph.incoming(location).any(|candidate| candidate.edge.source == location);
    if loops || ins * outs > MAX_FAN.max(ins + outs) || before + after > MAX_STEPS {
        return false;
    }
    let cannot_block = || {
        let guards: Option<Vec<Term>> = graph.outgoing(location).map(|candidate| candidate.guard).collect();
        guards.is_some_and(|guards| pool.or(guards) == Term::TRUE)
    };
    graph.incoming(location).all(|candidate| candidate.local)
        || (graph.outgoing(location).all(|candidate| candidate.local) && (!errors || cannot_block()))
}

/// Which threads can run at the same time, by how they came to life.
struct Concurrency {
    origins: Vec<Origin>,
}

impl Concurrency {
    fn of(automata: &[Automaton]) -> Concurrency {
        Concurrency { origins: automata.iter().map(|automaton| automaton.origin).collect() }
    }

    /// The chain of ancestors of a thread, itself first.
    fn chain(&self, thread: ThreadId) -> Vec<ThreadId> {
        let mut chain = vec![thread];
        while let Origin::Branch { parent, .. } | Origin::Forked { parent } =
            self.origins[chain[chain.len() - 1].index()]
        {
            chain.push(parent);
        }
        chain
    }

    /// May the two run at the same time? Ancestors wait for the branches of their `par`s, and branches of different
    /// `par`s of one thread follow each other; whatever was forked lives on by itself.
    fn between(&self, a: ThreadId, b: ThreadId) -> bool {
        if a == b {
            return false;
        }
        let (mut first, mut second) = (self.chain(a), self.chain(b));
        while first.last() == second.last() && !first.is_empty() {
            first.pop();
            second.pop();
        }
        let forked = |thread: &ThreadId| matches!(self.origins[thread.index()], Origin::Forked { .. });
        if first.iter().chain(&second).any(forked) {
            return true;
        }
        match (first.last(), second.last()) {
            (Some(x), Some(y)) => self.origins[x.index()] == self.origins[y.index()],
            // One is the other's ancestor, and waits for it.
            _ => false,
        }
    }
}
