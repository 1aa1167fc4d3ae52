//! Floats against the processor's own, against Z3's, and through text.

use braid_logic::text::{PoolScope, parse_term, script};
use braid_logic::{
    Answer, BvOp, FloatOp, FloatResult, Folded, Format, Integer, Rounding, Solver, SolverOptions, Sort, SortKind,
    TermPool, fold_float,
};
use braid_testkit::Random;
use num_bigint::BigUint;

/// Bits of a float: any, special ones, few ones, and neighbours of integers.
fn any_bits(random: &mut Random, format: Format) -> u64 {
    let (width, low) = (format.width(), format.significand - 1);
    let all = u64::MAX >> (64 - width);
    let bias = (1u64 << (format.exponent - 1)) - 1;
    let any = random.word() & all;
    let sign = any & (1 << (width - 1));
    match random.word() % 8 {
        0 => any,
        1 => sign | (random.word() % 3),
        2 => sign | (((1u64 << format.exponent) - 1) << low) | (random.word() % 2) << (low - 1),
        3 => sign | (((1u64 << format.exponent) - 2) << low) | (random.word() & ((1 << low) - 1)),
        4 => sign | ((bias + random.word() % 70) << low) | (random.word() & ((1 << low) - 1)),
        5 => sign | ((bias - 2 + random.word() % 6) << low) | (random.word() % 4) << (low - 2),
        6 => sign | ((1 + random.word() % 2) << low) | (random.word() & ((1 << low) - 1)),
        _ => sign | ((bias + random.word() % 30) << low) | (random.word() % 16) << (low - 4),
    }
}

fn bits(op: FloatOp, format: Format, operands: &[u64]) -> u64 {
    let operands: Vec<BigUint> = operands.iter().map(|&operand| BigUint::from(operand)).collect();
    match fold_float(op, format, &operands.iter().collect::<Vec<_>>()) {
        Folded::Bits(bits) => u64::try_from(bits).expect("at most 64 bits"),
        Folded::Bool(value) => u64::from(value),
    }
}

