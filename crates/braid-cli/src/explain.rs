//! Proofs for people: one sentence, and if wanted, the source with what holds before each statement.

use crate::document::Document;
use crate::output::Page;
use crate::story::{Annotation, Annotations};
use crate::table::wrap;
use braid_engines::Proof;
use std::fmt::Write;
use std::fs;

/// Lines of the source that are shown around an annotated one.
const CONTEXT: usize = 2;

/// Annotations are cut to this many lines.
const MOST_LINES: usize = 4;

/// Annotations are cut to this many facts.
const MOST_FACTS: usize = 12;

/// The proof as a sentence.
pub fn proof(proof: &Proof) -> String {
    let sentence = proof.to_string();
    format!("{}{}.\n", sentence[..1].to_uppercase(), &sentence[1..])
}

/// The source with what each proof of a result says of it.
pub fn annotated(document: &Document, page: Page) -> String {
    let mut out = String::new();
    for (annotations, properties) in proofs(document) {
        let _ = match annotations.places.is_empty() {
            true => writeln!(out, "\nWhy {}: no fact about the program's variables is needed.", properties.join(", ")),
            false => writeln!(out, "\nWhy {}: {}", properties.join(", "), annotations.scope()),
        };
        source(&mut out, annotations, page);
        for ghost in &annotations.ghosts {
            let _ = writeln!(out, "{} says {}.", ghost.name, ghost.meaning);
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The proofs of a result, each with the properties that it is for.
pub fn proofs(document: &Document) -> Vec<(&Annotations, Vec<&str>)> {
    let several =
        document.checks.iter().filter_map(|check| Some((check.property.as_str(), check.annotations.as_ref()?)));
    let mut all: Vec<(&str, &Annotations)> = several.collect();
    if document.checks.is_empty() {
        all.extend(document.annotations.as_ref().map(|annotations| (document.property.as_str(), annotations)));
    }
    let mut told: Vec<(&Annotations, Vec<&str>)> = Vec::new();
    for (property, annotations) in all {
        match told.iter_mut().find(|(known, _)| *known == annotations) {
            Some((_, properties)) => properties.push(property),
            None => told.push((annotations, vec![property])),
        }
    }
    told
}

fn source(out: &mut String, annotations: &Annotations, page: Page) {
    let mut files: Vec<&str> = annotations.places.iter().map(|annotation| annotation.place.file.as_str()).collect();
    files.dedup();
    for file in &files {
        if files.len() > 1 {
            let _ = writeln!(out, "{file}:");
        }
        let own: Vec<&Annotation> = annotations.places.iter().filter(|known| known.place.file == *file).collect();
        let Ok(text) = fs::read(file) else { continue };
        let text = String::from_utf8_lossy(&text).into_owned();
        listing(out, &text, &own, page);
    }
}

fn listing(out: &mut String, text: &str, annotations: &[&Annotation], page: Page) {
    let lines: Vec<&str> = text.lines().collect();
    let width = lines.len().to_string().len().max(2);
    let style =
        |text: &str, code: &str| if page.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() };
    let is_near = |line: usize| annotations.iter().any(|known| known.place.line.abs_diff(line) <= CONTEXT);
    let mut gap = false;
    for (number, line) in lines.iter().enumerate().map(|(at, line)| (at + 1, line)) {
        if !is_near(number) {
            if !gap {
                let _ = writeln!(out, "{:>width$} …", "");
            }
            gap = true;
            continue;
        }
        gap = false;
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect::<String>().replace('\t', " ");
        for Annotation { thread, holds, .. } in annotations.iter().filter(|known| known.place.line == number) {
            let mut facts: Vec<&str> = holds.iter().take(MOST_FACTS).map(String::as_str).collect();
            if holds.len() > MOST_FACTS {
                facts.push("…");
            }
            let room = page.width.saturating_sub(width + 3 + indent.chars().count() + 2);
            let told = wrap(&format!("{thread}: {}", facts.join("; ")), room, MOST_LINES);
            for (mark, told) in std::iter::once("▸ ").chain(std::iter::repeat("  ")).zip(told) {
                let _ = writeln!(out, "{:>width$} │ {indent}{}", "", style(&format!("{mark}{told}"), "32"));
            }
        }
        let _ = writeln!(out, "{} │ {}", style(&format!("{number:>width$}"), "2"), line.replace('\t', " "));
    }
}
