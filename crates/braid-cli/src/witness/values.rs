//! Values of the model as constants of C, where the program's types say what they are.

use braid_frontend::c::tree::{Storage, Type, Unit};
use braid_logic::Value;
use rustc_hash::FxHashMap;

/// The types of what witnesses speak of, by name.
pub struct Names<'u> {
    /// Global variables; a name that several have is left out.
    globals: FxHashMap<&'u str, Option<&'u Type>>,
    /// The results of functions without a body of the user's.
    results: FxHashMap<&'u str, &'u Type>,
    /// All variables; a name that stands for several types is left out.
    variables: FxHashMap<&'u str, Option<&'u Type>>,
}

impl<'u> Names<'u> {
    pub fn new(unit: &'u Unit) -> Names<'u> {
        let (mut globals, mut variables) = (FxHashMap::default(), FxHashMap::default());
        for variable in &unit.variables {
            let is_global = variable.storage == Storage::Static && variable.span.file < unit.prelude;
            let ty = Some(&variable.ty.ty).filter(|_| is_global);
            globals.entry(variable.name.as_str()).and_modify(|known| *known = None).or_insert(ty);
            let ty = &variable.ty.ty;
            let known: &mut Option<&Type> = variables.entry(variable.name.as_str()).or_insert(Some(ty));
            *known = known.filter(|known| *known == ty);
        }
        let own = |span: braid_program::source::Span| span.file < unit.prelude;
        let outside = unit.functions.iter().filter(|function| function.body.is_none() || !own(function.span));
        let results = outside.map(|function| (function.name.as_str(), &function.ty.result)).collect();
        Names { globals, results, variables }
    }

    /// The type of a global variable.
    pub fn global(&self, name: &str) -> Option<&'u Type> {
        self.globals.get(name).copied().flatten()
    }

    /// The type of a variable, whichever has the name.
    pub fn variable(&self, name: &str) -> Option<&'u Type> {
        self.variables.get(name).copied().flatten()
    }

    /// The type of what a function returns.
    pub fn result(&self, function: &str) -> Option<&'u Type> {
        self.results.get(function).copied()
    }
}

/// A value of an integer type as C writes it; none of other types.
pub fn literal(value: &Value, ty: &Type) -> Option<String> {
    literal_as(value, ty, ty)
}

/// The same, after it was assigned to a variable of another type.
pub fn literal_as(value: &Value, of: &Type, to: &Type) -> Option<String> {
    let number: i128 = match value {
        Value::Bool(value) => i128::from(*value),
        Value::Int(value) => value.to_string().parse().ok()?,
        Value::BitVec(value, _) => value.to_string().parse().ok()?,
        Value::Element(_) | Value::Array(_) => return None,
    };
    let number = wrapped(wrapped(number, of)?, to)?;
    Some(match number {
        _ if number == i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        _ if number > i128::from(i64::MAX) => format!("{number}ULL"),
        _ if i32::try_from(number).is_err() => format!("{number}LL"),
        _ => number.to_string(),
    })
}

/// A number as a type of at most 64 bits holds it.
fn wrapped(number: i128, ty: &Type) -> Option<i128> {
    match ty {
        Type::Int { bits, signed, .. } if (1..=64).contains(bits) => {
            let (all, half) = (1i128 << bits, 1i128 << (bits - 1));
            let rest = number.rem_euclid(all);
            Some(if *signed && rest >= half { rest - all } else { rest })
        }
        Type::Bool => Some(i128::from(number != 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_constants_of_their_types() {
        let int = |bits, signed| Type::Int { bits, signed, rank: 3 };
        let bits = |value: u64| Value::BitVec(value.into(), 32);
        let check = |value: Value, ty: Type, expected: Option<&str>| {
            assert_eq!(literal(&value, &ty).as_deref(), expected, "{value:?} {ty:?}");
        };
        check(bits(0xffff_ffff), int(32, true), Some("-1"));
        check(bits(0xffff_ffff), int(32, false), Some("4294967295LL"));
        check(Value::Int((-7).into()), int(32, true), Some("-7"));
        check(Value::Int(i64::MIN.into()), int(64, true), Some("(-9223372036854775807LL - 1)"));
        check(Value::Bool(true), Type::Bool, Some("1"));
        check(Value::Int(3.into()), Type::Float { bits: 32 }, None);
        let assigned = |value: i64, of, to| literal_as(&Value::Int(value.into()), &of, &to);
        assert_eq!(assigned(-1, int(32, true), Type::Bool).as_deref(), Some("1"));
        assert_eq!(assigned(300, int(32, true), int(8, true)).as_deref(), Some("44"));
    }
}
