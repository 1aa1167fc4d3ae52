//! C as users hand it in: macros and directories of headers on the command line, and input that is not a program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A file in this test's own folder, whose path is relative to that.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder().join(name);
    fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder for files");
    fs::write(path, content).expect("a file can be written");
    name.to_owned()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("c_input")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).current_dir(folder()).stdin(Stdio::null());
    command
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Checks the exit status, and gives what was said.
fn check(arguments: &[&str], status: i32) -> Output {
    let output = command(arguments).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{}", errors(&output));
    output
}

/// Checks that an input is rejected soon, with these words at the beginning of standard error.
fn check_rejected(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let path = file(name, content);
    let start = Instant::now();
    let output = check(&["verify", "--timeout", "20s", &path], 3);
    assert!(start.elapsed() < Duration::from_secs(5), "{name}: {:?}", start.elapsed());
    let errors = errors(&output);
    assert!(errors.starts_with(expected), "{name}: expected\n{expected}\ngot\n{errors}");
    assert!(output.stdout.is_empty(), "{name}");
}

const COUNTED: &str = "\
#include <limit.h>
#ifndef TIMES
#error how often?
#endif
extern void reach_error(void);
int x;
int main(void) { for (int i = 0; i < TIMES; i++) x++; if (x > LIMIT) reach_error(); }
";

#[test]
fn macros_and_directories_of_headers() {
    let program = file("counted.c", COUNTED);
    file("one/limit.h", "#define LIMIT 3\n");
    file("two/limit.h", "#define LIMIT 5\n");
    check(&["verify", &program, "-I", "one", "-D", "TIMES=3"], 0);
    check(&["verify", &program, "-Ione", "-DTIMES=4"], 10);
    check(&["verify", &program, "-Itwo", "-Ione", "-DTIMES=4"], 0);
    check(&["print", &program, "-Itwo", "-DTIMES"], 0);
    check(&["explain", &program, "-Itwo", "-DTIMES"], 0);
    let said = errors(&check(&["verify", &program, "-Ione"], 3));
    assert!(said.starts_with("counted.c:3:1: error: `cc -E` says: #error how often?\n"), "{said}");
    let said = errors(&check(&["verify", &program, "-DTIMES=3"], 3));
    assert!(said.starts_with("counted.c:1:1: error: `cc -E` says: limit.h: No such file or directory\n"), "{said}");
    assert!(said.contains("hint: say where the header is (`-I DIR`)"), "{said}");
}

#[test]
fn a_replay_reads_the_program_in_the_same_way() {
    let program = file("replayed.c", COUNTED);
    file("one/limit.h", "#define LIMIT 3\n");
    check(&["verify", &program, "-Ione", "-DTIMES=4", "--json", "replayed.json"], 10);
    check(&["replay", &program, "replayed.json"], 10);
}

#[test]
fn wrong_macros_and_directories() {
    let program = file("usage.c", "int main(void) { return 0; }\n");
    for wrong in ["-D1", "-D=3", "-D", "-Inowhere", "-Iusage.c"] {
        let output = check(&["verify", &program, wrong], 2);
        assert!(!errors(&output).is_empty(), "{wrong}");
    }
    for other in [file("usage.i", "int main(void) { return 0; }\n"), file("usage.braid", "(assert true)")] {
        let said = errors(&check(&["verify", &other, "-DN=1"], 2));
        assert!(said.contains("only `.c` files"), "{said}");
    }
}

#[test]
fn without_a_compiler() {
    let run = |arguments: &[&str]| {
        let output = command(arguments).env("PATH", folder().join("nothing")).output().expect("the binary runs");
        (output.status.code(), errors(&output))
    };
    let plain = file("plain.c", "int main(void) { return 0; }\n");
    assert_eq!(run(&["verify", &plain]), (Some(0), String::new()));
    for (program, more) in [(file("headers.c", "#include <assert.h>\nint main(void) { }\n"), "-DN"), (plain, "-DN=1")] {
        let (status, said) = run(&["verify", &program, more]);
        assert_eq!(status, Some(3), "{said}");
        let place = format!("{program}:1:1: error: this needs a C preprocessor, and there is none on this machine");
        assert!(said.starts_with(&place), "{said}");
        assert!(said.contains("hint: install a C compiler and the headers of the C library"), "{said}");
    }
}

#[test]
fn what_is_no_program() {
    check_rejected("empty.c", "", "empty.c:1:1: error: there is no function `main`\n");
    check_rejected("blank.i", "\n \n", "blank.i:1:1: error: there is no function `main`\n");
    check_rejected("no-main.c", "int x;\n", "no-main.c:1:1: error: there is no function `main`\n  int x;\n  ^\n");
    check_rejected("declared.c", "int main(void);\n", "declared.c:1:1: error: there is no function `main`\n");
    let binary: Vec<u8> = (0..=255).collect();
    check_rejected("binary.c", binary, "binary.c: not a text file: byte 128, in line 2, does not start a UTF-8 ");
    check_rejected(
        "cpp.c",
        "class A { int x; };\n",
        "cpp.c:1:1: error: `class` stands where a declaration is expected\n",
    );
    let missing = check(&["verify", "missing.c"], 3);
    assert_eq!(errors(&missing).trim_end(), "missing.c: there is no such file");
    fs::create_dir_all(folder().join("folder.c")).expect("a folder can be made");
    let directory = check(&["verify", "folder.c"], 3);
    assert_eq!(errors(&directory).trim_end(), "folder.c: this is a directory, not a file");
}

