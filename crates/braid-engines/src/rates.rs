//! Which rounds of loops go together: how much a round of each loop counts, for the order `rates`.
//!
//! An unrolled loop does in one round what another one does in several, and only where threads keep that pace can they be compared. For
//! each two loops of different threads, the solver says which numbers of rounds both can have in one execution. The smallest pair is the
//! rate, if the others are multiples of it, or if it is one round against several: what is left over may come after a loop. A loop around
//! others counts nothing, and only those do. This is a guess about which interleavings are good to have; nothing rests on it.

use crate::{Control, StopReason};
use braid_logic::{Answer, Solver};
use braid_program::cfa::{ActionId, Location, Program, Relation, ThreadId};
use braid_program::graph::reached;
use braid_reduction::{ends_round, loops};

/// Numbers of rounds that are tried.
const ROUNDS: u32 = 6;
/// Paths of one thread with the same numbers of rounds.
const MOST_PATHS: usize = 6;
/// Steps of one path.
const MOST_STEPS: usize = 64;
/// Beginnings of paths of one thread that are looked at for each number of rounds.
const MOST_LOOKS: usize = 4_000;
/// Programs with more loops than this are not looked at.
const MOST_LOOPS: usize = 8;
/// Larger weights make too many contexts.
const MOST_WEIGHT: u64 = 12;

type Loop = (ThreadId, Location);
type Path = Vec<ActionId>;

/// What a round of each loop counts; none if nothing tells them apart.
pub(crate) fn rates<'p>(
    program: &Program<'p>,
    solver: &mut Solver<'p>,
    control: &Control,
) -> Result<Option<Vec<u32>>, StopReason> {
    let heads: Vec<Loop> = loops(program).collect();
    if heads.len() < 2 || heads.len() > MOST_LOOPS {
        return Ok(None);
    }
    let outer: Vec<bool> = heads.iter().map(|&head| is_around_others(program, &heads, head)).collect();
    let paths = Paths::new(program, &heads, &outer);
    // Of two loops: what a round of the second counts, if one of the first counts 1.
    let mut ratios = Vec::new();
    for (a, (thread, _)) in heads.iter().enumerate() {
        for (b, (other, _)) in heads.iter().enumerate().skip(a + 1) {
            if thread != other
                && !outer[a]
                && !outer[b]
                && let Some((mine, others)) = paths.together(a, b, solver, control)?
            {
                ratios.push((a, b, mine, others));
            }
        }
    }
    Ok(weights(&outer, &ratios))
}

/// Does the loop have the head of another one inside? All ways to that one lead through it, and back to it.
fn is_around_others(program: &Program<'_>, heads: &[Loop], (thread, head): Loop) -> bool {
    let automaton = program.thread(thread);
    let next = |from: usize| {
        let outgoing = automaton.outgoing(Location(from as u32));
        outgoing.iter().map(|&action| program.action(action).target.index()).collect::<Vec<usize>>()
    };
    let count = automaton.locations.len();
    let around = |from: usize| if from == head.index() { Vec::new() } else { next(from) };
    let before = reached(count, [automaton.entry.index()], around);
    let after = reached(count, [head.index()], next);
    let is_inside = |inner: Location| {
        !before[inner.index()] && after[inner.index()] && reached(count, [inner.index()], next)[head.index()]
    };
    heads.iter().any(|&(other, inner)| other == thread && inner != head && is_inside(inner))
}

/// For each loop and number of rounds, the paths of its thread with these rounds, and no others but of loops around it.
struct Paths<'a, 'p> {
    program: &'a Program<'p>,
    heads: &'a [Loop],
    /// Which loops are around others.
    outer: &'a [bool],
    /// What the first thread does before it waits for others.
    starts: Vec<Path>,
    of: Vec<Vec<Vec<Path>>>,
}

impl<'a, 'p> Paths<'a, 'p> {
    fn new(program: &'a Program<'p>, heads: &'a [Loop], outer: &'a [bool]) -> Paths<'a, 'p> {
        let mut paths = Paths { program, heads, outer, starts: Vec::new(), of: Vec::new() };
        paths.starts = paths.through(ThreadId::MAIN, None, 0);
        for &(thread, head) in heads {
            let through = |rounds| paths.through(thread, Some(head), rounds);
            paths.of.push((1..=ROUNDS).map(through).collect());
        }
        paths
    }

    /// The paths of a thread to its end, or to where it waits for others, with so many rounds of one loop, any of loops around others,
    /// and none of others.
    fn through(&self, thread: ThreadId, head: Option<Location>, rounds: u32) -> Vec<Path> {
        let automaton = self.program.thread(thread);
        let mut found = Vec::new();
        let mut work: Vec<(Location, u32, Path)> = vec![(automaton.entry, 0, Path::new())];
        for _ in 0..MOST_LOOKS {
            let Some((location, done, path)) = work.pop() else { break };
            let outgoing = automaton.outgoing(location);
            let waits = outgoing.iter().any(|&action| !self.program.action(action).joins.is_empty());
            if (location == automaton.exit || waits) && done == rounds {
                found.push(path);
                if found.len() == MOST_PATHS {
                    break;
                }
                continue;
            }
            for &action in outgoing.iter().rev().filter(|_| path.len() < MOST_STEPS) {
                let step = self.program.action(action);
                let round = u32::from(ends_round(self.program, step) && !self.is_outer(thread, step.target));
                let other = round > 0 && Some(step.target) != head;
                if !other && done + round <= rounds && automaton.locations[step.target.index()].violation.is_none() {
                    work.push((step.target, done + round, path.iter().copied().chain([action]).collect()));
                }
            }
        }
        found
    }

