//! What verdicts on C programs say about themselves: the lines `assumed:`, `depends on:` and `note:`, in text and in JSON.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("assumptions")
}

fn braid(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).current_dir(folder()).stdin(Stdio::null()).output().expect("the binary runs")
}

fn write(name: &str, text: &str) {
    fs::create_dir_all(folder()).expect("a folder for files");
    fs::write(folder().join(name), text).expect("a file can be written");
}

/// Checks all lines of the three kinds, and the verdict.
fn check(name: &str, options: &[&str], text: &str, expected: &[&str]) {
    let file = format!("{name}.c");
    write(&file, text);
    let alone: &[&str] = if options.contains(&"--property") { &[] } else { &["--property", "unreach-call"] };
    let output = braid(&[&["verify", "--timeout", "60s"], alone, options, &[&file]].concat());
    let said = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8(output.stderr).expect("text");
    let is_ours =
        |line: &&str| ["assumed:", "depends on:", "note:", "verdict:"].iter().any(|start| line.starts_with(start));
    let lines: Vec<&str> = said.lines().filter(is_ours).collect();
    assert_eq!(lines, expected, "{name}\n{said}{errors}");
}

const THREAD: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_t t;
";

#[test]
fn nothing_is_assumed_without_reason() {
    let text = "#include <assert.h>\nint main() { int x = 1, y = x + 1; assert(y == 2); }";
    check("plain", &[], text, &["verdict: safe"]);
}

#[test]
fn functions_without_a_body_are_named() {
    let text = "\
#include <assert.h>
int get(void);
void put(int x);
int main() { int x = 1; put(x); get(); assert(x == 1); }
";
    let assumed = "assumed: without a body and writing only what arguments reach: get, put";
    check("named", &[], text, &[assumed, "verdict: safe"]);
    let (pure, others) =
        ("without a body and writing nothing: get", "without a body and writing only what arguments reach: put");
    check("named", &["--extern", "get=pure"], text, &[&format!("assumed: {pure}; {others}"), "verdict: safe"]);
    let anything = "assumed: without a body and writing only what arguments reach and global variables: get, put";
    check("named", &["--extern", "*=anything"], text, &[anything, "verdict: safe"]);
    check("named", &["--quiet"], text, &["verdict: safe"]);
}

#[test]
fn what_functions_without_a_body_leave_alone() {
    let text = "\
#include <assert.h>
#include <pthread.h>
struct box { pthread_mutex_t lock; int *p; } box = {PTHREAD_MUTEX_INITIALIZER, 0};
void use(struct box *b);
int main() { use(&box); assert(box.p == 0); }
";
    let assumed = "assumed: without a body and writing only what arguments reach: use; \
                   functions without a body leave pointers as they are, or null; functions without a body leave locks as they are";
    check("left", &[], text, &[assumed, "verdict: safe"]);
}

#[test]
fn the_rule_of_the_competition() {
    let text = "\
extern void reach_error(void);
void set(int *x);
int main() { int x = 1; set(&x); if (x != 1) reach_error(); return 0; }
";
    write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let pure = "assumed: without a body and writing nothing: set";
    check("rule", &["--property", "reach.prp"], text, &[pure, "verdict: safe"]);
    let writes = "assumed: without a body and writing only what arguments reach: set";
    let depends = "depends on: set() wrote 0 to x at rule.c:3";
    check("rule", &["--property", "unreach-call"], text, &[depends, writes, "verdict: unsafe"]);
    let both = ["--property", "reach.prp", "--extern", "set=writes-arguments"];
    check("rule", &both, text, &[depends, writes, "verdict: unsafe"]);
}

