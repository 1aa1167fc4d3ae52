//! Loops of ARM that load exclusively, and store if nobody else has in between: one atomic operation each.
//!
//! ```text
//! 1: ldrex D, M;                       strex T, S, M;  retry     D = exchange(M, S)
//! 1: ldrex D, M;  add R, D, X;         strex T, R, M;  retry     R = (D = *M) + X
//! 1: ldrex D, M;  cmp D, E;  bne 2f;   strex T, S, M;  retry 2:  D = compare-and-swap(M, E, S)
//! ```
//!
//! *Invariant*: what does not have one of these forms, instruction by instruction, is not supported.

use super::assembly::{AsmOperand, Assembly, Given};
use super::*;

/// An instruction with its operands as they are written.
struct Instruction<'a> {
    word: &'a str,
    operands: Vec<&'a str>,
}

/// What stands between load and store.
enum Between<'a> {
    Nothing,
    /// A result, calculated from what was loaded and an operand.
    Update(&'a str, BinaryOp, &'a str),
    /// Nothing is stored unless what was loaded is this. The difference is in a register, if there is one.
    Compare(&'a str, Option<&'a str>),
}

impl<'t> Assembly<'t> {
    /// What such a loop does.
    pub(super) fn exclusive(&self, instructions: &[&str]) -> Option<Vec<Expr<'t>>> {
        let all: Vec<Instruction<'_>> = instructions.iter().filter_map(|text| read(text)).collect();
        let (load, rest) = all.split_first()?;
        let ([loaded, from], true) = (&load.operands[..], matches!(load.word, "ldrex" | "ldxr" | "ldaxr" | "ldaex"))
        else {
            return None;
        };
        let at = rest.iter().position(|i| matches!(i.word, "strex" | "stxr" | "stlxr" | "stlex"))?;
        let ([state, stored, to], true) = (&rest[at].operands[..], is_retry(&rest[at + 1..], rest[at].operands[0]))
        else {
            return None;
        };
        let between = between(&rest[..at], loaded)?;
        let has_end = instructions.last().is_some_and(|last| last.trim() == "2:");
        if from != to || has_end != matches!(between, Between::Compare(..)) || !starts_with_label(instructions) {
            return None;
        }
        let address = self.address(from)?;
        let (old, flag) = (self.output(loaded)?, self.output(state)?);
        let mut written = vec![old.0, flag.0];
        let zero = || self.expr(ExprKind::Number("0"));
        let mut effects = Vec::new();
        match between {
            Between::Nothing => {
                let order = self.expr(ExprKind::Number("5"));
                let swap = self.call("__atomic_exchange_n", vec![address, self.source(stored)?, order]);
                effects.extend([self.assigned(old.1, None, swap), self.assigned(flag.1, None, zero())]);
            }
            Between::Update(result, op, by) if result == *stored => {
                let (result, by) = (self.output(result)?, self.source(by)?);
                written.push(result.0);
                // Sums wrap around, which a sum of C does not.
                let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
                let (fetch, and_fetch) = functions(op)?;
                if result.0 == old.0 {
                    effects.push(self.assigned(old.1, None, self.call(and_fetch, vec![address, by])));
                } else if wraps {
                    return None;
                } else {
                    effects.push(self.assigned(old.1, None, self.call(fetch, vec![address, by.clone()])));
                    let new = ExprKind::Infix(Infix::Binary(op), Box::new(old.1.value.clone()), Box::new(by));
                    effects.push(self.assigned(result.1, None, self.expr(new)));
                }
                effects.push(self.assigned(flag.1, None, zero()));
            }
            Between::Compare(expected, difference) => {
                if difference.is_some_and(|own| own != *state) {
                    return None;
                }
                let expected = self.source(expected)?;
                let swap = vec![address, expected.clone(), self.source(stored)?];
                effects.push(self.assigned(old.1, None, self.call("__sync_val_compare_and_swap", swap)));
                let (now, expected) = (Box::new(old.1.value.clone()), Box::new(expected));
                let value = match difference {
                    Some(_) => ExprKind::Infix(Infix::Binary(BinaryOp::BitXor), now, expected),
                    // The register holds what it held before.
                    None => {
                        let same = self.expr(ExprKind::Infix(Infix::Compare(CompareOp::Equal), now, expected));
                        let any = self.call("__VERIFIER_nondet_int", Vec::new());
                        ExprKind::Conditional(Box::new(same), Some(Box::new(zero())), Box::new(any))
                    }
                };
                effects.push(self.assigned(flag.1, None, self.expr(value)));
            }
            Between::Update(..) => return None,
        }
        let is_written = |(number, output): (usize, &AsmOperand<'t>)| output.is_memory() || written.contains(&number);
        self.outputs.iter().enumerate().all(is_written).then_some(effects)
    }

