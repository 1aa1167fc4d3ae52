//! Loops at different rates: the order `rates` lets each thread do as many rounds of its loops as go with those of the others.
//!
//! A round of each loop has a weight. A thread's clock is the sum of the weights of its rounds, and the thread whose clock is
//! behind comes next. Only how far each clock is ahead of the last one is kept, and not more than the largest weight: so there are
//! finitely many contexts. With equal weights this is `loop-lockstep`. A loop of weight 0 counts nothing, and a thread does not wait at
//! its head: so a loop around others lets those count.

use super::order::OrderError;
use braid_program::cfa::{Action, Location, Program, ThreadId};

/// Contexts are numbers of this many bits.
const BITS: u32 = 32;

/// The clocks of the threads that have loops.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    /// For each thread, its place among the clocks, if it has loops.
    clocks: Vec<Option<u32>>,
    /// For each thread and location, what a round of the loop there counts.
    weights: Vec<Vec<u32>>,
    /// For each thread and head of a loop, where the thread can come to from there.
    back: Vec<Vec<Vec<bool>>>,
    count: u32,
    most: u32,
}

/// What a context says.
struct Clocks {
    /// Who is in the middle of a round.
    current: Option<u32>,
    /// How far each clock is ahead; none for threads that have ended.
    ahead: Vec<Option<u32>>,
}

/// The heads of loops, thread by thread: rates are given in this order.
pub fn loops<'a>(program: &'a Program<'_>) -> impl Iterator<Item = (ThreadId, Location)> + 'a {
    program.thread_ids().flat_map(|id| {
        let locations = program.thread(id).locations.iter().enumerate();
        locations.filter(|(_, info)| info.loop_head).map(move |(number, _)| (id, Location(number as u32)))
    })
}

/// Is the action the end of a round of the loop that it leads to?
pub fn ends_round(program: &Program<'_>, action: &Action) -> bool {
    program.thread(action.thread).locations[action.target.index()].loop_head
        && reachable(program, action.thread, action.target)[action.source.index()]
}

/// The locations that a thread can come to from a location.
fn reachable(program: &Program<'_>, thread: ThreadId, from: Location) -> Vec<bool> {
    let automaton = program.thread(thread);
    let mut seen = vec![false; automaton.locations.len()];
    let mut work = vec![from];
    while let Some(location) = work.pop() {
        if !std::mem::replace(&mut seen[location.index()], true) {
            work.extend(automaton.outgoing(location).iter().map(|&action| program.action(action).target));
        }
    }
    seen
}

impl Rates {
    /// The weights of a program's loops; all the same if none are given.
    pub(crate) fn new(given: &[u32], program: &Program<'_>) -> Result<Rates, OrderError> {
        let heads: Vec<(ThreadId, Location)> = loops(program).collect();
        if !given.is_empty() && given.len() != heads.len() {
            return Err(OrderError::new(format!("there are {} loops, but {} rates", heads.len(), given.len())));
        }
        let mut clocks = vec![None; program.threads.len()];
        let empty = |thread: &braid_program::cfa::Thread| vec![0; thread.locations.len()];
        let mut weights: Vec<Vec<u32>> = program.threads.iter().map(empty).collect();
        let mut back: Vec<Vec<Vec<bool>>> =
            program.threads.iter().map(|thread| vec![Vec::new(); thread.locations.len()]).collect();
        let mut count = 0;
        for (number, &(thread, head)) in heads.iter().enumerate() {
            clocks[thread.index()].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
            weights[thread.index()][head.index()] = given.get(number).copied().unwrap_or(1);
            back[thread.index()][head.index()] = reachable(program, thread, head);
        }
        let most = given.iter().copied().max().unwrap_or(1);
        let rates = Rates { clocks, weights, back, count, most };
        let contexts = u64::from(rates.base()).checked_pow(count).and_then(|all| all.checked_mul(u64::from(count) + 1));
        if contexts.is_none_or(|contexts| contexts > 1 << BITS) {
            return Err(OrderError::new(format!("{count} threads with rates up to {most} are too many")));
        }
        Ok(rates)
    }

    fn base(&self) -> u32 {
        self.most.saturating_add(2)
    }

    fn read(&self, mut context: u32) -> Clocks {
        let mut ahead = Vec::with_capacity(self.count as usize);
        for _ in 0..self.count {
            let digit = context % self.base();
            ahead.push((digit <= self.most).then_some(digit));
            context /= self.base();
        }
        Clocks { current: context.checked_sub(1), ahead }
    }

    fn write(&self, clocks: &Clocks) -> u32 {
        let current = clocks.current.map_or(0, |current| current + 1);
        let digits = clocks.ahead.iter().rev().map(|ahead| ahead.unwrap_or(self.most + 1));
        digits.fold(current, |context, digit| context * self.base() + digit)
    }

    /// Who comes before whom: those without loops, then who is in a round, then who is behind.
    pub(crate) fn rank(&self, context: u32, thread: ThreadId) -> u32 {
        let Some(clock) = self.clocks[thread.index()] else { return 0 };
        let clocks = self.read(context);
        if clocks.current == Some(clock) { 1 } else { 2 + clocks.ahead[clock as usize].unwrap_or(0) }
    }

    /// The context after an action.
    pub(crate) fn next(&self, context: u32, program: &Program<'_>, action: &Action) -> u32 {
        let number = action.thread.index();
        let Some(clock) = self.clocks[number] else { return context };
        let mut clocks = self.read(context);
        let thread = program.thread(action.thread);
        let target = action.target.index();
        let at_head = thread.locations[target].loop_head && self.weights[number][target] > 0;
        clocks.current = (!at_head && action.target != thread.exit).then_some(clock);
        let own = &mut clocks.ahead[clock as usize];
        if action.target == thread.exit {
            *own = None;
        } else if at_head && self.back[number][target][action.source.index()] {
            *own = own.map(|ahead| ahead + self.weights[number][target]);
        }
        let last = clocks.ahead.iter().flatten().copied().min().unwrap_or(0);
        clocks.ahead.iter_mut().flatten().for_each(|ahead| *ahead = (*ahead - last).min(self.most));
        self.write(&clocks)
    }
}
