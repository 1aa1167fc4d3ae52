//! A finished proof for people: which assertions it needs, and where they hold.
//!
//! The proof check runs again from scratch, with fewer and fewer assertions, for as long as it succeeds and time is left. What holds
//! while a thread is at a location is what is known in every state of the reduction with the thread there.

use super::Run;
use super::check::{Check, Node};
use super::covering::Covering;
use crate::refinement::{Found, Hopeless, Refinement};
use crate::{Explanation, StopReason};
use braid_logic::Term;
use braid_program::cfa::{Location, ThreadId};
use braid_proof::FloydHoareAutomaton;
use braid_reduction::{Symmetry, Target};
use std::time::{Duration, Instant};

/// How long to look for a smaller proof.
const PATIENCE: Duration = Duration::from_secs(3);

impl<'p> Run<'_, 'p> {
    /// The explanation of the proof; none if the run is stopped before.
    pub(super) fn explain(&mut self, with: &mut Refinement<'_, 'p>) -> Option<Explanation> {
        let all: Vec<Term> = self.proof.assertions().iter().copied().filter(|&term| term != Term::FALSE).collect();
        let (mut needed, mut nodes) = (all.clone(), self.checked_with(&all, with).ok()??);
        let (deadline, mut chunk) = (Instant::now() + PATIENCE, all.len().div_ceil(2));
        let mut at = 0;
        while chunk > 0 && Instant::now() < deadline {
            if at >= needed.len() {
                // At the end, once more with smaller pieces.
                (at, chunk) = (0, chunk / 2);
                continue;
            }
            let mut fewer = needed.clone();
            fewer.drain(at..(at + chunk).min(needed.len()));
            match self.checked_with(&fewer, with).ok()? {
                Some(smaller) => (needed, nodes) = (fewer, smaller),
                None => at += chunk,
            }
        }
        self.checked_with(&needed, with).ok()??;
        Some(self.explanation(&needed, &nodes))
    }

    /// The states of all reductions, if the proof with these assertions covers them. It becomes the run's proof.
    fn checked_with(
        &mut self,
        assertions: &[Term],
        with: &mut Refinement<'_, 'p>,
    ) -> Result<Option<Vec<Node>>, StopReason> {
        self.proof = FloydHoareAutomaton::new();
        assertions.iter().for_each(|&assertion| _ = self.proof.add(self.program, assertion));
        let mut nodes = Vec::new();
        for target in Target::all(self.program) {
            // What holds at a location, holds there for every thread: none stands for another.
            let (symmetry, useless) = (Symmetry::none(), Covering::default());
            match (Check { run: self, target, symmetry, useless }).visit(with, &Hopeless::default())? {
                Found::Covered(more) => nodes.extend(more),
                Found::Uncovered(..) => return Ok(None),
            }
        }
        Ok(Some(nodes))
    }

    fn explanation(&self, assertions: &[Term], nodes: &[Node]) -> Explanation {
        let holds_at = |thread: usize, location: Location| {
            let mut here =
                nodes.iter().filter(|node| node.place.locations.location(ThreadId(thread as u32)) == location);
            let mut common: Vec<Term> = self.proof.known(here.next()?.known).collect();
            for node in here {
                let known: Vec<Term> = self.proof.known(node.known).collect();
                common.retain(|assertion| known.contains(assertion));
            }
            Some((0..assertions.len()).filter(|&number| common.contains(&assertions[number])).collect())
        };
        let threads = self.program.threads.iter().enumerate().map(|(thread, automaton)| {
            let locations = (0..automaton.locations.len() as u32).map(Location);
            locations.filter_map(|location| Some((location, holds_at(thread, location)?))).collect()
        });
        Explanation {
            assertions: assertions.iter().map(|&term| self.program.pool.infix(term).to_string()).collect(),
            states: nodes.len() as u64,
            threads: threads.collect(),
        }
    }
}
