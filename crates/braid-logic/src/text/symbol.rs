//! How the names of variables, functions and sorts are written: plainly where SMT-LIB allows it, in bars otherwise.
//!
//! SMT-LIB has no way to write a name that contains a bar or a backslash, nor one that is a word of its own (a program's
//! variable `select`). Those are written with a leading `'` and with `%` escapes, so that every name can be read back.

use crate::sexpr::{Atom, AtomKind, is_symbol_byte};
use std::borrow::Cow;
use std::fmt;

/// A name, displayed as a symbol of SMT-LIB. [`symbol_name`] is the way back.
#[derive(Clone, Copy, Debug)]
pub struct SymbolText<'a>(pub &'a str);

const ESCAPES: [(char, &str); 3] = [('%', "%25"), ('|', "%7c"), ('\\', "%5c")];

impl fmt::Display for SymbolText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        if is_reserved(name) || name.starts_with('\'') || name.contains(['|', '\\']) {
            f.write_str("|'")?;
            for char in name.chars() {
                match ESCAPES.iter().find(|(escaped, _)| *escaped == char) {
                    Some((_, escape)) => f.write_str(escape)?,
                    None => write!(f, "{char}")?,
                }
            }
            return f.write_str("|");
        }
        let plain = name.bytes().all(is_symbol_byte) && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        if plain { f.write_str(name) } else { write!(f, "|{name}|") }
    }
}

/// The name that a symbol, quoted or not, was written for; none for atoms of other kinds.
pub fn symbol_name(atom: &Atom) -> Option<Cow<'_, str>> {
    match (atom.kind, atom.text.strip_prefix('\'')) {
        (AtomKind::QuotedSymbol, Some(escaped)) => {
            let mut name = String::with_capacity(escaped.len());
            let mut rest = escaped;
            while let Some(char) = rest.chars().next() {
                match ESCAPES.iter().find(|(_, escape)| rest.starts_with(escape)) {
                    Some((escaped, escape)) => {
                        name.push(*escaped);
                        rest = &rest[escape.len()..];
                    }
                    None => {
                        name.push(char);
                        rest = &rest[char.len_utf8()..];
                    }
                }
            }
            Some(Cow::Owned(name))
        }
        (AtomKind::QuotedSymbol | AtomKind::Symbol, _) => Some(Cow::Borrowed(&atom.text)),
        _ => None,
    }
}

/// Words that SMT-LIB or a solver gives a meaning of its own.
fn is_reserved(name: &str) -> bool {
    name.starts_with("bv") && RESERVED_BV.contains(&&name[2..])
        || RESERVED.contains(&name)
        || name.starts_with("float.")
}

#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "_", "!", "as", "let", "forall", "exists", "lambda", "match", "par", "BINARY", "DECIMAL", "HEXADECIMAL",
    "NUMERAL", "STRING", "assert", "check-sat", "declare-const", "declare-fun", "declare-sort", "define-fun",
    "define-sort", "echo", "exit", "get-model", "get-value", "pop", "push", "reset", "set-info", "set-logic",
    "set-option", "true", "false", "not", "and", "or", "xor", "=>", "implies", "iff", "=", "distinct", "ite",
    "if", "+", "-", "*", "/", "div", "mod", "rem", "abs", "<=", "<", ">=", ">", "^", "to_real", "to_int",
    "is_int", "divisible", "select", "store", "const", "default", "map", "union", "subset", "concat",
    "extract", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right", "int2bv", "int_to_bv",
    "ubv_to_int", "sbv_to_int", "bit2bool", "as-array", "pi", "euler", "sin", "cos", "tan", "exp", "is",
    "Bool", "Int", "Real", "String", "RegLan", "RoundingMode", "Array", "BitVec", "Seq",
];

#[rustfmt::skip]
const RESERVED_BV: &[&str] = &[
    "neg", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "smod", "not", "and", "or", "xor", "nand",
    "nor", "xnor", "comp", "shl", "lshr", "ashr", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge",
    "2nat", "2int", "redor", "redand",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexpr::{Sexpr, read_all};

    #[test]
    fn every_name_is_read_back() {
        for (name, text) in [
            ("x", "x"),
            ("x@3", "x@3"),
            ("x@3'", "|x@3'|"),
            ("", "||"),
            ("3x", "|3x|"),
            ("main::i", "|main::i|"),
            ("größe", "|größe|"),
            ("select", "|'select|"),
            ("bvadd", "|'bvadd|"),
            ("bvalue", "bvalue"),
            ("'", "|''|"),
            ("a|b\\c%7c", "|'a%7cb%5cc%257c|"),
        ] {
            assert_eq!(SymbolText(name).to_string(), text);
            let read = read_all(text).expect("a symbol");
            let Sexpr::Atom(atom, _) = &read[0] else { panic!("{text} is an atom") };
            assert_eq!(symbol_name(atom).as_deref(), Some(name));
        }
    }
}
