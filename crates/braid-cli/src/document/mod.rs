//! The result as JSON. The schema is documented in `docs/json.md`; a change that readers must notice raises [`SCHEMA`].

mod execution;
mod reading;

pub use execution::{Binding, Initial, Step, StoredExecution, bindings};
pub use reading::CReading;

use crate::exit::Failure;
use crate::facts::Facts;
use crate::progress::Moment;
use crate::queries::{Queries, SequentialProof};
use crate::story::{Annotations, Story};
use crate::version;
use braid_engines::{Argument, Environments, Proof, Statistics};
use braid_program::LowerOptions;
use braid_program::source::Sources;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The version of the schema.
pub const SCHEMA: u32 = 1;

/// The result of a verification.
#[derive(Serialize, Deserialize, Debug)]
pub struct Document {
    pub schema: u32,
    /// Which Braid it was.
    #[serde(default)]
    pub version: String,
    /// The commit that it was built from, or `unknown`.
    #[serde(default)]
    pub commit: String,
    /// The solver that it asks.
    #[serde(default)]
    pub solver: String,
    /// How it was called, without its own name.
    #[serde(default)]
    pub options: Vec<String>,
    /// Where random choices started, if there were some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    pub verdict: String,
    pub reason: Option<String>,
    pub engine: String,
    pub order: Option<String>,
    pub property: String,
    /// Which part of the property is violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violated: Option<String>,
    /// What is known of each part, where there are several questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckVerdict>,
    /// For C programs: the properties that nobody asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    pub file: String,
    pub lowering: Lowering,
    /// What the verdict relies on.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// What else there is to know about the verdict.
    #[serde(default)]
    pub notes: Vec<String>,
    /// For C programs: how they were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<CReading>,
    /// Violations that were found, but only with undefined behaviour on the way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dismissed: u64,
    pub rounds: u64,
    pub proof_size: u64,
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub threads: u64,
    /// The automata as they were translated, and as they were verified.
    #[serde(default)]
    pub size: Sizes,
    pub smt: Smt,
    pub time: Time,
    /// For engine `cegar`: what the cone of influence left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cone: Option<Cone>,
    /// For engine `modular`: what the threads asked each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<Queries>,
    /// For engine `parametric`: what its proof consists of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// For engine `delay`: how many delays were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delays: Option<u32>,
    pub memory_mb: f64,
    pub counterexample: Option<StoredExecution>,
    /// The counterexample as people tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub story: Option<Story>,
    /// What the proof says of places in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// For engine `run`: what was tried, and how the execution is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunFigures>,
    /// With `--confirm`: what the compiled program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmation>,
    /// For properties of several runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hyper: Option<Hyper>,
    /// How engines got on, where that took some time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub progress: Vec<Moment>,
}

/// What is known of one part of a property.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct CheckVerdict {
    pub property: String,
    pub verdict: String,
    pub reason: Option<String>,
    /// What else is wrong, where all places were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The executions that violate it, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stories: Vec<Story>,
    /// What the proof says of places in the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
}

/// What the compiled program did when it was led the way of the counterexample.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct Confirmation {
    pub reproduced: bool,
    /// `reproduced: …` or `not reproduced: …`.
    pub what: String,
    /// The run: the most threads, at which steps which thread goes on, and the values that the program was given.
    #[serde(default)]
    pub room: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<(u64, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<i64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A property of several runs.
#[derive(Serialize, Deserialize, Debug)]
pub struct Hyper {
    /// What was asked for, as a formula.
    pub formula: String,
    /// The function as the user named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Runs that violate the property together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
}

/// One run: what it starts with, and what it ends with.
#[derive(Serialize, Deserialize, Debug)]
pub struct Run {
    pub name: String,
    pub inputs: Vec<Binding>,
    pub outputs: Vec<Binding>,
}

/// What engine `run` did.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct RunFigures {
    /// Runs of the compiled program.
    pub schedules: u64,
    /// Those that differ in what happened before what.
    pub different: u64,
    /// Steps of all runs.
    pub steps: u64,
    /// The most deviations from a fixed schedule.
    pub deviations: u64,
    /// Blocks of code that were reached, and all of them.
    pub covered: u64,
    pub blocks: u64,
    pub threads: u64,
    /// Functions without a body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// The execution: the most threads, at which steps which thread goes on, and the values that the program was given.
    #[serde(default)]
    pub room: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<(u64, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<i64>,
}

/// How the program was turned into automata: action numbers depend on it.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
pub struct Lowering {
    pub fuse: bool,
    pub instances: u32,
    pub recursion: u32,
}

impl From<LowerOptions> for Lowering {
    fn from(options: LowerOptions) -> Lowering {
        Lowering { fuse: options.fuse, instances: options.instances, recursion: options.recursion }
    }
}

impl From<Lowering> for LowerOptions {
    fn from(lowering: Lowering) -> LowerOptions {
        let Lowering { fuse, instances, recursion } = lowering;
        LowerOptions { fuse, instances, recursion, templates: false, one_round: false }
    }
}

/// How large the automata are, before and after steps were fused and what cannot matter was dropped.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default)]
pub struct Sizes {
    pub before: Size,
    pub after: Size,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub locations: u64,
    pub actions: u64,
}

impl From<braid_program::cfa::Size> for Size {
    fn from(size: braid_program::cfa::Size) -> Size {
        Size { locations: size.locations as u64, actions: size.actions as u64 }
    }
}

impl Sizes {
    /// The sizes of a program, as a sentence.
    pub fn sentence(&self, threads: u64) -> String {
        let Sizes { before, after } = self;
        let counted = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let larger = if before == after {
            String::new()
        } else {
            format!(", {} and {} before fusing", before.locations, before.actions)
        };
        let [threads, locations, actions] =
            [(threads, "thread"), (after.locations, "location"), (after.actions, "action")]
                .map(|(n, what)| counted(n, what));
        format!("{threads} with {locations} and {actions}{larger}.\n")
    }
}

#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Smt {
    pub queries: u64,
    pub seconds: f64,
}