fn rounds() -> u32 {
    std::env::var("BRAID_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000)
}

macro_rules! against_the_processor {
    ($name:ident, $float:ident, $bits:ident, $format:expr, $other:ident, $other_format:expr) => {
        #[test]
        fn $name() {
            let (format, mut random) = ($format, Random(0x9e37_79b9_7f4a_7c15));
            let of = |bits: u64| $float::from_bits(bits as $bits);
            let same = |op: FloatOp, operands: &[u64], expected: $float| {
                let found = of(bits(op, format, operands));
                let agree = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
                assert!(agree, "{op:?} {operands:x?}: {found:?}, not {expected:?}");
            };
            let exact = |op: FloatOp, operands: &[u64], expected: u64| {
                assert_eq!(bits(op, format, operands), expected, "{op:?} {operands:x?}");
            };
            for _ in 0..rounds() {
                let [x, y, z] =
                    [any_bits(&mut random, format), any_bits(&mut random, format), any_bits(&mut random, format)];
                let (a, b, c) = (of(x), of(y), of(z));
                same(FloatOp::Add, &[x, y], a + b);
                same(FloatOp::Sub, &[x, y], a - b);
                same(FloatOp::Mul, &[x, y], a * b);
                same(FloatOp::Div, &[x, y], a / b);
                same(FloatOp::Sqrt, &[x], a.sqrt());
                same(FloatOp::Fma, &[x, y, z], a.mul_add(b, c));
                same(FloatOp::Round(Rounding::Down), &[x], a.floor());
                same(FloatOp::Round(Rounding::Up), &[x], a.ceil());
                same(FloatOp::Round(Rounding::Zero), &[x], a.trunc());
                same(FloatOp::Round(Rounding::NearestAway), &[x], a.round());
                same(FloatOp::Round(Rounding::NearestEven), &[x], a.round_ties_even());
                exact(FloatOp::Eq, &[x, y], u64::from(a == b));
                exact(FloatOp::Lt, &[x, y], u64::from(a < b));
                exact(FloatOp::Le, &[x, y], u64::from(a <= b));
                let number = random.word() >> (random.word() % 64);
                same(FloatOp::FromUnsigned(64), &[number], number as $float);
                same(FloatOp::FromSigned(64), &[number], number as i64 as $float);
                same(FloatOp::FromSigned(32), &[number & 0xffff_ffff], number as i32 as $float);
                let other = bits(FloatOp::Convert($other_format), format, &[x]);
                let (other, expected) = ($other::from_bits(other as _), a as $other);
                assert!(other.to_bits() == expected.to_bits() || (other.is_nan() && expected.is_nan()));
                let t = a.trunc();
                let fits = |low: f64, high: f64| (low..high).contains(&f64::from(t));
                exact(
                    FloatOp::ToSigned(32),
                    &[x],
                    if fits(-2147483648.0, 2147483648.0) { u64::from(a as i32 as u32) } else { 0 },
                );
                exact(FloatOp::ToUnsigned(32), &[x], if fits(0.0, 4294967296.0) { u64::from(a as u32) } else { 0 });
                exact(
                    FloatOp::ToSigned(64),
                    &[x],
                    if fits(-(2f64.powi(63)), 2f64.powi(63)) { a as i64 as u64 } else { 0 },
                );
                exact(FloatOp::ToUnsigned(64), &[x], if fits(0.0, 2f64.powi(64)) { a as u64 } else { 0 });
                // The remainder of C's fmod is this one, or one divisor more.
                let rest = of(bits(
                    FloatOp::Rem,
                    format,
                    &[x & !(1 << (format.width() - 1)), y & !(1 << (format.width() - 1))],
                ));
                let (rest, expected) = (if rest < 0.0 { rest + b.abs() } else { rest }, a.abs() % b.abs());
                assert!(rest == expected || (rest.is_nan() && expected.is_nan()), "{a:?} % {b:?}");
            }
        }
    };
}

against_the_processor!(single_precision, f32, u32, Format::SINGLE, f64, Format::DOUBLE);
against_the_processor!(double_precision, f64, u64, Format::DOUBLE, f32, Format::SINGLE);

#[test]
fn literals_are_the_nearest_floats() {
    let check = |text: &str| {
        let single = Format::SINGLE.parse(text).expect("a literal");
        assert_eq!(single, BigUint::from(text.parse::<f32>().expect("Rust reads it").to_bits()), "{text}");
        let double = Format::DOUBLE.parse(text).expect("a literal");
        assert_eq!(double, BigUint::from(text.parse::<f64>().expect("Rust reads it").to_bits()), "{text}");
    };
    for text in [
        "0.1",
        "1e10",
        "1.",
        ".5",
        "3.4028235e38",
        "3.4028236e38",
        "1.7976931348623159e308",
        "1e400",
        "1e-400",
        "4.9e-324",
        "2.4e-324",
        "2.2250738585072011e-308",
        "0.000000000000000000000000000000000000000000001",
        "16777217.0",
        "9007199254740993.0",
        "1e99999999999",
        "1e-99999999999999999999",
        "0e5",
        "123456789012345678901234567890.5",
        "0.1e1",
        "7.0E+2",
        "1e-45",
        "7e-46",
    ] {
        check(text);
    }
    let mut random = Random(7);
    for _ in 0..2_000 {
        check(&format!("{}.{}e{}", random.word() % 1000, random.word(), random.word() as i64 % 330));
    }
    let hex = |text: &str| Format::DOUBLE.parse(text).map(|bits| f64::from_bits(u64::try_from(bits).expect("64 bits")));
    assert_eq!(hex("0x1.8p1"), Some(3.0));
    assert_eq!(hex("0x.1p-4"), Some(1.0 / 256.0));
    assert_eq!(hex("0X1P-1074"), Some(f64::from_bits(1)));
    assert_eq!(hex("0x1p-1075"), Some(0.0));
    assert_eq!(hex("0x1.00000000000008p0"), Some(1.0));
    assert_eq!(hex("0x1p+1024"), Some(f64::INFINITY));
    assert_eq!(hex("1e"), None);
    assert_eq!(hex("1e+-3"), None);
}

/// All operators with a format small enough for Z3.
fn operators() -> Vec<FloatOp> {
    let rounding = [Rounding::NearestEven, Rounding::NearestAway, Rounding::Down, Rounding::Up, Rounding::Zero];
    let mut operators = vec![
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Rem,
        FloatOp::Fma,
        FloatOp::Sqrt,
        FloatOp::Eq,
        FloatOp::Lt,
        FloatOp::Le,
        FloatOp::Convert(Format { exponent: 3, significand: 3 }),
        FloatOp::Convert(Format { exponent: 5, significand: 7 }),
        FloatOp::FromSigned(9),
        FloatOp::FromUnsigned(9),
        FloatOp::ToSigned(5),
        FloatOp::ToUnsigned(5),
        FloatOp::ToSigned(12),
    ];
    operators.extend(rounding.map(FloatOp::Round));
    operators
}

/// With operands that are known to it alone, Z3 finds no other result.
#[test]
fn z3_agrees() {
    let format = Format { exponent: 4, significand: 5 };
    let mut random = Random(99);
    for op in operators() {
        for _ in 0..25 {
            let pool = TermPool::new();
            let mut solver = Solver::new(&pool, SolverOptions::default()).expect("Z3 is linked");
            let sort = pool.sort(SortKind::BitVec(op.operand(format)));
            let numbers: Vec<BigUint> =
                (0..op.arity()).map(|_| BigUint::from(random.word() & ((1 << op.operand(format)) - 1))).collect();
            let vars: Vec<_> = (0..op.arity()).map(|n| pool.symbol(&format!("x{n}"), sort)).collect();
            let known = vars
                .iter()
                .zip(&numbers)
                .map(|(&var, number)| pool.eq(var, pool.bv_value(&Integer::from(number.clone()), op.operand(format))));
            let term = pool.bv(BvOp::Float(op, format), &vars);
            let expected = match (fold_float(op, format, &numbers.iter().collect::<Vec<_>>()), op.result(format)) {
                (Folded::Bits(bits), FloatResult::Bits(width)) => {
                    pool.eq(term, pool.bv_value(&Integer::from(bits), width))
                }
                (Folded::Bool(value), _) => {
                    if value {
                        term
                    } else {
                        pool.not(term)
                    }
                }
                other => panic!("{other:?}"),
            };
            let formulas: Vec<_> = known.chain([pool.not(expected)]).collect();
            assert_eq!(solver.check_assuming(&formulas), Answer::Unsat, "{op:?} {numbers:?}");
            assert_eq!(solver.check_assuming(&formulas[..op.arity()]), Answer::Sat);
        }
    }
}

#[test]
fn terms_are_read_back() {
    let pool = TermPool::new();
    let format = Format::DOUBLE;
    for op in operators() {
        let sort = pool.sort(SortKind::BitVec(op.operand(format)));
        let vars: Vec<_> =
            (0..op.arity()).map(|n| pool.symbol(&format!("x{n}_{}", op.operand(format)), sort)).collect();
        let term = pool.bv(BvOp::Float(op, format), &vars);
        let text = pool.display(term).to_string();
        assert_eq!(parse_term(&pool, &text, &PoolScope(&pool)).expect("it is read"), term, "{text}");
    }
    let odd = pool.symbol("float.add.8.24", Sort::INT);
    let text = pool.display(odd).to_string();
    assert_eq!(parse_term(&pool, &text, &PoolScope(&pool)).expect("a name like an operator's"), odd);
    for wrong in ["(float.add.8.24 x0_64)", "(float.add.8.24 x0_64 x0_64)", "(float.add.11 x0_64 x0_64)"] {
        assert!(parse_term(&pool, wrong, &PoolScope(&pool)).is_err(), "{wrong}");
    }
}

#[test]
fn scripts_define_what_smt_lib_lacks() {
    let pool = TermPool::new();
    let sort = pool.sort(SortKind::BitVec(32));
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let sum = pool.bv(BvOp::Float(FloatOp::Add, Format::SINGLE), &[x, y]);
    let less = pool.bv(BvOp::Float(FloatOp::Lt, Format::SINGLE), &[sum, x]);
    let text = script(&pool, &[less]);
    assert!(
        text.contains("(define-fun float.add.8.24 ((float!a (_ BitVec 32)) (float!b (_ BitVec 32))) (_ BitVec 32)")
    );
    assert!(text.contains("(assert (float.lt.8.24 (float.add.8.24 x y) x))"), "{text}");
}
