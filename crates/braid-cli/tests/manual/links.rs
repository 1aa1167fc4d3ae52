//! Links of a page.

use crate::{read, root};
use std::path::Path;

/// What is wrong with the links of a page.
pub fn check(page: &str) -> Vec<String> {
    let text = read(page);
    let folder = Path::new(page).parent().expect("a page is in a folder");
    let mut failures = Vec::new();
    for (line, link) in targets(&text) {
        if link.contains("://") {
            continue;
        }
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() { Path::new(page).to_owned() } else { folder.join(file) };
        if !root().join(&target).exists() {
            failures.push(format!("{page}:{line}: {link} is not there"));
        } else if !heading.is_empty() && !headings(&read(&target.to_string_lossy())).contains(&heading.to_owned()) {
            failures.push(format!("{page}:{line}: {link} has no such heading"));
        }
    }
    failures
}

/// The targets of all links, with the numbers of their lines. Blocks have none.
pub fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut targets = Vec::new();
    let mut in_block = false;
    for (number, line) in text.lines().enumerate() {
        in_block ^= line.starts_with("```");
        if !in_block {
            let starts = line.match_indices("](").map(|(start, _)| &line[start + 2..]);
            targets.extend(starts.filter_map(|rest| Some((number + 1, rest.split_once(')')?.0))));
        }
    }
    targets
}

/// The names of headings, as links have them.
fn headings(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let name = |line: &str| {
        let kept = line.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    headings.map(name).collect()
}

#[test]
fn names_of_headings() {
    assert_eq!(headings("# `gem`: a proof\n\n## In `auto`"), ["gem-a-proof", "in-auto"]);
}
