//! Statements.

use crate::check_body;
use expect_test::expect;

#[test]
fn control_flow() {
    check_body(
        "if (i) j = 1; else if (p) j = 2; while (l) { break; } do continue; while (d); for (int k = 0; k < 3; k++) i = k; for (;;) ; { int i = 1; { int i = 2; } }",
        expect![[r#"
            if i#0 {
            j = 1;
            }
            else {
            if p {
            j = 2;
            }
            }
            while l {
            break;
            }
            do {
            continue;
            }
            while d;
            for
            int k = 0;
            ; (k < 3); k +=:int 1 (old) {
            i#0 = k;
            }
            for
            ;
            ; ;  {
            ;
            }
            {
            int i#6 = 1;
            {
            int i#7 = 2;
            }
            }
        "#]],
    );
}

#[test]
fn switches() {
    check_body(
        "switch (c) { case 1: i = 1; break; case 'a' ... 'c': case -1: i = 2; default: i = 3; } switch (u) { case -1: break; } switch (ll) { int k; case 5: k = 1; }",
        expect![[r#"
            switch (int)c {
            case 1:
            i = 1;
            break;
            case 97 ... 99:
            case -1:
            i = 2;
            default:
            i = 3;
            }
            switch u {
            case 4294967295:
            break;
            }
            switch ll {
            int k;
            case 5:
            k = 1;
            }
        "#]],
    );
}

#[test]
fn labels() {
    check_body(
        "again: i++; if (i < 3) goto again; goto end; end: ; last: int k = 1; fin: ;",
        expect![[r#"
            L0:
            i +=:int 1 (old);
            if (i < 3) {
            goto L0;
            }
            goto L1;
            L1:
            ;
            L2:
            int k = 1;
            L3:
            ;
        "#]],
    );
}

#[test]
fn barriers_and_attributes_are_skipped() {
    check_body(
        "asm volatile(\"\" ::: \"memory\"); __asm__ __volatile__ (\"\"); __attribute__((unused)) int k; switch (i) { case 1: __attribute__((fallthrough)); default: ; } int n __attribute__((aligned(8))) = 1;",
        expect![[r#"
            ;
            ;
            int k;
            switch i {
            case 1:
            ;
            default:
            ;
            }
            int n = 1;
        "#]],
    );
}
