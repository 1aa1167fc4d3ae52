//! "Did you mean …?": the known word that is nearest to an unknown one.

/// Longer words than this are not compared.
const LONGEST: usize = 60;

/// The nearest of the known words, if it is near enough to be what was meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let limit = match length {
        0 | LONGEST.. => return None,
        1..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit && *candidate != word)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < length.max(candidate.chars().count()))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of characters to insert, drop, replace or swap with a neighbour, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let check = |word, expected| assert_eq!(nearest(word, ["counter", "flag", "x", "y"]), expected, "{word}");
        check("conuter", Some("counter"));
        check("Counter", Some("counter"));
        check("flog", Some("flag"));
        check("x1", Some("x"));
        check("z", None);
        check("something", None);
        check("", None);
    }
}
