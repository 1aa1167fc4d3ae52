//! The reins of a running engine: cancellation, deadline, memory limit, and what it tells while it runs.
//!
//! An engine calls [`Control::poll`] in every loop whose rounds may be many. Most calls cost one atomic read; the clock is
//! read every few calls, and memory is asked for at most every 50 ms.

use crate::memory;
use braid_logic::Interrupter;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The clock is read once in this many polls.
const CALLS_PER_LOOK: u32 = 64;
const MEMORY_INTERVAL: Duration = Duration::from_millis(50);
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Why an engine was stopped from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The deadline has passed.
    Timeout,
    /// Somebody asked for it.
    Interrupted,
    /// The memory limit is reached.
    Memory,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Timeout => "timeout",
            StopReason::Interrupted => "interrupted",
            StopReason::Memory => "out of memory",
        })
    }
}

/// How far an engine has got.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Rounds of refinement.
    pub round: u64,
    /// Assertions of the proof so far.
    pub assertions: u64,
    /// States visited in this round.
    pub states: u64,
    /// Who has got there, at what: added by [`Control::report`].
    pub by: Option<Arc<str>>,
}

/// When to stop, and where to report to.
#[derive(Debug)]
pub struct Control {
    /// Any of these stops it.
    cancelled: Vec<Arc<AtomicBool>>,
    deadline: Option<Instant>,
    /// In bytes of resident memory of the whole process.
    memory_limit: Option<u64>,
    progress: Option<Sender<Progress>>,
    /// What reports are signed with.
    name: Option<Arc<str>>,
    /// Polls until the clock is read again.
    calls_left: Cell<u32>,
    memory_seen: Cell<Instant>,
    reported: Cell<Instant>,
    report_is_due: Cell<bool>,
    /// Once told to stop, always told to stop.
    stopped: Cell<Option<StopReason>>,
    interrupters: Interrupters,
}

/// The solvers that are at work somewhere, to be interrupted by whoever stops the engines.
#[derive(Clone, Default)]
pub struct Interrupters(Arc<Mutex<Vec<Interrupter>>>);

impl Interrupters {
    /// Makes every query that is running answer `unknown`.
    pub fn interrupt(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(Interrupter::interrupt);
    }
}

impl fmt::Debug for Interrupters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupters")
    }
}

impl Default for Control {
    fn default() -> Self {
        Control::new()
    }
}

impl Control {
    /// No limits, nobody listening.
    pub fn new() -> Control {
        let now = Instant::now();
        Control {
            cancelled: Vec::new(),
            deadline: None,
            memory_limit: None,
            progress: None,
            name: None,
            calls_left: Cell::new(0),
            memory_seen: Cell::new(now),
            reported: Cell::new(now),
            report_is_due: Cell::new(false),
            stopped: Cell::new(None),
            interrupters: Interrupters::default(),
        }
    }

    /// Lets whoever holds the reins interrupt a solver that this engine uses.
    pub fn may_interrupt(&self, solver: Interrupter) {
        self.interrupters.0.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
    }

    /// Stops when the flag is set.
    pub fn cancelled_by(self, flag: Arc<AtomicBool>) -> Control {
        Control { cancelled: vec![flag], ..self }
    }

    /// Stops at a point in time; none: never.
    pub fn until(self, deadline: Option<Instant>) -> Control {
        Control { deadline, ..self }
    }

    /// Stops when the process uses more than this many bytes; none: no limit.
    pub fn memory_limit(self, bytes: Option<u64>) -> Control {
        Control { memory_limit: bytes, ..self }
    }

    /// Tells somebody how far it has got. It does not matter whether they listen.
    pub fn reporting_to(self, listener: Sender<Progress>) -> Control {
        Control { progress: Some(listener), ..self }
    }

    /// Signs reports with what is worked on.
    pub fn known_as(self, name: impl Into<Arc<str>>) -> Control {
        Control { name: Some(name.into()), ..self }
    }

    /// Signs reports with an engine, too.
    pub(crate) fn signed(self, engine: &str) -> Control {
        let name = self.name.as_ref().map_or_else(|| engine.to_owned(), |name| format!("{name} by {engine}"));
        self.known_as(name)
    }

