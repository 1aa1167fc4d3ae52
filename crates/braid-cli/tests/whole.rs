//! Programs of several files, from standard input, from `compile_commands.json`, and in other encodings than UTF-8.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HEADER: &str = "
typedef struct node { int value; struct node *next; } node;
typedef struct { node *head; int size; } stack;
struct hidden;
void push(stack *s, int value);
struct hidden *hide(int x);
int reveal(struct hidden *h);
extern int pushes;
static inline int twice(int x) { return 2 * x; }
";

const LIBRARY: &str = "
#include <stdlib.h>
#include \"stack.h\"
int pushes;
struct hidden { int x; };
static int helper(int x) { return x + 1; }
void push(stack *s, int value) {
  node *n = malloc(sizeof *n);
  n->value = helper(value);
  n->next = s->head;
  s->head = n;
  s->size++;
  pushes++;
}
struct hidden *hide(int x) { struct hidden *h = malloc(sizeof *h); h->x = x; return h; }
int reveal(struct hidden *h) { return h->x; }
";

const PROGRAM: &str = "
#include <assert.h>
#include \"stack.h\"
static stack s;
static int helper(int x) { return x - 1; }
int main(void) {
  push(&s, 1);
  push(&s, twice(2));
  assert(pushes == 2 && s.size == 2 && s.head->value == 5 && helper(3) == 2);
  assert(reveal(hide(5)) == EXPECTED);
  return 0;
}
";

/// A folder with the files of one test.
fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole").join(test);
    fs::create_dir_all(&folder).expect("a folder for files");
    for (name, content) in files {
        fs::write(folder.join(name), content).expect("a file can be written");
    }
    folder
}

fn stack(test: &str) -> PathBuf {
    let files = [("stack.h", HEADER), ("stack.c", LIBRARY), ("main.c", PROGRAM)];
    folder(test, &files.map(|(name, text)| (name, text.as_bytes())))
}

/// Runs the command in a folder; gives the status and all that it said.
fn braid(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    child.stdin.take().expect("it reads").write_all(input.as_bytes()).expect("it takes the input");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn files_are_put_together() {
    let folder = stack("together");
    for (expected, status) in [("EXPECTED=5", 0), ("EXPECTED=6", 10)] {
        for files in [["main.c", "stack.c"], ["stack.c", "main.c"]] {
            let arguments =
                ["verify", "--property", "unreach-call", "--timeout", "60s", "-D", expected, files[0], files[1]];
            let (found, text) = braid(&folder, &arguments, "");
            assert_eq!(found, Some(status), "{text}");
        }
    }
}

/// Whoever declares, defines or uses a record comes first.
#[test]
fn the_order_of_files_does_not_matter() {
    let files = [
        ("totals.h", "struct totals { int lines, words; };\nextern struct totals totals;\nvoid add(int words);\n"),
        ("totals.c", "#include \"totals.h\"\nstruct totals totals = {1, 0};\nvoid add(int n) { totals.words += n; }\n"),
        ("user.c", "#include \"totals.h\"\nvoid use(void) { add(totals.lines); }\n"),
        (
            "main.c",
            "#include <assert.h>\n#include \"totals.h\"\nvoid use(void);\n\
             int main(void) { use(); assert(totals.words == 1); return 0; }\n",
        ),
    ];
    let folder = folder("order", &files.map(|(name, text)| (name, text.as_bytes())));
    let names = ["totals.c", "user.c", "main.c"];
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let arguments = ["verify", "--property", "unreach-call", names[a], names[b], names[c]];
        let (status, text) = braid(&folder, &arguments, "");
        assert_eq!(status, Some(0), "{arguments:?}: {text}");
    }
}

/// A header of the program may have the name of one of the system's, and is found from elsewhere, too.
#[test]
fn own_headers_come_before_those_of_the_system() {
    let files = [
        ("threads.h", "#define ANSWER 42\n"),
        ("own.h", "#define OTHER 1\n"),
        (
            "main.c",
            "#include <assert.h>\n#include \"threads.h\"\n#ifdef BRACKETS\n#include <own.h>\n#endif\n\
             int main(void) { assert(ANSWER == 42); return 0; }\n",
        ),
    ];
    let folder = folder("headers", &files.map(|(name, text)| (name, text.as_bytes())));
    let outside = folder.parent().expect("it is in another folder");
    for (place, file) in [(folder.as_path(), "main.c"), (outside, "headers/main.c")] {
        let (status, text) = braid(place, &["verify", "--property", "unreach-call", file], "");
        assert_eq!(status, Some(0), "{file}: {text}");
    }
    let (status, text) = braid(&folder, &["verify", "--property", "unreach-call", "-D", "BRACKETS", "main.c"], "");
    assert_eq!(status, Some(0), "{text}");
}

