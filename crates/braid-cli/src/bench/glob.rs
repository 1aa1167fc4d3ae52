//! Patterns of file names, as `.set` files have them: `*`, `?` and `[…]` within a part of a path.

use std::fs;
use std::path::{Path, PathBuf};

/// The files that a pattern below a folder means, sorted. A pattern without wildcards means its file, whether it is there or not.
pub fn files(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_owned() }];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        found = match part.contains(['*', '?', '[']) {
            false => found.into_iter().map(|path| path.join(part)).collect(),
            true => found.iter().flat_map(|path| entries(path, part)).collect(),
        };
    }
    if pattern.contains(['*', '?', '[']) {
        found.retain(|path| path.is_file());
    }
    found.sort();
    found
}

/// The entries of a folder that a part of a pattern means. Hidden ones only if it says so.
fn entries(folder: &Path, part: &str) -> Vec<PathBuf> {
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(shown).into_iter().flatten().flatten().map(|entry| entry.file_name());
    names
        .filter(|name| {
            let name = name.to_string_lossy();
            (part.starts_with('.') || !name.starts_with('.')) && matches(part, &name)
        })
        .map(|name| folder.join(name))
        .collect()
}

/// Is a name one that a pattern means?
fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Where to go on if the last star must take one more character.
    let (mut p, mut n, mut star) = (0, 0, None::<(usize, usize)>);
    loop {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
            continue;
        }
        if p == pattern.len() && n == name.len() {
            return true;
        }
        let one = name.get(n).and_then(|&c| one(&pattern[p..], c));
        match (one, star) {
            (Some(length), _) => {
                p += length;
                n += 1;
            }
            (None, Some((place, taken))) if taken < name.len() => {
                star = Some((place, taken + 1));
                p = place + 1;
                n = taken + 1;
            }
            (None, _) => return false,
        }
    }
}

/// If the first element of a pattern means a character: the length of that element.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => {
            // A bracket right after the opening one means itself.
            let negated = matches!(rest.first(), Some('!' | '^'));
            let start = usize::from(negated);
            let Some(length) = rest.iter().skip(start + 1).position(|&c| c == ']') else {
                return (c == '[').then_some(1);
            };
            let set = &rest[start..start + 1 + length];
            (in_set(set, c) != negated).then_some(start + length + 3)
        }
        [first, ..] => (*first == c).then_some(1),
        [] => None,
    }
}

fn in_set(set: &[char], c: char) -> bool {
    match set {
        [low, '-', high, rest @ ..] => (*low <= c && c <= *high) || in_set(rest, c),
        [first, rest @ ..] => *first == c || in_set(rest, c),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let check = |pattern: &str, yes: &[&str], no: &[&str]| {
            yes.iter().for_each(|name| assert!(matches(pattern, name), "{pattern} {name}"));
            no.iter().for_each(|name| assert!(!matches(pattern, name), "{pattern} {name}"));
        };
        check("*.yml", &[".yml", "a.yml", "a.b.yml"], &["a.yaml", "a.yml2", ""]);
        check("*-b*c", &["-bc", "a-b-bc", "a-bxc"], &["a-b", "abc", "-bcx"]);
        check("a?c", &["abc", "aüc"], &["ac", "abbc"]);
        check("race-[13]_*", &["race-1_x", "race-3_"], &["race-2_x"]);
        check("[a-c][!0-9]", &["ab", "cx"], &["a1", "dx"]);
        check("[]x]", &["]", "x"], &["["]);
        check("[", &["["], &["x"]);
        check("**", &["", "abc"], &[]);
    }

    #[test]
    fn files_below_a_folder() {
        let folder = std::env::temp_dir().join(format!("braid-glob-{}", std::process::id()));
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::create_dir_all(folder.join("b/sub.c")).unwrap();
        for file in ["a/1.c", "a/2.c", "a/.3.c", "b/1.c", "b/1.h"] {
            fs::write(folder.join(file), "").unwrap();
        }
        let check = |pattern: &str, expected: &[&str]| {
            let found = files(&folder, pattern);
            assert_eq!(found, expected.iter().map(|file| folder.join(file)).collect::<Vec<_>>(), "{pattern}");
        };
        check("a/*.c", &["a/1.c", "a/2.c"]);
        check("*/*.c", &["a/1.c", "a/2.c", "b/1.c"]);
        check("./b/*", &["./b/1.c", "./b/1.h"]);
        check("none/*.c", &[]);
        check("none/1.c", &["none/1.c"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
