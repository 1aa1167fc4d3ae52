//! A counterexample as a story, and a proof as annotations: plain data in the words of the program.
//!
//! The terminal, the report, SARIF and the language server are views of this data, and it is in the JSON result. *Invariant*:
//! nothing here names what the user did not write: no internal variables, no addresses, no terms.

mod annotations;
mod apart;
mod ending;
mod facts;
mod fault;
mod graph;
mod library;
mod matters;
mod rows;
mod steps;
mod words;
mod wrappers;

pub use annotations::Explained;
pub use apart::led;
pub use ending::sentence;
pub use words::Cell;

use ending::DEADLOCK;

use crate::input::{self, Input};
use crate::witness::place::Texts;
use braid_engines::Counterexample;
use braid_frontend::c::legend::Legend;
use braid_frontend::c::tree::Unit;
use braid_logic::TermPool;
use braid_program::ast;
use braid_program::cfa::{Accepted, Program};
use braid_program::source::Span;
use braid_program::{Execution, LowerOptions};
use ending::Told;
use rows::{Draft, Rows};
use serde::{Deserialize, Serialize};
use words::Words;

/// The note of a row that goes on with a statement which an earlier row has begun.
pub const GOES_ON: &str = "goes on";

/// How a C program was read, and what its translation means.
#[derive(Clone, Copy)]
struct CText<'a> {
    legend: &'a Legend,
    unit: &'a Unit,
}

/// A counterexample as people tell it: statement by statement, if it can be led through automata with all statements, or is found there `again`.
pub fn story(
    input: &Input,
    (program, lowering): (&Program<'_>, LowerOptions),
    counterexample: &Counterexample,
    again: &dyn Fn() -> Option<Execution>,
) -> Story {
    let c = input.representation.as_ref().zip(input.unit.as_deref());
    let c = c.map(|(used, unit)| CText { legend: &used.legend, unit });
    let pool = TermPool::new();
    let plain = input::automata(&input.program, &pool, LowerOptions { fuse: false, ..lowering }).ok();
    let led = plain.as_ref().and_then(|plain| Some((plain, led((program, counterexample), plain, again)?)));
    match &led {
        Some((plain, counterexample)) => tell(plain, counterexample, &input.program, c),
        None => tell(program, counterexample, &input.program, c),
    }
}

/// Tells a counterexample of these automata.
fn tell(
    program: &Program<'_>,
    counterexample: &Counterexample,
    structured: &ast::Program,
    c: Option<CText<'_>>,
) -> Story {
    let words = Words::new(program, structured, c.map(|c| (c.legend, c.unit)));
    let texts = c.map(|c| Texts::own(&program.sources, c.unit.prelude));
    let micros = steps::steps(program, counterexample, &words);
    let mut rows = Rows::new(program, &words, texts.as_ref());
    rows.all(&micros);
    let told = Told { program, counterexample, words: &words, micros: &micros };
    let needed = told.needed();
    let text = |draft: &Draft| {
        let file = braid_program::source::FileId(draft.statement.file);
        let (start, end) = (draft.statement.head as u32, draft.statement.bytes.end as u32);
        program.sources.excerpt(Span { file, start, end }, usize::MAX)
    };
    // What fails is no test that the program has passed.
    let fails = matches!(counterexample.replayed().violation, Accepted::Violation(..));
    let failing = counterexample.execution().steps.len().checked_sub(1).filter(|_| fails);
    let is_failing = |draft: &&mut Draft| draft.micros.iter().any(|&number| Some(micros[number].action) == failing);
    if let Some(last) = rows.drafts.last_mut().filter(is_failing) {
        (last.row.outcome, last.row.kind) = (None, Kind::Statement);
    }
    matters::mark(&mut rows.drafts, &rows.lanes, &micros, needed, &text);
    let mut ending = told.ending(&rows, &sentence(program, counterexample));
    if ending.title == DEADLOCK {
        rows.waiting(&ending.spots);
    }
    wrappers::unwrap(&mut rows.drafts, &mut ending.spots);
    Story { threads: rows.lanes, rows: rows.drafts.into_iter().map(|draft| draft.row).collect(), ending }
}

/// An execution that violates a property.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Story {
    /// The threads that take part; the first one is the main thread.
    pub threads: Vec<Lane>,
    /// What happens, in order, one statement of one thread each.
    pub rows: Vec<Row>,
    /// What is wrong at the end.
    pub ending: Ending,
}

/// One thread.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Lane {
    /// `main`, or the function that it runs.
    pub name: String,
    /// The row that starts it; none for the main thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_by: Option<usize>,
}

/// What kind of step a row is.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// None of the others.
    #[default]
    Statement,
    /// A condition that was found to hold, or not to hold.
    Test,
    /// A function is called; its statements follow.
    Call,
    /// A function returns.
    Return,
    /// A thread is started.
    Start,
    /// The end of a thread is awaited, and it has come.
    Join,
    /// A lock is taken.
    Lock,
    /// A lock is given back.
    Unlock,
    /// A thread begins to wait.
    Wait,
    /// A waiting thread goes on.
    Wake,
}

