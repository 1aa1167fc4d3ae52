//! Loop invariants as data: a one-threaded program, and what the domains say at its loop heads and at its end.

use braid_frontend::{Language, parse};
use braid_logic::{Term, TermPool};
use braid_program::cfa::{Program, ThreadId};
use braid_program::{LowerOptions, lower};
use braid_proof::{FlowGraph, InvariantBudget, affine_equalities, zones};
use expect_test::{Expect, expect};

type Analysis = fn(&TermPool, &FlowGraph<'_>, &InvariantBudget) -> Vec<Vec<Term>>;

fn lowered<'p>(text: &str, pool: &'p TermPool, fuse: bool) -> Program<'p> {
    let program = parse("test.wvr", text, Language::Weaver).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    lower(&program, pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("lowers")
}

/// The automaton of the first thread.
fn flow_graph<'a>(program: &'a Program<'_>) -> FlowGraph<'a> {
    let thread = program.thread(ThreadId::MAIN);
    let edges = program.actions.iter().filter(|action| action.thread == ThreadId::MAIN);
    let edges = edges.map(|a| (a.source.index(), a.target.index(), a.relation(program.pool))).collect();
    FlowGraph { nodes: thread.locations.len(), entry: thread.entry.index(), edges }
}

fn check(analysis: Analysis, text: &str, expected: Expect) {
    let pool = TermPool::new();
    let program = lowered(text, &pool, false);
    let thread = program.thread(ThreadId::MAIN);
    let invariants = analysis(&pool, &flow_graph(&program), &InvariantBudget::default());
    let mut lines = String::new();
    for (node, facts) in invariants.iter().enumerate() {
        let name = if node == thread.exit.index() { "end" } else { "loop" };
        if name == "end" || thread.locations[node].loop_head {
            let mut facts: Vec<String> = facts.iter().map(|&fact| pool.infix(fact).to_string()).collect();
            facts.sort();
            lines += &format!("{name}: {}\n", facts.join(", "));
        }
    }
    expected.assert_eq(&lines);
}

fn check_affine(text: &str, expected: Expect) {
    check(affine_equalities, text, expected);
}

