//! A story as plain text, for reports that have no tables, and as Markdown, for editors.

use super::Finding;
use crate::document::Document;
use crate::story::{Place, Row, Story};
use std::fmt::Write;

/// A place as `file:line`.
pub fn place(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

/// What happens, a line each; what does not matter is left out.
pub fn plain(finding: &Finding) -> String {
    let story = &finding.story;
    let mut out = format!("{}\n", story.ending.sentence.trim_end());
    let names = story.threads.iter().map(|lane| lane.name.chars().count());
    let width = names.max().unwrap_or_default();
    let rows = told(story);
    if !rows.is_empty() {
        out.push('\n');
    }
    for (number, row) in rows {
        let _ =
            writeln!(out, "{number:>3}  {:<width$}  {}  {}", thread(story, row.thread), place(&row.place), words(row));
    }
    for spot in &story.ending.spots {
        let label = if spot.label.is_empty() { "here" } else { &spot.label };
        let _ = writeln!(out, "{}:{}: {label}", place(&spot.place), spot.place.column);
    }
    out
}

/// All that a document tells, for an editor to show.
pub fn markdown(document: &Document) -> String {
    let mut out = String::new();
    for finding in super::findings(document) {
        let story = &finding.story;
        let _ = writeln!(out, "# {}\n\n{}\n", capital(&story.ending.title), story.ending.sentence.trim_end());
        let rows = told(story);
        if !rows.is_empty() {
            out += "| | thread | statement | where | values |\n|---|---|---|---|---|\n";
        }
        for (number, row) in rows {
            let [statement, values] = [statement(row), values(row)].map(|text| code(&text));
            let _ = writeln!(
                out,
                "| {number} | {} | {statement} | {} | {values} |",
                cell(thread(story, row.thread)),
                cell(&place(&row.place))
            );
        }
        out.push('\n');
        for spot in &story.ending.spots {
            let label = match spot.label.as_str() {
                "" => String::new(),
                label => format!(": thread {} {label}", thread(story, spot.thread)),
            };
            let _ = writeln!(out, "* {}:{}{label}", place(&spot.place), spot.place.column);
        }
        out.push('\n');
    }
    if out.is_empty() {
        let reason = document.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        out = format!("# {}{reason}\n\n", capital(&document.verdict));
    }
    for check in &document.checks {
        let _ = writeln!(out, "* {}: {}", check.property, check.verdict);
    }
    for (what, lines) in [("assumed", &document.assumptions), ("note", &document.notes)] {
        lines.iter().for_each(|line| out += &format!("* {what}: {line}\n"));
    }
    out
}

/// The rows that matter, with their numbers.
fn told(story: &Story) -> Vec<(usize, &Row)> {
    story.rows.iter().enumerate().filter(|(_, row)| row.matters).map(|(index, row)| (index + 1, row)).collect()
}

/// The name of a thread.
pub fn thread(story: &Story, thread: usize) -> &str {
    story.threads.get(thread).map_or("main", |lane| lane.name.as_str())
}

/// The statement, and what came of it.
pub fn words(row: &Row) -> String {
    let (statement, values) = (statement(row), values(row));
    if values.is_empty() { statement } else { format!("{statement}  ({values})") }
}

fn statement(row: &Row) -> String {
    let outcome = row.outcome.map(|holds| format!(" is {holds}")).unwrap_or_default();
    let note = row.note.as_ref().map(|note| format!(" [{note}]")).unwrap_or_default();
    format!("{}{outcome}{note}", row.text)
}

fn values(row: &Row) -> String {
    let changes = row.changes.iter().map(|change| format!("{} = {}", change.name, change.value));
    changes.collect::<Vec<_>>().join(", ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The same as code. Backticks would end it.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", cell(text).replace('`', "'")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;

    #[test]
    fn as_text() {
        let finding = super::super::findings(&fixture::document()).remove(0);
        let expected = "\
Threads main & t write \"x\" at once.

  1  main  a b.c:7  start(t)
  3  t     a b.c:3  x = 1  (x = 1)
  4  main  a b.c:8  x = 2
a b.c:8:5: writes x, holding no lock
a b.c:3:14: writes x, too
";
        assert_eq!(plain(&finding), expected);
    }

    #[test]
    fn as_markdown() {
        let expected = "\
# Data race

Threads main & t write \"x\" at once.

| | thread | statement | where | values |
|---|---|---|---|---|
| 1 | main | `start(t)` | a b.c:7 |  |
| 3 | t | `x = 1` | a b.c:3 | `x = 1` |
| 4 | main | `x = 2` | a b.c:8 |  |

* a b.c:8:5: thread main writes x, holding no lock
* a b.c:3:14: thread t writes x, too

* unreach-call: safe
* no-deadlock: unknown
* no-data-race: unsafe
* assumed: starting threads succeeds
* note: nothing reaches the end
";
        assert_eq!(markdown(&fixture::document()), expected);
    }
}
