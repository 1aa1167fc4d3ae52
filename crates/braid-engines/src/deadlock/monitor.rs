//! A deadlock as an error location: one more thread, the *monitor*, has a single action, which can happen in a deadlock.
//!
//! For each thread a variable says where it waits: 0 if it is not live, a number of its own for each location where it can wait, and another one
//! everywhere else. All actions keep these up to date. The action of the monitor chooses a set `S` of threads, and tests that it is a
//! deadlock, rule by rule as [`braid_program::deadlock`] has them.
//!
//! *Invariant*: where there is a deadlock, the monitor can act. The other way does not hold where a test depends on what the action itself chooses: then
//! nothing is said of it here. So a proof for the monitored program is one for the program; a violation is replayed without the monitor.

use crate::{Control, Counterexample, Engine, Outcome, Reason, Task, Verdict};
use braid_logic::Model;
use braid_logic::{Sort, Substitution, Term, TermPool, Var};
use braid_program::ast::{Check, Release};
use braid_program::cfa::{
    Action, ActionId, Location, LocationInfo, Origin, Program, Step, StepKind, Thread, ThreadId, Variable, Violation,
};
use braid_program::source::Span;
use braid_program::{ExecutedStep, Execution};

/// What is in the variable of a thread that lives and does not wait.
const ELSEWHERE: i64 = -1;
/// What is there if the whole program is over.
const OVER: i64 = -2;

/// The answer of an engine that looks neither for deadlocks nor for livelocks, where one of them is a violation.
pub(crate) fn refuse(task: &Task<'_, '_>, engine: &str) -> Option<Outcome> {
    let refusal = |what: &str| Outcome::unknown(Reason::Incomplete(format!("{engine} does not look for {what}")));
    match task.program {
        program if program.deadlock_is_violation => Some(refusal("deadlocks")),
        program if program.livelock_is_violation => Some(refusal("livelocks")),
        _ => None,
    }
}

/// Lets an engine that knows error locations only look for deadlocks, where they are violations.
pub(crate) fn through_monitor(task: &Task<'_, '_>, control: &Control, engine: &dyn Engine) -> Option<Outcome> {
    if !task.program.deadlock_is_violation {
        return refuse(task, engine.name());
    }
    let monitored = Monitored::of(task.program);
    let inner = Task::new(&monitored.program);
    let Outcome { verdict, statistics } = engine.verify(&inner, control);
    let verdict = match verdict {
        Verdict::Unsafe(counterexample) => monitored.verdict(task.program, &counterexample),
        Verdict::Safe(mut proof) => {
            (proof.lowering, proof.monitored) = (task.structured.map(|structured| structured.lowering), true);
            Verdict::Safe(proof)
        }
        other => other,
    };
    Some(Outcome { verdict, statistics })
}

/// A program with its monitor.
struct Monitored<'p> {
    program: Program<'p>,
    /// The action that comes first, and starts the monitor. It stands behind those of the first thread.
    first: ActionId,
}

