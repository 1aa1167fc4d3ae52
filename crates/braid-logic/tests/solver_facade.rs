//! The façade as its callers see it: answers, cores, models, and what happens when a query cannot be answered.

use braid_logic::{
    Answer, Budget, BvOp, Integer, Quantifier, Solver, SolverOptions, Sort, SortKind, Term, TermPool, Validity,
};
use std::time::{Duration, Instant};

/// Runs a test with the native tier on and off.
fn both(test: impl Fn(&TermPool, &mut Solver)) {
    for native in [true, false] {
        let pool = TermPool::new();
        let mut solver = solver(&pool, SolverOptions { native, ..SolverOptions::default() });
        test(&pool, &mut solver);
    }
}

fn solver(pool: &TermPool, options: SolverOptions) -> Solver<'_> {
    Solver::new(pool, options).expect("Z3 is linked")
}

fn ints<const N: usize>(pool: &TermPool, names: [&str; N]) -> [Term; N] {
    names.map(|name| pool.symbol(name, Sort::INT))
}

/// x³ + y³ = z³ over integers above 1: no solver decides it soon.
fn hopeless(pool: &TermPool) -> Vec<Term> {
    let [x, y, z] = ints(pool, ["x", "y", "z"]);
    let cube = |t| pool.mul(t, pool.mul(t, t));
    let mut formulas: Vec<Term> = [x, y, z].map(|t| pool.gt(t, pool.int(1))).into();
    formulas.push(pool.eq(pool.add([cube(x), cube(y)]), cube(z)));
    formulas
}

#[test]
fn answers_follow_the_stack() {
    both(|pool, solver| {
        let [x, y] = ints(pool, ["x", "y"]);
        assert_eq!(solver.check(), Answer::Sat);
        solver.assert(pool.le(x, y));
        assert_eq!(solver.check(), Answer::Sat);
        solver.push();
        solver.assert(pool.lt(y, x));
        assert_eq!(solver.check(), Answer::Unsat);
        solver.push();
        solver.assert(pool.gt(x, pool.int(3)));
        assert_eq!(solver.check(), Answer::Unsat);
        solver.pop();
        solver.pop();
        assert_eq!(solver.check(), Answer::Sat);
        solver.push();
        solver.push();
        solver.assert(pool.eq(x, pool.int(4)));
        assert_eq!(solver.check_assuming(&[pool.le(y, pool.int(3))]), Answer::Unsat);
        assert_eq!(solver.check_assuming(&[pool.le(y, pool.int(4))]), Answer::Sat);
        solver.pop();
        assert_eq!(solver.check_assuming(&[pool.le(y, pool.int(3))]), Answer::Sat);
        // A scope emptied and filled anew, and one more than was opened closed.
        solver.assert(pool.eq(y, pool.int(2)));
        assert_eq!(solver.check_assuming(&[pool.eq(x, pool.int(3))]), Answer::Unsat);
        solver.pop();
        solver.pop();
        assert_eq!(solver.check_assuming(&[pool.lt(y, x)]), Answer::Sat);
    });
}

#[test]
fn decide_and_entails_leave_the_stack_alone() {
    both(|pool, solver| {
        let [x, y] = ints(pool, ["x", "y"]);
        solver.assert(pool.lt(x, y));
        assert_eq!(solver.decide(&[pool.lt(y, x)]), Answer::Sat);
        assert_eq!(solver.decide(&[pool.lt(y, x), pool.le(x, y)]), Answer::Unsat);
        assert_eq!(solver.entails(&[pool.lt(x, y)], pool.le(pool.add([x, pool.int(1)]), y)), Validity::Valid);
        assert_eq!(solver.entails(&[pool.le(x, y)], pool.lt(x, y)), Validity::Invalid);
        let model = solver.model().expect("a counterexample");
        assert_eq!(pool.holds_in(pool.eq(x, y), &model), Some(true));
        assert_eq!(solver.check_assuming(&[pool.lt(y, x)]), Answer::Unsat);
    });
}

