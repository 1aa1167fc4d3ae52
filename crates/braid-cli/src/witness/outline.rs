//! Where functions and statements of a C text begin and end.
//!
//! Witnesses speak of statements of the text as the user wrote it: before macros are expanded, with their lines and columns.
//! So this looks at the text alone. *Invariant*: any text has an outline; what is no C has one that says little.

use std::ops::Range;

/// The functions and statements of a text, in order.
#[derive(Default, Debug)]
pub struct Outline {
    pub functions: Vec<Function>,
    pub statements: Vec<Statement>,
}

/// A function with a body.
#[derive(PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    /// The bytes between its braces.
    pub body: Range<usize>,
}

/// A statement or a declaration inside a function; blocks are none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its bytes, with what is nested in it.
    pub bytes: Range<usize>,
    /// Where it ends without the statements that are nested in it.
    pub head: usize,
    /// Does it stand directly in a block? Otherwise it is the body of an `if` or of a loop.
    pub in_block: bool,
    /// Where its `else` begins.
    pub otherwise: Option<usize>,
    /// Is it a loop?
    pub is_loop: bool,
}

impl Outline {
    /// The outline of a text.
    pub fn new(text: &str) -> Outline {
        let mut reader = Reader { text, tokens: tokens(text), at: 0, outline: Outline::default() };
        reader.file();
        reader.outline.statements.sort_by_key(|statement| (statement.bytes.start, usize::MAX - statement.bytes.end));
        reader.outline
    }

    /// The innermost statement around a byte.
    pub fn statement(&self, byte: usize) -> Option<&Statement> {
        self.statements.iter().rev().find(|statement| statement.bytes.contains(&byte))
    }

    /// The function around a byte.
    pub fn function(&self, byte: usize) -> Option<&Function> {
        self.functions.iter().find(|function| function.body.contains(&byte))
    }
}

/// The words, marks and literals of a text, without comments and directives.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut line_is_empty) = (Vec::new(), 0, true);
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[at..];
        match bytes[at] {
            b'\n' => {
                line_is_empty = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if line_is_empty => at += directive(rest),
            b'/' if rest.starts_with(b"//") => at += line(rest),
            b'/' if rest.starts_with(b"/*") => at += comment(rest),
            quote @ (b'"' | b'\'') => {
                at += literal(rest, quote);
                found.push(start..at);
            }
            byte if is_word(byte) => {
                at += rest.iter().take_while(|&&byte| is_word(byte)).count();
                found.push(start..at);
            }
            _ => {
                at += 1;
                found.push(start..at);
            }
        }
        line_is_empty = false;
    }
    found
}

