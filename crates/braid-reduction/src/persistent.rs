//! Weakly persistent membranes (paper 1, Definitions 6.1 and 6.3, Algorithm 1) with a compatible order (section 6.2), for threads that
//! start and end.
//!
//! At a state, a set of threads `E` is chosen whose enabled actions are explored; everything else is pruned. `E` is closed:
//! with a thread it contains every thread that it conflicts with, that it may have to wait for, and that has a preferred
//! action, which makes the order compatible; and it contains a thread that must move in every accepted word.
//!
//! Two things differ from the paper's fixed set of threads. What a thread may still do includes what the threads may do that it may
//! still fork. And what can happen only after thread *i* has ended (behind a join of it) is no conflict for *i*:
//! the word has passed through the enabled actions of *i* by then.
//! Only unconditional commutativity is used here: conditional commutativity would be unsound (section 7.2).

use crate::target::Target;
use braid_logic::BitSet;
use braid_program::cfa::{ActionId, Location, Origin, ProductState, Program, ThreadId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Chooses membranes for the states of one program and one target.
pub struct PersistentSets {
    target: Target,
    /// What a thread may still do from a location before the other thread has ended.
    reach: FxHashMap<(ThreadId, Location, ThreadId), Rc<BitSet>>,
    conflicts: FxHashMap<(ThreadId, Location, ThreadId, Location), bool>,
}

impl PersistentSets {
    /// Membranes relative to what is looked for.
    pub fn new(target: Target) -> PersistentSets {
        PersistentSets { target, reach: FxHashMap::default(), conflicts: FxHashMap::default() }
    }

    /// Those of the enabled actions, which stand in order of preference, that form a membrane. `commute` is asked about every state at once.
    pub fn membrane(
        &mut self,
        mut commute: impl FnMut(ActionId, ActionId) -> bool,
        program: &Program<'_>,
        state: &ProductState,
        enabled: &[ActionId],
    ) -> Vec<ActionId> {
        let threads: Vec<ThreadId> =
            program.thread_ids().filter(|&t| !program.thread(t).outgoing(state.location(t)).is_empty()).collect();
        // The places of each thread's first and last action in the order of preference.
        let mut places: FxHashMap<ThreadId, (usize, usize)> = FxHashMap::default();
        for (place, &action) in enabled.iter().enumerate() {
            places.entry(program.action(action).thread).or_insert((place, place)).1 = place;
        }
        if places.len() < 2 {
            return enabled.to_vec();
        }
        // The threads that must be chosen with each thread, as far as it was asked for.
        let mut companions: Vec<Option<Vec<ThreadId>>> = vec![None; program.threads.len()];
        let mut best: Option<(usize, Vec<bool>)> = None;
        for start in self.must_move(program, state) {
            let mut chosen = vec![false; program.threads.len()];
            let mut work = vec![start];
            while let Some(thread) = work.pop() {
                if std::mem::replace(&mut chosen[thread.index()], true) {
                    continue;
                }
                let with = companions[thread.index()].get_or_insert_with(|| {
                    let last = places.get(&thread).map(|(_, last)| *last);
                    let preferred =
                        |other| last.is_some_and(|last| places.get(&other).is_some_and(|(first, _)| *first < last));
                    let mut with = waits_for(program, state, thread);
                    with.extend(threads.iter().copied().filter(|&other| {
                        other != thread
                            && (preferred(other) || self.conflict(&mut commute, program, state, thread, other))
                    }));
                    with
                });
                work.extend(with.iter().copied().filter(|other| !chosen[other.index()]));
            }
            let size = enabled.iter().filter(|&&a| chosen[program.action(a).thread.index()]).count();
            if best.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
                best = Some((size, chosen));
            }
        }
        match best {
            Some((_, chosen)) => {
                enabled.iter().copied().filter(|&a| chosen[program.action(a).thread.index()]).collect()
            }
            // Nothing can lead to the target any more: whatever is pruned, no accepted word is lost.
            None => Vec::new(),
        }
    }

    /// Is there a membrane of some of these threads? Which actions are preferred does not matter here: whoever follows all actions of a
    /// membrane, and lets nothing sleep but what is followed, loses no word.
    pub fn has_membrane(
        &mut self,
        mut commute: impl FnMut(ActionId, ActionId) -> bool,
        program: &Program<'_>,
        state: &ProductState,
        mut chosen: Vec<ThreadId>,
    ) -> bool {
        let must_move = self.must_move(program, state);
        let moves = |thread: &ThreadId| !program.thread(*thread).outgoing(state.location(*thread)).is_empty();
        let threads: Vec<ThreadId> = program.thread_ids().filter(moves).collect();
        chosen.retain(moves);
        // What is left at the end is the largest set that is closed.
        while must_move.iter().any(|thread| chosen.contains(thread)) {
            let open = chosen.iter().position(|&thread| {
                let outside = |other: &ThreadId| *other != thread && !chosen.contains(other);
                waits_for(program, state, thread).iter().any(outside)
                    || threads
                        .iter()
                        .filter(|other| outside(other))
                        .any(|&other| self.conflict(&mut commute, program, state, thread, other))
            });
            match open {
                Some(place) => _ = chosen.remove(place),
                None => return true,
            }
        }
        // Nothing leads to the target any more.
        must_move.is_empty()
    }

    /// Threads of which every accepted word from here contains an action.
    fn must_move(&self, program: &Program<'_>, state: &ProductState) -> Vec<ThreadId> {
        let mut first = match self.target {
            Target::Completion => ThreadId::MAIN,
            Target::ErrorOf(thread) | Target::BoundOf(thread) => thread,
        };
        // A thread that is not running must be started (again), and so on upwards.
        while program.thread(first).outgoing(state.location(first)).is_empty() {
            match program.thread(first).parent() {
                Some(parent) => first = parent,
                None => return Vec::new(),
            }
        }
        let mut result = vec![first];
        let mut next = 0;
        while next < result.len() {
            let thread = result[next];
            next += 1;
            let outgoing = program.thread(thread).outgoing(state.location(thread));
            // Children that every way on waits for must end first.
            for &child in &program.action(outgoing[0]).joins {
                let always = outgoing.iter().all(|&action| program.action(action).joins.contains(&child));
                let runs = !program.thread(child).outgoing(state.location(child)).is_empty();
                if always && runs && !result.contains(&child) {
                    result.push(child);
                }
            }
        }
        result
    }

    /// May an action of one thread, from where it is, not commute with something that the other may still do?
    fn conflict(
        &mut self,
        mut commute: impl FnMut(ActionId, ActionId) -> bool,
        program: &Program<'_>,
        state: &ProductState,
        thread: ThreadId,
        other: ThreadId,
    ) -> bool {
        let key = (thread, state.location(thread), other, state.location(other));
        if let Some(&known) = self.conflicts.get(&key) {
            return known;
        }
        let reach = self.reach(program, other, key.3, thread);
        let outgoing = program.thread(thread).outgoing(key.1);
        let conflict =
            outgoing.iter().any(|&action| reach.iter().any(|later| !commute(action, ActionId(later as u32))));
        self.conflicts.insert(key, conflict);
        conflict
    }

    /// What `thread` may do from a location, itself and by threads that it may fork, before `ended` has ended.
    fn reach(&mut self, program: &Program<'_>, thread: ThreadId, from: Location, ended: ThreadId) -> Rc<BitSet> {
        let key = (thread, from, ended);
        if let Some(known) = self.reach.get(&key) {
            return known.clone();
        }
        let over = over_when_ended(program, ended);
        let mut reach = BitSet::new();
        let mut seen = vec![(thread, from)];
        let mut next = 0;
        while next < seen.len() {
            let (thread, location) = seen[next];
            next += 1;
            for &id in program.thread(thread).outgoing(location) {
                let action = program.action(id);
                if action.joins.iter().any(|joined| over.contains(joined)) {
                    continue;
                }
                reach.insert(id.index());
                let entries = action.forks.iter().map(|&child| (child, program.thread(child).entry));
                for place in entries.chain([(thread, action.target)]) {
                    if !seen.contains(&place) {
                        seen.push(place);
                    }
                }
            }
        }
        let reach = Rc::new(reach);
        self.reach.insert(key, reach.clone());
        reach
    }
}

/// The thread, and the ancestors that cannot end before it: those that wait for it in a `par`.
fn over_when_ended(program: &Program<'_>, thread: ThreadId) -> Vec<ThreadId> {
    let mut over = vec![thread];
    while let Origin::Branch { parent, .. } = program.thread(over[over.len() - 1]).origin {
        over.push(parent);
    }
    over
}

/// The running threads that must move before some join that leaves the thread's location is enabled.
fn waits_for(program: &Program<'_>, state: &ProductState, thread: ThreadId) -> Vec<ThreadId> {
    let outgoing = program.thread(thread).outgoing(state.location(thread));
    let joined = outgoing.iter().flat_map(|&action| &program.action(action).joins).copied();
    let unfinished = joined.filter(|&child| state.location(child) != program.thread(child).exit);
    let running = unfinished.filter_map(|mut child| {
        // One that is not started waits for whoever may fork it.
        while program.thread(child).outgoing(state.location(child)).is_empty() {
            child = program.thread(child).parent()?;
        }
        (child != thread).then_some(child)
    });
    running.collect()
}
