//! From steps to rows: one row for each statement of one thread, in order.
//!
//! A statement that another thread comes between has a row for each part, with what the part reads or writes. Of C, statements are those
//! of the text; of other languages, each place of a step is a statement.

use super::library;
use super::steps::{Locked, Micro};
use super::words::{Cell, Words};
use super::{Change, Flow, GOES_ON, Kind, Lane, Row, Spot};
use crate::witness::place::{Place, Texts};
use braid_program::cfa::{Origin, Program, ThreadId};
use braid_program::source::{FileId, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Text of a row is cut to this many characters.
const LONGEST: usize = 160;

/// A row in the making.
pub struct Draft {
    pub row: Row,
    /// The statement's bytes in its file; of other languages, the span's.
    pub statement: Statement,
    /// The steps that it is made of.
    pub micros: Vec<usize>,
    /// What it reads that others can write.
    seen: Vec<Change>,
    /// Was the statement begun in an earlier row?
    goes_on: bool,
}

/// Where a statement is, and where it goes from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    pub file: u32,
    pub bytes: Range<usize>,
    /// The end of its head: what is between it and the end of the statement is nested.
    pub head: usize,
}

pub struct Rows<'a, 'p> {
    program: &'a Program<'p>,
    words: &'a Words<'a, 'p>,
    texts: Option<&'a Texts<'a>>,
    pub lanes: Vec<Lane>,
    /// The newest lane for each instance of a thread.
    lane_of: FxHashMap<ThreadId, usize>,
    pub drafts: Vec<Draft>,
    /// The row that wrote a cell last.
    writers: FxHashMap<Cell, usize>,
    /// The numbers of cells that were told of.
    cells: FxHashMap<Cell, usize>,
}

impl<'a, 'p> Rows<'a, 'p> {
    pub fn new(program: &'a Program<'p>, words: &'a Words<'a, 'p>, texts: Option<&'a Texts<'a>>) -> Self {
        let main = Lane { name: program.thread(ThreadId::MAIN).name.clone(), started_by: None };
        Rows {
            program,
            words,
            texts,
            lanes: vec![main],
            lane_of: FxHashMap::from_iter([(ThreadId::MAIN, 0)]),
            drafts: Vec::new(),
            writers: FxHashMap::default(),
            cells: FxHashMap::default(),
        }
    }

    /// The lane of a thread.
    pub fn lane(&self, thread: ThreadId) -> Option<usize> {
        self.lane_of.get(&thread).copied()
    }

    /// Adds all steps.
    pub fn all(&mut self, micros: &[Micro]) {
        for (number, micro) in micros.iter().enumerate() {
            self.step(number, micro);
        }
        self.finish();
    }

    fn step(&mut self, number: usize, micro: &Micro) {
        let Some(lane) = self.lane(micro.thread) else { return };
        let place = self.statement(micro.span);
        if let Some((statement, place)) = place {
            let last = self.drafts.last();
            let is_same =
                |last: &Draft| last.row.thread == lane && last.statement == statement && last.row.other.is_none();
            let open = self.drafts.iter().rposition(|draft| draft.row.thread == lane);
            let open = open.filter(|&open| is_same(&self.drafts[open]));
            match open {
                // What nobody else can see happens when its statement does.
                Some(open) if last.is_some_and(is_same) || self.is_private(micro) => self.add(open, number, micro),
                _ => {
                    self.begin(lane, (statement, place), micro.span);
                    self.add(self.drafts.len() - 1, number, micro);
                }
            }
        }
        for &child in &micro.forks {
            self.lanes.push(Lane { name: self.program.thread(child).name.clone(), started_by: None });
            let new = self.lanes.len() - 1;
            self.lane_of.insert(child, new);
            // A `par` starts several threads at once.
            if let Some(row) = self.drafts.len().checked_sub(1) {
                self.lanes[new].started_by = Some(row);
                let draft = &mut self.drafts[row];
                (draft.row.kind, draft.row.other) = (Kind::Start, draft.row.other.or(Some(new)));
                // Handles mean nothing to people, and arguments are in the text.
                draft.row.changes.clear();
            }
        }
        self.branches("start", &micro.forks);
        self.branches("join", &micro.joins);
        if let Some(&joined) = micro.joins.first() {
            let other = self.lane(joined);
            if let Some(draft) = self.drafts.last_mut().filter(|draft| draft.row.thread == lane) {
                (draft.row.kind, draft.row.other) = (Kind::Join, other);
            }
        }
    }

