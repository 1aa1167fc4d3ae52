//! Properties of several runs: the examples, each of which says what is to come out; pairs of programs that differ little; and
//! input that is rejected with its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hyper");
    fs::create_dir_all(&folder).expect("a folder for files");
    folder
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hyper")
}

fn braid(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).current_dir(folder()).stdin(Stdio::null()).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn last_line(output: &Output) -> String {
    text(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// What the header of an example says after a word.
fn said(example: &str, word: &str) -> Option<String> {
    let lines = example.lines().map(|line| line.trim_start_matches(['/', ';', ' ']));
    lines.filter_map(|line| line.strip_prefix(word)?.strip_prefix(": ")).map(str::to_owned).next()
}

#[test]
fn examples_come_out_as_they_say() {
    let mut count = [0, 0];
    for entry in fs::read_dir(examples()).expect("there are examples") {
        let path = entry.expect("an example").path();
        let file = path.to_str().expect("a plain name");
        let example = fs::read_to_string(&path).expect("text");
        let [property, expected] =
            ["property", "expected"].map(|word| said(&example, word).unwrap_or_else(|| panic!("{file}: no {word}")));
        let function = said(&example, "function");
        let json = folder().join(path.file_name().expect("a name")).with_extension("json");
        let json = json.to_str().expect("a plain name");
        let mut arguments = vec!["hyper", file, "--property", &property];
        arguments.extend(function.iter().flat_map(|function| ["--function", function]));

        let told = [arguments.clone(), vec!["--timeout", "60s", "--json", json]].concat();
        let output = braid(&told);
        assert_eq!(last_line(&output), format!("verdict: {expected}"), "{file}\n{}", text(&output.stderr));
        let document: serde_json::Value = serde_json::from_slice(&fs::read(json).expect("a result")).expect("JSON");
        assert_eq!(document["property"], property.as_str(), "{file}");
        count[usize::from(expected == "safe")] += 1;

        // Another engine, one that knows nothing of proofs, does not say the opposite.
        let oracle = [arguments, vec!["--engine", "explicit", "--inputs", "-2..3", "--states", "20000"]].concat();
        let other = last_line(&braid(&oracle));
        assert!(other.starts_with("verdict: unknown") || other == format!("verdict: {expected}"), "{file}: {other}");
        if expected == "unsafe" {
            let runs = document["hyper"]["runs"].as_array().expect("runs");
            assert!(
                !runs.is_empty() && runs.iter().all(|run| run["outputs"].as_array().is_some_and(|o| !o.is_empty()))
            );
            let replayed = braid(&["replay", file, json]);
            assert_eq!(replayed.status.code(), Some(10), "{file}\n{}", text(&replayed.stdout));
        }
    }
    assert!(count.iter().all(|&count| count >= 6), "{count:?}");
}

const C: &str = r"
#include <pthread.h>
#include <stdbool.h>
int x, limit;
const int table[3] = {1, 2, 3};
unsigned char bytes[10];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *torn(void *a) { int t = x; x = t + 1; return 0; }
void *whole(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int two_torn(int s) {
    pthread_t p, q;
    x = s;
    pthread_create(&p, 0, torn, 0); pthread_create(&q, 0, torn, 0);
    pthread_join(p, 0); pthread_join(q, 0);
    return x;
}
int two_whole(int s) {
    pthread_t p, q;
    x = s;
    pthread_create(&p, 0, whole, 0); pthread_create(&q, 0, whole, 0);
    pthread_join(p, 0); pthread_join(q, 0);
    return x;
}
int over(int a) { return a > limit; }
int entry(int i) { return i >= 0 && i < 3 ? table[i] : 0; }
int byte(int i) { return bytes[i]; }
bool less(int a, int b) { return a < b; }
bool near(int a, int b) { return a - b < 2 && b - a < 2; }
unsigned mix(unsigned a, unsigned b) { return (a ^ b) & 0xffu; }
unsigned shift(unsigned a, unsigned b) { return (a << 1) ^ b; }
int sign(int a, int b) { return (a ^ b) | 1; }
void swap(int *a, int *b) { int t = a[0]; a[0] = b[0]; b[0] = t; }
void copy(int *to, const int *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }
int compare(const int *a, const int *b, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] < b[i]) return -1;
        if (a[i] > b[i]) return 1;
    }
    return 0;
}
int biased(const int *a, const int *b) { return a[0] < b[0] ? -1 : 1; }
int head(const int *a, const int *b, int bits) { return bits ? (a[0] ^ b[0]) : a[1] - b[1]; }
int add(int x, int y) { return x + y; }
int shadow(int limit) { return over(limit); }
int main(void) { return two_whole(3); }
";

static FUNCTIONS: LazyLock<String> = LazyLock::new(|| {
    fs::write(folder().join("functions.c"), C).expect("a file can be written");
    "functions.c".into()
});

/// Checks the verdict on a function of the program above.
fn check(property: &str, function: Option<&str>, expected: &str) {
    let file = FUNCTIONS.as_str();
    let mut arguments = vec!["hyper", file, "--timeout", "60s", "--property", property];
    arguments.extend(function.iter().flat_map(|function| ["--function", function]));
    let output = braid(&arguments);
    assert_eq!(last_line(&output), format!("verdict: {expected}"), "{property}\n{}", text(&output.stderr));
}

