//! The concurrent program as the modular algorithm sees it: where a thread is, is the value of a variable `pc`, so forks and joins
//! are accesses to variables like all others.
//!
//! What the first thread does before it has forked anything is the *prefix*: nobody else runs then, so it is part of every
//! sequential program, and its writes are no interference. Threads that cannot influence the target are left out.
//!
//! *Cut points* (section 4.1): an action that touches nothing that others access can be postponed until its thread's next action that
//! does, or be left out if there is none. So threads switch only where a thread starts and right behind such a *visible* action.

use braid_logic::{Sort, Term, TermPool, Var};
use braid_program::cfa::{Action, ActionId, Location, Program, Relation, Step, StepKind, ThreadId};
use braid_program::source::Span;
use braid_reduction::Target;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A set of variables, in a fixed order.
pub(super) type Vars = BTreeSet<Var>;

/// Who moves, from where, and how.
pub(super) type Transition = (ThreadId, Location, Relation);

/// What the first thread does before others run.
pub(super) struct PrefixEdge {
    pub source: Location,
    /// One action, or one that forks with all forks that follow it.
    pub actions: Vec<ActionId>,
    pub target: Location,
    /// The threads that run from then on; none: the prefix goes on.
    pub started: Option<Vec<ThreadId>>,
}

/// What a thread accesses behind the prefix.
#[derive(Default, Clone)]
struct Accesses {
    reads: Vars,
    writes: Vars,
}

pub(super) struct Concurrent<'a, 'p> {
    pub program: &'a Program<'p>,
    pub pool: &'p TermPool,
    /// For each thread, where it is.
    pub pc: Vec<Var>,
    /// For each action, what it does to variables and locations.
    relations: Vec<Relation>,
    pub prefix: Vec<PrefixEdge>,
    /// The threads that can influence the first of them, in no particular order.
    pub relevant: Vec<ThreadId>,
    accesses: Vec<Accesses>,
    /// For each thread: is it forked by an action behind the prefix?
    forked_later: Vec<bool>,
    /// For each thread: is it joined by an action behind the prefix?
    joined: Vec<bool>,
    cut: Vec<Vec<bool>>,
}

impl<'a, 'p> Concurrent<'a, 'p> {
    /// The program as far as it matters for one thread.
    pub fn new(program: &'a Program<'p>, target: ThreadId) -> Self {
        let pool = program.pool;
        let pc: Vec<Var> =
            program.threads.iter().map(|thread| pool.var(&format!("pc({})", thread.name), Sort::INT)).collect();
        let relations =
            program.actions.iter().map(|action| Relation::of_steps(pool, &located_steps(program, &pc, action)));
        let count = program.threads.len();
        let mut concurrent = Concurrent {
            program,
            pool,
            relations: relations.collect(),
            pc,
            prefix: Vec::new(),
            relevant: Vec::new(),
            accesses: vec![Accesses::default(); count],
            forked_later: vec![false; count],
            joined: vec![false; count],
            cut: Vec::new(),
        };
        concurrent.prefix = concurrent.prefix_edges();
        let later: Vec<Vec<ActionId>> = program.thread_ids().map(|thread| concurrent.later(thread)).collect();
        concurrent.collect_accesses(&later);
        concurrent.relevant = concurrent.relevant_to(target);
        concurrent.cut =
            program.thread_ids().map(|thread| concurrent.cut_points(thread, &later[thread.index()])).collect();
        concurrent
    }

    /// An action as a relation over variables and locations.
    pub fn relation(&self, action: ActionId) -> &Relation {
        &self.relations[action.index()]
    }

    /// All that can happen, as relations with where it starts: ways through the prefix, and what threads that matter do behind it.
    pub fn transitions(&self) -> Vec<Transition> {
        let prefix = self.prefix.iter().map(|edge| {
            let actions = edge.actions.iter().map(|&id| self.program.action(id));
            let steps: Vec<Step> = actions.flat_map(|action| located_steps(self.program, &self.pc, action)).collect();
            (ThreadId::MAIN, edge.source, Relation::of_steps(self.pool, &steps))
        });
        let later = self.relevant.iter().flat_map(|&thread| self.later(thread));
        let later = later.map(|id| {
            let action = self.program.action(id);
            (action.thread, action.source, self.relation(id).clone())
        });
        prefix.chain(later).collect()
    }

    /// The steps of an action for a sequential program of its thread: its own location is where control stands there.
    pub fn steps(&self, action: ActionId, track_location: bool) -> Vec<Step> {
        let action = self.program.action(action);
        let mut steps = action.steps.clone();
        steps.extend(moves_of_others(self.program, &self.pc, action.forks.iter(), action.joins.iter()));
        if track_location {
            steps.push(assign(self.pc[action.thread.index()], location(self.pool, action.target)));
        }
        steps
    }

