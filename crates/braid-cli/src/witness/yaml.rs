//! Witnesses in YAML, versions 2.0 to 2.2. Strings are quoted as in JSON, which is YAML, too.

use super::correctness::{Correctness, Invariant};
use super::place::{LineColumn, Place};
use super::violation::{Event, Violation};
use super::{Metadata, Version};
use std::fmt::Write;

/// One requirement on the way, or the end of it.
struct Waypoint<'v> {
    kind: &'static str,
    thread: usize,
    place: &'v Place,
    at: LineColumn,
    /// The value, and the language that it is in.
    constraint: Option<(String, &'static str)>,
}

/// A violation as a sequence of segments.
pub fn violation(violation: &Violation, metadata: &Metadata, version: Version) -> String {
    let mut out = header("violation_sequence", metadata, version);
    let mut segment = |waypoints: &[Waypoint<'_>]| {
        out += "  - segment:\n";
        waypoints.iter().for_each(|waypoint| write_waypoint(&mut out, waypoint, version));
    };
    for event in &violation.events {
        waypoints(event).iter().for_each(|waypoint| segment(std::slice::from_ref(waypoint)));
    }
    let targets = violation.targets.iter().map(|target| Waypoint {
        kind: "target",
        thread: target.thread,
        place: &target.place,
        at: target.place.first,
        constraint: None,
    });
    // Only with threads can a segment have two targets.
    let most = if version >= Version::V2_2 { 2 } else { 1 };
    segment(&targets.take(most).collect::<Vec<Waypoint<'_>>>());
    out
}

/// What an event asks for: the state before a turn, what is returned and started, and that the thread gets to where it stays.
fn waypoints(event: &Event) -> Vec<Waypoint<'_>> {
    let assumption = |place, holds: &[String]| {
        let value = if holds.is_empty() { "1".to_owned() } else { holds.join(" && ") };
        Waypoint {
            kind: "assumption",
            thread: event.thread,
            place,
            at: place.first,
            constraint: Some((value, "c_expression")),
        }
    };
    let mut found = Vec::new();
    let is_said = event.starts.is_some() || !event.inputs.is_empty();
    if event.begins_turn && event.is_begun && !(is_said && event.holds.is_empty()) {
        found.push(assumption(&event.place, &event.holds));
    }
    found.extend(event.inputs.iter().map(|input| Waypoint {
        kind: "function_return",
        thread: event.thread,
        place: &input.call,
        at: input.call.last,
        constraint: Some((format!("\\result == {}", input.value), "acsl_expression")),
    }));
    found.extend(event.starts.iter().map(|_| Waypoint {
        kind: "function_enter",
        thread: event.thread,
        place: event.call.as_ref().unwrap_or(&event.place),
        at: event.call.as_ref().map_or(event.place.first, |call| call.last),
        constraint: None,
    }));
    found.extend(event.stays.iter().map(|place| assumption(place, &[])));
    found
}

fn write_waypoint(out: &mut String, waypoint: &Waypoint<'_>, version: Version) {
    let Waypoint { kind, thread, place, at, constraint } = waypoint;
    let _ = writeln!(out, "    - waypoint:\n        type: {kind}\n        action: follow");
    if version >= Version::V2_2 {
        let _ = writeln!(out, "        thread_id: {thread}");
    }
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "        constraint:\n          value: {}\n          format: {format}", quoted(value));
    }
    write_location(out, place, *at, "        ");
}

fn write_location(out: &mut String, place: &Place, at: LineColumn, indent: &str) {
    let _ = writeln!(
        out,
        "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {}\n{indent}  column: {}\n{indent}  function: {}",
        quoted(&place.file),
        at.line,
        at.column,
        quoted(&place.function)
    );
}

/// A proof as a set of invariants.
pub fn correctness(correctness: &Correctness, metadata: &Metadata, version: Version) -> String {
    let mut out = header("invariant_set", metadata, version);
    if correctness.invariants.is_empty() {
        out = out.trim_end().to_owned() + " []\n";
    }
    for Invariant { is_loop, place, value } in &correctness.invariants {
        let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
        let _ = writeln!(out, "  - invariant:\n      type: {kind}");
        write_location(&mut out, place, place.first, "      ");
        let _ = writeln!(out, "      value: {}\n      format: c_expression", quoted(value));
    }
    out
}

fn header(entry: &str, metadata: &Metadata, version: Version) -> String {
    let Metadata { files, specification, data_model, time, command_line, uuid } = metadata;
    let names: String = files.iter().map(|(name, _)| format!("        - {}\n", quoted(name))).collect();
    let hashes: String =
        files.iter().map(|(name, hash)| format!("        {}: {}\n", quoted(name), quoted(hash))).collect();
    format!(
        "- entry_type: {entry}\n  metadata:\n    format_version: {}\n    uuid: {}\n    creation_time: {}\n    producer:\n      \
         name: \"Braid\"\n      version: {}\n      command_line: {}\n    task:\n      input_files:\n{names}      \
         input_file_hashes:\n{hashes}      specification: {}\n      data_model: {data_model}\n      language: C\n  content:\n",
        quoted(version.name()),
        quoted(uuid),
        quoted(time),
        quoted(env!("CARGO_PKG_VERSION")),
        quoted(command_line),
        quoted(&specification.join("\n")),
    )
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
