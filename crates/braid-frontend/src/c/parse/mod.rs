//! Tokens to syntax by recursive descent, C11 with the GNU extensions that programs use.
//!
//! A syntax error ends a declaration at file level; reading goes on behind it, so that several are reported. *Invariant*: no
//! recursion is deeper than [`DEEPEST`], and no tree is higher, so that whoever walks over the tree needs no care.

mod assembly;
mod attributes;
mod declarations;
mod exclusive;
mod expressions;
mod primary;
mod specifiers;
mod spin;
mod statements;

// The words that the files of the parser share.
use super::check::types::{self, plain};
use super::lex::{Token, TokenKind};
use super::syntax::{
    Attributes, Base, Declaration, Declarator, Derived, Designator, EnumSpecifier, Expr, ExprKind, External,
    FieldDeclaration, FunctionDefinition, Infix, Initialiser, Linkage, Name, Parameters, RecordSpecifier, Specifiers,
    Stmt, StmtKind, StorageClass, TypeName, Typed,
};
use super::tree::{BinaryOp, CompareOp, DataModel, Qualified, Type, UpdateValue};
use crate::Diagnostic;
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// How deep expressions, statements and declarators may be nested.
pub const DEEPEST: u32 = 1_000;
/// So many syntax errors are reported; later ones mostly follow from earlier ones.
const MOST_ERRORS: usize = 5;

/// The words that can never be names.
static KEYWORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let words = "auto break case char const continue default do double else enum extern float for goto if inline int \
        long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile \
        while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local __attribute__ \
        __typeof__ __auto_type";
    words.split_whitespace().collect()
});

type Parse<T> = Result<T, Box<Diagnostic>>;

/// All that stands at file level. `uses` gets the tokens of what uses names, and does not only say what functions there are.
pub fn externals<'t>(
    tokens: &[Token<'t>],
    model: DataModel,
    errors: &mut Vec<Diagnostic>,
    mut uses: impl FnMut(&[Token<'t>]),
) -> Vec<External<'t>> {
    let builtin_types = FxHashMap::from_iter([("__builtin_va_list", true)]);
    let (scopes, label_values) = (vec![builtin_types], Vec::new());
    let mut parser =
        Parser { tokens, model, at: 0, depth: 0, highest: 0, scopes, label_values, reads_arguments: false };
    let mut externals = Vec::new();
    while parser.peek().kind != TokenKind::End {
        let start = parser.at;
        match parser.external() {
            Ok(None) => {}
            Ok(Some(external)) => {
                if !external.only_declares_functions() {
                    uses(&tokens[start..parser.at]);
                }
                externals.push(external);
            }
            Err(error) => {
                errors.push(*error);
                if errors.len() >= MOST_ERRORS {
                    break;
                }
                parser.recover(start);
            }
        }
    }
    externals
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    model: DataModel,
    /// The next token, an index into `tokens`.
    at: usize,
    depth: u32,
    /// The height of the highest expression since this was last reset.
    highest: u32,
    /// Per scope, innermost last: whether a name is a type's.
    scopes: Vec<FxHashMap<&'t str, bool>>,
    /// The labels whose addresses the function at hand takes.
    label_values: Vec<Name<'t>>,
    /// Does the function at hand read variable arguments?
    reads_arguments: bool,
}

impl<'p, 't> Parser<'p, 't> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn peek_ahead(&self, distance: usize) -> Token<'t> {
        self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Whether the next token is this operator or keyword. No literal has such a text.
    fn is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parse<()> {
        if self.eat(text) { Ok(()) } else { self.unexpected(&format!("`{text}`")) }
    }

    fn unexpected<T>(&self, expected: &str) -> Parse<T> {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the text ends".to_owned(),
            _ => format!("`{}` stands", token.text.chars().take(30).collect::<String>()),
        };
        reject(token.span, format!("{found} where {expected} is expected"))
    }

    fn is_name(&self) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Word && !KEYWORDS.contains(token.text)
    }

    fn name(&mut self) -> Parse<Name<'t>> {
        if !self.is_name() {
            return self.unexpected("a name");
        }
        Ok(self.advance())
    }

    fn parenthesised<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.expect("(")?;
        let inner = parse(self)?;
        self.expect(")")?;
        Ok(inner)
    }

    /// What stands between commas, up to and with what closes the list. In braces there may be a comma behind the last one.
    fn list<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.eat(",") {
                self.expect(close)?;
                return Ok(items);
            }
            if close == "}" && self.eat(close) {
                return Ok(items);
            }
        }
    }

    /// The span from a token to the last one that was read.
    fn span_from(&self, start: Span) -> Span {
        join(start, self.tokens[self.at.saturating_sub(1)].span)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            return too_deep(self.peek().span);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.scopes.push(FxHashMap::default());
        let result = parse(self);
        self.scopes.pop();
        result
    }

    fn declare(&mut self, name: &'t str, is_type: bool) {
        // Most names are not types, and nothing hides a type that is not there.
        if is_type || self.is_type_name(name) || matches!(name, "bool" | "typeof_unqual" | "constexpr") {
            self.scopes.last_mut().expect("the file's scope is never left").insert(name, is_type);
        }
    }

    /// Is it a name of the program's own? Of those that are no types, only the ones of newer words are kept.
    fn is_name_declared(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains_key(name))
    }

    fn is_type_name(&self, name: &str) -> bool {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied()).unwrap_or(false)
    }

    /// Goes behind the declaration that starts at the token and has an error.
    fn recover(&mut self, start: usize) {
        let error = self.at;
        self.scopes.truncate(1);
        self.depth = 0;
        self.highest = 0;
        self.at = start;
        let mut depth = 0_usize;
        loop {
            let token = self.advance();
            match token.text {
                _ if token.kind == TokenKind::End => return,
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_end = token.text == ";" || (token.text == "}" && !self.is(";"));
            if is_end && depth == 0 && self.at > error {
                return;
            }
        }
    }
}

fn too_deep<T>(span: Span) -> Parse<T> {
    let message = format!("this is nested more than {DEEPEST} levels deep");
    Err(Box::new(Diagnostic::new(span, message).hint("split it with variables or functions in between")))
}

fn reject<T>(span: Span, message: impl Into<String>) -> Parse<T> {
    Err(Box::new(Diagnostic::new(span, message)))
}

/// The range that covers both, or the first where they are in different files.
pub fn join(first: Span, last: Span) -> Span {
    if first.file == last.file { first.to(last) } else { first }
}
