//! `braid validate`: does a witness of another tool, or of Braid, hold? The program is changed so that its executions follow the
//! witness, or check what it claims, and the changed program is verified as any other ([docs/witnesses.md](../../../../docs/witnesses.md)).
//!
//! *Invariant*: `confirmed` of a violation needs an execution that the interpreter has replayed to the target; `confirmed` of a proof
//! needs a proof of the program and of every invariant.

mod instrument;
mod places;
mod pure;
mod witness;

use crate::arguments::{DataModelName, Validate};
use crate::exit::{Failure, Status};
use crate::input::Source;
use crate::verify::{Answer, decide};
use crate::{machine, output, property};
use braid_frontend::Externs;
use braid_frontend::c::as_statements;
use braid_program::ast::{Check, Checks};
use braid_program::source::Span;
use instrument::{Instrumented, Target};
use places::Text;
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, process};
use witness::{Claim, Invariant, Segment, Witness};

/// Violations elsewhere that are put aside before giving up.
const MOST_ELSEWHERE: usize = 20;

/// What a witness is worth, and why.
enum Finding {
    Confirmed(String),
    Refuted(String),
    Unknown(String),
}

/// Runs `braid validate`.
pub fn validate(mut arguments: Validate, start: Instant) -> Result<Status, Failure> {
    let (path, file) = (arguments.witness.clone(), arguments.file.clone());
    if !machine::is_c(&file) {
        return Err(Failure::usage(format!("error: {}: witnesses are about C programs", file.display())));
    }
    let named = |path: &Path, what: &str| Failure::rejected(format!("{}: {what}", path.display()));
    let load = |path: &Path| fs::read(path).map_err(|error| Failure::unreadable(path, &error));
    let text = String::from_utf8(load(&path)?).map_err(|_| named(&path, "this is not a text"))?;
    let witness = witness::read(&path, &text).map_err(|what| named(&path, &format!("this is no witness: {what}")))?;
    let program = load(&file)?;
    let hash: String = Sha256::digest(&program).iter().map(|byte| format!("{byte:02x}")).collect();
    let program = String::from_utf8(program).map_err(|_| named(&file, "this is not UTF-8"))?;
    let program = as_statements(&program).into_owned();
    let checks = match arguments.property.as_deref() {
        Some(property) => property::property(property)?,
        None => property::of_specification(&witness.specification)
            .ok_or_else(|| named(&path, "its property is not supported: say another one with --property"))?,
    };
    let model = &mut arguments.run.reading.data_model;
    *model = model.or(match witness.data_model.as_deref() {
        Some("ILP32") => Some(DataModelName::Ilp32),
        Some("LP64") => Some(DataModelName::Lp64),
        _ => None,
    });
    let mut note = String::new();
    if !witness.hashes.iter().any(|known| known.eq_ignore_ascii_case(&hash)) {
        note = "note: the hash in the witness is not that of the program\n".to_owned();
    }
    let Witness { claim, .. } = witness;
    let validator = Validator { arguments, file, program, checks, start };
    let finding = match &claim {
        Claim::Violation(segments) => validator.violation(segments)?,
        Claim::Correctness(invariants) => validator.correctness(invariants).or_else(rejected)?,
    };
    let (word, why, status) = match finding {
        Finding::Confirmed(why) => ("confirmed", why, Status::Safe),
        Finding::Refuted(why) => ("refuted", why, Status::Unsafe),
        Finding::Unknown(why) => ("unknown", why, Status::Unknown),
    };
    let told = if validator.arguments.run.quiet { String::new() } else { format!("{why}\n{note}") };
    output::print(&format!("{told}witness: {word}\n"))?;
    Ok(status)
}

struct Validator {
    arguments: Validate,
    file: PathBuf,
    program: String,
    checks: Checks,
    start: Instant,
}

impl Validator {
    /// Does an execution follow the segments to the target?
    fn violation(&self, segments: &[Segment]) -> Result<Finding, Failure> {
        // Not every statement can be copied: it may be a macro with a label.
        match self.violation_with(segments, Target::Copied) {
            Err(failure) if failure.status == Status::Rejected => {
                self.violation_with(segments, Target::Single).or_else(rejected)
            }
            found => found,
        }
    }

