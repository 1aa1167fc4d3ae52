//! Mutated texts never make the reader or the parser panic or hang. `BRAID_FUZZ_SECONDS` says for how long to try.

use braid_logic::sexpr::read_all;
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Sort, SortKind, TermPool};
use braid_testkit::Random;
use std::time::{Duration, Instant};

const SEEDS: &[&str] = &[
    "(and (<= (+ x 1) (* 3 y)) (or p (not q) (=> p q p)))",
    "(let ((?0 (f x y)) (?1 (- 5))) (let ((x ?0)) (= x ?1 (ite p ?0 (abs ?1)))))",
    "(forall ((i Int) (|j k| (Array Int Bool))) (! (exists ((i (_ BitVec 8))) (select |j k| x)) :pattern ((f x y))))",
    "(= (store a (div x 2) (mod y (- 3))) ((as const (Array Int Int)) 0)) ; a comment",
    "(bvult (bvadd u #x0f ((_ zero_extend 4) #b1010)) (concat ((_ extract 7 4) v) (_ bv5 4)))",
    "(xor (distinct x y 7) ((_ divisible 3) x) (bvsle u (bvsmod u v)) (= \"a \"\" b\" :key 1.5))",
    "(< (bv2nat u) (rem x y) (^ x 3) (* x y x) (sbv_to_int ((_ rotate_left 3) ((_ repeat 2) u))))",
    "|größe ∧ ∨| ((_ int2bv 65536) x) 99999999999999999999999999",
];

/// A part of a text.
fn range(random: &mut Random, length: usize) -> std::ops::Range<usize> {
    let start = random.below(length + 1);
    start..start + random.below((length - start).min(24) + 1)
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let length = bytes.len();
    match random.below(8) {
        0 if length > 0 => bytes[random.below(length)] ^= 1 << random.below(8),
        1 if length > 0 => bytes[random.below(length)] = b"()|\"#;:_!-.019axp \n"[random.below(19)],
        2 => drop(bytes.drain(range(random, length))),
        3 => {
            let chunk = bytes[range(random, length)].to_vec();
            let at = random.below(length + 1);
            bytes.splice(at..at, chunk);
        }
        4 => {
            let other = SEEDS[random.below(SEEDS.len())].as_bytes();
            let chunk = &other[range(random, other.len())];
            bytes.splice(range(random, length), chunk.iter().copied());
        }
        5 => {
            let at = random.below(length + 1);
            let levels = [1, 10, 1_200][random.below(3)];
            let open: &[u8] = [&b"("[..], b"(not ", b"(+ x ", b"(let ((x (f x y))) ", b"(* x "][random.below(5)];
            bytes.splice(at..at, open.repeat(levels));
            bytes.extend(b")".repeat(levels));
        }
        6 => {
            // Swap two tokens.
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut words: Vec<&str> = text.split(' ').collect();
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            words.swap(a, b);
            *bytes = words.join(" ").into_bytes();
        }
        _ => bytes.truncate(random.below(length + 1)),
    }
    bytes.truncate(100_000);
}

fn pool() -> TermPool {
    let pool = TermPool::new();
    let bits = pool.sort(SortKind::BitVec(8));
    for (name, sort) in
        [("x", Sort::INT), ("y", Sort::INT), ("p", Sort::BOOL), ("q", Sort::BOOL), ("u", bits), ("v", bits)]
    {
        pool.var(name, sort);
    }
    pool.var("a", pool.array_sort(Sort::INT, Sort::INT));
    pool.fun("f", &[Sort::INT, Sort::INT], Sort::INT);
    pool
}

#[test]
fn mutated_texts_are_read_or_rejected() {
    let seconds = std::env::var("BRAID_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let (start, limit) = (Instant::now(), Duration::from_secs_f64(seconds));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut rejected) = (0u32, 0u32);
    while start.elapsed() < limit {
        let pool = pool();
        for _ in 0..200 {
            let mut bytes = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                mutate(&mut random, &mut bytes);
            }
            let text = String::from_utf8_lossy(&bytes);
            let began = Instant::now();
            if let Err(error) = read_all(&text) {
                assert!(text.get(error.span.start..error.span.end).is_some(), "{error} in {text}");
            }
            match parse_term(&pool, &text, &PoolScope(&pool)) {
                Ok(term) => {
                    accepted += 1;
                    let printed = pool.display(term).to_string();
                    match parse_term(&pool, &printed, &PoolScope(&pool)) {
                        Ok(_) if printed.contains("(forall (") || printed.contains("(exists (") => {}
                        Ok(again) => assert!(again == term, "{printed}"),
                        Err(error) => assert!(error.message.starts_with("nested deeper"), "{error} in {printed}"),
                    }
                }
                Err(error) => {
                    rejected += 1;
                    assert!(text.get(error.span.start..error.span.end).is_some(), "{error} in {text}");
                }
            }
            assert!(began.elapsed() < Duration::from_secs(2), "too slow: {text}");
        }
    }
    assert!(accepted > 0 && rejected > 0);
    println!("{accepted} accepted, {rejected} rejected");
}