/// One statement of one thread, or a part of it where another thread comes between.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
    /// The thread, as an index.
    pub thread: usize,
    /// What kind of step it is.
    pub kind: Kind,
    /// The statement.
    pub place: Place,
    /// The function that the statement is in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// The statement in the source's words, in one line.
    pub text: String,
    /// What a test found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<bool>,
    /// What has another value afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What was read that another thread has written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Flow>,
    /// The row of another thread that made it possible: that gave the lock back which is taken, or gave the signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// The thread that is started or joined, as an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<usize>,
    /// The lock, the condition or the barrier that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// More to know: "wakes up without a signal".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Does the violation need this row? Rows that do not matter are left out unless all are wanted.
    pub matters: bool,
    /// Is the row part of what is repeated for ever?
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeated: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A piece of a source file. Lines and columns count from 1, columns in characters; the end is the character after the last one.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// The line where it begins.
    pub line: usize,
    /// The column where it begins.
    pub column: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
}

/// A variable gets a value.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// As an expression of the program: `q.head->next`.
    pub name: String,
    /// As a constant of the program: `-1`, `NULL`, `&arr[3]`.
    pub value: String,
    /// The value before, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Did a function without a body, or the command line, choose it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub chosen: bool,
    /// Is it a variable of the thread's own?
    #[serde(default, skip_serializing_if = "is_false")]
    pub own: bool,
    /// Which piece of storage it is: names can differ from thread to thread, and change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
}

/// A value goes from one thread to another.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Flow {
    /// What was read.
    pub name: String,
    /// The row that wrote it, as an index.
    pub row: usize,
}

/// What is wrong at the end.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// In two or three words: `data race`, `assertion violated`.
    pub title: String,
    /// In a sentence.
    pub sentence: String,
    /// What would help, if something is known that would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The places of it, the one to blame first; a data race has two, a deadlock one for each thread that waits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spots: Vec<Spot>,
}

/// A place where something is wrong.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Spot {
    /// Whose place it is, as an index.
    pub thread: usize,
    /// Where.
    pub place: Place,
    /// What is to be said right there: `writes q->head, holding q->m`.
    pub label: String,
    /// For a thread that waits in a deadlock: the thread that has what it waits for, as an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<usize>,
    /// In a data race: `reads`, `writes` or `frees`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does: Option<String>,
    /// What is accessed in a data race, or the lock that is waited for in a deadlock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The locks that the thread holds there: in a deadlock those that others wait for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<Held>,
}

/// A lock that a thread holds.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Held {
    pub name: String,
    /// Where it was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What a proof says of a place.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// The statement before which it holds.
    pub place: Place,
    /// Whose place it is: the name of a thread, or of a function that any number of threads run.
    pub thread: String,
    /// What holds there, in the language of the program.
    pub holds: Vec<String>,
}

/// All that a proof says of places, and what its words mean.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// What holds where.
    pub places: Vec<Annotation>,
    /// Names that are not the program's, with a sentence on what they mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ghosts: Vec<Ghost>,
    /// Do the facts hold only in the interleavings that the proof kept? Each other one is equivalent to one of those.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reduced: bool,
    /// Do they hold only while no thread is between two steps that were taken as one, because no other thread observes what is between?
    #[serde(default, skip_serializing_if = "is_false")]
    pub fused: bool,
    /// The proof as a graph, if it is small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<ProofGraph>,
}

/// A proof as a graph.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofGraph {
    pub shape: GraphShape,
    /// The first is where everything begins, unless it shows locks.
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
}

/// What the nodes of a proof's graph are.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "kebab-case")]
pub enum GraphShape {
    /// Where all threads are, in the interleavings that stand for all others.
    #[default]
    Reduction,
    /// Where one thread is, of any number of like ones.
    Threads,
    /// Locks; who holds the first may wait for the second.
    LockOrder,
}

/// A state of the proof.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// Where threads are, or the lock.
    pub at: Vec<String>,
    /// What holds there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// The threads that could go on, but need not be followed: another interleaving stands for what they do here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asleep: Vec<String>,
}

/// A step of the proof.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEdge {
    pub from: usize,
    /// Where it leads; none if it cannot happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// Who does what, in words.
    pub step: String,
}

impl Annotations {
    /// When the facts hold, as a sentence.
    pub fn scope(&self) -> String {
        let mut scope = match self.reduced {
            true => "In the interleavings that stand for all others, what stands above a statement holds before it.",
            false => "Before each statement holds what stands above it.",
        }
        .to_owned();
        if self.fused {
            scope += " Steps between which no other thread can look count as one.";
        }
        scope
    }
}

/// A name that a proof adds.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ghost {
    /// The name.
    pub name: String,
    /// What it means, as a sentence.
    pub meaning: String,
}
