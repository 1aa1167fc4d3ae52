//! Concrete values, models, and the evaluation of terms.
//!
//! An [`Environment`] may leave a variable, a function's result or an array's cell open; evaluation then says *what*
//! was open instead of guessing. The explicit engine chooses inputs that way, only when they are first read.

use crate::bitvec::{BvResult, fold, truncated};
use crate::cells::Cells;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{BvOp, Fun, Linear, Node, Term, Var};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A concrete value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A bit-vector: its bits read as unsigned, and its width.
    BitVec(BigUint, u32),
    /// An element of an uninterpreted sort, by number.
    Element(u32),
    /// An array.
    Array(Arc<ArrayValue>),
}

/// The value of an array: a base, and the cells that differ from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// What is in all cells but the written ones.
    pub base: ArrayBase,
    /// The written cells. Over a constant base, none holds the base's element.
    pub cells: Cells,
}

/// What an array holds where nothing was written.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ArrayBase {
    /// The same element everywhere.
    Constant(Value),
    /// The unknown initial content of a variable, asked of the environment cell by cell.
    Input(Var),
}

impl ArrayValue {
    /// The array with one cell written.
    pub fn store(&self, index: Value, element: Value) -> ArrayValue {
        let mut written = self.clone();
        if written.base == ArrayBase::Constant(element.clone()) {
            written.cells.remove(&index);
        } else {
            written.cells.insert(index, element);
        }
        written
    }
}

/// What an evaluation found open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The value of a variable.
    Var(Var),
    /// The result of a function on these arguments.
    Application(Fun, Vec<Value>),
    /// A cell of the initial content of an array variable.
    Cell(Var, Value),
    /// Something that no finite choice settles: a quantifier, a division by zero, equality of unknown arrays.
    Undetermined(&'static str),
}

/// Where evaluation looks values up.
pub trait Environment {
    /// The value of a variable, if it is known.
    fn var(&self, var: Var) -> Option<Value>;
    /// The result of a function, if it is known.
    fn application(&self, fun: Fun, arguments: &[Value]) -> Option<Value>;
    /// A cell of the initial content of an array variable, if it is known.
    fn cell(&self, var: Var, index: &Value) -> Option<Value>;
}

/// A function given by a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTable {
    /// Results for single argument lists.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The result for all others.
    pub otherwise: Value,
}

/// Values for variables and functions. What is not in it may have any value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// The variables' values.
    pub vars: FxHashMap<Var, Value>,
    /// The functions' tables.
    pub funs: FxHashMap<Fun, FunctionTable>,
}

/// A model where everything that it does not mention has the first value of its sort.
struct Completed<'a> {
    pool: &'a TermPool,
    model: &'a Model,
}

impl Environment for Completed<'_> {
    fn var(&self, var: Var) -> Option<Value> {
        let known = self.model.vars.get(&var).cloned();
        known.or_else(|| Some(self.pool.first_value(self.pool.var_sort(var))))
    }

    fn application(&self, fun: Fun, arguments: &[Value]) -> Option<Value> {
        match self.model.funs.get(&fun) {
            Some(table) => Some(table.entries.get(arguments).unwrap_or(&table.otherwise).clone()),
            None => Some(self.pool.first_value(self.pool.fun_signature(fun).1)),
        }
    }

    fn cell(&self, _: Var, _: &Value) -> Option<Value> {
        None
    }
}

impl TermPool {
    /// The first value of a sort: false, 0, the array of first values.
    pub fn first_value(&self, sort: Sort) -> Value {
        match self.sort_kind(sort) {
            SortKind::Bool => Value::Bool(false),
            SortKind::Int => Value::Int(Integer::ZERO),
            SortKind::BitVec(width) => Value::BitVec(BigUint::default(), *width),
            SortKind::Uninterpreted(_) => Value::Element(0),
            SortKind::Array { element, .. } => {
                let base = ArrayBase::Constant(self.first_value(*element));
                Value::Array(Arc::new(ArrayValue { base, cells: Cells::default() }))
            }
        }
    }

    /// The value of a term in a model, completed by first values. None for quantifiers and divisions by zero.
    pub fn evaluate_in(&self, term: Term, model: &Model) -> Option<Value> {
        self.evaluate(term, &Completed { pool: self, model }).ok()
    }

    /// Does the formula hold in the model? None where that cannot be told by evaluation.
    pub fn holds_in(&self, formula: Term, model: &Model) -> Option<bool> {
        match self.evaluate_in(formula, model)? {
            Value::Bool(value) => Some(value),
            _ => unreachable!("formulas are Boolean"),
        }
    }

