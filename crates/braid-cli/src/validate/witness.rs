//! Witnesses as they are read: YAML 2.x with its entries, GraphML 1.0 as a chain of edges.

use crate::witness::Format;
use crate::yaml;
use roxmltree::{Document, Node};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// What a witness says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The property, as it is written there.
    pub specification: String,
    /// `ILP32` or `LP64`, if it is said.
    pub data_model: Option<String>,
    /// The hashes of the program's files.
    pub hashes: Vec<String>,
    pub claim: Claim,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Segments are passed one after the other; the last one is the violation.
    Violation(Vec<Segment>),
    /// What holds where.
    Correctness(Vec<Invariant>),
}

/// What is passed together: one waypoint, or two targets of a data race. While it is waited for, some are to be avoided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Segment {
    pub follow: Vec<Waypoint>,
    pub avoid: Vec<Waypoint>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: Kind,
    /// The thread that passes it, if that is said.
    pub thread: Option<usize>,
    pub location: Location,
    /// Empty if there is none.
    pub constraint: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
    /// An assumption about the state after the statement: edges of GraphML have these.
    #[serde(skip)]
    After,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Location {
    pub line: usize,
    pub column: Option<usize>,
    /// The character of the text instead, counted from 0, where GraphML says it.
    #[serde(skip)]
    pub offset: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub is_loop: bool,
    pub location: Location,
    pub value: String,
}

/// Reads a witness; or says what is wrong with it.
pub fn read(path: &Path, text: &str) -> Result<Witness, String> {
    match Format::of(path) {
        Some(Format::GraphMl) => graphml(text),
        Some(Format::Yaml) => of_yaml(text),
        None => Err("the name of a witness ends in .yml, .yaml or .graphml".to_owned()),
    }
}

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    content: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: String,
    task: Task,
}

#[derive(Deserialize)]
struct Task {
    specification: String,
    data_model: Option<String>,
    #[serde(default)]
    input_file_hashes: HashMap<String, String>,
}

#[derive(Deserialize)]
struct SegmentEntry {
    segment: Vec<WaypointEntry>,
}

#[derive(Deserialize)]
struct WaypointEntry {
    waypoint: WaypointContent,
}