    fn is_outer(&self, thread: ThreadId, head: Location) -> bool {
        self.heads.iter().position(|&known| known == (thread, head)).is_some_and(|number| self.outer[number])
    }

    /// The smallest numbers of rounds that two loops can have in one execution, if all others are multiples of these, or one of them is 1
    /// and the other is not.
    fn together(
        &self,
        a: usize,
        b: usize,
        solver: &mut Solver<'p>,
        control: &Control,
    ) -> Result<Option<(u32, u32)>, StopReason> {
        let mut smallest: Option<(u32, u32)> = None;
        for sum in 2..=2 * ROUNDS {
            for mine in sum.saturating_sub(ROUNDS).max(1)..=ROUNDS.min(sum - 1) {
                let others = sum - mine;
                let fits = smallest.is_some_and(|(x, y)| x * others == y * mine);
                if fits || !self.possible(a, mine, b, others, solver, control)? {
                    continue;
                }
                if let Some((x, y)) = smallest {
                    return Ok(smallest.filter(|_| x.min(y) == 1 && x != y));
                }
                smallest = Some((mine, others));
            }
        }
        Ok(smallest)
    }

    /// Is there an execution with so many rounds of two loops, and none of others? One thread after the other.
    fn possible(
        &self,
        a: usize,
        mine: u32,
        b: usize,
        others: u32,
        solver: &mut Solver<'p>,
        control: &Control,
    ) -> Result<bool, StopReason> {
        let pool = self.program.pool;
        let nothing = [Path::new()];
        // A loop of the first thread comes with what that does before.
        let is_first = [a, b].iter().any(|&number| self.heads[number].0 == ThreadId::MAIN);
        let starts = if is_first { &nothing[..] } else { &self.starts };
        for start in starts {
            for first in &self.of[a][mine as usize - 1] {
                for second in &self.of[b][others as usize - 1] {
                    control.poll()?;
                    let actions = start.iter().chain(first).chain(second);
                    let steps: Vec<&Relation> =
                        actions.map(|&action| self.program.action(action).relation(pool)).collect();
                    if solver.decide(&[Relation::sequence(pool, &steps).guard]) == Answer::Sat {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

/// Whole numbers that fit the ratios, and 0 for loops around others; none if they are all the same, or none fit.
fn weights(outer: &[bool], ratios: &[(usize, usize, u32, u32)]) -> Option<Vec<u32>> {
    let count = outer.len();
    let mut known: Vec<Option<(u64, u64)>> = vec![None; count];
    for first in 0..count {
        let mut work = vec![(first, (1, 1))];
        while let Some((number, weight)) = work.pop() {
            match known[number] {
                Some(_) => continue,
                None => known[number] = Some(weight),
            }
            for &(a, b, mine, others) in ratios {
                let (mine, others) = (u64::from(mine), u64::from(others));
                // So many rounds count the same.
                if a == number {
                    work.push((b, lowest(weight.0 * mine, weight.1 * others)));
                } else if b == number {
                    work.push((a, lowest(weight.0 * others, weight.1 * mine)));
                }
            }
        }
    }
    let known: Vec<(u64, u64)> = known.into_iter().flatten().collect();
    let scale = known.iter().fold(1, |scale, &(_, below)| scale / gcd(scale, below) * below);
    let whole: Vec<u64> = known.iter().map(|&(above, below)| above * (scale / below)).collect();
    let all = whole.iter().copied().fold(0, gcd);
    let whole: Vec<u64> = whole.into_iter().map(|weight| weight / all).collect();
    let different = whole.iter().any(|&weight| weight > 1) || outer.contains(&true) && !ratios.is_empty();
    let useful = different && whole.iter().all(|&weight| weight <= MOST_WEIGHT);
    let counted = |(weight, &outer): (u64, &bool)| if outer { 0 } else { weight as u32 };
    useful.then(|| whole.into_iter().zip(outer).map(counted).collect())
}

fn lowest(above: u64, below: u64) -> (u64, u64) {
    let common = gcd(above, below);
    (above / common, below / common)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, ratios: &[(usize, usize, u32, u32)], expected: Option<&[u32]>) {
        assert_eq!(weights(&vec![false; count], ratios).as_deref(), expected, "{ratios:?}");
    }

    #[test]
    fn rounds_that_go_together_count_the_same() {
        check(2, &[(0, 1, 4, 1)], Some(&[1, 4]));
        check(2, &[(0, 1, 3, 2)], Some(&[2, 3]));
        check(3, &[(0, 1, 2, 1), (0, 2, 1, 1)], Some(&[1, 2, 1]));
        check(3, &[(1, 2, 1, 5)], Some(&[5, 5, 1]));
        check(2, &[(0, 1, 1, 1)], None);
        check(2, &[], None);
        assert_eq!(weights(&[false, true, false], &[(0, 2, 4, 4)]), Some(vec![1, 0, 1]));
        assert_eq!(weights(&[false, true, false], &[]), None);
    }
}
