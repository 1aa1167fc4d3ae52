//! What the strategies say about single traces, as data: a program, how its loop is unrolled, and the assertions.

use braid_frontend::Language;
use braid_logic::{Solver, SolverOptions, Term, TermPool};
use braid_program::cfa::{ActionId, Program, ThreadId};
use braid_program::lower;
use braid_proof::{ProveTraces, ProverOptions, Strategy, Trace, TraceOutcome, TraceProver};
use braid_testkit::{parsed, stepwise};
use expect_test::{Expect, expect};

/// The run of a one-threaded program that goes `rounds` times through each of its loops, one after the other.
fn unrolled(program: &Program<'_>, rounds: usize) -> Vec<ActionId> {
    let thread = program.thread(ThreadId::MAIN);
    let (mut at, mut run) = (thread.entry, Vec::new());
    let mut visits = vec![0; thread.locations.len()];
    while at != thread.exit {
        let outgoing = thread.outgoing(at);
        visits[at.index()] += 1;
        // The body of a loop leaves its head before the exit does.
        let go_on = !thread.locations[at.index()].loop_head || visits[at.index()] <= rounds;
        let action = if go_on { outgoing[0] } else { outgoing[outgoing.len() - 1] };
        run.push(action);
        at = program.action(action).target;
    }
    run
}

/// The assertions of the unrolled program, where they change: one line for each new one.
fn assertions(text: &str, rounds: usize, strategy: Strategy) -> (Vec<String>, usize) {
    let pool = TermPool::new();
    let program = lower(&parsed(text, Language::Weaver), &pool, stepwise()).expect("lowers");
    let mut solver = Solver::new(&pool, SolverOptions::default()).expect("the linked solver starts");
    let options = ProverOptions { strategies: vec![strategy], ..ProverOptions::default() };
    let mut prover = TraceProver::new(&pool, options);
    let trace = Trace::of_actions(&program, &unrolled(&program, rounds));
    match prover.prove(&mut solver, &trace) {
        TraceOutcome::Infeasible(annotations) => {
            let mut seen: Vec<Term> = Vec::new();
            for &assertion in &annotations[0].assertions {
                if !seen.contains(&assertion) {
                    seen.push(assertion);
                }
            }
            (seen.iter().map(|&assertion| pool.infix(assertion).to_string()).collect(), seen.len())
        }
        other => (vec![format!("{other:?}")], 0),
    }
}

fn check(text: &str, rounds: usize, strategy: Strategy, expected: Expect) {
    expected.assert_eq(&(assertions(text, rounds, strategy).0.join("\n") + "\n"));
}

#[test]
fn two_equal_counters_need_five_assertions_however_often_the_loop_runs() {
    let text = "(var x y c Int) (set! x 0) (set! y 0) (loop (set! x (+ x c)) (set! y (+ y c))) (assume (not (= x y)))";
    for strategy in [Strategy::Linear, Strategy::Core] {
        for rounds in [3, 30] {
            let (found, _) = assertions(text, rounds, strategy);
            assert_eq!(found, ["true", "x = 0", "x = y", "x = y + c", "false"], "{strategy:?}, {rounds} rounds");
        }
    }
}

#[test]
fn two_lockstep_loops_share_their_sum() {
    let text = "(var x y z c d Int) (set! x 0) (set! y 0) (set! z 0) \
        (loop (set! x (+ x c)) (set! y (+ y c))) (loop (set! x (+ x d)) (set! z (+ z d))) \
        (assume (not (= x (+ y z))))";
    for strategy in [Strategy::Linear, Strategy::Core, Strategy::Horn] {
        assert_eq!([3, 6].map(|rounds| assertions(text, rounds, strategy).1), [7, 7], "{strategy:?}");
    }
}

#[test]
fn three_counters_that_are_not_in_lockstep_are_unrolled() {
    // The loops run one after the other, so what holds in between depends on the number of rounds: what any of these
    // strategies finds grows with the trace. A loop invariant takes an analysis of the loops.
    let text = "(var x y z c Int) (set! x 0) (set! y 0) (set! z 0) \
        (loop (set! x (+ x c))) (loop (set! y (+ y c))) (loop (set! z (+ z c)) (set! z (+ z c))) \
        (assume (not (= z (+ x y))))";
    let counts = [Strategy::Linear, Strategy::Core, Strategy::Horn]
        .map(|strategy| [3, 6].map(|rounds| assertions(text, rounds, strategy).1));
    expect!["[[11, 17], [11, 17], [11, 17]]"].assert_eq(&format!("{counts:?}"));
}

#[test]
fn the_path_program_gives_the_invariant_however_often_the_loops_ran() {
    let sums = "(var i j x y z c d Int) (set! i 0) (set! j 0) (set! x 0) (set! y 0) (set! z 0) \
        (loop (set! x (+ x c)) (set! y (+ y d)) (set! z (+ z c d)) (set! i (+ i 1)) (set! j (+ j 1))) \
        (assume (or (not (= z (+ x y))) (< i j)))";
    let found = [1, 3, 30].map(|rounds| assertions(sums, rounds, Strategy::Path).0);
    assert!(found[0].iter().any(|assertion| assertion.contains("x + y = z")), "{:?}", found[0]);
    assert!(found[0] == found[1] && found[1] == found[2], "{found:#?}");
}

