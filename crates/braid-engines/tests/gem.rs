//! What `gem` proves and in how many rounds, as data: programs, orders and the most rounds they may take.

use braid_engines::gem::Gem;
use braid_engines::{Argument, Control, Engine, Outcome, ProvenReduction, Statistics, Task, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_logic::text::{PoolScope, parse_term};
use braid_program::{LowerOptions, lower};
use braid_reduction::{CommutativityMode, OrderSpec, Reduction};
use std::time::{Duration, Instant};

fn verify(text: &str, engine: &Gem) -> Outcome {
    verify_as(Language::Weaver, text, engine)
}

fn verify_as(language: Language, text: &str, engine: &Gem) -> Outcome {
    verify_with(language, text, engine, &[])
}

/// Verifies a program with assertions that are known to help.
fn verify_with(language: Language, text: &str, engine: &Gem, assertions: &[String]) -> Outcome {
    let program = parse("test", text, language).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let pool = TermPool::new();
    let mut automata = lower(&program, &pool, LowerOptions::default()).expect("lowers");
    automata.seeds =
        assertions.iter().map(|text| parse_term(&pool, text, &PoolScope(&pool)).expect("a term")).collect();
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(30)));
    engine.verify(&Task::new(&automata), &control)
}

fn check(text: &str, order: &str, most_rounds: u64) {
    let order: OrderSpec = order.parse().expect("an order");
    let outcome = verify(text, &Gem { order, ..Gem::default() });
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    assert!(outcome.statistics.rounds <= most_rounds, "{} rounds", outcome.statistics.rounds);
}

/// Two loops add the same increments, and a third adds both.
const SUMS: &str = "
    (var i j k x1 x2 x3 n Int) (var f (Int) Int)
    (assume (and (= i 0) (= j 0) (= k 0) (= x1 0) (= x2 0) (= x3 0)))
    (par
      (while (< i n) (atomic (set! x1 (+ x1 (f i))) (set! i (+ i 1))))
      (while (< j n) (atomic (set! x2 (+ x2 (f j))) (set! j (+ j 1))))
      (while (< k n) (atomic (set! x3 (+ x3 (f k) (f k))) (set! k (+ k 1)))))
    (assume (not (= (+ x1 x2) x3)))";

#[test]
fn a_sum_of_two_loops_equals_a_third() {
    check(SUMS, "loop-lockstep", 5);
}

#[test]
fn path_programs_find_the_sum_without_seeds() {
    let outcome = verify(SUMS, &Gem { order: OrderSpec::LoopLockstep, seed_invariants: false, ..Gem::default() });
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    assert!(outcome.statistics.rounds <= 12, "{} rounds", outcome.statistics.rounds);
}

/// A proof is data: in another pool, its assertions cover the reduction at once.
#[test]
fn the_assertions_of_a_proof_prove_it_again() {
    let engine = Gem { order: OrderSpec::LoopLockstep, seed_invariants: false, ..Gem::default() };
    let Verdict::Safe(proof) = verify(SUMS, &engine).verdict else { panic!("it is safe") };
    let Argument::Reduction(ProvenReduction { assertions, order, .. }) = proof.argument else { panic!("{proof}") };
    let again = verify_with(Language::Weaver, SUMS, &Gem { order, ..engine }, &assertions);
    assert!(matches!(again.verdict, Verdict::Safe(_)), "{:?}", again.verdict);
    assert_eq!(again.statistics.rounds, 1);
}

/// One loop over a whole range, against two over its parts.
const PARTS: &str = "
    (var i j k s t u m n Int) (var f (Int) Int)
    (assume (and (<= 0 m) (< m n) (= i 0) (= j 0) (= k m) (= s 0) (= t 0) (= u 0)))
    (par
      (while (< i n) (atomic (set! s (+ s (f i))) (set! i (+ i 1))))
      (while (< j m) (atomic (set! t (+ t (f j))) (set! j (+ j 1))))
      (while (< k n) (atomic (set! u (+ u (f k))) (set! k (+ k 1)))))
    (assume (not (= s (+ t u))))";

#[test]
fn a_loop_equals_its_two_halves_under_an_order_by_groups() {
    check(PARTS, "cut:1", 4);
}

/// Three stations pass parcels on; a parcel of weight 0 says that there are no more. Where one station runs ahead, the next one's turn stays asleep
/// only as long as it is known that something lies on its belt, and which flags still hold says where sums go on.
#[test]
fn stations_that_pass_parcels_on_go_round_by_round() {
    let text = "
        (var belt1 belt2 (Int) Int) (var in1 out1 in2 out2 sent n weight carried total Int) (var going coming Bool)
        (assume (and (= in1 out1) (= in2 out2) (>= n 0) (= sent total 0) (= going coming true)))
        (par
          (seq (while (< sent n)
                 (atomic (assume (= (belt1 in1) 5)) (set! in1 (+ in1 1)))
                 (set! sent (+ sent 1)))
               (atomic (assume (= (belt1 in1) 0)) (set! in1 (+ in1 1))))
          (while going
            (atomic (assume (< out1 in1)) (set! carried (belt1 out1)) (set! out1 (+ out1 1)))
            (atomic (assume (= (belt2 in2) carried)) (set! in2 (+ in2 1)))
            (set! going (> carried 0)))
          (while coming
            (atomic (assume (< out2 in2)) (set! weight (belt2 out2)) (set! out2 (+ out2 1)))
            (set! total (+ total weight))
            (set! coming (> weight 0))))
        (assume (not (= total (* 5 n))))";
    check(text, "loop-lockstep", 4);
}

