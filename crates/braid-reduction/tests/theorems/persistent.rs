//! Membranes keep a word of each class (Theorem 6.4); with sleep sets, exactly the most preferred one (Theorem 6.6).

use crate::generator;
use crate::minimality::{ORDERS, assert_same, config, for_each_case};
use crate::program::{Ordered, Walk};
use crate::words::{minima, words};
use braid_reduction::Reduction;
use proptest::prelude::*;

fn check(text: &str) {
    for_each_case(text, |program, case| {
        for order in ORDERS {
            let about = || format!("{order}, {:?}, {:?}\n{text}", case.target, case.mode);
            let ordered = Ordered::new(program, order, case.target);
            let left =
                |reduction| words(&Walk::new(&ordered, |a, b| case.relation.commutes(a, b), reduction), case.longest);

            let kept = left(Reduction::Persistent);
            let lost = case.classes.iter().find(|class| !class.iter().any(|word| kept.contains(word)));
            assert!(lost.is_none(), "{lost:?} is lost with {}", about());

            assert_same(&left(Reduction::Both), &minima(&ordered, case.classes), about);
        }
    });
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn membranes_keep_every_class_and_both_together_are_minimal(numbers in prop::collection::vec(any::<u8>(), 0..50)) {
        check(&generator::program(&numbers));
    }
}
