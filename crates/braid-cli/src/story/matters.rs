//! Which rows a violation needs: a backward slice of the execution.
//!
//! A step matters if it writes a cell that a later step reads that matters, or that the violation itself reads. A test matters if a row that
//! is nested in it matters, or if it could have left by a jump before a later row of its thread that matters. So does the test of a loop that
//! waits for another thread, with all that writes what it looks at: that is how threads make locks of their own. This picks what to show;
//! nothing is claimed by it.

use super::rows::{Draft, is_loop};
use super::steps::Micro;
use super::words::Cell;
use super::{Kind, Lane};
use braid_program::cfa::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Words by which a statement leaves where it stands.
const JUMPS: [&str; 7] = ["return", "break", "continue", "goto", "exit", "abort", "pthread_exit"];

/// What a violation needs directly.
#[derive(Default)]
pub struct Needed {
    /// Steps, by number.
    pub steps: FxHashSet<usize>,
    /// Cells whose value at the end is needed.
    pub cells: Vec<Cell>,
}

/// Marks the rows that matter.
pub fn mark(drafts: &mut [Draft], lanes: &[Lane], micros: &[Micro], needed: Needed, text: &dyn Fn(&Draft) -> String) {
    let mut relevant = Relevant::default();
    needed.cells.iter().for_each(|cell| relevant.add(cell));
    // What no line of the program does, once it has begun, is a part of a check: a walk through memory at the end.
    let shown: BTreeSet<usize> = drafts.iter().flat_map(|draft| draft.micros.iter().copied()).collect();
    let first = shown.first().copied().unwrap_or_default();
    let checks = (first..micros.len()).filter(|number| !shown.contains(number)).map(|number| &micros[number]);
    checks.flat_map(|micro| &micro.reads).for_each(|cell| relevant.add(cell));
    // Rows of each thread that matter and come later.
    let mut later: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    // Writes of other threads that a step that matters has overwritten unseen.
    let mut lost: FxHashSet<usize> = FxHashSet::default();
    let mut writers: FxHashMap<&Cell, FxHashSet<ThreadId>> = FxHashMap::default();
    for (cell, thread) in micros.iter().flat_map(|micro| micro.writes.iter().map(move |cell| (cell, micro.thread))) {
        writers.entry(cell).or_default().insert(thread);
    }
    // What loops look at that wait for other threads.
    let mut protocol: FxHashSet<Cell> = FxHashSet::default();
    for at in (0..drafts.len()).rev() {
        let draft = &drafts[at];
        let lane = draft.row.thread;
        let after = later.get(&lane).map(Vec::as_slice).unwrap_or_default();
        // What leads to the violation from the same row is a test of the violation itself.
        let last = draft.micros.iter().any(|number| needed.steps.contains(number));
        let mut matters = last;
        matters |= draft.row.kind == Kind::Start && started(lanes, at).any(|child| later.contains_key(&child));
        matters |= matches!(draft.row.kind, Kind::Wait | Kind::Wake) && !after.is_empty();
        let awaited = Some(awaited(draft, micros, &writers)).filter(|cells| !after.is_empty() && !cells.is_empty());
        let waits = awaited.is_some();
        protocol.extend(awaited.into_iter().flatten());
        let decides = draft.row.kind == Kind::Test && decides(drafts, at, after, text);
        matters |= waits || decides;
        for &number in draft.micros.iter().rev() {
            let micro = &micros[number];
            if relevant.is_written(micro) {
                lost.extend(overwritten(micros, number));
            }
            if lost.contains(&number)
                || relevant.is_written(micro)
                || needed.steps.contains(&number)
                || waits
                || ((decides || last) && micro.test.is_some())
            {
                matters |= true;
                relevant.read(micro);
            }
        }
        drafts[at].row.matters = matters;
        if matters {
            later.entry(lane).or_default().push(at);
        }
    }
    for draft in drafts.iter_mut() {
        let mut written = draft.micros.iter().flat_map(|&number| &micros[number].writes);
        draft.row.matters |= written.any(|cell| protocol.contains(cell));
    }
    frames(drafts);
    locks(drafts);
    joins(drafts);
    if drafts.iter().all(|draft| !draft.row.matters) {
        drafts.iter_mut().for_each(|draft| draft.row.matters = true);
    }
}

/// What the head of a loop reads that another thread writes.
fn awaited(draft: &Draft, micros: &[Micro], writers: &FxHashMap<&Cell, FxHashSet<ThreadId>>) -> Vec<Cell> {
    if !is_loop(&draft.row.text) {
        return Vec::new();
    }
    let own = draft.micros.iter().map(|&number| &micros[number]);
    let read = own.flat_map(|micro| micro.reads.iter().map(|cell| (cell, micro.thread)));
    let by_others = read.filter(|(cell, thread)| {
        writers.get(cell).is_some_and(|writers| writers.iter().any(|writer| writer != thread))
    });
    by_others.map(|(cell, _)| cell.clone()).collect()
}

