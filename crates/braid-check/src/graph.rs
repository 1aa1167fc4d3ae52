//! Checks a graph: every state of it, by itself.
//!
//! A graph is a proof if for each of its states *s*, where the assertions of *s* hold and the actions asleep in *s* need not be followed:
//!
//! 1. the target is not met in *s*;
//! 2. the actions that are followed or asleep are all that are enabled, or those of the threads of a membrane (paper 1, Definition 6.1);
//! 3. an action that is followed cannot happen, or leads to a state of the graph at the right place, and what holds there follows (a
//!    Hoare triple);
//! 4. what is asleep behind an action *a* was asleep in *s*, or was followed in *s* before *a*, and commutes with *a* where the assertions of *s* hold.
//!
//! Then by induction over its length no interleaving that can happen meets the target. Take one from a state *s* that has no
//! equivalent one that begins with an action asleep in *s*. By 2, one that is equivalent to it begins with an action of the membrane, which is awake; of all such actions take
//! the first one that is followed. By 3 the rest can happen from the state behind it, and by 4 it has no equivalent one that begins
//! with an action asleep there: that action could have come first in *s*. The order in which actions are followed
//! may be another one in each state (paper 4, section 6): no preference order is trusted.

use crate::certificate::{Graph, GraphState};
use crate::{Checked, Refusal};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Answer, BitSet, Solver, Sort, Term};
use braid_program::cfa::{ActionId, Location, ProductState, Program, ThreadId};
use braid_reduction::{Commutativity, CommutativityMode, PersistentSets, Target};
use rustc_hash::FxHashMap;

/// Checks that there is a graph for each target, and each of them.
pub(crate) fn check<'p>(
    program: &Program<'p>,
    solver: Solver<'p>,
    texts: &[String],
    graphs: &[Graph],
    goes_on: &dyn Fn() -> bool,
) -> Result<Checked, Refusal> {
    let assertions = assertions(program, texts)?;
    let commutativity = Commutativity::new(CommutativityMode::ProofSensitive);
    let mut checker = Checker {
        program,
        solver,
        assertions,
        commutativity,
        valid: FxHashMap::default(),
        checked: Checked::default(),
    };
    for target in Target::all(program) {
        let graph = graphs.iter().find(|graph| graph.target == target);
        let graph = graph.ok_or_else(|| Refusal::new(format!("There is no graph for {}.", named(program, target))))?;
        checker.graph(graph, goes_on)?;
    }
    checker.checked.queries = checker.solver.statistics().queries;
    Ok(checker.checked)
}

/// Assertions out of their texts: formulas over the program's own variables. Those of anybody else, as of choices that actions
/// make, do not mean the same in two states.
pub fn assertions(program: &Program<'_>, texts: &[String]) -> Result<Vec<Term>, Refusal> {
    let pool = program.pool;
    let read = |text: &String| {
        let term = parse_term(pool, text, &PoolScope(pool)).map_err(|error| error.to_string())?;
        if pool.sort_of(term) != Sort::BOOL {
            return Err("not a formula".to_owned());
        }
        let own = |var: &&braid_logic::Var| program.variables.iter().any(|variable| variable.var == **var);
        match pool.free_vars(term).iter().find(|var| !own(var)) {
            Some(&other) => Err(format!("{} is no variable of the program", pool.var_name(other))),
            None => Ok(term),
        }
    };
    texts.iter().map(|text| read(text).map_err(|error| Refusal::new(format!("Assertion {text}: {error}.")))).collect()
}

/// What a target is, in words.
fn named(program: &Program<'_>, target: Target) -> String {
    let name = |thread: ThreadId| &program.thread(thread).name;
    match target {
        Target::Completion => "the end of the program".into(),
        Target::ErrorOf(thread) => format!("the errors of thread {}", name(thread)),
        Target::BoundOf(thread) => format!("the bounds of thread {}", name(thread)),
    }
}

struct Checker<'a, 'p> {
    program: &'a Program<'p>,
    solver: Solver<'p>,
    assertions: Vec<Term>,
    commutativity: Commutativity,
    /// For an action and what is to hold behind it (none: nothing comes behind it): premises that suffice.
    valid: FxHashMap<(ActionId, Option<u32>), Vec<BitSet>>,
    checked: Checked,
}

