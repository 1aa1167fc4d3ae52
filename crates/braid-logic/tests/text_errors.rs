//! Wrong texts are rejected at the place that is wrong.

use braid_logic::sexpr::{MAX_NESTING, read_all};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Sort, SortKind, TermPool};

/// The text is rejected; the part between the arrows is where.
#[track_caller]
fn check(marked: &str, message: &str) {
    let (before, rest) = marked.split_once('→').expect("an arrow before the place");
    let (place, after) = rest.split_once('←').expect("an arrow after the place");
    let text = format!("{before}{place}{after}");
    let pool = TermPool::new();
    for (name, sort) in [("x", Sort::INT), ("y", Sort::INT), ("p", Sort::BOOL), ("q", Sort::BOOL)] {
        pool.var(name, sort);
    }
    pool.var("u", pool.sort(SortKind::BitVec(8)));
    pool.fun("f", &[Sort::INT, Sort::INT], Sort::INT);
    let error = parse_term(&pool, &text, &PoolScope(&pool)).expect_err(&text);
    let found = (error.message.as_str(), &text[error.span.start..error.span.end], error.span.start);
    assert_eq!(found, (message, place, before.len()), "{text}");
}

#[test]
fn reading() {
    check("(and p →(←or q", "`(` is never closed");
    check("(and p)→)←", "`)` closes nothing");
    check("(and p →ü←)", "this character cannot stand here");
    check("(and p →\u{0}←)", "this character cannot stand here");
    check("(and p →|←p)", "a symbol in bars that does not end");
    check("(and p →\"←a\"\"b)", "a string that does not end");
    check("(< x 12→a←b)", "a number does not go on like this");
    check("(< x 1.→)←", "a decimal number goes on with digits");
    check("(< u #x→g←)", "expected a hexadecimal digit");
    check("(< u #b1→2←)", "expected 0 or 1");
    check("(< u →#←y)", "`#` starts no number here");
    check("→#←", "`#` starts no number here");
    check("#x→←", "expected a hexadecimal digit");
    check("(! p :→)←", "expected a name after `:`");
    check("; →←", "expected a term, found nothing");
}

#[test]
fn parsing() {
    check("→←", "expected a term, found nothing");
    check("p →q←", "expected one term, found a second one");
    check("→()←", "expected a term, found an empty list");
    check("(and p →w←)", "there is no variable w");
    check("(< x →-1←)", "there is no variable -1");
    check("(→g← x)", "there is no function g");
    check("(→|and|← p q)", "there is no function |'and|");
    check("(→5← x)", "expected the name of an operator or a function");
    check("(and p →x←)", "`and` takes a term of sort Bool here, and this is of sort Int");
    check("(= x →p←)", "`=` takes a term of sort Int here, and this is of sort Bool");
    check("(ite →x← x y)", "`ite` takes a term of sort Bool here, and this is of sort Int");
    check("(select →x← y)", "`select` takes an array here, and this is of sort Int");
    check("(f x →p←)", "`f` takes a term of sort Int here, and this is of sort Bool");
    check("(and →(f x)← p)", "`f` takes 2 arguments, not 1");
    check("→(not)←", "`not` takes 1 argument, not 0");
    check("→(<= x)←", "`<=` takes 2 or more arguments, not 1");
    check("(bvadd u →#x001←)", "`bvadd` takes a term of sort (_ BitVec 8) here, and this is of sort (_ BitVec 12)");
    check("((_ extract →8← 0) u)", "this bit is not one of the 8 bits of the argument");
    check("((_ extract 1 →2←) u)", "the lower bit is above the higher one");
    check("(_ →bv256← 8)", "256 does not fit into 8 bits");
    check("(_ bv1 →0←)", "a bit-vector has at least one bit");
    check("((_ zero_extend →4294967296←) u)", "4294967296 bits are too many");
    check("→(_ as-array f)←", "this indexed symbol is not a term");
    check("→(to_real x)←", "real numbers are not supported");
    check("(< x →1.5←)", "numbers with a point are not supported");
    check("→(let (x 1))←", "expected (let ((name term) …) body)");
    check("(let (→(x)←) p)", "expected (name term)");
    check("(let ((x 1) (→x← 2)) p)", "x is bound twice here");
    check("(forall ((i →Real←)) p)", "the sort Real is not supported");
    check("(forall ((i Int)) →i←)", "a quantifier's body is a formula, and this is not");
    check("((as const →Int←) x)", "expected the sort of an array");
    check("(let ((k (f x y))) (and p →k←))", "`and` takes a term of sort Bool here, and this is of sort Int");
}