#[test]
fn a_trace_without_loops_has_no_path_program() {
    check("(var x Int) (set! x 0) (assume (< x 0))", 0, Strategy::Path, expect![["Unknown(Assertions)\n"]]);
}

#[test]
fn only_the_step_that_matters_is_used() {
    let text = "(var l Bool) (var x Int) (assume (not l)) (assume (= x 0)) (set! l true) (set! x 1) (assume (= x 5))";
    for strategy in [Strategy::Linear, Strategy::Core] {
        check(text, 0, strategy, expect![["true\nx ≤ 4\nfalse\n"]]);
    }
}

#[test]
fn a_flag_is_remembered() {
    let text = "(var l Bool) (var x Int) (assume (not l)) (set! x 1) (assume l)";
    for strategy in [Strategy::Linear, Strategy::Core] {
        check(text, 0, strategy, expect![["true\n¬l\nfalse\n"]]);
    }
}

const COPIES: &str = "(var a b (Array Int Int)) (var c i j Int) (set! i 0) (set! j 1) \
    (loop (store! a i c) (store! b (* 2 i) c) (set! i (+ i 1))) (assume (/= (select a j) (select b (* 2 j))))";

#[test]
fn what_the_trace_fixes_decides_which_write_is_read() {
    check(
        COPIES,
        3,
        Strategy::Constants,
        expect![[r#"
        true
        i = 0
        j = 1 ∧ i = 0
        j = 1 ∧ i = 1
        j = 1 ∧ i = 1 ∧ c = a[1]
        a[1] = b[2] ∧ j = 1 ∧ i = 1
        a[1] = b[2] ∧ j = 1 ∧ i = 2
        a[1] = b[2] ∧ j = 1
        false
    "#]],
    );
    // Without the counter, no write can be left out.
    check(
        COPIES,
        3,
        Strategy::Core,
        expect![[r#"
        true
        b[2*i := c][2*i + 2 := c][2*i + 4 := c][2] = a[i := c][i + 1 := c][i + 2 := c][1]
        b[2*i := c][2*i + 2 := c][2*i + 4 := c][2*j] = a[i := c][i + 1 := c][i + 2 := c][j]
        a[i + 1 := c][i + 2 := c][j] = b[2*i := c][2*i + 2 := c][2*i + 4 := c][2*j]
        b[2*i + 2 := c][2*i + 4 := c][2*j] = a[i + 1 := c][i + 2 := c][j]
        b[2*i := c][2*i + 2 := c][2*j] = a[i := c][i + 1 := c][j]
        a[i + 1 := c][j] = b[2*i := c][2*i + 2 := c][2*j]
        b[2*i + 2 := c][2*j] = a[i + 1 := c][j]
        b[2*i := c][2*j] = a[i := c][j]
        a[j] = b[2*i := c][2*j]
        a[j] = b[2*j]
        false
    "#]],
    );
}

const CELL: &str = "(var a (Array Int Int)) (var p q Int) \
    (store! a p 1) (assume (/= p q)) (store! a q 2) (assume (/= (select a p) 1))";

#[test]
fn a_cell_is_read_back_by_wp() {
    check(
        CELL,
        0,
        Strategy::Core,
        expect![[r#"
        true
        p = q ∨ a[q := 2][p] = 1
        a[q := 2][p] = 1
        a[p] = 1
        false
    "#]],
    );
}

#[test]
fn a_cell_is_read_back_by_horn_clauses() {
    check(
        CELL,
        0,
        Strategy::Horn,
        expect![[r#"
        true
        a[p] = 1
        p ≠ q ∧ a[p] = 1
        false
    "#]],
    );
}

const HAVOC: &str = "(var x y Int) (assume (> y 3)) (havoc! x) (assume (> x y)) (assume (< x 3))";

#[test]
fn a_havocked_value_cancels_out() {
    check(
        HAVOC,
        0,
        Strategy::Linear,
        expect![[r#"
        true
        y ≥ 2
        x ≥ 3
        false
    "#]],
    );
}

#[test]
fn a_havocked_value_is_eliminated() {
    check(
        HAVOC,
        0,
        Strategy::Core,
        expect![[r#"
        true
        y ≥ 2
        x ≥ 3 ∨ x ≤ y
        x ≥ 3
        false
    "#]],
    );
}

#[test]
fn a_branch_in_an_expression_is_split() {
    let text = "(var x y Int) (set! x (if (> y 0) y (- 0 y))) (assume (< x 0))";
    for strategy in [Strategy::Linear, Strategy::Core] {
        check(text, 0, strategy, expect![["true\nx ≥ 0\nfalse\n"]]);
    }
}

#[test]
fn parity_is_unrolled() {
    let text = "(var x y Int) (set! x 0) (loop (set! x (+ x 2))) (assume (= x (+ 1 (* 2 y))))";
    check(
        text,
        3,
        Strategy::Core,
        expect![[r#"
        true
        x + 5 ≠ 2*y
        x + 3 ≠ 2*y
        x + 1 ≠ 2*y
        x ≠ 2*y + 1
        false
    "#]],
    );
}