#[test]
fn memory_that_is_allocated_and_threads_that_are_started() {
    let heap = "#include <assert.h>\n#include <stdlib.h>\nint main() { int *p = malloc(4); *p = 1; assert(*p == 1); }";
    check("heap", &[], heap, &["assumed: allocating memory succeeds", "verdict: safe"]);
    let shared = format!(
        "{THREAD}int x;\nvoid *run(void *a) {{ x = 1; return 0; }}\n\
         int main() {{ pthread_create(&t, 0, run, 0); pthread_join(t, 0); assert(x == 1); }}\n"
    );
    check("shared", &[], &shared, &["assumed: starting threads succeeds; no data races", "verdict: safe"]);
    let races = ["--property", "no-data-race"];
    check("shared", &races, &shared, &["assumed: starting threads succeeds", "verdict: safe"]);
}

/// A new thread may have the handle of one that was joined: the assertion fails where it is compiled for Linux.
#[test]
fn handles_that_are_compared() {
    let program = |test: &str| {
        format!(
            "{THREAD}void *run(void *a) {{ return 0; }}\nint main() {{ pthread_t u;\n\
             pthread_create(&t, 0, run, 0); pthread_join(t, 0); pthread_create(&u, 0, run, 0); assert({test}); }}\n"
        )
    };
    let assumed = "assumed: starting threads succeeds; no thread gets the handle of one that is over";
    check("equal", &[], &program("!pthread_equal(t, u)"), &[assumed, "verdict: safe"]);
    check("same", &[], &program("t != u"), &[assumed, "verdict: safe"]);
    check("null", &[], &program("t != 0"), &["assumed: starting threads succeeds", "verdict: safe"]);
}

#[test]
fn memory_orders() {
    let program = |order: &str| {
        format!(
            "{THREAD}atomic_int x;\nvoid *run(void *a) {{ atomic_store_explicit(&x, 1, {order}); return 0; }}\n\
             int main() {{ pthread_create(&t, 0, run, 0); int y = atomic_load(&x); assert(y <= 1); }}\n"
        )
    };
    let strong = ["assumed: starting threads succeeds", "verdict: safe"];
    check("strong", &[], &program("memory_order_seq_cst"), &strong);
    let weak = ["assumed: starting threads succeeds; atomic operations are sequentially consistent", "verdict: safe"];
    check("weak", &[], &program("memory_order_release"), &weak);
}

#[test]
fn open_orders_of_evaluation() {
    let program = |sum: &str| {
        format!(
            "#include <assert.h>\nint x;\nint f(void) {{ return ++x; }}\nint main() {{ int y = {sum}; assert(x <= 2); }}\n"
        )
    };
    check(
        "unordered",
        &[],
        &program("f() + f()"),
        &["assumed: operands are evaluated from left to right", "verdict: safe"],
    );
    check("ordered", &[], &program("f() + x"), &["verdict: safe"]);
    check("sequenced", &[], &program("f() && f()"), &["verdict: safe"]);
}

#[test]
fn an_execution_that_depends_on_a_function() {
    let text = "\
#include <assert.h>
int get(void);
int other(void);
void put(int *x, int y);

int main() {
    int x = 1, o = other(), g = get();
    put(&x, o);
    assert(!(g == 7 && x == 12));
}
";
    let expected = [
        "depends on: get() returned 7 at depends.c:7",
        "depends on: put() wrote 12 to x at depends.c:8",
        "assumed: without a body and writing only what arguments reach: get, other, put",
        "verdict: unsafe",
    ];
    check("depends", &[], text, &expected);
    let asked = "\
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main() { int x = __VERIFIER_nondet_int(); assert(x != 7); }
";
    check("asked", &[], asked, &["verdict: unsafe"]);
    let always = "#include <assert.h>\nint get(void);\nint main() { int x = get(); assert(x < 0 && x > 0); }";
    let expected = ["assumed: without a body and writing only what arguments reach: get", "verdict: unsafe"];
    check("always", &[], always, &expected);
}

