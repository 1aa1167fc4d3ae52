//! Confirmation: the compiled program is led the way of a counterexample, and says what it really did.

use super::keep::keep;
use super::model;
use super::options::{Unseen, of_model};
use super::search::is_c;
use super::story::{Story, story, violates};
use crate::arguments::{CReading, Run};
use crate::document::{Confirmation, Document};
use crate::verify::Answer;
use braid_frontend::Reading;
use braid_program::ast::Checks;
use braid_run::{Compiled, End, Error, Guide, Limits, Report, Schedule, Scratch, Sources, Switch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long schedules near the guide are tried.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Even if no time is left.
const SHORTEST: Duration = Duration::from_secs(2);

/// What is to be confirmed, and how the program is compiled.
pub struct Request {
    pub file: PathBuf,
    pub sources: Sources,
    pub property: braid_run::Property,
    /// Where everything stays that it takes to run it again.
    pub keep: Option<PathBuf>,
    pub time: Duration,
    pub cancelled: Arc<AtomicBool>,
    /// How the program was read.
    pub reading: Reading,
}

/// What a run is led by.
pub enum Lead {
    Guide(Guide),
    /// Exactly what a run did before.
    Schedule(Schedule),
    /// Nowhere: no run shows the violation.
    None(Unseen),
}

impl Request {
    /// None if runs do not show violations of the checks.
    fn new(file: &Path, reading: &CReading, options: &super::Machine, checks: Checks) -> Result<Request, Unseen> {
        let property = of_model(checks)?;
        Ok(Request {
            file: file.to_owned(),
            sources: options.sources(file, reading, property),
            property,
            keep: None,
            time: PATIENCE,
            cancelled: Arc::new(AtomicBool::new(false)),
            reading: reading.reading(checks),
        })
    }

    /// Is the verdict one for another machine, where that matters?
    fn is_elsewhere(&self) -> bool {
        model::is_other(&self.file, &self.reading) && model::matters(&self.file, &self.reading).unwrap_or(true)
    }

    /// Runs the program as the lead says; the story is what it did.
    pub fn confirm(&self, lead: &Lead) -> (Confirmation, Option<Story>) {
        if let Lead::None(why) = lead {
            return (Confirmation::unseen(*why), None);
        }
        match self.attempt(lead) {
            Ok((report, story)) => {
                let remark = if self.is_elsewhere() { format!(" ({})", model::APART) } else { String::new() };
                let what = format!("reproduced: {}{remark}", story.end);
                let schedule = report.schedule();
                let confirmation = Confirmation {
                    reproduced: true,
                    what,
                    switches: schedule.switches.iter().map(|switch| (switch.step, switch.thread)).collect(),
                    inputs: schedule.inputs,
                    room: schedule.room,
                };
                (confirmation, Some(story))
            }
            Err(_) if self.is_elsewhere() => {
                (Confirmation { what: format!("not reproduced: {}", model::APART), ..Confirmation::default() }, None)
            }
            Err(why) => (Confirmation { what: format!("not reproduced: {why}"), ..Confirmation::default() }, None),
        }
    }

    /// Watches one thing after the other until the violation is seen. Where there is only one thread, the first sees all.
    fn attempt(&self, lead: &Lead) -> Result<(Report, Story), String> {
        let is_alone = matches!(lead, Lead::Guide(guide) if guide.threads.len() == 1);
        let watches = self.property.watches();
        let mut why = String::new();
        for (number, &watch) in watches.iter().enumerate() {
            let sources = Sources { watch, ..self.sources.clone() };
            let compiled = match self.compile(&sources) {
                Ok(compiled) => compiled,
                Err(reason) => {
                    why = reason;
                    continue;
                }
            };
            let is_last = is_alone || number + 1 == watches.len();
            let time = if is_last { self.time } else { self.time / 5 };
            match self.led(&compiled, &sources, lead, time) {
                Err(reason) if !is_last => why = reason,
                outcome => return outcome,
            }
        }
        Err(why)
    }

    fn compile(&self, sources: &Sources) -> Result<Compiled, String> {
        let scratch = match &self.keep {
            Some(folder) => Scratch::kept(folder),
            None => Scratch::new(),
        };
        let scratch = scratch.map_err(|error| format!("no folder: {error}"))?;
        let stopped = || self.cancelled.load(Ordering::Relaxed);
        sources.compile(scratch, &stopped).map_err(|error| error.to_string())
    }

    /// Leads the compiled program, and repeats what it did.
    fn led(
        &self,
        compiled: &Compiled,
        sources: &Sources,
        lead: &Lead,
        time: Duration,
    ) -> Result<(Report, Story), String> {
        let stopped = || self.cancelled.load(Ordering::Relaxed);
        let schedule = match lead {
            Lead::Guide(guide) => self.search(compiled, guide, time)?,
            Lead::Schedule(schedule) => schedule.clone(),
            Lead::None(why) => return Err(why.clause().into()),
        };
        if self.keep.is_some() {
            keep(compiled, sources, self.property, &schedule)?;
        }
        let limits = Limits { seconds: 60.0, stopped: &stopped };
        let report = compiled.replay(self.property, &schedule, &limits).map_err(|error| error.to_string())?;
        if !violates(self.property, &report) {
            return Err(format!("the run {}", how(report.end)));
        }
        let story = story(compiled, &report, &self.file);
        Ok((report, story))
    }

    /// Looks for the violation near the guide.
    fn search(&self, compiled: &Compiled, guide: &Guide, time: Duration) -> Result<Schedule, String> {
        if guide.target.as_ref().is_some_and(|(_, line)| is_annotation(&self.file, *line)) {
            return Err("the assertion is an annotation, which the compiler does not see".into());
        }
        let stopped = || self.cancelled.load(Ordering::Relaxed);
        let limits = Limits { seconds: time.as_secs_f64(), stopped: &stopped };
        let report = match compiled.follow(self.property, guide, &limits) {
            Ok(report) => report,
            Err(Error::Stopped) => return Err("time was up".into()),
            Err(error) => return Err(error.to_string()),
        };
        let search = report.search.clone().unwrap_or_default();
        if search.found {
            return Ok(report.schedule());
        }
        let unforced: Vec<String> =
            guide.unforced.union(&report.unforced).map(|function| format!("`{function}`")).collect();
        if !unforced.is_empty() {
            return Err(format!("what {} wrote could not be forced", unforced.join(", ")));
        }
        let most = search.ends.iter().max_by_key(|(_, count)| **count).map(|(end, _)| *end);
        let tainted = if search.tainted > 0 { "; a signed overflow comes before the violation" } else { "" };
        Err(format!("of {} runs near the counterexample most {}{tainted}", search.runs, how(most)))
    }
}

impl Confirmation {
    /// No run shows the violation.
    pub fn unseen(why: Unseen) -> Confirmation {
        Confirmation { what: format!("not reproduced: {}", why.clause()), ..Confirmation::default() }
    }
}

/// Is what stands on a line of a file a comment for tools?
fn is_annotation(file: &Path, line: usize) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().nth(line.wrapping_sub(1)).is_some_and(|line| line.contains("//@") || line.contains("/*@"))
}

