//! The thread that does the work: its stack is so large that deep terms do not overflow it, and a panic in it becomes one
//! sentence.

use crate::exit::Failure;
use std::panic;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Stack sizes to try, in bytes. Only what is used of it is ever taken.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// What the last panic said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics from printing, and what they say.
pub fn silence_panics() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let said = message.unwrap_or("no message").lines().next().unwrap_or_default().to_owned();
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{said}{place}"));
    }));
}

/// Work in progress.
pub struct Worker<T> {
    pub result: Receiver<Result<T, Failure>>,
    thread: JoinHandle<()>,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts some work.
    pub fn start(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<Worker<T>, Failure> {
        // The work is handed over when the thread is there: a thread that cannot be made does not take it along.
        let (hand, take) = mpsc::sync_channel::<Box<dyn FnOnce() -> Result<T, Failure> + Send>>(1);
        let take = std::sync::Arc::new(Mutex::new(take));
        for stack in STACKS {
            let take = take.clone();
            let (sender, result) = mpsc::channel();
            let body = move || {
                let work = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
                if let Ok(work) = work {
                    // Nobody may be waiting any more, after a timeout.
                    let _ = sender.send(work());
                }
            };
            if let Ok(thread) = thread::Builder::new().name("braid".into()).stack_size(stack).spawn(body) {
                hand.send(Box::new(work)).expect("the thread waits for its work");
                return Ok(Worker { result, thread });
            }
        }
        Err(Failure::internal("the system does not give a thread"))
    }

    /// Waits for the end.
    pub fn finish(self) -> Result<T, Failure> {
        match self.result.recv() {
            Ok(result) => result,
            Err(_) => Err(self.panicked()),
        }
    }

    /// The failure of work that ended without a result.
    pub fn panicked(self) -> Failure {
        let _ = self.thread.join();
        last_panic()
    }
}

/// The last panic as a failure.
pub fn last_panic() -> Failure {
    let said = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    Failure::internal(said.as_deref().unwrap_or("the work ended without a result"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Status;

    #[test]
    fn a_panic_becomes_a_sentence() {
        let failure = Worker::<()>::start(|| panic!("on purpose")).and_then(Worker::finish).unwrap_err();
        assert_eq!(failure.status, Status::Internal);
        assert!(failure.message.starts_with("internal error: ") && failure.message.ends_with(", please report"));
    }

    #[test]
    fn deep_recursion_fits() {
        fn depth(n: u64) -> u64 {
            let place = std::hint::black_box([n; 8]);
            if n == 0 { 0 } else { 1 + depth(place[3] - 1) }
        }
        assert_eq!(Worker::start(|| Ok(depth(1_000_000))).and_then(Worker::finish), Ok(1_000_000));
    }
}
