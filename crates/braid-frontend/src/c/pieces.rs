//! The prelude in pieces: one for each declaration and each function. Programs call few functions of the library, and only those are read.
//!
//! Declarations are always read, for types and constants are few. A function is read where the program uses its name, or where a function
//! that is read does. *Invariant*: a function that is read finds all that it names; one that the checker misses is read in a second attempt
//! (`check::Checked::Asks`), so what is left out makes no difference.

use super::lex::{self, Token, TokenKind};
use super::parse;
use super::prelude::TEXTS;
use super::syntax::External;
use super::tree::DataModel;
use crate::Diagnostic;
use braid_program::source::FileId;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// A declaration or a function.
struct Piece {
    /// Which of the texts it is in, and where.
    text: usize,
    range: Range<usize>,
    function: Option<Name>,
}

struct Name {
    name: &'static str,
    is_static: bool,
}

/// All pieces, in the order of the texts, and those of functions by name.
struct Pieces {
    all: Vec<Piece>,
    by_name: FxHashMap<&'static str, usize>,
}

static PIECES: LazyLock<Pieces> = LazyLock::new(|| {
    let all: Vec<Piece> = TEXTS.iter().enumerate().flat_map(|(number, (_, text))| pieces(number, text)).collect();
    let functions = all.iter().enumerate().filter_map(|(at, piece)| Some((piece.function.as_ref()?.name, at)));
    let by_name = functions.collect();
    Pieces { all, by_name }
});