#[test]
fn cores_are_subsets_that_suffice() {
    both(|pool, solver| {
        let [x, y, z] = ints(pool, ["x", "y", "z"]);
        let p = pool.symbol("p", Sort::BOOL);
        let (below, above) = (pool.le(x, y), pool.lt(y, x));
        let noise = [pool.ge(z, pool.int(0)), p, pool.or([pool.not(p), pool.le(z, pool.int(9))])];
        solver.assert(pool.le(y, z));
        let assumptions = [noise[0], below, noise[1], pool.lt(z, x), noise[2], above];
        assert_eq!(solver.check_assuming(&assumptions), Answer::Unsat);
        let core = solver.core().to_vec();
        assert!(core.iter().all(|formula| assumptions.contains(formula)));
        let minimal = solver.minimize_core().to_vec();
        assert!(minimal.len() <= 2 && minimal.iter().all(|formula| core.contains(formula)), "{minimal:?}");
        assert_eq!(solver.check_assuming(&minimal), Answer::Unsat);
        for formula in &minimal {
            let rest: Vec<Term> = minimal.iter().copied().filter(|other| other != formula).collect();
            assert_eq!(solver.check_assuming(&rest), Answer::Sat);
        }
        assert_eq!(solver.check_assuming(&[p, Term::FALSE]), Answer::Unsat);
        assert_eq!(solver.core(), [Term::FALSE]);
        // Assumptions that are literals, complementary ones.
        assert_eq!(solver.check_assuming(&[p, noise[0], pool.not(p)]), Answer::Unsat);
        assert_eq!(solver.minimize_core().len(), 2);
        solver.assert(Term::FALSE);
        assert_eq!(solver.check_assuming(&[p]), Answer::Unsat);
        assert_eq!(solver.core(), []);
    });
}

/// One formula of each theory; each is satisfiable, and so is the model.
fn samples(pool: &TermPool) -> Vec<Term> {
    let [x, y] = ints(pool, ["x", "y"]);
    let p = pool.symbol("p", Sort::BOOL);
    let big: Integer = "123456789012345678901234567890".parse().expect("a numeral");
    let array = pool.array_sort(Sort::INT, Sort::INT);
    let (a, b) = (pool.symbol("a", array), pool.symbol("b", array));
    let matrix = pool.symbol("m", pool.array_sort(Sort::INT, array));
    let flags = pool.symbol("flags", pool.array_sort(Sort::INT, Sort::BOOL));
    let byte = pool.sort(SortKind::BitVec(8));
    let (u, v) = (pool.symbol("u", byte), pool.symbol("v", byte));
    let wide = pool.symbol("w", pool.sort(SortKind::BitVec(100)));
    let thing = pool.sort(SortKind::Uninterpreted("Thing".into()));
    let (c, d) = (pool.symbol("c", thing), pool.symbol("d", thing));
    let f = pool.fun("f", &[Sort::INT], Sort::INT);
    let g = pool.fun("g", &[thing, Sort::INT], thing);
    let of = |n: i32| pool.int(n);
    let byte_of = |n: i32| pool.bv_value(&Integer::from(n), 8);
    let holder = pool.symbol("holder", pool.array_sort(thing, thing));
    vec![
        pool.and([pool.lt(pool.int(big.clone()), x), pool.lt(x, pool.int(&big + &Integer::from(2)))]),
        pool.eq(pool.mul(x, y), of(35)),
        pool.and([pool.eq(pool.modulo(x, of(7)), of(3)), pool.eq(pool.div(x, of(7)), of(-5))]),
        pool.eq(pool.ite(p, x, y), of(3)),
        pool.and([pool.eq(b, pool.store(a, x, of(5))), pool.eq(pool.select(b, y), of(6))]),
        pool.and([pool.not(pool.eq(a, b)), pool.eq(pool.select(a, of(1)), pool.select(b, of(1)))]),
        pool.eq(a, pool.store(pool.store(pool.const_array(array, of(7)), of(1), of(2)), of(-3), x)),
        pool.eq(pool.select(pool.select(matrix, x), of(2)), of(9)),
        pool.and([pool.select(flags, x), pool.not(pool.select(flags, y))]),
        pool.and([pool.eq(pool.apply(f, &[x]), of(1)), pool.eq(pool.apply(f, &[pool.apply(f, &[y])]), of(2))]),
        pool.and([pool.not(pool.eq(c, d)), pool.eq(pool.apply(g, &[c, x]), d)]),
        pool.and([
            pool.not(pool.eq(pool.select(holder, c), pool.select(holder, d))),
            pool.eq(pool.select(holder, c), c),
        ]),
        pool.and([pool.bv(BvOp::Ult, &[u, v]), pool.bv(BvOp::Slt, &[v, u])]),
        pool.eq(pool.bv(BvOp::Add, &[u, v]), byte_of(200)),
        pool.eq(pool.bv(BvOp::Mul, &[u, v]), byte_of(77)),
        pool.eq(pool.bv(BvOp::Udiv, &[u, v]), byte_of(9)),
        pool.eq(pool.bv(BvOp::Urem, &[u, v]), byte_of(9)),
        pool.eq(pool.bv(BvOp::Sdiv, &[u, v]), byte_of(-9)),
        pool.eq(pool.bv(BvOp::Srem, &[u, v]), byte_of(-9)),
        pool.eq(pool.bv(BvOp::Neg, &[u]), byte_of(9)),
        pool.eq(pool.bv(BvOp::Not, &[u]), byte_of(9)),
        pool.eq(pool.bv(BvOp::And, &[u, v]), pool.bv(BvOp::Or, &[u, byte_of(3)])),
        pool.eq(pool.bv(BvOp::Xor, &[u, v]), byte_of(0x5a)),
        pool.eq(pool.bv(BvOp::Shl, &[u, v]), byte_of(64)),
        pool.eq(pool.bv(BvOp::Lshr, &[u, v]), byte_of(3)),
        pool.eq(pool.bv(BvOp::Ashr, &[u, v]), byte_of(-3)),
        pool.eq(pool.bv(BvOp::Extract { high: 99, low: 92 }, &[wide]), u),
        pool.eq(pool.bv(BvOp::ZeroExtend(92), &[u]), wide),
        pool.eq(pool.bv(BvOp::SignExtend(92), &[byte_of(-2)]), wide),
        pool.eq(pool.bv(BvOp::Extract { high: 15, low: 0 }, &[wide]), pool.bv(BvOp::Concat, &[u, v])),
        pool.and([pool.bv(BvOp::Ule, &[u, v]), pool.bv(BvOp::Sle, &[v, u]), pool.not(pool.eq(u, v))]),
        pool.eq(pool.bv(BvOp::ToInt, &[u]), pool.add([x, of(250)])),
        pool.and([pool.eq(pool.bv(BvOp::FromInt(8), &[x]), byte_of(7)), pool.gt(x, of(300))]),
    ]
}

