//! `--certificate` and `braid check`, on real programs and on bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn braid(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The last line and the status of `braid check`.
fn checked(certificate: &Path, file: &Path, more: &[&str]) -> (String, Option<i32>) {
    let paths = [certificate, file].map(|path| path.to_str().expect("a plain path"));
    let output = braid(&[&["check", paths[0], paths[1]], more].concat());
    let text = String::from_utf8(output.stdout).expect("text") + &String::from_utf8(output.stderr).expect("text");
    (text, output.status.code())
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn examples_that_are_safe_have_certificates() {
    let folder = folder("certificates");
    let (mut accepted, mut safe) = (0, 0);
    for entry in fs::read_dir(examples()).expect("there are examples").flatten() {
        let file = entry.path();
        if file.extension().is_none_or(|extension| extension == "md") {
            continue;
        }
        let certificate = folder.join(file.with_extension("cert").file_name().expect("a name"));
        let paths = [&certificate, &file].map(|path| path.to_str().expect("a plain path"));
        let output = braid(&["verify", "--timeout", "20s", "--certificate", paths[0], paths[1]]);
        if output.status.code() != Some(0) {
            assert!(!certificate.exists(), "{}: a certificate of what is not safe", file.display());
            continue;
        }
        safe += 1;
        if certificate.exists() {
            let (text, status) = checked(&certificate, &file, &[]);
            assert!(text.ends_with("certificate: accepted\n") && status == Some(0), "{}: {text}", file.display());
            accepted += 1;
        } else {
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(told.contains("no certificate: "), "{}: {told}", file.display());
        }
    }
    println!("{accepted} of {safe}");
    assert!(accepted > 5 && accepted * 4 >= safe * 3, "{accepted} of {safe}");
}

#[test]
fn a_certificate_is_for_one_program_and_for_all_of_it() {
    let folder = folder("refused");
    let (file, certificate) = (examples().join("peterson.wvr"), folder.join("peterson.cert"));
    let paths = [&certificate, &file].map(|path| path.to_str().expect("a plain path"));
    let output = braid(&["verify", "--engine", "gem", "--certificate", paths[0], paths[1]]);
    assert_eq!(output.status.code(), Some(0));
    let other = checked(&certificate, &examples().join("ticket-lock.wvr"), &[]);
    assert_eq!(other.1, Some(1));
    assert!(other.0.contains("about another program"), "{}", other.0);
    let text = fs::read_to_string(&certificate).expect("it was written");
    let changed = folder.join("changed.cert");
    let refuse = |from: &str, to: &str, said: &str| {
        assert!(text.contains(from), "{text}");
        fs::write(&changed, text.replacen(from, to, 1)).expect("a file");
        let (told, status) = checked(&changed, &file, &[]);
        assert!(told.contains(said), "{told}");
        assert_eq!(status, Some(if said.contains("not a certificate") { 3 } else { 1 }), "{told}");
    };
    refuse("(steps (0 1))", "(steps (0 never))", "can happen");
    refuse("(steps (0 1))", "(steps)", "is left out");
    refuse("(steps (0 1))", "(steps (0 7))", "does not lead to state 7");
    refuse("(graph (completion)", "(graph (error 1)", "There is no graph for the end of the program");
    refuse("(braid-certificate 2", "(braid-certificate 1", "not a certificate: expected version 2");
    refuse("(lowering true", "(lowering maybe", "not a certificate: expected true or false");
    let (told, status) = checked(&certificate, &file, &["--solver", "there-is-no-such-solver"]);
    assert!(told.contains("cannot talk to the solver") && status == Some(2), "{told}");
    let (told, status) = checked(&folder.join("none.cert"), &file, &[]);
    assert!(told.contains("there is no such file") && status == Some(3), "{told}");
}

#[test]
fn annotations_need_no_reduction() {
    let folder = folder("annotations");
    let (file, certificate) = (examples().join("peterson.wvr"), folder.join("peterson.cert"));
    let paths = [&certificate, &file].map(|path| path.to_str().expect("a plain path"));
    let form = ["--certificate-as", "owicki-gries", "--timeout", "20s"];
    let output = braid(&[&["verify", "--certificate", paths[0], paths[1]], &form[..]].concat());
    assert_eq!(output.status.code(), Some(0));
    let (told, status) = checked(&certificate, &file, &[]);
    assert!(told.contains("annotations") && status == Some(0), "{told}");
    let text = fs::read_to_string(&certificate).expect("it was written");
    let changed = folder.join("changed.cert");
    for (from, to, said) in [
        ("(= |#at.t1| 0)", "(= |#at.t1| 1)", "does not hold at the start"),
        ("(owicki-gries", "(owicki-gries (0 99 true)", "at a location that there is not"),
        ("(owicki-gries", "(owicki-gries (0 1 strange)", "strange"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&changed, text.replacen(from, to, 1)).expect("a file");
        let (told, status) = checked(&changed, &file, &[]);
        assert!(told.contains(said) && status == Some(1), "{told}");
    }
    let output = braid(&["verify", "--certificate-as", "owicki-gries", paths[1]]);
    assert_eq!(output.status.code(), Some(2), "a form of nothing");
}

#[test]
fn c_is_read_again_as_it_was() {
    let folder = folder("c-certificates");
    let (file, certificate) = (folder.join("counter.c"), folder.join("counter.cert"));
    let text = "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n\
        int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        void *f(void *a) { pthread_mutex_lock(&m); x += STEP; pthread_mutex_unlock(&m); return 0; }\n\
        int main(int argc, char **argv) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n\
        pthread_join(a, 0); pthread_join(b, 0); assert(x == 2 * atoi(argv[1])); return 0; }\n";
    fs::write(&file, text).expect("a file");
    let paths = [&certificate, &file].map(|path| path.to_str().expect("a plain path"));
    let options = ["verify", "--property", "unreach-call", "-D", "STEP=3", "--args", "counter 3", "--certificate"];
    let output = braid(&[&options[..], &paths].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let (told, status) = checked(&certificate, &file, &[]);
    assert!(told.contains("Started with: counter 3") && told.contains("STEP=3") && status == Some(0), "{told}");
    let written = fs::read_to_string(&certificate).expect("it was written");
    let excused = "\"\"excused\"\":[[\"\"unreach-call\"\",[0,0,9]]],\"\"defined\"\"";
    let changed = folder.join("changed.cert");
    for (from, to, said) in [
        ("(property \"unreach-call\")", "(property \"unreach-call,all-is-well\")", "this is no property"),
        ("\"\"defined\"\"", excused, "places are left out"),
    ] {
        assert!(written.contains(from), "{written}");
        fs::write(&changed, written.replacen(from, to, 1)).expect("a file");
        let (told, status) = checked(&changed, &file, &[]);
        assert!(told.contains(said) && status == Some(3), "{told}");
    }
    fs::write(&file, text.replace("2 * atoi", "3 * atoi")).expect("a file");
    assert_eq!(checked(&certificate, &file, &[]).1, Some(1));
}
