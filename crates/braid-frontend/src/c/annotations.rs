//! Assertions in comments, as ACSL writes them: `//@ assert x >= 0;`.
//!
//! They become statements before the preprocessor drops all comments. Invariant: nothing else moves, so every place in the text
//! stays where it is.

use std::borrow::Cow;

const MARK: &str = "//@ assert ";

/// The text with its assertions as statements.
pub fn as_statements(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<String> = text.split('\n').map(line).collect();
    Cow::Owned(lines.join("\n"))
}

fn line(line: &str) -> String {
    let statement = || {
        let (before, after) = line.split_once(MARK)?;
        let (formula, rest) = after.split_once(';')?;
        // ACSL's logic has constants of its own. Other operators of it are no C, and are rejected as such.
        let formula = formula.replace("\\true", " 1   ").replace("\\false", " 0    ");
        before.trim().is_empty().then(|| format!("{before}   assert({formula});{rest}"))
    };
    statement().unwrap_or_else(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_keeps_its_place() {
        let text = "int x;\n  //@ assert x == \\false;\nreturn; // no //@ assert x;\n";
        let changed = as_statements(text);
        assert_eq!(changed, "int x;\n     assert(x ==  0    );\nreturn; // no //@ assert x;\n");
        assert_eq!(changed.len(), text.len());
    }
}
