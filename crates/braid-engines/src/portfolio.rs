//! `portfolio`: several engines side by side, each with a pool of its own; the first answer wins, and the rest is cancelled.
//!
//! Members start in the given order: a few at once, then one after the other until there are as many as workers; one that ends without an
//! answer makes room for the next. So programs that the first members decide soon do not pay for the others. A member that panics has no
//! answer; if no other has one, or in a build with assertions, the panic goes on. One of them may get a head start: where it decides at once,
//! the others cost nothing. What lowering makes is the same in every pool, so an execution found by a member is one of the caller's program.

use crate::control::Interrupters;
use crate::{Board, Control, Engine, Outcome, Progress, Reason, StopReason, Structured, Task, Verdict};
use braid_logic::TermPool;
use braid_program::{LowerOptions, ast, lower};
use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// Members have deep terms to walk through.
const STACK: usize = 256 << 20;
const TICK: Duration = Duration::from_millis(10);
/// A member more works after this time, the next after twice as much again, and so on: what the first ones decide soon they decide alone, and the
/// last one still begins before a second has passed.
const PACE: Duration = Duration::from_millis(20);
/// A member more works each time this has passed, beside another search.
const PACE_BESIDE: Duration = Duration::from_millis(300);
/// How long one member runs alone.
const HEAD_START: Duration = Duration::from_millis(2);

/// One engine of a portfolio.
pub struct Member {
    /// The engine.
    pub engine: Box<dyn Engine + Send + Sync>,
    /// Its preference order, for those that want to know.
    pub order: Option<String>,
}

impl Member {
    /// Its name, and its order if it has one.
    fn description(&self) -> String {
        let order = self.order.as_ref().map(|order| format!(" in order {order}"));
        format!("{}{}", self.engine.name(), order.unwrap_or_default())
    }

    /// A member without a preference order.
    pub fn new(engine: impl Engine + Send + Sync + 'static) -> Member {
        Member { engine: Box::new(engine), order: None }
    }
}

/// Several engines for one program.
pub struct Portfolio {
    /// The engines, the most promising first.
    pub members: Vec<Member>,
    /// How many run at once, at least 1.
    pub workers: usize,
    /// How many of them start at once, at least 1.
    pub at_first: usize,
    /// Set while another search works beside this one: then the others follow later.
    pub beside: Arc<AtomicBool>,
    /// The member that starts before the others, by its place, if one does.
    pub head_start: Option<usize>,
}

/// The answer of a portfolio, and whose it is.
pub struct Answer {
    /// The winner's outcome; without one, that of the first member.
    pub outcome: Outcome,
    /// The member, by its place.
    pub member: usize,
}

/// How much is known when a member ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Nothing,
    /// Whatever others could still find lies beyond a bound.
    Bound,
    Answer,
}

fn worth(verdict: &Verdict) -> Worth {
    match verdict {
        Verdict::Unknown(Reason::Bound(..)) => Worth::Bound,
        Verdict::Unknown(_) => Worth::Nothing,
        _ => Worth::Answer,
    }
}

/// How many members have joined those that start at once.
fn paced(elapsed: Duration, beside: bool) -> usize {
    if beside {
        (elapsed.as_millis() / PACE_BESIDE.as_millis()) as usize
    } else {
        (elapsed.as_millis() / PACE.as_millis() + 1).ilog2() as usize
    }
}

/// What is sent by a member at its end: none if lowering fails.
type Ended = (usize, thread::Result<Option<Outcome>>);

/// The members of a portfolio while they work.
struct Running<'a> {
    portfolio: &'a Portfolio,
    program: &'a ast::Program,
    lowering: LowerOptions,
    control: &'a Control,
    /// Set when the others are to end.
    stop: Arc<AtomicBool>,
    board: Board,
    solvers: Interrupters,
    results: mpsc::Sender<Ended>,
    reports: mpsc::Sender<Progress>,
    /// Members that have not started, in reverse.
    waiting: Vec<usize>,
    running: usize,
    best: Option<Answer>,
    stopped: Option<StopReason>,
    panicked: Option<Box<dyn Any + Send>>,
}