    /// The address of `[%0]`, or of a memory operand.
    fn address(&self, operand: &str) -> Option<Expr<'t>> {
        let register = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match (self.given(register.unwrap_or(operand))?, register) {
            (Given::Operand(number, input), Some(_)) if number >= self.outputs.len() && !input.is_memory() => {
                is_plain(&input.value).then(|| input.value.clone())
            }
            (Given::Operand(_, memory), None) if memory.is_memory() => {
                Some(self.expr(ExprKind::Prefix("&", Box::new(memory.value.clone()))))
            }
            _ => None,
        }
    }

    fn output(&self, operand: &str) -> Option<(usize, &AsmOperand<'t>)> {
        match self.given(operand)? {
            Given::Operand(number, output) if number < self.outputs.len() && !output.is_memory() => {
                is_plain(&output.value).then_some((number, output))
            }
            _ => None,
        }
    }

    /// The value of an operand that is only read. It may be evaluated several times.
    fn source(&self, operand: &str) -> Option<Expr<'t>> {
        match self.given(operand)? {
            Given::Operand(number, input) if number >= self.outputs.len() && !input.is_memory() => {
                is_plain(&input.value).then(|| input.value.clone())
            }
            Given::Number(number) => Some(number),
            Given::Operand(..) => None,
        }
    }
}

/// An instruction; none for barriers and labels, which do nothing by themselves.
fn read(text: &str) -> Option<Instruction<'_>> {
    let text = text.trim();
    let text = text.strip_prefix("1:").or_else(|| text.strip_prefix("2:")).unwrap_or(text).trim();
    let (word, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_nothing = word.is_empty() || matches!(word, "dmb" | "prfm");
    (!is_nothing).then(|| Instruction { word, operands: operands.split(',').map(str::trim).collect() })
}

fn starts_with_label(instructions: &[&str]) -> bool {
    instructions.first().is_some_and(|first| first.trim().starts_with("1:"))
}

/// Does it go back to the start unless a register is 0?
fn is_retry(instructions: &[Instruction<'_>], state: &str) -> bool {
    match instructions {
        [branch] => branch.word == "cbnz" && branch.operands == [state, "1b"],
        [test, branch] => {
            matches!(test.word, "teq" | "cmp")
                && test.operands == [state, "#0"]
                && matches!(branch.word, "bne" | "b.ne")
                && branch.operands == ["1b"]
        }
        _ => false,
    }
}

fn between<'a>(instructions: &[Instruction<'a>], loaded: &str) -> Option<Between<'a>> {
    match instructions {
        [] => Some(Between::Nothing),
        [update] => {
            let [result, first, by] = update.operands[..] else { return None };
            let op = match update.word {
                "add" => BinaryOp::Add,
                "sub" => BinaryOp::Subtract,
                "and" => BinaryOp::BitAnd,
                "orr" => BinaryOp::BitOr,
                "eor" => BinaryOp::BitXor,
                _ => return None,
            };
            (first == loaded).then_some(Between::Update(result, op, by))
        }
        [test, branch] => match (test.word, &test.operands[..], branch.word, &branch.operands[..]) {
            ("cmp" | "teq", [first, expected], "bne" | "b.ne", ["2f"]) if *first == loaded => {
                Some(Between::Compare(expected, None))
            }
            ("eor", [difference, first, expected], "cbnz", [tested, "2f"])
                if *first == loaded && tested == difference =>
            {
                Some(Between::Compare(expected, Some(difference)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The functions that give what was there before, and what is there then.
fn functions(op: BinaryOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinaryOp::Add => ("__sync_fetch_and_add", "__sync_add_and_fetch"),
        BinaryOp::Subtract => ("__sync_fetch_and_sub", "__sync_sub_and_fetch"),
        BinaryOp::BitAnd => ("__sync_fetch_and_and", "__sync_and_and_fetch"),
        BinaryOp::BitOr => ("__sync_fetch_and_or", "__sync_or_and_fetch"),
        BinaryOp::BitXor => ("__sync_fetch_and_xor", "__sync_xor_and_fetch"),
        _ => return None,
    })
}

/// Does it do nothing but read?
fn is_plain(expr: &Expr<'_>) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Number(_) => true,
        ExprKind::Member(inner, ..) | ExprKind::Prefix(_, inner) | ExprKind::Cast(_, inner) => is_plain(inner),
        _ => false,
    }
}
