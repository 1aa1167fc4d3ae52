//! Stopping a running query: on request from another thread, or when its wall-clock limit has passed.
//!
//! Z3 counts resources deterministically but not everywhere (nonlinear arithmetic can run for minutes on a small
//! `rlimit`), so a watchdog thread looks at the running query from time to time.
//!
//! An interrupt that reaches Z3 between its own checks is worse than lost: the next check says sat with an empty model.
//! Therefore it is sent only between [`Watch::begin`] and [`Watch::end`], is repeated while the query goes on, and after
//! a query that was interrupted its answer is dropped and Z3 is used for nothing until it answers sanely ([`sober_up`]).

#![allow(unsafe_code, reason = "one extended lifetime, see `ContextSlot`")]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use z3::ast::Int;
use z3::{Context, ContextHandle, SatResult};

/// How many interrupts can at most be left in Z3 after a query.
const MAX_LEFT_OVER: usize = 100;

/// A handle that stops the running query of one solver, from any thread. It may outlive the solver.
#[derive(Clone)]
pub struct Interrupter {
    shared: Arc<Mutex<Running>>,
}

impl Interrupter {
    /// Makes the query that is running now, if any, answer unknown. Later queries are not affected.
    pub fn interrupt(&self) {
        lock(&self.shared).stop();
    }
}

/// What is running now.
struct Running {
    since: Option<Instant>,
    interrupted: bool,
    z3: Option<ContextHandle<'static>>,
}

impl Running {
    fn stop(&mut self) {
        if self.since.is_some() {
            self.interrupted = true;
            if let Some(z3) = &self.z3 {
                z3.interrupt();
            }
        }
    }
}

fn lock(shared: &Mutex<Running>) -> MutexGuard<'_, Running> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The solver's side of its interrupters.
pub(super) struct Watch {
    shared: Arc<Mutex<Running>>,
    limit: Duration,
}

impl Watch {
    /// A watch that stops each query after `limit`.
    pub fn new(limit: Duration) -> Self {
        Watch { shared: Arc::new(Mutex::new(Running { since: None, interrupted: false, z3: None })), limit }
    }

    pub fn interrupter(&self) -> Interrupter {
        Interrupter { shared: self.shared.clone() }
    }

    /// A query starts now.
    pub fn begin(&self) {
        self.begin_within(self.limit);
    }

    /// A query starts now that has less time than others.
    pub fn begin_within(&self, limit: Duration) {
        let spent = self.limit.saturating_sub(limit);
        let now = Instant::now();
        let mut running = lock(&self.shared);
        running.since = Some(now.checked_sub(spent).unwrap_or(now));
        running.interrupted = false;
    }

    /// The query has ended. Says whether it was told to stop; then its result means nothing.
    pub fn end(&self) -> bool {
        let mut running = lock(&self.shared);
        running.since = None;
        let interrupted = running.interrupted;
        let uses_z3 = running.z3.is_some();
        drop(running);
        if interrupted && uses_z3 {
            sober_up();
        }
        interrupted
    }

    /// Was the running query told to stop?
    pub fn is_interrupted(&self) -> bool {
        lock(&self.shared).interrupted
    }

    /// Lets interrupts reach Z3 for as long as the result lives, and starts the watchdog.
    pub fn attach_z3(&self) -> ContextSlot {
        let context = Box::new(Context::thread_local());
        // SAFETY: the handle borrows the boxed context, which lives in the slot and does not move. The slot takes the
        // handle out, under the lock, before it drops the context; the lock is also held during every use.
        let handle = unsafe { std::mem::transmute::<ContextHandle<'_>, ContextHandle<'static>>(context.handle()) };
        lock(&self.shared).z3 = Some(handle);
        self.start_watchdog();
        ContextSlot { shared: self.shared.clone(), _context: context }
    }

    fn start_watchdog(&self) {
        let (shared, limit) = (Arc::downgrade(&self.shared), self.limit);
        let pause = (limit / 8).clamp(Duration::from_millis(1), Duration::from_millis(50));
        // Without a watchdog the resource limit still holds, so a failure to start one is not an error.
        let _ = thread::Builder::new().name("solver watchdog".into()).spawn(move || {
            while let Some(shared) = shared.upgrade() {
                let mut running = lock(&shared);
                if running.interrupted || running.since.is_some_and(|since| since.elapsed() > limit) {
                    running.stop();
                }
                drop(running);
                drop(shared);
                thread::sleep(pause);
            }
        });
    }
}

/// Uses up the interrupts that reached Z3 outside of a check.
fn sober_up() {
    let x = Int::new_const("sober");
    for _ in 0..MAX_LEFT_OVER {
        let solver = z3::Solver::new();
        solver.push();
        solver.assert(x.eq(Int::from_i64(4)));
        if solver.check() == SatResult::Sat
            && let Some(model) = solver.get_model()
            && model.eval(&x, true).and_then(|value| value.as_i64()) == Some(4)
        {
            return;
        }
    }
}

/// Keeps the Z3 context alive that interrupts are sent to.
pub(super) struct ContextSlot {
    shared: Arc<Mutex<Running>>,
    _context: Box<Context>,
}

impl Drop for ContextSlot {
    fn drop(&mut self) {
        lock(&self.shared).z3 = None;
    }
}
