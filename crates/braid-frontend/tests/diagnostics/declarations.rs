//! Wrong declarations.

use crate::weaver;
use expect_test::expect;

#[test]
fn declarations() {
    weaver(
        r#"(var x Int)
(var x Bool)
(var y y Int)
(var z Int)
(var z (Int) Int)
(var)
(var u)
(var u v)
(var u int)
(var u Real)
(var g (Int Int))
(var u (Array Int))
(var u Array)
(var 1 Int)
(var u (_ BitVec 8))
(use later)
(var later Bool)"#,
        expect![[r#"
            a.wvr:2:6: error: `x` is declared twice
              (var x Bool)
                   ^
            hint: the first declaration is at 1:6
            a.wvr:3:8: error: `y` is declared twice
              (var y y Int)
                     ^
            hint: the first declaration is at 3:6
            a.wvr:5:6: error: `z` is declared twice
              (var z (Int) Int)
                   ^
            hint: the first declaration is at 4:6
            a.wvr:6:1: error: this declares nothing
              (var)
              ^^^^^
            hint: write `(var x Int)` or `(var f (Int) Int)`
            a.wvr:7:6: error: there is no sort `u`
              (var u)
                   ^
            hint: sorts are `Int`, `Bool` and `(Array S S)`
            a.wvr:8:8: error: there is no sort `v`
              (var u v)
                     ^
            hint: sorts are `Int`, `Bool` and `(Array S S)`
            a.wvr:9:8: error: there is no sort `int`
              (var u int)
                     ^^^
            hint: did you mean `Int`?
            a.wvr:10:8: error: there is no sort `Real`
              (var u Real)
                     ^^^^
            hint: there are integers only
            a.wvr:11:8: error: this is not a sort
              (var g (Int Int))
                     ^^^^^^^^^
            hint: a function has argument sorts and a result sort: `(var f (Int) Int)`
            a.wvr:12:8: error: an array sort has an index sort and an element sort
              (var u (Array Int))
                     ^^^^^^^^^^^
            hint: write `(Array Int Int)`
            a.wvr:13:8: error: an array sort has an index sort and an element sort
              (var u Array)
                     ^^^^^
            hint: write `(Array Int Int)`
            a.wvr:14:6: error: the name of a variable should stand here
              (var 1 Int)
                   ^
            a.wvr:15:8: error: Weaver's language does not have bit-vectors
              (var u (_ BitVec 8))
                     ^^^^^^^^^^^^
            hint: files named `.braid` may use it
            a.wvr:16:6: error: `later` is not declared
              (use later)
                   ^^^^^
        "#]],
    );
    weaver(
        r#"(seq)
(var x Int)
(seq (use true))"#,
        expect![[r#"
            a.wvr:2:2: error: the declaration `var` stands after a statement
              (var x Int)
               ^^^
            hint: all declarations come first; here, use `(declare (x Int) …)`
            a.wvr:3:7: error: the declaration `use` stands after a statement
              (seq (use true))
                    ^^^
            hint: all declarations come first
        "#]],
    );
    weaver(
        r#"(sort S)
(seq)"#,
        expect![[r#"
            a.wvr:1:2: error: Weaver's language does not have `sort`
              (sort S)
               ^^^^
            hint: files named `.braid` may use it
        "#]],
    );
    weaver(
        r#"(var x Int)
"#,
        expect![[r#"
            a.wvr:1:1: error: this program has no statements
              (var x Int)
              ^
            hint: the smallest program is `(seq)`
        "#]],
    );
    weaver(
        r#""#,
        expect![[r#"
        a.wvr:1:1: error: this program has no statements
        hint: the smallest program is `(seq)`
    "#]],
    );
    weaver(
        r#"; nothing
"#,
        expect![[r#"
            a.wvr:1:1: error: this program has no statements
              ; nothing
              ^
            hint: the smallest program is `(seq)`
        "#]],
    );
}
