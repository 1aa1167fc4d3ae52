//! What an editor shows of a result: diagnostics, lenses and hints. All is a function of the result and of the texts on disk.

use super::board::ByFile;
use crate::commands::defines_main;
use crate::document::Document;
use crate::formats::{Finding, Rejection, Texts, findings, place, uri};
use crate::story::{Annotation, Annotations, Place};
use lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, InlayHint, InlayHintLabel,
    InlayHintTooltip, Location, MarkupContent, MarkupKind, NumberOrString, Position, Range, Uri,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub const VERIFY: &str = "braid.verify";
pub const SHOW_STORY: &str = "braid.showStory";

/// The most characters of a hint; all of it is in the tooltip.
const LONGEST: usize = 60;

/// What is known of a program.
pub enum Known {
    Answered(Box<Document>),
    Rejected(Vec<Rejection>),
    Failed(String),
}

/// What the client is like, as far as it matters here.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// Does the client show places that belong to a diagnostic?
    pub related: bool,
    /// Where names in results start from.
    pub folder: PathBuf,
}

impl Looks {
    fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    fn location(&self, place: &Place, texts: &mut Texts) -> Option<Location> {
        let path = self.path(&place.file);
        Some(Location { uri: to_uri(&path)?, range: range(place, &path, texts) })
    }

    /// What is wrong with a program, by file.
    pub fn diagnostics(&self, program: &Path, known: &Known) -> ByFile {
        let mut texts = Texts::default();
        let mut all = ByFile::new();
        match known {
            Known::Answered(document) => {
                for finding in findings(document) {
                    let path = self.path(&finding.spot().place.file);
                    let said = self.finding(&finding, &path, &mut texts);
                    all.entry(path).or_default().push(said);
                }
            }
            Known::Rejected(errors) => {
                for error in errors {
                    let (path, said) = self.rejection(program, error, &mut texts);
                    all.entry(path).or_default().push(said);
                }
            }
            Known::Failed(_) => {}
        }
        all
    }

    fn finding(&self, finding: &Finding, path: &Path, texts: &mut Texts) -> Diagnostic {
        let mut message = finding.story.ending.sentence.trim_end().to_owned();
        let mut related = Vec::new();
        for spot in finding.others() {
            let label = finding.label(spot).to_owned();
            match self.location(&spot.place, texts).filter(|_| self.related) {
                Some(location) => related.push(DiagnosticRelatedInformation { location, message: label }),
                None => message += &format!("\n{}:{}: {label}", place(&spot.place), spot.place.column),
            }
        }
        Diagnostic {
            range: range(&finding.spot().place, path, texts),
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String(finding.property.clone())),
            source: Some("braid".into()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    fn rejection(&self, program: &Path, error: &Rejection, texts: &mut Texts) -> (PathBuf, Diagnostic) {
        let path = error.place.as_ref().map_or_else(|| program.to_owned(), |place| self.path(&place.file));
        // A part of a program is nothing wrong.
        let is_part = error.message == "there is no function `main`";
        let severity = if is_part { DiagnosticSeverity::INFORMATION } else { DiagnosticSeverity::ERROR };
        let hint = error.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        let said = Diagnostic {
            range: error.place.as_ref().map(|place| range(place, &path, texts)).unwrap_or_default(),
            severity: Some(severity),
            source: Some("braid".into()),
            message: format!("{}{hint}", error.message),
            ..Diagnostic::default()
        };
        (path, said)
    }

    /// What the proof says in a part of a file.
    pub fn hints(&self, document: &Document, file: &Path, part: Range) -> Vec<InlayHint> {
        let mut texts = Texts::default();
        let parts =
            document.annotations.iter().chain(document.checks.iter().filter_map(|check| check.annotations.as_ref()));
        let (mut seen, mut hints) = (Vec::new(), Vec::new());
        for annotations in parts {
            for annotation in annotations.places.iter().filter(|one| self.path(&one.place.file) == file) {
                let position = range(&annotation.place, file, &mut texts).start;
                let is_wanted = part.start.line <= position.line && position.line <= part.end.line;
                if is_wanted && !annotation.holds.is_empty() && !seen.contains(&annotation) {
                    seen.push(annotation);
                    hints.push(hint(annotation, annotations, position));
                }
            }
        }
        hints
    }
}

/// A path as the protocol has it. None if it cannot be said.
pub fn to_uri(path: &Path) -> Option<Uri> {
    Uri::from_str(&uri::of_path(path)).ok()
}

fn hint(annotation: &Annotation, annotations: &Annotations, position: Position) -> InlayHint {
    let all = annotation.holds.join(" && ");
    let short = match all.chars().count() > LONGEST {
        true => all.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => all,
    };
    let lines: String = annotation.holds.iter().map(|holds| format!("{holds}\n")).collect();
    let mut told = format!("Thread {} is here only if\n```c\n{lines}```\n", annotation.thread);
    if annotations.reduced || annotations.fused {
        told += &format!("{}\n", annotations.scope());
    }
    for ghost in &annotations.ghosts {
        if annotation.holds.iter().any(|holds| holds.contains(&ghost.name)) {
            told += &format!("`{}`: {}\n", ghost.name, ghost.meaning);
        }
    }
    InlayHint {
        position,
        label: InlayHintLabel::String(format!("{{ {short} }}")),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: told })),
        padding_left: None,
        padding_right: Some(true),
        data: None,
    }
}