/// What is filled is spoken of at one index that never changes.
#[test]
fn a_loop_fills_the_cells_that_it_has_passed() {
    let text = "
        (var from to (Array Int Int)) (var left right n middle any Int)
        (assume (and (= left 0) (= right middle) (<= 0 middle) (<= middle n) (<= 0 any) (< any n)))
        (par
          (while (< left n) (atomic (store! to left (+ (select from left) 1)) (set! left (+ left 1))))
          (while (< right n) (atomic (store! to right (+ (select from right) 1)) (set! right (+ right 1)))))
        (assume (not (= (select to any) (+ (select from any) 1))))";
    check(text, "loop-lockstep", 6);
}

#[test]
fn what_is_added_each_time_is_a_product_with_the_counter() {
    let text = "
        (var taken price first second n m Int)
        (assume (and (= taken first second 0) (>= n 0) (>= m 0)))
        (par
          (while (< first n) (atomic (set! taken (+ taken price)) (set! first (+ first 1))))
          (while (< second m) (atomic (set! taken (+ taken price)) (set! second (+ second 1)))))
        (assume (not (= taken (+ (* price n) (* price m)))))";
    check(text, "cut:1", 4);
}

/// A loop that does one step in a round, against one that does several, with or without a loop for those that are left over.
fn unrolled(steps: usize, left_over: bool) -> String {
    let step = "(set! y (f y)) ".repeat(steps);
    let (known, guard, rest) = match left_over {
        true => {
            (String::new(), format!("(<= (+ j {steps}) n)"), "(while (< j n) (atomic (set! y (f y)) (set! j (+ j 1))))")
        }
        false => (format!("(= n (* {steps} k))"), "(< j n)".to_owned(), ""),
    };
    format!(
        "(var x y i j k n Int) (var f (Int) Int)
         (assume (and (= x y) (= i 0) (= j 0) {known}))
         (par (while (< i n) (atomic (set! x (f x)) (set! i (+ i 1))))
              (seq (while {guard} (atomic {step} (set! j (+ j {steps})))) {rest}))
         (assume (not (= x y)))"
    )
}

#[test]
fn an_unrolled_loop_goes_at_another_rate() {
    for steps in 2..=5 {
        check(&unrolled(steps, false), "rates", 4);
        check(&unrolled(steps, true), "rates", 8);
    }
    check(&unrolled(3, false), "rates:1,3", 4);
}

/// A loop that is unrolled, with tests after it for what is left over.
fn unrolled_with_tests(steps: usize) -> String {
    let step = "(set! y (f y)) ".repeat(steps);
    let rest = (1..steps)
        .fold(String::new(), |rest, _| format!("(if (< j n) (seq (atomic (set! y (f y)) (set! j (+ j 1))) {rest}))"));
    format!(
        "(var x y i j n Int) (var f (Int) Int)
         (assume (and (= x y) (= i 0) (= j 0)))
         (par (while (< i n) (atomic (set! x (f x)) (set! i (+ i 1))))
              (seq (while (<= (+ j {steps}) n) (atomic {step} (set! j (+ j {steps})))) {rest}))
         (assume (not (= x y)))"
    )
}

#[test]
fn what_is_left_over_may_come_after_a_loop() {
    for steps in 2..=5 {
        check(&unrolled_with_tests(steps), "rates", 8);
    }
}

#[test]
fn loops_without_different_rates_are_left_to_others() {
    let reason = verify(SUMS, &Gem { order: OrderSpec::Rates(Vec::new()), ..Gem::default() }).verdict;
    assert!(format!("{reason:?}").contains("no loops were found that go at different rates"), "{reason:?}");
}

