//! Tokens to syntax, by recursive descent. A declaration or a statement that is wrong is reported and skipped.
//!
//! Nesting is counted: what is nested deeper than [`DEEPEST`] is rejected, so that no input overflows the stack.

mod declarations;
mod expressions;
mod statements;

use super::lex::{Token, TokenKind};
use super::syntax::{Declaration, Name, Type, TypeKind};
use super::{MOST_ERRORS, Read};
use crate::{Diagnostic, spelling};
use braid_program::print::words::BOOGIE_KEYWORDS;
use braid_program::source::Span;

/// How deep expressions and statements may be nested.
const DEEPEST: usize = 1_000;

/// The keywords that start a declaration, whatever stands before them.
const FRESH_STARTS: [&str; 6] = ["axiom", "const", "function", "implementation", "procedure", "type"];

/// All declarations of a text.
pub(super) fn declarations(tokens: &[Token<'_>], errors: &mut Vec<Diagnostic>) -> Vec<Declaration> {
    let mut parser = Parser { tokens, at: 0, depth: 0, errors };
    let mut read = Vec::new();
    while parser.peek().kind != TokenKind::End && parser.errors.len() < MOST_ERRORS {
        let before = parser.at;
        if let Err(error) = parser.declaration(&mut read) {
            parser.errors.push(error);
            parser.at = parser.at.max(before + 1);
            while !parser.at_fresh_start() {
                parser.at += 1;
            }
            parser.depth = 0;
        }
    }
    read
}

/// A place in the tokens. *Invariant*: `at` never passes the last token, which is the end.
struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    /// How many expressions, types and statements are open.
    depth: usize,
    errors: &'p mut Vec<Diagnostic>,
}

impl<'t> Parser<'_, 't> {
    fn ahead(&self, by: usize) -> Token<'t> {
        self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> Token<'t> {
        self.ahead(0)
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn at_fresh_start(&self) -> bool {
        let token = self.peek();
        token.kind == TokenKind::End || token.kind == TokenKind::Word && FRESH_STARTS.contains(&token.text)
    }

    /// From the start of a token that was read to the end of the last one.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span;
        if last.end < start.end { start } else { start.to(last) }
    }

    fn is(&self, text: &str) -> bool {
        let token = self.peek();
        matches!(token.kind, TokenKind::Word | TokenKind::Mark) && token.text == text
    }

    /// Takes the token if it is this one.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, text: &str, place: &str) -> Read<Token<'t>> {
        if self.is(text) {
            return Ok(self.next());
        }
        Err(self.unexpected(&format!("`{text}` should stand here, {place}")))
    }

    /// An error at the next token.
    fn unexpected(&self, message: &str) -> Diagnostic {
        let token = self.peek();
        match token.kind {
            TokenKind::End => Diagnostic::new(token.span, format!("the text ends too early: {message}")),
            _ => Diagnostic::new(token.span, message),
        }
    }

    fn is_name(&self) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Escaped || token.kind == TokenKind::Word && !BOOGIE_KEYWORDS.contains(&token.text)
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        if self.is_name() {
            let token = self.next();
            return Ok(Name { text: token.text.to_owned(), span: token.span });
        }
        let token = self.peek();
        let error = self.unexpected(&format!("{what} should stand here"));
        if token.kind == TokenKind::Word {
            return Err(error.hint(format!("`{0}` is a keyword; `\\{0}` is a name", token.text)));
        }
        Err(error)
    }

    fn names(&mut self, what: &str) -> Read<Vec<Name>> {
        self.separated(|parser| parser.name(what))
    }

    /// One or more things with commas between them.
    fn separated<T>(&mut self, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut read = vec![one(self)?];
        while self.eat(",") {
            read.push(one(self)?);
        }
        Ok(read)
    }

    /// Reads something that may contain itself.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            let message = format!("this is nested more than {DEEPEST} levels deep");
            return Err(Diagnostic::new(self.peek().span, message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// `<a, b>`, or nothing.
    fn type_parameters(&mut self) -> Read<Vec<Name>> {
        if !self.eat("<") {
            return Ok(Vec::new());
        }
        let names = self.names("the name of a type parameter")?;
        self.expect(">", "behind the type parameters")?;
        Ok(names)
    }

    fn ty(&mut self) -> Read<Type> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let token = parser.peek();
            let is_word = token.kind == TokenKind::Word && ["bool", "int", "real"].contains(&token.text);
            if !parser.is_name() && !is_word {
                return parser.type_atom();
            }
            let name = parser.next().text.to_owned();
            let mut arguments = Vec::new();
            while !is_word && (parser.is_name() || parser.starts_type_atom()) {
                // An argument that is a map reaches as far as it can.
                arguments.push(if parser.is_name() { parser.type_word() } else { parser.type_atom()? });
            }
            Ok(Type { kind: TypeKind::Named(name, arguments), span: parser.since(start) })
        })
    }

    fn type_word(&mut self) -> Type {
        let token = self.next();
        Type { kind: TypeKind::Named(token.text.to_owned(), Vec::new()), span: token.span }
    }

    fn starts_type_atom(&self) -> bool {
        ["bool", "int", "real", "(", "["].iter().any(|start| self.is(start))
    }

    fn type_atom(&mut self) -> Read<Type> {
        let start = self.peek().span;
        if ["bool", "int", "real"].iter().any(|word| self.is(word)) {
            return Ok(self.type_word());
        }
        if self.eat("(") {
            let ty = self.ty()?;
            self.expect(")", "behind the type")?;
            return Ok(ty);
        }
        let parameters = self.type_parameters()?;
        if !self.eat("[") {
            return Err(self
                .unexpected("a type should stand here")
                .hint("such as `int`, `bool`, `bv8` or `[int]bool`"));
        }
        let indices = if self.is("]") { Vec::new() } else { self.separated(Self::ty)? };
        self.expect("]", "behind the types of the indices")?;
        let element = Box::new(self.ty()?);
        Ok(Type { kind: TypeKind::Map { parameters, indices, element }, span: self.since(start) })
    }

    fn unknown_word(&self, what: &str, known: &[&'static str]) -> Diagnostic {
        let error = self.unexpected(what);
        match spelling::nearest(self.peek().text, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        }
    }
}
