//! From structured programs to automata: calls are inlined, every thread instance gets an automaton of its own.
//!
//! * A procedure that calls itself is inlined up to a bound; where that is too much, its calls share bodies (`recursion`).
//! * A `par` becomes one fork of all its branches and one join of them.
//! * A forked procedure gets one instance per fork site, or up to a bound where the site can be passed again; a counter
//!   in the program picks the next instance, and an error location stands for "one more instance is needed". Whoever needs
//!   one more may also go on, with a thread that never runs: a bug behind the bound is real.
//! * An `assert` becomes two actions, one of them to an error location.
//! * An atomic block becomes one action for each way through it, or a critical section (`atomic`).
//!
//! Invariant: the automata have the same complete and the same failing executions as the program, within the bounds.

mod atomic;
mod busy;
mod cases;
mod concurrency;
mod constants;
mod cycles;
mod dead;
mod expr;
mod flags;
mod fork;
mod fuse;
mod graph;
mod locks;
mod one_round;
mod prefix;
mod recursion;
mod rwlocks;
mod statement;
mod threads;
mod unwind;

pub use one_round::{ROUND, one_round};
pub use threads::LowerError;

use crate::ast;
use crate::cfa::{
    Action, Location, LocationInfo, Origin, Program, Size, Step, TemplateId, Thread, ThreadId, Violation,
};
use crate::source::Span;
use atomic::{Region, RegionId};
use braid_logic::{Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// How to lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowerOptions {
    /// Fuse steps that no other thread can observe?
    pub fuse: bool,
    /// How many instances a fork gets that can be passed more than once.
    pub instances: u32,
    /// How many calls of one procedure may be open at once, at least 1.
    pub recursion: u32,
    /// Does a fork that can be passed more than once get a template, which stands for any number of instances? What comes out is for
    /// engines that know templates.
    pub templates: bool,
    /// Do assertions in loops count in one round only, whichever it is ([`one_round`])?
    pub one_round: bool,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions { fuse: true, instances: 3, recursion: 3, templates: false, one_round: false }
    }
}

/// An action before it has a number.
#[derive(Clone)]
struct Edge {
    source: Location,
    target: Location,
    steps: Vec<Step>,
    forks: Vec<ThreadId>,
    joins: Vec<ThreadId>,
    span: Span,
}

impl Edge {
    /// Can its thread wait for others because of it?
    fn waits(&self) -> bool {
        !self.joins.is_empty() || self.steps.iter().any(Step::waits)
    }

    fn is_skip(&self) -> bool {
        self.steps.is_empty() && self.forks.is_empty() && self.joins.is_empty()
    }
}

/// An automaton under construction.
struct Automaton {
    name: String,
    origin: Origin,
    locations: Vec<LocationInfo>,
    /// The atomic block that each location stands in.
    regions: Vec<Option<RegionId>>,
    edges: Vec<Edge>,
    entry: Location,
    exit: Location,
    /// Can it be started more than once, or does what is being lowered stand in a call that runs more than once?
    repeats: bool,
    /// The atomic block that is being lowered.
    region: Option<Region>,
    /// The places of all atomic blocks, by their ids.
    blocks: Vec<Span>,
    /// How many branches and `par`s have been started from here, for names and groups.
    branches: u32,
    groups: u32,
    /// The template that it belongs to, and how many sites with templates of its own were met.
    template: Option<TemplateId>,
    sites: u32,
    /// The variable that holds its number, if it gets one when it starts.
    number: Option<Var>,
}

impl Automaton {
    fn new(name: String, origin: Origin, repeats: bool, span: Span) -> Automaton {
        let at = |span| LocationInfo { span, ..LocationInfo::default() };
        Automaton {
            name,
            origin,
            locations: vec![at(span), at(span), at(span)],
            regions: vec![None; 3],
            edges: Vec::new(),
            entry: Location(1),
            exit: Location(2),
            repeats,
            region: None,
            blocks: Vec::new(),
            branches: 0,
            groups: 0,
            template: None,
            sites: 0,
            number: None,
        }
    }

    fn location(&mut self, span: Span) -> Location {
        let region = self.region.as_ref().map(|region| region.id);
        self.location_in(region, span)
    }

    fn location_in(&mut self, region: Option<RegionId>, span: Span) -> Location {
        self.locations.push(LocationInfo { span, ..LocationInfo::default() });
        self.regions.push(region);
        Location(self.locations.len() as u32 - 1)
    }

    fn error(&mut self, violation: Violation, span: Span) -> Location {
        self.locations.push(LocationInfo { span, violation: Some(violation), loop_head: false });
        self.regions.push(None);
        Location(self.locations.len() as u32 - 1)
    }

    fn region_of(&self, location: Location) -> Option<RegionId> {
        self.regions[location.index()]
    }

    fn edge(&mut self, source: Location, target: Location, steps: Vec<Step>, span: Span) {
        self.edges.push(Edge { source, target, steps, forks: Vec::new(), joins: Vec::new(), span });
    }
}

impl Size {
    fn of(automata: &[Automaton]) -> Size {
        let locations = |automaton: &Automaton| {
            let ends = automaton.edges.iter().flat_map(|edge| [edge.source, edge.target]);
            ends.chain([automaton.entry, automaton.exit]).collect::<FxHashSet<Location>>().len()
        };
        Size {
            locations: automata.iter().map(locations).sum(),
            actions: automata.iter().map(|automaton| automaton.edges.len()).sum(),
        }
    }
}