    /// Branches of a `par` start and end together: the text of the `par` is the text of all of them.
    fn branches(&mut self, what: &str, threads: &[ThreadId]) {
        let is_branch = |&id: &ThreadId| matches!(self.program.thread(id).origin, Origin::Branch { .. });
        let names: Vec<&str> =
            threads.iter().filter(|id| is_branch(id)).map(|&id| self.program.thread(id).name.as_str()).collect();
        if let Some(draft) = self.drafts.last_mut().filter(|_| !names.is_empty()) {
            draft.row.text = format!("{what} {}", names.join(", "));
            draft.row.other = None;
        }
    }

    /// The statement around a span, with its place and function.
    fn statement(&self, span: Span) -> Option<(Statement, Option<Place>)> {
        match self.texts {
            Some(texts) => {
                let place = texts.statement(span)?;
                let head = texts.head(span)?;
                let statement = Statement { file: span.file.0, bytes: place.bytes.clone(), head };
                Some((statement, Some(place)))
            }
            None if span.start == span.end => None,
            None => {
                let bytes = span.start as usize..span.end as usize;
                Some((Statement { file: span.file.0, head: bytes.end, bytes }, None))
            }
        }
    }

    fn begin(&mut self, lane: usize, (statement, place): (Statement, Option<Place>), span: Span) {
        let (start, head) = (statement.bytes.start as u32, statement.head as u32);
        let text = self.program.sources.excerpt(Span { file: span.file, start, end: head }, LONGEST);
        let text = match text.as_str() {
            "do" => self.end_of_loop(span, &statement),
            text => called(text.strip_suffix(';').unwrap_or(text)),
        };
        let goes_on = place.is_some() && self.is_begun(lane, &statement);
        let row = Row {
            thread: lane,
            place: self.words.place(Span { file: span.file, start, end: head }),
            function: place.map(|place| place.function).unwrap_or_default(),
            text,
            ..Row::default()
        };
        self.drafts.push(Draft { row, statement, micros: Vec::new(), seen: Vec::new(), goes_on });
    }

    /// The test at the end of a `do`.
    fn end_of_loop(&self, span: Span, statement: &Statement) -> String {
        let (start, end) = (statement.head as u32, statement.bytes.end as u32);
        let body = self.program.sources.excerpt(Span { file: span.file, start, end }, usize::MAX);
        let test = body.rfind("while").and_then(|at| body.get(at..)).unwrap_or_default();
        format!("do … {}", test.trim_end_matches(';').chars().take(LONGEST).collect::<String>())
    }

    /// Did the thread stop in the middle of the statement?
    fn is_begun(&self, lane: usize, statement: &Statement) -> bool {
        let last = self.drafts.iter().rev().find(|draft| draft.row.thread == lane);
        last.is_some_and(|last| last.statement == *statement && last.row.kind != Kind::Start)
    }

    /// Does a step read and write what belongs to its thread alone?
    fn is_private(&self, micro: &Micro) -> bool {
        let cells = micro.reads.iter().chain(&micro.writes);
        micro.forks.is_empty()
            && micro.joins.is_empty()
            && cells.map(|cell| self.words.owner(cell.var)).all(|owner| owner.is_some())
    }

