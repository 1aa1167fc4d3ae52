//! What the scripts of a page draw: the document without what no picture needs, and the texts of the program.

use super::shorten::shortened;
use super::texts::{Source, Texts};
use crate::document::{CheckVerdict, Document};
use crate::explain;
use crate::formats::{Finding, findings, properties};
use crate::property;
use crate::story::{Annotations, Story};
use braid_program::ast::{Check, Checks};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// So many violations are drawn.
const MOST_FINDINGS: usize = 12;
/// So many rows of each.
const MOST_ROWS: usize = 600;
/// So many files are shown.
const MOST_FILES: usize = 24;
/// So many annotations of one proof are shown.
const MOST_PLACES: usize = 800;

/// What places in a property of several runs name as their file.
const PROPERTY: &str = "property";

/// All that a page shows.
#[derive(Serialize)]
pub struct View {
    /// The document without executions and proofs, which are below.
    document: Value,
    pub properties: Vec<Asked>,
    /// What was not checked, in words; nothing of languages that ask one question only.
    pub unchecked: Vec<&'static str>,
    findings: Vec<Told>,
    proofs: Vec<Shown>,
    sources: Vec<Source>,
    /// What is not on the page because it would be too much, as sentences.
    pub left_out: Vec<String>,
}

/// One question, and what is known of it.
#[derive(Serialize)]
pub struct Asked {
    pub name: String,
    /// What must not happen; empty if only the program knows.
    pub means: &'static str,
    pub verdict: String,
    pub reason: Option<String>,
    pub also: Vec<String>,
}

/// One violation.
#[derive(Serialize)]
struct Told {
    property: String,
    story: Story,
}

/// One proof.
#[derive(Serialize)]
struct Shown {
    properties: Vec<String>,
    /// When its facts hold.
    scope: String,
    annotations: Annotations,
}

impl View {
    pub fn new(document: &Document, texts: &mut Texts) -> View {
        let mut left_out = Vec::new();
        if let Some(hyper) = &document.hyper {
            texts.add(PROPERTY, &hyper.formula);
        }
        let findings = told(document, &mut left_out);
        let proofs = shown(document, &mut left_out);
        let sources = sources(document, texts, (&findings, &proofs), &mut left_out);
        View {
            document: without_evidence(document),
            properties: asked(document),
            unchecked: unchecked(document),
            findings,
            proofs,
            sources,
            left_out,
        }
    }
}

fn told(document: &Document, left_out: &mut Vec<String>) -> Vec<Told> {
    let mut all = findings(document);
    if all.len() > MOST_FINDINGS {
        left_out.push(format!("{} more violations: they are in the result of --json", all.len() - MOST_FINDINGS));
        all.truncate(MOST_FINDINGS);
    }
    let mut gone = 0;
    let told = all.into_iter().map(|Finding { property, mut story }| {
        gone += shortened(&mut story, MOST_ROWS);
        Told { property, story }
    });
    let told = told.collect();
    if gone > 0 {
        left_out.push(format!("{gone} steps of executions that are longer than {MOST_ROWS} steps"));
    }
    told
}

fn shown(document: &Document, left_out: &mut Vec<String>) -> Vec<Shown> {
    let mut gone = 0;
    let shown = explain::proofs(document).into_iter().map(|(annotations, properties)| {
        let mut annotations = annotations.clone();
        gone += annotations.places.len().saturating_sub(MOST_PLACES);
        annotations.places.truncate(MOST_PLACES);
        let properties = properties.into_iter().map(str::to_owned).collect();
        Shown { properties, scope: annotations.scope(), annotations }
    });
    let shown = shown.collect();
    if gone > 0 {
        left_out.push(format!("{gone} places that proofs speak of"));
    }
    shown
}

/// The files that are spoken of, the program first.
fn sources(
    document: &Document,
    texts: &mut Texts,
    (findings, proofs): (&[Told], &[Shown]),
    left_out: &mut Vec<String>,
) -> Vec<Source> {
    let mut lines: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let stories = findings.iter().map(|told| &told.story);
    let places = stories.flat_map(|story| {
        let spots = story.ending.spots.iter().map(|spot| &spot.place);
        story.rows.iter().map(|row| &row.place).chain(spots)
    });
    let annotated = proofs.iter().flat_map(|proof| &proof.annotations.places).map(|annotation| &annotation.place);
    for place in places.chain(annotated) {
        lines.entry(&place.file).or_default().extend([place.line, place.end_line]);
    }
    let mut files: Vec<&str> = lines.keys().copied().filter(|file| *file != document.file).collect();
    files.insert(0, &document.file);
    if files.len() > MOST_FILES {
        left_out.push(format!("the text of {} more files", files.len() - MOST_FILES));
        files.truncate(MOST_FILES);
    }
    let nothing = BTreeSet::new();
    let mut shown = Vec::new();
    for file in files {
        match texts.source(file, lines.get(file).unwrap_or(&nothing)) {
            Some(source) => {
                if source.shown() < source.total {
                    left_out.push(format!("{} of the {} lines of {file}", source.total - source.shown(), source.total));
                }
                shown.push(source);
            }
            None => left_out.push(format!("the text of {file}, which cannot be read")),
        }
    }
    shown
}

