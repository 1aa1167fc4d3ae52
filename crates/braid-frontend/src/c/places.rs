//! From bytes of the text that is parsed to places in the texts that the user knows.
//!
//! A `.i` file is its own source. The output of `cc -E` is not: its line markers (`# 12 "file.h" 1`) say which line of
//! which file a line comes from. A token is looked for on that line; if a macro has made it up, the whole line is its place.

use braid_program::source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;

/// The name that `cc` gives to a text that comes through a pipe.
pub const STANDARD_INPUT: &str = "<stdin>";

/// How far a token is looked for on a line, in bytes: lines may be as long as a file.
const SEARCHED: usize = 2_000;

/// The texts that are known already: headers are read once.
#[derive(Default)]
pub struct Known {
    pub sources: Sources,
    files: FxHashMap<String, FileId>,
    starts: Vec<Vec<u32>>,
}

/// Where the bytes of a text come from.
pub struct Places<'t> {
    /// What is parsed.
    pub text: &'t str,
    sources: Sources,
    /// Not where the text is its own source.
    follows_markers: bool,
    files: FxHashMap<String, FileId>,
    /// Byte offsets of the starts of the lines, by file; only where markers are followed.
    starts: Vec<Vec<u32>>,
    /// The line that the tokens come from, counted from 1.
    line: usize,
    file: FileId,
    /// The line of `text` is the original one, byte for byte.
    is_identical: bool,
    is_stale: bool,
    /// Where the current line of `text` starts.
    line_start: usize,
    /// Bytes of the current original line that tokens were already found in.
    searched: usize,
}

impl<'t> Places<'t> {
    /// For a text that is its own source, beside others.
    pub fn identical(mut sources: Sources, name: &str, text: &'t str) -> Places<'t> {
        let file = sources.add(name, text);
        Places { sources, ..Places::within(file, text) }
    }

    /// For a text that is its own source, and is among the sources already.
    pub fn within(file: FileId, text: &'t str) -> Places<'t> {
        let sources = Sources::default();
        let (files, starts, is_identical, is_stale) = (FxHashMap::default(), Vec::new(), false, true);
        let (follows_markers, line, line_start, searched) = (false, 1, 0, 0);
        Places {
            text,
            sources,
            follows_markers,
            files,
            starts,
            line,
            file,
            is_identical,
            is_stale,
            line_start,
            searched,
        }
    }

    /// For the output of the preprocessor on an original text, beside others.
    pub fn preprocessed(known: Known, name: &str, original: &'t str, text: &'t str) -> Places<'t> {
        let Known { sources, mut files, mut starts } = known;
        let places = Places::identical(sources, name, original);
        files.insert(STANDARD_INPUT.to_owned(), places.file);
        starts.resize(places.file.0 as usize, Vec::new());
        starts.push(line_starts(original));
        Places { text, files, starts, follows_markers: true, ..places }
    }

    /// The texts that the places are in.
    pub fn into_known(self) -> Known {
        Known { sources: self.sources, files: self.files, starts: self.starts }
    }

    /// A new line of the text starts at the given byte.
    pub fn next_line(&mut self, start: usize) {
        self.line_start = start;
        self.searched = 0;
        self.line += 1;
        self.is_stale = true;
    }

    /// A directive stands on the current line.
    pub fn directive(&mut self, directive: &str) {
        let words = directive.trim_start_matches('#').trim_start();
        let words = words.strip_prefix("line").unwrap_or(words).trim_start();
        let digits = words.bytes().take_while(u8::is_ascii_digit).count();
        let (true, Ok(line)) = (self.follows_markers, words[..digits].parse::<usize>()) else { return };
        if let Some(name) = words[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) {
            self.file = self.files.get(name).copied().unwrap_or_else(|| {
                let text = std::fs::read_to_string(name).unwrap_or_default();
                self.starts.push(line_starts(&text));
                let file = self.sources.add(name, text);
                self.files.insert(name.to_owned(), file);
                file
            });
        }
        self.line = line.saturating_sub(1);
        self.is_stale = true;
    }

    /// The place of a range of bytes on the current line.
    pub fn span(&mut self, start: usize, end: usize) -> Span {
        let file = self.file;
        if !self.follows_markers {
            return Span { file, start: start as u32, end: end as u32 };
        }
        let text = &self.sources.file(file).text;
        let starts = &self.starts[file.0 as usize];
        let line_at = self.line.saturating_sub(1).min(starts.len() - 1);
        let from = starts[line_at] as usize;
        let to = starts.get(line_at + 1).map_or(text.len(), |&next| next as usize);
        let line = &text[from..to];
        if self.is_stale {
            let shown = self.text[self.line_start..].lines().next().unwrap_or_default();
            self.is_identical = shown.trim_end() == line.trim_end();
            self.is_stale = false;
        }
        let found =
            |at: usize, length: usize| Span { file, start: (from + at) as u32, end: (from + at + length) as u32 };
        if self.is_identical {
            return found(start - self.line_start, end - start);
        }
        let token = &self.text[start..end];
        let most = line.len().min(self.searched + SEARCHED);
        let nearby = (0..=most).rev().find_map(|end| line.get(..end)).unwrap_or_default();
        let again = || if line.len() <= SEARCHED { find_token(line, token, 0) } else { None };
        if let Some(at) = find_token(nearby, token, self.searched).or_else(again) {
            self.searched = at + token.len();
            return found(at, token.len());
        }
        let indent = line.len() - line.trim_start().len();
        found(indent, line.trim().len())
    }
}

/// The first place of a token in a line, from a byte on, where it is not part of a longer word.
fn find_token(line: &str, token: &str, from: usize) -> Option<usize> {
    let is_word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    let (first, last) = (token.as_bytes().first()?, token.as_bytes().last()?);
    let is_cut = |at: usize| {
        let (before, behind) = (&line.as_bytes()[..at], &line.as_bytes()[at + token.len()..]);
        (is_word(first) && before.last().is_some_and(is_word)) || (is_word(last) && behind.first().is_some_and(is_word))
    };
    let mut found = line.get(from..)?.match_indices(token).map(|(at, _)| from + at);
    found.find(|&at| !is_cut(at))
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect()
}
