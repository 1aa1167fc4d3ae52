//! Witnesses: what is written into them, and whether Braid confirms or refutes them; tasks and answers of the competition.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file in this test's own folder, whose path is relative to that.
fn file(name: &str, content: &str) -> String {
    fs::create_dir_all(folder()).expect("a folder for files");
    fs::write(folder().join(name), content).expect("a file can be written");
    name.to_owned()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("witness")
}

/// Runs the command, checks its exit status, and gives what it said on standard output and standard error.
fn braid(arguments: &[&str], status: i32) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(arguments).current_dir(folder()).stdin(Stdio::null()).output().expect("the binary runs");
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{said}{errors}");
    (said, errors)
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

fn written(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a witness is there")
}

const HEADER: &str = "\
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *t, const void *a, void *(*f)(void *), void *x);
extern int pthread_join(pthread_t t, void **r);
extern int __VERIFIER_nondet_int(void);
void reach_error() {}
int x = 0;
";

/// One thread writes any number, the other one looks for 7. Lines count from the header's six.
const ANY: &str = "\
void *writer(void *arg) {
    x = __VERIFIER_nondet_int();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (x == 7)
        reach_error();
    return 0;
}
";

const RACE: &str = "\
void *first(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    x = 2;
    return 0;
}
";

const LOCKED_TWICE: &str = "\
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *m);
pthread_mutex_t m;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
";

/// The waypoints of a witness in YAML: their kinds, threads, places and constraints.
fn waypoints(text: &str) -> Vec<String> {
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.trim().strip_prefix(name));
        line.map(|value| value.trim().to_owned()).unwrap_or_default()
    };
    let parts = text.split("- waypoint:").skip(1);
    parts
        .map(|part| {
            let [kind, thread, line, column, value] =
                ["type:", "thread_id:", "line:", "column:", "value:"].map(|name| field(part, name));
            format!("{kind} {thread} {line}:{column} {value}").trim_end().to_owned()
        })
        .collect()
}

