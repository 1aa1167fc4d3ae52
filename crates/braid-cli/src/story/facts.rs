//! Facts as they are said, without what others say already.

/// The cases that no other one covers: what says more than another case adds nothing to "one of them holds".
pub fn weakest(mut cases: Vec<Vec<String>>) -> Vec<Vec<String>> {
    cases.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut kept: Vec<Vec<String>> = Vec::new();
    for case in cases {
        if !kept.iter().any(|weaker| weaker.iter().all(|fact| case.contains(fact))) {
            kept.push(case);
        }
    }
    kept
}

/// A fact that bounds something: what, whether from above, and by what.
fn bound(fact: &str) -> Option<(&str, bool, i128)> {
    let below = fact.contains(" <= ") || fact.contains(" ≤ ");
    let (what, limit) = [" <= ", " ≤ ", " >= ", " ≥ "].iter().find_map(|sign| fact.split_once(sign))?;
    Some((what, below, limit.parse().ok()?))
}

/// Facts without what bounds of others imply: of `x >= 0` and `x >= -5` the first is enough, and `x <= 4 or x >= 9` is `x <= 4` beside `x <= 8`.
pub fn strongest(facts: &[String]) -> Vec<String> {
    let bounds: Vec<_> = facts.iter().filter_map(|fact| bound(fact)).collect();
    let is_implied = |fact: &str| {
        bound(fact).is_some_and(|(what, below, limit)| {
            bounds.iter().any(|&(other, also, stronger)| {
                other == what && also == below && if below { stronger < limit } else { stronger > limit }
            })
        })
    };
    let is_excluded = |case: &str| {
        bound(case).is_some_and(|(what, below, limit)| {
            bounds.iter().any(|&(other, also, opposite)| {
                other == what && also != below && if below { opposite > limit } else { opposite < limit }
            })
        })
    };
    let mut kept: Vec<String> = Vec::new();
    for fact in facts.iter().filter(|fact| !is_implied(fact)) {
        let sign = if fact.contains(" or ") || fact.contains(['(', ')']) { " or " } else { " || " };
        let cases: Vec<&str> = fact.split(sign).filter(|case| !is_excluded(case)).collect();
        // Bounds that exclude each other hold where nobody comes.
        let told = if cases.is_empty() { fact.clone() } else { cases.join(sign) };
        if !kept.contains(&told) && (cases.len() != 1 || !is_implied(&told)) {
            kept.push(told);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_imply_is_not_said() {
        let facts = ["x >= 0", "y <= 3", "x >= -5", "x <= 9", "y <= 4", "x == 1"].map(str::to_owned);
        assert_eq!(strongest(&facts), ["x >= 0", "y <= 3", "x <= 9", "x == 1"]);
        let facts =
            ["x <= 4 or x >= 9 or m is held", "x <= 8", "x <= 7 || x >= 9", "x >= 9 || x == y"].map(str::to_owned);
        assert_eq!(strongest(&facts), ["x <= 4 or m is held", "x <= 8", "x <= 7", "x == y"]);
    }
}
