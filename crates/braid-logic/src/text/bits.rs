//! SMT-LIB's operators on bit-vectors, those that the pool has no node for expressed by others (`bvsub`, `bvsmod`, …).

use super::operators::Call;
use super::scope::{MAX_WIDTH, parse_index, parse_width};
use super::symbol::SymbolText;
use crate::number::Integer;
use crate::sexpr::{AtomKind, Sexpr, Span, TextError};
use crate::sort::Sort;
use crate::term::{BvOp, Term};
use num_bigint::BigInt;

#[rustfmt::skip]
const BIT_OPERATORS: &[&str] = &[
    "bvneg", "bvnot", "bvadd", "bvmul", "bvsub", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvand",
    "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvcomp", "bvshl", "bvlshr", "bvashr", "bvult", "bvule",
    "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "concat", "bv2nat", "bv2int", "ubv_to_int",
    "sbv_to_int",
];

/// Is this the name of an operator on bit-vectors?
pub(super) fn is_bit_operator(name: &str) -> bool {
    BIT_OPERATORS.contains(&plain(name))
}

/// The name without Z3's mark of divisions whose divisor it knows to be other than 0: `bvudiv_i`.
fn plain(name: &str) -> &str {
    name.strip_suffix("_i").unwrap_or(name)
}

impl Call<'_> {
    /// An operator by name, with arguments.
    pub(super) fn bit_vector(&self, name: &str) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        if !name.starts_with("bv") || name.starts_with("bv2") {
            return self.conversion(name);
        }
        let name = plain(name);
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
            _ => unreachable!("all names of BIT_OPERATORS are above"),
        })
    }

    /// `concat`, and the ways from bit-vectors to integers.
    fn conversion(&self, name: &str) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        if name == "concat" {
            return self.concat();
        }
        self.arity(1)?;
        let width = self.width(0)?;
        let value = pool.bv(BvOp::ToInt, terms);
        if name != "sbv_to_int" {
            return Ok(value);
        }
        let zero = pool.bv_value(&Integer::ZERO, width);
        let modulus = pool.int(Integer::from(BigInt::from(1) << width));
        Ok(pool.ite(pool.bv(BvOp::Slt, &[terms[0], zero]), pool.sub(value, modulus), value))
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

    /// An operator with numbers, such as `(_ extract 7 0)`; `divisible` is one too.
    pub(super) fn indexed(&self, name: &str, span: Span, indices: &[Sexpr]) -> Result<Term, TextError> {
        let (pool, terms) = (self.pool, self.terms);
        let [first, more @ ..] = indices else { return Err(TextError::new(span, "expected a number after this")) };
        if more.len() != usize::from(name == "extract") {
            return Err(TextError::new(span, format!("wrong number of indices for `{name}`")));
        }
        self.arity(1)?;
        match name {
            "divisible" => {
                self.expect(0, Sort::INT)?;
                let divisor = first.as_atom(AtomKind::Numeral).and_then(|n| n.parse::<Integer>().ok());
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
