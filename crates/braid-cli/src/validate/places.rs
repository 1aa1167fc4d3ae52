//! Where in a C text the places of a witness are: its statements, its calls, its conditions.

use super::witness::Location;
pub use crate::witness::outline::Statement;
use crate::witness::outline::{Outline, tokens};
use std::ops::Range;

/// A text with what is where.
pub struct Text<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    outline: Outline,
}

/// A call in the text, from its name to its right parenthesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub name: String,
    pub bytes: Range<usize>,
    /// The left parenthesis.
    open: usize,
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Text<'t> {
        Text { text, tokens: tokens(text), outline: Outline::new(text) }
    }

    pub fn slice(&self, bytes: &Range<usize>) -> &'t str {
        self.text.get(bytes.clone()).unwrap_or_default()
    }

    pub fn length(&self) -> usize {
        self.text.len()
    }

    /// Where the first word starts, after comments and directives.
    pub fn first_word(&self) -> usize {
        self.tokens.first().map_or(0, |token| token.start)
    }

    /// Where the body of a function starts.
    pub fn entry(&self, function: &str) -> Option<usize> {
        self.outline.functions.iter().find(|known| known.name == function).map(|known| known.body.start)
    }

    /// The words of a part of the text.
    pub fn words(&self, bytes: &Range<usize>) -> Vec<&'t str> {
        let inside = self.tokens.iter().filter(|token| bytes.contains(&token.start));
        inside.map(|token| self.slice(token)).collect()
    }

    /// The bytes of a line.
    fn line(&self, line: usize) -> Result<Range<usize>, String> {
        let mut start = 0;
        for (number, text) in self.text.split_inclusive('\n').enumerate() {
            if number + 1 == line {
                return Ok(start..start + text.len());
            }
            start += text.len();
        }
        Err(format!("there is no line {line}"))
    }

    /// The byte of a location that says more than a line.
    fn byte(&self, location: &Location) -> Result<Option<usize>, String> {
        let at = |text: &str, characters: usize| text.char_indices().nth(characters).map(|(byte, _)| byte);
        if let Some(offset) = location.offset {
            return Ok(at(self.text, offset));
        }
        let line = self.line(location.line)?;
        let column = location.column.filter(|&column| column > 0);
        Ok(column.and_then(|column| at(self.slice(&line), column - 1)).map(|byte| line.start + byte))
    }

    /// The statement at a location: the one that starts there, the first one of the line, or the innermost one around.
    pub fn statement(&self, location: &Location) -> Result<Statement, String> {
        let (line, byte) = (self.line(location.line)?, self.byte(location)?);
        let statements = &self.outline.statements;
        let exact = byte.and_then(|byte| statements.iter().find(|statement| statement.bytes.start == byte));
        let around = || byte.and_then(|byte| self.outline.statement(byte));
        let first = || statements.iter().find(|statement| line.contains(&statement.bytes.start));
        let found = exact.or_else(around).or_else(first).or_else(|| self.outline.statement(line.start));
        found.cloned().ok_or_else(|| format!("there is no statement in line {}", location.line))
    }

    /// The call that ends at a location; otherwise one in the same line, if possible of a function whose name begins so.
    pub fn call(&self, location: &Location, preferred: &str) -> Result<Call, String> {
        let (line, byte) = (self.line(location.line)?, self.byte(location)?);
        let calls: Vec<Call> = self.calls(&line);
        let exact = byte.and_then(|byte| calls.iter().find(|call| call.bytes.end == byte + 1));
        let named = || calls.iter().find(|call| call.name.starts_with(preferred));
        let found = exact.or_else(named).or(calls.first());
        found.cloned().ok_or_else(|| format!("there is no call in line {}", location.line))
    }

    /// The calls that start or end in a part of the text.
    fn calls(&self, bytes: &Range<usize>) -> Vec<Call> {
        const KEYWORDS: [&str; 8] = ["if", "while", "for", "switch", "return", "sizeof", "__typeof__", "__attribute__"];
        let mut found = Vec::new();
        for (number, pair) in self.tokens.windows(2).enumerate() {
            let [name, open] = pair else { continue };
            let text = self.slice(name);
            let is_name = text.starts_with(|c: char| c == '_' || c.is_alphabetic()) && !KEYWORDS.contains(&text);
            if !is_name || self.slice(open) != "(" || self.outline.statement(name.start).is_none() {
                continue;
            }
            let Some(end) = self.closing(number + 1) else { continue };
            if bytes.contains(&name.start) || bytes.contains(&(end - 1)) {
                found.push(Call { name: text.to_owned(), bytes: name.start..end, open: open.start });
            }
        }
        found
    }

    /// The byte after the parenthesis that closes the one of a token.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for token in &self.tokens[open..] {
            match self.slice(token) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(token.end);
            }
        }
        None
    }

    /// The first argument of a call.
    pub fn argument(&self, call: &Call) -> Option<&'t str> {
        let mut depth = 0usize;
        for token in self.tokens.iter().filter(|token| call.bytes.contains(&token.start) && token.start > call.open) {
            match self.slice(token) {
                "," | ")" if depth == 0 => return Some(self.slice(&(call.open + 1..token.start))),
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// The condition of an `if`, a `while` or a `for`.
    pub fn condition(&self, statement: &Statement) -> Option<Range<usize>> {
        let first = self.tokens.iter().position(|token| token.start == statement.bytes.start)?;
        let inner = self.tokens.get(first + 1)?.end..self.closing(first + 1)? - 1;
        match self.slice(&self.tokens[first]) {
            "if" | "while" => Some(inner),
            "for" => {
                let marks: Vec<usize> = (self.tokens.iter())
                    .filter(|token| inner.contains(&token.start) && self.slice(token) == ";")
                    .map(|token| token.start)
                    .collect();
                Some(marks.first()? + 1..*marks.get(1)?)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "int f(int a) {\n  a = g(a, (2)); b(1);\n  for (int i = 0; i < a; i++)\n    a++;\n}\n";

    fn at(line: usize, column: Option<usize>) -> Location {
        Location { line, column, offset: None }
    }

    #[test]
    fn statements_are_found() {
        let text = Text::new(PROGRAM);
        let check = |location: Location, expected: &str| {
            let found = text.statement(&location).map(|statement| text.slice(&statement.bytes).to_owned());
            assert!(found.as_ref().is_ok_and(|found| found.starts_with(expected)), "{location:?}: {found:?}");
        };
        check(at(2, None), "a = g");
        check(at(2, Some(3)), "a = g");
        check(at(2, Some(18)), "b(1)");
        check(at(3, Some(19)), "for");
        check(at(4, None), "a++");
        check(Location { line: 2, column: None, offset: Some(32) }, "b(1)");
        assert_eq!(text.statement(&at(1, None)).err().as_deref(), Some("there is no statement in line 1"));
    }

    #[test]
    fn calls_and_conditions_are_found() {
        let text = Text::new(PROGRAM);
        let call = |location: Location, preferred: &str| text.call(&location, preferred).map(|call| call.name);
        assert_eq!(call(at(2, Some(15)), "").as_deref(), Ok("g"));
        assert_eq!(call(at(2, Some(21)), "").as_deref(), Ok("b"));
        assert_eq!(call(at(2, None), "b").as_deref(), Ok("b"));
        assert!(call(at(4, None), "").is_err());
        let found = text.call(&at(2, None), "g").expect("it is there");
        assert_eq!((text.slice(&found.bytes), text.argument(&found)), ("g(a, (2))", Some("a")));
        let condition = text.condition(&text.statement(&at(3, None)).expect("a loop"));
        assert_eq!(condition.map(|bytes| text.slice(&bytes)), Some(" i < a"));
    }
}