#[derive(Deserialize)]
struct WaypointContent {
    #[serde(rename = "type")]
    kind: Kind,
    action: String,
    thread_id: Option<usize>,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
struct Constraint {
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct InvariantEntry {
    invariant: InvariantContent,
}

#[derive(Deserialize)]
struct InvariantContent {
    #[serde(rename = "type")]
    kind: String,
    location: Location,
    value: serde_json::Value,
}

fn of_yaml(text: &str) -> Result<Witness, String> {
    let entries: Vec<Entry> = serde_json::from_value(yaml::read(text)?).map_err(|error| error.to_string())?;
    let first = entries.first().ok_or("it has no entries")?;
    if !["2.0", "2.1", "2.2"].contains(&first.metadata.format_version.as_str()) {
        return Err(format!("version {} of the format is not known", first.metadata.format_version));
    }
    let Task { specification, data_model, input_file_hashes } = &first.metadata.task;
    let (specification, data_model) = (specification.clone(), data_model.clone());
    let hashes = input_file_hashes.values().cloned().collect();
    let content = first.content.clone().filter(|content| !content.is_null()).unwrap_or(serde_json::json!([]));
    let claim = match (first.entry_type.as_str(), entries.len()) {
        ("violation_sequence", 1) => Claim::Violation(segments(content)?),
        ("invariant_set", 1) => Claim::Correctness(invariants(content)?),
        (other, 1) => return Err(format!("an entry {other} is not supported")),
        _ => return Err("several entries are not supported".to_owned()),
    };
    Ok(Witness { specification, data_model, hashes, claim })
}

fn segments(content: serde_json::Value) -> Result<Vec<Segment>, String> {
    let entries: Vec<SegmentEntry> = serde_json::from_value(content).map_err(|error| error.to_string())?;
    let mut segments = Vec::new();
    for SegmentEntry { segment } in entries {
        let mut read = Segment::default();
        for WaypointEntry { waypoint: WaypointContent { kind, action, thread_id, location, constraint } } in segment {
            let constraint = constraint.map(|constraint| plain(&constraint.value)).unwrap_or_default();
            let waypoint = Waypoint { kind, thread: thread_id, location, constraint };
            match action.as_str() {
                "follow" => read.follow.push(waypoint),
                "avoid" => read.avoid.push(waypoint),
                other => return Err(format!("an action {other} is not known")),
            }
        }
        segments.push(read);
    }
    let is_target = |waypoint: &Waypoint| waypoint.kind == Kind::Target;
    let Some((last, others)) = segments.split_last() else { return Err("there are no segments".to_owned()) };
    if last.follow.is_empty() || !last.follow.iter().all(is_target) {
        return Err("the last segment is no target".to_owned());
    }
    if others.iter().any(|segment| segment.follow.len() != 1 || segment.follow.iter().any(is_target)) {
        return Err("a segment has not one waypoint to follow".to_owned());
    }
    Ok(segments)
}

fn invariants(content: serde_json::Value) -> Result<Vec<Invariant>, String> {
    let entries: Vec<InvariantEntry> = serde_json::from_value(content).map_err(|error| error.to_string())?;
    let invariant = |InvariantEntry { invariant: InvariantContent { kind, location, value } }: InvariantEntry| {
        let value = plain(&value);
        match kind.as_str() {
            "loop_invariant" => Ok(Invariant { is_loop: true, location, value }),
            "location_invariant" => Ok(Invariant { is_loop: false, location, value }),
            other => Err(format!("an invariant of type {other} is not supported")),
        }
    };
    entries.into_iter().map(invariant).collect()
}

/// A value that may look like a number or a truth value.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn graphml(text: &str) -> Result<Witness, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let graph = document.descendants().find(|node| node.has_tag_name("graph")).ok_or("there is no graph")?;
    let specification: Vec<String> = all_data(graph, "specification");
    let data_model =
        data(graph, "architecture").map(|width| if width == "64bit" { "LP64" } else { "ILP32" }.to_owned());
    let hashes = all_data(graph, "programhash");
    let claim = match data(graph, "witness-type").as_deref() {
        Some("violation_witness") => Claim::Violation(chain(graph)?),
        Some("correctness_witness") => Claim::Correctness(Vec::new()),
        _ => return Err("there is no type of the witness".to_owned()),
    };
    Ok(Witness { specification: specification.join("\n"), data_model, hashes, claim })
}

/// The edges from the entry to the violation. Those that say nothing of inputs and threads are left to the program.
fn chain(graph: Node<'_, '_>) -> Result<Vec<Segment>, String> {
    let is_flagged = |node: Node<'_, '_>, key: &str| data(node, key).as_deref() == Some("true");
    let nodes = || graph.children().filter(|node| node.has_tag_name("node"));
    let named = |node: Node<'_, '_>| node.attribute("id").unwrap_or_default().to_owned();
    let sinks: Vec<String> = nodes().filter(|&node| is_flagged(node, "sink")).map(named).collect();
    let mut at = nodes().find(|&node| is_flagged(node, "entry")).map(named).ok_or("there is no entry")?;
    let end = nodes().find(|&node| is_flagged(node, "violation")).map(named).ok_or("there is no violation")?;
    let mut edges: HashMap<&str, Vec<Node<'_, '_>>> = HashMap::new();
    for edge in graph.children().filter(|node| node.has_tag_name("edge")) {
        if !sinks.iter().any(|sink| edge.attribute("target") == Some(sink)) {
            edges.entry(edge.attribute("source").unwrap_or_default()).or_default().push(edge);
        }
    }
    let (mut segments, mut threads, mut last) = (Vec::new(), vec![], None);
    for _ in 0..=edges.len() {
        if at == end {
            let target = last.ok_or("the violation has no place")?;
            segments.push(Segment { follow: vec![target], avoid: Vec::new() });
            return Ok(segments);
        }
        let [edge] = edges.get(at.as_str()).map_or(&[][..], Vec::as_slice) else {
            return Err("it is not a single chain of edges".to_owned());
        };
        at = edge.attribute("target").unwrap_or_default().to_owned();
        let number = |key: &str| data(*edge, key).and_then(|text| text.parse().ok());
        let Some(line) = number("startline") else { continue };
        let location = Location { line, column: None, offset: number("startoffset") };
        let id = data(*edge, "threadId");
        if threads.is_empty() {
            threads.push(id.clone().unwrap_or_default());
        }
        let thread = id.and_then(|id| threads.iter().position(|known| *known == id));
        let waypoint = |kind, constraint| Waypoint { kind, thread, location: location.clone(), constraint };
        last = Some(waypoint(Kind::Target, String::new()));
        if let Some(assumption) = data(*edge, "assumption") {
            let constraint = assumption.trim().trim_end_matches(';').replace(';', " && ");
            let kind = if constraint.contains("\\result") { Kind::FunctionReturn } else { Kind::After };
            segments.push(Segment { follow: vec![waypoint(kind, constraint)], avoid: Vec::new() });
        }
        if let Some(created) = data(*edge, "createThread") {
            segments.push(Segment { follow: vec![waypoint(Kind::FunctionEnter, String::new())], avoid: Vec::new() });
            threads.push(created);
        }
    }
    Err("the violation cannot be reached".to_owned())
}

fn data(node: Node<'_, '_>, key: &str) -> Option<String> {
    all_data(node, key).into_iter().next()
}

fn all_data(node: Node<'_, '_>, key: &str) -> Vec<String> {
    let is_data = |child: &Node<'_, '_>| child.has_tag_name("data") && child.attribute("key") == Some(key);
    node.children().filter(is_data).filter_map(|child| child.text()).map(|text| text.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize, told: &[(&str, &str)]) -> String {
        let told: String = told.iter().map(|(key, value)| format!("<data key=\"{key}\">{value}</data>")).collect();
        format!("<edge source=\"N{from}\" target=\"N{to}\">{told}</edge>")
    }

    fn graph(edges: &[String]) -> String {
        let node =
            |number: usize, flag: &str| format!("<node id=\"N{number}\"><data key=\"{flag}\">true</data></node>");
        format!(
            "<graphml><graph><data key=\"witness-type\">violation_witness</data>{}{}<node id=\"N1\"/><node id=\"N2\"/>{}</graph></graphml>",
            node(0, "entry"),
            node(3, "violation"),
            edges.concat()
        )
    }

    #[test]
    fn a_chain_of_edges_becomes_segments() {
        let edges = [
            edge(0, 1, &[("startline", "4"), ("threadId", "main"), ("createThread", "t7")]),
            edge(1, 2, &[("startline", "8"), ("threadId", "t7"), ("assumption", "x == 1;")]),
            edge(2, 3, &[("startline", "5"), ("threadId", "main")]),
        ];
        let Claim::Violation(segments) = graphml(&graph(&edges)).expect("a witness").claim else {
            panic!("a violation")
        };
        let told = |segment: &Segment| {
            let Waypoint { kind, thread, location, constraint } = &segment.follow[0];
            format!("{kind:?} {thread:?} {} {constraint}", location.line)
        };
        let told: Vec<String> = segments.iter().map(told).collect();
        assert_eq!(told, ["FunctionEnter Some(0) 4 ", "After Some(1) 8 x == 1", "Target Some(0) 5 "]);
        let branches = [edges[0].clone(), edge(0, 2, &[]), edges[2].clone()];
        assert_eq!(graphml(&graph(&branches)).err().as_deref(), Some("it is not a single chain of edges"));
        assert_eq!(graphml(&graph(&edges[..2])).err().as_deref(), Some("it is not a single chain of edges"));
    }

    #[test]
    fn what_is_no_witness_is_said() {
        let head = "- entry_type: violation_sequence\n  metadata: {format_version: '2.0', task: {specification: ''}}\n";
        let check = |text: &str, expected: &str| {
            let said = of_yaml(text).err().unwrap_or_default();
            assert!(said.contains(expected), "{text}: {said}");
        };
        check("[]", "it has no entries");
        check(&head.replace("2.0", "1.0"), "version 1.0 of the format is not known");
        check(head, "there are no segments");
        check(&head.replace("violation_sequence", "other"), "an entry other is not supported");
    }
}
