//! SARIF 2.1.0: the violations as results with one flow of code for each thread, the rest as notifications.
//!
//! Of a property that holds nothing is said: viewers take every result for a problem. Columns count characters, and say so. Relative
//! names stay relative to the folder that Braid was started in, which a code host takes for the root of the repository.

use super::story_text::{thread, words};
use super::{Finding, Outcome, Texts, findings, properties, rejections, uri};
use crate::document::Document;
use crate::exit::{Failure, Status};
use crate::story::{Kind, Place, Row, Spot, Story};
use crate::witness::utc;
use braid_program::ast::Check;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The name of the folder that relative names start from.
const ROOT: &str = "SRCROOT";

/// An outcome as the text of a SARIF file.
pub fn sarif(outcome: &Outcome<'_>, texts: &mut Texts) -> String {
    let found = outcome.result.map(findings).unwrap_or_default();
    let mut rules = Rules::default();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut results = Vec::new();
    for finding in &found {
        let hash = fingerprint(finding, texts);
        let copies = seen.entry(hash.clone()).or_default();
        *copies += 1;
        let fingerprint = format!("{hash}:{copies}");
        results.push(Writer { outcome }.result(finding, rules.index(&finding.property), fingerprint));
    }
    let folder = format!("{}/", uri::of_path(&outcome.folder));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Braid",
                "fullName": format!("Braid {VERSION}"),
                "version": VERSION,
                "semanticVersion": VERSION,
                "shortDescription": { "text": "Proves concurrent programs correct, or shows step by step how they break." },
                "rules": rules.0,
            }},
            "automationDetails": { "id": category(outcome.file) },
            "invocations": [Writer { outcome }.invocation()],
            "originalUriBaseIds": { ROOT: { "uri": folder } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("values are JSON") + "\n"
}

/// What a run is compared with by a code host: earlier runs on the same program. Without a category of its own, what is found in one file
/// would take the place of what was found in another.
fn category(file: &str) -> String {
    format!("braid/{}/", file.strip_prefix("./").unwrap_or(file))
}

/// The rules that results refer to: all properties, and others that are met.
struct Rules(Vec<Value>);

impl Default for Rules {
    fn default() -> Rules {
        Rules(Check::ALL.into_iter().map(rule).collect())
    }
}

impl Rules {
    /// The number of a property's rule.
    fn index(&mut self, property: &str) -> usize {
        let known = self.0.iter().position(|rule| rule["id"] == property);
        known.unwrap_or_else(|| {
            self.0.push(
                json!({ "id": property, "shortDescription": { "text": format!("The property {property} holds.") } }),
            );
            self.0.len() - 1
        })
    }
}

fn rule(check: Check) -> Value {
    let words = properties::wording(check);
    json!({
        "id": check.name(),
        "name": words.name,
        "shortDescription": { "text": words.summary },
        "fullDescription": { "text": words.summary },
        "help": {
            "text": format!("{} {}", words.summary, words.help),
            "markdown": format!("**{}**\n\n{}", words.summary, words.help),
        },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high", "problem.severity": "error" },
    })
}