#[test]
fn syntax_errors_show_their_place() {
    let cases: [(&str, &str, &str); 16] = [
        (
            "semicolon.c",
            "int main(void) {\n  int x = 1\n  return x;\n}\n",
            ":3:3: error: `return` stands where `;` is expected\n    return x;\n    ^^^^^^\n",
        ),
        (
            "paren.c",
            "int main(void) {\n  if (1 { }\n}\n",
            ":2:9: error: `{` stands where `)` is expected\n    if (1 { }\n          ^\n",
        ),
        (
            "brace.c",
            "int main(void) {\n  if (1) {\n}\n",
            ":3:2: error: the text ends where a statement or `}` is expected\n  }\n   ^\n",
        ),
        (
            "cut.c",
            "int main(void) { return 0; ",
            ":1:27: error: the text ends where a statement or `}` is expected\n  int main(void) { return 0;\n                            ^\n",
        ),
        (
            "newline.c",
            "int main(void) { return x; }",
            ":1:25: error: `x` is not declared\n  int main(void) { return x; }\n                          ^\n",
        ),
        ("crlf.c", "int main(void) {\r\n  y = 1;\r\n}\r\n", ":2:3: error: `y` is not declared\n    y = 1;\n    ^\n"),
        (
            "tabs.c",
            "int main(void) {\n\tint x;\ty = 2;\n}\n",
            ":2:9: error: `y` is not declared\n      int x;    y = 2;\n                ^\n",
        ),
        (
            "string.i",
            "int main(void) { char *s = \"a;\n}\n",
            ":1:28: error: this string does not end\n  int main(void) { char *s = \"a;\n                             ^^^\n",
        ),
        (
            "comment.c",
            "int main(void) { }\n/* open\n",
            ":2:1: error: `cc -E` says: unterminated comment\n  /* open\n  ^^^^^^^\n",
        ),
        ("comment.i", "int main(void) { }\n/* open\n", ":2:1: error: this comment does not end\n  /* open\n  ^^\n"),
        ("number.c", "int main(void) { return 0x; }\n", ":1:25: error: this is not a number\n"),
        ("keyword.c", "int main(void) { int while; }\n", ":1:22: error: `while` stands where a name is expected\n"),
        (
            "directive.c",
            "#iff 1\nint main(void) { }\n",
            ":1:1: error: `cc -E` says: invalid preprocessing directive #iff",
        ),
        ("umlaut.c", "int main(void) { int größe = 1; return größe + ü; }\n", ":1:48: error: `ü` is not declared\n"),
        (
            "cases.c",
            "int main(void) { switch (1) { case 1 ... 3: case 2: ; } }\n",
            ":1:50: error: there is already a case for this value\n",
        ),
        (
            "defaults.c",
            "int main(void) { switch (1) { default: default: ; } }\n",
            ":1:40: error: there are two `default` in this `switch`\n",
        ),
    ];
    for (name, content, expected) in cases {
        check_rejected(name, content, &format!("{name}{expected}"));
    }
}

#[test]
fn what_is_not_supported_shows_its_place() {
    let cases = [
        ("asm.c", "int main(void) { __asm__(\"cpuid\"); }\n", ":1:18: an `asm` statement is not supported\n"),
        ("float.c", "int main(void) { _Complex float f = 1; }\n", ":1:18: a complex number is not supported\n"),
        (
            "cancel.c",
            "int pthread_cancel(long);\nint main(void) { pthread_cancel(1); }\n",
            ":2:18: `pthread_cancel` is not supported\n",
        ),
    ];
    for (name, content, expected) in cases {
        let path = file(name, content);
        let said = String::from_utf8(check(&["verify", "--timeout", "20s", &path], 20).stdout).expect("text");
        assert!(said.contains(&format!("note: not modelled at {name}{expected}")), "{name}: {said}");
    }
}

#[test]
fn a_hint_names_the_option_that_helps() {
    let path = file("bits.c", "int f(void);\nint main(void) { int x = f(), y = f(); return (x * 3 ^ y) & x; }\n");
    let said = errors(&check(&["verify", "--ints", "math", &path], 3));
    assert!(said.ends_with("\nhint: take integers as bit vectors: --ints bv\n"), "{said}");
}

#[test]
fn deep_nesting_is_rejected() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let message = "error: this is nested more than 1000 levels deep\n";
    for (name, text) in [
        ("parens.c", format!("int main(void) {{ return {}; }}", deep("(", ")").replace("()", "(1)"))),
        ("blocks.c", format!("int main(void) {}", deep("{", "}"))),
        ("ifs.c", format!("int main(void) {{ {}; }}", deep("if (1) ", ""))),
        ("stars.c", format!("int {}p; int main(void) {{ return 0; }}", deep("*", ""))),
        ("sum.c", format!("int main(void) {{ return 1{}; }}", deep("+1", ""))),
    ] {
        let path = file(name, text);
        let said = errors(&check(&["verify", "--timeout", "20s", &path], 3));
        assert!(said.starts_with(&format!("{name}:1:")) && said.contains(message), "{name}: {said}");
    }
}
