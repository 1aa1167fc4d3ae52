//! Under full commutativity and `seq`, the combined reduction is as large as the program, not as the product
//! (Theorems 4.3 and 7.2).

use crate::program::{Ordered, Relation, Walk, lowered};
use crate::words::reachable;
use braid_frontend::Language;
use braid_reduction::{CommutativityMode, Reduction, Target};
use std::fmt::Write;

const STEPS: usize = 6;

/// Threads of so many steps, each with a variable of its own.
fn disjoint(threads: usize) -> String {
    let mut text = String::from("(var");
    (0..threads).for_each(|thread| write!(text, " x{thread}").expect("writing to a string works"));
    text.push_str(" Int) (par");
    for thread in 0..threads {
        write!(text, " (seq{})", format!(" (set! x{thread} (+ x{thread} 1))").repeat(STEPS))
            .expect("writing to a string works");
    }
    text.push(')');
    text
}

/// The states of the combined reduction, unless there are more than so many.
fn states(threads: usize, order: &str, most: usize) -> Option<usize> {
    lowered(&disjoint(threads), Language::Weaver, |program| {
        let relation = Relation::new(program, CommutativityMode::Syntactic);
        let ordered = Ordered::new(program, order, Target::Completion);
        reachable(&Walk::new(&ordered, |a, b| relation.commutes(a, b), Reduction::Both), most)
    })
}

#[test]
fn the_reduction_of_independent_threads_is_linear() {
    for threads in (2..=16).chain([24, 32, 48, 64]) {
        let states = states(threads, "seq", 100 * threads);
        assert!(states.is_some_and(|states| states <= 8 * threads), "{threads} threads: {states:?}");
    }
}

/// One word is left: one state per step, with the fork and the join, and one before the first.
#[test]
fn thread_uniform_orders_leave_one_path() {
    for order in ["seq", "seq:t3,t1", "lockstep", "loop-lockstep"] {
        assert_eq!(states(4, order, 1000), Some(4 * STEPS + 3), "{order}");
    }
}
