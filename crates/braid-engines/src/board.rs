//! The board where engines that run side by side share what they found: assertions hold whatever the order.
//!
//! Terms do not cross threads; their text does. A reader that cannot make sense of an entry leaves it.

use std::sync::{Arc, Mutex, PoisonError};

/// An assertion, and whose it is.
#[derive(Debug)]
struct Entry {
    author: usize,
    text: Arc<str>,
}

/// A growing list of assertions that several engines read and write.
#[derive(Clone, Debug, Default)]
pub struct Board {
    entries: Arc<Mutex<Vec<Entry>>>,
}

impl Board {
    /// A place at the board for one engine, which does not see its own entries.
    pub fn seat(&self, number: usize) -> Seat {
        Seat { board: self.clone(), number, read: 0 }
    }
}

/// One engine's view of the board.
#[derive(Debug)]
pub struct Seat {
    board: Board,
    number: usize,
    /// How many entries have been read.
    read: usize,
}

impl Seat {
    /// Tells the others.
    pub fn publish(&self, assertions: impl IntoIterator<Item = String>) {
        let mut entries = self.board.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.extend(assertions.into_iter().map(|text| Entry { author: self.number, text: text.into() }));
    }

    /// What the others have told since the last time.
    pub fn news(&mut self) -> Vec<Arc<str>> {
        let entries = self.board.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let news = entries[self.read..].iter().filter(|entry| entry.author != self.number);
        let news = news.map(|entry| entry.text.clone()).collect();
        self.read = entries.len();
        news
    }
}
