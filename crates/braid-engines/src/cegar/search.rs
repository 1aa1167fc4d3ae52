//! Visiting the abstract states of one precision (paper 5, Algorithm 1), with fewer interleavings.
//!
//! Persistent sets are those of the program in which variables outside the precision have any value whenever they are read: it
//! can do all that the program can, an abstract state describes it as well, and accesses to such variables do not conflict.
//! Leaving out an assignment keeps every feasible way to the target from some state behind it (Theorem 1), so both go together:
//! what is kept at each step is "there is a feasible way to the target from here".

use super::{Cegar, Domain, SearchOrder};
use crate::gem::distance::Distances;
use crate::{Control, Progress, Statistics, StopReason};
use braid_logic::{BitSet, Solver};
use braid_program::cfa::{Accepted, ActionId, ProductState, Program};
use braid_reduction::{Commutativity, CommutativityMode, Cone, PersistentSets, Target};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::time::Instant;

/// One visit of all abstract states.
pub(super) struct Search<'a, 'p> {
    engine: &'a Cegar,
    program: &'a Program<'p>,
    target: Target,
    cone: Cone,
    commutativity: Commutativity,
    persistent: PersistentSets,
}

/// What came of it.
pub(super) enum Found {
    /// No abstract state meets the target.
    Nothing,
    /// This interleaving leads to one that does.
    Met(Vec<ActionId>, Accepted),
}

struct Node<S> {
    locations: ProductState,
    state: S,
    /// How it was reached, unless it is the first.
    from: Option<(u32, ActionId)>,
}

impl<'a, 'p> Search<'a, 'p> {
    pub fn new(engine: &'a Cegar, program: &'a Program<'p>, target: Target, visible: BitSet) -> Self {
        Search {
            engine,
            program,
            target,
            cone: Cone::new(program, engine.cone, visible.clone()),
            commutativity: Commutativity::seeing(CommutativityMode::Semantic, visible),
            persistent: PersistentSets::new(target),
        }
    }

    /// Visits abstract states until one meets the target, other than by a `hopeless` trace.
    pub fn run<D: Domain<'p>>(
        mut self,
        domain: &mut D,
        solver: &mut Solver<'p>,
        control: &Control,
        hopeless: &[Vec<ActionId>],
        statistics: &mut Statistics,
    ) -> Result<Found, StopReason> {
        let found = self.visit(domain, solver, control, hopeless, statistics);
        statistics.add_cone(self.cone.statistics());
        found
    }

    fn visit<D: Domain<'p>>(
        &mut self,
        domain: &mut D,
        solver: &mut Solver<'p>,
        control: &Control,
        hopeless: &[Vec<ActionId>],
        statistics: &mut Statistics,
    ) -> Result<Found, StopReason> {
        let distances = Distances::new(self.program, self.target);
        let mut visited: FxHashMap<ProductState, Vec<D::State>> = FxHashMap::default();
        let mut nodes = vec![Node { locations: self.program.initial_state(), state: domain.initial(), from: None }];
        let mut waiting: VecDeque<u32> = VecDeque::from([0]);
        loop {
            let next = match self.engine.search {
                SearchOrder::Breadth => waiting.pop_front(),
                SearchOrder::Depth => waiting.pop_back(),
            };
            let Some(now) = next else { return Ok(Found::Nothing) };
            control.poll()?;
            statistics.states = nodes.len() as u64;
            let progress = Progress { round: statistics.rounds, assertions: domain.size(), states: statistics.states };
            control.report(|| progress);
            let Node { locations, state, .. } = &nodes[now as usize];
            let (locations, state) = (locations.clone(), state.clone());
            if let Some(accepted) = self.target.accepted(self.program, &locations) {
                let trace = path(&nodes, now);
                if hopeless.contains(&trace) {
                    continue;
                }
                return Ok(Found::Met(trace, accepted));
            }
            let mut actions: Vec<ActionId> = self.program.enabled(&locations).collect();
            if self.engine.reduction {
                let (persistent, commutativity) = (&mut self.persistent, &mut self.commutativity);
                actions = persistent.membrane(solver, commutativity, self.program, &locations, &actions);
            }
            for action in actions {
                let behind = self.program.successor(&locations, action);
                if distances.from(self.program, &behind).is_none() {
                    continue;
                }
                let forgotten = self.cone.left_out(self.program, &locations, action);
                let start = Instant::now();
                let successors = domain.successors(solver, self.program, &state, action, &forgotten);
                statistics.successor_time += start.elapsed();
                statistics.transitions += 1;
                let seen = visited.entry(behind.clone()).or_default();
                for state in successors {
                    if seen.iter().any(|other| domain.covers(other, &state)) {
                        continue;
                    }
                    seen.retain(|other| !domain.covers(&state, other));
                    seen.push(state.clone());
                    waiting.push_back(nodes.len() as u32);
                    nodes.push(Node { locations: behind.clone(), state, from: Some((now, action)) });
                }
            }
        }
    }
}

/// The actions that lead to a node.
fn path<S>(nodes: &[Node<S>], mut node: u32) -> Vec<ActionId> {
    let mut actions = Vec::new();
    while let Some((before, action)) = nodes[node as usize].from {
        actions.push(action);
        node = before;
    }
    actions.reverse();
    actions
}
