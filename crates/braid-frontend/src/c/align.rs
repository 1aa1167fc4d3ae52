//! Where the tokens of a piece of preprocessed text stand in the line that it comes from.
//!
//! What both have in the same order is where it was: the best common subsequence of the two lists of tokens. What a macro has made up
//! stands where the line has something else instead: its name, with its arguments.

use std::ops::Range;

/// A larger table is not filled: every token is then taken to be made up.
const MOST: usize = 1 << 20;

/// The bytes of the line for the tokens of a piece.
pub struct Alignment {
    /// The tokens of the piece, each with its place in the line; in order.
    tokens: Vec<(Range<usize>, Range<usize>)>,
    /// The end of what was found last in the line.
    pub end: usize,
}

impl Alignment {
    /// Aligns a piece with a line from a byte on. What a macro makes up stands at `made_up` where the line has nothing else.
    pub fn new(piece: &str, line: &str, from: usize, made_up: &Range<usize>) -> Alignment {
        let rest = line.get(from..).unwrap_or_default();
        let (ours, theirs) = (tokens(piece), tokens(rest));
        let pairs = common(piece, &ours, rest, &theirs);
        let is_name = |number: &usize| starts_name(&rest[theirs[*number].clone()]);
        let mut places: Vec<Option<Range<usize>>> = Vec::with_capacity(ours.len());
        // The token of the line after the last one that was found, and the last name that was left out.
        let (mut next_free, mut called) = (0, None);
        for number in 0..ours.len() {
            let after = pairs.get(pairs.partition_point(|&(own, _)| own < number));
            let until = after.map_or(theirs.len(), |&(_, other)| other);
            called = (next_free..until).find(is_name).or(called);
            match after {
                Some(&(own, other)) if own == number => {
                    next_free = other + 1;
                    places.push(Some(theirs[other].clone()));
                }
                _ => places.push(called.and_then(|name| instead(rest, &theirs[name..]))),
            }
        }
        let end = pairs.last().map_or(from, |&(_, other)| from + theirs[other].end);
        let place = |place: Option<Range<usize>>| match place {
            Some(place) => from + place.start..from + place.end,
            None => made_up.clone(),
        };
        let tokens = ours.into_iter().zip(places).map(|(own, other)| (own, place(other))).collect();
        Alignment { tokens, end }
    }

    /// The place in the line of some bytes of the piece.
    pub fn place(&self, bytes: Range<usize>) -> Option<Range<usize>> {
        let first = self.tokens.partition_point(|(own, _)| own.end <= bytes.start);
        let inside = self.tokens[first..].iter().take_while(|(own, _)| own.start < bytes.end.max(bytes.start + 1));
        inside.map(|(_, place)| place.clone()).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
    }
}

/// The first word of some tokens of a line, with what follows in parentheses.
pub fn instead(line: &str, tokens: &[Range<usize>]) -> Option<Range<usize>> {
    let at = tokens.iter().position(|token| starts_name(&line[token.clone()]))?;
    let mut end = tokens[at].end;
    let mut depth = 0usize;
    for token in &tokens[at + 1..] {
        match &line[token.clone()] {
            "(" => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
        if depth == 0 {
            end = token.end;
            break;
        }
    }
    Some(tokens[at].start..end)
}

/// Does a token of a line start a name?
pub fn starts_name(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// Words, strings and single marks; no comments.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte == b'_' || byte == b'$' || byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes[at..].starts_with(b"//") => break,
            b'/' if bytes[at..].starts_with(b"/*") => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + end + 4);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            byte if is_word(byte) => at += bytes[at..].iter().take_while(|&&byte| is_word(byte)).count(),
            _ => at += 1,
        }
        // A backslash may stand before a letter of several bytes.
        while !text.is_char_boundary(at) {
            at += 1;
        }
        found.push(start..at);
    }
    found
}

/// The best common subsequence, as pairs of numbers of tokens: two points for each pair, one less for each token of the line that is
/// left out before the last pair. So a piece stays where the one before it ended, but for the macros that it calls.
fn common(a: &str, ours: &[Range<usize>], b: &str, theirs: &[Range<usize>]) -> Vec<(usize, usize)> {
    let (rows, columns) = (ours.len() + 1, theirs.len() + 1);
    if rows.saturating_mul(columns) > MOST {
        return Vec::new();
    }
    let mut best = vec![0i32; rows * columns];
    let same = |i: usize, j: usize| a[ours[i].clone()] == b[theirs[j].clone()];
    let taken = |best: &[i32], i: usize, j: usize| if same(i, j) { 2 + best[(i + 1) * columns + j + 1] } else { 0 };
    for i in (0..ours.len()).rev() {
        for j in (0..theirs.len()).rev() {
            let skip = best[(i + 1) * columns + j].max(best[i * columns + j + 1] - 1);
            best[i * columns + j] = skip.max(taken(&best, i, j)).max(0);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < ours.len() && j < theirs.len() && best[i * columns + j] > 0 {
        let value = best[i * columns + j];
        if value == taken(&best, i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if value == best[(i + 1) * columns + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the line for each token of a piece.
    fn check(piece: &str, line: &str, expected: &[&str]) {
        let alignment = Alignment::new(piece, line, 0, &(0..line.len()));
        let places: Vec<&str> = tokens(piece).into_iter().map(|t| &line[alignment.place(t).unwrap()]).collect();
        assert_eq!(places, expected, "{piece}");
    }

    #[test]
    fn what_both_have_is_where_it_was() {
        check(
            "x = ((void *)0);",
            "x = NULL;",
            &["x", "=", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", ";"],
        );
        check("x = (0); f(y);", "x = ZERO; f(y);", &["x", "=", "ZERO", "ZERO", "ZERO", ";", "f", "(", "y", ")", ";"]);
        check("a ( b + 1 ) ;", "a INC(b);", &["a", "(", "b", "INC(b)", "INC(b)", ")", ";"]);
        check("+ 1", "ADD", &["ADD", "ADD"]);
        check("x ( y )", "x /* ( */ ADD // y", &["x", "ADD", "ADD", "ADD"]);
        check("é \"\\é\" x", "é y x", &["é", "y", "x"]);
    }
}
