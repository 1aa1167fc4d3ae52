//! From bytes of the text that is parsed to places in the texts that the user knows.
//!
//! A `.i` file is its own source. The output of `cc -E` is not: its line markers (`# 12 "file.h" 1`) say which line of
//! which file a piece of text comes from; one line may come in several pieces. Pieces are aligned with their line
//! ([`Alignment`](super::align::Alignment)). What a macro has made up is where the macro is called.

use super::align::{self, Alignment};
use super::preprocess;
use braid_program::source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The name that `cc` gives to a text that comes through a pipe.
pub const STANDARD_INPUT: &str = "<stdin>";

/// The mark on pieces that come from system headers, or from their macros.
const SYSTEM: &str = "3";

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
    /// How far pieces of an original line have been found in it.
    progress: Progress,
    /// Does the current piece come from a macro of a system header?
    is_made_up: bool,
    /// The current piece and its line.
    aligned: Option<Alignment>,
}

/// How far pieces of an original line have been found in it.
#[derive(Clone, PartialEq, Eq, Default)]
struct Progress {
    file: FileId,
    line: usize,
    /// In bytes.
    found: usize,
    /// The last call of a macro.
    called: Range<usize>,
    /// Is its end still to come?
    is_open: bool,
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
        let (follows_markers, line, line_start) = (false, 1, 0);
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
            progress: Progress::default(),
            is_made_up: false,
            aligned: None,
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
        self.line += 1;
        self.is_stale = true;
    }

    /// A directive stands on the current line.
    pub fn directive(&mut self, directive: &str) {
        let words = directive.trim_start_matches('#').trim_start();
        let words = words.strip_prefix("line").unwrap_or(words).trim_start();
        let digits = words.bytes().take_while(u8::is_ascii_digit).count();
        let (true, Ok(line)) = (self.follows_markers, words[..digits].parse::<usize>()) else { return };
        let is_system = words.rsplit('"').next().is_some_and(|flags| flags.split(' ').any(|flag| flag == SYSTEM));
        if let Some(name) = words[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) {
            self.file = self.files.get(name).copied().unwrap_or_else(|| {
                let read = || std::fs::read_to_string(name).unwrap_or_default();
                let text = preprocess::built_in(name).map_or_else(read, str::to_owned);
                self.starts.push(line_starts(&text));
                let file = self.sources.add(name, text);
                if is_system {
                    self.sources.mark_system(file);
                }
                self.files.insert(name.to_owned(), file);
                file
            });
        }
        self.line = line.saturating_sub(1);
        self.is_made_up = is_system;
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
        // A line can be long: it is looked at once, not for each of its tokens.
        let (whole, line_start) = (self.text, self.line_start);
        let piece = || whole[line_start..].lines().next().unwrap_or_default();
        if self.is_stale {
            self.is_identical = piece().trim_end() == line.trim_end();
            self.is_stale = false;
            self.aligned = None;
        }
        let found = |at: Range<usize>| Span { file, start: (from + at.start) as u32, end: (from + at.end) as u32 };
        if self.is_identical {
            return found(start - self.line_start..end - self.line_start);
        }
        if (self.progress.file, self.progress.line) != (file, self.line) {
            let indent = line.len() - line.trim_start().len();
            let called = indent..(indent + line.trim().len());
            self.progress = Progress { file, line: self.line, found: 0, called, is_open: false };
        }
        if self.aligned.is_none() {
            let progress = &mut self.progress;
            if self.is_made_up && !progress.is_open {
                // It stands for what comes next, if that is a name.
                let rest = line.get(progress.found..).unwrap_or_default();
                let next = align::tokens(rest);
                let is_name = next.first().is_some_and(|token| align::starts_name(&rest[token.clone()]));
                if let Some(call) = align::instead(rest, &next).filter(|_| is_name) {
                    progress.called = progress.found + call.start..progress.found + call.end;
                    progress.is_open = true;
                }
            }
            let piece = if self.is_made_up { "" } else { piece() };
            let called = progress.called.clone();
            let aligned = Alignment::new(piece, line, progress.found, &called);
            // A macro may have its argument more than once.
            let again = (progress.is_open && aligned.end == progress.found)
                .then(|| Alignment::new(piece, &line[..called.end], called.start, &called))
                .filter(|again| again.end > called.start);
            if again.is_none() {
                progress.found = aligned.end;
                progress.is_open &= progress.found < called.end;
            }
            self.aligned = Some(again.unwrap_or(aligned));
        }
        let place =
            self.aligned.as_ref().and_then(|aligned| aligned.place(start - self.line_start..end - self.line_start));
        found(place.unwrap_or_else(|| self.progress.called.clone()))
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect()
}
