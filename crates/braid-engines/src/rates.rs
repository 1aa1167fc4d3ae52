//! Which rounds of loops go together: how much a round of each loop counts, for the order `rates`.
//!
//! An unrolled loop does in one round what another one does in several, and only where threads keep that pace can they be compared. For
//! each two loops of different threads, the solver says which numbers of rounds both can have in one execution. If all those are multiples of
//! one pair, the loops go at that rate. This is a guess about which interleavings are good to have; nothing rests on it.

use crate::{Control, StopReason};
use braid_logic::{Answer, Solver};
use braid_program::cfa::{ActionId, Location, Program, Relation, ThreadId};
use braid_reduction::{ends_round, loops};

/// Numbers of rounds that are tried.
const ROUNDS: u32 = 6;
/// Paths of one thread with the same numbers of rounds.
const MOST_PATHS: usize = 6;
/// Steps of one path.
const MOST_STEPS: usize = 64;
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
    let paths = Paths::new(program, &heads);
    // Of two loops: what a round of the second counts, if one of the first counts 1.
    let mut ratios = Vec::new();
    for (a, (thread, _)) in heads.iter().enumerate() {
        for (b, (other, _)) in heads.iter().enumerate().skip(a + 1) {
            if thread != other
                && let Some((mine, others)) = paths.together(a, b, solver, control)?
            {
                ratios.push((a, b, mine, others));
            }
        }
    }
    Ok(weights(heads.len(), &ratios))
}

/// For each loop and number of rounds, the paths of its thread with these and no other rounds.
struct Paths<'a, 'p> {
    program: &'a Program<'p>,
    heads: &'a [Loop],
    /// What the first thread does before it waits for others.
    starts: Vec<Path>,
    of: Vec<Vec<Vec<Path>>>,
}

impl<'a, 'p> Paths<'a, 'p> {
    fn new(program: &'a Program<'p>, heads: &'a [Loop]) -> Paths<'a, 'p> {
        let mut paths = Paths { program, heads, starts: Vec::new(), of: Vec::new() };
        paths.starts = paths.through(ThreadId::MAIN, None, 0);
        for &(thread, head) in heads {
            let through = |rounds| paths.through(thread, Some(head), rounds);
            paths.of.push((1..=ROUNDS).map(through).collect());
        }
        paths
    }

    /// The paths of a thread to its end, or to where it waits for others, with so many rounds of one loop and none of others.
    fn through(&self, thread: ThreadId, head: Option<Location>, rounds: u32) -> Vec<Path> {
        let automaton = self.program.thread(thread);
        let mut found = Vec::new();
        let mut work: Vec<(Location, u32, Path)> = vec![(automaton.entry, 0, Path::new())];
        while let Some((location, done, path)) = work.pop() {
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
                let round = u32::from(ends_round(self.program, step));
                let other = round > 0 && Some(step.target) != head;
                if !other && done + round <= rounds && automaton.locations[step.target.index()].violation.is_none() {
                    work.push((step.target, done + round, path.iter().copied().chain([action]).collect()));
                }
            }
        }
        found
    }

    /// The smallest numbers of rounds that two loops can have in one execution, if all others are multiples of these.
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
                if smallest.is_some() {
                    return Ok(None);
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

/// Whole numbers that fit the ratios; none if they are all the same, or none fit.
fn weights(count: usize, ratios: &[(usize, usize, u32, u32)]) -> Option<Vec<u32>> {
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
    let useful = whole.iter().any(|&weight| weight > 1) && whole.iter().all(|&weight| weight <= MOST_WEIGHT);
    useful.then(|| whole.into_iter().map(|weight| weight as u32).collect())
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
        assert_eq!(weights(count, ratios).as_deref(), expected, "{ratios:?}");
    }

    #[test]
    fn rounds_that_go_together_count_the_same() {
        check(2, &[(0, 1, 4, 1)], Some(&[1, 4]));
        check(2, &[(0, 1, 3, 2)], Some(&[2, 3]));
        check(3, &[(0, 1, 2, 1), (0, 2, 1, 1)], Some(&[1, 2, 1]));
        check(3, &[(1, 2, 1, 5)], Some(&[5, 5, 1]));
        check(2, &[(0, 1, 1, 1)], None);
        check(2, &[], None);
    }
}