impl<'a> Running<'a> {
    /// Starts as many members as may work now. Is there one at work then?
    fn start<'s>(&mut self, scope: &'s Scope<'s, 'a>, workers: usize, alone: bool) -> bool {
        while self.running < workers && self.stopped.is_none() && !(alone && self.running > 0) {
            let Some(&number) = self.waiting.last() else { break };
            // Where there can be no thread more, those that are there go on.
            if self.spawn(scope, number).is_err() {
                break;
            }
            self.running += 1;
            self.waiting.pop();
        }
        self.running > 0
    }

    fn spawn<'s>(&self, scope: &'s Scope<'s, 'a>, number: usize) -> io::Result<()> {
        let (program, lowering) = (self.program, self.lowering);
        let member = &self.portfolio.members[number];
        let control = self.control.for_member(self.stop.clone(), self.reports.clone(), self.solvers.clone());
        let control = control.signed(&member.description());
        let (results, board) = (self.results.clone(), self.board.clone());
        let work = move || {
            let pool = TermPool::new();
            let structured = Some(Structured { program, lowering });
            lower(program, &pool, lowering).ok().map(|program| {
                let seat = Some(board.seat(number).into());
                let task = Task { program: &program, seat, structured };
                member.engine.verify(&task, &control)
            })
        };
        let body = move || {
            let outcome = panic::catch_unwind(AssertUnwindSafe(work));
            // The receiver lives as long as this scope.
            let _ = results.send((number, outcome));
        };
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body).map(drop)
    }

    /// Takes note of a member that has ended.
    fn ended(&mut self, (member, outcome): Ended) {
        self.running -= 1;
        let outcome = match outcome {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return,
            Err(panic) => {
                self.panicked = Some(panic);
                return;
            }
        };
        let known = worth(&outcome.verdict);
        let best = self.best.as_ref().map(|best| (worth(&best.outcome.verdict), best.member));
        if best.is_none_or(|(worth, first)| (known, first) > (worth, member)) {
            self.best = Some(Answer { outcome, member });
        }
        if known > Worth::Nothing {
            self.stop.store(true, Ordering::Relaxed);
            self.waiting.clear();
        }
    }

    /// Passes on that the user or a limit stops the search.
    fn poll(&mut self) {
        if self.stopped.is_none()
            && let Err(reason) = self.control.poll_now()
        {
            self.stopped = Some(reason);
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) {
            self.solvers.interrupt();
        }
    }
}

impl Portfolio {
    /// Runs the members until one answers or all have ended.
    pub fn verify(&self, program: &ast::Program, lowering: LowerOptions, control: &Control) -> Answer {
        let (results, ended) = mpsc::channel();
        let (reports, progress) = mpsc::channel();
        let others = (0..self.members.len()).filter(|&member| Some(member) != self.head_start);
        let order: Vec<usize> = self.head_start.into_iter().chain(others).collect();
        let mut members = Running {
            portfolio: self,
            program,
            lowering,
            control,
            stop: Arc::default(),
            board: Board::default(),
            solvers: Interrupters::default(),
            results,
            reports,
            waiting: order.into_iter().rev().collect(),
            running: 0,
            best: None,
            stopped: None,
            panicked: None,
        };
        let start = Instant::now();
        let together = start + self.head_start.map_or(Duration::ZERO, |_| HEAD_START);
        thread::scope(|scope| {
            loop {
                let alone = together.saturating_duration_since(Instant::now());
                let paced = paced(start.elapsed(), self.beside.load(Ordering::Relaxed));
                let workers = self.at_first.max(1).saturating_add(paced).min(self.workers.max(1));
                if !members.start(scope, workers, !alone.is_zero()) {
                    return;
                }
                match ended.recv_timeout(if alone.is_zero() { TICK } else { alone }) {
                    Ok(end) => members.ended(end),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                if let Some(latest) = progress.try_iter().last() {
                    control.report(|| latest);
                }
                members.poll();
            }
        });
        let answer = concluded(members.best, members.stopped);
        match members.panicked {
            Some(panic) if worth(&answer.outcome.verdict) < Worth::Answer || cfg!(debug_assertions) => {
                panic::resume_unwind(panic)
            }
            _ => answer,
        }
    }
}

/// The best answer that there is, or why there is none.
fn concluded(best: Option<Answer>, stopped: Option<StopReason>) -> Answer {
    let mut answer = best.unwrap_or_else(|| Answer {
        outcome: Outcome::unknown(Reason::Internal("no engine could be started".into())),
        member: 0,
    });
    if let (Some(reason), Verdict::Unknown(why)) = (stopped, &mut answer.outcome.verdict) {
        *why = Reason::Stopped(reason);
    }
    answer
}
