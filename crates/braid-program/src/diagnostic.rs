//! What is wrong with an input, where, and what to do about it.
//!
//! A [`Diagnostic`] is a value with a span; [`Diagnostics`] carries the texts that the spans point into, so it can be shown
//! without anything else: `file:line:col: error: …`, the source line, carets under the exact columns, and a hint.

use crate::source::{Sources, Span};
use std::fmt;

/// How many columns of a long source line are shown.
const WINDOW: usize = 100;
/// How many columns of a long line are shown to the left of the caret.
const LEFT_CONTEXT: usize = 40;
/// What is said of things that Braid does not do.
const UNSUPPORTED: &str = " is not supported";
/// What a tab is shown as.
const TAB: &str = "    ";

/// One thing that is wrong with the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What to point at.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<Hint>,
}

/// What to do about it. Which option asks for it is the command line's business.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hint {
    /// In words.
    Words(String),
    /// Integers have to be bit vectors.
    BitVectors,
    /// If the function of this name writes nothing, that can be said.
    Pure(String),
    /// The functions of a library need somebody who calls them.
    Caller,
}

impl<S: Into<String>> From<S> for Hint {
    fn from(words: S) -> Hint {
        Hint::Words(words.into())
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::Words(words) => f.write_str(words),
            Hint::BitVectors => f.write_str("take integers as bit vectors"),
            Hint::Pure(_) => f.write_str("if it writes nothing, say so"),
            Hint::Caller => f.write_str("for a library, say what calls its functions"),
        }
    }
}

impl Diagnostic {
    /// A diagnostic without a hint.
    pub fn new(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span, message: message.into(), hint: None }
    }

    /// Something that Braid does not do.
    pub fn unsupported(span: Span, what: &str) -> Diagnostic {
        Diagnostic::new(span, format!("{what}{UNSUPPORTED}"))
    }

    /// What is not supported, if that is all that is wrong.
    pub fn what_is_unsupported(&self) -> Option<&str> {
        self.message.strip_suffix(UNSUPPORTED)
    }

    /// The same with a hint.
    pub fn hint(self, hint: impl Into<Hint>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The diagnostic as people read it, over several lines; ends with a line break.
    pub fn render(&self, sources: &Sources) -> String {
        let place = sources.position(self.span);
        let file = &sources.file(self.span.file).name;
        let mut out = format!("{file}:{}:{}: error: {}\n", place.line, place.column, self.message);
        let (line, carets) =
            excerpt(sources.line(self.span), place.column, self.span.end.saturating_sub(self.span.start));
        if !line.trim().is_empty() {
            out.push_str(&format!("  {line}\n  {carets}\n"));
        }
        if let Some(hint) = &self.hint {
            out.push_str(&format!("hint: {hint}\n"));
        }
        out
    }
}

/// Everything that is wrong with an input, first things first; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostics {
    /// The texts that the spans point into.
    pub sources: Sources,
    /// What is wrong, sorted by place.
    pub errors: Vec<Diagnostic>,
}

impl Diagnostics {
    /// One error about a text as a whole.
    pub fn of_text(name: &str, text: &str, message: String) -> Diagnostics {
        Diagnostics::one(name, text, Diagnostic::new(Span::default(), message))
    }

    /// One error in a text.
    pub fn one(name: &str, text: &str, error: Diagnostic) -> Diagnostics {
        let mut sources = Sources::default();
        sources.add(name, text);
        Diagnostics { sources, errors: vec![error] }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.errors.iter().try_for_each(|error| f.write_str(&error.render(&self.sources)))
    }
}

impl std::error::Error for Diagnostics {}

/// A character as it is shown, and how many columns of a terminal it takes.
fn shown(c: char) -> (String, usize) {
    match c {
        '\t' => (TAB.to_owned(), TAB.len()),
        c if crate::latin::byte(c).is_some() => (crate::latin::byte(c).map_or('?', char::from).to_string(), 1),
        c if c.is_control() => ("\u{fffd}".to_owned(), 1),
        c => (c.to_string(), columns(c)),
    }
}

/// The columns that a character takes: combining marks none, East Asian wide characters and pictographs two.
fn columns(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The part of a line around a column (counted from 1 in characters), and the carets that go below it.
fn excerpt(line: &str, column: usize, bytes: u32) -> (String, String) {
    let at = column - 1;
    let marked = marked_characters(line, at, bytes as usize);
    let is_long = line.chars().nth(WINDOW).is_some();
    let first = if is_long { at.saturating_sub(LEFT_CONTEXT) } else { 0 };
    let visible: Vec<(String, usize)> = line.chars().skip(first).take(WINDOW).map(shown).collect();
    let cut_left = if first > 0 { "…" } else { "" };
    let cut_right = if line.chars().nth(first + WINDOW).is_some() { "…" } else { "" };
    let text: String = visible.iter().map(|(text, _)| text.as_str()).collect();
    let width = |from: usize, to: usize| visible.iter().take(to).skip(from).map(|(_, width)| width).sum::<usize>();
    let indent = cut_left.chars().count() + width(0, at - first);
    let carets = width(at - first, at - first + marked).max(1);
    (format!("{cut_left}{}{cut_right}", text.trim_end()), " ".repeat(indent) + &"^".repeat(carets))
}

/// How many characters of the line the span covers, from the character at `at`.
fn marked_characters(line: &str, at: usize, bytes: usize) -> usize {
    let mut rest = bytes;
    let covered = line.chars().skip(at).take_while(|c| {
        let inside = rest > 0;
        rest = rest.saturating_sub(c.len_utf8());
        inside
    });
    covered.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, start: u32, end: u32, expected: Expect) {
        let mut sources = Sources::default();
        let file = sources.add("a.wvr", text);
        let error = Diagnostic::new(Span { file, start, end }, "no").hint("yes");
        expected.assert_eq(&error.render(&sources));
    }

    #[test]
    fn carets_stand_under_the_exact_columns() {
        check(
            "(seq)\n(set! x yy)\n",
            14,
            16,
            expect![[r#"
                a.wvr:2:9: error: no
                  (set! x yy)
                          ^^
                hint: yes
            "#]],
        );
    }

    #[test]
    fn tabs_become_spaces() {
        check(
            "\t(a\tb)",
            4,
            5,
            expect![[r#"
                a.wvr:1:5: error: no
                      (a    b)
                            ^
                hint: yes
            "#]],
        );
    }

    #[test]
    fn columns_count_characters_and_carets_count_cells() {
        check(
            "|äé漢| zz",
            10,
            12,
            expect![[r#"
                a.wvr:1:7: error: no
                  |äé漢| zz
                         ^^
                hint: yes
            "#]],
        );
    }

    #[test]
    fn a_span_over_several_lines_is_marked_to_the_end_of_its_first() {
        check(
            "(a\n b)\n",
            0,
            6,
            expect![[r#"
                a.wvr:1:1: error: no
                  (a
                  ^^
                hint: yes
            "#]],
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let text = "0123456789".repeat(30);
        check(
            &text,
            150,
            152,
            expect![[r#"
                a.wvr:1:151: error: no
                  …0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789…
                                                           ^^
                hint: yes
            "#]],
        );
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        check(
            "(a",
            2,
            2,
            expect![[r#"
                a.wvr:1:3: error: no
                  (a
                    ^
                hint: yes
            "#]],
        );
        check(
            "",
            0,
            0,
            expect![[r#"
                a.wvr:1:1: error: no
                hint: yes
            "#]],
        );
    }
}
