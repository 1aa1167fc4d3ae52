//! Results as machines read them: real ones fit the schema, and the schema, the documentation and the code name the same fields.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The files with the types that are written.
const SOURCES: [&str; 7] = [
    "src/document/mod.rs",
    "src/document/reading.rs",
    "src/document/execution.rs",
    "src/story/mod.rs",
    "src/queries.rs",
    "src/facts.rs",
    "src/progress.rs",
];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    let text = fs::read_to_string(crate_folder().join("../../docs/result.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// The fields of all types that are written, by type.
fn fields() -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in SOURCES {
        let text = fs::read_to_string(crate_folder().join(source)).expect("a source file");
        let (mut is_written, mut current, mut renamed) = (false, None, None);
        for line in text.lines().take_while(|line| *line != "#[cfg(test)]") {
            if line.starts_with("#[derive") {
                is_written = line.contains("Serialize");
            } else if let Some(name) = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_suffix(" {")) {
                current = is_written.then(|| name.to_owned());
            } else if line == "}" {
                current = None;
            } else if let Some((_, rest)) = line.split_once("rename = \"") {
                renamed = rest.split('"').next().map(str::to_owned);
            } else if let (Some(name), Some((field, _))) =
                (&current, line.strip_prefix("    pub ").and_then(|rest| rest.split_once(": ")))
            {
                all.entry(name.clone()).or_default().insert(renamed.take().unwrap_or_else(|| field.to_owned()));
            }
        }
    }
    all
}

#[test]
fn every_field_is_in_the_schema_and_nothing_else() {
    let (schema, fields) = (schema(), fields());
    assert!(fields["Document"].contains("story") && fields["StoredExecution"].contains("loop"), "{fields:?}");
    let known: BTreeMap<String, BTreeSet<String>> = (schema["$defs"].as_object().expect("definitions").iter())
        .filter_map(|(name, definition)| {
            Some((name.clone(), definition["properties"].as_object()?.keys().cloned().collect()))
        })
        .collect();
    assert_eq!(known, fields);
}

#[test]
fn every_field_is_documented() {
    let text = fs::read_to_string(crate_folder().join("../../docs/json.md")).expect("the page");
    // Every second piece is between backticks.
    let code = text.split('`').skip(1).step_by(2);
    let words: BTreeSet<&str> = code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    let missing: Vec<String> = (fields().into_iter())
        .flat_map(|(name, fields)| fields.into_iter().map(move |field| (name.clone(), field)))
        .filter(|(_, field)| !words.contains(field.as_str()))
        .map(|(name, field)| format!("{name}.{field}"))
        .collect();
    assert!(missing.is_empty(), "not in docs/json.md: {missing:?}");
}

/// What is wrong with a value, by the words of JSON Schema that `docs/result.schema.json` uses. Fields that it does not know are
/// wrong here, too.
fn wrong(value: &Value, schema: &Value, all: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (word, told) in schema.as_object().expect("a schema is an object") {
        let holds = match word.as_str() {
            "$ref" => {
                let name = told.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a definition");
                found.extend(wrong(value, &all["$defs"][name], all, at));
                true
            }
            "type" => match told.as_array() {
                Some(names) => names.iter().any(|name| is_a(value, name)),
                None => is_a(value, told),
            },
            "const" => value == told,
            "enum" => told.as_array().is_some_and(|list| list.contains(value)),
            "minimum" => value.as_f64() >= told.as_f64(),
            "minItems" => value.as_array().map(Vec::len) >= told.as_u64().map(|count| count as usize),
            "maxItems" => value.as_array().map(Vec::len) <= told.as_u64().map(|count| count as usize),
            "required" => {
                let mut names = told.as_array().into_iter().flatten().filter_map(Value::as_str);
                names.all(|name| value.get(name).is_some())
            }
            "anyOf" => {
                told.as_array().is_some_and(|cases| cases.iter().any(|case| wrong(value, case, all, at).is_empty()))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.for_each(|(number, item)| found.extend(wrong(item, told, all, &format!("{at}[{number}]"))));
                true
            }
            "properties" | "additionalProperties" => {
                for (name, inner) in value.as_object().into_iter().flatten() {
                    let at = format!("{at}.{name}");
                    match (word.as_str(), told.get(name)) {
                        ("properties", None) => found.push(format!("{at} is not known")),
                        ("properties", Some(told)) => found.extend(wrong(inner, told, all, &at)),
                        _ => found.extend(wrong(inner, told, all, &at)),
                    }
                }
                true
            }
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            other => panic!("this test does not know `{other}`"),
        };
        if !holds {
            found.push(format!("{at} violates {word}: {told}"));
        }
    }
    found
}

fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

/// Runs the command in a folder of the test's own, and checks its status.
fn braid(arguments: &[&str], status: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(arguments).current_dir(folder()).stdin(Stdio::null()).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
    fs::create_dir_all(&folder).expect("a folder for files");
    folder
}

fn file(name: &str, text: &str) -> String {
    fs::write(folder().join(name), text).expect("a file can be written");
    name.to_owned()
}

const RACE: &str = "\
#include <pthread.h>
int x;
void *worker(void *unused) { x = 1; return NULL; }
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 2;
    return 0;
}
";

