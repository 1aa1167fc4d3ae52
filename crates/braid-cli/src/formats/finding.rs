//! Violations out of a document, one by one, each with a story that says where it is.
//!
//! *Invariant*: a finding has a title, a sentence and at least one spot, whatever the document leaves out. What a story does not say is
//! taken from the counterexample, and from the places that sentences name.

use super::properties;
use crate::document::{CheckVerdict, Document, Step, StoredExecution};
use crate::story::{Change, Ending, Lane, Place, Row, Spot, Story};

/// How a sentence begins that tells of no violation.
const OPEN: &str = "There may be more";

/// A violation of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The property, by its name.
    pub property: String,
    pub story: Story,
}

impl Finding {
    /// The place to blame.
    pub fn spot(&self) -> &Spot {
        self.story.ending.spots.first().expect("a finding has a spot")
    }

    /// The other places.
    pub fn others(&self) -> &[Spot] {
        self.story.ending.spots.get(1..).unwrap_or_default()
    }

    /// What is said at a place that is not the first one.
    pub fn label<'a>(&self, spot: &'a Spot) -> &'a str {
        match (spot.label.as_str(), self.property.as_str()) {
            ("", "no-data-race") => "the other access",
            ("", "no-deadlock") => "waits here, too",
            ("", _) => "this belongs to it",
            (label, _) => label,
        }
    }
}

/// All violations that a document tells of, the one it is about first.
pub fn findings(document: &Document) -> Vec<Finding> {
    let mut found = match document.checks.is_empty() {
        true if document.verdict == "unsafe" => {
            let property = document.violated.as_ref().unwrap_or(&document.property);
            vec![finding(document, property, document.story.clone(), None)]
        }
        true => Vec::new(),
        false => document
            .checks
            .iter()
            .filter(|check| check.verdict == "unsafe")
            .flat_map(|check| of(document, check))
            .collect(),
    };
    found.sort_by_key(|finding| document.violated.as_ref() != Some(&finding.property));
    found
}

/// The violations of one property.
fn of(document: &Document, check: &CheckVerdict) -> Vec<Finding> {
    let sentences = check.reason.iter().chain(&check.also).filter(|sentence| !sentence.starts_with(OPEN));
    let sentences: Vec<&String> = sentences.collect();
    let count = sentences.len().max(check.stories.len()).max(1);
    let is_told = document.violated.as_ref() == Some(&check.property);
    let story = |number: usize| {
        let own = check.stories.get(number).cloned();
        own.or_else(|| document.story.clone().filter(|_| is_told && number == 0))
    };
    (0..count)
        .map(|number| {
            finding(document, &check.property, story(number), sentences.get(number).map(|text| text.as_str()))
        })
        .collect()
}

/// One violation, with what its story lacks.
fn finding(document: &Document, property: &str, story: Option<Story>, sentence: Option<&str>) -> Finding {
    let counterexample = document.counterexample.as_ref();
    let same = |found: &&StoredExecution| sentence.is_none_or(|sentence| found.violation.starts_with(sentence));
    let counterexample = counterexample.filter(same);
    let mut story = story.or_else(|| counterexample.map(of_execution)).unwrap_or_default();
    let Story { rows, ending, .. } = &mut story;
    if ending.title.is_empty() {
        ending.title = properties::title(property);
    }
    if ending.sentence.is_empty() {
        ending.sentence = sentence.map_or_else(|| format!("The property {property} is violated."), str::to_owned);
    }
    if ending.spots.is_empty() {
        let places = named_places(&ending.sentence, &document.file);
        ending.spots = places.into_iter().map(|place| Spot { place, ..Spot::default() }).collect();
    }
    if ending.spots.is_empty() {
        let last = rows.last().map(|row| Spot { thread: row.thread, place: row.place.clone(), ..Spot::default() });
        ending.spots.push(last.unwrap_or_else(|| Spot { place: point(&document.file, 1, 1), ..Spot::default() }));
    }
    Finding { property: property.to_owned(), story }
}

/// An execution as a story without words of its own.
fn of_execution(execution: &StoredExecution) -> Story {
    let mut threads: Vec<Lane> = Vec::new();
    let mut rows = Vec::new();
    let steps = execution.steps.iter().map(|step| (step, false));
    for (step, repeated) in steps.chain(execution.circle.iter().map(|step| (step, true))) {
        let known = threads.iter().position(|lane| lane.name == step.thread);
        let thread = known.unwrap_or(threads.len());
        if known.is_none() {
            threads.push(Lane { name: step.thread.clone(), started_by: None });
        }
        rows.push(row(thread, step, repeated));
    }
    let ending = Ending { sentence: execution.violation.clone(), ..Ending::default() };
    Story { threads, rows, ending }
}

fn row(thread: usize, step: &Step, repeated: bool) -> Row {
    let changes = step.changed.iter().map(|binding| Change {
        name: binding.variable.clone(),
        value: binding.value.clone(),
        ..Change::default()
    });
    Row {
        thread,
        place: point(&step.file, step.line, step.column),
        text: step.text.clone(),
        changes: changes.collect(),
        matters: true,
        repeated,
        ..Row::default()
    }
}

