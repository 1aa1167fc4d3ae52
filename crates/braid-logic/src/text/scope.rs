//! What names mean while a term is parsed, and the parsing of sorts.

use super::symbol::{SymbolText, symbol_name};
use crate::pool::TermPool;
use crate::sexpr::{AtomKind, Sexpr, TextError};
use crate::sort::{Sort, SortKind};
use crate::term::{Fun, Term};

/// Bit-vectors in texts are at most this wide.
pub(super) const MAX_WIDTH: u32 = 1 << 16;

/// What the names of a text mean. Names bound by `let` or a quantifier inside the text are not asked for.
pub trait Scope {
    /// What a name without arguments stands for.
    fn constant(&self, name: &str) -> Option<Term>;
    /// What a name with arguments stands for.
    fn function(&self, name: &str) -> Option<Fun>;
    /// What a name stands for where a sort is expected; SMT-LIB's own sorts are not asked for.
    fn sort(&self, name: &str) -> Option<Sort>;
}

/// Names mean what is declared under them in the pool; every name may be an uninterpreted sort.
#[derive(Clone, Copy)]
pub struct PoolScope<'a>(pub &'a TermPool);

impl Scope for PoolScope<'_> {
    fn constant(&self, name: &str) -> Option<Term> {
        self.0.find_var(name).map(|var| self.0.of_var(var))
    }

    fn function(&self, name: &str) -> Option<Fun> {
        self.0.find_fun(name)
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        Some(self.0.sort(SortKind::Uninterpreted(name.into())))
    }
}

/// The sort that an expression stands for.
pub fn parse_sort(pool: &TermPool, sexpr: &Sexpr, scope: &dyn Scope) -> Result<Sort, TextError> {
    let wrong = |message: String| TextError::new(sexpr.span(), message);
    match sexpr {
        Sexpr::Atom(atom, _) => match (atom.kind, &*atom.text) {
            (AtomKind::Symbol, "Bool") => Ok(Sort::BOOL),
            (AtomKind::Symbol, "Int") => Ok(Sort::INT),
            (AtomKind::Symbol, "Real" | "String" | "RegLan" | "RoundingMode") => {
                Err(wrong(format!("the sort {} is not supported", atom.text))
                    .with_hint("use Int, Bool or (_ BitVec n)"))
            }
            _ => {
                let name = symbol_name(atom).ok_or_else(|| wrong("expected a sort".into()))?;
                scope.sort(&name).ok_or_else(|| wrong(format!("there is no sort {}", SymbolText(&name))))
            }
        },
        Sexpr::List(items, _) => match &items[..] {
            [head, index, element] if head.as_symbol() == Some("Array") => {
                let (index, element) = (parse_sort(pool, index, scope)?, parse_sort(pool, element, scope)?);
                Ok(pool.array_sort(index, element))
            }
            [under, head, width] if under.as_symbol() == Some("_") && head.as_symbol() == Some("BitVec") => {
                Ok(pool.sort(SortKind::BitVec(parse_width(width)?)))
            }
            _ => Err(wrong("expected a sort".into()).with_hint("for example Int, (_ BitVec 8) or (Array Int Bool)")),
        },
    }
}

/// The width of a bit-vector.
pub(super) fn parse_width(sexpr: &Sexpr) -> Result<u32, TextError> {
    match parse_index(sexpr)? {
        0 => Err(TextError::new(sexpr.span(), "a bit-vector has at least one bit")),
        width => Ok(width),
    }
}

/// A number in an indexed symbol such as `(_ extract 7 0)`.
pub(super) fn parse_index(sexpr: &Sexpr) -> Result<u32, TextError> {
    let digits =
        sexpr.as_atom(AtomKind::Numeral).ok_or_else(|| TextError::new(sexpr.span(), "expected a number here"))?;
    match digits.parse::<u32>() {
        Ok(number) if number <= MAX_WIDTH => Ok(number),
        _ => Err(TextError::new(sexpr.span(), format!("{digits} bits are too many"))
            .with_hint(format!("the limit is {MAX_WIDTH}"))),
    }
}
