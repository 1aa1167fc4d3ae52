//! Declarations: types, constants, functions, variables, contracts.

use crate::check;
use expect_test::expect;

#[test]
fn types_and_maps() {
    check(
        "type a; type pair x y; type row t = [int]t; var v: a; var w: pair int a; var r: row (row bool);
        var t: [int, bool]bv8;
        procedure main() modifies t; { t[1, true] := 7bv8; assume r[1][2]; }",
        expect![[r#"
            (sort a)
            (sort |pair int a|)
            (var v a)
            (var w |pair int a|)
            (var r (Array Int (Array Int Bool)))
            (var t (Array Int (Array Bool (_ BitVec 8))))

            (store! t 1 (store (select t 1) true (_ bv7 8)))
            (assume (select (select r 1) 2))
        "#]],
    );
}

#[test]
fn constants_and_axioms_are_assumed_first() {
    check(
        "type t; const unique a, b: t; const n: int; axiom n > 0; var g: int where g > n;
        procedure main() requires g < 7; { }",
        expect![[r#"
            (sort t)
            (var a b t)
            (var n g Int)

            (assume (and (> n 0) (> g n) (/= a b) (< g 7)))
        "#]],
    );
}

#[test]
fn functions_are_written_out_or_uninterpreted() {
    check(
        "function f(int) returns (int); function g(x: int, y: int): int { f(x) + y } function zero(): int;
        function id<a>(x: a) returns (a);
        procedure main() { var b: bool; assume g(1, 2) == zero(); assume id(b) && id(3) == 3; }",
        expect![[r#"
            (var zero Int)
            (var f (Int) Int)
            (var id<bool> (Bool) Bool)
            (var id<int> (Int) Int)

            (proc main () ()
                (declare (b Bool)
                    (assume (= (+ (f 1) 2) zero))
                    (assume (and (id<bool> b) (= (id<int> 3) 3)))))
        "#]],
    );
}

#[test]
fn operators_of_the_solver() {
    check(
        "function {:bvbuiltin \"bvsub\"} sub(bv8, bv8) returns (bv8);
        function {:bvbuiltin \"sign_extend 8\"} wide(bv8) returns (bv16);
        function {:smtdefined \"((_ divisible 3) n)\"} third(n: int) returns (bool);
        procedure main() { var x: bv8; assume sub(x, 1bv8) == x[8:4] ++ 0bv4 && third(9) && wide(x) == 0bv16; }",
        expect![[r#"
            (proc main () ()
                (declare (x (_ BitVec 8))
                    (assume
                        (and
                            (= (bvadd x (bvneg (_ bv1 8))) (concat ((_ extract 7 4) x) (_ bv0 4)))
                            (= (mod 9 3) 0)
                            (= ((_ sign_extend 8) x) (_ bv0 16))))))
        "#]],
    );
}

#[test]
fn contracts() {
    check(
        "var g: int;
        procedure main() modifies g; { var x: int; call x := p(g + 1); call q(); }
        procedure p(n: int) returns (r: int); requires n > 0; modifies g; ensures r > old(g) && g == r;
        procedure q() modifies g; ensures g == old(g) + 1; free ensures g != 5; { g := g + 1; return; }",
        expect![[r#"
            (var g Int)

            (proc p ((n Int)) ((r Int))
                (declare (|old(g)| Int)
                    (atomic (set! |old(g)| g) (havoc! g) (assume (and (> r |old(g)|) (= g r))))))

            (proc q () ()
                (declare (|old(g)| Int)
                    (set! |old(g)| g)
                    (set! g (+ g 1))
                    (goto l0)
                    (label l0)
                    (assert (= g (+ |old(g)| 1)))
                    (assume (/= g 5))))

            (proc main () ()
                (declare (x Int)
                    (atomic (assert (> (+ g 1) 0)) (call (x) p (+ g 1)))
                    (call () q)))
        "#]],
    );
}

#[test]
fn implementations_name_their_parameters() {
    check(
        "procedure main() { var x: int; call x := p(1); }
        procedure p(n: int) returns (r: int); ensures r == n;
        implementation p(m: int) returns (s: int) { s := m; }",
        expect![[r#"
            (proc p ((n Int)) ((r Int))
                (set! r n)
                (label l0)
                (assert (= r n)))

            (proc main () ()
                (declare (x Int)
                    (call (x) p 1)))
        "#]],
    );
}

#[test]
fn quantifiers() {
    check(
        "var x: int; function f(int) returns (int);
        procedure main() {
            assume (forall x: int, y: int where y > 0 :: {f(x)} f(x) > y ==> (exists x: int :: f(x) == y));
            assume (exists y: int, z: bool :: y == x && z);
        }",
        expect![[r#"
            (var x Int)
            (var f (Int) Int)

            (assume (forall ((x Int) (y Int)) (=> (> y 0) (=> (> (f x) y) (exists ((x Int)) (= (f x) y))))))
            (assume (exists ((y Int) (z Bool)) (and (= y x) z)))
        "#]],
    );
}
