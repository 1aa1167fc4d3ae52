//! C text to tokens. Linear in the text; comments, directives and `__extension__` vanish here.
//!
//! Every token already has its place in the text that the user knows: [`Places`] maps bytes of preprocessed text.

use super::places::Places;
use super::pragmas::Pragmas;
use crate::Diagnostic;
use braid_program::source::{FileId, Span};
use std::ops::Range;

/// What a token is; which one, its text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// An integer or floating literal, with its suffix.
    Number,
    /// A character literal, with prefix and quotes.
    Char,
    /// A string literal, with prefix and quotes.
    String,
    /// An operator or a separator.
    Mark,
    /// Behind the last token.
    End,
}

/// A token of preprocessed C.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    pub span: Span,
    /// What `#pragma pack` says here; 0: nothing.
    pub pack: u8,
}

/// Operators of several characters, longest first.
const LONG_MARKS: [&str; 26] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "<:", ":>", "<%", "%>",
];

/// All tokens of a text; what is no token is reported and left out. The last one is [`TokenKind::End`].
pub fn tokens<'t>(places: &mut Places<'t>, errors: &mut Vec<Diagnostic>) -> Vec<Token<'t>> {
    let text = places.text;
    let (mut tokens, pack) = tokens_of(places, 0..text.len(), errors);
    // People look for what is missing behind what is there.
    let behind = |last: &Token<'_>| Span { start: last.span.end, ..last.span };
    let span = tokens.last().map_or_else(|| places.span(text.len(), text.len()), behind);
    tokens.push(Token { kind: TokenKind::End, text: "", span, pack });
    tokens
}

/// The tokens of a part of a text that is its own source.
pub fn tokens_within<'t>(
    file: FileId,
    text: &'t str,
    range: Range<usize>,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Token<'t>> {
    tokens_of(&mut Places::within(file, text), range, errors).0
}

/// What stands behind the last token of a text that is its own source.
pub fn end(file: FileId, at: usize) -> Token<'static> {
    let span = Span { file, start: at as u32, end: at as u32 };
    Token { kind: TokenKind::End, text: "", span, pack: 0 }
}

/// The tokens of a part of a text, and what `#pragma pack` says behind it.
fn tokens_of<'t>(places: &mut Places<'t>, range: Range<usize>, errors: &mut Vec<Diagnostic>) -> (Vec<Token<'t>>, u8) {
    let text = places.text;
    let (bytes, pragmas) = (text.as_bytes(), Pragmas::default());
    let mut lexer = Lexer { text, bytes, at: range.start, fresh_line: true, pragmas, places, errors };
    let mut tokens = Vec::with_capacity(range.len() / 5);
    loop {
        lexer.skip_blanks();
        let (pack, start) = (lexer.pragmas.pack, lexer.at);
        if start >= range.end {
            return (tokens, pack);
        }
        lexer.fresh_line = false;
        match lexer.next() {
            Ok(kind) => {
                let token = canonical(&text[start..lexer.at]);
                if token != "__extension__" {
                    tokens.push(Token { kind, text: token, span: lexer.places.span(start, lexer.at), pack });
                }
            }
            Err(message) => {
                lexer.at = lexer.at.max(start + 1);
                while !text.is_char_boundary(lexer.at) {
                    lexer.at += 1;
                }
                lexer.reject(start, lexer.at, message);
            }
        }
    }
}

/// Digraphs are other ways to write brackets.
fn canonical(token: &str) -> &str {
    match token {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        other => other,
    }
}

struct Lexer<'l, 't> {
    text: &'t str,
    bytes: &'t [u8],
    /// The next byte to be read.
    at: usize,
    /// Only blanks came since the start of the line: a `#` starts a directive.
    fresh_line: bool,
    pragmas: Pragmas<'t>,
    places: &'l mut Places<'t>,
    errors: &'l mut Vec<Diagnostic>,
}

impl Lexer<'_, '_> {
    fn reject(&mut self, start: usize, end: usize, message: impl Into<String>) {
        self.errors.push(Diagnostic::new(self.places.span(start, end), message));
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => {
                    self.at += 1;
                    self.fresh_line = true;
                    self.places.next_line(self.at);
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 1,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_to_line_end(),
                b'/' if self.peek(1) == b'*' => {
                    let end = self.text[self.at + 2..].find("*/").map(|found| self.at + found + 4);
                    let end = end.unwrap_or_else(|| {
                        self.reject(self.at, self.at + 2, "this comment does not end");
                        self.text.len()
                    });
                    for (newline, _) in self.text[self.at..end].match_indices('\n') {
                        self.places.next_line(self.at + newline + 1);
                    }
                    self.at = end;
                }
                b'#' if self.fresh_line => {
                    let start = self.at;
                    self.skip_to_line_end();
                    let line = &self.text[start..self.at];
                    if let Err(what) = self.pragmas.read(line) {
                        self.reject(start, start + line.trim_end().len(), format!("{what} is not supported"));
                    }
                    self.places.directive(line);
                }
                _ => return,
            }
        }
    }

    fn skip_to_line_end(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |found| self.at + found);
    }

    fn next(&mut self) -> Result<TokenKind, &'static str> {
        let prefix = match self.peek(0) {
            b'u' if self.peek(1) == b'8' => 2,
            b'L' | b'u' | b'U' => 1,
            _ => 0,
        };
        if let quote @ (b'"' | b'\'') = self.peek(prefix) {
            self.at += prefix;
            return self.quoted(quote);
        }
        match self.peek(0) {
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Ok(self.word()),
            b'0'..=b'9' => Ok(self.number()),
            b'.' if self.peek(1).is_ascii_digit() => Ok(self.number()),
            _ => self.mark(),
        }
    }

    fn word(&mut self) -> TokenKind {
        while matches!(self.peek(0), b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..) {
            self.at += 1;
        }
        TokenKind::Word
    }

    fn number(&mut self) -> TokenKind {
        loop {
            match self.peek(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') && !self.is_hex_e() => self.at += 2,
                b'_' | b'.' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.at += 1,
                _ => return TokenKind::Number,
            }
        }
    }

    /// Whether the `e` at hand is a digit: `0x1e+2` is a sum for people, even if C's preprocessor differs.
    fn is_hex_e(&self) -> bool {
        let start = self.bytes[..self.at].iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        matches!(self.bytes[start..self.at], [b'0', b'x' | b'X', ..]) && matches!(self.peek(0), b'e' | b'E')
    }

    fn quoted(&mut self, quote: u8) -> Result<TokenKind, &'static str> {
        loop {
            self.at += 1;
            match self.bytes.get(self.at) {
                None | Some(b'\n') if quote == b'"' => return Err("this string does not end"),
                None | Some(b'\n') => return Err("this character does not end"),
                Some(b'\\') if self.at + 1 < self.bytes.len() => self.at += 1,
                Some(byte) if *byte == quote => break,
                Some(_) => {}
            }
        }
        self.at += 1;
        Ok(if quote == b'"' { TokenKind::String } else { TokenKind::Char })
    }

    fn mark(&mut self) -> Result<TokenKind, &'static str> {
        let rest = &self.bytes[self.at..];
        let may_be_long = rest.get(1).is_some_and(|second| b"=<>-+&|.:%".contains(second));
        let long = LONG_MARKS.iter().find(|mark| may_be_long && rest.starts_with(mark.as_bytes()));
        self.at += match long {
            Some(long) => long.len(),
            None if b"()[]{};,:?~!+-*/%<>=&|^.".contains(&rest[0]) => 1,
            None => return Err("this character has no meaning in C"),
        };
        Ok(TokenKind::Mark)
    }
}