/// Letters of other alphabets are in words, too.
fn is_word(byte: u8) -> bool {
    byte == b'_' || byte == b'$' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn line(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// A directive goes on where a line ends with a backslash.
fn directive(rest: &[u8]) -> usize {
    let mut length = line(rest);
    while length < rest.len() && rest[..length].trim_ascii_end().ends_with(b"\\") {
        length += 1 + line(&rest[length + 1..]);
    }
    length
}

fn comment(rest: &[u8]) -> usize {
    rest[2..].windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 4)
}

fn literal(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    /// The next token.
    at: usize,
    outline: Outline,
}

impl<'t> Reader<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| self.text.get(token.clone()).unwrap_or(""))
    }

    fn next(&self) -> &'t str {
        self.word(self.at)
    }

    fn is_over(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Everything at the level of the file.
    fn file(&mut self) {
        let (mut name, mut is_value) = (None, false);
        while !self.is_over() {
            match self.next() {
                "{" if name.is_some() && !is_value => self.body(name.take().unwrap_or_default()),
                "{" => self.skip(),
                "=" => {
                    is_value = true;
                    self.at += 1;
                }
                ";" => {
                    (name, is_value) = (None, false);
                    self.at += 1;
                }
                "(" => {
                    let before = self.at.checked_sub(1).map_or("", |at| self.word(at));
                    if name.is_none() && is_name(before) {
                        name = Some(before.to_owned());
                    }
                    self.skip();
                }
                // Its braces are no function's body.
                "struct" | "union" | "enum" => {
                    self.at += 1;
                    if self.next() == "__attribute__" {
                        self.at += 1;
                        self.skip();
                    }
                    self.at += usize::from(is_name(self.next()));
                    if self.next() == "{" {
                        self.skip();
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn body(&mut self, name: String) {
        let start = self.tokens[self.at].end;
        self.block();
        let end = self.tokens[self.at - 1].start;
        self.outline.functions.push(Function { name, body: start..end.max(start) });
    }

    /// What is between brackets, with them.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while !self.is_over() {
            match self.next() {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn block(&mut self) {
        self.at += 1;
        while !self.is_over() && self.next() != "}" {
            self.statement(true);
        }
        self.at += usize::from(!self.is_over());
    }

    fn statement(&mut self, in_block: bool) {
        while self.label() {}
        if self.is_over() || self.next() == "}" {
            return;
        }
        if self.next() == "{" {
            return self.block();
        }
        let (start, first, mut head, mut otherwise) = (self.tokens[self.at].start, self.next(), None, None);
        match first {
            "if" | "while" | "for" | "switch" => {
                self.at += 1;
                self.skip();
                head = Some(self.tokens[self.at - 1].end);
                self.statement(false);
                if first == "if" && self.next() == "else" {
                    otherwise = Some(self.tokens[self.at].start);
                    self.at += 1;
                    self.statement(false);
                }
            }
            "do" => {
                self.at += 1;
                head = Some(self.tokens[self.at - 1].end);
                self.statement(false);
                self.simple();
            }
            _ => self.simple(),
        }
        let end = self.tokens[self.at - 1].end;
        let is_loop = matches!(first, "while" | "for" | "do");
        let head = head.unwrap_or(end);
        self.outline.statements.push(Statement { bytes: start..end, head, in_block, otherwise, is_loop });
    }

    /// Up to a semicolon; takes at least one token.
    fn simple(&mut self) {
        while !self.is_over() {
            match self.next() {
                ";" => {
                    self.at += 1;
                    return;
                }
                "(" | "{" | "[" => self.skip(),
                // A semicolon is missing.
                "}" => return self.at += usize::from(self.word(self.at - 1) == "{"),
                _ => self.at += 1,
            }
        }
    }

    /// Goes over a label; says whether there was one.
    fn label(&mut self) -> bool {
        let is_case = matches!(self.next(), "case" | "default");
        let is_named = is_name(self.next()) && self.word(self.at + 1) == ":";
        if !is_case && !is_named {
            return false;
        }
        let mut questions = 0;
        while !self.is_over() {
            match self.next() {
                "?" => questions += 1,
                ":" if questions == 0 => {
                    self.at += 1;
                    return true;
                }
                ":" => questions -= 1,
                ";" | "{" | "}" => return false,
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// A word that can be the name of a function.
fn is_name(word: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "__attribute__",
        "__extension__",
        "__asm__",
        "asm",
        "typeof",
        "__typeof__",
        "_Alignas",
        "__declspec",
        "sizeof",
    ];
    word.starts_with(|c: char| c == '_' || c.is_alphabetic()) && !OTHERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions, and the first word of each statement; those that are bodies without braces have a star, loops an L.
    fn check(text: &str, expected: &str) {
        let outline = Outline::new(text);
        let first = |bytes: &Range<usize>| {
            let text = &text[bytes.clone()];
            text[..text.find([' ', '(', ';', '=']).unwrap_or(text.len())].to_owned()
        };
        let mut found: Vec<String> = outline.functions.iter().map(|function| format!("{}:", function.name)).collect();
        found.extend(outline.statements.iter().map(|statement| {
            let star = if statement.in_block { "" } else { "*" };
            format!("{}{star}{}", first(&statement.bytes), if statement.is_loop { "L" } else { "" })
        }));
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn functions_and_statements() {
        check("int x; int main(void) { x=1; return 0; }", "main: x return");
        check("struct s { int f(int); } a; int g() { { a; } b; }", "g: a b");
        check("int t[2] = { 1, 2 }; struct s *f(void) { p; }", "f: p");
        check("struct s f(void) { p; } struct s v = { 1 };", "f: p");
        check("extern int f(int) __attribute__((x)); void g(void) __attribute__ ((y)) { q; }", "g: q");
        check(
            "// int f() { a; }\n#define A() { b; } \\\n  c;\nint g() { '\\''; \"}\"; /* } */ d; }",
            "g: '\\'' \"}\" d",
        );
    }

    #[test]
    fn nested_statements() {
        check("void f() { if (a) b; else c; d; }", "f: if b* c* d");
        check("void f() { while (a) { b; } do c; while (d); for (;;) e; }", "f: whileL b doL c* forL e*");
        check("void f() { L: a; switch (x) { case 1 ? 2 : 3: b; default: c; } }", "f: a switch b c");
        check("void f() { int x = { 1 }; x = ({ y; z; }); M: } int g() { w; }", "f: g: int x w");
    }
}
