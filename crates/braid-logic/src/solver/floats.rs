//! Operators on floats as Z3's expressions. The binding to Z3 cannot read bits as a float; its parser can. So each
//! operator is parsed once, over parameters, and these are replaced by the operands.
//!
//! What an operator gives is kept as a float too, so that the next one need not read it from its bits.

use super::translate::Translator;
use crate::float::{FloatOp, FloatResult, Format};
use crate::term::Term;
use crate::text::{applied, from_bits, to_bits};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Dynamic};

/// An expression over parameters.
struct Template {
    parameters: Vec<Dynamic>,
    body: Dynamic,
}

/// What has been parsed or calculated so far.
#[derive(Default)]
pub(super) struct Floats {
    /// By the text.
    templates: FxHashMap<String, Template>,
    /// Terms as floats.
    values: FxHashMap<Term, Dynamic>,
}

impl Template {
    /// The expression with its parameters `float!a`, `float!b`, … of a sort.
    fn parse(body: &str, parameters: usize, sort: &str, result: &str) -> Template {
        let names = &NAMES[..parameters];
        let mut script: String = names.iter().map(|name| format!("(declare-const {name} {sort})")).collect();
        script += &format!("(declare-const float!result {result})(assert (= float!result {body}))");
        let solver = z3::Solver::new();
        solver.from_string(script);
        let equation = solver.get_assertions().into_iter().next();
        let body = equation.and_then(|equation| equation.nth_child(1)).expect("Z3 knows SMT-LIB's theory of floats");
        let sort = match sort.strip_prefix("(_ BitVec ") {
            Some(width) => z3::Sort::bitvector(width.trim_end_matches(')').parse().expect("a width")),
            None => {
                let mut numbers = sort.split([' ', ')']).filter_map(|part| part.parse().ok());
                let mut next = || numbers.next().expect("a sort of floats has two numbers");
                z3::Sort::float(next(), next())
            }
        };
        let parameters = names.iter().map(|&name| Dynamic::new_const(name, &sort)).collect();
        Template { parameters, body }
    }

    fn with(&self, operands: &[Dynamic]) -> Dynamic {
        let pairs: Vec<(&Dynamic, &Dynamic)> = self.parameters.iter().zip(operands).collect();
        self.body.substitute(&pairs)
    }
}

const NAMES: [&str; 3] = ["float!a", "float!b", "float!c"];

impl Floats {
    fn apply(&mut self, body: String, sort: &str, result: &str, operands: &[Dynamic]) -> Dynamic {
        let parse = |body: &String| Template::parse(body, operands.len(), sort, result);
        // Conversions from bits differ in nothing but the sort.
        let key = format!("{sort} {body}");
        self.templates.entry(key).or_insert_with(|| parse(&body)).with(operands)
    }
}

fn float_sort(format: Format) -> String {
    format!("(_ FloatingPoint {} {})", format.exponent, format.significand)
}

fn bit_sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

impl Translator<'_> {
    /// A term as a float.
    fn float(&mut self, term: Term, format: Format) -> Dynamic {
        if let Some(known) = self.floats.values.get(&term) {
            return known.clone();
        }
        let bits = [self.known(term).clone()];
        let body = from_bits(format, NAMES[0]);
        let value = self.floats.apply(body, &bit_sort(format.width()), &float_sort(format), &bits);
        self.floats.values.insert(term, value.clone());
        value
    }

    /// The term of an operator, whose operands have been translated.
    pub(super) fn float_operation(&mut self, term: Term, op: FloatOp, format: Format, arguments: &[Term]) -> Dynamic {
        let body = applied(op, format, &NAMES[..op.arity()]);
        let (operands, sort): (Vec<Dynamic>, String) = match op {
            FloatOp::FromSigned(width) | FloatOp::FromUnsigned(width) => {
                (arguments.iter().map(|&argument| self.known(argument).clone()).collect(), bit_sort(width))
            }
            _ => (arguments.iter().map(|&argument| self.float(argument, format)).collect(), float_sort(format)),
        };
        let to = match (op, op.result(format)) {
            (_, FloatResult::Bool) => return self.floats.apply(body, &sort, "Bool", &operands),
            (FloatOp::ToSigned(width) | FloatOp::ToUnsigned(width), _) => {
                return self.floats.apply(body, &sort, &bit_sort(width), &operands);
            }
            (FloatOp::Convert(to), _) => to,
            _ => format,
        };
        let value = self.floats.apply(body, &sort, &float_sort(to), &operands);
        self.floats.values.insert(term, value.clone());
        self.floats.apply(to_bits(to, NAMES[0]), &float_sort(to), &bit_sort(to.width()), &[value])
    }
}
