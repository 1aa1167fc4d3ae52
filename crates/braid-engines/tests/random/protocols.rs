//! Random small protocols as text: locks, counters and flags whose steps commute only under what a proof knows. Numbers
//! are spent as in `generator`.

use braid_testkit::Choices;
use std::fmt::Write;

/// What a thread does in one step, with a number of its own in place of `#`. The counter's `enter` and `exit` are those of paper 1, section 2.
const STEPS: [&str; 28] = [
    "(set! n (+ n 1))",
    "(atomic (set! n (- n 1)) (set! e (or e (= n 0))))",
    "(assert (not e))",
    "(assume (not s))",
    "(set! s true)",
    "(assume e)",
    "(assert (>= n 1))",
    "(set! d (+ d 1))",
    "(assert (<= d 1))",
    "(set! d n)",
    "(set! a (store a n 1))",
    "(set! a (store a 1 2))",
    "(assert (<= (select a 1) 1))",
    "(set! d (select a n))",
    "(havoc! s)",
    "(atomic (assume (> n 0)) (set! n (- n 1)))",
    "(set! (d n) (n d))",
    "(atomic (havoc! d) (assume (and (<= 0 d) (<= d n) (<= n 2))))",
    "(set! d 1)",
    "(set! n (* n 2))",
    "(assume (= d 1))",
    "(assume (<= n 1))",
    "(assert e)",
    "(assert (/= n d))",
    "(set! d #)",
    "(set! n #)",
    "(assume (= d #))",
    "(assert (<= d #))",
];

/// What a proof may start with: more facts that actions can commute under.
const SEEDS: [&str; 10] = [
    "(>= n 2)",
    "(>= n 1)",
    "(<= n 1)",
    "(= n 2)",
    "(= d 0)",
    "(<= d n)",
    "(not e)",
    "e",
    "(not l)",
    "(= (select a 1) 0)",
];

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    /// The steps that the program is made of, by number.
    palette: Vec<usize>,
    /// Statements that may still be made.
    budget: usize,
}

/// A protocol out of numbers.
pub fn protocol(numbers: &[u8]) -> String {
    let palette = (0..STEPS.len()).collect();
    let mut generator = Generator { choices: Choices::new(numbers), text: String::new(), palette, budget: 10 };
    generator.text.push_str("(var n d Int) (var e s l Bool) (var a (Array Int Int))\n");
    // Few different steps meet more often.
    if generator.below(2) == 1 {
        generator.palette = (0..4).map(|_| generator.below(STEPS.len())).collect();
    }
    for _ in 0..generator.below(4) {
        let seed = SEEDS[generator.below(SEEDS.len())];
        let _ = writeln!(generator.text, "(use {seed})");
    }
    let nesting = generator.below(3);
    generator.text.push_str("(proc work () ()");
    generator.block(2, 0);
    generator.text.push_str(")\n(assume (and (= d 0) (not e) (not s) (not l)");
    let first = 1 + generator.below(2);
    let _ = write!(generator.text, " (= n {first})");
    (0..=4).for_each(|cell| write!(generator.text, " (= (select a {cell}) 0)").expect("writing to a string works"));
    generator.text.push_str("))\n");
    let forks = generator.below(4).saturating_sub(1);
    (0..forks).for_each(|number| write!(generator.text, "(fork {number} work) ").expect("writing to a string works"));
    let threads = 2 + generator.below(2);
    generator.list("par", threads, |g| {
        let start = g.text.len();
        g.list("seq", 1, |g| g.block(3, nesting));
        // Threads that do the same can be exchanged, and sometimes those that do the same with different numbers.
        let copy = g.text[start..].to_owned();
        (0..g.below(6).saturating_sub(3)).for_each(|number| g.text.push_str(&copy.replace('#', &number.to_string())));
    });
    if forks > 0 && generator.below(2) == 1 {
        generator.text.push_str(" (join () 0)");
    }
    generator.step();
    generator.text.replace('#', "1")
}

impl Generator<'_> {
    /// One of `0 .. count`.
    fn below(&mut self, count: usize) -> usize {
        self.choices.below(count)
    }

    fn step(&mut self) {
        let number = self.below(self.palette.len());
        let _ = write!(self.text, " {}", STEPS[self.palette[number]]);
    }

    fn block(&mut self, most: usize, depth: usize) {
        for _ in 0..=self.below(most) {
            self.stmt(depth);
        }
    }

    /// A list of statements behind a word.
    fn list(&mut self, word: &str, count: usize, mut item: impl FnMut(&mut Self)) {
        let _ = write!(self.text, " ({word}");
        (0..count).for_each(|_| item(self));
        self.text.push(')');
    }

    fn stmt(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let inner = depth.saturating_sub(1);
        match if depth == 0 { self.below(4) } else { self.below(9) } {
            0..=3 => self.step(),
            4 | 5 => {
                self.text.push_str(" (atomic (assume (not l)) (set! l true))");
                self.block(2, inner);
                self.text.push_str(" (set! l false)");
            }
            6 => self.list("loop", 1, |g| g.block(2, inner)),
            7 => self.list("cond", 2, |g| g.list("seq", 1, |g| g.block(1, inner))),
            _ => self.list("par", 2, |g| g.list("seq", 1, |g| g.block(2, inner))),
        }
    }
}
