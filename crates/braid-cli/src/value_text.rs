//! Values as SMT-LIB text, and back: exact for integers of any size and for arrays.
//!
//! Integers are `5` and `(- 5)`, bit-vectors `(_ bv5 8)`, arrays `(store ((as const (Array Int Int)) 0) 1 7)`, and
//! elements of an uninterpreted sort `(as @3 S)`.

use braid_logic::sexpr::{AtomKind, Sexpr, read_all};
use braid_logic::{ArrayBase, ArrayValue, Cells, Integer, Sort, SortKind, TermPool, Value};
use std::sync::Arc;

/// The text of a value of a sort.
pub fn to_text(pool: &TermPool, sort: Sort, value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) if value.is_negative() => format!("(- {})", value.abs()),
        Value::Int(value) => value.to_string(),
        Value::BitVec(bits, width) => format!("(_ bv{bits} {width})"),
        Value::Element(number) => format!("(as @{number} {})", pool.display_sort(sort)),
        Value::Array(array) => {
            let (index, element) = pool.array_sorts(sort).expect("an array value has an array sort");
            let base = match &array.base {
                ArrayBase::Constant(value) => {
                    format!("((as const {}) {})", pool.display_sort(sort), to_text(pool, element, value))
                }
                ArrayBase::Input(var) => pool.var_name(*var).to_owned(),
            };
            let mut text = "(store ".repeat(array.cells.len()) + &base;
            for (at, value) in array.cells.iter() {
                text += &format!(" {} {})", to_text(pool, index, at), to_text(pool, element, value));
            }
            text
        }
    }
}

/// The value of a sort that a text stands for.
pub fn from_text(pool: &TermPool, sort: Sort, text: &str) -> Result<Value, String> {
    let wrong = || format!("`{text}` is not a value of sort {}", pool.display_sort(sort));
    match read_all(text).map_err(|_| wrong())?.as_slice() {
        [one] => from_sexpr(pool, sort, one).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn numeral(sexpr: &Sexpr) -> Option<Integer> {
    sexpr.as_atom(AtomKind::Numeral)?.parse().ok()
}

fn from_sexpr(pool: &TermPool, sort: Sort, sexpr: &Sexpr) -> Option<Value> {
    match pool.sort_kind(sort) {
        SortKind::Bool => match sexpr.as_symbol()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        SortKind::Int => match sexpr.as_list() {
            None => numeral(sexpr).map(Value::Int),
            Some([minus, number]) if minus.as_symbol() == Some("-") => Some(Value::Int(-numeral(number)?)),
            Some(_) => None,
        },
        SortKind::BitVec(width) => {
            let [underscore, bits, size] = sexpr.as_list()? else { return None };
            let fits = underscore.as_symbol() == Some("_") && numeral(size) == Some(Integer::from(i64::from(*width)));
            let bits: Integer = bits.as_symbol()?.strip_prefix("bv")?.parse().ok()?;
            let bits = bits.to_big().to_biguint().filter(|bits| bits.bits() <= u64::from(*width))?;
            fits.then_some(Value::BitVec(bits, *width))
        }
        SortKind::Uninterpreted(_) => {
            let [head, element, _] = sexpr.as_list()? else { return None };
            let number = element.as_symbol()?.strip_prefix('@')?.parse().ok()?;
            (head.as_symbol() == Some("as")).then_some(Value::Element(number))
        }
        SortKind::Array { index, element } => {
            // Writes are nested from the outside in; they are made from the inside out.
            let (mut rest, mut writes) = (sexpr, Vec::new());
            while let [store, array, at, value] = rest.as_list()? {
                if store.as_symbol() != Some("store") {
                    return None;
                }
                writes.push((from_sexpr(pool, *index, at)?, from_sexpr(pool, *element, value)?));
                rest = array;
            }
            let [constant, value] = rest.as_list()? else { return None };
            let [head, name, _] = constant.as_list()? else { return None };
            if (head.as_symbol(), name.as_symbol()) != (Some("as"), Some("const")) {
                return None;
            }
            let base = ArrayBase::Constant(from_sexpr(pool, *element, value)?);
            let mut array = ArrayValue { base, cells: Cells::default() };
            for (at, value) in writes.into_iter().rev() {
                array = array.store(at, value);
            }
            Some(Value::Array(Arc::new(array)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pool: &TermPool, sort: Sort, text: &str) {
        let value = from_text(pool, sort, text).expect(text);
        assert_eq!(to_text(pool, sort, &value), text);
    }

    #[test]
    fn texts_are_read_back_exactly() {
        let pool = TermPool::new();
        check(&pool, Sort::BOOL, "true");
        check(&pool, Sort::INT, "123456789012345678901234567890");
        check(&pool, Sort::INT, "(- 123456789012345678901234567890)");
        check(&pool, pool.sort(SortKind::BitVec(80)), "(_ bv123456789012345678901 80)");
        check(&pool, pool.sort(SortKind::Uninterpreted("S".into())), "(as @7 S)");
        let row = pool.array_sort(Sort::INT, Sort::INT);
        check(&pool, row, "(store (store ((as const (Array Int Int)) 0) (- 1) 5) 3 (- 2))");
        let table = pool.array_sort(Sort::BOOL, row);
        let inner = "((as const (Array Int Int)) 1)";
        check(
            &pool,
            table,
            &format!("(store ((as const (Array Bool (Array Int Int))) {inner}) true (store {inner} 4 5))"),
        );
    }

    #[test]
    fn other_texts_are_refused() {
        let pool = TermPool::new();
        for text in ["", "x", "1 2", "(- x)", "(+ 1 2)", "true", "(", "1.5"] {
            assert!(from_text(&pool, Sort::INT, text).is_err(), "{text}");
        }
        assert!(from_text(&pool, pool.sort(SortKind::BitVec(2)), "(_ bv4 2)").is_err());
    }
}
