//! Formulas of proofs as expressions of C, where they speak of integers in global variables alone.
//!
//! Every variable is widened to 64 bits, and wider ones are left out: so nothing overflows that the proof takes for a number.

use super::values::Names;
use braid_frontend::c::tree::Type;
use braid_logic::sexpr::{AtomKind, Sexpr, read_all};

/// Numbers with more digits than this are not written: sums of a few of them could overflow.
const MOST_DIGITS: usize = 12;

/// A formula in SMT-LIB as an expression of C.
pub fn expression(text: &str, names: &Names<'_>) -> Option<String> {
    let read = read_all(text).ok()?;
    let [formula] = read.as_slice() else { return None };
    boolean(formula, names)
}

fn boolean(formula: &Sexpr, names: &Names<'_>) -> Option<String> {
    match formula.as_symbol() {
        Some("true") => return Some("1".into()),
        Some("false") => return Some("0".into()),
        _ => {}
    }
    let (operator, arguments) = formula.as_list()?.split_first()?;
    let operator = operator.as_symbol()?;
    let booleans = || arguments.iter().map(|argument| boolean(argument, names)).collect::<Option<Vec<String>>>();
    match (operator, arguments) {
        ("and", _) => Some(format!("({})", booleans()?.join(" && "))),
        ("or", _) => Some(format!("({})", booleans()?.join(" || "))),
        ("not", [one]) => Some(format!("!{}", boolean(one, names)?)),
        ("=>", [one, other]) => Some(format!("(!{} || {})", boolean(one, names)?, boolean(other, names)?)),
        ("=", [one, other]) => compared(one, "==", other, names),
        ("<=" | "<" | ">=" | ">", [one, other]) => compared(one, operator, other, names),
        _ => None,
    }
}

fn compared(one: &Sexpr, operator: &str, other: &Sexpr, names: &Names<'_>) -> Option<String> {
    Some(format!("({} {operator} {})", number(one, names)?, number(other, names)?))
}

fn number(term: &Sexpr, names: &Names<'_>) -> Option<String> {
    if let Some(digits) = term.as_atom(AtomKind::Numeral) {
        return (digits.len() <= MOST_DIGITS).then(|| format!("{digits}LL"));
    }
    if let Some(name) = term.as_symbol() {
        return match names.global(name)? {
            Type::Bool => Some(format!("(long long){name}")),
            Type::Int { bits, .. } if *bits <= 32 => Some(format!("(long long){name}")),
            _ => None,
        };
    }
    let (operator, arguments) = term.as_list()?.split_first()?;
    let numbers = arguments.iter().map(|argument| number(argument, names)).collect::<Option<Vec<String>>>()?;
    match (operator.as_symbol()?, numbers.as_slice()) {
        ("-", [one]) => Some(format!("-{one}")),
        ("-", [one, other]) => Some(format!("({one} - {other})")),
        ("+", several) => Some(format!("({})", several.join(" + "))),
        // One of both is a numeral.
        ("*", [one, other]) if one.ends_with("LL") && one.len() < 9 => Some(format!("({one} * {other})")),
        _ => None,
    }
}
