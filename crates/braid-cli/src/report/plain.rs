//! The page without scripts: what a terminal would say, for browsers that run none, and for machines that look for words.

use super::view::View;
use crate::document::Document;
use crate::exit::Failure;
use crate::formats::junit::escaped;
use crate::formats::{findings, place};
use std::fmt::Write;
use std::path::Path;

/// Longer executions are cut here; the scripts show them.
const MOST_STEPS: usize = 200;

/// An answer.
pub fn result(document: &Document, view: &View) -> String {
    let mut out = String::new();
    let reason = document.reason.as_ref().map(|reason| format!(" ({})", escaped(reason))).unwrap_or_default();
    let _ = writeln!(out, "<h1>{}: {}{reason}</h1>", escaped(&document.file), escaped(&document.verdict));
    out += "<ul>\n";
    for asked in &view.properties {
        let told = asked.reason.iter().chain(&asked.also).map(|text| format!(" – {}", escaped(text)));
        let told: String = told.collect();
        let _ = writeln!(out, "<li>{}: {}{told}</li>", escaped(&asked.name), escaped(&asked.verdict));
    }
    out += "</ul>\n";
    for finding in findings(document) {
        let story = &finding.story;
        let _ = writeln!(
            out,
            "<h2>{}</h2>\n<p>{}</p>\n<ol>",
            escaped(&story.ending.title),
            escaped(&story.ending.sentence)
        );
        for row in story.rows.iter().filter(|row| row.matters).take(MOST_STEPS) {
            let thread = story.threads.get(row.thread).map_or("", |lane| lane.name.as_str());
            let changes = row.changes.iter().map(|change| format!("; {} = {}", change.name, change.value));
            let changes: String = changes.collect();
            let (text, at) = (escaped(&row.text), escaped(&place(&row.place)));
            let _ = writeln!(out, "<li>{}: <code>{text}</code> at {at}{}</li>", escaped(thread), escaped(&changes));
        }
        out += "</ol>\n";
    }
    list(&mut out, "Assumed", &document.assumptions);
    list(&mut out, "Notes", &document.notes);
    list(&mut out, "Not checked", &view.unchecked);
    list(&mut out, "Not on this page", &view.left_out);
    out
}

fn list<S: AsRef<str>>(out: &mut String, title: &str, texts: &[S]) {
    if !texts.is_empty() {
        let items: String = texts.iter().map(|text| format!("<li>{}</li>", escaped(text.as_ref()))).collect();
        let _ = writeln!(out, "<h2>{title}</h2><ul>{items}</ul>");
    }
}

/// An input that was rejected, or a fault.
pub fn failure(file: &Path, failure: &Failure) -> String {
    format!(
        "<h1>{}: no verdict</h1>\n<pre>{}</pre>\n",
        escaped(&file.to_string_lossy()),
        escaped(failure.message.trim_end())
    )
}
