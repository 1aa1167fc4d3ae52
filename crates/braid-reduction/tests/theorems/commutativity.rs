//! Pairs of actions, with the weakest mode in which they commute.

use crate::program::lowered;
use braid_frontend::Language;
use braid_logic::{Solver, SolverOptions, Term};
use braid_program::cfa::{ActionId, Program};
use braid_reduction::{Commutativity, CommutativityMode};

const MODES: [CommutativityMode; 4] = [
    CommutativityMode::None,
    CommutativityMode::Syntactic,
    CommutativityMode::Semantic,
    CommutativityMode::ProofSensitive,
];

/// The first action of the only thread with that name.
fn first(program: &Program<'_>, name: &str) -> ActionId {
    let thread = program.threads.iter().find(|thread| thread.name == name).expect("the thread is there");
    thread.outgoing(thread.entry)[0]
}

/// The weakest mode in which the two actions commute where the condition holds.
fn weakest(program: &Program<'_>, (a, b): (ActionId, ActionId), condition: Term) -> Option<CommutativityMode> {
    MODES.into_iter().find(|&mode| {
        let mut solver = Solver::new(program.pool, SolverOptions::default()).expect("Z3 is linked");
        let mut commutativity = Commutativity::new(mode);
        let one = commutativity.under(&mut solver, program, (a, b), |_| condition);
        let other = commutativity.under(&mut solver, program, (b, a), |_| condition);
        assert_eq!(one, other, "commutativity is symmetric");
        if mode < CommutativityMode::ProofSensitive {
            assert_eq!(commutativity.always(&mut solver, program, a, b), one);
        }
        one
    })
}

fn check_under(lowest: i64, a: &str, b: &str, expected: Option<CommutativityMode>) {
    let text = format!("(var n x y Int) (var e Bool) (var a (Array Int Int)) (par {a} {b})");
    lowered(&text, Language::Braid, |program| {
        let pool = program.pool;
        let n = pool.find_var("n").expect("it is declared");
        let condition = pool.le(pool.int(lowest), pool.of_var(n));
        assert_eq!(weakest(program, (first(program, "t1"), first(program, "t2")), condition), expected, "{text}");
    });
}

fn check(a: &str, b: &str, expected: Option<CommutativityMode>) {
    check_under(0, a, b, expected);
}

#[test]
fn pairs() {
    use CommutativityMode::{Semantic, Syntactic};
    check("(set! x 1)", "(set! y 1)", Some(Syntactic));
    check("(set! x n)", "(set! y n)", Some(Syntactic));
    check("(assume (= x 0))", "(assume (= x 1))", Some(Syntactic));
    check("(set! x 1)", "(set! y x)", None);
    check("(set! x 1)", "(set! x 2)", None);
    check("(set! x 1)", "(set! x 1)", Some(Semantic));
    check("(set! x (+ x 1))", "(set! x (+ x 1))", Some(Semantic));
    check("(set! x (+ x 1))", "(set! x (+ x n))", Some(Semantic));
    check("(set! x (+ x 1))", "(set! x (* x 2))", None);
    check("(assume (>= x 0))", "(set! x (+ x 1))", None);
    check("(assume (= (mod x 2) 0))", "(set! x (+ x 2))", Some(Semantic));
    check("(set! a (store a 0 x))", "(set! a (store a 1 y))", Some(Semantic));
    check("(set! a (store a n x))", "(set! a (store a 1 y))", None);
    // Either order leaves any value, but not for the same choices.
    check("(havoc! x)", "(havoc! y)", Some(Syntactic));
    check("(havoc! x)", "(havoc! x)", None);
    check("(havoc! x)", "(assume (= x 0))", None);
}

/// The enter and exit of paper 1, section 2: whoever leaves last sets the event.
#[test]
fn what_is_known_makes_actions_commute() {
    use CommutativityMode::{ProofSensitive, Semantic};
    let enter = "(set! n (+ n 1))";
    let exit = "(atomic (set! n (- n 1)) (set! e (or e (= n 0))))";
    check_under(2, enter, exit, Some(ProofSensitive));
    check_under(1, enter, exit, None);
    check_under(0, enter, enter, Some(Semantic));
    check_under(2, "(set! a (store a n x))", "(set! a (store a 1 y))", Some(ProofSensitive));
    check_under(1, "(set! a (store a n x))", "(set! a (store a 1 y))", None);
}

/// Whatever they do, a fork or join and the thread that it starts or waits for do not commute; nor do two joins of one.
#[test]
fn forks_and_joins_do_not_commute_with_their_threads() {
    let text = "(var x y Int) (proc f () () (set! x 1))
        (par (fork 1 f) (join () 1) (join () 1) (set! y 1))";
    lowered(text, Language::Braid, |program| {
        let pair = |a, b| weakest(program, (first(program, a), first(program, b)), Term::TRUE);
        for (a, b) in [("t1", "f"), ("t2", "f"), ("t1", "t2"), ("t2", "t3"), ("main", "t1"), ("main", "t4")] {
            assert_eq!(pair(a, b), None, "{a} and {b}");
        }
        for (a, b) in [("t1", "t4"), ("t2", "t4"), ("f", "t4")] {
            assert_eq!(pair(a, b), Some(CommutativityMode::Syntactic), "{a} and {b}");
        }
    });
}