/// The last step is missing if there is something left over.
#[test]
fn a_wrongly_unrolled_loop_is_found() {
    let text = unrolled(3, false).replace("(= n (* 3 k))", "(<= 0 n)");
    let outcome = verify(&text, &Gem { order: OrderSpec::Rates(vec![1, 3]), ..Gem::default() });
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

#[test]
fn counting_up_and_down_ends_where_it_began() {
    let text = "(var c i j n Int) (assume (and (= c 0) (= i 0) (= j 0)))
        (par (while (< i n) (atomic (set! c (+ c 1)) (set! i (+ i 1))))
             (while (< j n) (atomic (assume (> c 0)) (set! c (- c 1)) (set! j (+ j 1)))))
        (assume (not (= c 0)))";
    check(text, "loop-lockstep", 4);
}

#[test]
fn every_setting_proves_a_lock() {
    let text = "(var l a b Bool) (assume (and (not l) (not a) (not b)))
        (par (seq (atomic (assume (not l)) (set! l true)) (set! a true) (assume b))
             (seq (atomic (assume (not l)) (set! l true)) (set! b true) (assume a)))";
    for reduction in [Reduction::None, Reduction::Sleep, Reduction::Persistent, Reduction::Both] {
        for commutativity in [CommutativityMode::None, CommutativityMode::Semantic, CommutativityMode::ProofSensitive] {
            for seed_invariants in [false, true] {
                let engine = Gem { reduction, commutativity, seed_invariants, ..Gem::default() };
                let verdict = verify(text, &engine).verdict;
                assert!(matches!(verdict, Verdict::Safe(_)), "{reduction:?} {commutativity:?}: {verdict:?}");
            }
        }
    }
}

#[test]
fn a_bug_is_found_with_its_inputs() {
    let text = "(var x n Int) (assume (= x 0)) (par (set! x (+ x n)) (set! x (* 2 x))) (assume (= x 14))";
    let outcome = verify(text, &Gem::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

/// The driver of paper 1, section 2: one thread stops it, one user checks, the others just use it.
fn bluetooth(users: usize) -> String {
    let enter = "(atomic (assume (not stopping)) (set! pending (+ pending 1)))";
    let exit = "(atomic (set! pending (- pending 1)) (if (= pending 0) (set! event true)))";
    let user = format!("(loop {enter} {exit})");
    format!(
        "(var pending Int) (var stopping event stopped Bool)
         (set! pending 1) (set! (stopping event stopped) (false false false))
         (par (seq (set! stopping true) {exit} (assume event) (set! stopped true))
              (loop {enter} (assert (not stopped)) {exit})
              {})",
        user.repeat(users - 1)
    )
}

#[test]
fn a_proof_with_conditional_commutativity_does_not_grow_with_the_number_of_threads() {
    let figures = |users: usize| {
        let outcome = verify_as(Language::Braid, &bluetooth(users), &Gem { seed_invariants: false, ..Gem::default() });
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{users} users: {:?}", outcome.verdict);
        let Statistics { rounds, proof_size, states, .. } = outcome.statistics;
        ((rounds, proof_size), states)
    };
    let (size, _) = figures(3);
    assert_eq!([4, 5, 10].map(|users| figures(users).0), [size; 3]);
    // Users that are alike are exchanged: without that, each more doubles the number of states.
    assert!(figures(10).1 < 16 * figures(5).1);
}

/// A thread that is past its assertion is not past it for ever: it may be started again.
#[test]
fn threads_that_start_again_can_fail_later() {
    let text = "(var x Int) (seq (set! x 0) (loop (par (seq (assert (= x 0)) (set! x 1)) (assume true))))";
    let outcome = verify_as(Language::Braid, text, &Gem::default());
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

/// There are more ways through many branches than can be looked at, and none of them comes to a loop.
#[test]
fn branches_without_a_loop_get_no_seeds_but_an_answer() {
    let branches = "(if (= x y) (set! x (+ x 1)) (set! y (+ y 1)))".repeat(40);
    let text = format!("(var x y Int) (seq (assume (>= x 0)) {branches} (assert (>= x 0)))");
    let engine = Gem { seed_invariants: true, ..Gem::default() };
    let outcome = verify_as(Language::Braid, &text, &engine);
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
}

/// Comparing in one direction and in the other gives opposite results. Every value of a round depends on conditions, and no assertions were found before
/// these became cases.
#[test]
fn values_that_depend_on_conditions() {
    let outcome = verify(COMPARISONS, &Gem { order: OrderSpec::LoopLockstep, ..Gem::default() });
    assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    let wrong = COMPARISONS.replace("(= r1 (- r2))", "(= r1 r2)");
    let outcome = verify(&wrong, &Gem { order: OrderSpec::LoopLockstep, ..Gem::default() });
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
}

/// Two loops that compare two sequences, each with a result of its own.
const COMPARISONS: &str = "
    (var left right (Int) Int) (var s1 i1 r1 s2 i2 r2 Int) (var open1 open2 Bool)
    (par
      (seq
        (atomic (set! open1 true) (set! i1 0))
        (loop (atomic
          (assume (and open1 (< i1 6)))
          (set! s1 (if (< (left i1) (right i1)) (- 1) (if (> (left i1) (right i1)) 1 0)))
          (set! r1 (if (not (= s1 0)) s1 r1))
          (set! open1 (if (not (= s1 0)) false open1))
          (set! i1 (if (not (= s1 0)) i1 (+ i1 1)))))
        (atomic (assume (not (and open1 (< i1 6)))) (set! r1 (if open1 0 r1))))
      (seq
        (atomic (set! open2 true) (set! i2 0))
        (loop (atomic
          (assume (and open2 (< i2 6)))
          (set! s2 (if (< (right i2) (left i2)) (- 1) (if (> (right i2) (left i2)) 1 0)))
          (set! r2 (if (not (= s2 0)) s2 r2))
          (set! open2 (if (not (= s2 0)) false open2))
          (set! i2 (if (not (= s2 0)) i2 (+ i2 1)))))
        (atomic (assume (not (and open2 (< i2 6)))) (set! r2 (if open2 0 r2)))))
    (assume (not (= r1 (- r2))))";
