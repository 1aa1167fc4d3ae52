//! Visiting the abstract states of one precision (paper 5, Algorithm 1), with fewer interleavings.
//!
//! Persistent sets are those of the program in which variables outside the precision have any value whenever they are read: it
//! can do all that the program can, an abstract state describes it as well, and accesses to such variables do not conflict. Nor do
//! assignments of numbers that the precision cannot tell apart.
//! Forgetting what does not matter keeps every feasible way to the target from some state behind an action (Theorem 1), so both go
//! together: what is kept at each step is "there is a feasible way to the target from here". Threads that can be exchanged are sorted
//! before states are compared: the precision knows as much of each, so the program that it sees has the same symmetry.

use super::{Cegar, Domain, SearchOrder};
use crate::distance::Distances;
use crate::refinement::{Found, Hopeless, Refinement, path};
use crate::{AbstractState, Control, Progress, StopReason};
use braid_logic::{BitSet, Solver};
use braid_program::cfa::{Accepted, ActionId, ProductState, Program};
use braid_reduction::{Commutativity, CommutativityMode, Cone, PersistentSets, Target};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

/// One visit of all abstract states.
pub(super) struct Search<'a, 'p> {
    engine: &'a Cegar,
    program: &'a Program<'p>,
    target: Target,
    pub cone: Cone,
    commutativity: Commutativity,
    persistent: PersistentSets,
}

/// An abstract state.
struct Node<S> {
    place: PlaceId,
    state: S,
    /// How it was reached, unless it is the first.
    from: Option<(u32, ActionId)>,
    /// Was another one found at the same place that stands for this one, too?
    covered: bool,
}

/// An index into the places of a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PlaceId(u32);

/// Where the threads can be together, and the abstract states that were found there.
struct Place<A> {
    locations: ProductState,
    /// Is the target met here?
    accepted: Option<Accepted>,
    /// The variables of which nothing has to be known here.
    irrelevant: Rc<BitSet>,
    /// The actions that have to be looked at, and where they lead; made when first asked for.
    moves: Option<Rc<[(ActionId, PlaceId)]>>,
    /// The states found here that no other one covers, with exchangeable threads sorted.
    states: A,
}

impl<'a, 'p> Search<'a, 'p> {
    pub fn new<D: Domain<'p>>(engine: &'a Cegar, program: &'a Program<'p>, target: Target, domain: &D) -> Self {
        let sight = domain.sight(program);
        Search {
            engine,
            program,
            target,
            cone: Cone::new(program, engine.cone, sight.visible().clone()),
            commutativity: Commutativity::seeing(CommutativityMode::Semantic, sight),
            persistent: PersistentSets::new(target),
        }
    }

    /// Visits abstract states until one meets the target, other than by a `hopeless` trace.
    pub fn visit<D: Domain<'p>>(
        &mut self,
        domain: &mut D,
        Refinement { solver, statistics, .. }: &mut Refinement<'_, 'p>,
        control: &Control,
        hopeless: &Hopeless,
    ) -> Result<Found<AbstractState>, StopReason> {
        let mut places: Places<D::Antichain> = Places {
            distances: Distances::new(self.program, self.target),
            ids: FxHashMap::default(),
            places: Vec::new(),
        };
        let first = places.at(self, self.program.initial_state());
        let mut nodes = vec![Node { place: first, state: domain.initial(), from: None, covered: false }];
        let mut waiting: VecDeque<u32> = VecDeque::from([0]);
        loop {
            let next = match self.engine.search {
                SearchOrder::Breadth => waiting.pop_front(),
                SearchOrder::Depth => waiting.pop_back(),
            };
            let Some(now) = next else {
                let left = nodes.into_iter().filter(|node| !node.covered);
                let left = left.filter_map(|Node { place, state, .. }| {
                    let known = domain.known(&state)?;
                    Some(AbstractState { locations: places.get(place).locations.clone(), known })
                });
                return Ok(Found::Covered(left.collect()));
            };
            control.poll()?;
            statistics.states = nodes.len() as u64;
            let (round, states) = (statistics.rounds, statistics.states);
            control.report(|| Progress { round, assertions: domain.size(), states, ..Progress::default() });
            let Node { place, ref state, covered, .. } = nodes[now as usize];
            if covered {
                continue;
            }
            let state = state.clone();
            if let Some(accepted) = places.get(place).accepted {
                let trace = path(now, |node| nodes[node as usize].from);
                if hopeless.contains(&trace) {
                    continue;
                }
                return Ok(Found::Uncovered(trace, accepted));
            }
            for &(action, behind) in places.moves(self, solver, place).iter() {
                let left = self.cone.simplify(self.program, action, &places.get(behind).irrelevant);
                let start = Instant::now();
                let successors = domain.successors(solver, self.program, &state, action, &left);
                statistics.successor_time += start.elapsed();
                statistics.transitions += 1;
                for state in successors {
                    let (there, sorted) = match domain.sorted(self.program, &places.get(behind).locations, &state) {
                        Some((locations, sorted)) => (places.at(self, locations), sorted),
                        None => (behind, state.clone()),
                    };
                    let there = places.get_mut(there);
                    if domain.is_covered(&there.states, &sorted) {
                        continue;
                    }
                    let number = nodes.len() as u32;
                    let cover = |number: u32| nodes[number as usize].covered = true;
                    domain.insert(&mut there.states, sorted, number, cover);
                    waiting.push_back(number);
                    nodes.push(Node { place: behind, state, from: Some((now, action)), covered: false });
                }
            }
        }
    }
}

/// The places that were met in one visit.
struct Places<A> {
    distances: Distances,
    ids: FxHashMap<ProductState, PlaceId>,
    places: Vec<Place<A>>,
}

impl<A: Default> Places<A> {
    fn get(&self, place: PlaceId) -> &Place<A> {
        &self.places[place.0 as usize]
    }

    fn get_mut(&mut self, place: PlaceId) -> &mut Place<A> {
        &mut self.places[place.0 as usize]
    }

    /// The place with these locations.
    fn at(&mut self, search: &mut Search<'_, '_>, locations: ProductState) -> PlaceId {
        if let Some(&known) = self.ids.get(&locations) {
            return known;
        }
        let new = PlaceId(self.places.len() as u32);
        self.ids.insert(locations.clone(), new);
        let accepted = search.target.accepted(search.program, &locations);
        let irrelevant = search.cone.irrelevant_in(search.program, &locations);
        self.places.push(Place { locations, accepted, irrelevant, moves: None, states: A::default() });
        new
    }

    /// The actions that have to be looked at in a place (a persistent set of them, if there is one), except those that lead away from the target.
    fn moves(
        &mut self,
        search: &mut Search<'_, '_>,
        solver: &mut Solver<'_>,
        place: PlaceId,
    ) -> Rc<[(ActionId, PlaceId)]> {
        if let Some(moves) = &self.get(place).moves {
            return moves.clone();
        }
        let locations = self.get(place).locations.clone();
        let program = search.program;
        let mut actions: Vec<ActionId> = program.enabled(&locations).collect();
        if search.engine.reduction {
            let commute = |a, b| search.commutativity.always(solver, program, a, b);
            actions = search.persistent.membrane(commute, program, &locations, &actions);
        }
        let mut moves = Vec::with_capacity(actions.len());
        for action in actions {
            let behind = program.successor(&locations, action);
            if self.distances.from(program, &behind).is_some() {
                moves.push((action, self.at(search, behind)));
            }
        }
        let moves: Rc<[(ActionId, PlaceId)]> = moves.into();
        self.get_mut(place).moves = Some(moves.clone());
        moves
    }
}