#[test]
fn a_wrong_handle_is_seen() {
    let text = format!(
        "{THREAD}int x;\nvoid *run(void *a) {{ x = 1; return 0; }}\nint main() {{\n  pthread_create(&t, 0, run, 0);\n  \
         pthread_join((pthread_t)&t, 0);\n  assert(x == 2);\n}}\n"
    );
    let expected = [
        "note: no execution reaches the end: all stop at wrong_handle.c:10 (pthread_join((pthread_t)&t, 0))",
        "note: no execution reaches an assertion",
        "assumed: starting threads succeeds; no data races",
        "verdict: safe",
    ];
    check("wrong_handle", &[], &text, &expected);
}

#[test]
fn a_lock_that_is_never_given_back() {
    let text = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main() {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
";
    let note = "note: no execution reaches the end: all stop at stuck.c:7 (pthread_mutex_lock(&m))";
    check("stuck", &[], text, &[note, "verdict: safe"]);
}

#[test]
fn assumptions_of_the_program_that_contradict_each_other() {
    let text = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main() {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 5);
    __VERIFIER_assume(x < 3);
    assert(x == 4);
}
";
    let output = {
        write("contradiction.c", text);
        braid(&["verify", "--json", "contradiction.json", "contradiction.c"])
    };
    assert_eq!(output.status.code(), Some(0));
    let json = fs::read_to_string(folder().join("contradiction.json")).expect("a result");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let notes: Vec<&str> = json["notes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(notes[0].starts_with("no execution reaches the end: one stops at contradiction.c:"), "{notes:?}");
    assert_eq!(notes[1], "no execution reaches an assertion");
    assert_eq!(json["assumptions"], Value::Array(Vec::new()));
}

#[test]
fn assertions_that_are_not_reached() {
    let text = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main() { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) assert(x == 77); }
";
    check("unreached", &[], text, &["note: no execution reaches an assertion", "verdict: safe"]);
    let reached = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main() { int x = __VERIFIER_nondet_int(); if (x > 987654) assert(x > 5); }
";
    check("reached", &[], reached, &["verdict: safe"]);
}

#[test]
fn programs_that_do_not_end() {
    let server = "#include <assert.h>\nint main() { int x = 0; while (1) { x = !x; assert(x == 0 || x == 1); } }";
    check("server", &[], server, &["note: main never ends", "verdict: safe"]);
    let exit = "\
#include <assert.h>
#include <stdlib.h>
int main() { int x = 0; while (1) { x = !x; assert(x == 0 || x == 1); if (x == 0) exit(0); } }
";
    check("exit", &[], exit, &["verdict: safe"]);
    let sometimes = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main() { int x = 0; while (__VERIFIER_nondet_int() != 123456) { x = !x; } assert(x == 0 || x == 1); }
";
    check("sometimes", &[], sometimes, &["verdict: safe"]);
}

#[test]
fn effects_are_part_of_a_result_that_replays() {
    let text = "#include <assert.h>\nint g = 1;\nvoid step(void);\nint main() { step(); assert(g == 1); }";
    write("replayed.c", text);
    let output = braid(&["verify", "--extern", "step=anything", "--json", "replayed.json", "replayed.c"]);
    assert_eq!(output.status.code(), Some(10));
    assert_eq!(braid(&["replay", "replayed.c", "replayed.json"]).status.code(), Some(10));
}

#[test]
fn wrong_names_and_effects() {
    write("usage.c", "int main() {}");
    write("usage.braid", "(assert true)");
    let check = |arguments: &[&str], words: &str| {
        let output = braid(&[&["verify"], arguments].concat());
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(words), "{errors}");
    };
    check(&["--extern", "f", "usage.c"], "write NAME=EFFECT");
    check(&["--extern", "f=strange", "usage.c"], "`strange` is none of pure, writes-arguments, anything");
    check(&["--extern", "f()=pure", "usage.c"], "`f()` is not the name of a function");
    check(&["--extern", "f=pure", "usage.braid"], "`--prelude` and `--extern` are for functions of C");
    check(&["--prelude", "missing.c", "usage.c"], "there is no such file");
}
