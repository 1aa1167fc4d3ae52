//! The built-in sequential checker: predicate abstraction over a Floyd/Hoare automaton that keeps its assertions.
//!
//! The sequential programs of one run differ by a few assumptions, so what proved one of them nearly proves the next. One thread has one
//! interleaving: a state is a location and what is known there, and nothing has to be reduced. Programs that need invariants which traces
//! do not give go to `gem`, its variants and `cegar`.

use super::checker::{Checked, SequentialChecker, by_engine};
use crate::cegar::Cegar;
use crate::gem::Gem;
use crate::refinement::{Stop, refute};
use crate::{Control, Reason, StopReason, Verdict};
use braid_logic::{Solver, Term, Var};
use braid_program::cfa::{Accepted, ActionId, Location, Program, ThreadId};
use braid_proof::{Annotation, Contradiction, FloydHoareAutomaton, Known, ProverOptions, TraceProver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// So many rounds are tried before `gem` looks for invariants.
const MAX_ROUNDS: usize = 16;
/// So many assertions are kept: every one costs triples in every check.
const MAX_KEPT: usize = 48;

pub(super) struct Incremental<'a, 'p> {
    gem: &'a Gem,
    solver: Solver<'p>,
    prover: TraceProver<'p>,
    /// What was of use in a proof, the latest first.
    kept: Vec<Term>,
}

/// What came of a look at the abstract states.
enum Explored {
    /// No error location is reached; these assertions are known somewhere.
    Covered(Vec<Term>),
    /// This path to an error location is not covered.
    Uncovered(Vec<ActionId>, Accepted),
}

impl<'a, 'p> Incremental<'a, 'p> {
    pub fn new(gem: &'a Gem, solver: Solver<'p>, program: &Program<'p>) -> Self {
        Incremental { gem, solver, prover: TraceProver::new(program.pool, gem.prover.clone()), kept: Vec::new() }
    }

    /// Rounds over the kept assertions; none if they did not come to an end.
    fn rounds(&mut self, program: &Program<'p>, control: &Control) -> Option<Checked> {
        let vars: FxHashSet<Var> = program.variables.iter().map(|variable| variable.var).collect();
        let mut proof = FloydHoareAutomaton::new();
        for &assertion in &self.kept {
            if program.pool.free_vars(assertion).iter().all(|var| vars.contains(var)) {
                proof.add(program, assertion);
            }
        }
        for _ in 0..MAX_ROUNDS {
            let (path, accepted) = match explore(program, &mut proof, &mut self.solver, control) {
                Ok(Explored::Covered(used)) => {
                    self.keep(used);
                    return Some(Checked::Safe);
                }
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
                Err(Stop::Verdict(Verdict::Unsafe(counterexample))) => {
                    if std::env::var_os("BRAID_KEEPV").is_some() {
                        self.keep(proof.assertions()[1..].to_vec());
                    }
                    return Some(Checked::Violated(counterexample.execution().clone()));
                }
                Err(_) => return None,
            }
        }
        None
    }

    fn keep(&mut self, assertions: Vec<Term>) {
        self.kept.retain(|assertion| !assertions.contains(assertion));
        self.kept.splice(0..0, assertions);
        self.kept.truncate(std::env::var("BRAID_KEPT").ok().and_then(|k| k.parse().ok()).unwrap_or(MAX_KEPT));
    }
}

impl<'p> SequentialChecker<'p> for Incremental<'_, 'p> {
    fn check(&mut self, program: &Program<'p>, control: &Control) -> Checked {
        if std::env::var_os("BRAID_GEM").is_none()
            && let Some(checked) = self.rounds(program, control)
        {
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
    let mut nodes: Vec<(Location, Known, Option<(usize, ActionId)>)> = vec![(thread.entry, Known::NOTHING, None)];
    let mut visited: FxHashMap<Location, Vec<Known>> = FxHashMap::default();
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
    let used: FxHashSet<Term> = nodes.iter().flat_map(|&(_, known, _)| proof.known(known)).collect();
    // In the order of the proof, so that runs are alike.
    Ok(Explored::Covered(proof.assertions()[1..].iter().copied().filter(|term| used.contains(term)).collect()))
}
