//! Atomic blocks that are no single actions: critical sections under one flag of the whole program.
//!
//! `busy` is false at the start. Entering a block is `assume ¬busy; busy := true`, leaving it `busy := false`. Every
//! action outside of blocks that could tell a started block from one that is not gets `assume ¬busy`:
//!
//! * those that touch what a block of another thread writes, or write what one reads;
//! * the first actions of the threads that are started inside a block, and the joins of those threads.
//!
//! *The same violations are reachable as with indivisible blocks.* An execution with indivisible blocks is one here: run
//! each block without interruption, and `busy` is false whenever anything else happens. For the other direction take an
//! execution here that ends in a violation. At most one thread is in a block at any time. What others do meanwhile
//! neither conflicts with the steps of the block, nor comes from a thread that the block started, nor learns that such a
//! thread is there; so it also happens, with the same effect, before the block is entered. This makes blocks that are left
//! contiguous. A block that is not left at the end is contiguous too if the violation is its own; otherwise it can be
//! dropped, as the violation comes before it now. A block that cannot go on (or runs forever) keeps others waiting, but
//! the same execution without it is there as well, and waiting is no violation. Where it is one, what waits inside of a block
//! is rejected; those who wait for the end of a block are let go by somebody who does not wait.

use super::Automaton;
use super::Edge;
use super::threads::{LowerError, Lowering};
use crate::ast::{Claim, Release};
use crate::cfa::{Relation, Step, StepKind, ThreadId};
use crate::source::Span;
use braid_logic::{Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the blocks of one thread touch.
#[derive(Default)]
struct Touched {
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
}

impl Lowering<'_, '_> {
    /// Guards the atomic blocks that still have locations.
    pub(super) fn guard_regions(&mut self) -> Result<(), LowerError> {
        let deadlocks = self.program.claim == Claim::NoDeadlock;
        let (mut touched, mut started) = (FxHashMap::<usize, Touched>::default(), FxHashSet::default());
        for (number, automaton) in self.automata.iter().enumerate() {
            for edge in automaton.edges.iter().filter(|edge| is_inside(automaton, edge)) {
                if deadlocks && edge.waits() {
                    return Err(LowerError::new(
                        edge.span,
                        "deadlocks are not found where an atomic block with a loop waits",
                    ));
                }
                let relation = Relation::of_steps(self.pool, &edge.steps);
                let entry = touched.entry(number).or_default();
                entry.reads.extend(relation.reads);
                entry.writes.extend(relation.writes);
                started.extend(edge.forks.iter().copied());
            }
        }
        if touched.is_empty() {
            return Ok(());
        }
        if self.program.claim == Claim::Progress {
            let block = self.automata.iter().find_map(|automaton| automaton.blocks.first());
            let span = block.copied().unwrap_or_default();
            return Err(LowerError::new(span, "livelocks are not found where an atomic block has a loop"));
        }
        let span = self.automata[0].locations[0].span;
        let busy = self.auxiliary("busy", Term::FALSE, span);
        let mut automata = std::mem::take(&mut self.automata);
        for (number, automaton) in automata.iter_mut().enumerate() {
            let mut edges = std::mem::take(&mut automaton.edges);
            for edge in &mut edges {
                let enters = automaton.region_of(edge.source).is_none() && automaton.region_of(edge.target).is_some();
                let leaves = automaton.region_of(edge.source).is_some() && automaton.region_of(edge.target).is_none();
                let first = edge.source == automaton.entry && started.contains(&ThreadId(number as u32));
                let learns = edge.joins.iter().any(|child| started.contains(child));
                let must_wait = enters
                    || !is_inside(automaton, edge) && (first || learns || self.conflicts(number, edge, &touched));
                if enters {
                    edge.steps.insert(0, set(busy, Term::TRUE, edge.span));
                }
                if must_wait {
                    let free = self.pool.not(self.pool.of_var(busy));
                    let waits = StepKind::Await(free, Release::Anyone);
                    let kind = if deadlocks { waits } else { StepKind::Assume(free) };
                    edge.steps.insert(0, Step { kind, span: edge.span });
                }
                if leaves {
                    edge.steps.push(set(busy, Term::FALSE, edge.span));
                }
            }
            automaton.edges = edges;
        }
        self.automata = automata;
        Ok(())
    }

    /// Does an edge outside of blocks conflict with a block of another thread?
    fn conflicts(&self, thread: usize, edge: &Edge, touched: &FxHashMap<usize, Touched>) -> bool {
        let relation = Relation::of_steps(self.pool, &edge.steps);
        // What belongs to a thread that is started or joined here is out of use.
        let idle = |var: &Var| {
            self.owners.get(var).is_some_and(|owner| edge.forks.contains(owner) || edge.joins.contains(owner))
        };
        touched.iter().filter(|(other, _)| **other != thread).any(|(_, blocks)| {
            relation.reads.iter().any(|var| blocks.writes.contains(var) && !idle(var))
                || relation
                    .writes
                    .iter()
                    .any(|var| (blocks.writes.contains(var) || blocks.reads.contains(var)) && !idle(var))
        })
    }
}

fn is_inside(automaton: &Automaton, edge: &Edge) -> bool {
    automaton.region_of(edge.source).is_some() || automaton.region_of(edge.target).is_some()
}

fn set(var: Var, value: Term, span: Span) -> Step {
    Step { kind: StepKind::Assign(vec![(var, value)]), span }
}