fn how(end: Option<End>) -> &'static str {
    match end {
        Some(End::Finished) => "came to the end",
        Some(End::Failed) => "failed an assertion",
        Some(End::Raced) => "had a data race",
        Some(End::Overflowed) => "had a signed overflow",
        Some(End::Crashed) => "crashed",
        Some(End::Invalid) => "accessed memory that is not there",
        Some(End::Misfreed) => "freed what is no block",
        Some(End::Undefined) => "had an operation without a meaning",
        Some(End::Leaked) => "left a block at the end",
        Some(End::Deadlocked) => "deadlocked",
        Some(End::Endless) => "did not end in time",
        Some(End::Exited) => "called exit or abort",
        Some(End::Abandoned) => "stopped at an assumption that does not hold",
        Some(End::Exhausted) => "needed too many threads or locks",
        Some(End::Lost) | None => "went another way",
    }
}

/// The exact schedule of a stored run, if there is one.
pub fn stored(document: &Document) -> Option<Schedule> {
    let confirmed = document.confirmed.as_ref().filter(|confirmed| confirmed.reproduced);
    let run = document.run.as_ref().filter(|_| document.verdict == "unsafe");
    let (switches, inputs, room) = match (run, confirmed) {
        (Some(run), _) => (&run.switches, &run.inputs, run.room),
        (None, Some(confirmed)) => (&confirmed.switches, &confirmed.inputs, confirmed.room),
        (None, None) => return None,
    };
    let switches = switches.iter().map(|&(step, thread)| Switch { step, thread }).collect();
    Some(Schedule { switches, inputs: inputs.clone(), room })
}

/// Confirms what was just found, within what is left of the time.
pub fn confirm_found(answer: &mut Answer, file: &Path, (options, checks): (&Run, Checks), cancelled: &Arc<AtomicBool>) {
    let lead = match (answer.guide.take(), stored(&answer.document)) {
        (Some(lead), _) => lead,
        (None, Some(schedule)) => Lead::Schedule(schedule),
        (None, None) => return,
    };
    if !is_c(file) {
        return;
    }
    let mut request = match Request::new(file, &options.reading, &options.machine, checks) {
        Ok(request) => request,
        Err(why) => {
            let confirmation = Confirmation::unseen(why);
            answer.text += &format!("{}\n", confirmation.what);
            answer.document.confirmed = Some(confirmation);
            return;
        }
    };
    request.keep = options.modules.keep.clone();
    request.cancelled = cancelled.clone();
    let left =
        options.timeout.map(|timeout| timeout.saturating_sub(Duration::from_secs_f64(answer.document.time.total)));
    request.time = left.map_or(PATIENCE, |left| left.clamp(SHORTEST, PATIENCE));
    let (confirmation, _) = request.confirm(&lead);
    answer.text += &format!("{}\n", confirmation.what);
    answer.document.confirmed = Some(confirmation);
}

/// The command that looks for bugs where Braid cannot follow the program.
pub fn offer_search(file: &Path) -> String {
    let command = format!("braid verify --engine run {}", file.display());
    format!("To look for bugs in the compiled program: {command}. That executes the program.\n")
}

/// The command that confirms a violation.
pub fn offer(options: &Run, file: &Path) -> String {
    match options.json.as_deref().filter(|path| *path != Path::new("-")) {
        Some(result) => {
            format!("To see it on the machine: braid replay {} {} --run\n", file.display(), result.display())
        }
        None => "To see it on the machine, verify with --confirm. That executes the program.\n".to_owned(),
    }
}