    fn add(&mut self, at: usize, number: usize, micro: &Micro) {
        let lane = self.drafts[at].row.thread;
        for (cell, seen) in &micro.seen {
            let Some(&writer) = self.writers.get(cell) else { continue };
            let flow = Flow { name: seen.name.clone(), row: writer };
            if self.drafts[writer].row.thread != lane && !self.drafts[at].row.reads.contains(&flow) {
                self.drafts[at].row.reads.push(flow);
            }
        }
        let is_given = |&writer: &usize| {
            let Row { thread, kind, .. } = self.drafts[writer].row;
            thread != lane && kind == Kind::Unlock
        };
        let given = micro.reads.iter().filter_map(|cell| self.writers.get(cell).copied()).find(is_given);
        for cell in &micro.writes {
            self.writers.insert(cell.clone(), at);
        }
        let is_c = self.texts.is_some();
        let draft = &mut self.drafts[at];
        draft.micros.push(number);
        if micro.test.is_some() && (!is_c || is_test(draft)) {
            draft.row.outcome = if is_loop(&draft.row.text) { micro.again } else { micro.test };
            draft.row.kind = Kind::Test;
        }
        for (cell, change) in &micro.changes {
            let fresh = self.cells.len();
            let number = *self.cells.entry(cell.clone()).or_insert(fresh);
            match draft.row.changes.iter_mut().find(|known| known.name == change.name) {
                Some(known) => known.value.clone_from(&change.value),
                None => draft.row.changes.push(Change { cell: Some(number), ..change.clone() }),
            }
        }
        for (_, seen) in &micro.seen {
            if !draft.seen.contains(seen) {
                draft.seen.push(seen.clone());
            }
        }
        let call = self.program.sources.excerpt(micro.span, LONGEST);
        if let Some((kind, object)) = library::call(&call) {
            // A lock has one name, whatever the pointers to it are called.
            let mut cells =
                micro.reads.iter().chain(&micro.writes).filter(|_| matches!(kind, Kind::Lock | Kind::Unlock));
            let lock = cells.find_map(|cell| self.words.lock(cell.var));
            let known = draft.row.object.take().filter(|_| draft.row.kind == kind);
            let object = lock.or(known).unwrap_or_else(|| self.resolved(at, object));
            let draft = &mut self.drafts[at];
            (draft.row.kind, draft.row.object) = (kind, Some(object));
        }
        let draft = &mut self.drafts[at];
        // Macros hide the names of calls.
        if let Some(Locked { cell, taken, .. }) = micro.locks.iter().find(|locked| locked.is_lock)
            && draft.row.kind == Kind::Statement
        {
            draft.row.kind = if *taken { Kind::Lock } else { Kind::Unlock };
            draft.row.object = self.words.lock(cell.var);
        }
        if draft.row.kind == Kind::Lock {
            draft.row.after = draft.row.after.or(given);
        }
    }

    /// What a parameter was told to point to last: functions that wrap others call all objects by one name.
    fn resolved(&self, at: usize, object: String) -> String {
        let lane = self.drafts[at].row.thread;
        let own = self.drafts[..at].iter().rev().filter(|draft| draft.row.thread == lane);
        let given = own.flat_map(|draft| &draft.row.changes).find(|change| change.own && change.name == object);
        match given.and_then(|change| change.value.strip_prefix('&')) {
            Some(target) => target.to_owned(),
            None => object,
        }
    }

    /// Threads that wait for ever do so in their last rows.
    pub fn waiting(&mut self, spots: &[Spot]) {
        for Spot { thread, place, waits_for, .. } in spots {
            let note = match waits_for {
                Some(other) if other != thread => format!("waits for {}", self.lanes[*other].name),
                Some(_) => "waits for itself".to_owned(),
                None => "waits for ever".to_owned(),
            };
            let last = self.drafts.iter().rposition(|draft| draft.row.thread == *thread);
            let is_there =
                |row: &Row| row.place.file == place.file && (row.place.line..=row.place.end_line).contains(&place.line);
            match last.filter(|&last| is_there(&self.drafts[last].row) && self.drafts[last].row.kind != Kind::Start) {
                Some(last) => {
                    let row = &mut self.drafts[last].row;
                    (row.kind, row.note, row.matters) = (Kind::Wait, Some(note), true);
                }
                None => {
                    let file = (0..self.program.sources.count())
                        .find(|&id| self.program.sources.file(FileId(id)).name == place.file);
                    let line =
                        file.and_then(|id| self.program.sources.file(FileId(id)).text.lines().nth(place.line - 1));
                    let text: String = line
                        .unwrap_or_default()
                        .chars()
                        .skip(place.column - 1)
                        .take(place.end_column - place.column)
                        .collect();
                    let row = Row {
                        thread: *thread,
                        kind: Kind::Wait,
                        place: place.clone(),
                        text,
                        note: Some(note),
                        matters: true,
                        ..Row::default()
                    };
                    let statement = Statement { file: 0, bytes: 0..0, head: 0 };
                    self.drafts.push(Draft { row, statement, micros: Vec::new(), seen: Vec::new(), goes_on: false });
                }
            }
        }
    }

    /// What is known once all rows are there.
    fn finish(&mut self) {
        self.outcomes();
        self.calls();
        self.parts();
        self.waits();
    }

    /// Tests that lead into what is nested in them hold. What a part of a test found does not tell what all of it did.
    fn outcomes(&mut self) {
        for at in 0..self.drafts.len() {
            let row = &mut self.drafts[at].row;
            if row.text.contains("&&") || row.text.contains("||") {
                row.outcome = None;
            }
            let Draft { row, statement, .. } = &self.drafts[at];
            if row.kind != Kind::Test || statement.head == statement.bytes.end {
                continue;
            }
            let next = self.drafts[at + 1..].iter().find(|next| next.row.thread == row.thread);
            let Some(next) = next.filter(|next| next.statement.file == statement.file) else { continue };
            let other = self.texts.and_then(|texts| texts.otherwise(&row.place.file, &statement.bytes));
            let start = next.statement.bytes.start;
            if (statement.head..statement.bytes.end).contains(&start) && next.statement != *statement {
                self.drafts[at].row.outcome = Some(other.is_none_or(|other| start < other));
            }
        }
    }

