//! How sequential programs are built: one location for each place of the thread, before and behind a move of others, before and
//! behind the activation.

use super::concurrent::{Vars, assign, assume, location};
use super::conditions::vars_of;
use super::outline::Outline;
use super::sequential::{Fact, Parts, Question, Sequential, Source};
use braid_logic::{Substitution, Term, Var};
use braid_program::ast::Check;
use braid_program::cfa::{
    Action, ActionId, Location, LocationInfo, Origin, Program, Size, Step, StepKind, Thread, ThreadId, Variable,
    Violation,
};
use braid_program::source::Span;
use braid_reduction::Target;
use rustc_hash::FxHashMap;

/// The number of the copies that `env_move` keeps of old values.
const OLD: u32 = u32::MAX - 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Prefix(Location),
    Early(Location),
    /// Others have moved.
    EarlyOn(Location),
    Late(Location),
    /// The environment has moved.
    LateOn(Location),
    Error,
}

struct Builder<'s, 'a, 'p> {
    parts: &'s Parts<'s, 'a, 'p>,
    /// The variables that the program speaks of.
    mentioned: Vars,
    facts: Vec<Fact>,
    /// Those that hold for all others.
    early_facts: Vec<Fact>,
    is_autonomous: bool,
    moved_by_environment: Vars,
    moved_by_others: Vars,
    copies: Vars,
    numbers: FxHashMap<Node, Location>,
    waiting: Vec<Node>,
    locations: Vec<LocationInfo>,
    actions: Vec<Action>,
    sources: Vec<Source>,
    outline: Outline,
}

impl<'p> Parts<'_, '_, 'p> {
    /// The program.
    pub fn build(&self) -> Sequential<'p> {
        let pool = self.concurrent.pool;
        let mut mentioned = self.concurrent.accessed(&[self.thread]);
        let own = self.concurrent.pc[self.thread.index()];
        if !self.concurrent.starts_later(self.thread) {
            mentioned.remove(&own);
        }
        mentioned.extend(self.promises.iter().flat_map(|promise| vars_of(pool, promise.condition)));
        if let Question::Reach { alpha, beta } = self.question {
            mentioned.extend(vars_of(pool, alpha).chain(vars_of(pool, beta)));
        }
        let known = |fact: &&Fact| {
            vars_of(pool, fact.alpha).chain(vars_of(pool, fact.beta)).all(|var| mentioned.contains(&var))
        };
        let facts: Vec<Fact> = self.facts.iter().filter(known).copied().collect();
        // What the others change that are not in the environment. If the environment does not access it, it does what it does without them.
        let outside: Vec<ThreadId> =
            self.others.iter().copied().filter(|thread| !self.environment.contains(thread)).collect();
        let changed = self.concurrent.written(&outside);
        let is_autonomous = self.concurrent.accessed(self.environment).is_disjoint(&changed);
        let is_early = |fact: &&Fact| {
            let mut vars = vars_of(pool, fact.alpha).chain(vars_of(pool, fact.beta));
            fact.alpha == Term::TRUE || (is_autonomous && vars.all(|var| !changed.contains(&var)))
        };
        let early_facts: Vec<Fact> = facts.iter().filter(is_early).copied().collect();
        let among = |vars: Vars| vars.into_iter().filter(|var| mentioned.contains(var)).collect::<Vars>();
        let builder = Builder {
            parts: self,
            moved_by_environment: among(self.concurrent.written(self.environment)),
            moved_by_others: among(self.concurrent.written(self.others)),
            facts,
            early_facts,
            is_autonomous,
            mentioned,
            copies: Vars::new(),
            numbers: FxHashMap::default(),
            waiting: Vec::new(),
            locations: vec![LocationInfo::default()],
            actions: Vec::new(),
            sources: Vec::new(),
            outline: Outline::default(),
        };
        builder.build()
    }
}

