//! Statements.

use crate::check_body;
use expect_test::expect;

#[test]
fn control_flow() {
    check_body(
        "if (i) j = 1; else if (p) j = 2; while (l) { break; } do continue; while (d); for (int k = 0; k < 3; k++) i = k; for (;;) ; { int i = 1; { int i = 2; } }",
        expect![[]],
    );
}

#[test]
fn switches() {
    check_body(
        "switch (c) { case 1: i = 1; break; case 'a' ... 'c': case -1: i = 2; default: i = 3; } switch (u) { case -1: break; } switch (ll) { int k; case 5: k = 1; }",
        expect![[]],
    );
}

#[test]
fn labels() {
    check_body("again: i++; if (i < 3) goto again; goto end; end: ; last: int k = 1; fin: ;", expect![[]]);
}

#[test]
fn barriers_and_attributes_are_skipped() {
    check_body(
        "asm volatile(\"\" ::: \"memory\"); __asm__ __volatile__ (\"\"); __attribute__((unused)) int k; switch (i) { case 1: __attribute__((fallthrough)); default: ; } int n __attribute__((aligned(8))) = 1;",
        expect![[]],
    );
}
