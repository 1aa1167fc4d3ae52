//! Is what a witness says of a state an expression that changes nothing? One that does something would make another program of the
//! one that it is about.

/// Words that begin a type in parentheses: a cast.
const TYPES: [&str; 14] = [
    "int", "long", "short", "char", "unsigned", "signed", "_Bool", "bool", "float", "double", "struct", "union",
    "enum", "const",
];

/// Why an expression is not taken over, as a clause; nothing if it is.
pub fn check(expression: &str) -> Result<(), String> {
    let refused = |what: &str| Err(format!("`{expression}` {what}"));
    if expression.contains(['{', '}', ';', '"', '#']) || expression.contains("//") || expression.contains("/*") {
        return refused("is not one expression");
    }
    if expression.contains("++") || expression.contains("--") || assigns(expression.as_bytes()) {
        return refused("changes the state");
    }
    // What is inside each open parenthesis so far, and the word before it.
    let (mut open, mut before, mut closed): (Vec<usize>, &str, Option<&str>) = (Vec::new(), "", None);
    let mut at = 0;
    while let Some(next) = expression[at..].chars().next() {
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let end = at + if is_word(next) { word_length(&expression[at..]) } else { next.len_utf8() };
        match next {
            '(' => {
                let is_cast = closed.is_some_and(is_type);
                if (closed.is_some() && !is_cast) || is_called(before) {
                    return refused("calls a function");
                }
                open.push(end);
            }
            ')' => match open.pop() {
                Some(start) => closed = Some(&expression[start..at]),
                None => return refused("closes more than it opens"),
            },
            _ => {}
        }
        if !next.is_whitespace() {
            before = &expression[at..end];
            closed = closed.filter(|_| next == ')');
        }
        at = end;
    }
    if open.is_empty() { Ok(()) } else { refused("opens more than it closes") }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len())
}

/// Is a parenthesis behind this word, or behind an index, a call?
fn is_called(before: &str) -> bool {
    let is_name = before.starts_with(|c: char| c == '_' || c.is_alphabetic());
    before == "]" || (is_name && before != "sizeof")
}

fn is_type(inside: &str) -> bool {
    let first = inside.split_whitespace().next().unwrap_or_default().trim_end_matches('*');
    TYPES.contains(&first) || first.ends_with("_t")
}

/// Is there a `=` that compares nothing?
fn assigns(text: &[u8]) -> bool {
    let at = |place: Option<usize>| place.and_then(|place| text.get(place)).copied().unwrap_or(b' ');
    (0..text.len()).filter(|&place| text[place] == b'=').any(|place| {
        let (first, second) = (at(place.checked_sub(1)), at(place.checked_sub(2)));
        let compares = match first {
            b'=' | b'!' => true,
            b'<' | b'>' => second != first,
            _ => at(Some(place + 1)) == b'=',
        };
        !compares
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn expressions_that_change_nothing_are_taken_over() {
        let plain = ["x == 5", "a[i] <= (int)(b) && !(p->q != 3)", "(uint32_t)(x) >= 2u", "'a' == c", "sizeof(x) > 1"];
        for plain in plain.into_iter().chain(["(x + 1) * (y)", "x << 2 >= y >> 1", "a - -b > 0", "\\result == 7", "1"])
        {
            assert_eq!(check(plain), Ok(()), "{plain}");
        }
    }

    #[test]
    fn others_are_not() {
        let active =
            ["(x = 5) == 5", "x += 1", "x <<= 1", "x >>= 1", "x++", "--x", "f()", "f (x)", "(f)(1)", "a[0](1)"];
        let broken = ["1; x", "1) || (1", "(x", "({ x; })", "1 // x", "1 /* x", "exit(0), 1", "x =5", "x= 5"];
        for active in active.into_iter().chain(broken) {
            assert!(check(active).is_err(), "{active}");
        }
    }
}
