//! How much `replicate` may multiply a program: it is written out, so its limits are limits on size.

/// How many copies one `replicate` may make.
pub(super) const MOST_COPIES: usize = 1_000;
/// How many statements all copies together may have.
const MOST_STATEMENTS: usize = 100_000;
/// How many parts the expressions of all copies together may have.
const MOST_EXPRESSIONS: usize = 1_000_000;

/// What has been copied up to now.
#[derive(Default)]
pub(super) struct Copies {
    /// How many `replicate`s are around this place.
    depth: usize,
    statements: usize,
    expressions: usize,
}

impl Copies {
    pub(super) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts a statement.
    pub(super) fn statement(&mut self) {
        self.statements += usize::from(self.depth > 0);
    }

    /// Counts a part of an expression.
    pub(super) fn expression(&mut self) {
        self.expressions += usize::from(self.depth > 0);
    }

    /// Why no more can be copied.
    pub(super) fn exceeded(&self) -> Option<&'static str> {
        if self.statements > MOST_STATEMENTS {
            return Some("the copies have more than 100,000 statements in total");
        }
        (self.expressions > MOST_EXPRESSIONS).then_some("the expressions of the copies have more than 1,000,000 parts")
    }
}
