//! The walk through a reduction with a finished proof: a state is visited unless one that was visited knows less and sleeps less
//! at the same place. What comes out is a [`Graph`] per target.

use super::needed::Needed;
use crate::weave::Weave;
use crate::{Control, ProvenReduction};
use braid_check::{Annotation, Argument, Graph, GraphState, location_of};
use braid_logic::{BitSet, Solver, SolverOptions, Term};
use braid_program::cfa::{ActionId, Location, ProductState, Program, ThreadId};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{
    Commutativity, CommutativityMode, OrderSpec, PreferenceOrder, Reduced, ReducedState, Reduction, Target,
};
use rustc_hash::FxHashMap;

/// With more states than this, annotations are of no use to anybody.
const MOST_STATES: usize = 5_000;

/// What is walked through, with whom.
pub(super) struct Walk<'a, 'p> {
    pub program: &'a Program<'p>,
    pub reduction: &'a ProvenReduction,
    pub solver: &'a SolverOptions,
    pub control: &'a Control,
}

/// A state of a reduction.
pub(crate) struct Visited {
    pub locations: ProductState,
    pub asleep: BitSet,
    pub known: Known,
    /// The actions that are followed, in order, and where they lead; none: they cannot happen.
    pub steps: Vec<(ActionId, Option<u32>)>,
}

impl Walk<'_, '_> {
    /// The certificate with these assertions; none if they do not suffice. Fails if it is stopped.
    pub fn certificate(&self, assertions: &[Term]) -> Result<Option<Argument>, String> {
        let program = self.program;
        let order = PreferenceOrder::new(&self.reduction.order, program).map_err(|error| error.to_string())?;
        let mut solver = Solver::new(program.pool, self.solver.clone()).map_err(|error| error.to_string())?;
        self.control.may_interrupt(solver.interrupter());
        let mut proof = FloydHoareAutomaton::new();
        assertions.iter().for_each(|&assertion| _ = proof.add(program, assertion));
        let mut commutativity = Commutativity::new(self.reduction.commutativity);
        let mut graphs = Vec::new();
        for target in Target::all(program) {
            let reduced = Reduced::new(program, target, &order, self.reduction.reduction);
            let met = |place: &ReducedState| target.is_met(program, &place.locations);
            let walked = self.walk(reduced, met, &mut solver, &mut proof, &mut commutativity)?;
            let Some(visited) = walked else { return Ok(None) };
            graphs.push(graph(program, target, &mut solver, &proof, &mut commutativity, &visited));
        }
        Ok(Some(argument(program, proof.assertions(), graphs)))
    }

    /// What holds at each location of each thread, whatever the interleaving; none if the assertions do not suffice for all of them.
    pub fn annotations(&self, assertions: &[Term]) -> Result<Option<Argument>, String> {
        let program = self.program;
        let order = PreferenceOrder::new(&OrderSpec::Seq, program).map_err(|error| error.to_string())?;
        let mut solver = Solver::new(program.pool, self.solver.clone()).map_err(|error| error.to_string())?;
        self.control.may_interrupt(solver.interrupter());
        let mut proof = FloydHoareAutomaton::new();
        assertions.iter().for_each(|&assertion| _ = proof.add(program, assertion));
        let mut commutativity = Commutativity::new(CommutativityMode::None);
        let reduced = Reduced::new(program, Target::Completion, &order, Reduction::None);
        let met = |place: &ReducedState| program.accepted(&place.locations).is_some();
        let walked = self.walk(reduced, met, &mut solver, &mut proof, &mut commutativity)?;
        let Some(visited) = walked else { return Ok(None) };
        if visited.len() > MOST_STATES {
            return Err(format!("annotations would have more than {MOST_STATES} cases"));
        }
        let needed = Needed::of(program, &mut solver, &proof, &mut commutativity, &visited);
        Ok(Some(annotations(program, proof.assertions(), &visited, needed.sets())))
    }

