//! The thread that watches a verification: the clock, the memory, the user and the live line, while another one works.

use crate::all::Found;
use crate::exit::{Failure, Status};
use crate::machine::Beside;
use crate::progress::{History, LiveLine};
use crate::verify::Answer;
use crate::worker::Worker;
use braid_engines::{Progress, StopReason, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long the worker may take to stop before the watcher answers without it.
const GRACE: Duration = Duration::from_millis(800);
/// The same for a worker that the user interrupts: all of it has to end within a second, and the system takes a while to get
/// gigabytes of memory back.
const SHORT_GRACE: Duration = Duration::from_millis(200);
/// How long other questions go on after a violation at least, where no time is given.
const ENOUGH: Duration = Duration::from_secs(10);
/// Why these are open then.
const LEFT_OPEN: &str = "left open after a violation; --timeout gives it more time";
/// How often the watcher looks up.
pub const TICK: Duration = Duration::from_millis(25);

/// A verification, and what is watched beside it.
pub struct Watch {
    pub worker: Worker<Answer>,
    /// Runs of the compiled program, where they are allowed.
    pub beside: Option<Beside>,
    pub interrupted: Arc<AtomicBool>,
    /// Tells the worker to stop.
    pub cancelled: Arc<AtomicBool>,
    pub start: Instant,
    pub deadline: Option<Instant>,
    /// What is known so far, if a violation is enough after a while.
    pub enough: Option<Arc<Found>>,
    /// In bytes.
    pub memory: u64,
    pub line: LiveLine,
    /// The engine that the user has named.
    pub engine: String,
    pub last: Progress,
    pub history: History,
}

/// How a verification ended.
pub enum Ended {
    Answered(Box<Answer>),
    /// There is no whole answer in time, for this reason.
    Stopped(String),
}

impl Watch {
    /// Waits for an answer, or until the worker should have stopped. What was reported last comes with it, and what was reported at all.
    pub fn until_answered(mut self, reports: &Receiver<Progress>) -> Result<(Ended, Progress, History), Failure> {
        let mut told_to_stop: Option<(Instant, StopReason)> = None;
        let ended = loop {
            match self.worker.result.recv_timeout(TICK) {
                Ok(result) => break Ended::Answered(Box::new(self.better(result)?)),
                Err(RecvTimeoutError::Disconnected) => {
                    self.line.erase();
                    return Err(self.worker.panicked());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(answer) = self.beside.as_mut().and_then(Beside::found) {
                break Ended::Answered(Box::new(answer));
            }
            for report in reports.try_iter() {
                self.history.add(&report);
                self.last = report;
            }
            self.line.draw(&self.engine, &self.last);
            if told_to_stop.is_none() {
                let reason = reason_to_stop(&self.interrupted, self.deadline, self.memory);
                told_to_stop = reason.map(|reason| (Instant::now(), reason));
            }
            if self.interrupted.load(Ordering::Relaxed) {
                self.cancelled.store(true, Ordering::Relaxed);
                self.beside.iter().for_each(Beside::stop);
            }
            if let Some((_, reason)) = told_to_stop.filter(|(since, reason)| since.elapsed() >= grace(*reason)) {
                break Ended::Stopped(reason.to_string());
            }
            if self.is_enough() {
                self.cancelled.store(true, Ordering::Relaxed);
                break Ended::Stopped(LEFT_OPEN.to_owned());
            }
        };
        self.line.erase();
        Ok((ended, self.last, self.history))
    }

    /// Was a violation found so long ago that the user should not wait any longer?
    fn is_enough(&self) -> bool {
        let violated = self.enough.as_ref().and_then(|found| found.violated());
        violated.is_some_and(|at| has_had_time(at.duration_since(self.start), at.elapsed()))
    }

    /// What the worker found; where it is undecided, what runs of the compiled program found.
    fn better(&mut self, result: Result<Answer, Failure>) -> Result<Answer, Failure> {
        let undecided = !matches!(&result, Ok(answer) if answer.status != Status::Unknown);
        let other = self.beside.as_mut().filter(|_| undecided).and_then(|beside| beside.wait(&self.interrupted));
        match (result, other) {
            (Err(_), Some(other)) => Ok(other),
            (Ok(_), Some(other)) if other.status == Status::Unsafe => Ok(other),
            (result, _) => result,
        }
    }
}

/// Must the work end? Engines look at the memory themselves; reading and lowering do not.
fn reason_to_stop(interrupted: &AtomicBool, deadline: Option<Instant>, memory: u64) -> Option<StopReason> {
    if interrupted.load(Ordering::Relaxed) {
        Some(StopReason::Interrupted)
    } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        Some(StopReason::Timeout)
    } else {
        memory::resident().filter(|&used| used > memory).map(|_| StopReason::Memory)
    }
}

/// How long the worker may take to stop.
fn grace(reason: StopReason) -> Duration {
    if reason == StopReason::Interrupted { SHORT_GRACE } else { GRACE }
}

/// Has a violation that took some time to find been known for long enough?
fn has_had_time(took: Duration, known: Duration) -> bool {
    known >= ENOUGH.max(3 * took)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waited_long_for_a_violation_waits_longer_for_the_rest() {
        let after = |took, known| has_had_time(Duration::from_secs(took), Duration::from_secs(known));
        assert!(!after(0, 9) && after(0, 10));
        assert!(!after(20, 59) && after(20, 60));
    }
}
