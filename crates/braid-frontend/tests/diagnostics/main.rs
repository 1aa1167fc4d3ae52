//! What is said about texts that are not programs: one wrong statement to a line, each with its message.

mod braid;
mod declarations;
mod expressions;
mod statements;

use braid_frontend::{Language, parse};
use expect_test::Expect;

fn check(text: &str, language: Language, expected: Expect) {
    let name = format!("a.{}", language.extension());
    let diagnostics = parse(&name, text, language).expect_err("this is not a program");
    expected.assert_eq(&diagnostics.to_string());
}

/// Statements that are wrong, after declarations that are right.
fn statements(text: &str, expected: Expect) {
    let declarations = "(var x y Int) (var b Bool) (var a (Array Int Int)) (var f (Int) Int) (var p (Int Bool) Bool)";
    check(&format!("{declarations}\n{text}"), Language::Weaver, expected);
}

fn weaver(text: &str, expected: Expect) {
    check(text, Language::Weaver, expected);
}

fn braid(text: &str, expected: Expect) {
    check(text, Language::Braid, expected);
}

#[test]
fn a_byte_order_mark_is_named() {
    let diagnostics = parse("a.wvr", "\u{feff}(seq)", Language::Weaver).expect_err("this is not a program");
    assert_eq!(diagnostics.errors[0].message, "the text starts with a byte order mark");
}
