//! What SMT-LIB's operators mean: checks the sorts of the arguments and calls the pool's constructors.
//!
//! Operators that the pool has no node for are expressed by others (`xor`, `abs`, …). Products are limited, because a
//! short text with `let` can write an astronomically large power. Bit-vectors have their own file (`bits`).

use super::bits::is_bit_operator;
use super::floats::named_float;
use super::symbol::SymbolText;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sexpr::{Sexpr, Span, TextError};
use crate::sort::Sort;
use crate::term::{Fun, Node, Term};

/// Products with more factors than this are rejected.
const MAX_DEGREE: usize = 256;
/// Products with coefficients of more bits than this are rejected.
const MAX_BITS: u64 = 1 << 16;

/// What stands at the head of a list.
pub(super) enum Head<'a> {
    /// An operator of SMT-LIB, by name.
    Operator(&'a str),
    /// A declared function.
    Function(Fun),
    /// `(_ name index …)`.
    Indexed(&'a str, Span, &'a [Sexpr]),
    /// `(as const sort)`, of an array sort.
    ConstArray(Sort),
}

impl Head<'_> {
    /// Is this the name of an operator (and not that of a function)?
    pub fn is_operator(name: &str) -> bool {
        OPERATORS.contains(&name) || is_bit_operator(name) || named_float(name).is_some()
    }
}

#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "not", "and", "or", "xor", "=>", "implies", "iff", "=", "distinct", "ite", "if", "+", "-", "*", "div",
    "mod", "rem", "abs", "^", "<=", "<", ">=", ">", "select", "store", "to_real", "to_int", "is_int", "/",
];

/// An operator with its arguments, and where they stand.
pub(super) struct Call<'a> {
    pub pool: &'a TermPool,
    pub head: &'a Head<'a>,
    /// The whole list.
    pub span: Span,
    /// The arguments as they were written; as many as `terms`.
    pub sexprs: &'a [Sexpr],
    /// The arguments.
    pub terms: &'a [Term],
}