/// The last write of another thread to a cell that a step writes, if its thread has read the cell before that write: the write is lost.
fn overwritten(micros: &[Micro], number: usize) -> Option<usize> {
    let micro = &micros[number];
    micro.writes.iter().find_map(|cell| {
        let earlier = micros[..number].iter().enumerate().rev();
        let (at, write) = earlier.clone().find(|(_, other)| other.writes.contains(cell))?;
        let read = earlier.clone().find(|(_, other)| other.thread == micro.thread && other.reads.contains(cell))?.0;
        (write.thread != micro.thread && read < at).then_some(at)
    })
}

fn started(lanes: &[Lane], row: usize) -> impl Iterator<Item = usize> {
    lanes.iter().enumerate().filter(move |(_, lane)| lane.started_by == Some(row)).map(|(number, _)| number)
}

/// Does a test decide whether a later row that matters is reached?
fn decides(drafts: &[Draft], test: usize, after: &[usize], text: &dyn Fn(&Draft) -> String) -> bool {
    let statement = &drafts[test].statement;
    let nested = |&row: &usize| {
        let other = &drafts[row].statement;
        other.file == statement.file && (statement.head..statement.bytes.end).contains(&other.bytes.start)
    };
    if after.iter().any(nested) {
        return true;
    }
    let function = &drafts[test].row.function;
    let same_function = after.iter().any(|&row| drafts[row].row.function == *function);
    same_function && (statement.head == statement.bytes.end || has_jump(&text(&drafts[test])))
}

fn has_jump(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| JUMPS.contains(&word))
}

/// Cells whose values matter.
#[derive(Default)]
struct Relevant(FxHashMap<braid_logic::Var, Vec<Cell>>);

impl Relevant {
    fn add(&mut self, cell: &Cell) {
        let known = self.0.entry(cell.var).or_default();
        if !known.contains(cell) {
            known.push(cell.clone());
        }
    }

    fn is_written(&self, micro: &Micro) -> bool {
        let meets = |cell: &Cell, other: &Cell| cell.at.iter().zip(&other.at).all(|(a, b)| a == b);
        micro
            .writes
            .iter()
            .any(|cell| self.0.get(&cell.var).is_some_and(|known| known.iter().any(|own| meets(own, cell))))
    }

    /// A step that matters: what it writes is not needed from before, and what it reads is.
    fn read(&mut self, micro: &Micro) {
        for cell in &micro.writes {
            if let Some(known) = self.0.get_mut(&cell.var) {
                known.retain(|own| !own.at.starts_with(&cell.at));
            }
        }
        micro.reads.iter().for_each(|cell| self.add(cell));
    }
}

/// Calls matter in which something matters.
fn frames(drafts: &mut [Draft]) {
    for at in 0..drafts.len() {
        if drafts[at].row.kind != Kind::Call {
            continue;
        }
        let (lane, statement) = (drafts[at].row.thread, drafts[at].statement.clone());
        let own = (at + 1..drafts.len()).filter(|&row| drafts[row].row.thread == lane);
        let inside: Vec<usize> = own.take_while(|&row| drafts[row].row.function != drafts[at].row.function).collect();
        if inside.iter().any(|&row| drafts[row].row.matters) {
            drafts[at].row.matters = true;
            let back = inside.last().map_or(at, |&last| last) + 1;
            let mut rest = (back..drafts.len()).filter(|&row| drafts[row].row.thread == lane);
            let returned = rest.next().filter(|&row| drafts[row].statement == statement);
            if let Some(row) = returned.filter(|&row| !drafts[row].row.changes.is_empty()) {
                drafts[row].row.matters = true;
            }
        }
    }
}

/// Locks matter while something that matters is done.
fn locks(drafts: &mut [Draft]) {
    let found: Vec<usize> = (0..drafts.len()).filter(|&at| drafts[at].row.kind == Kind::Lock).collect();
    let mut protecting = Vec::new();
    for at in found {
        let row = &drafts[at].row;
        let own: Vec<usize> = (at + 1..drafts.len()).filter(|&next| drafts[next].row.thread == row.thread).collect();
        let is_end = |&&next: &&usize| drafts[next].row.kind == Kind::Unlock && drafts[next].row.object == row.object;
        let end = own.iter().find(is_end).copied();
        let inside = own.iter().take_while(|&&next| Some(next) != end);
        if inside.clone().any(|&next| drafts[next].row.matters) {
            protecting.extend([Some(at), end].into_iter().flatten());
        }
    }
    protecting.into_iter().for_each(|at| drafts[at].row.matters = true);
}

/// The end of a thread that did something matters to whoever waits for it, and does something later.
fn joins(drafts: &mut [Draft]) {
    for at in 0..drafts.len() {
        let Draft { row, .. } = &drafts[at];
        let Some(other) = row.other.filter(|_| row.kind == Kind::Join) else { continue };
        let did = drafts[..at].iter().any(|draft| draft.row.thread == other && draft.row.matters);
        let does = drafts[at + 1..].iter().any(|draft| draft.row.thread == row.thread && draft.row.matters);
        drafts[at].row.matters |= did && does;
    }
}