    /// The thread is at the location.
    pub fn is_at(&self, thread: ThreadId, location: Location) -> Term {
        at(self.pool, &self.pc, thread, location)
    }

    /// Where the thread is behind the prefix.
    pub fn start(&self, thread: ThreadId, target: Location, started: &[ThreadId]) -> Location {
        match thread {
            ThreadId::MAIN => target,
            _ if started.contains(&thread) => self.program.thread(thread).entry,
            _ => Location::NOT_STARTED,
        }
    }

    /// Is the target met where its thread is at the location?
    pub fn meets(&self, thread: ThreadId, location: Location, target: Target) -> bool {
        let thread = self.program.thread(thread);
        match target {
            Target::Completion => location == thread.exit,
            Target::ErrorOf(_) | Target::BoundOf(_) => thread.locations[location.index()]
                .violation
                .is_some_and(|violation| violation.is_error() == matches!(target, Target::ErrorOf(_))),
        }
    }

    /// May threads switch where the thread is at the location?
    pub fn is_cut_point(&self, thread: ThreadId, location: Location) -> bool {
        self.cut[thread.index()][location.index()]
    }

    /// Can the thread be started behind the prefix?
    pub fn starts_later(&self, thread: ThreadId) -> bool {
        self.forked_later[thread.index()]
    }

    /// Are threads started behind the prefix?
    pub fn grows(&self) -> bool {
        self.forked_later.contains(&true)
    }

    /// Where others can move the thread to, from a location. A join and a fork may be one step.
    pub fn moved_by_others(&self, thread: ThreadId, from: Location) -> Vec<Location> {
        let automaton = self.program.thread(thread);
        let entry = self.forked_later[thread.index()].then_some(automaton.entry);
        if from == Location::NOT_STARTED {
            return entry.into_iter().collect();
        }
        if from == automaton.exit && self.joined[thread.index()] {
            return [Location::NOT_STARTED].into_iter().chain(entry).collect();
        }
        Vec::new()
    }

    /// All variables that the threads write behind the prefix.
    pub fn written(&self, threads: &[ThreadId]) -> Vars {
        threads.iter().flat_map(|thread| self.accesses[thread.index()].writes.iter().copied()).collect()
    }

    /// All variables that the threads read or write behind the prefix.
    pub fn accessed(&self, threads: &[ThreadId]) -> Vars {
        let read = threads.iter().flat_map(|thread| self.accesses[thread.index()].reads.iter().copied());
        read.chain(self.written(threads)).collect()
    }

    /// Does one thread read what the other one writes?
    pub fn reads_from(&self, reader: ThreadId, writer: ThreadId) -> bool {
        let (reader, writer) = (&self.accesses[reader.index()], &self.accesses[writer.index()]);
        !reader.reads.is_disjoint(&writer.writes)
    }

    /// The prefix: from the start on, without forks. Forks that follow a fork at once belong to it, since they only enable more.
    fn prefix_edges(&self) -> Vec<PrefixEdge> {
        let main = self.program.thread(ThreadId::MAIN);
        let mut edges = Vec::new();
        let mut seen = FxHashSet::from_iter([main.entry]);
        let mut waiting = vec![main.entry];
        while let Some(source) = waiting.pop() {
            for &id in main.outgoing(source) {
                let action = self.program.action(id);
                if !action.joins.is_empty() {
                    // Nothing was forked, so nothing has ended.
                    continue;
                }
                if action.forks.is_empty() {
                    edges.push(PrefixEdge { source, actions: vec![id], target: action.target, started: None });
                    if seen.insert(action.target) {
                        waiting.push(action.target);
                    }
                    continue;
                }
                let (mut actions, mut target, mut started) = (vec![id], action.target, action.forks.clone());
                while let [next] = main.outgoing(target) {
                    let action = self.program.action(*next);
                    let only_forks = action.steps.is_empty() && action.joins.is_empty() && !action.forks.is_empty();
                    if !only_forks || action.forks.iter().any(|child| started.contains(child)) {
                        break;
                    }
                    actions.push(*next);
                    started.extend(&action.forks);
                    target = action.target;
                }
                edges.push(PrefixEdge { source, actions, target, started: Some(started) });
            }
        }
        edges
    }

    /// The actions that a thread can take behind the prefix, as far as its locations say.
    pub fn later(&self, thread: ThreadId) -> Vec<ActionId> {
        let automaton = self.program.thread(thread);
        let mut waiting = match thread {
            ThreadId::MAIN => {
                self.prefix.iter().filter(|edge| edge.started.is_some()).map(|edge| edge.target).collect()
            }
            _ => vec![automaton.entry],
        };
        let mut seen: FxHashSet<Location> = waiting.iter().copied().collect();
        let mut actions = Vec::new();
        while let Some(location) = waiting.pop() {
            for &id in automaton.outgoing(location) {
                actions.push(id);
                let target = self.program.action(id).target;
                if seen.insert(target) {
                    waiting.push(target);
                }
            }
        }
        actions
    }

