//! What SMT-LIB's operators mean: checks the sorts of the arguments and calls the pool's constructors.
//!
//! Operators that the pool has no node for are expressed by others (`bvsub`, `xor`, `abs`, …). Products are limited,
//! because a short text with `let` can write an astronomically large power.

use super::scope::{MAX_WIDTH, parse_index, parse_width};
use super::symbol::SymbolText;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sexpr::{Sexpr, Span, TextError};
use crate::sort::Sort;
use crate::term::{BvOp, Fun, Node, Term};

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
        OPERATORS.contains(&name) || (name.starts_with("bv") && BV_OPERATORS.contains(&plain_bv(name)))
    }
}

const OPERATORS: &[&str] = &[
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "implies",
    "iff",
    "=",
    "distinct",
    "ite",
    "if",
    "+",
    "-",
    "*",
    "div",
    "mod",
    "rem",
    "abs",
    "^",
    "<=",
    "<",
    ">=",
    ">",
    "select",
    "store",
    "concat",
    "bv2nat",
    "bv2int",
    "ubv_to_int",
    "sbv_to_int",
    "to_real",
    "to_int",
    "is_int",
    "/",
];

const BV_OPERATORS: &[&str] = &[
    "bvneg", "bvnot", "bvadd", "bvmul", "bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvand", "bvor",
    "bvxor", "bvnand", "bvnor", "bvxnor", "bvcomp", "bvshl", "bvlshr", "bvashr", "bvult", "bvule", "bvugt", "bvuge",
    "bvslt", "bvsle", "bvsgt", "bvsge",
];

