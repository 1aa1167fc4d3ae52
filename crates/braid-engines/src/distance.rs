//! How many actions a state is away from the target, at least: those of the thread that the target is about, and those of every
//! thread that it has to wait for on all ways there. A search that visits near states first finds equally short
//! counterexamples, and does not look at all the ways in which many threads can begin.

use braid_logic::BitSet;
use braid_program::cfa::{Location, ProductState, Program, ThreadId};
use braid_reduction::Target;
use std::collections::VecDeque;

/// Threads that wait for threads that wait … are followed so far.
const MAX_NESTING: usize = 8;

/// What lies between the locations of one thread and where it should get.
struct Ways {
    /// Per location, the fewest actions; none if there is no way.
    length: Vec<Option<u32>>,
    /// Per location, the threads that are joined on every way.
    joined: Vec<BitSet>,
}

/// Distances to one target.
pub(crate) struct Distances {
    target: ThreadId,
    /// Whether the target's thread can start more than once.
    restarts: bool,
    to_target: Ways,
    to_exit: Vec<Ways>,
}

impl Distances {
    pub fn new(program: &Program<'_>, target: Target) -> Distances {
        let exit = |thread: ThreadId| move |location| location == program.thread(thread).exit;
        let thread = target.thread().unwrap_or(ThreadId::MAIN);
        let to_target = Ways::new(program, thread, |location| target.is_at(program, location));
        let to_exit = program.thread_ids().map(|thread| Ways::new(program, thread, exit(thread))).collect();
        let restarts = program.restarting().contains(thread.index());
        Distances { target: thread, restarts, to_target, to_exit }
    }

    /// The fewest actions that can lead from the state to the target; none if no actions can. A thread that is past its target may get there
    /// when it starts again.
    pub fn from(&self, program: &Program<'_>, state: &ProductState) -> Option<u32> {
        let length = self.along(program, state, self.target, &self.to_target, MAX_NESTING);
        length.or(self.restarts.then_some(0))
    }

    fn along(
        &self,
        program: &Program<'_>,
        state: &ProductState,
        thread: ThreadId,
        ways: &Ways,
        nesting: usize,
    ) -> Option<u32> {
        let location = match state.location(thread) {
            Location::NOT_STARTED => program.thread(thread).entry,
            location => location,
        };
        let mut length = ways.length[location.index()]?;
        if nesting > 0 {
            for child in ways.joined[location.index()].iter() {
                let child_ways = &self.to_exit[child];
                length += self.along(program, state, ThreadId(child as u32), child_ways, nesting - 1)?;
            }
        }
        Some(length)
    }
}

impl Ways {
    fn new(program: &Program<'_>, thread: ThreadId, is_goal: impl Fn(Location) -> bool) -> Ways {
        let automaton = program.thread(thread);
        let locations = automaton.locations.len();
        let length = lengths(program, thread, is_goal);
        // The greatest solution: what is joined on the way through an action is joined by it or behind it.
        let everyone: BitSet = (0..program.threads.len()).collect();
        let at_first = |location: usize| if length[location] == Some(0) { BitSet::new() } else { everyone.clone() };
        let mut joined: Vec<BitSet> = (0..locations).map(at_first).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for location in (0..locations).filter(|&location| length[location].is_some_and(|length| length > 0)) {
                let actions = automaton.outgoing[location].iter().map(|&action| program.action(action));
                let ways: Vec<BitSet> = actions
                    .filter(|action| length[action.target.index()].is_some())
                    .map(|action| {
                        let own = action.joins.iter().map(|child| child.index());
                        joined[action.target.index()].iter().chain(own).collect()
                    })
                    .collect();
                let common = |child: &usize| ways.iter().all(|way| way.contains(*child));
                let now: BitSet = joined[location].iter().filter(common).collect();
                changed |= now != joined[location];
                joined[location] = now;
            }
        }
        Ways { length, joined }
    }
}

/// For each location of a thread the fewest actions to a goal; none if there is no way.
pub(crate) fn lengths(program: &Program<'_>, thread: ThreadId, is_goal: impl Fn(Location) -> bool) -> Vec<Option<u32>> {
    let automaton = program.thread(thread);
    let locations = automaton.locations.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); locations];
    for action in automaton.outgoing.iter().flatten().map(|&action| program.action(action)) {
        before[action.target.index()].push(action.source.index());
    }
    let mut length: Vec<Option<u32>> = (0..locations).map(|l| is_goal(Location(l as u32)).then_some(0)).collect();
    let mut work: VecDeque<usize> = (0..locations).filter(|&location| length[location].is_some()).collect();
    while let Some(location) = work.pop_front() {
        let next = length[location].map(|length| length + 1);
        for &source in &before[location] {
            if length[source].is_none() {
                length[source] = next;
                work.push_back(source);
            }
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_frontend::{Language, parse};
    use braid_logic::TermPool;
    use braid_program::{LowerOptions, lower};

    /// The distance of the first state from the first target, with every step an action of its own.
    fn check(text: &str, expected: Option<u32>) {
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let options = LowerOptions { fuse: false, ..LowerOptions::default() };
        let program = lower(&program, &pool, options).expect("lowers");
        let distances = Distances::new(&program, Target::all(&program)[0]);
        assert_eq!(distances.from(&program, &program.initial_state()), expected, "{text}");
    }

    #[test]
    fn threads_that_are_waited_for_count() {
        // Fork, three times two steps, join, and the violated postcondition.
        let two = "(seq (set! x 1) (set! x 2))";
        check(&format!("(var x Int) (seq (par {two} {two} {two}) (assert (= x 1)))"), Some(2 + 6 + 1));
        // Only one of the two ways waits.
        check(&format!("(var x Int) (seq (if (= x 0) (par {two} {two}) (set! x 2)) (assert (= x 1)))"), Some(3));
    }

    #[test]
    fn loops_need_not_be_entered() {
        check("(var x Int) (seq (while (< x 3) (set! x (+ x 1))) (assert (= x 1)))", Some(2));
    }

    /// The threads that start more than once.
    fn check_restarting(text: &str, expected: &[usize]) {
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let program = lower(&program, &pool, LowerOptions::default()).expect("lowers");
        assert_eq!(program.restarting().iter().collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn threads_in_a_loop_start_again_and_so_do_theirs() {
        let two = "(par (set! x 1) (set! x 2))";
        check_restarting(&format!("(var x Int) {two}"), &[]);
        check_restarting(&format!("(var x Int) (seq {two} {two})"), &[]);
        check_restarting(&format!("(var x Int) (loop {two})"), &[1, 2]);
        check_restarting(&format!("(var x Int) (loop (par {two} (set! x 3)))"), &[1, 2, 3, 4]);
    }
}
