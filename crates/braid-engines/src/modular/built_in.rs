//! The built-in sequential checker: predicate abstraction over a Floyd/Hoare automaton.
//!
//! One thread has one interleaving: a state is a location and what is known there, and nothing has to be reduced. Programs that need
//! invariants which traces do not give go to `gem`, its variants and `cegar`. The solver with its memory stays between checks; assertions do not:
//! most of these programs are proven in less time than the triples of old assertions take.

use super::checker::{Checked, SequentialChecker, by_engine};
use super::outline::{Annotation as Outlined, Outline, proven};
use crate::cegar::Cegar;
use crate::gem::Gem;
use crate::refinement::{Stop, refute};
use crate::{Control, Reason, StopReason, Verdict};
use braid_logic::Solver;
use braid_program::cfa::{Accepted, ActionId, Location, Program, ThreadId};
use braid_proof::{Annotation, Contradiction, FloydHoareAutomaton, Known, ProverOptions, TraceProver};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many rounds are tried before `gem` looks for invariants.
const MAX_ROUNDS: usize = 16;

pub(super) struct BuiltIn<'a, 'p> {
    gem: &'a Gem,
    solver: Solver<'p>,
    prover: TraceProver<'p>,
}

/// An abstract state, and how it was reached.
type Node = (Location, Known, Option<(usize, ActionId)>);

/// What came of a look at the abstract states.
enum Explored {
    /// No error location is reached, because of what holds at each location.
    Covered(Outlined),
    /// This path to an error location is not covered.
    Uncovered(Vec<ActionId>, Accepted),
}

impl<'a, 'p> BuiltIn<'a, 'p> {
    pub fn new(gem: &'a Gem, solver: Solver<'p>, program: &Program<'p>) -> Self {
        BuiltIn { gem, solver, prover: TraceProver::new(program.pool, gem.prover.clone()) }
    }

    /// Rounds of refinement; none if they did not come to an end.
    fn rounds(&mut self, program: &Program<'p>, control: &Control) -> Option<Checked> {
        let mut proof = FloydHoareAutomaton::new();
        for _ in 0..MAX_ROUNDS {
            let (path, accepted) = match explore(program, &mut proof, &mut self.solver, control) {
                Ok(Explored::Covered(annotation)) => return Some(Checked::Safe(Some(annotation))),
                Ok(Explored::Uncovered(path, accepted)) => (path, accepted),
                Err(reason) => return Some(Checked::Unknown(Reason::Stopped(reason))),
            };
            match refute(program, &mut self.solver, &mut self.prover, &path, accepted) {
                Ok(annotations) => {
                    let mut new = false;
                    for assertion in annotations.iter().flat_map(Annotation::distinct) {
                        new |= proof.add(program, assertion);
                    }
                    if !new {
                        return None;
                    }
                }
                Err(Stop(Verdict::Unsafe(counterexample))) => {
                    return Some(Checked::Violated(counterexample.execution().clone()));
                }
                Err(_) => return None,
            }
        }
        None
    }
}

impl<'p> SequentialChecker<'p> for BuiltIn<'_, 'p> {
    fn check(&mut self, program: &Program<'p>, outline: &Outline, control: &Control) -> Checked {
        if let Some(annotation) = proven(program, outline, &mut self.solver) {
            return Checked::Safe(Some(annotation));
        }
        if let Some(checked) = self.rounds(program, control) {
            return checked;
        }
        let first = self.gem;
        let mut checked = by_engine(first, program, control);
        if matches!(checked, Checked::Unknown(Reason::Incomplete(_))) {
            let prover = ProverOptions { contradiction: Contradiction::Last, ..first.prover.clone() };
            let second = Gem { seed_invariants: !first.seed_invariants, prover, ..first.clone() };
            checked = by_engine(&second, program, control);
        }
        if matches!(checked, Checked::Unknown(Reason::Incomplete(_))) {
            let (prover, solver) = (first.prover.clone(), first.solver.clone());
            checked = by_engine(&Cegar { prover, solver, ..Cegar::default() }, program, control);
        }
        checked
    }
}

/// Visits the abstract states breadth first. One is covered by another at the same location where less is known.
fn explore<'p>(
    program: &Program<'p>,
    proof: &mut FloydHoareAutomaton,
    solver: &mut Solver<'p>,
    control: &Control,
) -> Result<Explored, StopReason> {
    let thread = program.thread(ThreadId::MAIN);
    let mut nodes: Vec<Node> = vec![(thread.entry, Known::NOTHING, None)];
    let mut visited = FxHashMap::from_iter([(thread.entry, vec![Known::NOTHING])]);
    let mut agenda = VecDeque::from([0]);
    while let Some(now) = agenda.pop_front() {
        control.poll()?;
        let (location, known, _) = nodes[now];
        if let Some(violation) = thread.locations[location.index()].violation {
            let mut path = Vec::new();
            let mut at = now;
            while let Some((before, action)) = nodes[at].2 {
                path.push(action);
                at = before;
            }
            path.reverse();
            return Ok(Explored::Uncovered(path, Accepted::Violation(ThreadId::MAIN, location, violation)));
        }
        for &action in thread.outgoing(location) {
            let after = proof.successor(solver, program, known, action);
            if after == Known::UNREACHABLE {
                continue;
            }
            let target = program.action(action).target;
            let there = visited.entry(target).or_default();
            if !there.iter().any(|&weaker| proof.is_stronger(after, weaker)) {
                there.push(after);
                agenda.push_back(nodes.len());
                nodes.push((target, after, Some((now, action))));
            }
        }
    }
    let at = |location: usize| {
        let known = visited.get(&Location(location as u32)).map_or(&[][..], Vec::as_slice);
        let known = known.iter().map(|&known| program.pool.and(proof.known(known)));
        program.pool.or(known)
    };
    Ok(Explored::Covered((0..thread.locations.len()).map(at).collect()))
}
