//! Boogie text to tokens. Linear in the text; comments vanish here.

use crate::Diagnostic;
use braid_program::source::{FileId, Span};

/// What a token is; which one, its text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// An identifier that is not a keyword, whatever its text: it was written with a backslash.
    Escaped,
    /// An integer or a bit-vector numeral, such as `7` or `7bv32`.
    Number,
    /// A decimal or a floating numeral.
    Decimal,
    /// A string, with its quotes.
    Text,
    /// An operator or a separator.
    Mark,
    /// Behind the last token.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    pub span: Span,
}

/// Operators of several characters, longest first.
const LONG_MARKS: [&str; 16] =
    ["<==>", "==>", "<==", ":=", "==", "!=", "<=", ">=", "<:", "&&", "||", "++", "**", "::", "{:", "->"];

/// The operators that Boogie also has as single characters.
const SIGNS: [(char, &str); 15] = [
    ('⇔', "<==>"),
    ('⇒', "==>"),
    ('⇐', "<=="),
    ('≠', "!="),
    ('≤', "<="),
    ('≥', ">="),
    ('∧', "&&"),
    ('∨', "||"),
    ('¬', "!"),
    ('∀', "forall"),
    ('∃', "exists"),
    ('λ', "lambda"),
    ('•', "::"),
    ('⟨', "<"),
    ('⟩', ">"),
];

/// All tokens of a text; what is no token is reported and left out. The last one is [`TokenKind::End`].
pub(super) fn tokens<'t>(file: FileId, text: &'t str, errors: &mut Vec<Diagnostic>) -> Vec<Token<'t>> {
    let span = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
    let mut tokens: Vec<Token<'t>> = Vec::with_capacity(text.len() / 5);
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(first) = text[at..].chars().next() {
        let (start, rest) = (at, &text[at..]);
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += comment(rest).unwrap_or_else(|| {
                errors.push(Diagnostic::new(span(start, start + 2), "this comment does not end"));
                rest.len()
            });
            continue;
        }
        let mut shown = None;
        let kind = if first.is_ascii_digit() {
            number(rest, &mut at)
        } else if is_letter(first) {
            at += word(rest);
            TokenKind::Word
        } else if first == '\\' && rest[1..].starts_with(is_letter) {
            at += 1 + word(&rest[1..]);
            shown = Some(&rest[1..at - start]);
            TokenKind::Escaped
        } else if first == '"' {
            let Some(end) = string(rest) else {
                errors.push(Diagnostic::new(span(start, start + 1), "this string does not end"));
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            };
            at += end;
            TokenKind::Text
        } else if let Some(mark) = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            at += mark.len();
            TokenKind::Mark
        } else if let Some((sign, meaning)) = SIGNS.iter().find(|(sign, _)| *sign == first) {
            at += sign.len_utf8();
            shown = Some(*meaning);
            if is_letter(meaning.chars().next().unwrap_or('?')) { TokenKind::Word } else { TokenKind::Mark }
        } else if "()[]{}<>,;:+-*/%=!|".contains(first) {
            at += 1;
            TokenKind::Mark
        } else {
            at += first.len_utf8();
            errors.push(Diagnostic::new(span(start, at), format!("`{}` is no sign of Boogie", first.escape_debug())));
            continue;
        };
        let token = shown.unwrap_or(&text[start..at]);
        tokens.push(Token { kind, text: token, span: span(start, at) });
    }
    // People look for what is missing behind what is there.
    let end = tokens.last().map_or(text.len() as u32, |last| last.span.end);
    tokens.push(Token { kind: TokenKind::End, text: "", span: Span { file, start: end, end } });
    tokens
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || "_.$#'`~^?".contains(c)
}

/// The length of the identifier at the start.
fn word(rest: &str) -> usize {
    rest.find(|c: char| !is_letter(c) && !c.is_ascii_digit()).unwrap_or(rest.len())
}

/// The length of the comment at the start, with the comments inside it.
fn comment(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut open) = (0, 0_usize);
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'/', b'*') => (at, open) = (at + 2, open + 1),
            (b'*', b'/') if open == 1 => return Some(at + 2),
            (b'*', b'/') => (at, open) = (at + 2, open - 1),
            _ => at += 1,
        }
    }
    None
}

/// The length of the string at the start, quotes included.
fn string(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            '"' if !escaped => return Some(at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

fn number(rest: &str, at: &mut usize) -> TokenKind {
    let digits = |from: usize| rest[from..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| from + end);
    let starts_digit = |from: usize| rest[from..].starts_with(|c: char| c.is_ascii_digit());
    let mut end = digits(0);
    let mut kind = TokenKind::Number;
    if rest[end..].starts_with("bv") && starts_digit(end + 2) {
        end = digits(end + 2);
    } else {
        if rest[end..].starts_with('.') && starts_digit(end + 1) {
            (end, kind) = (digits(end + 1), TokenKind::Decimal);
        }
        let sign = usize::from(rest[end..].starts_with("e-"));
        if rest[end..].starts_with('e') && starts_digit(end + 1 + sign) {
            (end, kind) = (digits(end + 1 + sign), TokenKind::Decimal);
        }
    }
    *at += end;
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut errors = Vec::new();
        let found: Vec<_> = tokens(FileId(0), text, &mut errors).iter().map(|token| token.text).collect();
        assert_eq!(found[..found.len() - 1], *expected, "{text}");
        assert!(errors.is_empty(), "{errors:?}");
    }

    #[test]
    fn words_numbers_and_marks() {
        check("x.y$1:=~a'", &["x.y$1", ":=", "~a'"]);
        check("7bv32 7 1.5 2e-3 3.x", &["7bv32", "7", "1.5", "2e-3", "3", ".x"]);
        check("a<==>b==>c<=d", &["a", "<==>", "b", "==>", "c", "<=", "d"]);
        check("{:wait x, t}", &["{:", "wait", "x", ",", "t", "}"]);
        check("a ∧ ¬b", &["a", "&&", "!", "b"]);
        check(r#"\var "a\"b" c"#, &["var", r#""a\"b""#, "c"]);
    }

    #[test]
    fn comments_nest() {
        check("a /* b /* c */ d */ e // f\ng", &["a", "e", "g"]);
    }

    #[test]
    fn what_is_no_token_is_reported() {
        for text in ["@", "/* /* */", "\"abc\n", "a é"] {
            let mut errors = Vec::new();
            tokens(FileId(0), text, &mut errors);
            assert_eq!(errors.len(), 1, "{text}");
        }
    }
}
