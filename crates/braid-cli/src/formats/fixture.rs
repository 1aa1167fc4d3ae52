//! A document as tests need it: two threads race, one property is open, one is proven.

use crate::document::{CheckVerdict, Document};
use crate::story::{Annotation, Annotations, Change, Ending, Flow, Ghost, Kind, Lane, Place, Row, Spot, Story};
use braid_program::LowerOptions;
use std::path::Path;

/// The text of `a b.c`, which the document is about.
pub const TEXT: &str = "\
int x;
void *t(void *p) {
    /* ü𝄞 */ x = 1;
    return 0;
}
int main(void) {
    start(t);
    x = 2;
}
";

/// A piece of a line.
pub fn place(line: usize, column: usize, end_column: usize) -> Place {
    Place { file: "a b.c".into(), line, column, end_line: line, end_column }
}

fn row(thread: usize, kind: Kind, place: Place, text: &str) -> Row {
    Row { thread, kind, place, text: text.into(), matters: true, ..Row::default() }
}

pub fn story() -> Story {
    let change = Change { name: "x".into(), value: "1".into(), before: Some("0".into()), ..Change::default() };
    let mut rows = vec![
        Row { other: Some(1), function: "main".into(), ..row(0, Kind::Start, place(7, 5, 13), "start(t)") },
        Row { matters: false, ..row(1, Kind::Call, place(2, 1, 7), "t(p) & <p>") },
        Row { changes: vec![change], ..row(1, Kind::Statement, place(3, 14, 19), "x = 1") },
        row(0, Kind::Statement, place(8, 5, 10), "x = 2"),
    ];
    rows[3].reads = vec![Flow { name: "x".into(), row: 2 }];
    let spot = |thread, place, label: &str| Spot { thread, place, label: label.into(), ..Spot::default() };
    Story {
        threads: vec![Lane { name: "main".into(), started_by: None }, Lane { name: "t".into(), started_by: Some(0) }],
        rows,
        ending: Ending {
            title: "data race".into(),
            sentence: "Threads main & t write \"x\" at once.".into(),
            help: None,
            spots: vec![
                spot(0, place(8, 5, 10), "writes x, holding no lock"),
                spot(1, place(3, 14, 19), "writes x, too"),
            ],
        },
    }
}

pub fn annotations() -> Annotations {
    let holds = vec!["x == 0".to_owned(), "at_end".to_owned()];
    Annotations {
        places: vec![Annotation { place: place(3, 14, 19), thread: "t".into(), holds }],
        ghosts: vec![Ghost { name: "at_end".into(), meaning: "Has main come to its end?".into() }],
        ..Annotations::default()
    }
}

pub fn document() -> Document {
    let check = |property: &str, verdict: &str, reason: Option<&str>| CheckVerdict {
        property: property.into(),
        verdict: verdict.into(),
        reason: reason.map(str::to_owned),
        ..CheckVerdict::default()
    };
    let mut document = Document::new("gem", "no-data-race", Path::new("a b.c"), LowerOptions::default());
    document.verdict = "unsafe".into();
    document.violated = Some("no-data-race".into());
    document.story = Some(story());
    document.assumptions = vec!["starting threads succeeds".into()];
    document.notes = vec!["nothing reaches the end".into()];
    document.time.total = 1.5;
    document.checks = vec![
        CheckVerdict { annotations: Some(annotations()), ..check("unreach-call", "safe", None) },
        check("no-deadlock", "unknown", Some("timeout")),
        CheckVerdict { stories: vec![story()], ..check("no-data-race", "unsafe", Some("Data race")) },
    ];
    document
}
