//! What the façade costs on top of Z3: `cargo bench -p braid-logic --bench solver`.

use braid_logic::{Answer, Solver, SolverOptions, Sort, Term, TermPool};
use std::time::Instant;
use z3::SatResult;
use z3::ast::{Array, Bool, Int};

/// The same queries, as terms and as Z3's expressions.
struct Family {
    name: &'static str,
    terms: Vec<Vec<Term>>,
    raw: Vec<Vec<Bool>>,
}

const QUERIES: i64 = 50;

/// A Hoare triple over four variables.
fn triples(pool: &TermPool) -> Family {
    let [x, y, z, next] = ["x", "y", "z", "next"].map(|name| pool.symbol(name, Sort::INT));
    let [rx, ry, rz, rnext] = ["x", "y", "z", "next"].map(Int::new_const);
    let (mut terms, mut raw) = (Vec::new(), Vec::new());
    for k in 0..QUERIES {
        let bound = if k % 2 == 0 { 2 * k } else { 2 * k + 3 };
        terms.push(vec![
            pool.ge(x, pool.int(k)),
            pool.ge(y, x),
            pool.eq(next, pool.add([x, pool.int(1)])),
            pool.eq(z, pool.add([next, y])),
            pool.lt(z, pool.int(bound)),
        ]);
        raw.push(vec![
            rx.ge(k),
            ry.ge(&rx),
            rnext.eq(Int::add(&[rx.clone(), Int::from_i64(1)])),
            rz.eq(Int::add(&[rnext.clone(), ry.clone()])),
            rz.lt(bound),
        ]);
    }
    Family { name: "Hoare triples", terms, raw }
}

/// Eight variables and four disjunctions.
fn disjunctions(pool: &TermPool) -> Family {
    let names: Vec<String> = (0..8).map(|i| format!("v{i}")).collect();
    let v: Vec<Term> = names.iter().map(|name| pool.symbol(name, Sort::INT)).collect();
    let r: Vec<Int> = names.iter().map(|name| Int::new_const(name.as_str())).collect();
    let (mut terms, mut raw) = (Vec::new(), Vec::new());
    for k in 0..QUERIES {
        let (mut formulas, mut expressions) = (Vec::new(), Vec::new());
        for i in 0..7 {
            formulas.push(pool.le(v[i], v[i + 1]));
            expressions.push(r[i].le(&r[i + 1]));
        }
        for i in 0..4 {
            let (a, b, c, at_least) = (2 * i, 2 * i + 1, (2 * i + 3) % 8, k + i as i64);
            let sum = pool.add([v[c], pool.int(k)]);
            formulas.push(pool.or([pool.ge(v[a], pool.int(at_least)), pool.eq(v[b], sum)]));
            let sum = Int::add(&[r[c].clone(), Int::from_i64(k)]);
            expressions.push(Bool::or(&[r[a].ge(at_least), r[b].eq(sum)]));
        }
        let (high, low) = (if k % 2 == 0 { k } else { k + 5 }, if k % 3 == 0 { 1 } else { k - 1 });
        formulas.extend([pool.lt(v[7], pool.int(high)), pool.ge(v[0], pool.int(low))]);
        expressions.extend([r[7].lt(high), r[0].ge(low)]);
        terms.push(formulas);
        raw.push(expressions);
    }
    Family { name: "disjunctions", terms, raw }
}

/// A write and two reads.
fn arrays(pool: &TermPool) -> Family {
    let sort = pool.array_sort(Sort::INT, Sort::INT);
    let (a, b) = (pool.symbol("a", sort), pool.symbol("b", sort));
    let (i, j) = (pool.symbol("i", Sort::INT), pool.symbol("j", Sort::INT));
    let int = z3::Sort::int();
    let (ra, rb) = (Array::new_const("a", &int, &int), Array::new_const("b", &int, &int));
    let (ri, rj) = (Int::new_const("i"), Int::new_const("j"));
    let read = |array: &Array| array.select(&rj).as_int().expect("an integer");
    let (mut terms, mut raw) = (Vec::new(), Vec::new());
    for k in 0..QUERIES {
        terms.push(vec![
            pool.eq(b, pool.store(a, i, pool.int(k))),
            pool.le(i, j),
            pool.gt(pool.select(b, j), pool.int(k)),
            if k % 2 == 0 { pool.le(pool.select(a, j), pool.int(k)) } else { pool.gt(j, pool.int(0)) },
        ]);
        raw.push(vec![
            rb.eq(ra.store(&ri, &Int::from_i64(k))),
            ri.le(&rj),
            read(&rb).gt(k),
            if k % 2 == 0 { read(&ra).le(k) } else { rj.gt(0) },
        ]);
    }
    Family { name: "arrays", terms, raw }
}

/// The best of several rounds, in microseconds per query.
fn time(mut round: impl FnMut() -> usize) -> f64 {
    round();
    let runs = (0..9).map(|_| {
        let start = Instant::now();
        let queries = round();
        start.elapsed().as_secs_f64() * 1e6 / queries as f64
    });
    runs.fold(f64::MAX, f64::min)
}

fn raw_answers(solver: &z3::Solver, queries: &[Vec<Bool>]) -> Vec<Answer> {
    let check = |formulas: &Vec<Bool>| {
        solver.push();
        formulas.iter().for_each(|formula| solver.assert(formula));
        let answer = match solver.check() {
            SatResult::Sat => Answer::Sat,
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown,
        };
        solver.pop(1);
        answer
    };
    queries.iter().map(check).collect()
}

fn main() {
    let pool = TermPool::new();
    println!("µs per query         raw Z3  decide, Z3   ratio  stack  assumed  decide, native");
    for Family { name, terms, raw } in [triples(&pool), disjunctions(&pool), arrays(&pool)] {
        let bare = z3::Solver::new();
        let options = SolverOptions { native: false, memory: false, ..SolverOptions::default() };
        let mut through = Solver::new(&pool, options.clone()).expect("Z3 is linked");
        let mut native = Solver::new(&pool, SolverOptions { native: true, ..options }).expect("Z3 is linked");
        let expected = raw_answers(&bare, &raw);
        for solver in [&mut through, &mut native] {
            let answers: Vec<Answer> = terms.iter().map(|formulas| solver.decide(formulas)).collect();
            assert_eq!(answers, expected);
        }
        let z3 = time(|| raw_answers(&bare, &raw).len());
        let decide = time(|| terms.iter().map(|formulas| through.decide(formulas)).count());
        let stack = time(|| {
            for formulas in &terms {
                through.push();
                formulas.iter().for_each(|&formula| through.assert(formula));
                through.check();
                through.pop();
            }
            terms.len()
        });
        let assumed = time(|| terms.iter().map(|formulas| through.check_assuming(formulas)).count());
        let tiered = time(|| terms.iter().map(|formulas| native.decide(formulas)).count());
        let ratio = decide / z3;
        println!("{name:20} {z3:6.1} {decide:11.1} {ratio:7.2} {stack:6.1} {assumed:8.1} {tiered:15.1}");
    }
}
