//! S-expressions with byte positions: what SMT-LIB terms, `.wvr` programs and certificates are written in.
//!
//! Reading and dropping use no recursion, and nesting is limited to [`MAX_NESTING`] levels, so that readers of the
//! result may recurse. Whatever the input, the answer is a list of expressions or one error with its place.

use std::fmt;

/// How deep parentheses may nest.
pub const MAX_NESTING: usize = 1_000;

/// A piece of the text: bytes `start .. end`, on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

/// What is wrong with a text, where, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The place.
    pub span: Span,
    /// What is wrong there.
    pub message: String,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
}

impl TextError {
    /// An error without a hint.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        TextError { span, message: message.into(), hint: None }
    }

    /// The same error with a hint.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        TextError { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.span.start, self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

impl std::error::Error for TextError {}

/// The lexical class of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomKind {
    /// A plain symbol, such as `x@3`, `<=` or `-1`.
    Symbol,
    /// `|any text without a bar|`.
    QuotedSymbol,
    /// Decimal digits.
    Numeral,
    /// Decimal digits with a point.
    Decimal,
    /// `#x` and hexadecimal digits.
    Hex,
    /// `#b` and binary digits.
    Binary,
    /// `"any text"`, where `""` stands for one quotation mark.
    String,
    /// `:name`.
    Keyword,
}

/// An expression without parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The text without bars, quotation marks, `#x`, `#b` or the keyword's colon; doubled quotation marks are single.
    pub text: Box<str>,
    /// The lexical class.
    pub kind: AtomKind,
}

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr {
    /// A symbol, a number, a string, a keyword.
    Atom(Atom, Span),
    /// A parenthesised list.
    List(Vec<Sexpr>, Span),
}

impl Sexpr {
    /// Where it stands, its parentheses or bars included.
    pub fn span(&self) -> Span {
        match self {
            Sexpr::Atom(_, span) | Sexpr::List(_, span) => *span,
        }
    }

    /// The items, if this is a list.
    pub fn as_list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items, _) => Some(items),
            Sexpr::Atom(..) => None,
        }
    }

    /// The text, if this is an atom of the given kind.
    pub fn as_atom(&self, kind: AtomKind) -> Option<&str> {
        match self {
            Sexpr::Atom(atom, _) if atom.kind == kind => Some(&atom.text),
            _ => None,
        }
    }

    /// The text, if this is a plain symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        self.as_atom(AtomKind::Symbol)
    }
}

impl Drop for Sexpr {
    fn drop(&mut self) {
        let Sexpr::List(items, _) = self else { return };
        let mut open = std::mem::take(items);
        while let Some(mut item) = open.pop() {
            if let Sexpr::List(inner, _) = &mut item {
                open.append(inner);
            }
        }
    }
}

/// Reads all expressions of a text.
pub fn read_all(text: &str) -> Result<Vec<Sexpr>, TextError> {
    let mut reader = Reader { text, at: 0 };
    let mut done = Vec::new();
    // The lists that are open: where each began, and the items of the list around it.
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    while let Some(byte) = reader.skip_blanks() {
        let start = reader.at;
        match byte {
            b'(' => {
                if open.len() == MAX_NESTING {
                    return Err(TextError::new(Span { start, end: start + 1 }, "nested deeper than 1,000 levels")
                        .with_hint("take it apart into smaller pieces"));
                }
                open.push((start, std::mem::take(&mut done)));
                reader.at += 1;
            }
            b')' => {
                reader.at += 1;
                let Some((start, outer)) = open.pop() else {
                    return Err(TextError::new(Span { start, end: start + 1 }, "`)` closes nothing")
                        .with_hint("remove it, or add the `(` that is missing before it"));
                };
                let items = std::mem::replace(&mut done, outer);
                done.push(Sexpr::List(items, Span { start, end: reader.at }));
            }
            _ => {
                let atom = reader.atom(byte)?;
                done.push(Sexpr::Atom(atom, Span { start, end: reader.at }));
            }
        }
    }
    match open.pop() {
        Some((start, _)) => {
            Err(TextError::new(Span { start, end: start + 1 }, "`(` is never closed").with_hint("add a `)`"))
        }
        None => Ok(done),
    }
}

