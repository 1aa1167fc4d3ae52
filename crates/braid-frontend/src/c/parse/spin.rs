//! What programs of x86 do with a register of their own and one exchange, a lock that spins or its end:
//!
//! ```text
//! 1: mov $1, R;  xchg R, M;  test R, R;  jnz 1b     exchanges until there was 0
//! mov $0, R;  xchg R, M                             exchanges once
//! ```
//!
//! *Invariant*: what does not have one of these forms, instruction by instruction, is not supported.

use super::assembly::{Assembly, Given};
use super::*;

/// The word of an instruction without its size, and its operands.
type Instruction<'a> = (&'a str, Vec<&'a str>);

impl<'t> Assembly<'t> {
    pub(super) fn spin(&self, instructions: &[&str]) -> Option<Vec<Expr<'t>>> {
        let (label, first) = match instructions.first()?.split_once(':') {
            Some((label, "")) => (Some(label), 1),
            Some((label, _)) => (Some(label), 0),
            None => (None, 0),
        };
        let all: Vec<Instruction<'_>> = instructions[first..].iter().map(|text| read(text)).collect();
        let [("mov", start), ("xchg", exchanged), rest @ ..] = &all[..] else { return None };
        let (&[number, register], &[one, other]) = (&start[..], &exchanged[..]) else { return None };
        let Given::Number(number) = self.given(number)? else { return None };
        let place = if one == register { other } else { one };
        let has_register = register.starts_with("%%") && (one == register || other == register);
        let Given::Operand(at, memory) = self.given(place)? else { return None };
        let is_only = self.outputs.len() <= 1 && self.outputs.iter().all(|output| output.is_memory());
        if !has_register || !memory.is_memory() || !is_only || self.outputs.len() == 1 && at != 0 {
            return None;
        }
        let address = self.expr(ExprKind::Prefix("&", Box::new(memory.value.clone())));
        let call = match (rest, label) {
            ([], None) => self.call("__atomic_exchange_n", vec![address, number, self.expr(ExprKind::Number("5"))]),
            ([test, (jump, to)], Some(label)) => {
                let is_test = match (test.0, &test.1[..]) {
                    ("test", [a, b]) => *a == register && *b == register,
                    ("cmp", [zero, tested]) => *zero == "$0" && *tested == register,
                    _ => false,
                };
                let is_back = matches!(&to[..], [to] if *to == label || to.strip_suffix('b') == Some(label));
                let is_spin = is_test && is_back && matches!(*jump, "jnz" | "jne");
                is_spin.then(|| self.call("__spin_exchange", vec![address, number]))?
            }
            _ => return None,
        };
        Some(vec![call])
    }
}

fn read(text: &str) -> Instruction<'_> {
    let text = text.split_once(':').map_or(text, |(_, rest)| rest).trim();
    let text = text.strip_prefix("lock ").unwrap_or(text).trim();
    let (word, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let size = word.strip_suffix(['b', 'w', 'l', 'q']);
    let word = size.filter(|word| matches!(*word, "mov" | "xchg" | "test" | "cmp")).unwrap_or(word);
    (word, operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect())
}
