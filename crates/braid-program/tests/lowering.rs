//! What programs become as automata, as data: the text of a program and the list of its automata.

use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::cfa::Listing;
use braid_program::{LowerOptions, lower};
use expect_test::{Expect, expect};

fn listing(text: &str, options: LowerOptions) -> String {
    let program = match parse("test.braid", text, Language::Braid) {
        Ok(program) => program,
        Err(diagnostics) => panic!("{diagnostics}"),
    };
    let pool = TermPool::new();
    match lower(&program, &pool, options) {
        Ok(program) => Listing(&program).to_string(),
        Err(error) => format!("{}: {}\n", program.sources.text(error.span), error.message),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&listing(text, LowerOptions { fuse: false, ..LowerOptions::default() }));
}

fn check_fused(text: &str, expected: Expect) {
    expected.assert_eq(&listing(text, LowerOptions::default()));
}

#[test]
fn tests_are_steps_of_their_own() {
    check(
        "(var x Int) (if (< x 0) (set! x 1) (set! x 2)) (while (< x 9) (set! x (+ x 1)))",
        expect![[r#"
        thread main: entry 1, exit 2
          1 -> 3: assume (<= x (- 1))
          1 -> 4: assume (>= x 0)
          3 -> 5 (loop): x := 1
          4 -> 5 (loop): x := 2
          5 -> 6: assume (<= x 8)
          5 -> 2: assume (>= x 9)
          6 -> 5 (loop): x := (+ x 1)
    "#]],
    );
}

#[test]
fn a_choice_with_an_empty_branch_is_no_loop() {
    check(
        "(var x Int) (cond (seq) (set! x 1)) (loop (set! x 2))",
        expect![[r#"
        thread main: entry 1, exit 2
          1 -> 3 (loop): skip
          1 -> 3 (loop): x := 1
          3 -> 3 (loop): x := 2
          3 -> 2: skip
    "#]],
    );
}

#[test]
fn par_forks_and_joins_all_branches_at_once() {
    check(
        "(var x y Int) (par (set! x 1) (seq (set! y 1) (par (set! x 2) (set! x 3)))) (set! x 4)",
        expect![[r#"
        thread main: entry 1, exit 2
          1 -> 4: fork t1, t2
          3 -> 2: x := 4
          4 -> 3: join t1, t2
        thread t1: entry 1, exit 2
          1 -> 2: x := 1
        thread t2: entry 1, exit 2
          1 -> 3: y := 1
          3 -> 4: fork t2.1, t2.2
          4 -> 2: join t2.1, t2.2
        thread t2.1: entry 1, exit 2
          1 -> 2: x := 2
        thread t2.2: entry 1, exit 2
          1 -> 2: x := 3
    "#]],
    );
}

#[test]
fn a_par_in_a_loop_uses_its_branches_again() {
    check(
        "(var x y Int) (loop (par (set! x 1) (set! y 1)))",
        expect![[r#"
        thread main: entry 2, exit 1
          2 -> 3: fork t1, t2
          2 -> 1: skip
          3 -> 2 (loop): join t1, t2
        thread t1: entry 1, exit 2
          1 -> 2: x := 1
        thread t2: entry 1, exit 2
          1 -> 2: y := 1
    "#]],
    );
}

#[test]
fn what_nobody_observes_is_fused() {
    check_fused(
        "(var x y a b Int) (set! x 0) (set! y 0) \
         (par (seq (set! a 1) (set! x a) (set! a 2)) (seq (set! b x) (set! b (+ b 1)) (set! y b))) (assert (= y 0))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: x := 0; y := 0; fork t1, t2
              3 -> 2: join t1, t2; assume (= y 0)
              3 -> 4 (error): join t1, t2; assume (not (= y 0))
            thread t1: entry 2, exit 1
              2 -> 1: x := 1
            thread t2: entry 1, exit 2
              1 -> 2: y := (+ x 1)
        "#]],
    );
}

#[test]
fn a_step_that_may_block_does_not_hide_what_came_before() {
    check_fused(
        "(var x a Int) (par (seq (set! x 1) (assume (= a 2)) (set! x 3)) (assert (= x 0)))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: fork t1, t2
              3 -> 2: join t1, t2
            thread t1: entry 1, exit 2
              1 -> 3: x := 1
              3 -> 2: assume (= a 2); x := 3
            thread t2: entry 1, exit 2
              1 -> 2: assume (= x 0)
              1 -> 3 (error): assume (not (= x 0))
        "#]],
    );
}

#[test]
fn calls_are_inlined_with_locals_of_their_own() {
    check(
        "(var x Int) (proc double ((n Int)) ((r Int)) (declare (h Int) (set! h n) (set! r (+ h n)) (return) (set! r 0))) \
         (call (x) double 4)",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: main.n := 4; havoc main.r; havoc main.h
              3 -> 5: main.h := main.n
              4 -> 2: x := main.r
              5 -> 4: main.r := (+ main.n main.h)
        "#]],
    );
}

#[test]
fn recursion_ends_at_the_bound() {
    check_fused(
        "(var x Int) (proc down () () (if (> x 0) (seq (set! x (- x 1)) (call () down)))) (call () down)",
        expect![[r#"
            thread main: entry 2, exit 1
              2 -> 1: assume (<= x 0)
              2 -> 1: assume (>= x 1); x := (- x 1); assume (<= x 0)
              2 -> 1: assume (>= x 1); x := (- x 1); assume (>= x 1); x := (- x 1); assume (<= x 0)
              2 -> 3 (too deep): assume (>= x 1); x := (- x 1); assume (>= x 1); x := (- x 1); assume (>= x 1)
        "#]],
    );
}

#[test]
fn fork_and_join_name_instances() {
    check(
        "(var x Int) (proc worker ((n Int)) () (set! x n)) \
         (fork 1 worker 7) (fork 2 worker 8) (join () 1) (join () x)",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: worker.n := 7; worker.identity := 1; fork worker
              3 -> 4: worker.2.n := 8; worker.2.identity := 2; fork worker.2
              4 -> 5: join worker; assume (= worker.identity 1)
              5 -> 2: join worker; assume (= x worker.identity)
              5 -> 2: join worker.2; assume (= x worker.2.identity)
            thread worker: entry 1, exit 2
              1 -> 2: x := worker.n
            thread worker.2: entry 1, exit 2
              1 -> 2: x := worker.2.n
        "#]],
    );
}

#[test]
fn a_fork_in_a_loop_has_bounded_instances() {
    check(
        "(var x Int) (proc worker () () (set! x 1)) (while (< x 5) (fork x worker))",
        expect![[r#"
            thread main: entry 5, exit 1
              2 -> 3: assume (<= x 4)
              2 -> 1: assume (>= x 5)
              3 -> 2 (loop): assume (= main.worker.forks 0); main.worker.forks := 1; worker.identity := x; fork worker
              3 -> 2 (loop): assume (= main.worker.forks 1); main.worker.forks := 2; worker.2.identity := x; fork worker.2
              3 -> 2 (loop): assume (= main.worker.forks 2); main.worker.forks := 3; worker.3.identity := x; fork worker.3
              3 -> 4 (too many instances): assume (>= main.worker.forks 3)
              3 -> 2 (loop): assume (>= main.worker.forks 3)
              5 -> 2 (loop): main.worker.forks := 0
            thread worker: entry 1, exit 2
              1 -> 2: x := 1
            thread worker.2: entry 1, exit 2
              1 -> 2: x := 1
            thread worker.3: entry 1, exit 2
              1 -> 2: x := 1
        "#]],
    );
}

#[test]
fn tasks_have_identities_of_their_own() {
    check(
        "(var t r Int) (proc work ((n Int)) ((m Int)) (set! m n)) (async t work 3) (wait (r) t)",
        expect![[r#"
        thread main: entry 1, exit 2
          1 -> 3: work.n := 3; havoc work.m; t := 1; fork work
          3 -> 2: join work; assume (= t 1); r := work.m
        thread work: entry 1, exit 2
          1 -> 2: work.m := work.n
    "#]],
    );
}

#[test]
fn the_identity_of_a_thread_is_a_constant_of_its_tasks() {
    check(
        "(var t x Int) (proc note () () (identity me) (set! x me)) \
         (proc work () () (identity me) (par (set! x me) (call () note))) \
         (call () note) (async t work) (async _ work) (fork (+ x 1) work)",
        expect![[r#"
            thread main: entry 3, exit 1
              2 -> 4: t := 1; fork work
              3 -> 2: x := 0
              4 -> 5: fork work.4
              5 -> 1: work.7.identity := (+ x 1); fork work.7
            thread work: entry 1, exit 2
              1 -> 3: fork work.1, work.2
              3 -> 2: join work.1, work.2
            thread work.1: entry 1, exit 2
              1 -> 2: x := 1
            thread work.2: entry 2, exit 1
              2 -> 1: x := 1
            thread work.4: entry 1, exit 2
              1 -> 3: fork work.4.1, work.4.2
              3 -> 2: join work.4.1, work.4.2
            thread work.4.1: entry 1, exit 2
              1 -> 2: x := 4
            thread work.4.2: entry 2, exit 1
              2 -> 1: x := 4
            thread work.7: entry 1, exit 2
              1 -> 3: fork work.7.1, work.7.2
              3 -> 2: join work.7.1, work.7.2
            thread work.7.1: entry 1, exit 2
              1 -> 2: x := work.7.identity
            thread work.7.2: entry 2, exit 1
              2 -> 1: x := work.7.identity
        "#]],
    );
}

#[test]
fn every_path_of_an_atomic_block_is_an_action() {
    check(
        "(var x y Int) (atomic (if (> x 0) (set! y 1) (seq (set! y 2) (assert (= x 0)))) (set! x 0))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 2: assume (>= x 1); y := 1; x := 0
              1 -> 3 (error): assume (<= x 0); y := 2; assume (not (= x 0))
              1 -> 2: assume (<= x 0); y := 2; assume (= x 0); x := 0
        "#]],
    );
}

#[test]
fn a_return_does_not_leave_a_branch() {
    check(
        "(var x Int) (proc p () () (par (return) (set! x 1))) (call () p)",
        expect![[r#"
        (return): a `return` cannot leave a branch of a `par`
    "#]],
    );
}

#[test]
fn jumps_make_loops() {
    check(
        "(var x Int) (label again) (set! x (+ x 1)) (cond (goto again) (assume (> x 3)))",
        expect![[r#"
        thread main: entry 2, exit 1
          2 -> 3: x := (+ x 1)
          3 -> 2 (loop): skip
          3 -> 1: assume (>= x 4)
    "#]],
    );
}

#[test]
fn a_loop_in_an_atomic_block_keeps_others_waiting() {
    check(
        "(var x y z Int) (par (atomic (while (< x 3) (set! x (+ x 1)))) (seq (set! x 0) (set! z 1)))",
        expect![[r#"
        thread main: entry 4, exit 2
          1 -> 3: fork t1, t2
          3 -> 2: join t1, t2
          4 -> 1: busy := false
        thread t1: entry 1, exit 2
          1 -> 3 (loop): assume (not busy); busy := true
          3 -> 2: assume (>= x 3); busy := false
          3 -> 3 (loop): assume (<= x 2); x := (+ x 1)
        thread t2: entry 1, exit 2
          1 -> 3: assume (not busy); x := 0
          3 -> 2: z := 1
    "#]],
    );
}

#[test]
fn jumps_leave_atomic_blocks_but_do_not_enter_them() {
    check(
        "(var x Int) (atomic (label a) (set! x (+ x 1)) (if (< x 3) (goto a)) (if (> x 4) (goto out))) (set! x 7) (label out)",
        expect![[r#"
            thread main: entry 5, exit 2
              1 -> 4 (loop): assume (not busy); busy := true; x := (+ x 1)
              3 -> 2: x := 7
              4 -> 3: assume (>= x 3); assume (<= x 4); busy := false
              4 -> 4 (loop): assume (<= x 2); x := (+ x 1)
              4 -> 2: assume (>= x 3); assume (>= x 5); busy := false
              5 -> 1: busy := false
        "#]],
    );
    check(
        "(var x Int) (goto a) (atomic (label a) (set! x 1))",
        expect![[r#"
        (label a): a `goto` cannot enter an atomic block
    "#]],
    );
    check(
        "(var x Int) (proc p () () (par (set! x 1))) (atomic (call () p))",
        expect![[r#"
        (par (set! x 1)): a `par` cannot stand inside an atomic block
    "#]],
    );
}

#[test]
fn threads_start_inside_atomic_blocks() {
    check(
        "(var t x Int) (proc work () () (set! x 1)) (atomic (async t work) (set! x 2)) (atomic (wait () t) (assert (= x 1)))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: t := 1; x := 2; fork work
              3 -> 4 (error): join work; assume (= t 1); assume (not (= x 1))
              3 -> 2: join work; assume (= t 1); assume (= x 1)
            thread work: entry 1, exit 2
              1 -> 2: x := 1
        "#]],
    );
}

#[test]
fn jumps_forward_do_not_make_forks_repeat() {
    check(
        "(var x Int) (proc work () () (set! x 1)) (if (= x 0) (goto out)) (async _ work) (label out) (set! x 2)",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 4: assume (= x 0)
              1 -> 3: assume (not (= x 0))
              3 -> 4: fork work
              4 -> 2: x := 2
            thread work: entry 1, exit 2
              1 -> 2: x := 1
        "#]],
    );
}

#[test]
fn a_fork_in_a_thread_that_is_forked_again_and_again_has_one_instance_for_each() {
    check(
        "(var x Int) (proc leaf () () (set! x 1)) (proc work () () (async _ leaf)) (loop (async _ work))",
        expect![[r#"
            thread main: entry 4, exit 1
              2 -> 2 (loop): assume (= main.work.forks 0); main.work.forks := 1; fork work
              2 -> 2 (loop): assume (= main.work.forks 1); main.work.forks := 2; fork work.2
              2 -> 2 (loop): assume (= main.work.forks 2); main.work.forks := 3; fork work.3
              2 -> 3 (too many instances): assume (>= main.work.forks 3)
              2 -> 2 (loop): assume (>= main.work.forks 3)
              2 -> 1: skip
              4 -> 2 (loop): main.work.forks := 0
            thread work: entry 1, exit 2
              1 -> 2: fork leaf
            thread leaf: entry 1, exit 2
              1 -> 2: x := 1
            thread work.2: entry 1, exit 2
              1 -> 2: fork leaf.2
            thread leaf.2: entry 1, exit 2
              1 -> 2: x := 1
            thread work.3: entry 1, exit 2
              1 -> 2: fork leaf.3
            thread leaf.3: entry 1, exit 2
              1 -> 2: x := 1
        "#]],
    );
}

#[test]
fn a_thread_alone_is_one_action() {
    check_fused(
        "(var t u x y z Int) (proc one () () (set! x (+ x 1)) (set! y x)) (proc two () () (set! y 5) (set! x y)) \
         (set! x 0) (set! y x) (async t one) (wait () t) (set! y (+ y z)) (async u two) (wait () u) (set! z x) (assert (= z y))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: fork one
              3 -> 4: join one; fork two
              4 -> 2: join two
            thread one: entry 1, exit 1
            thread two: entry 1, exit 1
        "#]],
    );
}

#[test]
fn a_critical_section_is_one_action() {
    check_fused(
        "(var m n x y Int) (proc work () () (declare (h Int) \
           (atomic (assume (= m 0)) (set! m 1)) (set! h x) (set! x (+ h 1)) (set! m 0) \
           (atomic (assume (= n 0)) (set! n 1)) (set! h y) (set! y (+ h 1)) (set! n 0))) \
         (set! m 0) (async _ work) (async _ work) (async _ work)",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 2: fork work, work.2, work.3
            thread work: entry 1, exit 2
              1 -> 3: x := (+ x 1)
              3 -> 2: assume (= n 0); y := (+ y 1)
            thread work.2: entry 1, exit 2
              1 -> 3: x := (+ x 1)
              3 -> 2: assume (= n 0); y := (+ y 1)
            thread work.3: entry 1, exit 2
              1 -> 3: x := (+ x 1)
              3 -> 2: assume (= n 0); y := (+ y 1)
        "#]],
    );
}

#[test]
fn what_is_used_without_the_lock_is_seen() {
    check_fused(
        "(var m x Int) (proc work () () (declare (h Int) \
           (atomic (assume (= m 0)) (set! m 1)) (set! h x) (set! x (+ h 1)) (set! m 0))) \
         (set! m 0) (async _ work) (async _ work) (assert (= x 0))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: fork work, work.2
              3 -> 2: assume (= x 0)
              3 -> 4 (error): assume (not (= x 0))
            thread work: entry 1, exit 2
              1 -> 2: x := (+ x 1)
            thread work.2: entry 1, exit 2
              1 -> 2: x := (+ x 1)
        "#]],
    );
}

#[test]
fn who_gives_back_a_lock_that_others_hold_breaks_it() {
    check_fused(
        "(var m x Int) (proc work () () (declare (h Int) \
           (atomic (assume (= m 0)) (set! m 1)) (set! h x) (set! x (+ h 1)) (set! m 0))) \
         (set! m 0) (async _ work) (async _ work) (set! m 0)",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: m := 0; fork work, work.2
              3 -> 2: m := 0
            thread work: entry 1, exit 2
              1 -> 3: assume (= m 0); m := 1
              3 -> 4: work.h := x
              4 -> 5: x := (+ work.h 1)
              5 -> 2: m := 0
            thread work.2: entry 1, exit 2
              1 -> 3: assume (= m 0); m := 1
              3 -> 4: work.2.h := x
              4 -> 5: x := (+ work.2.h 1)
              5 -> 2: m := 0
        "#]],
    );
}

#[test]
fn constants_reach_threads_and_come_back() {
    check_fused(
        "(var n t x Int) (proc work ((id Int)) ((r Int)) (if (= id 1) (set! x n) (set! x (- 1))) (set! r (+ id n))) \
         (set! n 3) (async t work 1) (wait (x) t) (assert (= x 4))",
        expect![[r#"
            thread main: entry 2, exit 1
              2 -> 3: fork work
              3 -> 1: join work
            thread work: entry 1, exit 1
        "#]],
    );
}

#[test]
fn what_a_joined_thread_started_may_still_be_there() {
    check_fused(
        "(var t x y Int) (proc leaf () () (set! x 1)) (proc work () () (async _ leaf)) \
         (async t work) (wait () t) (set! y x) (assert (= y x))",
        expect![[r#"
            thread main: entry 1, exit 2
              1 -> 3: fork work
              3 -> 4: join work; y := x
              4 -> 2: assume (= x y)
              4 -> 5 (error): assume (not (= x y))
            thread work: entry 1, exit 2
              1 -> 2: fork leaf
            thread leaf: entry 1, exit 2
              1 -> 2: x := 1
        "#]],
    );
}

#[test]
fn what_an_unfinished_block_starts_has_to_wait() {
    check(
        "(var t x y Int) (proc work () () (set! y 1)) (atomic (async t work) (loop (set! x (+ x 1))) (assume (= x 5)))",
        expect![[r#"
            thread main: entry 4, exit 2
              1 -> 3 (loop): assume (not busy); busy := true; t := 1; fork work
              3 -> 3 (loop): x := (+ x 1)
              3 -> 2: assume (= x 5); busy := false
              4 -> 1: busy := false
            thread work: entry 1, exit 2
              1 -> 2: assume (not busy); y := 1
        "#]],
    );
}

/// What depends on a decided condition is plain, and what cannot be decided that way is left out.
#[test]
fn values_that_depend_on_conditions_become_cases() {
    let text = "(var a b c r Int)
        (loop (atomic (set! c (if (< a b) (- 1) 1)) (set! r (if (< c 0) a r)) (set! a (+ a 1))))
        (assume (= r c))";
    let program = parse("test.wvr", text, Language::Weaver).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let pool = TermPool::new();
    let automata = lower(&program, &pool, LowerOptions::default()).expect("lowers");
    let expected = expect![[r#"
        thread main: entry 2, exit 1
          2 -> 1: assume (= c r)
          2 -> 2 (loop): assume (< a b); c := (- 1); r := a; a := (+ a 1)
          2 -> 2 (loop): assume (<= b a); c := 1; a := (+ a 1)
    "#]];
    expected.assert_eq(&Listing(&automata).to_string());
}
