//! Commands of a page, and what they say.

use crate::block::{Block, blocks};
use crate::{read, root};
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Engines work side by side, and the first answer counts: another time it can be that of another one. So a command is tried again if it
/// says something else.
const TRIES: usize = 4;

/// What a page shows: a command, and what follows it up to the next one.
struct Shown<'a> {
    command: &'a str,
    line: usize,
    output: &'a [String],
}

/// What is wrong with the commands of a page.
pub fn check(page: &str) -> Vec<String> {
    let text = read(page);
    let blocks: Vec<Block> = blocks(&text).into_iter().filter(|block| block.info == "console").collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let folder = folder(page);
    let (mut failures, mut updates) = (Vec::new(), Vec::new());
    for shown in blocks.iter().flat_map(shown) {
        let mut found = run(shown.command, &folder);
        for _ in 1..TRIES {
            if !matches(shown.output, &found) {
                found = run(shown.command, &folder);
            }
        }
        if matches(shown.output, &found) {
            continue;
        }
        if env::var_os("UPDATE_EXPECT").is_some()
            && let Some(update) = updated(shown.output, &found)
        {
            updates.push((shown.line..shown.line + shown.output.len(), update));
            continue;
        }
        let expected = shown.output.join("\n");
        let (line, command, found) = (shown.line, shown.command, found.join("\n"));
        failures.push(format!("{page}:{line}: $ {command}\n--- the page has\n{expected}\n--- it says\n{found}"));
    }
    if !updates.is_empty() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (place, found) in updates.into_iter().rev() {
            lines.splice(place, found);
        }
        fs::write(root().join(page), lines.join("\n") + "\n").expect("the page can be written");
    }
    failures
}

fn shown(block: &Block) -> Vec<Shown<'_>> {
    let is_command = |line: &String| line.starts_with("$ ");
    assert!(block.lines.first().is_none_or(is_command), "line {}: no command before the output", block.first_line);
    let starts = (0..block.lines.len()).filter(|&number| is_command(&block.lines[number]));
    let part = |start: usize| {
        let rest = &block.lines[start + 1..];
        let length = rest.iter().position(is_command).unwrap_or(rest.len());
        Shown { command: &block.lines[start][2..], line: block.first_line + start, output: &rest[..length] }
    };
    starts.map(part).collect()
}

/// A folder for the files of a page's commands, in which the project's own are found by their names.
fn folder(page: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual").join(page.replace(['/', '.'], "-"));
    // What an earlier run has left would be found.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for files");
    for name in ["contrib", "crates", "docs", "examples", "scripts"] {
        symlink(root().join(name), folder.join(name)).expect("a link can be made");
    }
    folder
}

/// What a command says, with both streams in one.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let programs = Path::new(env!("CARGO_BIN_EXE_braid")).parent().expect("a folder").to_owned();
    let paths = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&paths))).expect("plain names");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec 2>&1; {command}")).current_dir(folder).env("PATH", path).env("TERM", "dumb");
    // The width of a page, whoever runs the test.
    shell.env_remove("COLUMNS").stdin(Stdio::null());
    let output = shell.output().expect("the shell runs");
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Is this the output that a page shows?
fn matches(shown: &[String], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((line, rest)) if line.trim() == "…" => (0..=found.len()).any(|skipped| matches(rest, &found[skipped..])),
        Some((line, rest)) => {
            found.split_first().is_some_and(|(first, found)| fits(line.trim_end(), first) && matches(rest, found))
        }
    }
}

/// What a page is to show now. What it leaves out at one place stays out: between the last line that stands before it and what follows.
fn updated(shown: &[String], found: &[String]) -> Option<Vec<String>> {
    let dots: Vec<usize> = (0..shown.len()).filter(|&line| shown[line].trim() == "…").collect();
    match dots[..] {
        [] => Some(found.to_owned()),
        [dots] => {
            let (start, end) = (&shown[..dots], &shown[dots..]);
            let said = start.iter().rposition(|line| !line.is_empty())?;
            let kept = found.iter().rposition(|line| fits(&start[said], line))? + 1;
            let now = [&found[..kept], &start[said + 1..], end].concat();
            matches(&now, found).then_some(now)
        }
        _ => None,
    }
}

/// What engines count, by the words after the numbers.
const COUNTED: [&str; 5] = ["assertions", "facts", "reachable", "abstract", "places"];

/// A line without the numbers that a change of an engine changes: how much a proof took.
fn uncounted(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit());
    let counts = |at: usize| words.get(at + 1).is_some_and(|next| COUNTED.contains(next));
    let word =
        |(at, word): (usize, &&str)| if is_number(word) && counts(at) { "N".to_owned() } else { (*word).to_owned() };
    words.iter().enumerate().map(word).collect::<Vec<String>>().join(" ")
}

/// Is this the line that a page shows?
fn fits(shown: &str, found: &str) -> bool {
    fits_exactly(&uncounted(shown), &uncounted(found))
}

fn fits_exactly(shown: &str, found: &str) -> bool {
    match shown.split_once('…') {
        None => shown == found,
        Some((start, rest)) => found.strip_prefix(start).is_some_and(|found| {
            let mut ends = (0..=found.len()).filter(|&end| found.is_char_boundary(end));
            ends.any(|end| fits_exactly(rest, &found[end..]))
        }),
    }
}

#[test]
fn dots_stand_for_anything() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let check = |shown: &str, found: &str, expected: bool| {
        assert_eq!(matches(&lines(shown), &lines(found)), expected, "{shown}\n{found}");
    };
    check("a\n…\nz", "a\nb\nc\nz", true);
    check("a\n…\nz", "a\nz", true);
    check("a\n…\nz", "a\nb", false);
    check("a\nb", "a\nb\nc", false);
    check("time: … s", "time: 0.25 s", true);
    check("time: … s", "time: 0.25 m", false);
    check("", "a", false);
    check("12 assertions prove it", "7 assertions prove it", true);
    check("line 12", "line 13", false);
}

#[test]
fn what_is_left_out_stays_out() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let check = |shown: &str, found: &str, expected: Option<&str>| {
        assert_eq!(updated(&lines(shown), &lines(found)), expected.map(lines), "{shown}\n{found}");
    };
    check("a\nb", "c", Some("c"));
    check("a\nb\n\n…\nc", "d\nb\n\ne\nc", Some("d\nb\n\n…\nc"));
    check("a\nb\n\n…\nc", "d\ne\nc", None);
    check("a\n…\nc", "a\nb\nd", None);
}
