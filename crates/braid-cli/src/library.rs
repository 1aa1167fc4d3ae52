//! What other programs call: a question as the options of `braid verify` put it, and the answer as data. The crate `braid` dresses it.
//!
//! *Invariant*: nothing here prints, ends the process, or touches its signals. An option has the meaning and the default that it has on the
//! command line, because the command line's own definition reads it.

pub use crate::arguments::EngineName;
pub use crate::exit::{Failure, Status};
pub use crate::story::{Annotation, Annotations, Change, Ending, Flow, Ghost, Kind, Lane, Place, Row, Spot, Story};

use crate::arguments::{Arguments, Command, Verify};
use crate::document::{CheckVerdict, Document};
use crate::output::Page;
use crate::verify::{Asker, asked, decide_for};
use crate::{explain, task};
use clap::FromArgMatches;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How wide the text of an answer is.
const WIDTH: usize = 100;

/// A question about a program.
#[derive(Debug)]
pub struct Question {
    arguments: Verify,
    words: Vec<String>,
}

impl Question {
    /// A question about a file, with options of `braid verify` as the command line has them.
    pub fn new(file: PathBuf, words: Vec<String>) -> Result<Question, Failure> {
        let before = ["braid", "verify"].map(str::to_owned);
        // The file is put in below: as a word it could be taken for an option.
        let line = before.into_iter().chain(words.iter().cloned()).chain(["--".to_owned(), "-".to_owned()]);
        let matches = Arguments::grouped().try_get_matches_from(line);
        let parsed = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
        let failed = |error: &dyn std::fmt::Display| Failure::usage(error.to_string().trim_end().to_owned());
        match parsed.map_err(|error| failed(&error))?.command {
            Command::Verify(mut arguments) => {
                if arguments.file.take().is_none_or(|first| first.as_os_str() != "-") {
                    return Err(Failure::usage("error: the options name a file: it is an argument of its own"));
                }
                Ok(Question { arguments: Verify { file: Some(file), ..*arguments }, words })
            }
            _ => Err(Failure::usage("error: these are not options of `braid verify`")),
        }
    }

    /// What must never happen, as `--property` has it.
    pub fn property(&mut self, names: String) {
        self.arguments.property = Some(names);
    }

    /// The algorithm.
    pub fn engine(&mut self, engine: EngineName) {
        self.arguments.run.engine = engine;
    }

    /// When to give up.
    pub fn timeout(&mut self, limit: Duration) {
        self.arguments.run.timeout = Some(limit);
    }

    /// At how many bytes of memory to give up, of the whole process.
    pub fn memory(&mut self, bytes: u64) {
        self.arguments.run.memory = bytes;
    }

    /// What a proof says of places in the program is wanted, too.
    pub fn explained(&mut self) {
        self.arguments.run.explain = true;
    }

    /// Verifies. When the flag is set, the answer comes soon, and is `unknown` unless there is another one by then.
    pub fn answer(mut self, interrupted: Arc<AtomicBool>) -> Result<Answered, Failure> {
        let start = Instant::now();
        self.arguments = task::resolved(self.arguments)?;
        let writes = [&self.arguments.run.json, &self.arguments.run.certificate, &self.arguments.witnessing.witness];
        if writes.into_iter().flatten().chain(self.arguments.formats.files()).next().is_some() {
            return Err(Failure::usage("error: options that write files are for the command line"));
        }
        let (source, checks) = asked(&self.arguments)?;
        let run = &mut self.arguments.run;
        run.quiet = true;
        let page = Page { width: WIDTH, colour: false };
        let asker = Asker { start, interrupted, page, witnessed: false };
        let mut answer = decide_for(asker, run, source, checks)?;
        answer.document.options = self.words;
        if run.explain {
            answer.text += &explain::annotated(&answer.document, page);
        }
        let json = serde_json::to_value(&answer.document).expect("documents hold nothing that JSON cannot");
        Ok(Answered { status: answer.status, text: answer.text, json, parts: parts(answer.document) })
    }
}

/// What was found.
#[derive(Debug)]
pub struct Answered {
    /// Safe, unsafe or unknown.
    pub status: Status,
    /// For people, without the verdict.
    pub text: String,
    /// The document of `docs/json.md`.
    pub json: serde_json::Value,
    /// What is known of each property; one, where there is one question.
    pub parts: Vec<Part>,
}

/// What is known of one property.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub property: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// Why it is not known, if it is not.
    pub reason: Option<String>,
    /// The executions that violate it, the first one first.
    pub stories: Vec<Story>,
    /// What its proof says of places in the program, if that was wanted.
    pub annotations: Option<Annotations>,
}

fn parts(document: Document) -> Vec<Part> {
    let Document { checks, property, violated, verdict, reason, story, annotations, .. } = document;
    if checks.is_empty() {
        let property = violated.unwrap_or(property);
        return vec![Part { property, verdict, reason, stories: story.into_iter().collect(), annotations }];
    }
    let part = |CheckVerdict { property, verdict, reason, stories, annotations, .. }| Part {
        property,
        verdict,
        reason,
        stories,
        annotations,
    };
    checks.into_iter().map(part).collect()
}
