//! JUnit XML: a test suite for the program, with a test case for each property.
//!
//! There is no standard; this is the form that Jenkins has a schema for and that GitLab and others read. A property that is violated
//! fails, one that is open is skipped, and all have an error where the input is rejected.

use super::story_text::{place, plain};
use super::{Outcome, findings};
use crate::document::Document;
use crate::exit::Failure;
use crate::witness::utc;
use std::fmt::Write;

/// One test case.
#[derive(Default)]
struct Case {
    property: String,
    /// The name of the element that says what came of it; empty if all is well.
    element: &'static str,
    /// In one line.
    message: String,
    text: String,
}

/// An outcome as the text of a JUnit report.
pub fn junit(outcome: &Outcome<'_>) -> String {
    let (cases, seconds, remarks) = match outcome.result {
        Ok(document) => (cases(document), document.time.total, remarks(document)),
        Err(failure) => (rejected(outcome, failure), 0.0, String::new()),
    };
    let count = |element: &str| cases.iter().filter(|case| case.element == element).count();
    let (failures, errors, skipped) = (count("failure"), count("error"), count("skipped"));
    let counted =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"", cases.len());
    let file = escaped(outcome.file);
    // Dates in the schema have no zone.
    let date = utc(outcome.now).trim_end_matches('Z').to_owned();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(out, "  <testsuite name=\"{file}\" {counted} time=\"{seconds:.3}\" timestamp=\"{date}\">");
    out += "    <properties>\n";
    let engine = outcome.result.map_or("", |document| &document.engine);
    for (name, value) in
        [("version", env!("CARGO_PKG_VERSION")), ("options", &outcome.options.join(" ")), ("engine", engine)]
    {
        let _ = writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", escaped(value));
    }
    out += "    </properties>\n";
    let share = seconds / cases.len().max(1) as f64;
    for case in &cases {
        let name = escaped(&case.property);
        let _ = write!(out, "    <testcase classname=\"{file}\" name=\"{name}\" time=\"{share:.3}\"");
        if case.element.is_empty() {
            out += "/>\n";
            continue;
        }
        let kind = if case.element == "skipped" { String::new() } else { format!(" type=\"{name}\"") };
        let (element, message, text) = (case.element, escaped(&case.message), escaped(&case.text));
        let _ = writeln!(out, ">\n      <{element} message=\"{message}\"{kind}>{text}</{element}>\n    </testcase>");
    }
    if !remarks.is_empty() {
        let _ = writeln!(out, "    <system-out>{}</system-out>", escaped(&remarks));
    }
    out + "  </testsuite>\n</testsuites>\n"
}

/// What is known of each property.
fn cases(document: &Document) -> Vec<Case> {
    let found = findings(document);
    let case = |property: &str, verdict: &str, reason: Option<&str>| {
        let mut case = Case { property: property.to_owned(), ..Case::default() };
        match verdict {
            "safe" => {}
            "unsafe" => {
                let own: Vec<_> = found.iter().filter(|finding| finding.property == property).collect();
                let first = own.first().map(|finding| (&finding.story.ending, place(&finding.spot().place)));
                let first = first.map(|(ending, place)| format!("{} at {place}", ending.title));
                (case.element, case.message) = ("failure", first.unwrap_or_else(|| "violated".into()));
                case.text = own.into_iter().map(plain).collect::<Vec<_>>().join("\n");
            }
            _ => {
                (case.element, case.message) =
                    ("skipped", format!("unknown: {}", reason.unwrap_or("no reason is known")))
            }
        }
        case
    };
    if document.checks.is_empty() {
        let property = document.violated.as_ref().unwrap_or(&document.property);
        return vec![case(property, &document.verdict, document.reason.as_deref())];
    }
    document.checks.iter().map(|check| case(&check.property, &check.verdict, check.reason.as_deref())).collect()
}

/// The same error for each property that was asked for.
fn rejected(outcome: &Outcome<'_>, failure: &Failure) -> Vec<Case> {
    let message = failure.message.lines().next().unwrap_or_default();
    // The whole text once is enough.
    let case = |(number, property): (usize, &&'static str)| Case {
        property: (*property).to_owned(),
        element: "error",
        message: message.to_owned(),
        text: if number == 0 { failure.message.clone() } else { String::new() },
    };
    outcome.properties.iter().enumerate().map(case).collect()
}

fn remarks(document: &Document) -> String {
    let lines = [("assumed", &document.assumptions), ("note", &document.notes)];
    lines.iter().flat_map(|(what, lines)| lines.iter().map(move |line| format!("{what}: {line}\n"))).collect()
}

/// Text in XML or HTML, in an attribute with double quotes or between tags. Characters that XML does not have become U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;
    use std::path::PathBuf;

    fn told(result: Result<&Document, &Failure>) -> Vec<String> {
        let (file, properties, folder) = ("<a> & \"b\".c", vec!["unreach-call", "no-data-race"], PathBuf::new());
        let options = vec!["verify".into(), "\u{1}".into()];
        let text = junit(&Outcome { file, properties, result, options, now: 0, folder });
        let tree = roxmltree::Document::parse(&text).expect("XML");
        let suite = tree.descendants().find(|node| node.has_tag_name("testsuite")).expect("a suite");
        assert_eq!(suite.attribute("name"), Some(file));
        let counts = ["tests", "failures", "errors", "skipped"].map(|name| suite.attribute(name).unwrap_or_default());
        let cases = suite.children().filter(|node| node.has_tag_name("testcase")).map(|case| {
            let inner = case.children().find(roxmltree::Node::is_element);
            let inner = inner.map(|inner| {
                format!(": {} {}", inner.tag_name().name(), inner.attribute("message").unwrap_or_default())
            });
            format!("{}{}", case.attribute("name").unwrap_or_default(), inner.unwrap_or_default())
        });
        std::iter::once(counts.join(" ")).chain(cases).collect()
    }

    #[test]
    fn a_case_for_each_property() {
        let expected = [
            "3 1 0 1",
            "unreach-call",
            "no-deadlock: skipped unknown: timeout",
            "no-data-race: failure data race at a b.c:8",
        ];
        assert_eq!(told(Ok(&fixture::document())), expected);
        let mut alone = fixture::document();
        alone.checks.clear();
        assert_eq!(told(Ok(&alone)), ["1 1 0 0", "no-data-race: failure data race at a b.c:8"]);
        (alone.verdict, alone.reason, alone.violated) = ("unknown".into(), Some("timeout".into()), None);
        assert_eq!(told(Ok(&alone)), ["1 0 0 1", "no-data-race: skipped unknown: timeout"]);
    }

    #[test]
    fn rejected_inputs_are_errors() {
        let failure = Failure::rejected("a.c:1:2: error: no <x>\n  x\n");
        let line = "error a.c:1:2: error: no <x>";
        assert_eq!(
            told(Err(&failure)),
            ["2 0 2 0".to_owned(), format!("unreach-call: {line}"), format!("no-data-race: {line}")]
        );
    }
}
