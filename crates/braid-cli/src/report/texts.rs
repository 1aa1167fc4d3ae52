//! The texts of a program, or the pieces of them that matter where they are long.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A file of more lines is shown around the places that matter.
const MOST_LINES: usize = 1_500;
/// So many lines before and after such a place.
const AROUND: usize = 25;
/// Longer lines are cut.
const LONGEST: usize = 400;

/// A text, as far as it is shown.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct Source {
    pub file: String,
    pub pieces: Vec<Piece>,
    /// How many lines the file has.
    pub total: usize,
}

/// Lines that follow each other.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The number of the first line, from 1.
    pub first: usize,
    pub lines: Vec<String>,
}

/// Where texts come from: files, or what a test says.
#[derive(Default)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// With the text of a file.
    #[cfg(test)]
    pub fn with(file: &str, text: &str) -> Texts {
        Texts([(file.to_owned(), text.to_owned())].into())
    }

    /// Adds a text that is in no file.
    pub fn add(&mut self, name: &str, text: &str) {
        self.0.insert(name.to_owned(), text.to_owned());
    }

    fn text(&mut self, file: &str) -> Option<&str> {
        if !self.0.contains_key(file) {
            self.0.insert(file.to_owned(), decoded(fs::read(file).ok()?));
        }
        self.0.get(file).map(String::as_str)
    }

    /// A file with what is at lines that matter; none if it cannot be read.
    pub fn source(&mut self, file: &str, matter: &BTreeSet<usize>) -> Option<Source> {
        let lines: Vec<&str> = self.text(file)?.lines().collect();
        let total = lines.len();
        let is_shown = |line: usize| {
            total <= MOST_LINES || matter.range(line.saturating_sub(AROUND)..=line + AROUND).next().is_some()
        };
        let mut pieces: Vec<Piece> = Vec::new();
        for (line, text) in
            lines.iter().enumerate().map(|(at, text)| (at + 1, text)).filter(|(line, _)| is_shown(*line))
        {
            if pieces.last().is_none_or(|last| last.first + last.lines.len() != line) {
                pieces.push(Piece { first: line, lines: Vec::new() });
            }
            let own = pieces.last_mut().expect("there is one now");
            own.lines.push(cut(text));
        }
        Some(Source { file: file.to_owned(), pieces, total })
    }
}

impl Source {
    /// How many lines are shown.
    pub fn shown(&self) -> usize {
        self.pieces.iter().map(|piece| piece.lines.len()).sum()
    }
}

/// Bytes that are no UTF-8 are taken for Latin-1: then each is a character, as columns count.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
}

fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_shown_in_pieces() {
        let text: String = (1..=3000).map(|line| format!("line {line}\n")).collect();
        let shown = |matter: &[usize]| {
            let source = Texts::with("a", &text).source("a", &matter.iter().copied().collect()).expect("it is there");
            assert_eq!(source.total, 3000);
            source.pieces.iter().map(|piece| (piece.first, piece.lines.len())).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[]), []);
        assert_eq!(shown(&[10, 12, 2990]), [(1, 37), (2965, 36)]);
        let short = Texts::with("a", "x\ny\n").source("a", &BTreeSet::new()).expect("it is there");
        assert_eq!(short.shown(), 2);
        assert!(Texts::default().source("/no/such/file", &BTreeSet::new()).is_none());
    }

    #[test]
    fn other_encodings_keep_their_columns() {
        assert_eq!(decoded(b"/* gr\xfc\xdfe */ x".to_vec()), "/* grüße */ x");
        assert_eq!(decoded("grüße".as_bytes().to_vec()), "grüße");
        assert_eq!(cut(&"x".repeat(500)).chars().count(), LONGEST + 1);
    }
}
