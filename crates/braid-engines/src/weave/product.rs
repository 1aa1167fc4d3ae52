//! The interleavings that a proof does not cover, as an automaton made on demand: a node is where the threads are and what the
//! proof knows there. Error locations accept as completion does: a word that ends in one is to be proven
//! infeasible, like one that violates a postcondition.
//!
//! The slot of an action is its place among the actions that leave its location, behind the slots of the threads before. It
//! stays the same while others act.

use crate::distance::lengths;
use crate::refinement::path;
use crate::{Control, Progress, StopReason};
use braid_logic::Solver;
use braid_program::cfa::{Action, ActionId, Location, ProductState, Program, Thread, ThreadId};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::tree::{NodeId, Opened, Step, Uncovered};
use braid_reduction::{Commutativity, Context, PreferenceOrder, Target};
use rustc_hash::FxHashMap;

/// The automaton. See the module's description.
pub(super) struct Product<'a, 'b, 'p> {
    pub program: &'a Program<'p>,
    pub target: Target,
    /// Which letters a search tries first.
    pub order: &'a PreferenceOrder,
    pub solver: &'b mut Solver<'p>,
    pub commutativity: &'b mut Commutativity,
    pub proof: &'b mut FloydHoareAutomaton,
    pub control: &'a Control,
    pub progress: Progress,
    pub places: &'b mut Places,
    pub nodes: Vec<(u32, Known)>,
    pub numbers: FxHashMap<(u32, Known), NodeId>,
}

/// Where the threads can be, with numbers and what leaves from there. It is the same for every proof.
#[derive(Default)]
pub(super) struct Places {
    states: Vec<ProductState>,
    enabled: Vec<Vec<ActionId>>,
    numbers: FxHashMap<ProductState, u32>,
    successors: FxHashMap<(u32, ActionId), u32>,
    /// Per action.
    slots: Vec<u16>,
    /// Per action: how many steps are left to its thread's end at least.
    distances: Vec<u32>,
}

impl Places {
    /// No place was met yet.
    pub fn new(program: &Program<'_>) -> Places {
        let mut slots = vec![0; program.actions.len()];
        let mut first = 0;
        for thread in &program.threads {
            let mut widest = 0;
            for location in 0..thread.locations.len() as u32 {
                let outgoing = thread.outgoing(Location(location));
                for (place, action) in outgoing.iter().enumerate() {
                    slots[action.index()] = first + place as u16;
                }
                widest = widest.max(outgoing.len() as u16);
            }
            first += widest;
        }
        Places { slots, distances: distances(program), ..Places::default() }
    }

    /// How many slots there are.
    pub fn slot_count(&self) -> usize {
        self.slots.iter().max().map_or(0, |&last| last as usize + 1)
    }

    fn number(&mut self, program: &Program<'_>, state: ProductState) -> u32 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.enabled.push(program.enabled(state).collect());
            self.states.push(state.clone());
            self.states.len() as u32 - 1
        })
    }

    fn successor(&mut self, program: &Program<'_>, place: u32, action: ActionId) -> u32 {
        if let Some(&next) = self.successors.get(&(place, action)) {
            return next;
        }
        let next = program.successor(&self.states[place as usize], action);
        let next = self.number(program, next);
        self.successors.insert((place, action), next);
        next
    }
}

/// For each action, how many steps its thread has left behind it at least to its end or an error.
fn distances(program: &Program<'_>) -> Vec<u32> {
    let to_end = |(id, thread): (ThreadId, &Thread)| {
        let is_end =
            |location: Location| location == thread.exit || thread.locations[location.index()].violation.is_some();
        lengths(program, id, is_end)
    };
    let to_end: Vec<Vec<Option<u32>>> = program.thread_ids().zip(&program.threads).map(to_end).collect();
    let behind = |action: &Action| to_end[action.thread.index()][action.target.index()].unwrap_or(u32::MAX);
    program.actions.iter().map(behind).collect()
}

