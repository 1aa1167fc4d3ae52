//! Random small concurrent programs as text. The generator spends a list of numbers, so that proptest shrinks programs by
//! shrinking numbers: 0, and what comes when the list is used up, is always the simplest alternative.

use braid_testkit::Choices;
use std::fmt::Write;

/// What a thread does in one step: actions that commute always, by their meaning only, in one direction or never.
const STEPS: [&str; 14] = [
    "(set! x (+ x 1))",
    "(set! y (+ y 1))",
    "(set! x (+ x 2))",
    "(set! y x)",
    "(set! z 1)",
    "(set! z 0)",
    "(assume (= x 0))",
    "(assume (<= y 1))",
    "(havoc! z)",
    "(assert (= y 0))",
    "(assert (<= x 1))",
    "(set! u (+ u 1))",
    "(set! v u)",
    "(set! v (+ v 1))",
];

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    /// Steps that may still be made.
    budget: usize,
}

/// A program out of numbers.
pub fn program(numbers: &[u8]) -> String {
    let mut generator = Generator { choices: Choices::new(numbers), text: String::new(), budget: 7 };
    generator.text.push_str("(var x y z u v Int)\n");
    for name in ["first", "second"] {
        let _ = write!(generator.text, "(proc {name} () ()");
        generator.step();
        if generator.below(3) == 2 {
            generator.step();
        }
        // The second may start and wait for the first.
        if name == "second" && generator.below(3) == 2 {
            generator.text.push_str(" (fork 1 first)");
            if generator.below(2) == 1 {
                generator.text.push_str(" (join () 1)");
            }
        }
        generator.text.push_str(")\n");
    }
    generator.block(2, 2);
    generator.text
}

impl Generator<'_> {
    /// One of `0 .. count`.
    fn below(&mut self, count: usize) -> usize {
        self.choices.below(count)
    }

    fn step(&mut self) {
        let step = STEPS[self.below(STEPS.len())];
        let _ = write!(self.text, " {step}");
    }

    fn block(&mut self, most: usize, depth: usize) {
        for _ in 0..=self.below(most) {
            self.stmt(depth);
        }
    }

    /// A list of statements behind a word.
    fn list(&mut self, word: &str, count: usize, mut item: impl FnMut(&mut Self)) {
        let _ = write!(self.text, " ({word}");
        for _ in 0..count {
            item(self);
        }
        self.text.push(')');
    }

    fn stmt(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let inner = depth.saturating_sub(1);
        match if depth == 0 { self.below(3) } else { self.below(13) } {
            0..=2 => self.step(),
            3..=6 => {
                let count = 2 + self.below(2);
                self.list("par", count, |g| g.list("seq", 1, |g| g.block(2, inner)));
            }
            7 => self.list("cond", 2, |g| g.list("seq", 1, |g| g.block(2, inner))),
            8 => self.list("loop", 1, |g| g.stmt(inner)),
            9 | 10 => {
                let name = ["first", "second"][self.below(2)];
                let identity = 1 + self.below(2);
                let _ = write!(self.text, " (fork {identity} {name})");
            }
            _ => {
                let identity = 1 + self.below(2);
                let _ = write!(self.text, " (join () {identity})");
            }
        }
    }
}
