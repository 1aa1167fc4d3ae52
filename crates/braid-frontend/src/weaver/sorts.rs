//! Sorts: `Int`, `Bool`, `(Array S S)`; in Braid also `(_ BitVec n)` and declared sorts.

use super::{Read, Reader, symbol, tick};
use crate::{Diagnostic, spelling};
use braid_logic::sexpr::{AtomKind, Sexpr};
use braid_program::ast::Type;

/// The widest bit-vector. Engines give up long before; this keeps sums of widths small.
pub(super) const WIDEST: u32 = 65_536;
/// How many parts a sort may have.
const LARGEST_SORT: usize = 200;

impl Reader {
    pub(super) fn sort(&self, item: &Sexpr) -> Read<Type> {
        let mut parts = 0;
        self.sort_part(item, &mut parts)
    }

    fn sort_part(&self, item: &Sexpr, parts: &mut usize) -> Read<Type> {
        *parts += 1;
        if *parts > LARGEST_SORT {
            return Err(self.wrong(item, format!("a sort has at most {LARGEST_SORT} parts")));
        }
        if let Some(name) = symbol(item) {
            return self.named_sort(item, name);
        }
        let items = item.as_list().unwrap_or_default();
        match (self.head(item), items) {
            (Some("Array"), [_, index, element]) => {
                let index = self.sort_part(index, parts)?;
                let element = self.sort_part(element, parts)?;
                Ok(Type::Array(Box::new(index), Box::new(element)))
            }
            (Some("Array"), _) => Err(self
                .wrong(item, "an array sort has an index sort and an element sort")
                .hint("write `(Array Int Int)`")),
            (Some("_"), [_, word, width]) if symbol(word) == Some("BitVec") => {
                self.only_braid(item, "bit-vectors")?;
                Ok(Type::BitVec(self.width(width)?))
            }
            _ => Err(self.not_a_sort(item)),
        }
    }

    fn named_sort(&self, item: &Sexpr, name: &str) -> Read<Type> {
        match name {
            "Int" => Ok(Type::Int),
            "Bool" => Ok(Type::Bool),
            _ if self.sorts.contains(name) => Ok(Type::Named(name.to_owned())),
            "Array" => Err(self
                .wrong(item, "an array sort has an index sort and an element sort")
                .hint("write `(Array Int Int)`")),
            _ => {
                let error = self.wrong(item, format!("there is no sort {}", tick(name)));
                let known = ["Int", "Bool", "Array"].into_iter().chain(self.sorts.iter().map(String::as_str));
                Err(match (spelling::nearest(name, known), name) {
                    (Some(near), _) => error.hint(format!("did you mean {}?", tick(near))),
                    (None, "Real" | "float" | "double") => error.hint("there are integers only"),
                    _ => error.hint(self.sort_hint()),
                })
            }
        }
    }

    fn not_a_sort(&self, item: &Sexpr) -> Diagnostic {
        self.wrong(item, "this is not a sort").hint(self.sort_hint())
    }

    fn sort_hint(&self) -> &'static str {
        if self.is_braid() {
            "sorts are `Int`, `Bool`, `(Array S S)`, `(_ BitVec n)` and those of `(sort NAME)`"
        } else {
            "sorts are `Int`, `Bool` and `(Array S S)`"
        }
    }

    /// The width of a bit-vector.
    pub(super) fn width(&self, item: &Sexpr) -> Read<u32> {
        match self.small(item)? {
            0 => Err(self.wrong(item, "a bit-vector has at least one bit")),
            width => Ok(width),
        }
    }

    /// A number between 0 and the width of the widest bit-vector.
    pub(super) fn small(&self, item: &Sexpr) -> Read<u32> {
        let number = item.as_atom(AtomKind::Numeral).and_then(|digits| digits.parse().ok());
        match number {
            Some(number) if number <= WIDEST => Ok(number),
            _ => Err(self.wrong(item, format!("this should be a number of at most {WIDEST}"))),
        }
    }
}
