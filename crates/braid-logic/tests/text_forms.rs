//! How terms are written and read: input, SMT-LIB form and infix form side by side.

use braid_logic::text::{PoolScope, parse_term, print_declarations, script};
use braid_logic::{Quantifier, Sort, SortKind, Term, TermPool};

fn pool() -> TermPool {
    let pool = TermPool::new();
    let element = pool.sort(SortKind::Uninterpreted("Node".into()));
    let bits = pool.sort(SortKind::BitVec(8));
    let array = pool.array_sort(Sort::INT, Sort::INT);
    for (names, sort) in
        [("x y z x@3 select", Sort::INT), ("p q r", Sort::BOOL), ("u v", bits), ("a b", array), ("n m", element)]
    {
        for name in names.split(' ') {
            pool.var(name, sort);
        }
    }
    pool.var("a b", Sort::INT);
    pool.fun("f", &[Sort::INT, Sort::INT], Sort::INT);
    pool.fun("even", &[Sort::INT], Sort::BOOL);
    pool.fun("next", &[element], element);
    pool
}

fn parse(pool: &TermPool, text: &str) -> Term {
    parse_term(pool, text, &PoolScope(pool)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text reads as a term that is written as `smt` and, for people, as `infix`.
#[track_caller]
fn check(text: &str, smt: &str, infix: &str) {
    let pool = pool();
    let term = parse(&pool, text);
    assert_eq!(pool.display(term).to_string(), smt, "SMT-LIB form of {text}");
    assert_eq!(pool.infix(term).to_string(), infix, "infix form of {text}");
    assert_eq!(parse(&pool, smt), term, "{smt} read again");
}

#[test]
fn comparisons_have_no_negative_parts() {
    check("(<= (+ x 1) y)", "(< x y)", "x < y");
    check("(<= (+ x 2) y)", "(<= (+ x 2) y)", "x + 2 ≤ y");
    check("(<= x (+ y 2))", "(<= x (+ y 2))", "x ≤ y + 2");
    check("(<= (* (- 1) x) y)", "(>= (+ x y) 0)", "x + y ≥ 0");
    check("(> x 0)", "(>= x 1)", "x ≥ 1");
    check("(< x (- 5))", "(<= x (- 6))", "x ≤ -6");
    check("(= (- x y) 5)", "(= x (+ y 5))", "x = y + 5");
    check("(= (+ x y) 0)", "(= (+ x y) 0)", "x + y = 0");
    check("(= (* 2 x) (* 3 y))", "(= (* 2 x) (* 3 y))", "2*x = 3*y");
    check("(not (= x y))", "(not (= x y))", "x ≠ y");
    check("(not (<= x y))", "(< y x)", "y < x");
    check("(<= x y z)", "(and (<= x y) (<= y z))", "x ≤ y ∧ y ≤ z");
    check("(distinct x y z)", "(and (not (= x y)) (not (= x z)) (not (= y z)))", "x ≠ y ∧ x ≠ z ∧ y ≠ z");
}

#[test]
fn sums_are_differences() {
    check("(- x)", "(- x)", "-x");
    check("(* (- 2) x)", "(- (* 2 x))", "-2*x");
    check("(- 5 x)", "(- 5 x)", "5 - x");
    check("(- (- 5) x)", "(- (- 5) x)", "-5 - x");
    check("(- x 5)", "(- x 5)", "x - 5");
    check("(+ (- x y) 5)", "(- (+ x 5) y)", "x + 5 - y");
    check("(- (+ x y))", "(- (+ x y))", "-x - y");
    check("(* x (+ y 2) 3)", "(+ (* 6 x) (* 3 x y))", "6*x + 3*x*y");
    check("(- 9223372036854775808)", "(- 9223372036854775808)", "-9223372036854775808");
    check("(f (- 1) (- x))", "(f (- 1) (- x))", "f(-1, -x)");
    check("(div (+ x 1) 2)", "(div (+ x 1) 2)", "(x + 1) div 2");
    check("(* 2 (mod x 3))", "(* 2 (mod x 3))", "2*(x mod 3)");
    check("(mod (- x) 3)", "(mod (* 2 x) 3)", "(2*x) mod 3");
    check("(abs x)", "(ite (>= x 0) x (- x))", "if x ≥ 0 then x else -x");
    check("(^ x 2)", "(* x x)", "x*x");
}

#[test]
fn formulas_take_few_parentheses() {
    check("(and (<= x y) (or p (not q)))", "(and (<= x y) (or p (not q)))", "x ≤ y ∧ (p ∨ ¬q)");
    check("(or (and p q) r)", "(or r (and p q))", "r ∨ p ∧ q");
    check("(=> p q r)", "(or r (not q) (not p))", "r ∨ ¬q ∨ ¬p");
    check("(= p (and q r))", "(= p (and q r))", "p ⇔ q ∧ r");
    check("(xor p q)", "(not (= p q))", "¬(p ⇔ q)");
    check("(not (even x))", "(not (even x))", "¬even(x)");
    check("(ite p true q)", "(or p q)", "p ∨ q");
    check("(+ (ite p x y) 1)", "(+ (ite p x y) 1)", "(if p then x else y) + 1");
    check("(let ((x y) (y x)) (< x y))", "(< y x)", "y < x");
    check("(! (< x y) :named lt :pattern ((f x y)))", "(< x y)", "x < y");
    check("(or)", "false", "false");
    check("; nothing\n(and p ; first\n p)", "p", "p");
}

#[test]
fn arrays_functions_and_names() {
    check("(select a (+ x 1))", "(select a (+ x 1))", "a[x + 1]");
    check("(select (store a x 1) y)", "(select (store a x 1) y)", "a[x := 1][y]");
    check("(= a ((as const (Array Int Int)) 0))", "(= a ((as const (Array Int Int)) 0))", "a = const(0)");
    check("(not (= a b))", "(not (= a b))", "a ≠ b");
    check("(f x@3 |a b|)", "(f x@3 |a b|)", "f(x@3, a b)");
    check("(f |x| |'select|)", "(f x |'select|)", "f(x, select)");
    check("(f select |select|)", "(f |'select| |'select|)", "f(select, select)");
    check("(= (next n) m)", "(= m (next n))", "m = next(n)");
}

#[test]
fn bit_vectors() {
    check("(bvadd u #x05)", "(bvadd u (_ bv5 8))", "u + 0x05");
    check("(= u (bvadd v (bvmul u v)))", "(= u (bvadd v (bvmul u v)))", "u = v + (u * v)");
    check("(bvsub u v)", "(bvadd u (bvneg v))", "u + -v");
    check("(bvuge u v)", "(bvule v u)", "v ≤u u");
    check("(not (bvslt u v))", "(not (bvslt u v))", "v ≤s u");
    check("((_ extract 3 0) u)", "((_ extract 3 0) u)", "u[3:0]");
    check("((_ zero_extend 8) u)", "((_ zero_extend 8) u)", "zero_extend(u, 8)");
    check("(concat #b101 ((_ extract 4 0) u))", "(concat (_ bv5 3) ((_ extract 4 0) u))", "0b101 ++ u[4:0]");
    check("(concat #b1 #b01 #b001)", "(_ bv41 6)", "0b101001");
    check("(bvor #x01 #x02 #x04)", "(_ bv7 8)", "0x07");
    check("((_ int2bv 8) x)", "((_ int2bv 8) x)", "int2bv(x, 8)");
    check("(ubv_to_int u)", "(bv2nat u)", "bv2nat(u)");
    check("(bvudiv_i u v)", "(bvudiv u v)", "bvudiv(u, v)");
    check("((_ rotate_left 3) #x81)", "(_ bv12 8)", "0x0c");
    check("((_ rotate_right 1) #x81)", "(_ bv192 8)", "0xc0");
    check("((_ repeat 3) #b10)", "(_ bv42 6)", "0b101010");
    check("(sbv_to_int #xff)", "(- 1)", "-1");
    check("(bvsmod #xfb #x03)", "(_ bv1 8)", "0x01");
    check("((_ divisible 3) x)", "(= (mod x 3) 0)", "x mod 3 = 0");
}

#[test]
fn quantifiers_bind_new_variables() {
    let pool = pool();
    let term = parse(&pool, "(forall ((i Int) (j Int)) (exists ((i Bool)) (or i (< (select a j) x))))");
    assert_eq!(
        pool.display(term).to_string(),
        "(forall ((j!1 Int)) (exists ((i!2 Bool)) (or i!2 (< (select a j!1) x))))"
    );
    assert_eq!(pool.infix(term).to_string(), "∀ j!1: Int. ∃ i!2: Bool. i!2 ∨ a[j!1] < x");
    let again = parse(&pool, &pool.display(term).to_string());
    assert_eq!(
        pool.display(again).to_string(),
        "(forall ((j!3 Int)) (exists ((i!4 Bool)) (or i!4 (< (select a j!3) x))))"
    );
    assert_eq!(pool.free_vars(again), pool.free_vars(term));
}

#[test]
fn large_terms_share_by_let() {
    let pool = pool();
    let mut term = parse(&pool, "(f x y)");
    let f = pool.find_fun("f").expect("declared above");
    for _ in 0..200 {
        term = pool.apply(f, &[term, term]);
    }
    let text = pool.display(term).to_string();
    assert!(text.len() < 10_000, "{} bytes", text.len());
    assert_eq!(parse(&pool, &text), term);
    assert!(pool.infix(term).to_string().contains('…'));

    // Under a quantifier, what mentions the bound variable is named inside.
    let var = pool.fresh_var("i", Sort::INT);
    let mut inner = pool.apply(f, &[pool.of_var(var), pool.int(1)]);
    for _ in 0..30 {
        inner = pool.apply(f, &[inner, inner]);
    }
    let quantified = pool.quantify(Quantifier::Forall, &[var], pool.lt(inner, term));
    let both = pool.and([quantified, pool.lt(term, pool.int(0))]);
    let text = pool.display(both).to_string();
    assert!(text.len() < 20_000, "{} bytes", text.len());
    let again = parse(&pool, &text);
    assert_eq!(pool.free_vars(again), pool.free_vars(both));
    assert_eq!(pool.size(again), pool.size(both));
}

#[test]
fn deep_terms_are_printed_without_recursion() {
    let pool = pool();
    let f = pool.find_fun("f").expect("declared above");
    let mut term = pool.int(0);
    for _ in 0..200_000 {
        term = pool.apply(f, &[term, pool.int(1)]);
    }
    assert!(pool.display(term).to_string().len() > 1_000_000);
    assert!(pool.infix(term).to_string().len() < 100_000);
}

#[test]
fn scripts_declare_what_occurs() {
    let pool = pool();
    let formula = parse(&pool, "(and p (= (next n) m) (< (f x 0) (select a |'select|)))");
    let formulas = [formula, parse(&pool, "(bvult u v)")];
    assert_eq!(
        script(&pool, &formulas),
        "\
(set-logic ALL)
(declare-sort Node 0)
(declare-fun a () (Array Int Int))
(declare-fun f (Int Int) Int)
(declare-fun m () Node)
(declare-fun n () Node)
(declare-fun next (Node) Node)
(declare-fun p () Bool)
(declare-fun |'select| () Int)
(declare-fun u () (_ BitVec 8))
(declare-fun v () (_ BitVec 8))
(declare-fun x () Int)
(assert (and p (= m (next n)) (< (f x 0) (select a |'select|))))
(assert (bvult u v))
(check-sat)
"
    );
    let bound = parse(&pool, "(forall ((k Node)) (exists ((x Int)) (and (< x y) (= k n))))");
    assert_eq!(
        print_declarations(&pool, &[bound]),
        "(declare-sort Node 0)\n(declare-fun n () Node)\n(declare-fun y () Int)\n"
    );
}