/// Takes a text apart: a piece ends with the `;` that is in no braces, or with the last brace of a function. Those of a function come behind `)`.
fn pieces(number: usize, text: &'static str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    let (mut depth, mut is_function, mut name) = (0_usize, false, None);
    // Behind the last byte of the piece so far that is no blank and in no comment.
    let mut behind = None;
    while at < bytes.len() {
        let first = at;
        at += 1;
        match bytes[first] {
            byte if byte.is_ascii_whitespace() => continue,
            b'/' if bytes.get(at) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |found| at + found);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                while bytes.get(at).is_some_and(|&byte| byte != quote) {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'(' if depth == 0 && name.is_none() => name = behind.map(|behind| last_word(&text[..behind])),
            b'{' => {
                is_function |= depth == 0 && behind.is_some_and(|behind| bytes[behind - 1] == b')');
                depth += 1;
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if behind.is_none() {
            start = first;
        }
        behind = Some(at);
        if depth == 0 && (bytes[first] == b';' || (is_function && bytes[first] == b'}')) {
            let is_static = text[start..].starts_with("static ");
            let function = name.take().filter(|_| is_function).map(|name| Name { name, is_static });
            pieces.push(Piece { text: number, range: start..at, function });
            (is_function, behind) = (false, None);
        }
    }
    pieces
}

fn last_word(text: &str) -> &str {
    let word = text.bytes().rev().take_while(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()).count();
    &text[text.len() - word..]
}

/// Who uses a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The program, which knows nothing of what is `static` in the prelude.
    Program,
    Prelude,
}

/// Which pieces are read.
pub struct Wanted {
    is_wanted: Vec<bool>,
    /// Wanted pieces that are not looked at yet.
    fresh: Vec<usize>,
    /// The tokens of those that are.
    tokens: Vec<Vec<Token<'static>>>,
}

impl Wanted {
    /// The declarations, at first.
    pub fn new() -> Wanted {
        let is_wanted: Vec<bool> = PIECES.all.iter().map(|piece| piece.function.is_none()).collect();
        let fresh = (0..is_wanted.len()).filter(|&at| is_wanted[at]).collect();
        Wanted { tokens: vec![Vec::new(); is_wanted.len()], is_wanted, fresh }
    }

    /// A name is used. What compilers know as `__builtin_f` is mostly `f`.
    pub fn name(&mut self, name: &str, user: User) {
        for name in [Some(name), name.strip_prefix("__builtin_")].into_iter().flatten() {
            let Some(&at) = PIECES.by_name.get(name) else { continue };
            let is_hidden =
                user == User::Program && PIECES.all[at].function.as_ref().is_some_and(|name| name.is_static);
            if !is_hidden && !std::mem::replace(&mut self.is_wanted[at], true) {
                self.fresh.push(at);
            }
        }
    }

    /// All words of a text are used.
    pub fn words(&mut self, tokens: &[Token<'_>], user: User) {
        let words = tokens.iter().filter(|token| token.kind == TokenKind::Word);
        words.for_each(|word| self.name(word.text, user));
    }

    /// Reads what is wanted, and what that needs, for each of the texts; the first of them has this number among the sources.
    pub fn read(
        &mut self,
        first: FileId,
        model: DataModel,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<Vec<External<'static>>> {
        while let Some(at) = self.fresh.pop() {
            let piece = &PIECES.all[at];
            let file = FileId(first.0 + piece.text as u32);
            let tokens = lex::tokens_within(file, TEXTS[piece.text].1, piece.range.clone(), errors);
            // A declaration without a value only says what there is.
            if piece.function.is_some() || tokens.iter().any(|token| token.text == "=") {
                self.words(&tokens, User::Prelude);
            }
            self.tokens[at] = tokens;
        }
        let mut texts = vec![Vec::new(); TEXTS.len()];
        for (piece, tokens) in PIECES.all.iter().zip(&self.tokens) {
            texts[piece.text].extend_from_slice(tokens);
        }
        let read = |(number, mut tokens): (usize, Vec<Token<'static>>)| {
            tokens.push(lex::end(FileId(first.0 + number as u32), TEXTS[number].1.len()));
            parse::externals(&tokens, model, errors, |_| {})
        };
        texts.into_iter().enumerate().map(read).collect()
    }

    /// The functions that programs could ask for, and that are not read.
    pub fn left_out(&self) -> impl Iterator<Item = &'static str> {
        let functions = PIECES.all.iter().zip(&self.is_wanted).filter(|(_, is_wanted)| !**is_wanted);
        functions.filter_map(|(piece, _)| piece.function.as_ref().filter(|name| !name.is_static)).map(|name| name.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::places::Places;
    use crate::c::syntax::External;

    /// What is read where the program uses these names, beside declarations.
    fn read(names: &[&str]) -> Vec<&'static str> {
        let (mut wanted, mut errors) = (Wanted::new(), Vec::new());
        names.iter().for_each(|name| wanted.name(name, User::Program));
        let texts = wanted.read(FileId(0), DataModel::Lp64, &mut errors);
        assert!(errors.is_empty());
        texts.iter().flatten().filter_map(name).collect()
    }

    fn name<'t>(external: &External<'t>) -> Option<&'t str> {
        match external {
            External::Function(function) => Some(function.head.declarator.name?.text),
            External::Declaration(_) => None,
        }
    }

    #[test]
    fn pieces_are_what_the_parser_reads() {
        for (number, (file, text)) in TEXTS.into_iter().enumerate() {
            let mut errors = Vec::new();
            let tokens = lex::tokens(&mut Places::within(FileId(0), text), &mut errors);
            let all = parse::externals(&tokens, DataModel::Lp64, &mut errors, |_| {});
            let functions: Vec<&str> = all.iter().filter_map(name).collect();
            let own = PIECES.all.iter().filter(|piece| piece.text == number);
            let named: Vec<&str> = own.clone().filter_map(|piece| Some(piece.function.as_ref()?.name)).collect();
            assert_eq!(named, functions, "{file}");
            assert_eq!(own.count(), all.len(), "{file}");
        }
    }

    #[test]
    fn functions_bring_those_that_they_call() {
        assert_eq!(read(&[]), [""; 0]);
        assert_eq!(read(&["abs", "is_in", "unknown"]), ["abs"]);
        assert_eq!(read(&["strspn"]), ["is_in", "strspn"]);
        assert_eq!(read(&["__builtin_memcmp"]), ["memcmp"]);
        assert_eq!(read(&["atoi"]), ["isdigit", "isspace", "argument_number", "atoi", "atol"]);
    }
}
