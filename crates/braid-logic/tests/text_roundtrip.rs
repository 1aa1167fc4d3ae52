//! A term that is printed and parsed in its own pool is the same handle; by way of Z3 it still means the same.

use braid_logic::text::{PoolScope, parse_term, script};
use braid_logic::{BvOp, Fun, Integer, Model, Sort, SortKind, Term, TermPool, Value};
use proptest::prelude::*;
use z3::ast::Ast as _;

/// Builds terms bottom up: each step picks an operation and operands from what is there.
struct Builder {
    pool: TermPool,
    ints: Vec<Term>,
    bools: Vec<Term>,
    arrays: Vec<Term>,
    bits: Vec<Term>,
    elements: Vec<Term>,
    f: Fun,
    g: Fun,
    h: Fun,
}

impl Builder {
    fn new() -> Builder {
        let pool = TermPool::new();
        let element = pool.sort(SortKind::Uninterpreted("some sort".into()));
        let (bits, array) = (pool.sort(SortKind::BitVec(5)), pool.array_sort(Sort::INT, Sort::INT));
        Builder {
            ints: ["x", "y@2", "div", "a b"].map(|name| pool.symbol(name, Sort::INT)).into(),
            bools: ["p", "q", "and|or"].map(|name| pool.symbol(name, Sort::BOOL)).into(),
            arrays: ["a", "b"].map(|name| pool.symbol(name, array)).into(),
            bits: ["u", "v"].map(|name| pool.symbol(name, bits)).into(),
            elements: ["m", "n"].map(|name| pool.symbol(name, element)).into(),
            f: pool.fun("f", &[Sort::INT, element], Sort::INT),
            g: pool.fun("g h", &[Sort::INT], Sort::BOOL),
            h: pool.fun("let", &[element], element),
            pool,
        }
    }

    /// Makes one more term.
    fn step(&mut self, (op, i, j, k): (u8, u8, u8, i16)) -> Term {
        let pool = &self.pool;
        let pick = |list: &[Term], at: u8| list[list.len() - 1 - usize::from(at) % list.len().min(12)];
        let (x, y) = (pick(&self.ints, i), pick(&self.ints, j));
        let (p, q) = (pick(&self.bools, i), pick(&self.bools, j));
        let (a, b) = (pick(&self.arrays, i), pick(&self.arrays, j));
        let (u, v) = (pick(&self.bits, i), pick(&self.bits, j));
        let (m, n) = (pick(&self.elements, i), pick(&self.elements, j));
        let number = pool.int(i64::from(k));
        let slice = |term: Term, high: u32, low: u32| pool.bv(BvOp::Extract { high, low }, &[term]);
        let term = match op % 46 {
            0 => pool.add([x, y]),
            1 => pool.sub(x, y),
            2 => pool.scale(&Integer::from(i64::from(k)), x),
            3 => pool.add([x, number]),
            4 if pool.size(x).saturating_add(pool.size(y)) < 60 => pool.mul(x, y),
            5 => pool.div(x, y),
            6 => pool.div(x, number),
            7 => pool.modulo(x, y),
            8 => pool.modulo(x, number),
            9 => pool.ite(p, x, y),
            10 => pool.ite(p, x, number),
            11 => pool.apply(self.f, &[x, m]),
            12 => pool.select(a, x),
            13 => pool.bv(BvOp::ToInt, &[u]),
            14 => pool.le(x, y),
            15 => pool.le(x, number),
            16 => pool.ge(x, number),
            17 => pool.eq(x, y),
            18 => pool.eq(x, number),
            19 => pool.not(p),
            20 => pool.and([p, q]),
            21 => pool.or([p, q]),
            22 => pool.eq(p, q),
            23 => pool.implies(p, q),
            24 => pool.apply(self.g, &[x]),
            25 => pool.eq(a, b),
            26 => pool.eq(u, v),
            27 => pool.eq(m, n),
            28 => pool.bv(BvOp::Ult, &[u, v]),
            29 => pool.bv(BvOp::Sle, &[u, v]),
            30 => pool.store(a, x, y),
            31 => pool.ite(p, a, b),
            32 => pool.const_array(pool.sort_of(a), x),
            33 => pool.apply(self.h, &[m]),
            34 => pool.ite(q, m, n),
            35 => pool.bv(BvOp::FromInt(5), &[x]),
            36 => pool.bv(BvOp::Add, &[u, v, u]),
            37 => pool.bv(BvOp::Concat, &[slice(u, 2, 0), slice(v, 4, 3)]),
            38 => pool.bv(BvOp::SignExtend(2), &[slice(v, 3, 1)]),
            39 => pool.bv(BvOp::ZeroExtend(0), &[u]),
            40 => pool.bv([BvOp::Udiv, BvOp::Srem, BvOp::Shl, BvOp::Ashr][usize::from(i) % 4], &[u, v]),
            41 => pool.bv([BvOp::And, BvOp::Or, BvOp::Xor, BvOp::Mul][usize::from(i) % 4], &[u, v]),
            42 => pool.bv([BvOp::Neg, BvOp::Not][usize::from(i) % 2], &[u]),
            43 => pool.bv_value(&Integer::from(i64::from(k)), 5),
            44 => pool.ite(p, u, v),
            45 => pool.scale(&Integer::from(i64::MAX), x),
            _ => number,
        };
        match pool.sort_kind(pool.sort_of(term)) {
            SortKind::Bool => self.bools.push(term),
            SortKind::Int => self.ints.push(term),
            SortKind::BitVec(_) => self.bits.push(term),
            SortKind::Array { .. } => self.arrays.push(term),
            SortKind::Uninterpreted(_) => self.elements.push(term),
        }
        term
    }
}

