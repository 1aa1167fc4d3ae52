//! The built-in sequential checker: predicate abstraction over a Floyd/Hoare automaton.
//!
//! One thread has one interleaving: a state is a location and what is known there, and nothing has to be reduced. Programs that need
//! invariants which traces do not give go to `gem`, its variants and `cegar`. The solver with its memory stays between checks; assertions do not:
//! most of these programs are proven in less time than the triples of old assertions take.

use super::checker::{Checked, SequentialChecker, by_engine};
use super::outline::{Annotation as Outlined, Outline, proven};
use crate::cegar::Cegar;
use crate::gem::Gem;
use crate::refinement::{Hopeless, Method, Refinement, Stop, Uncovered, add_annotations, path};
use crate::{Control, Reason, Statistics, Verdict};
use braid_program::cfa::{Accepted, ActionId, Location, Program, ThreadId};
use braid_proof::{Annotation, Contradiction, FloydHoareAutomaton, Known, ProverOptions};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// So many rounds are tried before `gem` looks for invariants.
const MAX_ROUNDS: u64 = 16;

pub(super) struct BuiltIn<'a, 'p> {
    pub gem: &'a Gem,
    pub refinement: Refinement<'p, 'p>,
}

/// An abstract state, and how it was reached.
type Node = (Location, Known, Option<(usize, ActionId)>);

/// A look at the abstract states of a program.
struct Look<'a, 'p> {
    program: &'a Program<'p>,
    control: &'a Control,
    proof: FloydHoareAutomaton,
    /// Once no error location is reached: what holds at each location.
    outlined: Option<Outlined>,
}

impl<'p> BuiltIn<'_, 'p> {
    /// Rounds of refinement; none if they did not come to an end.
    fn rounds(&mut self, program: &Program<'p>, control: &Control) -> Option<Checked> {
        self.refinement.statistics = Statistics::default();
        let mut look = Look { program, control, proof: FloydHoareAutomaton::new(), outlined: None };
        match self.refinement.rounds(program, control, &mut look) {
            Ok(()) => Some(Checked::Safe(look.outlined)),
            Err(Stop(Verdict::Unsafe(found))) => Some(Checked::Violated(found.execution().clone())),
            Err(Stop(Verdict::Unknown(reason @ Reason::Stopped(_)))) => Some(Checked::Unknown(reason)),
            Err(_) => None,
        }
    }
}

impl<'p> SequentialChecker<'p> for BuiltIn<'_, 'p> {
    fn check(&mut self, program: &Program<'p>, outline: &Outline, control: &Control) -> Checked {
        if let Some(annotation) = proven(program, outline, &mut self.refinement.solver) {
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

impl<'p> Method<'p> for Look<'_, 'p> {
    /// Visits the abstract states breadth first. One is covered by another at the same location where less is known.
    fn check(&mut self, with: &mut Refinement<'_, 'p>, _: &Hopeless) -> Result<Option<Uncovered>, Stop> {
        let (program, proof) = (self.program, &mut self.proof);
        let thread = program.thread(ThreadId::MAIN);
        let mut nodes: Vec<Node> = vec![(thread.entry, Known::NOTHING, None)];
        let mut visited = FxHashMap::from_iter([(thread.entry, vec![Known::NOTHING])]);
        let mut agenda = VecDeque::from([0]);
        while let Some(now) = agenda.pop_front() {
            self.control.poll()?;
            let (location, known, _) = nodes[now];
            if let Some(violation) = thread.locations[location.index()].violation {
                let accepted = Accepted::Violation(ThreadId::MAIN, location, violation);
                let traces = vec![(path(now, |node| nodes[node].2), accepted)];
                return Ok(Some(Uncovered { traces, most: 1, others: false }));
            }
            for &action in thread.outgoing(location) {
                let after = proof.successor(&mut with.solver, program, known, action);
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
            program.pool.or(known.iter().map(|&known| program.pool.and(proof.known(known))))
        };
        self.outlined = Some((0..thread.locations.len()).map(at).collect());
        Ok(None)
    }

    fn learn(&mut self, _: &[ActionId], annotations: &[Annotation]) -> bool {
        add_annotations(self.program, &mut self.proof, annotations, None)
    }

    fn missing(&self) -> String {
        "invariants are missing".into()
    }

    fn most_rounds(&self) -> u64 {
        MAX_ROUNDS
    }
}