    fn violation_with(&self, segments: &[Segment], way: Target) -> Result<Finding, Failure> {
        let is_about_races = self.checks.contains(Check::Race);
        let text = Text::new(&self.program);
        let changed = match instrument::violation(&text, segments, is_about_races, way) {
            Ok(changed) => changed,
            Err(what) => return Ok(Finding::Unknown(format!("The witness cannot be followed: {what}."))),
        };
        let is_target = |place: Span| changed.claims.iter().any(|claim| claim.contains(&(place.start as usize)));
        let mut elsewhere = Vec::new();
        while elsewhere.len() < MOST_ELSEWHERE {
            let answer = self.verify(Some(&changed), self.checks, elsewhere.clone())?;
            match (answer.status, answer.violated) {
                (Status::Unsafe, Some((_, place))) if is_target(place) => {
                    return Ok(Finding::Confirmed("An execution follows the witness to its target.".into()));
                }
                (Status::Unsafe, Some(other)) => elsewhere.push(other),
                (Status::Safe, _) if changed.is_exact => {
                    return Ok(Finding::Refuted("No execution follows the witness to its target.".into()));
                }
                (Status::Safe, _) => {
                    let why = "No execution does so that comes to the target only once.";
                    return Ok(Finding::Unknown(why.into()));
                }
                _ => return Ok(Finding::Unknown(undecided(&answer))),
            }
        }
        Ok(Finding::Unknown("The property is violated at many other places.".into()))
    }

    /// Does the property hold, and every invariant?
    fn correctness(&self, invariants: &[Invariant]) -> Result<Finding, Failure> {
        let text = Text::new(&self.program);
        let changed = match instrument::correctness(&text, invariants) {
            Ok(changed) => changed,
            Err(what) => return Ok(Finding::Unknown(format!("An invariant cannot be checked: {what}."))),
        };
        let assertion = Checks::of(Check::Assertion);
        if !invariants.is_empty() {
            let answer = self.verify(Some(&changed), assertion, Vec::new())?;
            match (answer.status, answer.violated) {
                (Status::Safe, _) => {}
                (Status::Unsafe, Some((_, place))) => {
                    return Ok(Finding::Refuted(violated(invariants, &changed.asserted, place)));
                }
                _ => return Ok(Finding::Unknown(undecided(&answer))),
            }
        }
        // Of the program itself: what was added to it is somebody else's.
        let answer = self.verify(None, self.checks, Vec::new())?;
        match answer.status {
            Status::Safe => {}
            Status::Unsafe => return Ok(Finding::Refuted("The program violates the property.".into())),
            _ => return Ok(Finding::Unknown(undecided(&answer))),
        }
        let count = invariants.len();
        Ok(Finding::Confirmed(format!("The property holds, and so do the invariants of the witness: {count}.")))
    }

    /// Options that let headers be found where they are for the program itself.
    fn headers(&self) -> Vec<String> {
        let folder = self.file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let places =
            [("-iquote", folder.to_owned()), ("-idirafter", folder.to_owned()), ("-idirafter", folder.join("include"))];
        places
            .into_iter()
            .flat_map(|(option, place)| [option.to_owned(), place.to_string_lossy().into_owned()])
            .collect()
    }

    /// Verifies the changed program, or the program as it is, without what is known of some places.
    fn verify(
        &self,
        changed: Option<&Instrumented>,
        checks: Checks,
        excused: Vec<(Check, Span)>,
    ) -> Result<Answer, Failure> {
        let mut reading = self.arguments.run.reading.reading(checks);
        reading.externs.0.splice(0..0, Externs::of_competition().0);
        reading.excused = excused;
        let scratch;
        let file = match changed {
            None => self.file.clone(),
            Some(changed) => {
                scratch = Scratch::new()?;
                let file = scratch.0.join(self.file.file_name().unwrap_or_default());
                fs::write(&file, &changed.text).map_err(|error| Failure::internal(&error.to_string()))?;
                if file.extension().is_some_and(|extension| extension == "c") {
                    reading.preprocessor.options.extend(self.headers());
                }
                file
            }
        };
        decide(&self.arguments.run, Source::Program { file, reading }, checks, self.start)
    }
}

/// Which invariant does not hold.
fn violated(invariants: &[Invariant], asserted: &[Range<usize>], place: Span) -> String {
    let is_there = |(_, bytes): &(&Invariant, &Range<usize>)| bytes.contains(&(place.start as usize));
    match invariants.iter().zip(asserted).find(is_there) {
        Some((Invariant { location, value, .. }, _)) => {
            format!("The invariant `{value}` of line {} does not hold.", location.line)
        }
        None => "The program violates the property.".to_owned(),
    }
}

/// A program that cannot be read with what the witness says is not decided.
fn rejected(failure: Failure) -> Result<Finding, Failure> {
    match failure.status {
        Status::Rejected => {
            let line = failure.message.lines().next().unwrap_or_default();
            Ok(Finding::Unknown(format!("The program with the witness cannot be read: {line}.")))
        }
        _ => Err(failure),
    }
}

fn undecided(answer: &Answer) -> String {
    let reason = answer.document.reason.as_deref().unwrap_or("no reason is known");
    format!("The program with the witness is not decided: {reason}.")
}

/// A folder that goes away.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, Failure> {
        let folder = env::temp_dir().join(format!("braid-validate-{}", process::id()));
        fs::create_dir_all(&folder).map_err(|error| Failure::internal(&format!("no folder for files: {error}")))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