/// Smaller automata with the same violations. Fusing turns critical sections into single actions, after which most locks are
/// constants; without them more can be fused. Where deadlocks are violations, `waits` is set. `instances`: how many threads
/// there are that each counter of forks counts.
fn optimise(
    pool: &TermPool,
    automata: &mut [Automaton],
    owners: &FxHashMap<Var, ThreadId>,
    visible: &[Term],
    instances: &FxHashMap<Var, Term>,
    (waits, one_round): (bool, bool),
) {
    // A loop whose rounds stand for each other stays a loop.
    if automata.len() > 1 && !waits && !one_round {
        prefix::follow(pool, &mut automata[0]);
    }
    for round in 0..2 {
        constants::propagate(pool, automata, waits);
        dead::eliminate(pool, automata, owners, visible);
        automata.iter_mut().for_each(|automaton| graph::remove_skips(automaton, waits));
        if round == 0 && !waits && unwind::unwind(pool, automata, instances) {
            constants::propagate(pool, automata, waits);
        }
        automata.iter_mut().for_each(graph::mark_loop_heads);
        fuse::fuse(pool, automata, waits);
    }
    constants::propagate(pool, automata, waits);
    dead::eliminate(pool, automata, owners, visible);
}

/// Smaller automata with the same livelocks: whatever is visible changes step by step, as before.
fn simplify(pool: &TermPool, automata: &mut [Automaton], owners: &FxHashMap<Var, ThreadId>, visible: &[Term]) {
    constants::propagate(pool, automata, true);
    dead::eliminate(pool, automata, owners, visible);
    automata.iter_mut().for_each(|automaton| graph::remove_skips(automaton, true));
    automata.iter_mut().for_each(graph::mark_loop_heads);
}

/// The identity of a thread is nobody's to change.
fn check_identities(program: &ast::Program) -> Result<(), LowerError> {
    for procedure in &program.procedures {
        let Some(identity) = procedure.identity else { continue };
        if let Some(stmt) = procedure.body.all().find(|stmt| stmt.targets().contains(&identity)) {
            return Err(LowerError::new(stmt.span, "the identity of a thread never changes"));
        }
    }
    Ok(())
}

/// Turns a program into automata whose terms live in `pool`.
pub fn lower<'p>(program: &ast::Program, pool: &'p TermPool, options: LowerOptions) -> Result<Program<'p>, LowerError> {
    check_identities(program)?;
    let changed = if options.one_round { one_round(program) } else { None };
    let program = changed.as_ref().unwrap_or(program);
    let mut lowering = threads::Lowering::new(program, pool, options);
    lowering.main()?;
    lowering.number_beyond();
    lowering.resolve_joins();
    lowering.automata.iter_mut().for_each(atomic::contract);
    lowering.guard_regions()?;
    lowering.initialise();
    let seeds = lowering.seeds();
    let identities = lowering.identities();
    let waits = program.claim.is_about_waiting();
    let identities_in_use: Vec<Term> = if waits { lowering.open_identities().collect() } else { Vec::new() };
    let threads::Lowering { mut automata, mut variables, functions, owners, unmodelled, fork_counters, .. } = lowering;
    variables.iter_mut().for_each(|variable| variable.owner = owners.get(&variable.var).copied());
    for automaton in &mut automata {
        graph::remove_skips(automaton, waits);
        graph::mark_loop_heads(automaton);
    }
    let visible: Vec<Term> = seeds.iter().copied().chain(identities_in_use).collect();
    let size_before = Size::of(&automata);
    match program.claim {
        _ if !options.fuse => {}
        ast::Claim::Progress => {
            let globals = variables.iter().filter(|variable| variable.owner.is_none());
            let globals = globals.map(|variable| pool.of_var(variable.var));
            let visible: Vec<Term> = visible.iter().copied().chain(globals).collect();
            simplify(pool, &mut automata, &owners, &visible);
        }
        _ => optimise(pool, &mut automata, &owners, &visible, &fork_counters, (waits, options.one_round)),
    }
    // Where the claim is about the end, proofs go through all of an action's values, and plain ones keep them small.
    if options.fuse && program.claim == ast::Claim::NoCompleteExecution {
        automata.iter_mut().for_each(|automaton| cases::split(pool, automaton));
    }
    let (mut threads, mut actions) = (Vec::new(), Vec::new());
    for (number, automaton) in automata.into_iter().enumerate() {
        let (thread, edges) = graph::compact(automaton);
        let mut outgoing = vec![Vec::new(); thread.locations.len()];
        for edge in edges {
            outgoing[edge.source.index()].push(crate::cfa::ActionId(actions.len() as u32));
            let place = (ThreadId(number as u32), edge.source, edge.target);
            actions.push(Action::new(place, edge.steps, edge.forks, edge.joins, edge.span));
        }
        let Automaton { name, origin, template, number: own, locations, entry, exit, .. } = thread;
        let identity = identities[number];
        threads.push(Thread { name, origin, template, identity, number: own, locations, entry, exit, outgoing });
    }
    Ok(Program {
        pool,
        sources: program.sources.clone(),
        variables,
        functions,
        threads,
        actions,
        completion_is_violation: program.claim == ast::Claim::NoCompleteExecution,
        deadlock_is_violation: program.claim == ast::Claim::NoDeadlock,
        livelock_is_violation: program.claim == ast::Claim::Progress,
        size_before,
        seeds,
        unmodelled,
    })
}
