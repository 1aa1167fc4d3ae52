//! Boogie programs: what is made of them, printed in Braid's own language, and what is said about texts that are none.

mod declarations;
mod diagnostics;
mod robustness;
mod statements;

use braid_frontend::{Language, parse};
use braid_program::print::to_text;
use expect_test::Expect;

/// Reads a program, and compares it, or the diagnostics.
fn check(text: &str, expected: Expect) {
    let shown = match parse("a.bpl", text, Language::Boogie) {
        Ok(program) => to_text(&program),
        Err(diagnostics) => diagnostics.to_string(),
    };
    expected.assert_eq(&shown);
}

/// Checks the body of a procedure with some variables around it.
fn check_body(body: &str, expected: Expect) {
    let around = "var g, h: int; var b: bool; var m: [int]int; const c: int; function f(int) returns (int);";
    let procedure = "procedure main() modifies g, h, b, m;";
    check(
        &format!("{around}\n{procedure} {{ var x, y: int;\n{body}\n}}\nprocedure p(n: int) returns (r: int);"),
        expected,
    );
}
