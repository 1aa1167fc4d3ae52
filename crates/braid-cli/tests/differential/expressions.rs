//! Random expressions of C, without side effects, over what a generator has in scope.
//!
//! Where C leaves the order of evaluation open there is at most one access to shared memory: GCC and Braid take one order each, and
//! not the same.

use super::generate::{Generator, pick};

/// An expression of any type.
pub fn expression(g: &mut Generator<'_>, depth: usize) -> String {
    if depth == 0 || g.random.below(4) == 0 {
        return leaf(g);
    }
    let below = depth - 1;
    match g.random.below(if g.features.bits { 16 } else { 11 }) {
        0..3 => format!("({} {} {})", expression(g, below), pick(g.random, &["+", "-"]), expression(g, below)),
        3 => {
            let factor = g.random.below(4);
            format!("({} * {factor})", expression(g, below))
        }
        4 => {
            let divisor = 2 + g.random.below(4);
            format!("({} {} {divisor})", expression(g, below), pick(g.random, &["/", "%"]))
        }
        5 => condition(g, below),
        6 => {
            let reads = g.shared_reads;
            let test = condition(g, below);
            let [yes, no] = [(); 2].map(|()| sequenced(g, reads, |g| expression(g, below)));
            format!("({test} ? {yes} : {no})")
        }
        7 => {
            let ty = pick(g.random, &CASTS);
            format!("({ty}){}", expression(g, below))
        }
        8 => format!("{}{}", pick(g.random, &["-", "!", "+"]), operand(g, below)),
        9 => {
            let reads = g.shared_reads;
            format!("({}, {})", leaf(g), sequenced(g, reads, |g| expression(g, below)))
        }
        10 if g.features.wide => format!("({} * {})", expression(g, below), expression(g, below)),
        10 => leaf(g),
        11..14 => format!("({} {} {})", expression(g, below), pick(g.random, &["&", "|", "^"]), expression(g, below)),
        14 => {
            let distance = g.random.below(4);
            let (value, operator) = (expression(g, below), pick(g.random, &["<<", ">>"]));
            let cast = if operator == "<<" { "(unsigned)" } else { "" };
            format!("({cast}{value} {operator} {distance})")
        }
        _ => format!("~{}", operand(g, below)),
    }
}

const CASTS: [&str; 9] =
    ["int", "unsigned", "unsigned char", "signed char", "char", "short", "unsigned short", "long", "_Bool"];

/// Something that a sign may stand before.
fn operand(g: &mut Generator<'_>, depth: usize) -> String {
    format!("({})", expression(g, depth))
}

/// Something that is 0 or 1.
pub fn condition(g: &mut Generator<'_>, depth: usize) -> String {
    let below = depth.saturating_sub(1);
    match g.random.below(if depth == 0 { 3 } else { 6 }) {
        0..3 => {
            let operator = pick(g.random, &["==", "!=", "<", "<=", ">", ">="]);
            format!("({} {operator} {})", expression(g, below), expression(g, below))
        }
        3 | 4 => {
            let reads = g.shared_reads;
            let (left, operator) = (condition(g, below), pick(g.random, &["&&", "||"]));
            format!("({left} {operator} {})", sequenced(g, reads, |g| condition(g, below)))
        }
        _ => format!("!{}", condition(g, below)),
    }
}

/// What is evaluated behind a sequence point: it may read as much as what was before it, and behind all of it nothing is read if
/// anything was.
fn sequenced(g: &mut Generator<'_>, reads: usize, part: impl FnOnce(&mut Generator<'_>) -> String) -> String {
    let left = std::mem::replace(&mut g.shared_reads, reads);
    let text = part(g);
    g.shared_reads = g.shared_reads.min(left);
    text
}

fn leaf(g: &mut Generator<'_>) -> String {
    match g.random.below(8) {
        0..3 => g.some_local().unwrap_or_else(|| constant(g)),
        3..5 => constant(g),
        _ if g.shared_reads > 0 => {
            g.shared_reads -= 1;
            g.shared_place()
        }
        _ => g.some_local().unwrap_or_else(|| constant(g)),
    }
}

pub fn constant(g: &mut Generator<'_>) -> String {
    if g.features.wide && g.random.below(4) == 0 {
        let large = ["2147483646", "(-2147483647)", "65535", "32767", "4294967295u", "255", "(-129)", "0x7fffffffL"];
        return pick(g.random, &large).to_owned();
    }
    match g.random.below(12) {
        0 => "1u".to_owned(),
        1 => "'\\2'".to_owned(),
        2 => pick(g.random, &["RED", "GREEN", "BLUE"]).to_owned(),
        3 => "sizeof(short)".to_owned(),
        4 => "(-1)".to_owned(),
        _ => g.random.below(5).to_string(),
    }
}