    /// All states, each with its steps; none if the target is met.
    fn walk(
        &self,
        mut reduced: Reduced<'_, '_>,
        is_met: impl Fn(&ReducedState) -> bool,
        solver: &mut Solver<'_>,
        proof: &mut FloydHoareAutomaton,
        commutativity: &mut Commutativity,
    ) -> Result<Option<Vec<Visited>>, String> {
        let program = self.program;
        let mut by_place: FxHashMap<ProductState, Vec<u32>> = FxHashMap::default();
        let initial = reduced.initial();
        by_place.insert(initial.locations.clone(), vec![0]);
        let new = |place: &ReducedState, known: Known| {
            let ReducedState { locations, asleep, .. } = place.clone();
            Visited { locations, asleep, known, steps: Vec::new() }
        };
        let mut visited = vec![new(&initial, Known::NOTHING)];
        let (mut places, mut next) = (vec![initial], 0);
        while next < visited.len() {
            self.control.poll().map_err(|reason| reason.to_string())?;
            let (place, known) = (places[next].clone(), visited[next].known);
            if is_met(&place) {
                return Ok(None);
            }
            let leaving = reduced.leaving(&place, |a, b| commutativity.always(solver, program, a, b));
            for &action in leaving.explored() {
                let after = proof.successor(solver, program, known, action);
                if after == Known::UNREACHABLE {
                    visited[next].steps.push((action, None));
                    continue;
                }
                let behind = reduced.successor(&place, &leaving, action, |a, b| {
                    commutativity.under(solver, program, (a, b), |pair| proof.about(program, known, pair))
                });
                let same = by_place.entry(behind.locations.clone()).or_default();
                let covers =
                    |other: &Visited| proof.is_stronger(after, other.known) && other.asleep.is_subset(&behind.asleep);
                let covering = same.iter().copied().find(|&number| covers(&visited[number as usize]));
                let number = covering.unwrap_or(visited.len() as u32);
                if covering.is_none() {
                    same.push(number);
                    visited.push(new(&behind, after));
                    places.push(behind);
                }
                visited[next].steps.push((action, Some(number)));
            }
            next += 1;
        }
        Ok(Some(visited))
    }
}

/// For each thread at each location: one of the states with it there is the case.
fn annotations(program: &Program<'_>, assertions: &[Term], visited: &[Visited], needed: &[BitSet]) -> Argument {
    let pool = program.pool;
    let is_at = |thread: ThreadId, state: &Visited| {
        let at = pool.of_var(location_of(program, thread));
        pool.eq(at, pool.int(i64::from(state.locations.location(thread).0)))
    };
    let mut annotations = Vec::new();
    for thread in program.thread_ids() {
        for location in (1..program.thread(thread).locations.len() as u32).map(Location) {
            let here = visited.iter().zip(needed).filter(|(state, _)| state.locations.location(thread) == location);
            let case = |(state, known): (&Visited, &BitSet)| {
                let others = program.thread_ids().filter(|other| *other != thread);
                let places: Vec<Term> = others.map(|other| is_at(other, state)).collect();
                pool.and(places.into_iter().chain(known.iter().map(|assertion| assertions[assertion])))
            };
            let formula = pool.or(here.map(case).collect::<Vec<_>>());
            if formula != Term::TRUE {
                let formula = pool.display(formula).to_string();
                annotations.push(Annotation { thread, location, formula });
            }
        }
    }
    Argument::OwickiGries { annotations }
}

/// The certificate of a reduction out of many; none if the assertions cover none. Fails if it is stopped.
pub(super) fn woven(
    program: &Program<'_>,
    weave: &Weave,
    assertions: &[Term],
    solver: &SolverOptions,
    control: &Control,
) -> Result<Option<Argument>, String> {
    let mut solver = Solver::new(program.pool, solver.clone()).map_err(|error| error.to_string())?;
    control.may_interrupt(solver.interrupter());
    let (mut graphs, mut found) = (Vec::new(), None);
    let covered = weave
        .walk(program, assertions, &mut solver, control, |solver, target, proof, commutativity, visited| {
            graphs.push(graph(program, target, solver, proof, commutativity, visited));
            found = Some(proof.assertions().to_vec());
        })
        .map_err(|reason| reason.to_string())?;
    Ok(covered.then(|| argument(program, &found.unwrap_or_default(), graphs)))
}

/// The states with what each of them needs to know.
fn graph<'p>(
    program: &Program<'p>,
    target: Target,
    solver: &mut Solver<'p>,
    proof: &FloydHoareAutomaton,
    commutativity: &mut Commutativity,
    visited: &[Visited],
) -> Graph {
    let needed = Needed::of(program, solver, proof, commutativity, visited);
    let states = visited.iter().zip(needed.sets()).map(|(state, holds)| GraphState {
        locations: state.locations.locations().to_vec(),
        asleep: state.asleep.iter().map(|action| ActionId(action as u32)).collect(),
        holds: holds.iter().map(|assertion| assertion as u32).collect(),
        steps: state.steps.clone(),
    });
    Graph { target, states: states.collect() }
}

/// The argument with those assertions alone that some state needs.
fn argument(program: &Program<'_>, known: &[Term], mut graphs: Vec<Graph>) -> Argument {
    let used: BitSet = graphs
        .iter()
        .flat_map(|graph| &graph.states)
        .flat_map(|state| state.holds.iter().map(|&assertion| assertion as usize))
        .collect();
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut assertions = Vec::new();
    for assertion in used.iter() {
        numbers.insert(assertion as u32, assertions.len() as u32);
        assertions.push(program.pool.display(known[assertion]).to_string());
    }
    let states = graphs.iter_mut().flat_map(|graph| &mut graph.states);
    states.for_each(|state| state.holds.iter_mut().for_each(|assertion| *assertion = numbers[assertion]));
    Argument::Reduction { assertions, graphs }
}
