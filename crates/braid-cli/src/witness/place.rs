//! Places in the files of a C program, as witnesses name them: statements with lines, columns, offsets and functions.

use super::outline::Outline;
use braid_program::source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A statement or an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// The function that it stands in.
    pub function: String,
    pub bytes: Range<usize>,
    /// The same in characters, without nested statements.
    pub characters: Range<usize>,
    pub first: LineColumn,
    /// The last character, without nested statements.
    pub last: LineColumn,
}

/// A character of a text, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    pub line: usize,
    pub column: usize,
}

/// The texts of a program, with what is where.
pub struct Texts<'a> {
    sources: &'a Sources,
    /// The user's own files, each with its outline.
    outlines: FxHashMap<FileId, Outline>,
}

impl<'a> Texts<'a> {
    /// The outlines of the files with these names.
    pub fn new(sources: &'a Sources, files: &[String]) -> Texts<'a> {
        Texts::of(sources, |id| files.contains(&sources.file(id).name))
    }

    /// The outlines of all files that are the program's own, headers included: neither the system's, nor from the first of the prelude on.
    pub fn own(sources: &'a Sources, prelude: FileId) -> Texts<'a> {
        Texts::of(sources, |id| id < prelude && !sources.file(id).system)
    }

    fn of(sources: &'a Sources, is_wanted: impl Fn(FileId) -> bool) -> Texts<'a> {
        let all = (0..sources.count()).map(FileId).filter(|&id| is_wanted(id));
        let outlines = all.map(|id| (id, Outline::new(&sources.file(id).text))).collect();
        Texts { sources, outlines }
    }

    /// The statement that a span starts in; none outside of functions and of the user's files.
    pub fn statement(&self, span: Span) -> Option<Place> {
        let statement = self.outlines.get(&span.file)?.statement(span.start as usize)?;
        self.place(span.file, statement.bytes.clone(), statement.head)
    }

    /// Where that statement ends without the statements that are nested in it.
    pub fn head(&self, span: Span) -> Option<usize> {
        Some(self.outlines.get(&span.file)?.statement(span.start as usize)?.head)
    }

    /// Where the `else` of a statement of a file begins.
    pub fn otherwise(&self, file: &str, bytes: &Range<usize>) -> Option<usize> {
        let outline = self.outlines.iter().find(|(id, _)| self.sources.file(**id).name == file)?.1;
        outline.statements.iter().find(|statement| statement.bytes == *bytes)?.otherwise
    }

    /// The call that begins an atomic section, if the first statement of the section is at a span.
    pub fn section(&self, span: Span) -> Option<Span> {
        let (outline, text) = (self.outlines.get(&span.file)?, &self.sources.file(span.file).text);
        let start = outline.statement(span.start as usize)?.bytes.start;
        let earlier = outline.statements.iter().filter(|other| other.bytes.end <= start);
        let before = earlier.max_by_key(|other| other.bytes.end)?.bytes.clone();
        let name = text.get(before.clone())?.split('(').next()?;
        let begins = name.trim_end().ends_with("_atomic_begin");
        begins.then_some(Span { file: span.file, start: before.start as u32, end: before.end as u32 })
    }

    /// The same, but where the statement is the first one of an atomic section, the call that begins the section: who stands there has
    /// not begun it. None if it is not known where the section begins.
    pub fn outside_of_sections(&self, span: Span, is_alone: bool) -> Option<Place> {
        let place = self.statement(span)?;
        match self.section(span) {
            Some(begin) => self.statement(begin),
            None => Some(place).filter(|place| is_alone && !place.function.starts_with("__VERIFIER_atomic_")),
        }
    }

    /// Is a place a loop?
    pub fn is_loop(&self, place: &Place) -> bool {
        let outline = self.outlines.iter().find(|(id, _)| self.sources.file(**id).name == place.file);
        let mut statements = outline.into_iter().flat_map(|(_, outline)| &outline.statements);
        statements.any(|statement| statement.bytes == place.bytes && statement.is_loop)
    }

    /// All loops with a test at their beginning.
    pub fn loops(&self) -> Vec<Place> {
        let mut found = Vec::new();
        for (&file, outline) in &self.outlines {
            let text = &self.sources.file(file).text;
            let is_do = |start: usize| text[start..].starts_with("do");
            let loops = outline.statements.iter().filter(|known| known.is_loop && !is_do(known.bytes.start));
            found.extend(loops.filter_map(|known| self.place(file, known.bytes.clone(), known.head)));
        }
        found.sort_by_key(|place| (place.file.clone(), place.bytes.start));
        found
    }

    /// The place of a span itself.
    pub fn exactly(&self, span: Span) -> Option<Place> {
        self.place(span.file, span.start as usize..span.end as usize, span.end as usize)
    }

    fn place(&self, file: FileId, bytes: Range<usize>, head: usize) -> Option<Place> {
        let function = self.outlines.get(&file)?.function(bytes.start)?.name.clone();
        let text = &self.sources.file(file).text;
        let before = text.get(..bytes.start)?.chars().count();
        let length = text.get(bytes.start..head)?.chars().count();
        let at = |byte: usize| {
            let position = self.sources.position(Span { file, start: byte as u32, end: byte as u32 });
            LineColumn { line: position.line, column: position.column }
        };
        Some(Place {
            file: self.sources.file(file).name.clone(),
            function,
            characters: before..before + length,
            first: at(bytes.start),
            last: at(head.saturating_sub(1).max(bytes.start)),
            bytes,
        })
    }

    /// The text of a place.
    pub fn text(&self, place: &Place) -> &'a str {
        let file = (0..self.sources.count()).map(FileId).find(|&id| self.sources.file(id).name == place.file);
        file.and_then(|id| self.sources.file(id).text.get(place.bytes.clone())).unwrap_or_default()
    }
}