#[test]
fn models_of_every_theory_hold() {
    both(|pool, solver| {
        for (number, formula) in samples(pool).into_iter().enumerate() {
            assert_eq!(solver.decide(&[formula]), Answer::Sat, "sample {number}");
            for _ in 0..2 {
                let model = solver.model().expect("a model");
                assert_eq!(pool.holds_in(formula, &model), Some(true), "sample {number}: {model:?}");
            }
            assert!(pool.free_vars(formula).iter().all(|var| solver.model().expect("a model").vars.contains_key(var)));
            solver.push();
            solver.assert(formula);
            assert_eq!(solver.check(), Answer::Sat, "sample {number}");
            assert_eq!(pool.holds_in(formula, &solver.model().expect("a model")), Some(true), "sample {number}");
            assert_eq!(solver.check_assuming(&[pool.not(formula)]), Answer::Unsat, "sample {number}");
            assert_eq!(solver.model(), None);
            solver.pop();
        }
    });
}

#[test]
fn quantified_formulas_reach_the_backend() {
    both(|pool, solver| {
        let [x, y] = ints(pool, ["x", "y"]);
        let bound = pool.fresh_var("b", Sort::INT);
        let b = pool.of_var(bound);
        let all_above = pool.quantify(Quantifier::Forall, &[bound], pool.or([pool.lt(b, x), pool.lt(y, b)]));
        assert_eq!(solver.decide(&[all_above, pool.le(x, y)]), Answer::Unsat);
        assert_eq!(solver.decide(&[all_above, pool.lt(y, x)]), Answer::Sat);
        let some = pool.quantify(Quantifier::Exists, &[bound], pool.and([pool.le(x, b), pool.le(b, y)]));
        assert_eq!(solver.entails(&[some], pool.le(x, y)), Validity::Valid);
    });
}

#[test]
fn remembered_answers_still_have_models() {
    both(|pool, solver| {
        let [x, y] = ints(pool, ["x", "y"]);
        let (first, second) = (pool.lt(x, y), pool.gt(x, pool.int(5)));
        assert_eq!(solver.decide(&[first, second]), Answer::Sat);
        assert_eq!(solver.decide(&[first, pool.not(first)]), Answer::Unsat);
        assert_eq!(solver.decide(&[second, first, second]), Answer::Sat);
        assert_eq!(solver.statistics().cache_hits, 1);
        let model = solver.model().expect("a model");
        assert_eq!(pool.holds_in(pool.and([first, second]), &model), Some(true));
    });
}