impl<'p> Monitored<'p> {
    fn of(program: &Program<'p>) -> Monitored<'p> {
        let pool = program.pool;
        let own =
            |name: &str, sort: Sort| program.threads.iter().map(|_| pool.fresh_var(name, sort)).collect::<Vec<Var>>();
        let building = Building { program, pool, at: own("waits", Sort::INT), chosen: own("stuck", Sort::BOOL) };
        building.monitored()
    }

    /// What an execution of the monitored program says of the program.
    fn verdict(&self, program: &Program<'p>, found: &Counterexample) -> Verdict {
        let last = ActionId(self.program.actions.len() as u32 - 1);
        let steps = found.execution().steps.iter().filter(|step| step.action != self.first && step.action != last);
        let original = |step: &ExecutedStep| {
            let shift = u32::from(step.action > self.first);
            ExecutedStep { action: ActionId(step.action.0 - shift), ..step.clone() }
        };
        let Model { vars, funs } = found.execution().initial.clone();
        let execution = Execution { steps: steps.map(original).collect(), initial: Model { vars, funs } };
        match Verdict::from_execution(program, execution) {
            Verdict::Unknown(Reason::Internal(why)) => Verdict::Unknown(Reason::Incomplete(format!(
                "what looks like a deadlock is none, or not seen to be one: {why}"
            ))),
            verdict => verdict,
        }
    }
}

struct Building<'a, 'p> {
    program: &'a Program<'p>,
    pool: &'p TermPool,
    /// Where each thread waits, and whether it is in the set.
    at: Vec<Var>,
    chosen: Vec<Var>,
}

/// A test on the way through an action, said of the state before; none if it depends on what the action chooses.
struct Test {
    formula: Option<Term>,
    release: Option<Release<Term>>,
}

impl<'p> Building<'_, 'p> {
    fn monitored(&self) -> Monitored<'p> {
        let program = self.program;
        let mut threads = program.threads.clone();
        let main_actions = program.actions.iter().filter(|action| action.thread == ThreadId::MAIN).count() as u32;
        let first = ActionId(main_actions);
        for id in threads.iter_mut().flat_map(|thread| &mut thread.outgoing).flatten() {
            id.0 += u32::from(*id >= first);
        }
        let span = threads[0].locations[0].span;
        let monitor = ThreadId(threads.len() as u32);
        let begin = Location(threads[0].locations.len() as u32);
        let main_entry = std::mem::replace(&mut threads[0].entry, begin);
        threads[0].locations.push(LocationInfo { span, ..LocationInfo::default() });
        threads[0].outgoing.push(vec![first]);
        let last = ActionId(program.actions.len() as u32 + 1);
        let error = LocationInfo { span, violation: Some(Violation::Failed(Check::Deadlock)), loop_head: false };
        threads.push(Thread {
            template: None,
            number: None,
            name: "deadlock".into(),
            origin: Origin::Forked { parent: ThreadId::MAIN },
            identity: None,
            locations: vec![LocationInfo::default(), LocationInfo::default(), LocationInfo::default(), error],
            entry: Location(1),
            exit: Location(2),
            outgoing: vec![Vec::new(), vec![last], Vec::new(), Vec::new()],
        });
        let mut actions: Vec<Action> = program.actions.iter().map(|action| self.kept(action)).collect();
        let initial = program.thread_ids().map(|thread| {
            let location = if thread == ThreadId::MAIN { main_entry } else { Location::NOT_STARTED };
            (self.at[thread.index()], self.code(thread, location))
        });
        let initial = Step { kind: StepKind::Assign(initial.collect()), span };
        let place = (ThreadId::MAIN, begin, main_entry);
        actions.insert(first.index(), Action::new(place, vec![initial], vec![monitor], Vec::new(), span));
        let test = [
            Step { kind: StepKind::Havoc(self.chosen.clone()), span },
            Step { kind: StepKind::Assume(self.deadlock()), span },
        ];
        actions.push(Action::new((monitor, Location(1), Location(3)), test.into(), Vec::new(), Vec::new(), span));
        let more = self.at.iter().chain(&self.chosen).map(|&var| Variable {
            var,
            span: Span::default(),
            owner: None,
            source: None,
        });
        let program = Program {
            pool: self.pool,
            sources: program.sources.clone(),
            variables: program.variables.iter().cloned().chain(more).collect(),
            functions: program.functions.clone(),
            threads,
            actions,
            completion_is_violation: program.completion_is_violation,
            deadlock_is_violation: false,
            livelock_is_violation: false,
            size_before: program.size_before,
            seeds: program.seeds.clone(),
            unmodelled: program.unmodelled.clone(),
        };
        Monitored { program, first }
    }

    /// An action that says where threads are afterwards.
    fn kept(&self, action: &Action) -> Action {
        let mut moved: Vec<(Var, Term)> = Vec::new();
        let before = self.code(action.thread, action.source);
        let after = self.code(action.thread, action.target);
        if before != after {
            moved.push((self.at[action.thread.index()], after));
        }
        for &child in &action.forks {
            moved.push((self.at[child.index()], self.code(child, self.program.thread(child).entry)));
        }
        let mut steps = action.steps.clone();
        if !moved.is_empty() {
            steps.push(Step { kind: StepKind::Assign(moved), span: action.span });
        }
        let place = (action.thread, action.source, action.target);
        Action::new(place, steps, action.forks.clone(), action.joins.clone(), action.span)
    }

    fn code(&self, thread: ThreadId, location: Location) -> Term {
        let info = self.program.thread(thread);
        let actions = || info.outgoing(location).iter().map(|&id| self.program.action(id));
        let is_over = |step: &Step| matches!(step.kind, StepKind::Await(Term::FALSE, Release::Over));
        self.pool.int(match () {
            () if location == Location::NOT_STARTED || location == info.exit => 0,
            () if actions().any(|action| action.steps.first().is_some_and(is_over)) => OVER,
            () if actions().any(Action::waits) => i64::from(location.0),
            () => ELSEWHERE,
        })
    }

    fn is_at(&self, thread: ThreadId, code: Term) -> Term {
        self.pool.eq(self.pool.of_var(self.at[thread.index()]), code)
    }

    fn is_chosen(&self, thread: ThreadId) -> Term {
        self.pool.of_var(self.chosen[thread.index()])
    }

    /// The thread is in the set, or not live.
    fn cannot_help(&self, thread: ThreadId) -> Term {
        self.pool.or([self.is_chosen(thread), self.is_at(thread, self.pool.int(0))])
    }

    /// The chosen set is a deadlock.
    fn deadlock(&self) -> Term {
        let pool = self.pool;
        let ids = || self.program.thread_ids();
        let somebody = pool.or(ids().map(|thread| self.is_chosen(thread)));
        let nobody_over = ids().map(|thread| pool.not(self.is_at(thread, pool.int(OVER))));
        let all_stuck = ids().map(|thread| pool.or([pool.not(self.is_chosen(thread)), self.stuck(thread)]));
        pool.and([somebody].into_iter().chain(nobody_over).chain(all_stuck))
    }

    /// The thread waits, and only those can help who cannot.
    fn stuck(&self, thread: ThreadId) -> Term {
        let pool = self.pool;
        let locations = (1..self.program.thread(thread).locations.len() as u32).map(Location);
        let places = locations.filter_map(|location| {
            let actions = self.program.thread(thread).outgoing(location);
            if !actions.iter().any(|&id| self.program.action(id).waits()) {
                return None;
            }
            let (mut all, mut waits) = (vec![self.is_at(thread, self.code(thread, location))], Vec::new());
            for &id in actions {
                let (hopeless, waiting) = self.hopeless(thread, self.program.action(id));
                all.push(hopeless);
                waits.push(waiting);
            }
            all.push(pool.or(waits));
            Some(pool.and(all))
        });
        pool.or(places.collect::<Vec<_>>())
    }

    /// The action cannot happen, and nobody can help who could; and: it waits.
    fn hopeless(&self, thread: ThreadId, action: &Action) -> (Term, Term) {
        let pool = self.pool;
        let others = self.program.thread_ids().filter(|&other| other != thread);
        let nobody_helps = pool.and(others.map(|other| self.cannot_help(other)));
        let (mut passed, mut cases, mut waits) = (Vec::new(), Vec::new(), Vec::new());
        for test in self.tests(action) {
            let Some(formula) = test.formula else {
                // It may fail or not, for all that is known.
                let here = pool.and(passed.iter().copied());
                cases.push(here);
                waits.push(here);
                continue;
            };
            let here = pool.and(passed.iter().copied().chain([pool.not(formula)]));
            let helpless = match test.release {
                Some(Release::Over) => Term::FALSE,
                Some(Release::Thread(identity)) => self.helper_is_stuck(identity, nobody_helps),
                Some(Release::Anyone) | None => nobody_helps,
            };
            cases.push(pool.and([here, helpless]));
            if test.release.is_some() {
                waits.push(here);
            }
            passed.push(formula);
        }
        if !action.joins.is_empty() {
            let lives = |child: &ThreadId| pool.not(self.is_at(*child, pool.int(0)));
            let is_live = pool.or(action.joins.iter().map(lives));
            let stuck = pool.or(action.joins.iter().map(|&child| self.is_chosen(child)));
            let here = pool.and(passed.into_iter().chain([is_live]));
            cases.push(pool.and([here, stuck]));
            waits.push(here);
        }
        (pool.or(cases), pool.or(waits))
    }

    fn helper_is_stuck(&self, identity: Term, nobody_helps: Term) -> Term {
        let pool = self.pool;
        let known = self.program.thread_ids().filter_map(|id| Some((id, self.program.thread(id).identity?)));
        let (mut cases, mut unknown) = (Vec::new(), vec![nobody_helps]);
        for (thread, number) in known {
            let same = pool.eq(identity, pool.int(number));
            cases.push(pool.and([same, self.cannot_help(thread)]));
            unknown.push(pool.not(same));
        }
        cases.push(pool.and(unknown));
        pool.or(cases)
    }

    /// The tests of an action, in order.
    fn tests(&self, action: &Action) -> Vec<Test> {
        let pool = self.pool;
        let (mut values, mut choices, mut tests) = (Substitution::default(), Vec::new(), Vec::new());
        for step in &action.steps {
            let before = |term: Term, choices: &[Var]| {
                let said = pool.substitute(term, &values);
                (!pool.free_vars(said).iter().any(|var| choices.contains(var))).then_some(said)
            };
            match &step.kind {
                StepKind::Assume(formula) => tests.push(Test { formula: before(*formula, &choices), release: None }),
                StepKind::Await(formula, release) => {
                    let release = match release {
                        Release::Thread(identity) => {
                            before(*identity, &choices).map_or(Release::Anyone, Release::Thread)
                        }
                        Release::Anyone => Release::Anyone,
                        Release::Over => Release::Over,
                    };
                    tests.push(Test { formula: before(*formula, &choices), release: Some(release) });
                }
                StepKind::Assign(_) | StepKind::Havoc(_) => choices.extend(step.kind.change(pool, &mut values)),
            }
        }
        tests
    }
}
