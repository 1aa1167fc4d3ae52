//! Source files and places in them. Spans travel from the text through every program form to the outcome.

/// A file of the program, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A range of bytes in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

impl Span {
    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The name that the user knows it by.
    pub name: String,
    /// Its whole text.
    pub text: String,
    /// Does it come with the compiler, or with a library of the system?
    pub system: bool,
}

/// A place as people write it, counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// The source files of a program, indexed by [`FileId`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile { name: name.into(), text: text.into(), system: false });
        FileId(self.files.len() as u32 - 1)
    }

    /// Notes that a file is none of the program's own.
    pub fn mark_system(&mut self, id: FileId) {
        self.files[id.0 as usize].system = true;
    }

    /// How many files there are.
    pub fn count(&self) -> u32 {
        self.files.len() as u32
    }

    /// Adds the files of others; spans into them move by the given number of files.
    pub fn append(&mut self, others: &Sources) -> u32 {
        let moved = self.files.len() as u32;
        self.files.extend(others.files.iter().cloned());
        moved
    }

    /// The file of a number that [`Sources::add`] gave.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Where a span starts.
    pub fn position(&self, span: Span) -> Position {
        let text = &self.file(span.file).text;
        let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Position { line, column }
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of a span on one line, with white space folded and long text cut.
    pub fn excerpt(&self, span: Span, limit: usize) -> String {
        let folded = self.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        if folded.chars().count() <= limit {
            return folded;
        }
        folded.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
    }

    /// The whole line that a span starts on, without its end.
    pub fn line(&self, span: Span) -> &str {
        let number = self.position(span).line;
        self.file(span.file).text.lines().nth(number - 1).unwrap_or("")
    }
}
