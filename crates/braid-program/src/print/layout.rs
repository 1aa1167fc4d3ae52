//! S-expressions laid out on lines: flat where they fit, else broken behind their head with the rest indented.

use std::fmt::Write;

/// Where lines should end.
const WIDTH: usize = 100;
/// The width of something that is never put on one line.
const UNFIT: usize = 1 << 20;
const INDENT: usize = 4;

/// Text to be laid out.
pub(super) struct Doc {
    shape: Shape,
    /// The columns that it takes on one line.
    width: usize,
}

enum Shape {
    Atom(String),
    /// Items, and how many of them stand on the first line in any case.
    List(Vec<Doc>, usize),
}

impl Doc {
    pub(super) fn atom(text: impl Into<String>) -> Doc {
        let text = text.into();
        Doc { width: text.chars().count(), shape: Shape::Atom(text) }
    }

    /// A list that is broken behind its first item if it must be.
    pub(super) fn list(items: Vec<Doc>) -> Doc {
        Doc::block(items, Vec::new(), 1)
    }

    /// A list of which the head items stay together; it goes on one line if it has fewer than `broken_from` body items.
    pub(super) fn block(head: Vec<Doc>, body: Vec<Doc>, broken_from: usize) -> Doc {
        let kept = if body.is_empty() { 1 } else { head.len() };
        let broken = !body.is_empty() && body.len() >= broken_from;
        let items: Vec<Doc> = head.into_iter().chain(body).collect();
        let width = items.iter().map(|item| item.width + 1).sum::<usize>().max(1) + 1;
        let width = if broken { width + UNFIT } else { width };
        Doc { shape: Shape::List(items, kept), width: width.min(2 * UNFIT) }
    }

    /// The text, with a line break at its end.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    /// Writes the text with its first line starting at a column and the others indented from there.
    fn write(&self, out: &mut String, column: usize) {
        match &self.shape {
            Shape::Atom(text) => out.push_str(text),
            Shape::List(items, kept) => {
                let flat = column + self.width <= WIDTH;
                out.push('(');
                for (number, item) in items.iter().enumerate() {
                    let inner = column + INDENT;
                    if number > 0 && (flat || number < *kept) {
                        out.push(' ');
                    } else if number > 0 {
                        let _ = write!(out, "\n{:inner$}", "");
                    }
                    item.write(out, inner);
                }
                out.push(')');
            }
        }
    }
}