/// A document without what is shown otherwise, and what may be large.
fn without_evidence(document: &Document) -> Value {
    let mut value = serde_json::to_value(document).expect("documents hold nothing that JSON cannot");
    if let Some(fields) = value.as_object_mut() {
        for gone in ["counterexample", "story", "annotations", "checks", "run", "confirmed"] {
            fields.remove(gone);
        }
        fields.get_mut("queries").and_then(Value::as_object_mut).map(|queries| queries.remove("programs"));
        fields.get_mut("facts").and_then(Value::as_object_mut).map(|facts| facts.remove("invariants"));
        let depends = document.counterexample.as_ref().map(|execution| execution.depends_on.clone());
        fields.insert("depends_on".into(), depends.into());
        fields.insert("confirmed".into(), document.confirmed.as_ref().map(|confirmed| confirmed.what.clone()).into());
    }
    value
}

fn asked(document: &Document) -> Vec<Asked> {
    let means = |name: &str| Check::of_name(name).map_or("", |check| properties::wording(check).summary);
    let of = |check: &CheckVerdict| Asked {
        name: check.property.clone(),
        means: means(&check.property),
        verdict: check.verdict.clone(),
        reason: check.reason.clone(),
        also: check.also.clone(),
    };
    if !document.checks.is_empty() {
        return document.checks.iter().map(of).collect();
    }
    let single = |name: &str| Asked {
        name: name.to_owned(),
        means: means(name),
        verdict: match &document.violated {
            Some(violated) if violated != name => "unknown".into(),
            _ => document.verdict.clone(),
        },
        reason: document.reason.clone().filter(|_| document.verdict == "unknown"),
        also: Vec::new(),
    };
    match &document.hyper {
        Some(hyper) => vec![Asked { name: hyper.formula.clone(), ..single("") }],
        None => document.property.split(',').map(single).collect(),
    }
}

fn unchecked(document: &Document) -> Vec<&'static str> {
    let is_c = document.c.is_some() || !document.unchecked.is_empty();
    match is_c && document.hyper.is_none() {
        true => {
            let known = document.unchecked.iter().filter_map(|name| Check::of_name(name)).map(Checks::of);
            let unknown = known.fold(Checks::NONE, Checks::and);
            let all = Check::ALL.into_iter().map(Checks::of).fold(Checks::NONE, Checks::and);
            property::unchecked_words(all.without(unknown))
        }
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;

    #[test]
    fn evidence_is_there_once() {
        let mut document = fixture::document();
        document.unchecked = vec!["progress".into()];
        let mut texts = Texts::with("a b.c", fixture::TEXT);
        let view = View::new(&document, &mut texts);
        let told: Vec<(&str, &str)> =
            view.properties.iter().map(|asked| (asked.name.as_str(), asked.verdict.as_str())).collect();
        assert_eq!(told, [("unreach-call", "safe"), ("no-deadlock", "unknown"), ("no-data-race", "unsafe")]);
        assert!(view.properties.iter().all(|asked| asked.means.ends_with('.')));
        assert_eq!((view.findings.len(), view.proofs.len(), view.left_out.len()), (1, 1, 0));
        assert!(view.document.get("story").is_none() && view.document.get("checks").is_none());
        assert_eq!(view.sources[0].shown(), fixture::TEXT.lines().count());
    }

    #[test]
    fn what_is_too_much_is_named() {
        let mut document = fixture::document();
        let mut story = fixture::story();
        story.rows = vec![story.rows[3].clone(); MOST_ROWS + 5];
        document.checks[2].stories = vec![story; MOST_FINDINGS + 2];
        let view = View::new(&document, &mut Texts::default());
        let expected = [
            "2 more violations: they are in the result of --json".to_owned(),
            format!("60 steps of executions that are longer than {MOST_ROWS} steps"),
            "the text of a b.c, which cannot be read".to_owned(),
        ];
        assert_eq!(view.left_out, expected);
    }
}