impl Checker<'_, '_> {
    fn graph(&mut self, graph: &Graph, goes_on: &dyn Fn() -> bool) -> Result<(), Refusal> {
        let about = format!("In the graph for {}", named(self.program, graph.target));
        let refused = |why: String| Refusal::new(format!("{about}, {why}."));
        let places: Vec<ProductState> =
            graph.states.iter().map(|state| self.place(state)).collect::<Result<_, _>>().map_err(refused)?;
        let starts = graph.states.first().is_some_and(|first| {
            places[0] == self.program.initial_state() && first.holds.is_empty() && first.asleep.is_empty()
        });
        if !starts {
            return Err(refused("the first state is not where the program begins, with nothing known".into()));
        }
        let mut persistent = PersistentSets::new(graph.target);
        for (number, state) in graph.states.iter().enumerate() {
            if !goes_on() {
                return Err(Refusal::Stopped);
            }
            self.state(graph, &places, number, &mut persistent)
                .map_err(|why| refused(format!("state {number} {}: {why}", self.shown(&places[number]))))?;
            self.checked.states += 1;
            self.checked.steps += state.steps.len() as u64;
        }
        Ok(())
    }

    /// Where the threads are, if there are such places.
    fn place(&self, state: &GraphState) -> Result<ProductState, String> {
        let (program, known) = (self.program, self.assertions.len() as u32);
        if let Some(wrong) = state.holds.iter().find(|&&assertion| assertion >= known) {
            return Err(format!("there is no assertion {wrong}"));
        }
        let actions = state.asleep.iter().chain(state.steps.iter().map(|(action, _)| action));
        if let Some(wrong) = actions.into_iter().find(|action| action.index() >= program.actions.len()) {
            return Err(format!("there is no action {}", wrong.0));
        }
        let exists = |(thread, at): (&braid_program::cfa::Thread, &Location)| at.index() < thread.locations.len();
        if state.locations.len() != program.threads.len() || !program.threads.iter().zip(&state.locations).all(exists) {
            return Err("a state is at locations that there are not".into());
        }
        Ok(ProductState::at(&state.locations))
    }

    /// The four rules, for one state.
    fn state(
        &mut self,
        graph: &Graph,
        places: &[ProductState],
        number: usize,
        persistent: &mut PersistentSets,
    ) -> Result<(), String> {
        let (program, state, place) = (self.program, &graph.states[number], &places[number]);
        if graph.target.is_met(program, place) {
            return Err("what must not be reached is reached".into());
        }
        self.follows_enough(state, place, persistent)?;
        let known: BitSet = state.holds.iter().map(|&assertion| assertion as usize).collect();
        for (before, &(action, target)) in state.steps.iter().enumerate() {
            let Some(target) = target else {
                self.triple(&known, action, None)?;
                continue;
            };
            let behind = graph.states.get(target as usize).ok_or(format!("there is no state {target}"))?;
            if places[target as usize] != program.successor(place, action) {
                return Err(format!("{} does not lead to state {target}", self.told(action)));
            }
            let candidate = |other: &ActionId| {
                state.asleep.contains(other) || state.steps[..before].iter().any(|(earlier, _)| earlier == other)
            };
            for &other in &behind.asleep {
                if !candidate(&other) || !self.commute(state, action, other) {
                    return Err(format!(
                        "nothing shows that {} may sleep behind {}",
                        self.told(other),
                        self.told(action)
                    ));
                }
            }
            for &assertion in &behind.holds {
                self.triple(&known, action, Some(assertion))?;
            }
        }
        Ok(())
    }

    /// Rule 2.
    fn follows_enough(
        &mut self,
        state: &GraphState,
        place: &ProductState,
        persistent: &mut PersistentSets,
    ) -> Result<(), String> {
        let (program, enabled): (_, Vec<ActionId>) = (self.program, self.program.enabled(place).collect());
        if let Some((wrong, _)) = state.steps.iter().find(|(action, _)| !enabled.contains(action)) {
            return Err(format!("{} is not enabled", self.told(*wrong)));
        }
        let covered = |action: &ActionId| {
            state.asleep.contains(action) || state.steps.iter().any(|(followed, _)| followed == action)
        };
        let left: Vec<ActionId> = enabled.iter().copied().filter(|action| !covered(action)).collect();
        if left.is_empty() {
            return Ok(());
        }
        let whole = |thread: &ThreadId| left.iter().all(|&action| program.action(action).thread != *thread);
        let chosen: Vec<ThreadId> = program.thread_ids().filter(whole).collect();
        let (commutativity, solver) = (&mut self.commutativity, &mut self.solver);
        let commute = |a: ActionId, b: ActionId| commutativity.always(solver, program, a, b);
        if persistent.has_membrane(commute, program, place, chosen) {
            return Ok(());
        }
        Err(format!("{} is left out, and what is followed is no membrane", self.told(left[0])))
    }

