//! Several runs at a time, until all are done or somebody wants them to end.

use super::launch::Launcher;
use super::row::{Item, Row};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often [`Event::Tick`] comes.
const TICK: Duration = Duration::from_millis(500);

/// What happens meanwhile.
pub enum Event<'a> {
    Started(&'a Item),
    Finished(Box<Row>),
    /// Some time has passed.
    Tick,
}

/// Runs all items, at most `jobs` at a time, and tells what happens. An error of `told` ends all runs.
pub fn run<E>(
    items: &[Item],
    jobs: usize,
    launcher: &Launcher,
    cancelled: &AtomicBool,
    mut told: impl FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (events, happened) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (events, next) = (events.clone(), &next);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // The receiver is there as long as the scope.
                    let _ = events.send(Event::Started(item));
                    match launcher.run(item, cancelled) {
                        Some(row) => drop(events.send(Event::Finished(Box::new(row)))),
                        None => break,
                    }
                    if cancelled.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        drop(events);
        loop {
            let event = match happened.recv_timeout(TICK) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => Event::Tick,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if let Err(error) = told(event) {
                cancelled.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;

    fn launcher(program: &str) -> Launcher {
        Launcher { program: program.into(), version: String::new(), host: String::new() }
    }

    #[test]
    fn all_are_run_once() {
        let items: Vec<Item> =
            (0..7).map(|number| row("a", &number.to_string(), "true", Verdict::None, 0.0).item).collect();
        let mut tasks = Vec::new();
        let told = |event: Event<'_>| {
            if let Event::Finished(row) = event {
                tasks.push(row.item.task);
            }
            Ok::<(), ()>(())
        };
        run(&items, 3, &launcher("true"), &AtomicBool::new(false), told).unwrap();
        tasks.sort();
        assert_eq!(tasks, ["0", "1", "2", "3", "4", "5", "6"]);
    }

    #[test]
    fn an_error_ends_all() {
        let items = vec![row("a", "x", "true", Verdict::None, 0.0).item; 3];
        let cancelled = AtomicBool::new(false);
        let mut events = 0;
        let result = run(&items, 1, &launcher("true"), &cancelled, |_| {
            events += 1;
            Err("full")
        });
        assert_eq!((result, events), (Err("full"), 1));
    }
}
