//! The model of a satisfiable query, put together from the simplex's solution on demand.

use super::LinearSolver;
use super::library::{Array, Head, Outcome, Proposition};
use crate::number::Integer;
use crate::sort::Sort;
use crate::term::Var;
use crate::value::{ArrayBase, ArrayValue, FunctionTable, Model, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

impl LinearSolver<'_> {
    pub(super) fn build_model_from(&self, values: &[Integer]) -> Model {
        let mut model = Model::default();
        // Only array equalities bring in variables of their own.
        let own_only = !self.query.array_equalities.is_empty();
        let wanted = |var: Var| !own_only || self.formulas.iter().any(|&formula| self.pool.mentions(formula, var));
        for &opaque in &self.query.entered_opaques {
            if let Some(var) = self.library.opaques[opaque as usize].var
                && wanted(var)
            {
                let variable = self.query.opaques.get(opaque).expect("an opaque term of the query");
                model.vars.insert(var, Value::Int(values[variable as usize].clone()));
            }
        }
        for &id in self.query.origin.iter().flatten() {
            if let Proposition::Var(var) = &self.library.propositions[id as usize] {
                model.vars.insert(*var, Value::Bool(self.query.truth(id)));
            }
        }
        for &read in &self.query.reads {
            let read = &self.library.reads[read as usize];
            let Head::Function(fun) = read.head else { continue };
            let (sorts, sort) = self.pool.fun_signature(fun);
            let arguments = read.arguments.iter().zip(sorts).map(|(form, sort)| {
                let value = self.query.evaluate(form, values);
                if *sort == Sort::BOOL { Value::Bool(!value.is_zero()) } else { Value::Int(value) }
            });
            let result = self.result_value(read.result, values);
            let result = match read.result {
                Outcome::Bool(_) => Value::Bool(!result.is_zero()),
                Outcome::Int(_) => Value::Int(result),
            };
            let otherwise = self.pool.first_value(sort);
            let table = model.funs.entry(fun).or_insert_with(|| FunctionTable { entries: BTreeMap::new(), otherwise });
            table.entries.insert(arguments.collect(), result);
        }
        for (local, &array) in self.query.entered_arrays.iter().enumerate() {
            if let Array::Var(var) = self.library.arrays[array as usize] {
                model.vars.insert(var, self.array_value(local, values));
            }
        }
        model
    }

    fn array_value(&self, local: usize, values: &[Integer]) -> Value {
        let mut default = Integer::ZERO;
        let mut cells: BTreeMap<Value, Value> = BTreeMap::new();
        if let Some((known_default, known)) = self.array_model.arrays.get(local) {
            default = known_default.clone();
            cells.extend(known.iter().map(|(index, element)| (Value::Int(index.clone()), Value::Int(element.clone()))));
        } else {
            let array = self.query.entered_arrays[local];
            for read in self.query.reads.iter().map(|&read| &self.library.reads[read as usize]) {
                if read.head == Head::Array(array) {
                    let index = self.query.evaluate(&read.arguments[0], values);
                    cells.insert(Value::Int(index), Value::Int(self.result_value(read.result, values)));
                }
            }
        }
        let default = Value::Int(default);
        cells.retain(|_, element| *element != default);
        Value::Array(Arc::new(ArrayValue { base: ArrayBase::Constant(default), cells: cells.into_iter().collect() }))
    }
}
