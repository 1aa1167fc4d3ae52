//! Random programs that start threads in loops: what is proven for any number of threads is not refuted by a few.

use crate::{explicit, parametric};
use braid_check::threads::System;
use braid_check::{Argument, ThreadFacts};
use braid_engines::certify::Proven;
use braid_engines::{Control, Proof, Verdict};
use braid_frontend::{Language, parse};
use braid_logic::{SolverOptions, TermPool};
use braid_program::{LowerOptions, Random, ast, lower};
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

fn certificate_is_accepted(program: &ast::Program, proof: &Proof) {
    let lowering = proof.lowering.expect("it is told");
    let solver = SolverOptions::default();
    let proven = Proven { program, lowering, proof, solver: solver.clone() };
    let certificate = proven.certificate(&Control::new()).expect("it is at hand");
    let read = braid_check::read(&certificate.to_string()).expect("what is written can be read");
    assert_eq!(read, std::slice::from_ref(&certificate));
    let pool = TermPool::new();
    let automata = lower(program, &pool, lowering).expect("the program can be lowered");
    if let Err(refusal) = braid_check::check(&automata, &certificate.argument, solver, &|| true) {
        panic!("{refusal}\n{certificate}\n{}", braid_program::print::to_text(program));
    }
}

/// Facts that exclude all errors of a program that has some.
fn forged_facts_are_refused(program: &ast::Program, random: &mut Random) {
    let pool = TermPool::new();
    let lowering = LowerOptions { templates: true, ..LowerOptions::default() };
    let automata = lower(program, &pool, lowering).expect("the program can be lowered");
    let Ok(system) = System::of(&automata) else { return };
    for _ in 0..4 {
        let one = random.below(4);
        let mut facts = Vec::new();
        for place in system.places() {
            let template = &system.templates[place.template];
            let some = ["(= x 0)", "(<= y x)", "(not m)", "m", "false"];
            let most = if random.below(9) == 0 { 5 } else { 4 };
            let mut formulas = vec![some[random.below(most)].to_owned()];
            formulas.retain(|_| random.below(4) == one);
            if template.errors.contains(&place.location) {
                formulas.push("false".into());
            }
            facts.push(ThreadFacts { places: vec![(template.thread, place.location)], formulas });
        }
        let argument = Argument::Threads { counters: random.below(2) == 0, numbers: random.below(2) == 0, facts };
        let checked = braid_check::check(&automata, &argument, SolverOptions::default(), &|| true);
        assert!(checked.is_err(), "{argument:?}\n{}", braid_program::print::to_text(program));
    }
}

#[test]
fn what_holds_for_any_number_holds_for_a_few() {
    let cases = std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150);
    let (mut safe, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..cases {
        let text = Generator { random: Random::new(seed) }.program();
        let program = parse("test", &text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let verdict = parametric(&program);
        let proven = matches!(verdict, Verdict::Safe(_));
        if let Verdict::Safe(proof) = &verdict {
            certificate_is_accepted(&program, proof);
        }
        let mut bug = None;
        for instances in 1..=4 {
            if let Verdict::Unsafe(_) = explicit(&program, instances) {
                bug = Some(instances);
                break;
            }
        }
        if bug.is_some() {
            forged_facts_are_refused(&program, &mut Random::new(seed));
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