#[test]
fn a_violation_in_yaml() {
    let program = file("any.i", &format!("{HEADER}{ANY}"));
    let common = ["verify", &program, "--property", "unreach-call", "--quiet"];
    braid(&[&common[..], &["--witness", "any.yml", "--witness-version", "2.2"]].concat(), 10);
    let text = written("any.yml");
    for part in [
        "- entry_type: violation_sequence",
        "format_version: \"2.2\"",
        "specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"",
        "data_model: ILP32",
        "        - \"any.i\"",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let expected = [
        "function_enter 0 13:36",
        "function_return 1 8:31 \"\\\\result == 7\"",
        "assumption 1 9:5 \"1\"",
        "assumption 0 14:5 \"x == 7\"",
        "target 0 15:9",
    ];
    assert_eq!(waypoints(&text), expected);
    // Without threads, the places are the same.
    braid(&[&common[..], &["--witness", "any.yaml"]].concat(), 10);
    let plain = written("any.yaml");
    assert!(plain.contains("format_version: \"2.0\"") && !plain.contains("thread_id"));
    assert_eq!(waypoints(&plain).len(), expected.len());
}

#[test]
fn a_violation_in_graphml() {
    let program = file("any_graph.i", &format!("{HEADER}{ANY}"));
    braid(&["verify", &program, "--property", "unreach-call", "--witness", "any.graphml"], 10);
    let text = written("any.graphml");
    assert_eq!(edges_of(&text), ["13 0 1 ", "8 1  x == 7;", "14 0  ", "15 0  "]);
    assert!(text.contains("<data key=\"architecture\">32bit</data>"));
}

/// The edges of a witness: their lines, threads, new threads and assumptions.
fn edges_of(text: &str) -> Vec<String> {
    let field = |part: &str, name: &str| {
        let start = format!("<data key=\"{name}\">");
        let value = part.split_once(&start).and_then(|(_, rest)| rest.split_once("</data>"));
        value.map(|(value, _)| value.to_owned()).unwrap_or_default()
    };
    let edges = text.split("<edge ").skip(1);
    edges
        .map(|part| ["startline", "threadId", "createThread", "assumption"].map(|name| field(part, name)).join(" "))
        .collect()
}

#[test]
fn a_data_race_has_two_targets() {
    let program = file("race.i", &format!("{HEADER}{RACE}"));
    let common = ["verify", &program, "--property", "no-data-race", "--quiet", "--witness", "race.yml"];
    braid(&[&common[..], &["--witness-version", "2.2"]].concat(), 10);
    let targets =
        |text: &str| waypoints(text).into_iter().filter(|line| line.starts_with("target")).collect::<Vec<_>>();
    let mut both = targets(&written("race.yml"));
    both.sort();
    assert_eq!(both, ["target 0 11:5", "target 1 7:26"]);
    assert_eq!(last_line(&braid(&["validate", "race.yml", &program], 0).0), "witness: confirmed");
    braid(&common, 10);
    assert_eq!(targets(&written("race.yml")).len(), 1);
}

#[test]
fn own_witnesses_are_confirmed_and_wrong_ones_refuted() {
    let program = file("own.i", &format!("{HEADER}{ANY}"));
    for name in ["own.yml", "own.graphml"] {
        braid(&["verify", &program, "--property", "unreach-call", "--witness", name, "--witness-version", "2.2"], 10);
        assert_eq!(last_line(&braid(&["validate", name, &program], 0).0), "witness: confirmed", "{name}");
    }
    for (from, to) in [("result == 7", "result == 8"), ("\"x == 7\"", "\"x == 0\"")] {
        let wrong = file("wrong.yml", &written("own.yml").replace(from, to));
        let (said, _) = braid(&["validate", &wrong, &program], 10);
        assert_eq!(said, "No execution follows the witness to its target.\nwitness: refuted\n", "{to}");
    }
    let wrong = file("wrong.graphml", &written("own.graphml").replace("x == 7", "x == 8"));
    assert_eq!(braid(&["validate", &wrong, &program, "--quiet"], 10).0, "witness: refuted\n");
    // Other places are not the target.
    let wrong = file("elsewhere.yml", &written("own.yml").replace("line: 15\n", "line: 16\n"));
    assert_eq!(last_line(&braid(&["validate", &wrong, &program], 20).0), "witness: unknown");
    let (said, _) = braid(&["validate", "own.yml", &file("other.i", &format!("{HEADER}{ANY} "))], 0);
    assert!(said.contains("note: the hash in the witness is not that of the program"));
}

/// A correctness witness by hand.
fn invariants(content: &str) -> String {
    let task = "input_files: [sum.i]\n      specification: \"G ! call(reach_error())\"\n      data_model: ILP32";
    format!(
        "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n    task:\n      {task}\n  content:\n{content}"
    )
}

fn invariant(kind: &str, line: usize, value: &str) -> String {
    let place = format!("location: {{ file_name: sum.i, line: {line} }}");
    format!("  - invariant: {{ type: {kind}, {place}, value: \"{value}\", format: c_expression }}\n")
}

#[test]
fn invariants_are_checked() {
    let program = file(
        "sum.i",
        "void reach_error() {}\nint main(void) {\n  int i = 0, s = 0;\n  while (i < 5) {\n    s += 2;\n    i++;\n  }\n\
         if (s != 10)\n    reach_error();\n  return 0;\n}\n",
    );
    let holds = invariant("loop_invariant", 4, "s == 2 * i && i <= 5") + &invariant("location_invariant", 10, "i == 5");
    let (said, _) = braid(&["validate", &file("holds.yml", &invariants(&holds)), &program], 0);
    assert_eq!(last_line(&said), "witness: confirmed");
    // It holds at first, and then no more.
    let fails = holds + &invariant("loop_invariant", 4, "i < 5");
    let (said, _) = braid(&["validate", &file("fails.yml", &invariants(&fails)), &program], 10);
    assert!(said.starts_with("The invariant `i < 5` of line 4 does not hold.\n"), "{said}");
    let (said, _) = braid(&["validate", &file("none.yml", &invariants("")), &program], 0);
    assert_eq!(last_line(&said), "witness: confirmed");
    let (errors, _) =
        braid(&["validate", &file("names.yml", &invariants(&invariant("location_invariant", 5, "z"))), &program], 20);
    assert!(errors.contains("`z` is not declared"), "{errors}");
}

#[test]
fn a_proof_gives_a_witness() {
    let program = file("right.i", &format!("{HEADER}{}", ANY.replace("__VERIFIER_nondet_int()", "1")));
    for (name, kind) in [("right.yml", "entry_type: invariant_set"), ("right.graphml", "correctness_witness")] {
        let (said, _) = braid(&["verify", &program, "--property", "unreach-call", "--witness", name, "--svcomp"], 0);
        assert_eq!(last_line(&said), "true");
        assert!(written(name).contains(kind), "{name}");
        assert_eq!(last_line(&braid(&["validate", name, &program], 0).0), "witness: confirmed", "{name}");
    }
}

#[test]
fn facts_of_a_proof_become_invariants() {
    let program = file(
        "two.i",
        "typedef unsigned long int pthread_t;\ntypedef union { char size[40]; long align; } pthread_mutex_t;\n\
         extern int pthread_create(pthread_t *t, const void *a, void *(*f)(void *), void *x);\n\
         extern int pthread_mutex_lock(pthread_mutex_t *m);\nextern int pthread_mutex_unlock(pthread_mutex_t *m);\n\
         void reach_error() {}\nint inside;\npthread_mutex_t m;\nvoid *worker(void *a) {\n  while (1) {\n\
         pthread_mutex_lock(&m);\n    inside = inside + 1;\n    if (inside != 1)\n      reach_error();\n\
         inside = inside - 1;\n    pthread_mutex_unlock(&m);\n  }\n  return 0;\n}\n\
         int main() {\n  pthread_t t;\n  while (1)\n    pthread_create(&t, 0, worker, 0);\n}\n",
    );
    let common = ["verify", &program, "--property", "unreach-call", "--engine", "parametric", "--witness", "two.yml"];
    braid(&[&common[..], &["--no-fuse"]].concat(), 0);
    let text = written("two.yml");
    assert!(text.contains("location_invariant") && text.contains("(long long)inside"), "{text}");
    let (said, _) = braid(&["validate", "two.yml", &program, "--timeout", "60s"], 0);
    assert_eq!(last_line(&said), "witness: confirmed");
    // Between fused steps more holds than in C.
    braid(&common, 0);
    assert!(written("two.yml").ends_with("content: []\n"));
}

#[test]
fn no_old_witness_stays() {
    let program = file("old.i", &format!("{HEADER}{ANY}"));
    file("old.yml", "an old witness");
    braid(&["verify", &program, "--states", "1", "--engine", "explicit", "--witness", "old.yml"], 20);
    assert!(!folder().join("old.yml").exists());
}

#[test]
fn tasks_of_the_competition() {
    file("task.i", &format!("{HEADER}{ANY}"));
    file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let task = |properties: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'task.i'\nproperties:\n{properties}options: {{language: C, data_model: LP64}}\n"
        )
    };
    let unreach = "  - property_file: unreach-call.prp\n    expected_verdict: false\n";
    let termination = "  - property_file: ../properties/termination.prp\n";
    let both = file("both.yml", &task(&format!("{unreach}{termination}")));
    let (said, _) = braid(&["verify", &both, "--svcomp", "--witness", "task_witness.yml"], 10);
    assert_eq!(last_line(&said), "false(unreach-call)");
    assert!(written("task_witness.yml").contains("data_model: LP64"));
    let (said, _) = braid(&["verify", &both, "--svcomp", "--property", "no-data-race"], 10);
    assert_eq!(last_line(&said), "false(no-data-race)");
    let (_, errors) = braid(&["verify", &file("only.yml", &task(termination)), "--svcomp"], 3);
    assert_eq!(errors, "only.yml: none of its properties is supported\n");
    let (_, errors) = braid(&["verify", &file("bad.yml", "a: [1"), "--svcomp"], 3);
    assert!(errors.starts_with("bad.yml: this is no task definition: "), "{errors}");
    let (said, _) = braid(&["verify", &both, "--svcomp", "--states", "1", "--engine", "explicit"], 20);
    assert_eq!(last_line(&said), "unknown");
}

#[test]
fn what_cannot_be_done_is_said() {
    let program = file("said.i", &format!("{HEADER}{ANY}"));
    let (_, errors) = braid(&["verify", &program, "--witness", "said.txt"], 2);
    assert!(errors.contains("the name of a witness ends in .yml, .yaml or .graphml"), "{errors}");
    let (_, errors) = braid(&["verify", "-", "--witness", "said.yml"], 2);
    assert!(errors.contains("standard input has no name"), "{errors}");
    let (_, errors) = braid(&["verify", &program, "--engine", "run", "--svcomp"], 2);
    assert!(errors.contains("engine run has no --witness"), "{errors}");
    let (_, errors) = braid(&["validate", &file("empty.yml", ""), &program], 3);
    assert!(errors.starts_with("empty.yml: this is no witness: "), "{errors}");
    let (_, errors) = braid(&["validate", &file("no.graphml", "<graphml>"), &program], 3);
    assert!(errors.starts_with("no.graphml: this is no witness: "), "{errors}");
    let waiting = file("deadlock.i", LOCKED_TWICE);
    let (said, _) = braid(&["verify", &waiting, "--property", "no-deadlock", "--witness", "deadlock.yml"], 10);
    assert!(said.contains("note: there is no witness"), "{said}");
}
