//! `--allow-run`: engine `run` beside the others, and in their place where the front end rejects the program.

use super::options::of_model;
use super::search::{Outcome, Request, STEPS, is_c};
use crate::arguments::{EngineName, Run};
use crate::document::Document;
use crate::exit::{Failure, Status};
use crate::verify::Answer;
use crate::worker::Worker;
use braid_program::ast::Checks;
use braid_run::Start;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The search on the machine, as long as others work on the model.
pub struct Beside {
    worker: Option<Worker<Outcome>>,
    cancelled: Arc<AtomicBool>,
    /// Until it is filled in.
    document: Option<Document>,
}

impl Beside {
    /// Starts it, if the user allows it and the program is C.
    pub fn start(
        arguments: &Run,
        file: &Path,
        checks: Checks,
        deadline: Option<Instant>,
    ) -> Result<Option<Beside>, Failure> {
        if !arguments.machine.allow_run || arguments.engine != EngineName::Auto || !is_c(file) {
            return Ok(None);
        }
        let Ok(property) = of_model(checks) else { return Ok(None) };
        let cancelled = Arc::new(AtomicBool::new(false));
        let request = Request {
            file: file.to_owned(),
            sources: arguments.machine.sources(file, &arguments.reading, property),
            property,
            start: Start { seed: arguments.machine.seed, runs: arguments.machine.schedules, steps: STEPS },
            random: arguments.machine.random_schedules,
            deadline,
            cancelled: cancelled.clone(),
            reading: arguments.reading.reading(checks),
        };
        let document = Some(Document {
            seed: Some(arguments.machine.seed),
            ..Document::new("run", &crate::property::name(checks), file, arguments.lowering)
        });
        Ok(Some(Beside { worker: Some(Worker::start(move || request.answer())?), cancelled, document }))
    }

    /// A bug, if one was found by now.
    pub fn found(&mut self) -> Option<Answer> {
        let outcome = self.worker.as_ref()?.result.try_recv().ok()?;
        self.worker = None;
        self.answer(outcome.ok()?).filter(|answer| answer.status == Status::Unsafe)
    }

    /// Asks it to stop.
    pub fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Waits for the end of the search, unless the user interrupts; none if the program does not compile.
    pub fn wait(&mut self, interrupted: &AtomicBool) -> Option<Answer> {
        let worker = self.worker.take()?;
        loop {
            if interrupted.load(Ordering::Relaxed) {
                self.stop();
            }
            match worker.result.recv_timeout(crate::watch::TICK) {
                Ok(outcome) => return self.answer(outcome.ok()?),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn answer(&mut self, outcome: Outcome) -> Option<Answer> {
        Some(outcome.answer(self.document.take()?))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.stop();
        if let Some(worker) = self.worker.take() {
            // It stops at once, and removes its folder.
            let _ = worker.result.recv_timeout(std::time::Duration::from_millis(500));
        }
    }
}