    /// Do the actions commute where the state's assertions hold?
    fn commute(&mut self, state: &GraphState, a: ActionId, b: ActionId) -> bool {
        let (program, assertions) = (self.program, &self.assertions);
        let pool = program.pool;
        let touched = [a, b].map(|action| program.action(action).relation(pool));
        let about = |assertion: &Term| {
            let vars = pool.free_vars(*assertion);
            touched.iter().any(|relation| {
                relation.reads.iter().chain(&relation.writes).any(|var| vars.binary_search(var).is_ok())
            })
        };
        let known = || state.holds.iter().map(|&assertion| assertions[assertion as usize]);
        // What speaks of the same variables is mostly enough; it is the same for many states.
        let near = pool.and(known().filter(about));
        let (commutativity, solver) = (&mut self.commutativity, &mut self.solver);
        commutativity.under(solver, program, (a, b), |_| near)
            || commutativity.under(solver, program, (a, b), |_| pool.and(known()))
    }

    /// Rule 3: does the assertion hold behind the action? Without one: can the action not happen?
    fn triple(&mut self, known: &BitSet, action: ActionId, after: Option<u32>) -> Result<(), String> {
        let pool = self.program.pool;
        let relation = self.program.action(action).relation(pool);
        let conclusion = after.map_or(Term::FALSE, |after| self.assertions[after as usize]);
        let vars = pool.free_vars(conclusion);
        let framed = !relation.writes.iter().any(|var| vars.binary_search(var).is_ok());
        if framed && after.is_some_and(|after| known.contains(after as usize)) {
            return Ok(());
        }
        let cores = self.valid.entry((action, after)).or_default();
        if cores.iter().any(|core| core.is_subset(known)) {
            return Ok(());
        }
        let violated = pool.not(relation.before(pool, conclusion));
        let mut query: Vec<Term> = known.iter().map(|assertion| self.assertions[assertion]).collect();
        query.extend([relation.guard, violated]);
        query.retain(|&formula| formula != Term::TRUE);
        match self.solver.check_assuming(&query) {
            Answer::Unsat => {
                let core = self.solver.core();
                cores.push(known.iter().filter(|&assertion| core.contains(&self.assertions[assertion])).collect());
                Ok(())
            }
            answer => {
                let what = match after {
                    Some(_) => format!("{} does not follow behind {}", pool.infix(conclusion), self.told(action)),
                    None => format!("{} can happen", self.told(action)),
                };
                let premises: Vec<String> =
                    known.iter().map(|assertion| pool.infix(self.assertions[assertion]).to_string()).collect();
                let premises = if premises.is_empty() { "nothing".into() } else { premises.join(", ") };
                let how = if answer == Answer::Unknown { " (the solver does not know)" } else { "" };
                Err(format!("{what}{how}, where {premises} is known"))
            }
        }
    }

    /// An action for people.
    fn told(&self, action: ActionId) -> String {
        let found = self.program.action(action);
        let sources = &self.program.sources;
        let line = sources.position(found.span).line;
        let thread = &self.program.thread(found.thread).name;
        format!("action {} (thread {thread}, line {line}: {})", action.0, sources.excerpt(found.span, 40))
    }

    /// A place for people.
    fn shown(&self, place: &ProductState) -> String {
        let threads = self.program.thread_ids().map(|id| (id, self.program.thread(id)));
        let running = threads.filter(|(id, _)| place.location(*id) != Location::NOT_STARTED);
        let at = |(id, thread): (ThreadId, &braid_program::cfa::Thread)| {
            let span = thread.locations[place.location(id).index()].span;
            format!("{} in line {}", thread.name, self.program.sources.position(span).line)
        };
        format!("({})", running.map(at).collect::<Vec<_>>().join(", "))
    }
}
