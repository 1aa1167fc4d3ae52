//! Interruptions by the user: Ctrl-C, or a request to terminate.

use crate::exit::Failure;
use nix::sys::signal::{SigSet, Signal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

/// A flag that the first Ctrl-C (or request to terminate) sets; the second one ends the process.
///
/// There is no handler: Z3 replaces handlers while a query runs, and would keep the signal to itself. All threads that are
/// started later have the signals blocked, and one waits for them.
pub fn cancelled_by_signals() -> Result<Arc<AtomicBool>, Failure> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let failed = |error: &dyn std::fmt::Display| Failure::internal(&format!("no signals: {error}"));
    let mut signals = SigSet::empty();
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().for_each(|signal| signals.add(signal));
    signals.thread_block().map_err(|error| failed(&error))?;
    let flag = FLAG.get_or_init(|| Arc::new(AtomicBool::new(false))).clone();
    let set = flag.clone();
    let wait = move || {
        while signals.wait().is_ok() {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(wait).map_err(|error| failed(&error))?;
    Ok(flag)
}