    /// Rows before and after the statements of a function that they call.
    fn calls(&mut self) {
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        // The calls that a thread is in.
        let mut open: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for at in 0..self.drafts.len() {
            let lane = self.drafts[at].row.thread;
            let before = last.insert(lane, at);
            let Some(before) = before else { continue };
            let (from, to) = (&self.drafts[before], &self.drafts[at]);
            if from.row.function == to.row.function {
                continue;
            }
            let stack = open.entry(lane).or_default();
            let back = stack.iter().rposition(|&call| self.drafts[call].row.function == to.row.function);
            match back {
                Some(depth) => {
                    let call = stack[depth];
                    stack.truncate(depth);
                    if self.drafts[call].statement == self.drafts[at].statement
                        && self.drafts[at].row.kind == Kind::Statement
                    {
                        self.drafts[at].row.kind = Kind::Return;
                    }
                }
                None => {
                    stack.push(before);
                    if self.drafts[before].row.kind == Kind::Statement {
                        self.drafts[before].row.kind = Kind::Call;
                    }
                }
            }
        }
    }

    /// What each part of a statement does that others come between.
    fn parts(&mut self) {
        for at in 0..self.drafts.len() {
            let own = self.drafts[at].row.thread;
            let Some(next) = (at + 1..self.drafts.len()).find(|&next| self.drafts[next].row.thread == own) else {
                continue;
            };
            let is_part = self.drafts[next].goes_on && next > at + 1 && self.drafts[next].row.kind != Kind::Return;
            if !is_part || self.drafts[at].row.kind == Kind::Wait {
                continue;
            }
            let seen: Vec<String> =
                self.drafts[at].seen.iter().map(|seen| format!("{} = {}", seen.name, seen.value)).collect();
            if !seen.is_empty() && self.drafts[at].row.note.is_none() {
                self.drafts[at].row.note = Some(format!("reads {}", seen.join(", ")));
            }
            self.drafts[next].row.note = Some(GOES_ON.to_owned());
        }
    }

    /// Threads that wait, and go on.
    fn waits(&mut self) {
        for at in 0..self.drafts.len() {
            let Row { kind: Kind::Wait, thread, object: Some(object), text, .. } = &self.drafts[at].row else {
                continue;
            };
            let (thread, object) = (*thread, object.clone());
            if !library::waits_for_condition(text) {
                continue;
            }
            let next = (at + 1..self.drafts.len()).find(|&next| self.drafts[next].row.thread == thread);
            let Some(next) = next else { continue };
            let woken = if self.drafts[next].goes_on { next } else { at };
            let signal = (at..next).rev().find(|&row| {
                let Row { thread: other, text, .. } = &self.drafts[row].row;
                let signalled = library::signalled(text).map(|signalled| self.resolved(row, signalled));
                *other != thread && signalled.is_some_and(|signalled| ends_alike(&signalled, &object))
            });
            if woken == next {
                self.drafts[next].row.kind = Kind::Wake;
                self.drafts[next].row.after = signal;
            }
            let told = if signal.is_some() { "wakes up" } else { "wakes up without a signal, as it may" };
            self.drafts[woken].row.note = Some(told.to_owned());
        }
    }
}

/// A statement; calls of a harness as users ask for them, with `*` for what is anything.
fn called(text: &str) -> String {
    let entry = text.strip_prefix("__braid_call(").and_then(|rest| rest.strip_suffix(')'));
    entry.map_or_else(|| text.replace("__braid_any()", "*"), |entry| format!("{entry}(*)"))
}

/// Does a statement test anything in its text? What calls of the library test, such as whether there is memory, is not there.
fn is_test(draft: &Draft) -> bool {
    let Draft { row, statement, .. } = draft;
    statement.head < statement.bytes.end || row.text.contains('?') || row.text.contains("assert")
}

/// Is this the head of a loop?
pub fn is_loop(text: &str) -> bool {
    let word = text.trim_start_matches('(').split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["while", "for", "do"].contains(&word)
}

/// Do two expressions end in the same name? Threads may have different pointers to one object.
fn ends_alike(a: &str, b: &str) -> bool {
    let last = |text: &str| text.rsplit(['.', '>', '&']).next().unwrap_or_default().to_owned();
    last(a) == last(b)
}
