//! Functions that wrap one call of the thread library, as `Pthread_mutex_lock(&q->m)` does, which checks the result.
//!
//! People know the call that they wrote: a row of the library's inside such a function gets the text and the place of that call. It
//! stays where it is in the order of all rows, because that is when the lock is taken.

use super::rows::Draft;
use super::{Kind, Place, Row, Spot};

/// A function with more rows than this does something of its own.
const MOST_ROWS: usize = 4;

/// Lets rows inside of wrappers speak as the calls of these, and places where threads wait be those of the calls.
pub fn unwrap(drafts: &mut [Draft], spots: &mut [Spot]) {
    for call in 0..drafts.len() {
        let Row { kind: Kind::Call, thread, function, .. } = &drafts[call].row else { continue };
        let mut own = (call + 1..drafts.len()).filter(|&at| drafts[at].row.thread == *thread).peekable();
        let Some(inner) = own.peek().map(|&first| &drafts[first].row.function).filter(|inner| *inner != function)
        else {
            continue;
        };
        let inside: Vec<usize> = own.take_while(|&at| drafts[at].row.function == *inner).collect();
        let is_library = |row: &Row| !matches!(row.kind, Kind::Statement | Kind::Test | Kind::Call | Kind::Return);
        let of_library: Vec<usize> = inside.iter().copied().filter(|&at| is_library(&drafts[at].row)).collect();
        let same = |at: &usize| drafts[*at].statement == drafts[of_library[0]].statement;
        let is_wrapper = inside.len() <= MOST_ROWS
            && inside.iter().all(|&at| drafts[at].row.kind != Kind::Call)
            && !of_library.is_empty()
            && of_library.iter().all(same);
        if !is_wrapper {
            continue;
        }
        let Row { text, place, function, .. } = drafts[call].row.clone();
        for at in of_library {
            let row = &mut drafts[at].row;
            let is_here = |spot: &&mut Spot| {
                let Place { file, line, .. } = &spot.place;
                spot.thread == row.thread
                    && *file == row.place.file
                    && (row.place.line..=row.place.end_line).contains(line)
            };
            if row.note.is_some() && row.kind == Kind::Wait {
                spots.iter_mut().filter(is_here).for_each(|spot| spot.place.clone_from(&place));
            }
            (row.text, row.place, row.function) = (text.clone(), place.clone(), function.clone());
            row.changes.retain(|change| !change.own);
        }
        for at in std::iter::once(call).chain(inside) {
            let row = &mut drafts[at].row;
            row.matters &= is_library(row);
        }
    }
}