/// The lenses of a file: what is known, and a way to ask again.
pub fn lenses(uri: &Uri, text: &str, known: Option<&Known>, is_running: bool) -> Vec<CodeLens> {
    let line = text.lines().position(defines_main).unwrap_or_default() as u32;
    let at = Position { line, character: 0 };
    let lens = |title: String, command: &str, arguments: serde_json::Value| CodeLens {
        range: Range { start: at, end: at },
        command: Some(Command { title, command: command.into(), arguments: arguments.as_array().cloned() }),
        data: None,
    };
    let verify = lens("▶ verify".into(), VERIFY, json!([uri]));
    match known {
        _ if is_running => vec![lens("… verifying".into(), SHOW_STORY, json!([uri]))],
        None => vec![verify],
        Some(known) => vec![lens(title(known), SHOW_STORY, json!([uri, { "show": true }])), verify],
    }
}

/// What is known, in a few words.
pub fn title(known: &Known) -> String {
    match known {
        Known::Answered(document) => match document.verdict.as_str() {
            "safe" => "✓ safe".to_owned(),
            "unsafe" => {
                let mut titles: Vec<String> = Vec::new();
                for finding in findings(document) {
                    let title = finding.story.ending.title;
                    if !titles.contains(&title) {
                        titles.push(title);
                    }
                }
                format!("✗ {}", titles.join(", "))
            }
            _ => format!("? unknown: {}", document.reason.as_deref().unwrap_or("no reason is known")),
        },
        Known::Rejected(_) => "✗ cannot be read".to_owned(),
        Known::Failed(_) => "? not verified".to_owned(),
    }
}