/// A place whose end is not known.
fn point(file: &str, line: usize, column: usize) -> Place {
    Place { file: file.to_owned(), line, column, end_line: line, end_column: column }
}

/// The places that a sentence names: `a.c:7:26`, or `waits for m (line 7)`.
fn named_places(sentence: &str, file: &str) -> Vec<Place> {
    let first = sentence.lines().next().unwrap_or_default();
    let mut places: Vec<Place> = Vec::new();
    for (at, _) in first.match_indices(" at ") {
        let rest = &first[at + 4..];
        // Names can have spaces, that of the program most of all.
        let known = rest.strip_prefix(file).filter(|rest| rest.starts_with(':'));
        let (name, rest) = match known {
            Some(rest) => (file, rest),
            None => rest.split_at(rest.find([':', ' ']).unwrap_or(rest.len())),
        };
        let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).skip(1).map(str::parse::<usize>);
        if let (true, Some(Ok(line)), Some(Ok(column))) = (rest.starts_with(':'), numbers.next(), numbers.next()) {
            places.push(point(name, line, column));
        }
    }
    for (at, _) in first.match_indices("waits ") {
        let rest = &first[at..];
        let number = rest.find("(line ").map(|open| rest[open + 6..].split(|c: char| !c.is_ascii_digit()).next());
        if let Some(Ok(line)) = number.flatten().map(str::parse::<usize>) {
            places.push(point(file, line, 1));
        }
    }
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use braid_program::LowerOptions;
    use std::path::Path;

    fn document() -> Document {
        let mut document = Document::new("gem", "no-data-race", Path::new("a.c"), LowerOptions::default());
        document.verdict = "unsafe".into();
        document
    }

    fn verdict(property: &str, reason: &str, also: &[&str]) -> CheckVerdict {
        CheckVerdict {
            property: property.into(),
            verdict: "unsafe".into(),
            reason: Some(reason.into()),
            also: also.iter().map(|text| (*text).to_owned()).collect(),
            ..CheckVerdict::default()
        }
    }

    fn told(document: &Document) -> Vec<String> {
        let spots = |finding: &Finding| {
            let spots = finding.story.ending.spots.iter().map(|spot| &spot.place);
            spots.map(|place| format!(" {}:{}:{}", place.file, place.line, place.column)).collect::<String>()
        };
        findings(document)
            .iter()
            .map(|one| format!("{} {}{}", one.property, one.story.ending.title, spots(one)))
            .collect()
    }

    #[test]
    fn sentences_have_places() {
        let check = |sentence: &str, expected: &[(&str, usize, usize)]| {
            let found = named_places(sentence, "my prog.c");
            let found: Vec<_> = found.iter().map(|place| (place.file.as_str(), place.line, place.column)).collect();
            assert_eq!(found, expected, "{sentence}");
        };
        check(
            "Data race: thread main does `x++` at my prog.c:13:5 (holding no lock) while thread t does `x` at b.h:6:7.",
            &[("my prog.c", 13, 5), ("b.h", 6, 7)],
        );
        check(
            "Deadlock: thread main holds a (line 13) and waits for b (line 14), held by t, which waits for a (line 5).",
            &[("my prog.c", 14, 1), ("my prog.c", 5, 1)],
        );
        check("Look at this: nothing at all, at 7:8:", &[("7", 8, 0)][..0]);
        check("", &[]);
    }

    #[test]
    fn without_stories_sentences_are_enough() {
        let mut document = document();
        document.violated = Some("no-data-race".into());
        document.checks = vec![
            verdict("valid-deref", "Invalid access: thread t does `*p` at a.c:3:1, where no object is", &[]),
            verdict(
                "no-data-race",
                "Data race: `x` at a.c:1:2 while `x` at a.c:3:4.",
                &["Data race: `y` at a.c:5:6", "There may be more: timeout"],
            ),
            CheckVerdict { verdict: "safe".into(), ..verdict("no-overflow", "", &[]) },
        ];
        let expected = [
            "no-data-race data race a.c:1:2 a.c:3:4",
            "no-data-race data race a.c:5:6",
            "valid-deref invalid access a.c:3:1",
        ];
        assert_eq!(told(&document), expected);
    }

    #[test]
    fn stories_come_first() {
        let mut document = document();
        let spot = |line| Spot { place: point("b.c", line, 1), label: "writes x".into(), ..Spot::default() };
        let ending =
            Ending { title: "race".into(), sentence: "They race.".into(), help: None, spots: vec![spot(1), spot(2)] };
        document.story = Some(Story { ending, ..Story::default() });
        assert_eq!(told(&document), ["no-data-race race b.c:1:1 b.c:2:1"]);
        let mut check = verdict("no-data-race", "Data race at a.c:1:2", &[]);
        check.stories = document.story.clone().into_iter().collect();
        document.checks = vec![check];
        assert_eq!(told(&document), ["no-data-race race b.c:1:1 b.c:2:1"]);
    }

    #[test]
    fn nothing_is_known_but_the_verdict() {
        assert_eq!(told(&document()), ["no-data-race data race a.c:1:1"]);
        let mut document = document();
        document.verdict = "safe".into();
        assert!(told(&document).is_empty());
    }
}