/// All in seconds.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Time {
    pub total: f64,
    pub frontend: f64,
    pub check: f64,
    pub refine: f64,
    #[serde(default)]
    pub notes: f64,
}

/// What the cone of influence left out, and the time that it and the successors of abstract states took.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Cone {
    pub statements: u64,
    pub skipped: u64,
    pub havocked: u64,
    pub seconds: f64,
    pub successor_seconds: f64,
}

/// The command line of this process, without the name of the command.
pub fn options() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

impl Document {
    /// A document without an answer.
    pub fn new(engine: &str, property: &str, file: &Path, lowering: impl Into<LowerOptions>) -> Document {
        Document {
            schema: SCHEMA,
            version: version::NUMBER.into(),
            commit: version::COMMIT.into(),
            solver: version::solver(),
            options: options(),
            seed: None,
            verdict: "unknown".into(),
            reason: None,
            engine: engine.into(),
            order: None,
            property: property.into(),
            violated: None,
            checks: Vec::new(),
            unchecked: Vec::new(),
            file: file.to_string_lossy().into_owned(),
            lowering: lowering.into().into(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            c: None,
            dismissed: 0,
            rounds: 0,
            proof_size: 0,
            states: 0,
            transitions: 0,
            depth: 0,
            threads: 0,
            size: Sizes::default(),
            smt: Smt::default(),
            time: Time::default(),
            cone: None,
            queries: None,
            facts: None,
            delays: None,
            memory_mb: 0.0,
            counterexample: None,
            story: None,
            annotations: None,
            run: None,
            confirmed: None,
            hyper: None,
            progress: Vec::new(),
        }
    }

    /// Takes over what a proof consists of.
    pub fn set_proof(&mut self, proof: &Proof, sources: &Sources) {
        self.facts = Facts::of(proof, sources);
        if let (Some(queries), Argument::Modular(Environments { programs, .. })) = (&mut self.queries, &proof.argument)
        {
            queries.programs = programs.iter().map(SequentialProof::from).collect();
        }
    }

    /// Takes over the figures of an engine.
    pub fn set_statistics(&mut self, statistics: &Statistics) {
        self.rounds = statistics.rounds;
        self.proof_size = statistics.proof_size;
        self.states = statistics.states;
        self.transitions = statistics.transitions;
        self.depth = statistics.depth;
        self.smt = Smt { queries: statistics.smt_queries, seconds: statistics.smt_time.as_secs_f64() };
        self.time.check = statistics.check_time.as_secs_f64();
        self.time.refine = statistics.refine_time.as_secs_f64();
        self.delays = statistics.delays;
        let queries = &statistics.queries;
        self.queries = (queries.checks > 0).then_some(Queries {
            asked: queries.asked,
            remembered: queries.remembered,
            sequential_checks: queries.checks,
            facts: queries.facts,
            hierarchy: queries.hierarchy.clone(),
            programs: Vec::new(),
        });
        let cone = statistics.cone;
        self.cone = (cone.statements > 0).then_some(Cone {
            statements: cone.statements,
            skipped: cone.skipped,
            havocked: cone.havocked,
            seconds: cone.time.as_secs_f64(),
            successor_seconds: statistics.successor_time.as_secs_f64(),
        });
    }

    /// Reads a document from a file.
    pub fn read(path: &Path) -> Result<Document, Failure> {
        let refused = |what: String| Failure::rejected(format!("{}: {what}", path.display()));
        let text = fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
        let document: Document = serde_json::from_slice(&text)
            .map_err(|error| refused(format!("not a result of `braid verify --json`: {error}")))?;
        match document.schema {
            SCHEMA => Ok(document),
            other => Err(refused(format!("it has version {other} of the schema, and this Braid reads {SCHEMA}"))),
        }
    }
}