/// A place as the protocol has it: from 0, and in units of UTF-16. Where the end is not known, it is that of the line.
fn range(place: &Place, path: &Path, texts: &mut Texts) -> Range {
    let file = path.to_string_lossy();
    let mut position = |line: usize, column: usize| {
        let text = texts.line(&file, line);
        let before = text.chars().take(column.saturating_sub(1));
        let character = before.map(|c| c.len_utf16() as u32).sum();
        Position { line: line.saturating_sub(1) as u32, character }
    };
    let mut start = position(place.line, place.column);
    let mut end = position(place.end_line, place.end_column);
    if end <= start {
        let text = texts.line(&file, place.line);
        let indent = text.len() - text.trim_start().len();
        start.character = start.character.max(indent as u32);
        let width: usize = text.trim_end().chars().map(char::len_utf16).sum();
        end = Position { line: start.line, character: (width as u32).max(start.character) };
    }
    Range { start, end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;
    use std::fs;

    /// Looks at the fixture in a folder of the test's own.
    fn looks(test: &str, related: bool) -> (Looks, PathBuf) {
        let folder = std::env::temp_dir().join(format!("braid-view-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("a b.c"), fixture::TEXT).expect("a file");
        let program = folder.join("a b.c");
        (Looks { related, folder }, program)
    }

    #[test]
    fn a_race_is_one_diagnostic_with_two_places() {
        let known = Known::Answered(Box::new(fixture::document()));
        let (looks, program) = looks("race", true);
        let said = &looks.diagnostics(&program, &known)[&program];
        assert_eq!(said.len(), 1);
        assert_eq!(said[0].range.start, Position { line: 7, character: 4 });
        assert_eq!(said[0].code, Some(NumberOrString::String("no-data-race".into())));
        let related = said[0].related_information.as_ref().expect("another place");
        // Columns count characters in the document and units of UTF-16 here: one character is two units.
        assert_eq!(related[0].location.range.start, Position { line: 2, character: 14 });
        assert_eq!(related[0].location.uri, to_uri(&program).expect("a URI"));
        let plain = Looks { related: false, ..looks };
        let said = &plain.diagnostics(&program, &known)[&program];
        assert!(said[0].related_information.is_none() && said[0].message.ends_with("\na b.c:3:14: writes x, too"));
        assert_eq!(title(&known), "✗ data race");
        let _ = fs::remove_dir_all(&plain.folder);
    }

    #[test]
    fn proofs_are_hints() {
        let (looks, program) = looks("hints", true);
        let part =
            |from, to| Range { start: Position { line: from, character: 0 }, end: Position { line: to, character: 0 } };
        let hints = looks.hints(&fixture::document(), &program, part(0, 9));
        let InlayHintLabel::String(label) = &hints[0].label else { panic!("a label is text") };
        assert_eq!((hints.len(), label.as_str()), (1, "{ x == 0 && at_end }"));
        assert_eq!(hints[0].position, Position { line: 2, character: 14 });
        let Some(InlayHintTooltip::MarkupContent(told)) = &hints[0].tooltip else { panic!("there is a tooltip") };
        assert!(told.value.contains("`at_end`: Has main come to its end?"), "{}", told.value);
        assert!(looks.hints(&fixture::document(), &program, part(4, 9)).is_empty());
        assert!(looks.hints(&fixture::document(), Path::new("/other.c"), part(0, 9)).is_empty());
        let _ = fs::remove_dir_all(&looks.folder);
    }

    #[test]
    fn lenses_stand_at_main() {
        let uri = to_uri(Path::new("/a.c")).expect("a URI");
        let titles = |known: Option<&Known>, is_running: bool| -> Vec<String> {
            let lenses = lenses(&uri, fixture::TEXT, known, is_running);
            assert!(lenses.iter().all(|lens| lens.range.start.line == 5));
            lenses.into_iter().filter_map(|lens| lens.command).map(|command| command.title).collect()
        };
        assert_eq!(titles(None, false), ["▶ verify"]);
        assert_eq!(titles(None, true), ["… verifying"]);
        assert_eq!(titles(Some(&Known::Rejected(Vec::new())), false), ["✗ cannot be read", "▶ verify"]);
        let mut document = fixture::document();
        document.verdict = "safe".into();
        assert_eq!(titles(Some(&Known::Answered(Box::new(document))), false), ["✓ safe", "▶ verify"]);
    }

    #[test]
    fn errors_of_inputs() {
        let (looks, program) = looks("errors", true);
        let errors = crate::formats::rejections(
            "a b.c:3:14: error: no\n  x = 1;\n  ^\nh.h:1:1: error: there is no function `main`\n",
        );
        let said = looks.diagnostics(&program, &Known::Rejected(errors));
        assert_eq!(said[&program][0].range.start.character, 14);
        assert_eq!(said[&looks.folder.join("h.h")][0].severity, Some(DiagnosticSeverity::INFORMATION));
        let errors = crate::formats::rejections("a b.c: there is no such file");
        assert_eq!(looks.diagnostics(&program, &Known::Rejected(errors))[&program][0].range, Range::default());
        let _ = fs::remove_dir_all(&looks.folder);
    }
}
