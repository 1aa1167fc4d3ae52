//! Random programs that start threads in loops: what is proven for any number of threads is not refuted by a few.

use crate::{explicit, parametric};
use braid_engines::Verdict;
use braid_frontend::{Language, parse};
use braid_program::Random;
use std::fmt::Write;

/// Writes a program with two or three procedures that are started once, again and again, or by each other.
struct Generator {
    random: Random,
}

impl Generator {
    fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.random.below(items.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn number(&mut self, own: bool) -> String {
        let words: &[&str] = if own { &["x", "y", "l", "a", "0", "1", "2"] } else { &["x", "y", "0", "1"] };
        let word = self.one_of(words);
        match self.random.below(5) {
            0 => format!("(mod (+ {word} 1) 3)"),
            1 => format!("(mod (+ {word} 2) 3)"),
            _ => word.to_owned(),
        }
    }

    fn test(&mut self, own: bool) -> String {
        let (one, other) = (self.number(own), self.number(own));
        match self.random.below(7) {
            0 => "m".into(),
            1 => "(not m)".into(),
            2 => format!("(= {one} {other})"),
            3 => format!("(not (= {one} {other}))"),
            4 => format!("(<= {one} {other})"),
            5 => format!("(or m (= {one} {other}))"),
            _ => format!("(< {one} {other})"),
        }
    }

    fn simple(&mut self, own: bool) -> String {
        let value = self.number(own);
        match self.random.below(6) {
            0 => format!("(assume {})", self.test(own)),
            1 => format!("(set! m {})", self.test(own)),
            2 if own => format!("(set! l {value})"),
            3 => format!("(set! y {value})"),
            _ => format!("(set! x {value})"),
        }
    }

    fn statement(&mut self, depth: usize, forked: Option<&str>) -> String {
        let (test, simple) = (self.test(true), self.simple(true));
        match self.random.below(12) {
            0 | 1 => format!("(assert {test})"),
            2 => "(atomic (assume (not m)) (set! m true))".into(),
            3 => "(set! m false)".into(),
            4 => format!("(atomic {simple} {})", self.simple(true)),
            5 if depth > 0 => format!("(if {test} {} {})", self.block(depth - 1, None), self.block(depth - 1, None)),
            6 if depth > 0 => format!("(loop {})", self.block(depth - 1, None)),
            7 if depth > 0 => {
                let inside = self.block(depth - 1, None);
                format!("(seq (atomic (assume (not m)) (set! m true)) {inside} (set! m false))")
            }
            8 if forked.is_some() => format!("(async _ {} {})", forked.unwrap_or_default(), self.number(true)),
            _ => simple,
        }
    }

    fn block(&mut self, depth: usize, forked: Option<&str>) -> String {
        let count = 1 + self.random.below(3);
        let items: Vec<String> = (0..count).map(|_| self.statement(depth, forked)).collect();
        format!("(seq {})", items.join(" "))
    }

    fn program(&mut self) -> String {
        let mut text = String::from("(var x y h i Int) (var m Bool)\n");
        let nested = self.chance(20);
        for (name, forked) in [("u", None), ("t", nested.then_some("u"))] {
            let body = self.block(2, forked);
            let number = if self.chance(30) { "(identity self) " } else { "" };
            let used = if number.is_empty() { "" } else { "(set! l (mod self 3)) " };
            writeln!(
                text,
                "(proc {name} ((a Int)) ((r Int)) {number}(declare (l Int) (set! l 0) {used}{body} (set! r l)))"
            )
            .expect("text grows");
        }
        text += "(set! (x y h i) (0 0 0 0)) (set! m false)\n";
        if self.chance(30) {
            text += "(async _ u 0)\n";
        }
        let argument = self.one_of(&["0", "x", "(mod i 3)", "i"]);
        let more = self.simple(false);
        let counted = if self.chance(50) { "(set! i (+ i 1))" } else { "" };
        let joined = if self.chance(25) { "(wait (y) h)" } else { "" };
        writeln!(text, "(loop (async h t {argument}) {more} {counted} {joined})").expect("text grows");
        if self.chance(60) {
            writeln!(text, "(assert {})", self.test(false)).expect("text grows");
        }
        text
    }
}

#[test]
fn what_holds_for_any_number_holds_for_a_few() {
    let cases = std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150);
    let (mut safe, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..cases {
        let text = Generator { random: Random::new(seed) }.program();
        let program = parse("test", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let proven = matches!(parametric(&program), Verdict::Safe(_));
        let mut bug = None;
        for instances in 1..=4 {
            if let Verdict::Unsafe(_) = explicit(&program, instances) {
                bug = Some(instances);
                break;
            }
        }
        assert!(!proven || bug.is_none(), "seed {seed}: called safe, but fails with {bug:?} instances\n{text}");
        match (proven, bug) {
            (true, _) => safe += 1,
            (false, Some(_)) => refuted += 1,
            (false, None) => open += 1,
        }
    }
    println!("{safe} proven, {refuted} with a bug, {open} without either");
    assert!(safe * 10 >= cases && refuted * 10 >= cases, "{safe} proven, {refuted} with a bug, {open} without either");
}
