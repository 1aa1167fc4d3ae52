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

/// Where the bytes of a text come from.
pub struct Places<'t> {
    text: &'t str,
    sources: Sources,
    /// The text itself, where it is its own source.
    own: FileId,
    /// Absent where the text is its own source.
    lines: Option<Lines>,
    /// Where the current line of `text` starts.
    line_start: usize,
    /// Bytes of the current original line that tokens were already found in.
    searched: usize,
}

/// The line that the tokens come from, by the markers.
struct Lines {
    files: FxHashMap<String, FileId>,
    /// Byte offsets of the starts of the lines, by file.
    starts: Vec<Vec<u32>>,
    file: FileId,
    /// Counted from 1.
    line: usize,
    /// The line of `text` is the original one, byte for byte.
    is_identical: bool,
    is_stale: bool,
}

impl<'t> Places<'t> {
    /// For a text that is its own source.
    pub fn identical(name: &str, text: &'t str) -> Places<'t> {
        Places::beside(Sources::default(), name, text)
    }

    /// The same, beside other texts.
    pub fn beside(mut sources: Sources, name: &str, text: &'t str) -> Places<'t> {
        let own = sources.add(name, text);
        Places { text, sources, own, lines: None, line_start: 0, searched: 0 }
    }

    /// For the output of the preprocessor on an original text.
    pub fn preprocessed(name: &str, original: &str, text: &'t str) -> Places<'t> {
        let mut sources = Sources::default();
        let file = sources.add(name, original);
        let lines = Lines {
            files: FxHashMap::from_iter([(STANDARD_INPUT.to_owned(), file)]),
            starts: vec![line_starts(original)],
            file,
            line: 1,
            is_identical: false,
            is_stale: true,
        };
        Places { text, sources, own: file, lines: Some(lines), line_start: 0, searched: 0 }
    }

    /// The texts that the places are in.
    pub fn into_sources(self) -> Sources {
        self.sources
    }

    /// A new line of the text starts at the given byte.
    pub fn next_line(&mut self, start: usize) {
        self.line_start = start;
        self.searched = 0;
        if let Some(lines) = &mut self.lines {
            lines.line += 1;
            lines.is_stale = true;
        }
    }

    /// A directive stands on the current line.
    pub fn directive(&mut self, directive: &str) {
        let Some(lines) = &mut self.lines else { return };
        let words = directive.trim_start_matches('#').trim_start();
        let words = words.strip_prefix("line").unwrap_or(words).trim_start();
        let digits = words.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(line) = words[..digits].parse::<usize>() else { return };
        if let Some(name) = words[digits..].trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) {
            lines.file = match lines.files.get(name) {
                Some(&file) => file,
                None => {
                    let text = std::fs::read_to_string(name).unwrap_or_default();
                    lines.starts.push(line_starts(&text));
                    let file = self.sources.add(name, text);
                    lines.files.insert(name.to_owned(), file);
                    file
                }
            };
        }
        lines.line = line.saturating_sub(1);
        lines.is_stale = true;
    }

    /// The place of a range of bytes on the current line.
    pub fn span(&mut self, start: usize, end: usize) -> Span {
        let Some(lines) = &mut self.lines else {
            return Span { file: self.own, start: start as u32, end: end as u32 };
        };
        let text = &self.sources.file(lines.file).text;
        let starts = &lines.starts[lines.file.0 as usize];
        let line_at = lines.line.saturating_sub(1).min(starts.len() - 1);
        let from = starts[line_at] as usize;
        let to = starts.get(line_at + 1).map_or(text.len(), |&next| next as usize);
        let line = &text[from..to];
        if lines.is_stale {
            let rest = &self.text[self.line_start..];
            let shown = &rest[..rest.find('\n').unwrap_or(rest.len())];
            lines.is_identical = shown.trim_end() == line.trim_end();
            lines.is_stale = false;
        }
        let found = |at: usize, length: usize| Span {
            file: lines.file,
            start: (from + at) as u32,
            end: (from + at + length) as u32,
        };
        if lines.is_identical {
            return found(start - self.line_start, end - start);
        }
        let token = &self.text[start..end];
        let is_short = line.len() <= SEARCHED;
        let nearby = clipped(line, self.searched + SEARCHED);
        let again = || if is_short { find_token(line, token, 0) } else { None };
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
    if token.is_empty() {
        return None;
    }
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let bytes = line.as_bytes();
    let mut from = from;
    while let Some(found) = line.get(from..)?.find(token) {
        let (at, end) = (from + found, from + found + token.len());
        let is_cut_left = is_word(token.as_bytes()[0]) && at > 0 && is_word(bytes[at - 1]);
        let is_cut_right =
            is_word(token.as_bytes()[token.len() - 1]) && bytes.get(end).is_some_and(|&byte| is_word(byte));
        if !is_cut_left && !is_cut_right {
            return Some(at);
        }
        from = end;
    }
    None
}

/// The start of a line, of at most so many bytes.
fn clipped(line: &str, most: usize) -> &str {
    let end = (0..=most.min(line.len())).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
    &line[..end]
}

fn line_starts(text: &str) -> Vec<u32> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect()
}