impl<'p> Builder<'_, '_, 'p> {
    fn build(mut self) -> Sequential<'p> {
        let concurrent = self.parts.concurrent;
        let entry = self.number(Node::Prefix(concurrent.program.thread(ThreadId::MAIN).entry));
        while let Some(node) = self.waiting.pop() {
            self.leave(node);
        }
        // No action leads here.
        let exit = Location(self.locations.len() as u32);
        self.locations.push(LocationInfo::default());
        let mut outgoing = vec![Vec::new(); self.locations.len()];
        for (number, action) in self.actions.iter().enumerate() {
            outgoing[action.source.index()].push(ActionId(number as u32));
        }
        let thread = Thread {
            template: None,
            number: None,
            name: concurrent.program.thread(self.parts.thread).name.clone(),
            identity: None,
            origin: Origin::Initial,
            locations: self.locations,
            entry,
            exit,
            outgoing,
        };
        let mut vars = Vars::new();
        for step in self.actions.iter().flat_map(|action| &action.steps) {
            match &step.kind {
                StepKind::Assume(formula) | StepKind::Await(formula, _) => {
                    vars.extend(vars_of(concurrent.pool, *formula))
                }
                StepKind::Assign(assignments) => {
                    vars.extend(assignments.iter().map(|(var, _)| *var));
                    vars.extend(assignments.iter().flat_map(|(_, term)| vars_of(concurrent.pool, *term)));
                }
                StepKind::Havoc(havocked) => vars.extend(havocked),
            }
        }
        let program = Program {
            pool: concurrent.pool,
            sources: concurrent.program.sources.clone(),
            variables: vars
                .into_iter()
                .map(|var| Variable { var, span: Span::default(), owner: None, source: None })
                .collect(),
            functions: concurrent.program.functions.clone(),
            threads: vec![thread],
            actions: self.actions,
            completion_is_violation: false,
            deadlock_is_violation: false,
            livelock_is_violation: false,
            size_before: Size::default(),
            seeds: Vec::new(),
            unmodelled: Vec::new(),
        };
        Sequential {
            program,
            sources: self.sources,
            outline: self.outline,
            copies: self.copies,
            mentioned: self.mentioned,
            moved_by_others: self.moved_by_others,
            is_autonomous: self.is_autonomous,
        }
    }

    fn number(&mut self, node: Node) -> Location {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        let number = Location(self.locations.len() as u32);
        self.locations.push(LocationInfo {
            violation: self.is_error(node).then_some(Violation::Failed(Check::Assertion)),
            ..LocationInfo::default()
        });
        self.numbers.insert(node, number);
        self.waiting.push(node);
        number
    }

    fn is_error(&self, node: Node) -> bool {
        match (node, self.parts.question) {
            (Node::Error, _) => true,
            (Node::Prefix(location), Question::Error(target)) => {
                self.parts.thread == ThreadId::MAIN && self.meets(target, location)
            }
            (Node::Late(location), Question::Error(target)) => self.meets(target, location),
            _ => false,
        }
    }

    fn meets(&self, target: Target, location: Location) -> bool {
        self.parts.concurrent.meets(self.parts.thread, location, target)
    }

    fn edge(&mut self, from: Node, to: Node, steps: Vec<Step>, source: Source) {
        let (from, to) = (self.number(from), self.number(to));
        self.actions.push(Action::new((ThreadId::MAIN, from, to), steps, Vec::new(), Vec::new(), Span::default()));
        self.sources.push(source);
    }

    /// All actions that leave a node.
    fn leave(&mut self, node: Node) {
        if self.is_error(node) {
            return;
        }
        let thread = self.parts.thread;
        match node {
            Node::Error => {}
            Node::Prefix(location) => self.leave_prefix(location),
            Node::Early(location) if self.parts.concurrent.is_cut_point(thread, location) => {
                let steps = self.others_move(location);
                self.edge(node, Node::EarlyOn(location), steps, Source::Others);
            }
            Node::EarlyOn(location) => {
                if let Question::Reach { alpha, .. } = self.parts.question {
                    self.edge(node, Node::Late(location), vec![assume(alpha)], Source::Activation);
                }
                self.act(node, location, Node::Early);
            }
            Node::Early(location) => self.act(node, location, Node::Early),
            Node::Late(location) if self.parts.concurrent.is_cut_point(thread, location) => {
                self.is_met(node);
                let promises = self.parts.promises;
                let here = promises.iter().filter(|promise| promise.location == location);
                let promised = self.parts.concurrent.pool.or(here.map(|promise| promise.condition));
                self.expect(node, self.parts.concurrent.pool.not(promised));
                if promised != Term::FALSE {
                    self.edge(node, Node::Error, vec![assume(promised)], Source::Promise(location));
                }
                if self.parts.environment.is_empty() || self.moved_by_environment.is_empty() {
                    self.act(node, location, Node::Late);
                } else {
                    let steps = self.env_move(location);
                    self.edge(node, Node::LateOn(location), steps, Source::EnvMove(location));
                }
            }
            Node::Late(location) => self.act(node, location, Node::Late),
            Node::LateOn(location) => {
                let pool = self.parts.concurrent.pool;
                self.expect(node, pool.and([self.out_of_reach(location), self.always_at(location)]));
                self.is_met(node);
                self.act(node, location, Node::Late);
            }
        }
    }

    /// What should hold at a node.
    fn expect(&mut self, node: Node, condition: Term) {
        let number = self.number(node);
        self.outline.insert(number, condition);
    }

    fn is_met(&mut self, node: Node) {
        if let Question::Reach { beta, .. } = self.parts.question {
            self.edge(node, Node::Error, vec![assume(beta)], Source::Met);
        }
    }

    fn leave_prefix(&mut self, from: Location) {
        let concurrent = self.parts.concurrent;
        for edge in concurrent.prefix.iter().filter(|edge| edge.source == from) {
            let steps = edge.actions.iter().flat_map(|&id| concurrent.program.action(id).steps.iter().cloned());
            let mut steps: Vec<Step> = steps.collect();
            let to = match &edge.started {
                None => Node::Prefix(edge.target),
                Some(started) => {
                    for thread in concurrent.program.thread_ids() {
                        let pc = concurrent.pc[thread.index()];
                        if self.mentioned.contains(&pc) {
                            let start = concurrent.start(thread, edge.target, started);
                            steps.push(assign(pc, location(concurrent.pool, start)));
                        }
                    }
                    let start = concurrent.start(self.parts.thread, edge.target, started);
                    match self.parts.question {
                        Question::Error(_) => Node::Late(start),
                        Question::Reach { .. } => Node::Early(start),
                    }
                }
            };
            self.edge(Node::Prefix(from), to, steps, Source::Actions(edge.actions.clone()));
        }
    }

    /// What the thread itself can do.
    fn act(&mut self, node: Node, from: Location, to: fn(Location) -> Node) {
        let (concurrent, thread) = (self.parts.concurrent, self.parts.thread);
        let track_location = self.mentioned.contains(&concurrent.pc[thread.index()]);
        for &id in concurrent.program.thread(thread).outgoing(from) {
            let steps = concurrent.steps(id, track_location);
            self.edge(node, to(concurrent.program.action(id).target), steps, Source::Actions(vec![id]));
        }
        if concurrent.starts_later(thread) {
            for moved in concurrent.moved_by_others(thread, from) {
                self.edge(node, to(moved), vec![assume(concurrent.is_at(thread, moved))], Source::Moved(moved));
            }
        }
    }

    /// Gives variables any values; the thread's own location changes only as others can change it.
    fn havoc(&self, vars: &Vars, from: Location) -> Vec<Step> {
        let (concurrent, thread) = (self.parts.concurrent, self.parts.thread);
        let own = concurrent.pc[thread.index()];
        let moved = match vars.contains(&own) {
            true => concurrent.moved_by_others(thread, from),
            false => Vec::new(),
        };
        let vars: Vec<Var> = vars.iter().copied().filter(|&var| var != own || !moved.is_empty()).collect();
        let mut steps = vec![Step { kind: StepKind::Havoc(vars), span: Span::default() }];
        if !moved.is_empty() {
            let places = moved.into_iter().chain([from]).map(|place| concurrent.is_at(thread, place));
            steps.push(assume(concurrent.pool.or(places)));
        }
        steps
    }

    /// `try_start` before the activation.
    fn others_move(&mut self, from: Location) -> Vec<Step> {
        let (vars, facts) = (self.moved_by_others.clone(), self.early_facts.clone());
        self.refined_havoc(&vars, &facts, from)
    }

    /// `env_move`: any values, unless that is known to be impossible.
    fn env_move(&mut self, from: Location) -> Vec<Step> {
        let pool = self.parts.concurrent.pool;
        let promises = self.parts.promises.iter().filter(|promise| promise.location == from);
        let mut steps: Vec<Step> = promises.map(|promise| assume(pool.not(promise.condition))).collect();
        let (vars, facts) = (self.moved_by_environment.clone(), self.facts.clone());
        steps.extend(self.refined_havoc(&vars, &facts, from));
        steps.push(assume(self.out_of_reach(from)));
        steps
    }

    /// What the environment was shown not to reach from a location where no promise holds.
    fn out_of_reach(&self, place: Location) -> Term {
        let pool = self.parts.concurrent.pool;
        let here = self.parts.out_of_reach.iter().filter(|closed| closed.location == place);
        pool.and(here.map(|closed| pool.not(closed.beta)))
    }

    /// What holds in every reachable state where the thread is at a location, as far as the program speaks of it.
    fn always_at(&self, place: Location) -> Term {
        let (concurrent, thread) = (self.parts.concurrent, self.parts.thread);
        let pool = concurrent.pool;
        let mut here = Substitution::default();
        if concurrent.moved_by_others(thread, place).is_empty() {
            here.insert(concurrent.pc[thread.index()], location(pool, place));
        }
        let formulas = self.parts.always.iter().map(|&formula| pool.substitute(formula, &here));
        pool.and(formulas.filter(|&formula| vars_of(pool, formula).all(|var| self.mentioned.contains(&var))))
    }

    /// Any values of the variables, other than the facts say.
    fn refined_havoc(&mut self, vars: &Vars, facts: &[Fact], from: Location) -> Vec<Step> {
        let pool = self.parts.concurrent.pool;
        let old: Vars = facts.iter().flat_map(|fact| vars_of(pool, fact.alpha)).collect();
        let (mut before, mut steps) = (Substitution::default(), Vec::new());
        for var in old.into_iter().filter(|var| vars.contains(var)) {
            let copy = pool.copy_of(var, OLD);
            self.copies.insert(copy);
            before.insert(var, pool.of_var(copy));
            steps.push(assign(copy, pool.of_var(var)));
        }
        steps.extend(self.havoc(vars, from));
        for fact in facts {
            steps.push(assume(pool.implies(pool.substitute(fact.alpha, &before), pool.not(fact.beta))));
        }
        steps.push(assume(self.always_at(from)));
        steps
    }
}