impl Call<'_> {
    /// The term, in normal form.
    pub fn make(&self) -> Result<Term, TextError> {
        match *self.head {
            Head::Operator(name) if is_bit_operator(name) => self.bit_vector(name),
            Head::Operator(name) => match named_float(name) {
                Some((op, format)) => self.float(op, format),
                None => self.operator(name),
            },
            Head::Function(fun) => self.function(fun),
            Head::Indexed(name, span, indices) => self.indexed(name, span, indices),
            Head::ConstArray(sort) => {
                self.arity(1)?;
                let (_, element) = self.pool.array_sorts(sort).expect("checked when the head was parsed");
                self.expect(0, element)?;
                Ok(self.pool.const_array(sort, self.terms[0]))
            }
        }
    }

    fn operator(&self, name: &str) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        match name {
            "not" => {
                self.arity(1)?;
                self.all(Sort::BOOL)?;
                Ok(pool.not(terms[0]))
            }
            "and" | "or" => {
                self.all(Sort::BOOL)?;
                Ok(if name == "and" { pool.and(terms.iter().copied()) } else { pool.or(terms.iter().copied()) })
            }
            "xor" => {
                self.at_least(1)?;
                self.all(Sort::BOOL)?;
                Ok(self.left(|a, b| pool.not(pool.eq(a, b))))
            }
            "=>" | "implies" => {
                self.at_least(1)?;
                self.all(Sort::BOOL)?;
                let (&last, premises) = terms.split_last().expect("there is an argument");
                Ok(premises.iter().rev().fold(last, |conclusion, &premise| pool.implies(premise, conclusion)))
            }
            "=" | "iff" => {
                self.at_least(2)?;
                self.same_sort(0)?;
                Ok(self.chain(|a, b| pool.eq(a, b)))
            }
            "distinct" => {
                self.at_least(1)?;
                self.same_sort(0)?;
                Ok(pool.distinct(terms))
            }
            "ite" | "if" => {
                self.arity(3)?;
                self.expect(0, Sort::BOOL)?;
                self.same_sort(1)?;
                Ok(pool.ite(terms[0], terms[1], terms[2]))
            }
            "select" | "store" => self.array(name),
            "to_real" | "to_int" | "is_int" | "/" => {
                Err(self.wrong("real numbers are not supported").with_hint("use Int, with `div` and `mod`"))
            }
            _ => self.arithmetic(name),
        }
    }

    fn arithmetic(&self, name: &str) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        self.all(Sort::INT)?;
        match name {
            "+" => {
                self.at_least(1)?;
                Ok(pool.add(terms.iter().copied()))
            }
            "-" => {
                self.at_least(1)?;
                Ok(if terms.len() == 1 { pool.neg(terms[0]) } else { self.left(|a, b| pool.sub(a, b)) })
            }
            "*" => {
                self.at_least(1)?;
                self.product(terms)
            }
            "^" => {
                self.arity(2)?;
                match pool.node(terms[1]) {
                    Node::Integer(Integer::Small(power @ 0..=256)) => self.product(&vec![terms[0]; *power as usize]),
                    _ => Err(self.wrong("the exponent of `^` is a number up to 256")),
                }
            }
            "div" | "mod" => {
                self.at_least(2)?;
                Ok(self.left(|a, b| if name == "div" { pool.div(a, b) } else { pool.modulo(a, b) }))
            }
            "rem" => {
                self.arity(2)?;
                let modulo = pool.modulo(terms[0], terms[1]);
                Ok(pool.ite(pool.ge(terms[1], pool.int(0)), modulo, pool.neg(modulo)))
            }
            "abs" => {
                self.arity(1)?;
                Ok(pool.ite(pool.ge(terms[0], pool.int(0)), terms[0], pool.neg(terms[0])))
            }
            _ => {
                self.at_least(2)?;
                Ok(self.chain(|a, b| match name {
                    "<=" => pool.le(a, b),
                    "<" => pool.lt(a, b),
                    ">=" => pool.ge(a, b),
                    _ => pool.gt(a, b),
                }))
            }
        }
    }

    /// The product of the factors, if it is not too large.
    fn product(&self, factors: &[Term]) -> Result<Term, TextError> {
        let pool = self.pool;
        let measure = |term: Term| {
            let linear = pool.to_linear(term);
            let numbers = linear.parts.iter().map(|(_, c)| c).chain([&linear.constant]);
            let bits = numbers.map(|n| n.to_i64().map_or_else(|| n.to_big().bits(), |_| 0)).max().unwrap_or(0);
            let degree = linear.parts.iter().map(|(part, _)| match pool.node(*part) {
                Node::Product(factors) => factors.len(),
                _ => 1,
            });
            (bits, degree.max().unwrap_or(0))
        };
        let mut product = pool.int(1);
        for &factor in factors {
            let ((bits, degree), (more_bits, more_degree)) = (measure(product), measure(factor));
            if bits + more_bits > MAX_BITS || degree + more_degree > MAX_DEGREE {
                return Err(self.wrong("this product is too large"));
            }
            product = pool.mul(product, factor);
        }
        Ok(product)
    }

    fn array(&self, name: &str) -> Result<Term, TextError> {
        let terms = self.terms;
        self.arity(if name == "select" { 2 } else { 3 })?;
        let Some((index, element)) = self.pool.array_sorts(self.pool.sort_of(terms[0])) else {
            return Err(self.wrong_sort(0, "an array"));
        };
        self.expect(1, index)?;
        if name == "select" {
            return Ok(self.pool.select(terms[0], terms[1]));
        }
        self.expect(2, element)?;
        Ok(self.pool.store(terms[0], terms[1], terms[2]))
    }

    fn function(&self, fun: Fun) -> Result<Term, TextError> {
        let (sorts, _) = self.pool.fun_signature(fun);
        self.at_least(1)?;
        self.arity(sorts.len())?;
        for (position, &sort) in sorts.iter().enumerate() {
            self.expect(position, sort)?;
        }
        Ok(self.pool.apply(fun, self.terms))
    }

    // ---- combining and checking arguments ----

    pub(super) fn left(&self, combine: impl Fn(Term, Term) -> Term) -> Term {
        self.terms.iter().copied().reduce(combine).expect("the number of arguments is checked before")
    }

    fn chain(&self, relate: impl Fn(Term, Term) -> Term) -> Term {
        self.pool.and(self.terms.windows(2).map(|pair| relate(pair[0], pair[1])))
    }

    fn name(&self) -> String {
        match *self.head {
            Head::Operator(name) | Head::Indexed(name, ..) => name.into(),
            Head::Function(fun) => SymbolText(self.pool.fun_name(fun)).to_string(),
            Head::ConstArray(_) => "as const".into(),
        }
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> TextError {
        TextError::new(self.span, message)
    }

    pub(super) fn arity(&self, expected: usize) -> Result<(), TextError> {
        if self.terms.len() == expected {
            return Ok(());
        }
        let plural = if expected == 1 { "" } else { "s" };
        Err(self.wrong(format!("`{}` takes {expected} argument{plural}, not {}", self.name(), self.terms.len())))
    }

    pub(super) fn at_least(&self, least: usize) -> Result<(), TextError> {
        if self.terms.len() >= least {
            return Ok(());
        }
        Err(self.wrong(format!("`{}` takes {least} or more arguments, not {}", self.name(), self.terms.len())))
    }

    pub(super) fn wrong_sort(&self, position: usize, expected: &str) -> TextError {
        let found = self.pool.display_sort(self.pool.sort_of(self.terms[position]));
        let message = format!("`{}` takes {expected} here, and this is of sort {found}", self.name());
        TextError::new(self.sexprs[position].span(), message)
    }

    pub(super) fn expect(&self, position: usize, sort: Sort) -> Result<(), TextError> {
        if self.pool.sort_of(self.terms[position]) == sort {
            return Ok(());
        }
        Err(self.wrong_sort(position, &format!("a term of sort {}", self.pool.display_sort(sort))))
    }

    fn all(&self, sort: Sort) -> Result<(), TextError> {
        (0..self.terms.len()).try_for_each(|position| self.expect(position, sort))
    }

    /// The arguments from the given one on have one sort.
    pub(super) fn same_sort(&self, from: usize) -> Result<(), TextError> {
        let Some(&first) = self.terms.get(from) else { return Ok(()) };
        let sort = self.pool.sort_of(first);
        (from..self.terms.len()).try_for_each(|position| self.expect(position, sort))
    }
}