/// What a finding is known by, though lines above it come and go: the property, and the files and texts of its lines.
fn fingerprint(finding: &Finding, texts: &mut Texts) -> String {
    let line = |spot: &Spot| {
        let Place { file, line, .. } = &spot.place;
        format!("{file}\n{}\n", texts.line(file, *line).trim())
    };
    // Two accesses race in both orders.
    let mut lines: Vec<String> = finding.story.ending.spots.iter().map(line).collect();
    lines.sort_unstable();
    let hash = Sha256::digest(format!("{}\n{}", finding.property, lines.concat()));
    hash[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Writer<'a> {
    outcome: &'a Outcome<'a>,
}

impl Writer<'_> {
    fn result(&self, finding: &Finding, rule: usize, fingerprint: String) -> Value {
        let Story { ending, rows, .. } = &finding.story;
        let mut result = json!({
            "ruleId": finding.property,
            "ruleIndex": rule,
            "kind": "fail",
            "level": "error",
            "message": { "text": ending.sentence },
            "locations": [self.location(&finding.spot().place, None)],
            "partialFingerprints": { "braidViolation/v1": fingerprint },
        });
        let others = finding.others().iter().enumerate().map(|(number, spot)| {
            let mut location = self.location(&spot.place, Some(finding.label(spot)));
            location["id"] = json!(number + 1);
            location
        });
        let others: Vec<Value> = others.collect();
        if !others.is_empty() {
            result["relatedLocations"] = json!(others);
        }
        if !rows.is_empty() {
            result["codeFlows"] = json!([self.flow(finding)]);
        }
        result
    }

    fn location(&self, place: &Place, message: Option<&str>) -> Value {
        let mut location = json!({ "physicalLocation": self.physical(place) });
        if let Some(message) = message {
            location["message"] = json!({ "text": message });
        }
        location
    }

    fn physical(&self, place: &Place) -> Value {
        json!({ "artifactLocation": self.artifact(&place.file), "region": region(place) })
    }

    fn artifact(&self, file: &str) -> Value {
        let path = Path::new(file);
        let path = path.strip_prefix(&self.outcome.folder).unwrap_or(path);
        match path.is_absolute() {
            true => json!({ "uri": uri::of_path(path) }),
            false => json!({ "uri": uri::encoded(path.strip_prefix(".").unwrap_or(path)), "uriBaseId": ROOT }),
        }
    }

    /// The execution: one flow for each thread, and numbers that say in which order things happen.
    fn flow(&self, finding: &Finding) -> Value {
        let story = &finding.story;
        let spots = &story.ending.spots;
        let is_spot =
            |row: &Row| spots.iter().any(|spot| spot.thread == row.thread && spot.place.line == row.place.line);
        let last = story.rows.len().saturating_sub(1);
        let threads = story.rows.iter().map(|row| row.thread).max().map_or(0, |most| most + 1);
        let mut flows: Vec<Vec<Value>> = vec![Vec::new(); threads];
        for (index, row) in story.rows.iter().enumerate() {
            let importance = match row.matters {
                true if index == last || is_spot(row) => "essential",
                true => "important",
                false => "unimportant",
            };
            flows[row.thread].push(self.step(row, index, importance));
        }
        let flows = flows.into_iter().enumerate().filter(|(_, locations)| !locations.is_empty());
        let flows = flows.map(|(number, locations)| {
            let name = thread(story, number);
            json!({ "id": name, "message": { "text": format!("thread {name}") }, "locations": locations })
        });
        json!({ "message": { "text": story.ending.title }, "threadFlows": flows.collect::<Vec<_>>() })
    }

    fn step(&self, row: &Row, index: usize, importance: &str) -> Value {
        let text = words(row);
        let text = if text.trim().is_empty() { "(a step)" } else { text.as_str() };
        let mut location = self.location(&row.place, Some(text));
        if !row.function.is_empty() {
            location["logicalLocations"] = json!([{ "name": row.function, "kind": "function" }]);
        }
        let mut step = json!({ "location": location, "executionOrder": index + 1, "importance": importance });
        let kinds = kinds(row.kind);
        if !kinds.is_empty() {
            step["kinds"] = json!(kinds);
        }
        if !row.changes.is_empty() {
            let state = row.changes.iter().map(|change| (change.name.clone(), json!({ "text": change.value })));
            step["state"] = Value::Object(state.collect::<Map<_, _>>());
        }
        step
    }

    fn invocation(&self) -> Value {
        let status = self.outcome.status();
        let seconds = self.outcome.result.map_or(0.0, |document| document.time.total).ceil() as u64;
        let notifications = match self.outcome.result {
            Ok(document) => self.remarks(document),
            Err(failure) => self.errors(failure),
        };
        json!({
            "executionSuccessful": self.outcome.result.is_ok(),
            "exitCode": status as u8,
            "exitCodeDescription": described(status),
            "commandLine": format!("braid {}", self.outcome.options.join(" ")),
            "arguments": self.outcome.options,
            "startTimeUtc": utc(self.outcome.now.saturating_sub(seconds)),
            "endTimeUtc": utc(self.outcome.now),
            "workingDirectory": { "uri": format!("{}/", uri::of_path(&self.outcome.folder)) },
            "toolExecutionNotifications": notifications,
        })
    }

    /// What is open, what the verdict relies on, and what else there is to know.
    fn remarks(&self, document: &Document) -> Vec<Value> {
        let open = |property: &str, reason: &Option<String>| {
            let reason = reason.as_deref().unwrap_or("no reason is known");
            let mut said = json!({ "level": "warning", "message": { "text": format!("{property} is unknown: {reason}") }, "descriptor": { "id": "unknown" } });
            if Check::of_name(property).is_some() {
                said["associatedRule"] = json!({ "id": property });
            }
            said
        };
        let mut said: Vec<Value> = match document.checks.is_empty() {
            true if document.verdict == "unknown" => vec![open(&document.property, &document.reason)],
            true => Vec::new(),
            false => document
                .checks
                .iter()
                .filter(|check| check.verdict == "unknown")
                .map(|check| open(&check.property, &check.reason))
                .collect(),
        };
        for (what, lines) in [("assumed", &document.assumptions), ("note", &document.notes)] {
            said.extend(lines.iter().map(|line| {
                json!({ "level": "note", "message": { "text": format!("{what}: {line}") }, "descriptor": { "id": what } })
            }));
        }
        said
    }

    fn errors(&self, failure: &Failure) -> Vec<Value> {
        let said = rejections(&failure.message).into_iter().map(|one| {
            let hint = one.hint.map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
            let mut said = json!({ "level": "error", "message": { "text": format!("{}{hint}", one.message) }, "descriptor": { "id": "error" } });
            if let Some(place) = &one.place {
                said["locations"] = json!([self.location(place, None)]);
            }
            said
        });
        said.collect()
    }
}