#[test]
fn an_exhausted_budget_is_unknown_and_the_next_query_works() {
    let pool = TermPool::new();
    let budget = Budget { rlimit: 1000, wall_clock: Duration::from_millis(200), ..Budget::default() };
    let mut solver = solver(&pool, SolverOptions { native: false, memory: false, budget, ..SolverOptions::default() });
    let [x, y] = ints(&pool, ["x", "y"]);
    let easy = [pool.lt(x, y), pool.lt(y, x)];
    for _ in 0..3 {
        let start = Instant::now();
        assert_eq!(solver.decide(&hopeless(&pool)), Answer::Unknown);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(solver.model(), None);
        assert_eq!(solver.check_assuming(&hopeless(&pool)), Answer::Unknown);
        assert_eq!(solver.check_assuming(&easy), Answer::Unsat);
        assert_eq!(solver.core().len(), 2);
        assert_eq!(solver.decide(&easy[..1]), Answer::Sat);
        assert_eq!(pool.holds_in(easy[0], &solver.model().expect("a model")), Some(true));
        solver.push();
        solver.assert(pool.gt(x, pool.int(7)));
    }
    assert!(solver.statistics().backend.unknown >= 6);
}

#[test]
fn another_thread_can_interrupt() {
    let pool = TermPool::new();
    let budget = Budget { rlimit: 0, wall_clock: Duration::from_secs(60), ..Budget::default() };
    let mut solver = solver(&pool, SolverOptions { budget, ..SolverOptions::default() });
    let interrupter = solver.interrupter();
    // Nothing is running: no effect.
    interrupter.interrupt();
    let [x, y] = ints(&pool, ["x", "y"]);
    assert_eq!(solver.decide(&[pool.eq(pool.mul(x, y), pool.int(35))]), Answer::Sat);
    for _ in 0..2 {
        let (start, remote) = (Instant::now(), interrupter.clone());
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            remote.interrupt();
        });
        assert_eq!(solver.decide(&hopeless(&pool)), Answer::Unknown);
        assert!(start.elapsed() < Duration::from_millis(1200), "{:?}", start.elapsed());
        thread.join().expect("the other thread ends");
        assert_eq!(solver.decide(&[pool.eq(pool.mul(x, y), pool.int(35))]), Answer::Sat);
    }
    drop(solver);
    interrupter.interrupt();
}

#[test]
fn interrupts_at_any_moment_spoil_no_other_answer() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let pool = TermPool::new();
    let mut solver = solver(&pool, SolverOptions { native: false, memory: false, ..SolverOptions::default() });
    let interrupter = solver.interrupter();
    let done = Arc::new(AtomicBool::new(false));
    let thread = std::thread::spawn({
        let done = done.clone();
        move || {
            let mut pause = 1;
            while !done.load(Ordering::Relaxed) {
                pause = pause * 7 % 1009;
                std::thread::sleep(Duration::from_micros(20 * pause));
                interrupter.interrupt();
            }
        }
    });
    let [x, y] = ints(&pool, ["x", "y"]);
    let start = Instant::now();
    let mut known = 0;
    for k in 0.. {
        if start.elapsed() > Duration::from_secs(2) {
            break;
        }
        let satisfiable = [pool.gt(x, pool.int(k)), pool.eq(y, pool.add([x, pool.int(k)]))];
        let formulas = [satisfiable[0], satisfiable[1], pool.le(y, pool.int(2 * k))];
        match solver.decide(&satisfiable) {
            Answer::Sat => {
                let model = solver.model().expect("a model");
                assert!(satisfiable.iter().all(|&formula| pool.holds_in(formula, &model) == Some(true)), "{model:?}");
                known += 1;
            }
            answer => assert_eq!(answer, Answer::Unknown),
        }
        let answer = solver.check_assuming(&formulas);
        assert!(answer == Answer::Unknown || answer == Answer::Unsat && solver.core().len() == 3, "{answer:?}");
    }
    done.store(true, Ordering::Relaxed);
    thread.join().expect("the other thread ends");
    assert!(known > 0);
    assert_eq!(solver.decide(&[pool.lt(x, y)]), Answer::Sat);
}
