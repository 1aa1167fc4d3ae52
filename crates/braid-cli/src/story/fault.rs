//! What is wrong with an access or a `free` that fails: the pointer is null, the object is gone, or the place is outside of it.
//!
//! The check that fails reads whether objects are gone, and it reads the pointer, perhaps through temporaries of the same statement. Both say
//! which of the conditions failed. Where they do not, nothing is said: the general sentence stands.

use super::ending::Told;
use super::rows::Rows;
use super::steps::Micro;
use super::words::{Cell, number};
use braid_logic::Value;
use braid_program::State;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, ThreadId, Violation};

impl Told<'_, '_> {
    /// Why an access or a `free` fails, as the end of a sentence.
    pub fn fault(&self, rows: &Rows<'_, '_>) -> Option<String> {
        let Accepted::Violation(thread, _, Violation::Failed(check)) = self.counterexample.replayed().violation else {
            return None;
        };
        if !matches!(check, Check::Deref | Check::Free) {
            return None;
        }
        let state = self.counterexample.replayed().states.last()?;
        let decisive = self.decisive(rows, thread);
        let pointed: Vec<i128> = decisive.iter().filter_map(|cell| self.pointer(cell, state)).collect();
        if let Some(gone) = self.gone(&decisive, &pointed, state) {
            return Some(gone);
        }
        match check {
            Check::Free => None,
            _ if pointed.contains(&0) => Some("the pointer is NULL".to_owned()),
            // With all objects there, a place that is in none of them is outside.
            _ if decisive.is_empty() => None,
            _ => pointed.iter().all(|&address| self.words.at(address, state).is_some()).then(|| {
                let size = pointed.iter().find_map(|&address| self.words.size(address, state));
                size.map_or("out of bounds".to_owned(), |size| format!("out of bounds: there are {size}"))
            }),
        }
    }

    /// The cells that the failing check depends on, as far as the last statement goes.
    fn decisive(&self, rows: &Rows<'_, '_>, thread: ThreadId) -> Vec<Cell> {
        let Some(last) = rows.drafts.iter().rev().find(|draft| Some(draft.row.thread) == rows.lane(thread)) else {
            return Vec::new();
        };
        let mut steps = last.micros.iter().rev().map(|&number| &self.micros[number]);
        let mut cells = steps.next().map(|check| check.reads.clone()).unwrap_or_default();
        for micro in steps {
            if micro.writes.iter().any(|written| cells.iter().any(|cell| cell.var == written.var)) {
                cells.extend(micro.reads.iter().cloned());
            }
        }
        cells
    }

    fn pointer(&self, cell: &Cell, state: &State) -> Option<i128> {
        let value = self.words.is_address(cell.var).then(|| self.words.current(cell, state))??;
        number(&value)
    }

    /// The object that the check finds gone, and who ended it.
    fn gone(&self, decisive: &[Cell], pointed: &[i128], state: &State) -> Option<String> {
        let is_gone = |cell: &&Cell| self.words.current(cell, state) == Some(Value::Bool(true));
        let marks = decisive.iter().filter_map(|cell| Some((cell, self.words.gone(cell.var)?)));
        let marks: Vec<(&Cell, usize)> = marks.filter(|(cell, _)| is_gone(cell)).collect();
        let is_pointed = |object: usize| pointed.iter().any(|&address| self.words.at(address, state) == Some(object));
        let (cell, object) = match marks.as_slice() {
            [only] if pointed.is_empty() => *only,
            several => *several.iter().find(|(_, object)| is_pointed(*object))?,
        };
        let ends = |micro: &&Micro| micro.writes.contains(cell) || micro.writes.contains(&Cell::whole(cell.var));
        let end = self.micros.iter().rev().find(ends)?;
        let line = self.program.sources.position(end.span).line;
        let who = &self.program.thread(end.thread).name;
        Some(match self.words.variable(object) {
            Some(name) => format!("{name} is out of scope"),
            None => format!("the block was freed by {who} at line {line}"),
        })
    }
}