    fn collect_accesses(&mut self, later: &[Vec<ActionId>]) {
        for &id in later.iter().flatten() {
            let action = self.program.action(id);
            let relation = action.relation(self.pool);
            let accesses = &mut self.accesses[action.thread.index()];
            accesses.reads.extend(&relation.reads);
            accesses.writes.extend(&relation.writes);
            accesses.writes.insert(self.pc[action.thread.index()]);
            for &child in action.forks.iter().chain(&action.joins) {
                accesses.reads.insert(self.pc[child.index()]);
                accesses.writes.insert(self.pc[child.index()]);
            }
            action.forks.iter().for_each(|child| self.forked_later[child.index()] = true);
            action.joins.iter().for_each(|child| self.joined[child.index()] = true);
        }
        for (thread, _) in self.forked_later.iter().enumerate().filter(|(_, forked)| **forked) {
            self.accesses[thread].reads.insert(self.pc[thread]);
        }
    }

    /// The threads that write what the target reads, or what one of those reads, and so on.
    fn relevant_to(&self, target: ThreadId) -> Vec<ThreadId> {
        let mut relevant = vec![target];
        let mut next = 0;
        while next < relevant.len() {
            let reader = relevant[next];
            for writer in self.program.thread_ids() {
                if !relevant.contains(&writer) && self.reads_from(reader, writer) {
                    relevant.push(writer);
                }
            }
            next += 1;
        }
        relevant
    }

    fn cut_points(&self, thread: ThreadId, later: &[ActionId]) -> Vec<bool> {
        let automaton = self.program.thread(thread);
        let others: Vec<ThreadId> = self.relevant.iter().copied().filter(|&other| other != thread).collect();
        let (written, accessed) = (self.written(&others), self.accessed(&others));
        let mut cut = vec![false; automaton.locations.len()];
        for edge in self.prefix.iter() {
            if let Some(started) = &edge.started {
                cut[self.start(thread, edge.target, started).index()] = true;
            }
        }
        for &id in later {
            let action = self.program.action(id);
            let relation = action.relation(self.pool);
            let is_visible = !action.forks.is_empty()
                || !action.joins.is_empty()
                || relation.reads.iter().any(|var| written.contains(var))
                || relation.writes.iter().any(|var| accessed.contains(var))
                || (action.target == automaton.exit && self.joined[thread.index()]);
            cut[action.target.index()] |= is_visible;
        }
        // It may be moved there by a join, and moved on by a fork.
        cut[Location::NOT_STARTED.index()] |= self.forked_later[thread.index()];
        cut
    }
}

/// A location as a term.
pub(super) fn location(pool: &TermPool, location: Location) -> Term {
    pool.int(i64::from(location.0))
}

pub(super) fn assume(formula: Term) -> Step {
    Step { kind: StepKind::Assume(formula), span: Span::default() }
}

pub(super) fn assign(var: Var, value: Term) -> Step {
    Step { kind: StepKind::Assign(vec![(var, value)]), span: Span::default() }
}

fn at(pool: &TermPool, pc: &[Var], thread: ThreadId, place: Location) -> Term {
    pool.eq(pool.of_var(pc[thread.index()]), location(pool, place))
}

/// An action with the locations as variables.
fn located_steps(program: &Program<'_>, pc: &[Var], action: &Action) -> Vec<Step> {
    let pool = program.pool;
    let mut steps = vec![assume(at(pool, pc, action.thread, action.source))];
    steps.extend(action.steps.iter().cloned());
    steps.extend(moves_of_others(program, pc, action.forks.iter(), action.joins.iter()));
    steps.push(assign(pc[action.thread.index()], location(pool, action.target)));
    steps
}

/// How forks and joins move other threads.
fn moves_of_others<'c>(
    program: &Program<'_>,
    pc: &[Var],
    forks: impl Iterator<Item = &'c ThreadId>,
    joins: impl Iterator<Item = &'c ThreadId>,
) -> Vec<Step> {
    let pool = program.pool;
    let mut steps = Vec::new();
    let mut moves = |child: ThreadId, from: Location, to: Location| {
        steps.push(assume(at(pool, pc, child, from)));
        steps.push(assign(pc[child.index()], location(pool, to)));
    };
    joins.for_each(|&child| moves(child, program.thread(child).exit, Location::NOT_STARTED));
    forks.for_each(|&child| moves(child, Location::NOT_STARTED, program.thread(child).entry));
    steps
}