/// The region of a place; without an end where that is not known.
fn region(place: &Place) -> Value {
    let mut region = json!({ "startLine": place.line.max(1), "startColumn": place.column.max(1) });
    if (place.end_line, place.end_column) > (place.line, place.column) {
        region["endLine"] = json!(place.end_line);
        region["endColumn"] = json!(place.end_column);
    }
    region
}

/// The kinds of a step, of those that SARIF suggests.
fn kinds(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Statement => &[],
        Kind::Test => &["branch"],
        Kind::Call => &["call", "function", "enter"],
        Kind::Return => &["return", "function", "exit"],
        Kind::Start => &["call", "thread", "enter"],
        Kind::Join => &["thread", "exit"],
        Kind::Lock => &["acquire", "lock"],
        Kind::Unlock => &["release", "lock"],
        Kind::Wait => &["wait"],
        Kind::Wake => &["wake"],
    }
}

fn described(status: Status) -> &'static str {
    match status {
        Status::Safe => "safe",
        Status::Refused => "refused",
        Status::Usage => "wrong usage",
        Status::Rejected => "input rejected",
        Status::Unsafe => "unsafe",
        Status::Unknown => "unknown",
        Status::Internal => "internal error",
        Status::Output => "the answer cannot be written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;
    use std::path::PathBuf;

    fn outcome<'a>(result: Result<&'a Document, &'a Failure>) -> Outcome<'a> {
        Outcome {
            file: "a b.c",
            properties: vec!["no-data-race"],
            result,
            options: vec!["verify".into(), "a b.c".into()],
            now: 86_400,
            folder: PathBuf::from("/home/me"),
        }
    }

    fn run(result: Result<&Document, &Failure>, text: &str) -> Value {
        let written = sarif(&outcome(result), &mut Texts::with("a b.c", text));
        let log: Value = serde_json::from_str(&written).expect("JSON");
        log["runs"][0].clone()
    }

    #[test]
    fn a_race_has_two_places_and_two_threads() {
        let run = run(Ok(&fixture::document()), fixture::TEXT);
        let result = &run["results"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap_or(99) as usize]["id"],
            "no-data-race"
        );
        assert_eq!(result["level"], "error");
        assert_eq!(
            result["locations"][0]["physicalLocation"],
            json!({
                "artifactLocation": { "uri": "a%20b.c", "uriBaseId": "SRCROOT" },
                "region": { "startLine": 8, "startColumn": 5, "endLine": 8, "endColumn": 10 },
            })
        );
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "writes x, too");
        let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("flows");
        let order = |flow: &Value| -> Vec<u64> {
            let steps = flow["locations"].as_array().expect("steps");
            steps.iter().map(|step| step["executionOrder"].as_u64().unwrap_or_default()).collect()
        };
        assert_eq!(flows.iter().map(order).collect::<Vec<_>>(), [vec![1, 4], vec![2, 3]]);
        assert_eq!(flows[1]["locations"][1]["state"], json!({ "x": { "text": "1" } }));
        assert_eq!(flows[1]["locations"][0]["importance"], "unimportant");
    }

    #[test]
    fn what_is_open_or_assumed_is_a_notification() {
        let run = run(Ok(&fixture::document()), fixture::TEXT);
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["exitCode"], 10);
        assert_eq!(invocation["startTimeUtc"], "1970-01-01T23:59:58Z");
        let said = invocation["toolExecutionNotifications"].as_array().expect("notifications");
        let told: Vec<&str> = said.iter().filter_map(|one| one["message"]["text"].as_str()).collect();
        assert_eq!(
            told,
            ["no-deadlock is unknown: timeout", "assumed: starting threads succeeds", "note: nothing reaches the end"]
        );
    }

    #[test]
    fn fingerprints_stay_when_lines_move() {
        let print = |text: &str, lines: usize| {
            let mut document = fixture::document();
            for spot in &mut document.checks[2].stories[0].ending.spots {
                spot.place.line += lines;
            }
            run(Ok(&document), text)["results"][0]["partialFingerprints"]["braidViolation/v1"].clone()
        };
        let first = print(fixture::TEXT, 0);
        assert_eq!(print(&format!("\n\n{}", fixture::TEXT), 2), first);
        assert_ne!(print(&fixture::TEXT.replace("x = 2", "x = 3"), 0), first);
    }

    /// `scripts/test-formats` validates what is written here.
    #[test]
    fn written_for_others_to_validate() {
        if let Some(folder) = std::env::var_os("BRAID_FORMATS").map(PathBuf::from) {
            let (document, mut texts) = (fixture::document(), Texts::with("a b.c", fixture::TEXT));
            let text = serde_json::to_string(&document).expect("JSON");
            std::fs::write(folder.join("fixture.json"), text).expect("written");
            std::fs::write(folder.join("fixture.sarif"), sarif(&outcome(Ok(&document)), &mut texts)).expect("written");
            std::fs::write(folder.join("fixture.xml"), crate::formats::junit::junit(&outcome(Ok(&document))))
                .expect("written");
        }
    }

    #[test]
    fn rejected_inputs() {
        let failure = Failure::rejected("/home/me/d/a.c:1:2: error: no\n  x\n   ^\nhint: yes\n");
        let run = run(Err(&failure), "");
        assert_eq!(run["results"], json!([]));
        let invocation = &run["invocations"][0];
        assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&json!(false), &json!(3)));
        let said = &invocation["toolExecutionNotifications"][0];
        assert_eq!(said["message"]["text"], "no (hint: yes)");
        assert_eq!(said["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "d/a.c");
    }
}