    /// The same limits and listeners, and one more flag that stops.
    pub fn also_cancelled_by(&self, flag: Arc<AtomicBool>) -> Control {
        let cancelled = self.cancelled.iter().cloned().chain([flag]).collect();
        let (progress, name) = (self.progress.clone(), self.name.clone());
        Control { cancelled, progress, name, ..Control::new() }.until(self.deadline).memory_limit(self.memory_limit)
    }

    /// A control for one of several engines that run side by side: the same limits, stopped by `flag`.
    pub fn for_member(&self, flag: Arc<AtomicBool>, listener: Sender<Progress>, interrupters: Interrupters) -> Control {
        Control { interrupters, name: self.name.clone(), ..Control::new() }
            .cancelled_by(flag)
            .until(self.deadline)
            .memory_limit(self.memory_limit)
            .reporting_to(listener)
    }

    /// Like [`Control::poll`], but looks at the clock every time.
    pub fn poll_now(&self) -> Result<(), StopReason> {
        self.calls_left.set(0);
        self.poll()
    }

    /// Goes on, or says why not.
    #[inline]
    pub fn poll(&self) -> Result<(), StopReason> {
        if self.cancelled.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(StopReason::Interrupted);
        }
        match self.calls_left.get() {
            0 => self.look(),
            left => {
                self.calls_left.set(left - 1);
                Ok(())
            }
        }
    }

    fn look(&self) -> Result<(), StopReason> {
        let now = Instant::now();
        if self.stopped.get().is_none() {
            if self.deadline.is_some_and(|deadline| now >= deadline) {
                self.stopped.set(Some(StopReason::Timeout));
            } else if now - self.memory_seen.get() >= MEMORY_INTERVAL {
                self.memory_seen.set(now);
                if self.memory_limit.is_some_and(|limit| memory::resident().is_some_and(|used| used > limit)) {
                    self.stopped.set(Some(StopReason::Memory));
                }
            }
        }
        if let Some(reason) = self.stopped.get() {
            return Err(reason);
        }
        self.calls_left.set(CALLS_PER_LOOK);
        self.report_is_due.set(self.progress.is_some() && now - self.reported.get() >= REPORT_INTERVAL);
        Ok(())
    }

    /// Reports how far it has got, if the last report is some time ago.
    #[inline]
    pub fn report(&self, progress: impl FnOnce() -> Progress) {
        if self.report_is_due.replace(false) {
            self.reported.set(Instant::now());
            if let Some(listener) = &self.progress {
                // A listener that has gone is no reason to stop.
                let progress = progress();
                let by = progress.by.or_else(|| self.name.clone());
                let _ = listener.send(Progress { by, ..progress });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn polls_until_stopped(control: &Control) -> StopReason {
        let start = Instant::now();
        loop {
            if let Err(reason) = control.poll() {
                return reason;
            }
            assert!(start.elapsed() < Duration::from_secs(5), "never stopped");
        }
    }

    #[test]
    fn a_flag_stops_at_the_next_poll() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::new().cancelled_by(flag.clone());
        assert_eq!(control.poll(), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(control.poll(), Err(StopReason::Interrupted));
    }

    #[test]
    fn a_deadline_stops_for_good() {
        let control = Control::new().until(Some(Instant::now() + Duration::from_millis(20)));
        assert_eq!(polls_until_stopped(&control), StopReason::Timeout);
        assert_eq!(control.poll(), Err(StopReason::Timeout));
    }

    #[test]
    fn too_much_memory_stops() {
        assert_eq!(polls_until_stopped(&Control::new().memory_limit(Some(1))), StopReason::Memory);
    }

    #[test]
    fn reports_come_now_and_then() {
        let (sender, receiver) = mpsc::channel();
        let control = Control::new().until(Some(Instant::now() + Duration::from_millis(350))).reporting_to(sender);
        let mut states = 0;
        while control.poll().is_ok() {
            states += 1;
            control.report(|| Progress { states, ..Progress::default() });
        }
        let reports = receiver.try_iter().count();
        assert!((1..=4).contains(&reports), "{reports} reports");
    }
}
