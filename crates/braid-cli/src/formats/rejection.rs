//! What is wrong with an input, out of what people are told: `file:line:col: error: …`, the line, carets, and a hint.
//!
//! Another process said it, or a part of this one that knows no formats; so the text is all there is.

use crate::story::Place;

/// One error of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// Where it is, if that was said.
    pub place: Option<Place>,
    pub message: String,
    pub hint: Option<String>,
}

/// The errors in a message, in order. A message in another form is one error without a place.
pub fn rejections(message: &str) -> Vec<Rejection> {
    let mut found: Vec<Rejection> = Vec::new();
    for line in message.lines() {
        if let Some((place, message)) = headline(line) {
            found.push(Rejection { place: Some(place), message: message.to_owned(), hint: None });
        } else if let Some(last) = found.last_mut() {
            let carets = line.trim_matches(' ');
            if let Some(hint) = line.strip_prefix("hint: ") {
                last.hint = Some(hint.to_owned());
            } else if let (false, true, Some(place)) =
                (carets.is_empty(), carets.bytes().all(|c| c == b'^'), &mut last.place)
            {
                place.end_column = place.column + carets.len();
            }
        }
    }
    if found.is_empty() && !message.trim().is_empty() {
        let (text, hint) = message.trim_end().split_once("\nhint: ").unzip();
        let text = text.unwrap_or(message.trim_end());
        let text = text.strip_prefix("error: ").unwrap_or(text).to_owned();
        found.push(Rejection { place: None, message: text, hint: hint.map(str::to_owned) });
    }
    found
}

/// The place and the message of a line that begins an error.
fn headline(line: &str) -> Option<(Place, &str)> {
    let (place, message) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
    let (rest, column) = place.rsplit_once(':')?;
    let (file, number) = rest.rsplit_once(':')?;
    let (line, column) = (number.parse().ok()?, column.parse().ok()?);
    Some((Place { file: file.to_owned(), line, column, end_line: line, end_column: column }, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, expected: &[(&str, &str, Option<&str>)]) {
        let found = rejections(message);
        let place = |place: &Place| format!("{}:{}:{}-{}", place.file, place.line, place.column, place.end_column);
        let found: Vec<(String, &str, Option<&str>)> = found
            .iter()
            .map(|one| (one.place.as_ref().map(place).unwrap_or_default(), one.message.as_str(), one.hint.as_deref()))
            .collect();
        let found: Vec<(&str, &str, Option<&str>)> = found.iter().map(|(a, b, c)| (a.as_str(), *b, *c)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_with_places() {
        check(
            "a b.c:1:26: error: `;` stands there\n  int x = ;\n          ^^\nhint: remove it\nc.h:3:1: error: no\n",
            &[("a b.c:1:26-28", "`;` stands there", Some("remove it")), ("c.h:3:1-1", "no", None)],
        );
    }

    #[test]
    fn errors_without() {
        check("none.c: there is no such file", &[("", "none.c: there is no such file", None)]);
        check("error: no\nhint: do this\n", &[("", "no", Some("do this"))]);
        check("  \n", &[]);
    }
}