#[test]
fn copies_may_have_threads_of_their_own() {
    check("determinism", Some("two_torn"), "unsafe");
    check("determinism", Some("two_whole"), "safe");
    check("forall p: p'.return == 5", None, "safe");
    check("forall p: p'.return == 6", None, "unsafe");
}

#[test]
fn globals_are_inputs_unless_they_are_constant() {
    check("forall a: over(a) == 0", None, "unsafe");
    check("forall a: over(a) == over(a)", None, "safe");
    check("forall p q: p.a == q.a ==> p'.return == q'.return", Some("over"), "unsafe");
    check("forall i: entry(i) <= 3", None, "safe");
    check("forall i: entry(i) <= 2", None, "unsafe");
    check("forall p: p.limit > p.limit@2 ==> p'.return == 1", Some("shadow"), "safe");
}

#[test]
fn values_stay_in_their_types() {
    check("forall i: byte(i) < 256", None, "safe");
    check("forall i: byte(i) < 255", None, "unsafe");
    check("forall a b: sign(a, b) != 0", None, "safe");
    check("forall a b: sign(a, b) > 0", None, "unsafe");
    check("forall a b: mix(a, b) - 256 < 0", None, "safe");
    check("forall a b: mix(a, b) + over(a) < 256", None, "unsafe");
}

#[test]
fn laws_of_relations_and_functions() {
    check("transitivity", Some("less"), "safe");
    check("transitivity", Some("near"), "unsafe");
    check("symmetry", Some("near"), "safe");
    check("symmetry", Some("mix"), "safe");
    check("symmetry", Some("shift"), "unsafe");
    check("associativity", Some("add"), "safe");
    check("equivalence:shift", Some("mix"), "unsafe");
    check("equivalence:two_whole", Some("two_torn"), "unsafe");
}

#[test]
fn arrays_may_change_places() {
    check("antisymmetry", Some("compare"), "safe");
    check("antisymmetry", Some("biased"), "unsafe");
    check("forall a b: biased(a, b) == biased(b, a) ==> a[0] == b[0]", None, "safe");
    check("forall a b: biased(a, b) == biased(b, a) ==> a == b", None, "unsafe");
    check("forall a b: head(a, b, 1) == head(b, a, 1)", None, "safe");
    check("forall a b: head(a, b, 0) == head(b, a, 0)", None, "unsafe");
}

#[test]
fn arrays_before_and_after() {
    check("forall p: p'.a[0] == p.b[0] && p'.b[0] == p.a[0]", Some("swap"), "safe");
    check("forall p: p'.a[0] == p.a[0]", Some("swap"), "unsafe");
    check("forall p: p'.a[1] == p.a[1]", Some("swap"), "safe");
    check("forall p q: p.from == q.from && p.n == q.n && p.to == q.to ==> p'.to == q'.to", Some("copy"), "safe");
    check("forall p q: p.from == q.from && p.n == q.n ==> p'.to == q'.to", Some("copy"), "unsafe");
    check("forall p i: p.n <= 0 ==> p'.to[i] == p.to[i]", Some("copy"), "safe");
}

/// Checks that a property is rejected with these words, and exit status 3.
fn check_rejected(property: &str, function: Option<&str>, expected: &str) {
    let path = examples().join("max.wvr");
    let mut arguments = vec!["hyper", path.to_str().expect("a plain name"), "--property", property];
    arguments.extend(function.iter().flat_map(|function| ["--function", function]));
    let output = braid(&arguments);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{property}: {errors}");
    assert!(errors.starts_with(expected), "{property}: expected\n{expected}\ngot\n{errors}");
}

#[test]
fn what_is_wrong_is_shown_with_its_place() {
    let max = Some("max(x, y) -> z");
    check_rejected("forall a b: max(a, b == 1", max, "property:1:26: error: `)` should stand here\n");
    check_rejected(
        "forall a b: max(a) == b",
        max,
        "property:1:13: error: `max` takes 2 arguments, but there are 1\n  forall a b: max(a) == b\n              ^^^^^^\n",
    );
    check_rejected("forall a b: min(a, b) == b", max, "property:1:13: error: the program has no functions, so `min`");
    check_rejected(
        "forall p: p.x == p'.zz",
        None,
        "property:1:21: error: `main` has no variable `zz`\n  forall p: p.x == p'.zz\n                      ^^\nhint: did you mean `z`?\n",
    );
    check_rejected("forall p: q.x == 1", None, "property:1:11: error: `q` is not bound by `forall`");
    check_rejected("forall p: p.x", None, "property:1:11: error: this should be a formula, but it is of type Int");
    check_rejected("forall p: p.x == (p.y < 1)", None, "property:1:");
    check_rejected("forall a: a == a", None, "property:1:11: error: this formula speaks of no run");
    check_rejected("symmetric", max, "property:1:1: error: `symmetric` is not a property");
    check_rejected("symmetry", Some("max(x, w) -> z"), "--function:1:1: error: the program has no variable `w`");
    check_rejected("symmetry", Some("max(x"), "--function:1:1: error: this is neither a name nor");
    check_rejected("symmetry", None, "property:1:1: error: symmetry is a property of functions");
    check_rejected("security:low=k", None, "property:1:1: error: `main` has no such output");
    check_rejected("equivalence:missing.wvr", None, "property:1:13: error: ");
}