impl Product<'_, '_, '_> {
    fn node(&mut self, place: u32, known: Known) -> NodeId {
        *self.numbers.entry((place, known)).or_insert_with(|| {
            self.nodes.push((place, known));
            NodeId(self.nodes.len() as u32 - 1)
        })
    }

    /// Where the threads are at a node, and what is known there.
    pub fn at(&self, node: NodeId) -> (&ProductState, Known) {
        let (place, known) = self.nodes[node.index()];
        (&self.places.states[place as usize], known)
    }

    /// The actions of a node that have these slots.
    pub fn with_slots(&self, node: NodeId, slots: &[u16]) -> impl Iterator<Item = ActionId> {
        let enabled = &self.places.enabled[self.nodes[node.index()].0 as usize];
        enabled.iter().copied().filter(|action| slots.contains(&self.places.slots[action.index()]))
    }

    /// The action of a letter.
    pub fn action(&self, (node, letter): Step) -> ActionId {
        self.places.enabled[self.nodes[node.index()].0 as usize][letter as usize]
    }

    /// What letters are compared by: first the order's choice of a thread, then those that lead soonest to its end. (The order of the
    /// letters of one thread makes no difference to a reduction.)
    pub fn rank(&self, order: &PreferenceOrder, context: Context, step: Step) -> (u64, u32, u32) {
        let place = self.nodes[step.0.index()].0 as usize;
        let action = self.action(step);
        let (thread, number) = order.rank(context, &self.places.states[place], self.program, action);
        (thread, self.places.distances[action.index()], number)
    }

    /// The shortest interleaving that is not covered, unless `hopeless`: out of all, not of a reduction.
    pub fn shortest(&mut self, hopeless: impl Fn(&Vec<ActionId>) -> bool) -> Result<Option<Vec<ActionId>>, StopReason> {
        let mut from: FxHashMap<NodeId, Option<Step>> = FxHashMap::default();
        let mut queue: Vec<NodeId> = self.initial()?.into_iter().collect();
        queue.iter().for_each(|&node| _ = from.insert(node, None));
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            self.visited(next)?;
            if self.open(node)?.uncovered {
                let word = path(node, |at| from[&at].map(|step| (step.0, self.action(step))));
                if !hopeless(&word) {
                    return Ok(Some(word));
                }
                continue;
            }
            for letter in 0..self.places.enabled[self.nodes[node.index()].0 as usize].len() {
                if let Some(target) = self.step(node, letter)?
                    && !from.contains_key(&target)
                {
                    from.insert(target, Some((node, letter as u32)));
                    queue.push(target);
                }
            }
        }
        Ok(None)
    }
}

impl Uncovered for Product<'_, '_, '_> {
    type Stop = StopReason;
    type Turn = Context;

    fn initial(&mut self) -> Result<Option<NodeId>, StopReason> {
        let place = self.places.number(self.program, self.program.initial_state());
        Ok(Some(self.node(place, Known::NOTHING)))
    }

    fn open(&mut self, node: NodeId) -> Result<Opened, StopReason> {
        let kind = self.nodes[node.index()].0;
        let uncovered = self.target.is_met(self.program, &self.places.states[kind as usize]);
        let enabled = &self.places.enabled[kind as usize];
        let slots = enabled.iter().map(|action| self.places.slots[action.index()]).collect();
        Ok(Opened { uncovered, slots, kind })
    }

    fn step(&mut self, node: NodeId, letter: usize) -> Result<Option<NodeId>, StopReason> {
        let (place, known) = self.nodes[node.index()];
        let action = self.places.enabled[place as usize][letter];
        let after = self.proof.successor(self.solver, self.program, known, action);
        self.control.poll()?;
        if after == Known::UNREACHABLE {
            return Ok(None);
        }
        let next = self.places.successor(self.program, place, action);
        Ok(Some(self.node(next, after)))
    }

    fn commute(&mut self, node: NodeId, first: usize, second: usize) -> Result<bool, StopReason> {
        let (place, known) = self.nodes[node.index()];
        let enabled = &self.places.enabled[place as usize];
        let (solver, program, proof) = (&mut *self.solver, self.program, &*self.proof);
        let pair = (enabled[first], enabled[second]);
        Ok(self.commutativity.under(solver, program, pair, |pair| proof.about(program, known, pair)))
    }

    fn is_weaker(&self, node: NodeId, other: NodeId) -> bool {
        self.proof.is_stronger(self.nodes[other.index()].1, self.nodes[node.index()].1)
    }

    fn preferred(&mut self, node: NodeId, turn: Context) -> Vec<usize> {
        let place = self.nodes[node.index()].0 as usize;
        let mut letters: Vec<usize> = (0..self.places.enabled[place].len()).collect();
        letters.sort_by_cached_key(|&letter| self.rank(self.order, turn, (node, letter as u32)));
        letters
    }

    fn next_turn(&self, turn: Context, node: NodeId, letter: usize) -> Context {
        self.order.next(turn, self.program, self.action((node, letter as u32)))
    }

    fn visited(&mut self, states: usize) -> Result<(), StopReason> {
        self.progress.states = states as u64;
        self.control.report(|| self.progress.clone());
        self.control.poll()
    }
}