/// Steps of the program's own headers are rows like all others; those of functions that wrap the library's say what these do.
#[test]
fn what_happens_in_own_headers_is_told() {
    let files = [
        (
            "checked.h",
            "#include <pthread.h>\n#include <stdlib.h>\n\
             #define CHECK(call) do { int code = (call); if (code != 0) exit(1); } while (0)\n\
             static inline void Lock(pthread_mutex_t *m) { CHECK(pthread_mutex_lock(m)); }\n\
             static inline void Unlock(pthread_mutex_t *m) { CHECK(pthread_mutex_unlock(m)); }\n\
             static inline void Wait(pthread_cond_t *c, pthread_mutex_t *m) { CHECK(pthread_cond_wait(c, m)); }\n",
        ),
        (
            "main.c",
            "#include <assert.h>\n#include \"checked.h\"\n\
             struct gate { int open; pthread_mutex_t lock; pthread_cond_t opened; };\n\
             static struct gate gate = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};\n\
             static void pass(struct gate *g) {\n  Lock(&g->lock);\n  if (!g->open) Wait(&g->opened, &g->lock);\n\
               assert(g->open);\n  Unlock(&g->lock);\n}\n\
             static void *porter(void *x) {\n  Lock(&gate.lock);\n  gate.open = 1;\n\
               pthread_cond_signal(&gate.opened);\n  Unlock(&gate.lock);\n  return x;\n}\n\
             int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, porter, 0);\n  pass(&gate);\n  return 0;\n}\n",
        ),
    ];
    let folder = folder("told", &files.map(|(name, text)| (name, text.as_bytes())));
    let arguments = ["verify", "--property", "unreach-call", "--engine", "explicit", "main.c"];
    let (status, text) = braid(&folder, &arguments, "");
    assert_eq!(status, Some(10), "{text}");
    // What wraps a call of the library is told as the call that the user wrote.
    for expected in ["wakes up without a", "Wait(&g->opened"] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    assert!(!text.contains("checked.h") && !text.contains("__"), "{text}");
    let (_, text) = braid(&folder, &[&arguments[..], &["--trace", "full"]].concat(), "");
    assert!(text.contains("c = &gate.opened"), "{text}");
}

#[test]
fn an_execution_of_several_files_runs_again() {
    let folder = stack("replay");
    let arguments = [
        "verify",
        "--property",
        "unreach-call",
        "--json",
        "r.json",
        "--timeout",
        "60s",
        "-D",
        "EXPECTED=6",
        "main.c",
        "stack.c",
    ];
    assert_eq!(braid(&folder, &arguments, "").0, Some(10));
    let (status, text) = braid(&folder, &["replay", "main.c", "r.json"], "");
    assert_eq!(status, Some(10), "{text}");
}

#[test]
fn what_does_not_fit_together_is_said_with_both_places() {
    let folder = stack("conflicts");
    fs::write(folder.join("again.c"), "int reveal(void *h) { return 1; }\n").expect("a file can be written");
    fs::write(folder.join("other.c"), "char *pushes;\n").expect("a file can be written");
    let arguments = |file| ["verify", "-D", "EXPECTED=5", "main.c", "stack.c", file];
    let (status, text) = braid(&folder, &arguments("again.c"), "");
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("stack.c:16:5: error: `reveal` is defined here, and in another file"), "{text}");
    assert!(text.contains("again.c:1:5: error: `reveal` is defined in another file, and here"), "{text}");
    let (status, text) = braid(&folder, &arguments("other.c"), "");
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("`pushes` is declared with another type in another file"), "{text}");
    assert!(text.contains("other.c:1:7: error: `pushes` has another type here"), "{text}");
}

#[test]
fn standard_input_is_a_file() {
    let folder = stack("stdin");
    let arguments = ["verify", "--property", "unreach-call", "--timeout", "60s", "-D", "EXPECTED=5", "-", "stack.c"];
    let (status, text) = braid(&folder, &arguments, PROGRAM);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn compile_commands_list_files_and_options() {
    let folder = stack("commands");
    let library = format!("#ifdef EXPECTED\n#error told to the wrong file\n#endif\n{LIBRARY}");
    fs::write(folder.join("stack.c"), library).expect("a file can be written");
    fs::write(folder.join("tool.c"), "int main(void) { return 0; }\n").expect("a file can be written");
    let directory = folder.to_string_lossy().replace('\\', "/");
    let commands = format!(
        "[{{\"directory\": \"{directory}\", \"file\": \"stack.c\", \"command\": \"cc -c -I . stack.c\"}},\n\
         {{\"directory\": \"{directory}\", \"file\": \"tool.c\", \"command\": \"cc -c tool.c\"}},\n\
         {{\"directory\": \"{directory}\", \"file\": \"main.c\", \"arguments\": [\"cc\", \"-D\", \"EXPECTED=6\", \"-c\", \"main.c\"]}}]"
    );
    fs::write(folder.join("compile_commands.json"), commands).expect("a file can be written");
    let (status, text) = braid(&folder, &["verify", "--compile-commands", "compile_commands.json"], "");
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("several files have `main`: choose one with --entry FILE"), "{text}");
    let arguments = ["verify", "--timeout", "60s", "--compile-commands", "compile_commands.json", "--entry", "main.c"];
    let (status, text) = braid(&folder, &arguments, "");
    assert_eq!(status, Some(10), "{text}");
}

#[test]
fn bytes_of_other_encodings_stay_what_they_are() {
    let text = b"#include <assert.h>\n/* gr\xfc\xdfe */\nint main(void) {\n  char s[] = \"\xe9\xff\";\n  \
        assert(sizeof s == 3 && (unsigned char)s[0] == 0xe9 && (unsigned char)s[1] == 255);\n}\n";
    let folder = folder("latin", &[("latin.c", text)]);
    let (status, text) = braid(&folder, &["verify", "--timeout", "60s", "latin.c"], "");
    assert_eq!(status, Some(0), "{text}");
}
