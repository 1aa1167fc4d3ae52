//! C text to tokens. Linear in the text; comments, directives and `__extension__` vanish here.
//!
//! Every token already has its place in the text that the user knows: [`Places`] maps bytes of preprocessed text.

use super::places::Places;
use super::pragmas::Pragmas;
use crate::Diagnostic;
use braid_program::source::Span;

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
const LONG_MARKS: [&str; 22] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=",
];

/// All tokens of a text; what is no token is reported and left out. The last one is [`TokenKind::End`].
pub fn tokens<'t>(text: &'t str, places: &mut Places<'t>, errors: &mut Vec<Diagnostic>) -> Vec<Token<'t>> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        fresh_line: true,
        open_comment: None,
        pragmas: Pragmas::default(),
        rejected: Vec::new(),
    };
    let mut tokens = Vec::with_capacity(text.len() / 5);
    loop {
        lexer.skip_blanks(places);
        let pack = lexer.pragmas.pack;
        errors.append(&mut lexer.rejected);
        let start = lexer.at;
        if start >= text.len() {
            if let Some(comment) = lexer.open_comment {
                errors.push(Diagnostic::new(places.span(comment, comment + 2), "this comment does not end"));
            }
            // People look for what is missing behind what is there.
            let behind = |last: &Token<'_>| Span { start: last.span.end, ..last.span };
            let span = tokens.last().map_or_else(|| places.span(text.len(), text.len()), behind);
            tokens.push(Token { kind: TokenKind::End, text: "", span, pack });
            return tokens;
        }
        lexer.fresh_line = false;
        match lexer.next() {
            Ok(kind) => {
                let token = canonical(&text[start..lexer.at]);
                if token != "__extension__" {
                    tokens.push(Token { kind, text: token, span: places.span(start, lexer.at), pack });
                }
            }
            Err(message) => {
                lexer.at = lexer.at.max(start + 1);
                while !text.is_char_boundary(lexer.at) {
                    lexer.at += 1;
                }
                errors.push(Diagnostic::new(places.span(start, lexer.at), message));
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

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// The next byte to be read.
    at: usize,
    /// Only blanks came since the start of the line: a `#` starts a directive.
    fresh_line: bool,
    /// Where a comment starts that does not end.
    open_comment: Option<usize>,
    pragmas: Pragmas<'t>,
    /// Directives that are not supported.
    rejected: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self, places: &mut Places<'_>) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => {
                    self.at += 1;
                    self.fresh_line = true;
                    places.next_line(self.at);
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 1,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_to_line_end(),
                b'/' if self.peek(1) == b'*' => {
                    let end = self.text[self.at + 2..].find("*/").map(|found| self.at + found + 4);
                    let end = end.unwrap_or_else(|| {
                        self.open_comment = Some(self.at);
                        self.text.len()
                    });
                    for (newline, _) in self.text[self.at..end].match_indices('\n') {
                        places.next_line(self.at + newline + 1);
                    }
                    self.at = end;
                }
                b'#' if self.fresh_line => {
                    let start = self.at;
                    self.skip_to_line_end();
                    let line = &self.text[start..self.at];
                    if let Err(what) = self.pragmas.read(line) {
                        let span = places.span(start, start + line.trim_end().len());
                        self.rejected.push(Diagnostic::new(span, format!("{what} is not supported")));
                    }
                    places.directive(line);
                }
                _ => return,
            }
        }
    }

    fn skip_to_line_end(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |found| self.at + found);
    }

    fn next(&mut self) -> Result<TokenKind, &'static str> {
        let first = self.bytes[self.at];
        match first {
            b'"' | b'\'' => self.quoted(first),
            b'L' | b'u' | b'U' => {
                let prefix = if first == b'u' && self.peek(1) == b'8' { 2 } else { 1 };
                match self.peek(prefix) {
                    quote @ (b'"' | b'\'') => {
                        self.at += prefix;
                        self.quoted(quote)
                    }
                    _ => Ok(self.word()),
                }
            }
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
        let is_hex = self.bytes[start..self.at].starts_with(b"0x") || self.bytes[start..self.at].starts_with(b"0X");
        is_hex && matches!(self.peek(0), b'e' | b'E')
    }

    fn quoted(&mut self, quote: u8) -> Result<TokenKind, &'static str> {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' if self.at + 1 < self.bytes.len() => self.at += 2,
                b'\n' | 0 if self.at >= self.bytes.len() || self.peek(0) == b'\n' => {
                    return Err(if quote == b'"' { "this string does not end" } else { "this character does not end" });
                }
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return Ok(if quote == b'"' { TokenKind::String } else { TokenKind::Char });
                    }
                }
            }
        }
    }

    fn mark(&mut self) -> Result<TokenKind, &'static str> {
        let rest = &self.bytes[self.at..];
        let may_be_long = matches!(rest.get(1), Some(b'=' | b'<' | b'>' | b'-' | b'+' | b'&' | b'|' | b'.'));
        if may_be_long && let Some(long) = LONG_MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes())) {
            self.at += long.len();
            return Ok(TokenKind::Mark);
        }
        if matches!(rest, [b'<', b':' | b'%', ..] | [b':' | b'%', b'>', ..]) {
            self.at += 2;
            return Ok(TokenKind::Mark);
        }
        if b"()[]{};,:?~!+-*/%<>=&|^.".contains(&rest[0]) {
            self.at += 1;
            return Ok(TokenKind::Mark);
        }
        Err("this character has no meaning in C")
    }
}