#[test]
fn real_results_fit_the_schema() {
    let (schema, examples) = (schema(), crate_folder().join("../../examples"));
    let example = |name: &str| examples.join(name).to_string_lossy().into_owned();
    let race = file("race.c", RACE);
    for (arguments, status) in [
        (vec!["verify", &race], 10),
        (vec!["verify", &race, "--all", "--property", "no-data-race,no-deadlock"], 10),
        (
            vec!["verify", &race, "--property", "unreach-call", "-I", ".", "-D", "N=1", "--setup", "", "--args", "a b"],
            0,
        ),
        (vec!["verify", &example("handoff.wvr")], 0),
        (vec!["verify", &example("lost-update.wvr")], 10),
        (vec!["verify", &example("spawn-workers.braid"), "--engine", "parametric"], 0),
        (vec!["verify", &example("handoff.wvr"), "--engine", "modular"], 0),
        (vec!["verify", &example("peterson.wvr"), "--timeout", "1ms"], 20),
    ] {
        let arguments: Vec<&str> = arguments.into_iter().chain(["--json", "-"]).collect();
        let said = braid(&arguments, status);
        let result: Value = serde_json::from_str(said.lines().next().unwrap_or_default()).expect("JSON");
        let errors = wrong(&result, &schema, &schema, "");
        assert!(errors.is_empty(), "{arguments:?}: {errors:?}");
        assert_eq!(result["options"], serde_json::json!(arguments));
        assert_eq!(result["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema();
    let check = |story: Value, expected: &[&str]| {
        let all = wrong(&story, &schema["$defs"]["Row"], &schema, "row");
        assert_eq!(all, expected);
    };
    let place = serde_json::json!({ "file": "a.c", "line": 1, "column": 1, "end_line": 1, "end_column": 2 });
    let row = serde_json::json!({ "thread": 0, "kind": "lock", "place": place, "text": "x", "matters": true });
    check(row.clone(), &[]);
    let mut other = row.clone();
    other["hello"] = 1.into();
    check(other, &["row.hello is not known"]);
    let mut other = row.clone();
    other["kind"] = "sleep".into();
    assert_eq!(wrong(&other, &schema["$defs"]["Row"], &schema, "row").len(), 1);
    let mut other = row;
    other["place"]["line"] = "1".into();
    assert!(!wrong(&other, &schema["$defs"]["Row"], &schema, "row").is_empty());
}

#[test]
fn reports_are_written_whatever_happens() {
    let (race, bad) = (file("race2.c", RACE), file("bad.c", "int main(void) { return ; }}\n"));
    for (name, status, results) in [(race.as_str(), 10, 1), (bad.as_str(), 3, 0), ("none.c", 3, 0)] {
        let (sarif, junit) = (format!("{name}.sarif"), format!("{name}.xml"));
        braid(&["verify", name, "--quiet", "--sarif", &sarif, "--junit", &junit], status);
        let log: Value = serde_json::from_slice(&fs::read(folder().join(sarif)).expect("a report")).expect("JSON");
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], status);
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(results), "{name}");
        let text = fs::read_to_string(folder().join(junit)).expect("a report");
        assert_eq!(text.contains("errors=\"0\""), status != 3, "{text}");
    }
    braid(&["verify", &race, "--sarif", "/does/not/exist"], 2);
}

#[test]
fn files_for_code_hosts_are_yaml_and_call_the_script() {
    for name in ["github/braid.yml", "gitlab/.gitlab-ci.yml"] {
        let text = fs::read_to_string(crate_folder().join("../../contrib").join(name)).expect("a file");
        assert!(yaml_rust2::YamlLoader::load_from_str(&text).is_ok_and(|pages| pages.len() == 1), "{name}");
        assert!(text.contains("/braid-changed \""), "{name}");
    }
}

#[test]
fn changed_files_are_verified() {
    let folder = folder().join("repository");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let output = Command::new("git").args(identity).args(arguments).current_dir(&folder).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        eprintln!("skipped: there is no git");
        return;
    }
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file can be written");
    write("old.c", RACE);
    write("fine one.c", RACE);
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "first"]));
    write("fine one.c", &RACE.replace("x = 2;", "pthread_join(t, NULL);"));
    write("part.c", "int f(void) { return 1; }\n");
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "second"]));
    let changed = |base: &str| {
        let script = fs::canonicalize(crate_folder().join("../../contrib/ci/braid-changed")).expect("the script");
        let reports = folder.join("reports");
        let _ = fs::remove_dir_all(&reports);
        let mut command = Command::new(script);
        command
            .args([base, "reports", "--timeout", "60s"])
            .env("BRAID", env!("CARGO_BIN_EXE_braid"))
            .current_dir(&folder);
        let output = command.output().expect("the script runs");
        let count = fs::read_dir(&reports).expect("reports").flatten();
        let count = count.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "sarif")).count();
        (output.status.code(), count, String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, count, said) = changed("HEAD~1");
    assert_eq!((status, count, said.as_str()), (Some(0), 1, "fine one.c: verdict: safe\n"));
    let (status, count, said) = changed("");
    assert_eq!((status, count), (Some(1), 2), "{said}");
    assert!(said.contains("old.c: verdict: unsafe (no-data-race)\n"), "{said}");
}
