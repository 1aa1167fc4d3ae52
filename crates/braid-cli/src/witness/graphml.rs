//! Witnesses in GraphML, version 1.0: an automaton with an edge for each statement of the execution.

use super::Metadata;
use super::violation::{Event, Violation};
use std::fmt::Write;

/// The keys of nodes that are false where nothing is said.
const FLAGS: [&str; 2] = ["entry", "violation"];

/// The keys of edges and of the graph.
const EDGE_KEYS: [&str; 10] = [
    "startline",
    "endline",
    "startoffset",
    "endoffset",
    "threadId",
    "createThread",
    "enterFunction",
    "assumption",
    "assumption.scope",
    "assumption.resultfunction",
];
const GRAPH_KEYS: [&str; 8] = [
    "witness-type",
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "architecture",
    "creationtime",
];

/// A violation as a chain of statements.
pub fn violation(violation: &Violation, metadata: &Metadata) -> String {
    let mut out = header("violation_witness", metadata);
    let target = violation.targets.first();
    let is_last =
        |event: &Event| target.is_some_and(|target| event.thread == target.thread && event.place == target.place);
    let has_end = violation.events.last().is_some_and(is_last);
    let end = target.filter(|_| !has_end);
    let nodes = violation.events.len() + usize::from(end.is_some());
    node(&mut out, 0, "entry");
    (1..nodes).for_each(|number| node(&mut out, number, ""));
    node(&mut out, nodes, "violation");
    let mut seen: Vec<usize> = Vec::new();
    for (number, event) in violation.events.iter().enumerate() {
        let mut told = place(&event.place, event.thread);
        if !seen.contains(&event.thread) {
            seen.push(event.thread);
            told.push(("enterFunction", event.place.function.clone()));
        }
        told.extend(event.starts.map(|started| ("createThread", started.to_string())));
        told.extend(assumption(event));
        edge(&mut out, number, &told);
    }
    if let Some(target) = end {
        edge(&mut out, nodes - 1, &place(&target.place, target.thread));
    }
    out + "  </graph>\n</graphml>\n"
}

/// A proof, of which this format has no more to say than that there is one.
pub fn correctness(metadata: &Metadata) -> String {
    let mut out = header("correctness_witness", metadata);
    node(&mut out, 0, "entry");
    out + "  </graph>\n</graphml>\n"
}

/// What holds after a statement: the inputs that it got.
fn assumption(event: &Event) -> Vec<(&'static str, String)> {
    let Some(input) = event.inputs.first() else { return Vec::new() };
    let scope = ("assumption.scope", event.place.function.clone());
    match (&input.variable, event.inputs.len()) {
        (Some((variable, value)), 1) => vec![("assumption", format!("{variable} == {value};")), scope],
        // There is one result to speak of.
        _ => vec![
            ("assumption", format!("\\result == {};", input.value)),
            scope,
            ("assumption.resultfunction", input.function.clone()),
        ],
    }
}

fn place(place: &super::place::Place, thread: usize) -> Vec<(&'static str, String)> {
    vec![
        ("startline", place.first.line.to_string()),
        ("endline", place.last.line.to_string()),
        ("startoffset", place.characters.start.to_string()),
        ("endoffset", place.characters.end.saturating_sub(1).to_string()),
        ("threadId", thread.to_string()),
    ]
}

fn header(kind: &str, metadata: &Metadata) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    let mut key = |name: &str, of: &str, default: &str| {
        let _ = writeln!(out, "  <key attr.name=\"{name}\" attr.type=\"string\" for=\"{of}\" id=\"{name}\"{default}");
    };
    FLAGS.iter().for_each(|name| key(name, "node", "><default>false</default></key>"));
    EDGE_KEYS.iter().for_each(|name| key(name, "edge", "/>"));
    GRAPH_KEYS.iter().for_each(|name| key(name, "graph", "/>"));
    out += "  <graph edgedefault=\"directed\">\n";
    let (file, hash) = metadata.files.first().map_or(("", ""), |(name, hash)| (name.as_str(), hash.as_str()));
    let architecture = if metadata.data_model == "LP64" { "64bit" } else { "32bit" };
    let producer = concat!("Braid ", env!("CARGO_PKG_VERSION"));
    let mut told = vec![("witness-type", kind), ("sourcecodelang", "C"), ("producer", producer)];
    told.extend(metadata.specification.iter().map(|formula| ("specification", formula.as_str())));
    told.extend([("programfile", file), ("programhash", hash), ("architecture", architecture)]);
    told.push(("creationtime", &metadata.time));
    told.iter().for_each(|(name, value)| data(&mut out, "    ", name, value));
    out
}

fn node(out: &mut String, number: usize, flag: &str) {
    if flag.is_empty() {
        let _ = writeln!(out, "    <node id=\"N{number}\"/>");
        return;
    }
    let _ = writeln!(out, "    <node id=\"N{number}\">");
    data(out, "      ", flag, "true");
    *out += "    </node>\n";
}

fn edge(out: &mut String, from: usize, told: &[(&'static str, String)]) {
    let _ = writeln!(out, "    <edge source=\"N{from}\" target=\"N{}\">", from + 1);
    told.iter().for_each(|(name, value)| data(out, "      ", name, value));
    *out += "    </edge>\n";
}

fn data(out: &mut String, indent: &str, name: &str, value: &str) {
    let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(out, "{indent}<data key=\"{name}\">{escaped}</data>");
}