    /// The value of a term, or what it depends on that is open.
    pub fn evaluate(&self, term: Term, environment: &impl Environment) -> Result<Value, Open> {
        let eval = |term: Term| self.evaluate(term, environment);
        let truth = |term: Term| -> Result<bool, Open> {
            match self.evaluate(term, environment)? {
                Value::Bool(value) => Ok(value),
                _ => unreachable!("formulas are Boolean"),
            }
        };
        let int = |term: Term| -> Result<Integer, Open> {
            match self.evaluate(term, environment)? {
                Value::Int(value) => Ok(value),
                _ => unreachable!("arithmetic is over integers"),
            }
        };
        let sum = |linear: &Linear| -> Result<Integer, Open> {
            let mut total = linear.constant.clone();
            for (part, c) in &linear.parts {
                total += &(c * &int(*part)?);
            }
            Ok(total)
        };
        Ok(match self.node(term) {
            Node::True => Value::Bool(true),
            Node::False => Value::Bool(false),
            Node::Integer(value) => Value::Int(value.clone()),
            Node::BitVec { value, width } => Value::BitVec(value.clone(), *width),
            Node::Var(var) => environment.var(*var).ok_or(Open::Var(*var))?,
            Node::Not(a) => Value::Bool(!truth(*a)?),
            Node::And(items) => Value::Bool(decide(items, false, truth)?),
            Node::Or(items) => Value::Bool(decide(items, true, truth)?),
            Node::Ite(condition, then, other) => return eval(if truth(*condition)? { *then } else { *other }),
            Node::Eq(a, b) => Value::Bool(equal(&eval(*a)?, &eval(*b)?)?),
            Node::Le(linear) => Value::Bool(!sum(linear)?.is_positive()),
            Node::Zero(linear) => Value::Bool(sum(linear)?.is_zero()),
            Node::Sum(linear) => Value::Int(sum(linear)?),
            Node::Product(factors) => {
                let mut total = Integer::ONE;
                for &factor in factors {
                    total = &total * &int(factor)?;
                }
                Value::Int(total)
            }
            Node::Div(a, b) | Node::Mod(a, b) => {
                let (a, b) = (int(*a)?, int(*b)?);
                if b.is_zero() {
                    return Err(Open::Undetermined("a division by zero"));
                }
                let is_div = matches!(self.node(term), Node::Div(..));
                Value::Int(if is_div { a.div_euclid(&b) } else { a.rem_euclid(&b) })
            }
            Node::Apply(fun, arguments) => {
                let arguments: Vec<Value> =
                    arguments.iter().map(|&argument| eval(argument)).collect::<Result<_, _>>()?;
                let known = environment.application(*fun, &arguments);
                return known.ok_or(Open::Application(*fun, arguments));
            }
            Node::Select(array, index) => {
                let (array, index) = (eval(*array)?, eval(*index)?);
                let Value::Array(array) = array else { unreachable!("select reads an array") };
                return read(&array, index, environment);
            }
            Node::Store(array, index, element) => {
                let (array, index, element) = (eval(*array)?, eval(*index)?, eval(*element)?);
                let Value::Array(array) = array else { unreachable!("store writes an array") };
                Value::Array(Arc::new(array.store(index, element)))
            }
            Node::ConstArray(element) => {
                let base = ArrayBase::Constant(eval(*element)?);
                Value::Array(Arc::new(ArrayValue { base, cells: Cells::default() }))
            }
            Node::Bv(BvOp::FromInt(width), arguments) => {
                Value::BitVec(truncated(&int(arguments[0])?.to_big(), *width), *width)
            }
            Node::Bv(op, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    match eval(argument)? {
                        Value::BitVec(value, width) => values.push((value, width)),
                        _ => unreachable!("a bit-vector operation on bit-vectors"),
                    }
                }
                match fold(*op, &values) {
                    BvResult::Bits(value, width) => Value::BitVec(value, width),
                    BvResult::Bool(value) => Value::Bool(value),
                    BvResult::Int(value) => Value::Int(value),
                }
            }
            Node::Quantifier { .. } => return Err(Open::Undetermined("a quantifier")),
        })
    }
}

/// The value of a junction, where one item of value `settles` is enough whatever is open in the others.
fn decide(items: &[Term], settles: bool, truth: impl Fn(Term) -> Result<bool, Open>) -> Result<bool, Open> {
    let mut open = None;
    for &item in items {
        match truth(item) {
            Ok(value) if value == settles => return Ok(settles),
            Ok(_) => {}
            Err(reason) => open = open.or(Some(reason)),
        }
    }
    open.map_or(Ok(!settles), Err)
}

/// Reads one cell of an array.
pub fn read(array: &ArrayValue, index: Value, environment: &impl Environment) -> Result<Value, Open> {
    if let Some(element) = array.cells.get(&index) {
        return Ok(element.clone());
    }
    match &array.base {
        ArrayBase::Constant(element) => Ok(element.clone()),
        ArrayBase::Input(var) => environment.cell(*var, &index).ok_or(Open::Cell(*var, index)),
    }
}

fn equal(a: &Value, b: &Value) -> Result<bool, Open> {
    let (Value::Array(x), Value::Array(y)) = (a, b) else { return Ok(a == b) };
    match (&x.base, &y.base) {
        _ if x == y => Ok(true),
        // Over infinitely many indices, arrays with different constant bases differ somewhere, and cells over one
        // base are kept minimal; over finitely many the cells could cover all indices.
        (ArrayBase::Constant(p), ArrayBase::Constant(q)) if p == q => Ok(false),
        (ArrayBase::Constant(_), ArrayBase::Constant(_)) if has_infinite_indices(x, y) => Ok(false),
        _ => Err(Open::Undetermined("an equality of arrays whose content is open")),
    }
}

fn has_infinite_indices(x: &ArrayValue, y: &ArrayValue) -> bool {
    x.cells.iter().chain(y.cells.iter()).all(|(index, _)| matches!(index, Value::Int(_)))
}