/// May a plain symbol contain this? (It may start with it unless it is a digit.)
pub(crate) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-/*=%?!.$_~&^<>@".contains(&byte)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over blanks and comments, to the next byte that means something.
    fn skip_blanks(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        let mut comment = false;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => comment = false,
                b' ' | b'\t' => {}
                b';' => comment = true,
                _ if comment => {}
                _ => return Some(byte),
            }
            self.at += 1;
        }
        None
    }

    /// The error that the character here is not what may stand here.
    fn unexpected(&self, message: &str) -> TextError {
        let start = self.at.min(self.text.len());
        let end = start + self.text[start..].chars().next().map_or(0, char::len_utf8);
        TextError::new(Span { start, end }, message)
    }

    /// Passes over the bytes that `belongs` accepts, and gives them.
    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// As `run`, for one or more digits of a number that ends there.
    fn digits(&mut self, belongs: impl Fn(u8) -> bool, what: &str) -> Result<Box<str>, TextError> {
        let digits: Box<str> = self.run(belongs).into();
        if digits.is_empty() || self.peek().is_some_and(is_symbol_byte) {
            return Err(self.unexpected(what));
        }
        Ok(digits)
    }

    fn atom(&mut self, first: u8) -> Result<Atom, TextError> {
        let (text, kind) = match first {
            b'0'..=b'9' => {
                let start = self.at;
                self.run(|byte| byte.is_ascii_digit());
                let mut kind = AtomKind::Numeral;
                if self.peek() == Some(b'.') {
                    self.at += 1;
                    self.digits(|byte| byte.is_ascii_digit(), "a decimal number goes on with digits")?;
                    kind = AtomKind::Decimal;
                } else if self.peek().is_some_and(is_symbol_byte) {
                    return Err(self
                        .unexpected("a number does not go on like this")
                        .with_hint("names do not start with a digit; between a number and a name there is a space"));
                }
                (self.text[start..self.at].into(), kind)
            }
            b'#' => {
                self.at += 1;
                let radix = self.peek();
                self.at += 1;
                match radix {
                    Some(b'x') => {
                        (self.digits(|byte| byte.is_ascii_hexdigit(), "expected a hexadecimal digit")?, AtomKind::Hex)
                    }
                    Some(b'b') => {
                        (self.digits(|byte| matches!(byte, b'0' | b'1'), "expected 0 or 1")?, AtomKind::Binary)
                    }
                    _ => {
                        self.at -= 2;
                        return Err(self
                            .unexpected("`#` starts no number here")
                            .with_hint("write `#x` and hexadecimal digits, or `#b` and binary digits"));
                    }
                }
            }
            b'|' => (self.delimited('|', "a symbol in bars")?.into(), AtomKind::QuotedSymbol),
            b'"' => (self.string()?, AtomKind::String),
            b':' => {
                self.at += 1;
                let name: Box<str> = self.run(is_symbol_byte).into();
                if name.is_empty() {
                    return Err(self.unexpected("expected a name after `:`"));
                }
                (name, AtomKind::Keyword)
            }
            _ if is_symbol_byte(first) => (self.run(is_symbol_byte).into(), AtomKind::Symbol),
            _ => {
                return Err(self.unexpected("this character cannot stand here").with_hint(
                    "names with other characters than letters, digits and signs stand in bars: |like this|",
                ));
            }
        };
        Ok(Atom { text, kind })
    }

    /// The text between here and the next `delimiter`.
    fn delimited(&mut self, delimiter: char, what: &str) -> Result<&str, TextError> {
        let start = self.at + 1;
        match self.text[start..].find(delimiter) {
            Some(length) => {
                self.at = start + length + 1;
                Ok(&self.text[start..start + length])
            }
            None => {
                Err(self.unexpected(&format!("{what} that does not end")).with_hint(format!("add a `{delimiter}`")))
            }
        }
    }

    fn string(&mut self) -> Result<Box<str>, TextError> {
        let start = self.at;
        let mut text = String::new();
        loop {
            match self.delimited('"', "a string") {
                Ok(part) => text.push_str(part),
                Err(error) => return Err(TextError { span: Span { start, end: start + 1 }, ..error }),
            }
            if self.peek() != Some(b'"') {
                return Ok(text.into());
            }
            text.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Atoms as `kind:text`, lists in brackets.
    fn outline(sexpr: &Sexpr) -> String {
        match sexpr {
            Sexpr::Atom(atom, _) => format!("{:?}:{}", atom.kind, atom.text),
            Sexpr::List(items, _) => format!("[{}]", items.iter().map(outline).collect::<Vec<_>>().join(" ")),
        }
    }

    #[test]
    fn every_kind_of_atom_is_read() {
        for (text, expected) in [
            ("", ""),
            (" ; only a comment", ""),
            ("x@3 <= -1 ->", "Symbol:x@3 Symbol:<= Symbol:-1 Symbol:->"),
            ("|a ( ü\n|||", "QuotedSymbol:a ( ü\n QuotedSymbol:"),
            ("0 12 1.50", "Numeral:0 Numeral:12 Decimal:1.50"),
            ("#xAf09 #b0110", "Hex:Af09 Binary:0110"),
            (r#""" "a ""b"" ;" "c""#, r#"String: String:a "b" ; String:c"#),
            (":named :=", "Keyword:named Keyword:="),
            ("(a(b)()) (c;)\n)", "[Symbol:a [Symbol:b] []] [Symbol:c]"),
            ("a(b|c|\"d\"", "error"),
        ] {
            let found = match read_all(text) {
                Ok(all) => all.iter().map(outline).collect::<Vec<_>>().join(" "),
                Err(_) => "error".into(),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn spans_cover_what_was_read() {
        let text = "(a |b c|) \"d\"\"\" :e";
        let all = read_all(text).expect("balanced");
        let inner = all[0].as_list().expect("a list").iter();
        let pieces: Vec<&str> = inner.chain(&all).map(|s| &text[s.span().start..s.span().end]).collect();
        assert_eq!(pieces, ["a", "|b c|", "(a |b c|)", "\"d\"\"\"", ":e"]);
    }

    #[test]
    fn expressions_deeper_than_any_stack_are_dropped() {
        let span = Span { start: 0, end: 0 };
        let mut deep = Sexpr::List(Vec::new(), span);
        for _ in 0..1_000_000 {
            deep = Sexpr::List(vec![deep], span);
        }
        drop(deep);
    }
}