/// Runs on a thread with the stack that threads have by default.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no panic");
}

#[test]
fn nesting_is_limited_at_the_parenthesis_that_is_too_deep() {
    on_a_small_stack(|| {
        let fits = format!("{}x{}", "(".repeat(MAX_NESTING), ")".repeat(MAX_NESTING));
        assert_eq!(read_all(&fits).map(|all| all.len()), Ok(1));
        let error = read_all(&"(".repeat(100_000)).expect_err("too deep");
        assert_eq!((error.span.start, error.message.as_str()), (MAX_NESTING, "nested deeper than 1,000 levels"));
        let closed = format!("{}{}", "(not ".repeat(100_000), ")".repeat(100_000));
        assert_eq!(read_all(&closed).expect_err("too deep").span.start, 5 * MAX_NESTING);
    });
}

#[test]
fn the_deepest_texts_fit_on_the_stack() {
    on_a_small_stack(|| {
        let pool = TermPool::new();
        for number in 0..2_000 {
            pool.var(&format!("p{number}"), Sort::BOOL);
        }
        pool.var("x", Sort::INT);
        pool.fun("f", &[Sort::INT], Sort::INT);
        let scope = PoolScope(&pool);
        let nested = |open: &dyn Fn(usize) -> String, core: &str, levels: usize| {
            let mut text: String = (0..levels).map(open).collect();
            text += core;
            text + &")".repeat(levels)
        };
        // Negation descends through alternating junctions.
        let junctions = nested(&|i| format!("({} p{i} ", if i % 2 == 0 { "and" } else { "or" }), "p1999", 998);
        assert!(parse_term(&pool, &format!("(not {junctions})"), &scope).is_ok());
        assert!(parse_term(&pool, &nested(&|_| "(f ".into(), "x", 1_000), &scope).is_ok());
        assert!(parse_term(&pool, &nested(&|_| "(let ((x (f x))) ".into(), "x", 990), &scope).is_ok());
        assert!(parse_term(&pool, &nested(&|i| format!("(exists ((i{i} Int)) "), "p0", 990), &scope).is_ok());
        assert!(parse_term(&pool, &nested(&|_| "(! ".into(), "p0", 990).replace(')', " :a)"), &scope).is_ok());
        // Depth behind `let` is counted too.
        let layer = |i: usize| {
            let inner: String = (0..400).map(|j| format!("({} p{} ", ["and", "or"][j % 2], i * 400 + j)).collect();
            format!("(let ((p1999 {inner}p1999{})) ", ")".repeat(400))
        };
        let deep = format!("(not {})", nested(&|i| layer(i % 4), "p1999", 300));
        assert!(parse_term(&pool, &deep, &scope).expect_err("too deep").message.contains("behind the `let`s"));
        let almost = format!("(not {})", nested(&|i| layer(i % 4), "p1999", 4));
        assert!(parse_term(&pool, &almost, &scope).is_ok());
    });
}

#[test]
fn towers_of_powers_are_rejected() {
    let pool = TermPool::new();
    pool.var("x", Sort::INT);
    for core in ["x", "10", "(+ x 10)", "(+ x 99999999999999999999)"] {
        let text = format!("(let ((y {core})) {}y{})", "(let ((y (* y y))) ".repeat(60), ")".repeat(60));
        let error = parse_term(&pool, &text, &PoolScope(&pool)).expect_err("too large");
        assert_eq!(error.message, "this product is too large");
    }
}
