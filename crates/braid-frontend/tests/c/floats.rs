//! Floats against GCC: literals and constant expressions as the checker calculates them, and single operations on many bit patterns,
//! also of `long double`, which no type of Rust is.
//!
//! A compiled program prints the bits of its results. What is not a number may have any sign and payload.

use braid_frontend::Reading;
use braid_frontend::c::tree::{DataModel, ExprKind, Init, Type};
use braid_frontend::c::{Kind, unit};
use braid_logic::{FloatOp, Format, Integer, Rounding};
use braid_testkit::Random;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// How the bits of a value are printed: of a `long double` without the one that is always the same.
const PRINT: &str = "#include <stdio.h>\n#include <string.h>\n#include <math.h>\n
static void f(float x) { unsigned u; memcpy(&u, &x, 4); printf(\"%x\\n\", u); }
static void d(double x) { unsigned long long u; memcpy(&u, &x, 8); printf(\"%llx\\n\", u); }
static void l(long double x) {
  unsigned long long m; unsigned short e; memcpy(&m, &x, 8); memcpy(&e, (char *)&x + 8, 2);
  unsigned __int128 u = (unsigned __int128)e << 63 | m & ~(1ull << 63);
  printf(\"%llx%016llx\\n\", (unsigned long long)(u >> 64), (unsigned long long)u);
}
static void i(long long x) { printf(\"%llx\\n\", x); }\n";

/// What the program prints; none where there is no GCC.
fn printed(name: &str, text: &str) -> Option<Vec<Integer>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let folder = std::env::temp_dir().join(format!("braid-floats-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (source, program) = (folder.join("a.c"), folder.join("a"));
    fs::write(&source, text).expect("a program can be written");
    let flags = ["-w", "-O0", "-ffp-contract=off", "-o"];
    let compiled = Command::new("gcc").args(flags).arg(&program).arg(&source).arg("-lm").output().ok()?;
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().expect("the program runs");
    let _ = fs::remove_dir_all(&folder);
    let text = String::from_utf8(output.stdout).expect("digits");
    let number = |line: &str| {
        line.bytes().fold(Integer::ZERO, |sum, digit| {
            let digit = (digit as char).to_digit(16).expect("a hexadecimal digit");
            &(&sum * &Integer::from(16)) + &Integer::from(i64::from(digit))
        })
    };
    Some(text.lines().map(number).collect())
}

/// 64 random bits.
fn any(random: &mut Random) -> u64 {
    random.below(usize::MAX);
    random.0
}

fn is_nan(format: Format, bits: &Integer) -> bool {
    FloatOp::Eq.calculate(format, &[bits, bits]).is_zero()
}

fn same(format: Option<Format>, found: &Integer, expected: &Integer) -> bool {
    found == expected || format.is_some_and(|format| is_nan(format, found) && is_nan(format, expected))
}

/// A constant expression without undefined behaviour, most of the time.
fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        let number = any(random) >> random.below(64);
        let suffix = ["", "f", "l", "F", "L"][random.below(5)];
        return match random.below(8) {
            0 => format!("{}", number >> 1),
            1 => format!("{}.{}{suffix}", number >> 40, random.below(1000)),
            2 => format!("{}e{}{suffix}", number >> 20, random.below(80) as i64 - 40),
            3 => format!("0x{number:x}.8p{}{suffix}", random.below(200) as i64 - 100),
            4 => format!("1e{}{suffix}", random.below(10000) as i64 - 5000),
            5 => format!(".{number}{suffix}"),
            6 => format!("{}u", number & 0xffff_ffff),
            _ => ["0.1", "0.1f", "1.0l", "16777217.0f", "4.9e-324", "1e-45f", "3e38f", "1e308", "0.0", "1e-4950l"]
                [random.below(10)]
            .to_owned(),
        };
    }
    let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(9) {
        0 => format!("(-{a})"),
        1 => format!("(float){a}"),
        2 => format!("(double){a}"),
        3 => format!("(long double){a}"),
        4 => format!("({a} {} {b})", ["<", "<=", ">", ">=", "==", "!="][random.below(6)]),
        5 => format!("({} )((_Bool){a} + 3 * 1.5f)", ["int", "short", "unsigned char", "long"][random.below(4)]),
        _ => format!("(1.0f * {a} {} {b})", ["+", "-", "*", "/"][random.below(4)]),
    }
}

#[test]
fn constant_expressions_are_those_of_gcc() {
    let mut random = Random(0x9e37_79b9_7f4a_7c14);
    let count = 1500;
    let (mut declared, mut main) = (String::new(), String::new());
    for number in 0..count {
        let (ty, print) = [("float", "f"), ("double", "d"), ("long double", "l"), ("long", "i")][random.below(4)];
        let mut text = expression(&mut random, 3);
        if ty == "long" {
            // Most floats are no integers.
            text = format!("{} * ({text} < 1e3)", random.below(1000));
        }
        writeln!(declared, "{ty} v{number} = {text};").expect("strings take all text");
        writeln!(main, "{print}(v{number});").expect("strings take all text");
    }
    let Some(expected) = printed("constants", &format!("{PRINT}{declared}int main(void) {{ {main} }}")) else { return };
    let options = Reading { data_model: Some(DataModel::Lp64), ..Reading::default() };
    let uses: String = (0..count).map(|number| format!("v{number};")).collect();
    let text = format!("{declared}int main(void) {{ {uses} }}");
    let unit = unit("a.i", &text, Kind::Preprocessed, &options).unwrap_or_else(|errors| panic!("{errors}"));
    let mut known = 0;
    for variable in &unit.variables {
        let Some(number) = variable.name.strip_prefix('v').and_then(|digits| digits.parse::<usize>().ok()) else {
            continue;
        };
        let Some(Init::Expr(init)) = &variable.init else { continue };
        let (bits, format) = match (&init.kind, &init.ty) {
            (ExprKind::Float(bits), Type::Float { bits: 32 }) => (bits.clone(), Some(Format::SINGLE)),
            (ExprKind::Float(bits), Type::Float { bits: 64 }) => (bits.clone(), Some(Format::DOUBLE)),
            (ExprKind::Float(bits), _) => (bits.clone(), Some(Format::EXTENDED)),
            (ExprKind::Int(value), _) => (value.clone(), None),
            _ => continue,
        };
        known += 1;
        let line = declared.lines().nth(number).unwrap_or_default();
        assert!(same(format, &bits, &expected[number]), "{line}: {bits}, GCC {}", expected[number]);
    }
    assert!(known * 3 > count * 2, "only {known} of {count} were constant");
}

/// The operations by their names in C, and the format of operands and results.
fn operations() -> Vec<(&'static str, FloatOp)> {
    vec![
        ("x + y", FloatOp::Add),
        ("x - y", FloatOp::Sub),
        ("x * y", FloatOp::Mul),
        ("x / y", FloatOp::Div),
        ("SQRT(x)", FloatOp::Sqrt),
        ("FMA(x, y, z)", FloatOp::Fma),
        ("REMAINDER(x, y)", FloatOp::Rem),
        ("FLOOR(x)", FloatOp::Round(Rounding::Down)),
        ("CEIL(x)", FloatOp::Round(Rounding::Up)),
        ("TRUNC(x)", FloatOp::Round(Rounding::Zero)),
        ("ROUND(x)", FloatOp::Round(Rounding::NearestAway)),
        ("RINT(x)", FloatOp::Round(Rounding::NearestEven)),
        ("x < y", FloatOp::Lt),
        ("x <= y", FloatOp::Le),
        ("x == y", FloatOp::Eq),
        ("(float)x", FloatOp::Convert(Format::SINGLE)),
        ("(double)x", FloatOp::Convert(Format::DOUBLE)),
        ("(long double)x", FloatOp::Convert(Format::EXTENDED)),
    ]
}

/// A long double whose exponent is special, near that of 1, or any.
fn extended(random: &mut Random) -> (u16, u64) {
    let exponent = match random.below(6) {
        0 => [0, 1, 0x7ffe, 0x7fff][random.below(4)],
        1 | 2 => 16383 - 4 + random.below(75),
        3 => 16383 - 66 + random.below(132),
        _ => random.below(0x8000),
    } as u16;
    let fraction = match random.below(4) {
        0 => 0,
        1 => (any(random) & 7) << 60,
        2 => any(random) & 3,
        _ => any(random),
    } & !(1 << 63);
    (exponent | ((random.below(2) as u16) << 15), fraction)
}

#[test]
fn operations_on_long_double_are_those_of_the_processor() {
    let mut random = Random(0x9e37_79b9_7f4a_7c19);
    let rounds: usize = std::env::var("BRAID_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let (mut data, mut patterns) = (String::new(), Vec::new());
    for _ in 0..rounds + 2 {
        let (high, low) = extended(&mut random);
        let is_normal = high & 0x7fff != 0;
        writeln!(data, "{{ {low:#x}ull, {high} }},", low = low | (u64::from(is_normal) << 63)).expect("strings");
        patterns.push(&(&Integer::from(i64::from(high)) * &Integer::from(1i128 << 63)) + &Integer::from(low as i64));
    }
    let mut body = String::new();
    for (text, op) in operations() {
        let text = text.replace("SQRT", "sqrtl").replace("FMA", "fmal").replace("REMAINDER", "remainderl");
        let text = text.replace("FLOOR", "floorl").replace("CEIL", "ceill").replace("TRUNC", "truncl");
        let text = text.replace("ROUND", "roundl").replace("RINT", "rintl");
        let print = match op {
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => "i",
            FloatOp::Convert(Format::SINGLE) => "f",
            FloatOp::Convert(Format::DOUBLE) => "d",
            _ => "l",
        };
        writeln!(body, "{print}({text});").expect("strings take all text");
    }
    let program = format!(
        "{PRINT}static struct {{ unsigned long long m; unsigned short e; }} data[] = {{ {data} }};
static long double at(int n) {{ long double x = 0; memcpy(&x, &data[n].m, 8); memcpy((char *)&x + 8, &data[n].e, 2); return x; }}
int main(void) {{ for (int n = 0; n < {rounds}; n++) {{ volatile long double x = at(n), y = at(n + 1), z = at(n + 2); {body} }} }}"
    );
    let Some(printed) = printed("extended", &program) else { return };
    let mut printed = printed.into_iter();
    for n in 0..rounds {
        for (text, op) in operations() {
            let operands: Vec<&Integer> = patterns[n..n + op.arity()].iter().collect();
            let result = match op {
                FloatOp::Convert(Format::EXTENDED) => operands[0].clone(),
                _ => op.calculate(Format::EXTENDED, &operands),
            };
            let format = match op {
                FloatOp::Eq | FloatOp::Lt | FloatOp::Le => None,
                FloatOp::Convert(to) => Some(to),
                _ => Some(Format::EXTENDED),
            };
            let expected = printed.next().expect("a line for each operation");
            assert!(same(format, &result, &expected), "{text} of {operands:?}: {result}, the processor {expected}");
        }
    }
}
