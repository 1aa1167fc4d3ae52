//! Functions that say in an attribute what the solver calls them: `{:bvbuiltin "bvadd"}`, or `{:smtdefined "(+ x 1)"}`.

use super::expressions::integer;
use super::{Read, Reader};
use crate::Diagnostic;
use braid_logic::BvOp;
use braid_logic::sexpr::{AtomKind, Sexpr, read_all};
use braid_program::ast::{Expr, Op, TypeError};
use braid_program::print::words::{BRAID, CORE};
use braid_program::source::Span;

impl Reader<'_> {
    /// An operator of SMT-LIB applied to arguments: `bvadd`, `sign_extend 8`.
    pub(super) fn solver_operator(&self, operator: &str, arguments: Vec<Expr>, span: Span) -> Read<Expr> {
        let words = operator.split(|c: char| c.is_whitespace() || "()".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty() && *word != "_").collect();
        let (name, numbers) = words.split_first().ok_or_else(|| unknown(operator, span))?;
        let numbers: Option<Vec<u32>> = numbers.iter().map(|number| number.parse().ok()).collect();
        let numbers = numbers.ok_or_else(|| unknown(operator, span))?;
        applied(name, &numbers, arguments, span)
    }

    /// A term of SMT-LIB over named arguments.
    pub(super) fn solver_term(&self, text: &str, named: &[(String, Expr)], span: Span) -> Read<Expr> {
        match read_all(text).as_deref() {
            Ok([term]) => term_of(term, named, span),
            _ => Err(unknown(text, span)),
        }
    }
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("the solver's `{text}` is not supported"))
}

fn term_of(term: &Sexpr, named: &[(String, Expr)], span: Span) -> Read<Expr> {
    if let Some(digits) = term.as_atom(AtomKind::Numeral) {
        return Ok(Expr::int(integer(digits, span)?, span));
    }
    if let Some(symbol) = term.as_symbol() {
        if let Some((_, value)) = named.iter().find(|(name, _)| name == symbol) {
            return Ok(value.clone());
        }
        return match symbol {
            "true" | "false" => Ok(Expr::bool(symbol == "true", span)),
            _ => Err(unknown(symbol, span)),
        };
    }
    let Some([head, operands @ ..]) = term.as_list() else { return Err(unknown("this term", span)) };
    let operands = operands.iter().map(|operand| term_of(operand, named, span)).collect::<Read<Vec<_>>>()?;
    if let Some(name) = head.as_symbol() {
        return applied(name, &[], operands, span);
    }
    match head.as_list() {
        Some([mark, name, numbers @ ..]) if mark.as_symbol() == Some("_") => {
            let name = name.as_symbol().ok_or_else(|| unknown("this operator", span))?;
            let number = |item: &Sexpr| item.as_atom(AtomKind::Numeral).and_then(|digits| digits.parse().ok());
            let numbers: Option<Vec<u32>> = numbers.iter().map(number).collect();
            applied(name, &numbers.ok_or_else(|| unknown(name, span))?, operands, span)
        }
        _ => Err(unknown("this term", span)),
    }
}

/// An operator with its numbers and operands.
fn applied(name: &str, numbers: &[u32], mut operands: Vec<Expr>, span: Span) -> Read<Expr> {
    let built =
        |op, operands| Expr::op(op, operands, span).map_err(|TypeError { message, .. }| Diagnostic::new(span, message));
    let op = match (name, numbers) {
        ("divisible", &[by]) if by > 0 => {
            operands.push(Expr::int(i64::from(by), span));
            let rest = built(Op::Mod, operands)?;
            return built(Op::Eq, vec![rest, Expr::int(0, span)]);
        }
        ("bvsub", []) if operands.len() == 2 => {
            let right = operands.pop().into_iter().collect();
            operands.push(built(Op::Bv(BvOp::Neg), right)?);
            Op::Bv(BvOp::Add)
        }
        ("bvugt" | "bvuge" | "bvsgt" | "bvsge", []) => {
            operands.reverse();
            Op::Bv(match name {
                "bvugt" => BvOp::Ult,
                "bvuge" => BvOp::Ule,
                "bvsgt" => BvOp::Slt,
                _ => BvOp::Sle,
            })
        }
        ("zero_extend", &[by]) if by < 1 << 16 => Op::Bv(BvOp::ZeroExtend(by)),
        ("sign_extend", &[by]) if by < 1 << 16 => Op::Bv(BvOp::SignExtend(by)),
        ("extract", &[high, low]) => Op::Bv(BvOp::Extract { high, low }),
        ("distinct", []) => Op::Distinct,
        ("ite", []) => Op::Ite,
        (_, []) => {
            let known = CORE.iter().chain(&BRAID).find(|(known, _)| *known == name);
            known.ok_or_else(|| unknown(name, span))?.1
        }
        _ => return Err(unknown(name, span)),
    };
    built(op, operands)
}