/// Z3 marks divisions whose divisor it knows to be other than 0: `bvudiv_i`.
fn plain_bv(name: &str) -> &str {
    name.strip_suffix("_i").unwrap_or(name)
}

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
            Head::Operator(name) if name.starts_with("bv") && !name.starts_with("bv2") => self.bit_vector(name),
            Head::Operator(name) => self.operator(name),
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
            "concat" => self.concat(),
            "bv2nat" | "bv2int" | "ubv_to_int" => {
                self.arity(1)?;
                self.width(0)?;
                Ok(pool.bv(BvOp::ToInt, terms))
            }
            "sbv_to_int" => {
                self.arity(1)?;
                let width = self.width(0)?;
                let (value, zero) = (pool.bv(BvOp::ToInt, terms), pool.bv_value(&Integer::ZERO, width));
                let modulus = pool.int(Integer::from(num_bigint::BigInt::from(1) << width));
                Ok(pool.ite(pool.bv(BvOp::Slt, &[terms[0], zero]), pool.sub(value, modulus), value))
            }
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
        self.arity(sorts.len())?;
        for (position, &sort) in sorts.iter().enumerate() {
            self.expect(position, sort)?;
        }
        Ok(self.pool.apply(fun, self.terms))
    }

    fn bit_vector(&self, name: &str) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        let name = plain_bv(name);
        let width = if terms.is_empty() { 1 } else { self.width(0)? };
        match name {
            "bvneg" | "bvnot" => self.arity(1)?,
            "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor" | "bvxnor" => self.at_least(1)?,
            _ => self.arity(2)?,
        }
        self.same_sort(0)?;
        let bv = |op: BvOp, a: Term, b: Term| pool.bv(op, &[a, b]);
        let not = |a: Term| pool.bv(BvOp::Not, &[a]);
        let flipped = |op: BvOp| bv(op, terms[1], terms[0]);
        let straight = |op: BvOp| bv(op, terms[0], terms[1]);
        Ok(match name {
            "bvneg" => pool.bv(BvOp::Neg, terms),
            "bvnot" => not(terms[0]),
            "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor" if terms.len() == 1 => terms[0],
            "bvadd" => pool.bv(BvOp::Add, terms),
            "bvmul" => pool.bv(BvOp::Mul, terms),
            "bvsub" => bv(BvOp::Add, terms[0], pool.bv(BvOp::Neg, &[terms[1]])),
            "bvand" => self.left(|a, b| bv(BvOp::And, a, b)),
            "bvor" => self.left(|a, b| bv(BvOp::Or, a, b)),
            "bvxor" => self.left(|a, b| bv(BvOp::Xor, a, b)),
            "bvxnor" => self.left(|a, b| not(bv(BvOp::Xor, a, b))),
            "bvnand" => not(straight(BvOp::And)),
            "bvnor" => not(straight(BvOp::Or)),
            "bvcomp" => {
                let bit = |value: i32| pool.bv_value(&Integer::from(value), 1);
                pool.ite(pool.eq(terms[0], terms[1]), bit(1), bit(0))
            }
            "bvudiv" => straight(BvOp::Udiv),
            "bvurem" => straight(BvOp::Urem),
            "bvsdiv" => straight(BvOp::Sdiv),
            "bvsrem" => straight(BvOp::Srem),
            "bvsmod" => self.signed_modulo(width),
            "bvshl" => straight(BvOp::Shl),
            "bvlshr" => straight(BvOp::Lshr),
            "bvashr" => straight(BvOp::Ashr),
            "bvult" => straight(BvOp::Ult),
            "bvule" => straight(BvOp::Ule),
            "bvslt" => straight(BvOp::Slt),
            "bvsle" => straight(BvOp::Sle),
            "bvugt" => flipped(BvOp::Ult),
            "bvuge" => flipped(BvOp::Ule),
            "bvsgt" => flipped(BvOp::Slt),
            "bvsge" => flipped(BvOp::Sle),
            _ => unreachable!("all names of BV_OPERATORS are above"),
        })
    }

    /// `bvsmod`: the remainder with the sign of the divisor.
    fn signed_modulo(&self, width: u32) -> Term {
        let (pool, (a, b)) = (self.pool, (self.terms[0], self.terms[1]));
        let zero = pool.bv_value(&Integer::ZERO, width);
        let remainder = pool.bv(BvOp::Srem, &[a, b]);
        let negative = |term: Term| pool.bv(BvOp::Slt, &[term, zero]);
        let same_sign = pool.eq(negative(remainder), negative(b));
        let keep = pool.or([pool.eq(remainder, zero), pool.eq(b, zero), same_sign]);
        pool.ite(keep, remainder, pool.bv(BvOp::Add, &[remainder, b]))
    }

    fn concat(&self) -> Result<Term, TextError> {
        self.at_least(1)?;
        let mut width = 0;
        for position in 0..self.terms.len() {
            width += self.width(position)?;
            self.limit_width(width)?;
        }
        Ok(self.left(|a, b| self.pool.bv(BvOp::Concat, &[a, b])))
    }

    fn indexed(&self, name: &str, span: Span, indices: &[Sexpr]) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        let [first, more @ ..] = indices else { return Err(TextError::new(span, "expected a number after this")) };
        if more.len() != usize::from(name == "extract") {
            return Err(TextError::new(span, format!("wrong number of indices for `{name}`")));
        }
        self.arity(1)?;
        match name {
            "divisible" => {
                self.expect(0, Sort::INT)?;
                let divisor = first.as_atom(crate::sexpr::AtomKind::Numeral).and_then(|n| n.parse::<Integer>().ok());
                match divisor.filter(Integer::is_positive) {
                    Some(divisor) => return Ok(pool.eq(pool.modulo(terms[0], pool.int(divisor)), pool.int(0))),
                    None => return Err(TextError::new(first.span(), "expected a number above 0")),
                }
            }
            "int2bv" | "int_to_bv" => {
                self.expect(0, Sort::INT)?;
                return Ok(pool.bv(BvOp::FromInt(parse_width(first)?), terms));
            }
            "extract" | "bit2bool" | "repeat" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" => {}
            _ => return Err(TextError::new(span, format!("there is no indexed operator {}", SymbolText(name)))),
        }
        let (width, number) = (self.width(0)?, parse_index(first)?);
        let outside =
            || TextError::new(first.span(), format!("this bit is not one of the {width} bits of the argument"));
        let bits = |high: u32, low: u32| pool.bv(BvOp::Extract { high, low }, terms);
        match name {
            "extract" => {
                let low = parse_index(&more[0])?;
                if number >= width {
                    return Err(outside());
                }
                if low > number {
                    return Err(TextError::new(more[0].span(), "the lower bit is above the higher one"));
                }
                Ok(bits(number, low))
            }
            "bit2bool" if number >= width => Err(outside()),
            "bit2bool" => Ok(pool.eq(bits(number, number), pool.bv_value(&Integer::ONE, 1))),
            "repeat" => {
                if number == 0 {
                    return Err(TextError::new(first.span(), "expected a number above 0"));
                }
                self.limit_width(width.saturating_mul(number))?;
                let copies = (1..number).fold(terms[0], |all, _| pool.bv(BvOp::Concat, &[all, terms[0]]));
                Ok(copies)
            }
            "zero_extend" | "sign_extend" => {
                self.limit_width(width + number)?;
                let op = if name == "zero_extend" { BvOp::ZeroExtend(number) } else { BvOp::SignExtend(number) };
                Ok(pool.bv(op, terms))
            }
            _ => {
                let by = if name == "rotate_left" { number % width } else { (width - number % width) % width };
                if by == 0 {
                    return Ok(terms[0]);
                }
                Ok(pool.bv(BvOp::Concat, &[bits(width - by - 1, 0), bits(width - 1, width - by)]))
            }
        }
    }

    // ---- combining and checking arguments ----

    fn left(&self, combine: impl Fn(Term, Term) -> Term) -> Term {
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

    fn wrong(&self, message: impl Into<String>) -> TextError {
        TextError::new(self.span, message)
    }

    fn arity(&self, expected: usize) -> Result<(), TextError> {
        if self.terms.len() == expected {
            return Ok(());
        }
        let plural = if expected == 1 { "" } else { "s" };
        Err(self.wrong(format!("`{}` takes {expected} argument{plural}, not {}", self.name(), self.terms.len())))
    }

    fn at_least(&self, least: usize) -> Result<(), TextError> {
        if self.terms.len() >= least {
            return Ok(());
        }
        Err(self.wrong(format!("`{}` takes {least} or more arguments, not {}", self.name(), self.terms.len())))
    }

    fn wrong_sort(&self, position: usize, expected: &str) -> TextError {
        let found = self.pool.display_sort(self.pool.sort_of(self.terms[position]));
        let message = format!("`{}` takes {expected} here, and this is of sort {found}", self.name());
        TextError::new(self.sexprs[position].span(), message)
    }

    fn expect(&self, position: usize, sort: Sort) -> Result<(), TextError> {
        if self.pool.sort_of(self.terms[position]) == sort {
            return Ok(());
        }
        Err(self.wrong_sort(position, &format!("a term of sort {}", self.pool.display_sort(sort))))
    }

    fn all(&self, sort: Sort) -> Result<(), TextError> {
        (0..self.terms.len()).try_for_each(|position| self.expect(position, sort))
    }

    /// The arguments from the given one on have one sort.
    fn same_sort(&self, from: usize) -> Result<(), TextError> {
        let Some(&first) = self.terms.get(from) else { return Ok(()) };
        let sort = self.pool.sort_of(first);
        (from..self.terms.len()).try_for_each(|position| self.expect(position, sort))
    }

    fn width(&self, position: usize) -> Result<u32, TextError> {
        let sort = self.pool.sort_of(self.terms[position]);
        self.pool.bv_width(sort).ok_or_else(|| self.wrong_sort(position, "a bit-vector"))
    }

    fn limit_width(&self, width: u32) -> Result<(), TextError> {
        if width <= MAX_WIDTH {
            return Ok(());
        }
        Err(self.wrong(format!("{width} bits are too many")).with_hint(format!("the limit is {MAX_WIDTH}")))
    }
}