#[test]
fn counters_in_lockstep_are_equal() {
    check_affine(
        "(var x y c Int) (set! x 0) (set! y 0) (loop (set! x (+ x c)) (set! y (+ y c)))",
        expect![[r#"
            end: x = y
            loop: x = y
        "#]],
    );
}

#[test]
fn a_sum_of_two_loops() {
    check_affine(
        "(var x y z a Int) (set! x 0) (set! y 0) (set! z 0)
         (loop (set! x (+ x a)) (set! z (+ z a))) (loop (set! y (+ y a)) (set! z (+ z a)))",
        expect![[r#"
            end: x + y = z
            loop: x = z, y = 0
            loop: x + y = z
        "#]],
    );
}

#[test]
fn sums_of_a_function_by_congruence() {
    check_affine(
        "(var i j s t n Int) (var f (Int) Int) (set! i 0) (set! j 0) (set! s 0) (set! t 0)
         (while (< i n) (set! s (+ s (f i))) (set! i (+ i 1)) (set! t (+ t (f j))) (set! j (+ j 1)))",
        expect![[r#"
            end: i = j, s = t
            loop: i = j, s = t
        "#]],
    );
    check_affine(
        "(var i j s t Int) (var a b (Array Int Int)) (assume (and (= i j) (= a b) (= s t)))
         (loop (set! i (+ i 1)) (set! s (+ s (select a i))) (set! j (+ j 1)) (set! t (+ t (select b j))))",
        expect![[r#"
            end: a = b, i = j, s = t
            loop: a = b, i = j, s = t
        "#]],
    );
    check_affine(
        "(var i j s t Int) (var f (Int) Int) (assume (and (= i (+ j 1)) (= s (+ t (f j)))))
         (loop (set! s (+ s (f i))) (set! i (+ i 1)) (set! j (+ j 1)) (set! t (+ t (f (- j 1)))))",
        expect![[r#"
            end: i = j + 1, s = t + f(j)
            loop: i = j + 1, s = t + f(j)
        "#]],
    );
}

#[test]
fn assumptions_at_the_entry() {
    check_affine(
        "(var i j n m Int) (assume (and (= i 0) (= j 0) (= n m)))
         (while (< i n) (set! i (+ i 2)) (set! j (+ j 3)))",
        expect![[r#"
            end: 3*i = 2*j, n = m
            loop: 3*i = 2*j, n = m
        "#]],
    );
}

#[test]
fn conditional_terms_and_disjunctions() {
    check_affine(
        "(var x y k Int) (var b Bool) (set! x 0) (set! y 5)
         (loop (havoc! k) (set! x (if (< k 3) (+ x 1) (- x 1))) (set! y (if (< k 3) (+ y 1) (- y 1))))",
        expect![[r#"
            end: 
            loop: 
        "#]],
    );
    check_affine(
        "(var x y k Int) (var b Bool) (set! x 0) (set! y 5)
         (loop (atomic (havoc! k) (set! x (if (< k 3) (+ x 1) (- x 1))) (set! y (if (< k 3) (+ y 1) (- y 1)))))",
        expect![[r#"
            end: x + 5 = y
            loop: x + 5 = y
        "#]],
    );
    check_affine(
        "(var x y Int) (assume (or (and (= x 0) (= y 1)) (and (= x 3) (= y 4)))) (loop (set! x (+ x y)))",
        expect![[r#"
            end: 
            loop: 
        "#]],
    );
}

#[test]
fn flags_count() {
    check_affine(
        "(var n Int) (var b c Bool) (set! n 0) (set! b false) (set! c false)
         (loop (cond (atomic (assume (not b)) (set! b true) (set! n (+ n 1)))
                       (atomic (assume c) (set! c false) (set! n (- n 1)))
                       (atomic (assume (not c)) (set! c true) (set! n (+ n 1)))))",
        expect![[r#"
            end: n = (if b then 1 else 0) + (if c then 1 else 0)
            loop: n = (if b then 1 else 0) + (if c then 1 else 0)
        "#]],
    );
}

#[test]
fn what_is_not_reached() {
    check_affine(
        "(var x Int) (set! x 1) (loop (set! x (+ x 0))) (assume (= x 2))",
        expect![[r#"
        end: false
        loop: x = 1
    "#]],
    );
}

fn check_zones(text: &str, expected: Expect) {
    check(zones, text, expected);
}

#[test]
fn a_counter_stays_between_its_bounds() {
    check_zones("(var i n Int) (set! i 0) (while (< i n) (set! i (+ i 1)))", expect![[r#"
        end: i ≥ 0, n ≤ i
        loop: i ≥ 0
    "#]]);
    check_zones("(var i n Int) (assume (>= n 0)) (set! i 0) (while (< i n) (set! i (+ i 1)))", expect![[r#"
        end: i = n, i ≥ 0
        loop: i ≤ n, i ≥ 0
    "#]]);
    check_zones("(var i Int) (set! i 0) (while (< i 10) (set! i (+ i 1)))", expect![[r#"
        end: i = 10
        loop: i ≤ 10, i ≥ 0
    "#]]);
    check_zones("(var i n Int) (assume (> n 0)) (set! i 0) (while (/= i n) (set! i (+ i 1)))", expect![[r#"
        end: i = n, i ≥ 1
        loop: i ≤ n, i ≥ 0, n ≥ 1
    "#]]);
}

#[test]
fn a_gap_between_two_counters() {
    check_zones(
        "(var i j n Int) (assume (>= n 1)) (set! i 0) (set! j 0)
         (loop (cond (atomic (assume (< (- i j) n)) (set! i (+ i 1))) (atomic (assume (< j i)) (set! j (+ j 1)))))",
        expect![[r#"
            end: j ≤ i, j ≥ 0, n ≥ 1
            loop: j ≤ i, j ≥ 0, n ≥ 1
        "#]],
    );
    check_zones(
        "(var i j Int) (set! i 0) (set! j 0)
         (loop (cond (atomic (assume (< (- i j) 3)) (set! i (+ i 1))) (atomic (assume (< j i)) (set! j (+ j 1)))))",
        expect![[r#"
            end: j ≤ i, j ≥ 0
            loop: j ≤ i, j ≥ 0
        "#]],
    );
}

#[test]
fn havocked_and_conditional_values_are_bounded() {
    check_zones(
        "(var x y m Int) (set! m 0) (loop (atomic (havoc! x) (assume (and (<= 0 x) (< x 4)))) (set! y (+ m x))
            (set! m (if (> x m) x m)))",
        expect![[r#"
            end: m ≤ 3, m ≥ 0
            loop: m ≤ 3, m ≥ 0
        "#]],
    );
}