fn check(pool: &TermPool, term: Term) {
    let text = pool.display(term).to_string();
    match parse_term(pool, &text, &PoolScope(pool)) {
        Ok(again) if again == term => {}
        Ok(again) => panic!("{text}\nis read as\n{}", pool.display(again)),
        Err(error) => panic!("{text}\nis rejected: {error}"),
    }
    assert!(!pool.infix(term).to_string().is_empty());
}

#[test]
fn products_that_are_not_multiplied_out_are_read_as_themselves() {
    let pool = TermPool::new();
    let v = pool.symbol("v", Sort::INT);
    let sum = |name: &str, parts: usize| pool.add((0..parts).map(|i| pool.symbol(&format!("{name}{i}"), Sort::INT)));
    let (small, large) = (sum("s", 3), sum("l", 30));
    let product = pool.mul(small, large);
    check(&pool, product);
    check(&pool, pool.mul(v, product));
    check(&pool, pool.scale(&Integer::from(-3), product));
    check(&pool, pool.add([v, pool.scale(&Integer::from(3), pool.mul(v, product))]));
}

/// Z3's reading of the formula, as Z3 writes it; none if it rejects the script.
fn through_z3(pool: &TermPool, formula: Term, simplified: bool) -> Option<String> {
    let solver = z3::Solver::new();
    solver.from_string(script(pool, &[formula]));
    match &solver.get_assertions()[..] {
        [] => None,
        [only] if simplified => Some(only.simplify().to_string()),
        [only] => Some(only.to_string()),
        _ => panic!("one formula became several"),
    }
}

/// A small value for each variable, and none for functions.
fn some_model(pool: &TermPool, formula: Term, seed: u32) -> Model {
    let mut model = Model::default();
    for &var in pool.free_vars(formula) {
        let chosen = (seed.wrapping_mul(2_654_435_761) >> (var.index() % 24)) % 7;
        let value = match pool.sort_kind(pool.var_sort(var)) {
            SortKind::Bool => Value::Bool(chosen < 3),
            SortKind::Int => Value::Int(Integer::from(i64::from(chosen) - 3)),
            SortKind::BitVec(width) => Value::BitVec((chosen * 5 % 32).into(), *width),
            SortKind::Uninterpreted(_) => Value::Element(chosen % 2),
            SortKind::Array { .. } => continue,
        };
        model.vars.insert(var, value);
    }
    model
}

type Step = (u8, u8, u8, i16);

fn steps(op: impl Strategy<Value = u8>) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((op, any::<u8>(), any::<u8>(), -20i16..20), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_terms_are_read_as_themselves(steps in steps(any::<u8>())) {
        let mut builder = Builder::new();
        for step in steps {
            let term = builder.step(step);
            check(&builder.pool, term);
        }
    }

    #[test]
    fn printed_formulas_are_read_as_themselves(steps in steps(prop_oneof![Just(3), 9u8..11, 14u8..24])) {
        let mut builder = Builder::new();
        for step in steps {
            let term = builder.step(step);
            check(&builder.pool, term);
        }
    }

    #[test]
    fn z3_reads_what_is_printed_and_what_it_prints_is_read(steps in steps(any::<u8>()), seed in any::<u32>()) {
        let mut builder = Builder::new();
        for step in steps {
            builder.step(step);
        }
        let pool = &builder.pool;
        let formula = *builder.bools.last().expect("there are variables");
        for simplified in [false, true] {
            let text = through_z3(pool, formula, simplified);
            prop_assert!(text.is_some(), "Z3 rejects\n{}", script(pool, &[formula]));
            let text = text.unwrap_or_default();
            match parse_term(pool, &text, &PoolScope(pool)) {
                Ok(again) => {
                    for seed in seed..seed.saturating_add(20) {
                        let model = some_model(pool, formula, seed);
                        if let (Some(a), Some(b)) = (pool.holds_in(formula, &model), pool.holds_in(again, &model)) {
                            prop_assert_eq!(a, b, "{} became {}", pool.display(formula), text);
                        }
                    }
                }
                Err(error) => prop_assert!(false, "{error} in {text}"),
            }
        }
    }
}
