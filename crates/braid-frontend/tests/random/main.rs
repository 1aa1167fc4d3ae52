//! Random programs print and read back as themselves.

mod generate;

use braid_frontend::{Language, parse};
use braid_program::print::{Dialect, canonical, equal_up_to_spans, to_text};
use generate::{Flavour, program};
use proptest::prelude::*;

fn check(choices: &[u8], flavour: Flavour) {
    let program = program(choices, flavour);
    let text = to_text(&program);
    let language = match Dialect::of(&program) {
        Dialect::Weaver => Language::Weaver,
        Dialect::Braid => Language::Braid,
    };
    assert!(flavour == Flavour::Braid || language == Language::Weaver, "{text}");
    let again = parse(&format!("a.{}", language.extension()), &text, language);
    let again = again.unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert!(equal_up_to_spans(&program, &again), "{text}\n{:#?}\n{:#?}", canonical(&program), canonical(&again));
    assert_eq!(text, to_text(&again));
    assert_eq!(canonical(&canonical(&program)), canonical(&program), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_of_weaver(choices in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&choices, Flavour::Weaver);
    }

    #[test]
    fn programs_of_braid(choices in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&choices, Flavour::Braid);
    }
}
