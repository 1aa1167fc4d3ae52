//! From the values that a backend names to a [`Model`] of the query's variables and functions.
//!
//! A function's table holds what the query's own applications evaluate to, which is all that the query can see.
//! Z3's array values are recognised by the names of their operations, which are the same in all versions.

use crate::cells::Cells;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{Node, Term, Var};
use crate::value::{ArrayBase, ArrayValue, FunctionTable, Model, Value};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use z3::ast::{Ast, AstKind, Dynamic};

/// The free variables of a query and the applications in it that no quantifier binds, subterms first.
pub(super) struct Symbols {
    pub vars: Vec<Var>,
    pub applications: Vec<Term>,
}

impl Symbols {
    pub fn of(pool: &TermPool, formulas: &[Term]) -> Self {
        let mut vars: Vec<Var> = formulas.iter().flat_map(|&formula| pool.free_vars(formula)).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        let mut symbols = Symbols { vars, applications: Vec::new() };
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut bound: FxHashSet<Var> = FxHashSet::default();
        let mut waiting: Vec<Term> = formulas.to_vec();
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) {
                continue;
            }
            match pool.node(term) {
                Node::Apply(..) => symbols.applications.push(term),
                Node::Quantifier { bound: vars, .. } => bound.extend(vars),
                _ => {}
            }
            pool.node(term).for_each_child(|child| waiting.push(child));
        }
        symbols.applications.retain(|&term| !pool.free_vars(term).iter().any(|var| bound.contains(var)));
        // A term is made after its subterms.
        symbols.applications.sort_unstable();
        symbols
    }
}

/// Builds the model out of what `value_of` says about the query's variables and applications.
pub(super) fn build(
    pool: &TermPool,
    formulas: &[Term],
    mut value_of: impl FnMut(Term) -> Option<Value>,
) -> Option<Model> {
    let symbols = Symbols::of(pool, formulas);
    let mut model = Model::default();
    for var in symbols.vars {
        model.vars.insert(var, value_of(pool.of_var(var))?);
    }
    for term in symbols.applications {
        let Node::Apply(fun, arguments) = pool.node(term) else { unreachable!("only applications are collected") };
        let Some(arguments) = arguments.iter().map(|&a| pool.evaluate_in(a, &model)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let value = value_of(term)?;
        let otherwise = || pool.first_value(pool.fun_signature(*fun).1);
        let table = model
            .funs
            .entry(*fun)
            .or_insert_with(|| FunctionTable { entries: BTreeMap::new(), otherwise: otherwise() });
        table.entries.insert(arguments, value);
    }
    Some(model)
}

/// Gives the variables and functions of a query that a model leaves open their first values.
pub(super) fn complete(pool: &TermPool, formulas: &[Term], model: &mut Model) {
    let symbols = Symbols::of(pool, formulas);
    for var in symbols.vars {
        model.vars.entry(var).or_insert_with(|| pool.first_value(pool.var_sort(var)));
    }
    for term in symbols.applications {
        let Node::Apply(fun, _) = pool.node(term) else { unreachable!("only applications are collected") };
        let otherwise = || pool.first_value(pool.fun_signature(*fun).1);
        model.funs.entry(*fun).or_insert_with(|| FunctionTable { entries: BTreeMap::new(), otherwise: otherwise() });
    }
}

/// Elements of uninterpreted sorts, numbered per sort in the order in which they are met.
#[derive(Default)]
pub(super) struct Elements {
    numbers: FxHashMap<Sort, FxHashMap<String, u32>>,
}

impl Elements {
    pub fn number(&mut self, sort: Sort, name: String) -> u32 {
        let known = self.numbers.entry(sort).or_default();
        let next = known.len() as u32;
        *known.entry(name).or_insert(next)
    }
}

/// Reads the values of one Z3 model.
pub(super) struct Z3Values<'a> {
    pub pool: &'a TermPool,
    pub model: &'a z3::Model,
    pub elements: Elements,
}

impl Z3Values<'_> {
    /// The value that a closed expression of Z3 stands for.
    pub fn value(&mut self, value: &Dynamic, sort: Sort) -> Option<Value> {
        let evaluated = self.model.eval(value, true)?;
        self.read(&evaluated, sort)
    }

    fn read(&mut self, value: &Dynamic, sort: Sort) -> Option<Value> {
        Some(match self.pool.sort_kind(sort) {
            SortKind::Bool => Value::Bool(value.as_bool()?.as_bool()?),
            SortKind::Int => Value::Int(match value.as_int()?.as_i64() {
                Some(small) => Integer::from(small),
                None => parse_integer(&value.to_string())?,
            }),
            SortKind::BitVec(width) => Value::BitVec(parse_bits(&value.to_string())?, *width),
            SortKind::Uninterpreted(_) => Value::Element(self.elements.number(sort, value.to_string())),
            SortKind::Array { index, element } => Value::Array(Arc::new(self.array(value, *index, *element)?)),
        })
    }

    fn array(&mut self, value: &Dynamic, index: Sort, element: Sort) -> Option<ArrayValue> {
        if let Some(fun) = value.as_array()?.as_array_func_decl() {
            let table = self.model.get_func_interp(&fun)?;
            let otherwise = self.value(&table.get_else()?, element)?;
            let mut array = ArrayValue { base: ArrayBase::Constant(otherwise), cells: Cells::default() };
            for entry in table.get_entries() {
                let at = self.value(entry.get_args().first()?, index)?;
                array = array.store(at, self.value(&entry.get_value(), element)?);
            }
            return Some(array);
        }
        // Stores are unwound from the outside, and then applied from the inside.
        let mut writes = Vec::new();
        let mut inner = value.clone();
        while inner.kind() == AstKind::App && inner.decl().name() == "store" {
            let [array, at, written] = &inner.children()[..] else { return None };
            writes.push((self.value(at, index)?, self.value(written, element)?));
            inner = array.clone();
        }
        let mut array = match inner.kind() == AstKind::App && inner.decl().name() == "const" {
            true => {
                let base = self.value(&inner.nth_child(0)?, element)?;
                ArrayValue { base: ArrayBase::Constant(base), cells: Cells::default() }
            }
            false if !writes.is_empty() => self.array(&inner, index, element)?,
            false => return None,
        };
        for (at, written) in writes.into_iter().rev() {
            array = array.store(at, written);
        }
        Some(array)
    }
}

/// A numeral of SMT-LIB: `5`, `-5` or `(- 5)`.
pub(super) fn parse_integer(text: &str) -> Option<Integer> {
    match text.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')')) {
        Some(digits) => digits.trim().parse::<Integer>().ok().map(|value| -value),
        None => text.trim().parse().ok(),
    }
}

/// A bit-vector literal of SMT-LIB: `#x0f` or `#b0101`.
pub(super) fn parse_bits(text: &str) -> Option<BigUint> {
    let (digits, radix) = match text.strip_prefix("#x") {
        Some(digits) => (digits, 16),
        None => (text.strip_prefix("#b")?, 2),
    };
    BigUint::parse_bytes(digits.as_bytes(), radix)
}
