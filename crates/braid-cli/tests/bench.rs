//! `braid bench` as people use it: tables, wrong verdicts, limits, going on after an interruption, and pieces for other machines.
//!
//! Most tests run a `braid` of their own, a shell script that answers by the names of files and notes what it was called for.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const SCRIPT: &str = r#"#!/bin/sh
[ "$1" = --version ] && echo "braid 0.0 (a script)" && exit
for file; do :; done
echo "$file" >>"$(dirname "$0")/calls"
say() { echo '{"engine": "gem", "violated": "unreach-call", "rounds": 3}'; echo "verdict: $1"; exit "$2"; }
case "$file" in
*/unsafe*) say unsafe 10 ;;
*/safe*) say safe 0 ;;
*/unsure*) say "unknown (a bound)" 20 ;;
*/late*) say "unknown (timeout)" 20 ;;
*/crash*) echo "bad" >&2; kill -SEGV $$ ;;
*/rejected*) echo "x.c:1:1: error: no" >&2; exit 3 ;;
*/slow*) sleep 0.4; say safe 0 ;;
*/hang*) sleep 1000 ;;
esac
"#;

/// A folder with a `braid` that is a script, and a manifest.
struct Bench(PathBuf);

impl Bench {
    fn new(test: &str, tasks: &[(&str, &str)]) -> Bench {
        let folder = std::env::temp_dir().join(format!("braid-bench-test-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("braid"), SCRIPT).unwrap();
        fs::set_permissions(folder.join("braid"), fs::Permissions::from_mode(0o755)).unwrap();
        let lines = tasks.iter().map(|(file, expected)| format!("{file},unreach-call,{expected}\n"));
        fs::write(folder.join("tasks.csv"), format!("file,property,expected\n{}", lines.collect::<String>())).unwrap();
        Bench(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        command.arg("bench").args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs the manifest with the script, and more arguments.
    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(&[&["tasks.csv", "--braid", "./braid"], arguments].concat()).output().unwrap())
    }

    /// The files that the script was called for, since the last time.
    fn calls(&self) -> Vec<String> {
        let path = self.0.join("calls");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let _ = fs::remove_file(&path);
        text.lines().map(|line| line.rsplit('/').next().unwrap_or_default().to_owned()).collect()
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap()
    }

    /// Some columns of a CSV without quoted cells.
    fn cells(&self, file: &str, columns: &[&str]) -> Vec<String> {
        let text = self.text(file);
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let places: Vec<usize> =
            columns.iter().map(|column| header.iter().position(|name| name == column).unwrap()).collect();
        let line = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            places.iter().map(|&place| cells[place]).collect::<Vec<_>>().join(" ")
        };
        text.lines().skip(1).map(line).collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Ran {
    out: String,
    err: String,
    status: Option<i32>,
}

impl Ran {
    fn of(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { out: text(&output.stdout), err: text(&output.stderr), status: output.status.code() }
    }
}

#[test]
fn all_kinds_of_ends() {
    let bench = Bench::new(
        "ends",
        &[
            ("safe.c", "true"),
            ("unsafe.c", "false"),
            ("unsafe-2.c", "true"),
            ("safe-2.c", "unknown"),
            ("unsure.c", "true"),
            ("late.c", "true"),
            ("crash.c", "true"),
            ("rejected.c", "false"),
            ("hang.c", "true"),
        ],
    );
    let start = Instant::now();
    let ran = bench.run(&["--csv", "out.csv", "--html", "out.html", "--timeout", "200ms", "--jobs", "3"]);
    assert!(start.elapsed() < Duration::from_secs(60), "what hangs is ended");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("WRONG: default: tasks/unsafe-2.c unreach-call: expected true, said false"), "{ran:?}");
    assert!(ran.out.contains("crash: default: tasks/crash.c unreach-call: expected true, ended with signal 11: bad"));
    let sums: Vec<&str> = ran.out.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(sums[..12], ["default", "tasks", "9", "3", "1", "1/6", "1/2", "1", "2", "0", "1", "1"], "{ran:?}");
    assert_eq!(
        bench.cells("out.csv", &["task", "status", "verdict", "exit"]),
        [
            "unsafe-2.c wrong unsafe 10",
            "safe.c correct safe 0",
            "unsafe.c correct unsafe 10",
            "safe-2.c answered safe 0",
            "unsure.c unknown unknown 20",
            "late.c timeout unknown 20",
            "crash.c crash none signal 11",
            "rejected.c rejected none 3",
            "hang.c timeout none signal 9",
        ]
    );
    assert_eq!(ran.err, "", "nothing is drawn where there is no terminal");
    let page = bench.text("out.html");
    assert!(page.contains("1 verdict is wrong") && page.contains("Cactus plot") && !page.contains("http"));
}

#[test]
fn runs_that_are_there_are_not_done_again() {
    let bench = Bench::new("again", &[("safe.c", "true"), ("unsafe.c", "false"), ("unsure.c", "true")]);
    let both = ["--csv", "out.csv", "--config", "a", "--config", "b=--engine gem"];
    assert_eq!(bench.run(&both).status, Some(0));
    assert_eq!(bench.calls().len(), 6);
    let whole = bench.text("out.csv");
    // The last line is cut, as by a machine that was switched off.
    fs::write(bench.0.join("out.csv"), &whole[..whole.len() - 30]).unwrap();
    let ran = bench.run(&both);
    assert!(ran.err.contains("out.csv: 5 of 6 runs are there"), "{ran:?}");
    assert_eq!(bench.calls(), ["unsure.c"]);
    assert_eq!(bench.text("out.csv").lines().count(), 7);
    // The runs belong to other options now.
    let ran = bench.run(&["--csv", "out.csv", "--config", "a=--engine cegar"]);
    assert_eq!((ran.status, bench.calls().len()), (Some(2), 0));
    assert!(
        ran.err.contains("runs of configuration `a` with other options") && ran.err.contains("--restart"),
        "{ran:?}"
    );
    bench.run(&["--csv", "out.csv", "--restart"]);
    assert_eq!((bench.calls().len(), bench.text("out.csv").lines().count()), (3, 4));
}

#[test]
fn an_interruption_leaves_a_csv_to_go_on_from() {
    let tasks: Vec<(String, &str)> = (0..8).map(|number| (format!("slow-{number}.c"), "true")).collect();
    let tasks: Vec<(&str, &str)> = tasks.iter().map(|(name, expected)| (name.as_str(), *expected)).collect();
    let bench = Bench::new("interrupt", &tasks);
    let arguments = ["tasks.csv", "--braid", "./braid", "--csv", "out.csv"];
    let mut command = bench.command(&arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now();
    while fs::read_to_string(bench.0.join("out.csv")).map_or(0, |text| text.lines().count()) < 3 {
        assert!(patience.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(20), "{ran:?}");
    assert!(ran.err.contains("the same command goes on from out.csv"), "{ran:?}");
    let done = bench.cells("out.csv", &["task", "status"]);
    assert!(done.len() >= 2 && done.len() < 8 && done.iter().all(|line| line.ends_with(" correct")), "{done:?}");
    bench.calls();
    let ran = bench.run(&["--csv", "out.csv"]);
    assert_eq!((ran.status, bench.calls().len()), (Some(0), 8 - done.len()));
    assert_eq!(bench.cells("out.csv", &["task"]), tasks.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}

#[test]
fn changes_since_an_old_run() {
    let bench = Bench::new("compare", &[("safe.c", "true"), ("unsure.c", "false"), ("safe-2.c", "true")]);
    bench.run(&["--csv", "old.csv"]);
    let old = bench.text("old.csv").replace("unknown,unknown,,a bound", "correct,unsafe,,");
    fs::write(bench.0.join("old.csv"), old).unwrap();
    let tasks = bench.text("tasks.csv").replace("safe-2.c,unreach-call,true", "safe-2.c,unreach-call,false");
    fs::write(bench.0.join("tasks.csv"), tasks).unwrap();
    let ran = bench.run(&["--compare", "old.csv", "--html", "new.html"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let changes: Vec<&str> = ran.out.lines().skip_while(|line| !line.starts_with("against")).collect();
    assert!(changes[0].starts_with("against old.csv: 1 wrong, 1 lost, 0 won"), "{ran:?}");
    assert_eq!(
        changes[1..],
        [
            "  WRONG: default: tasks/safe-2.c unreach-call: true → true, expected false",
            "  lost: default: tasks/unsure.c unreach-call: false → unknown (a bound)",
        ]
    );
    assert!(bench.text("new.html").contains("Changes since old.csv"));
}

#[test]
fn pieces_together_are_the_whole() {
    let bench = Bench::new("slurm", &[("safe.c", "true"), ("unsafe.c", "false"), ("safe-2.c", "true")]);
    bench.run(&["--csv", "whole.csv", "--config", "a", "--config", "b=--engine gem"]);
    let ran = bench.run(&["--slurm", "array", "--config", "a", "--config", "b=--engine gem"]);
    assert!(ran.out.starts_with("6 runs in 6 pieces.\nstart:   sbatch "), "{ran:?}");
    let element = |number: usize| {
        let mut script = Command::new("sh");
        script.arg("array/job.sbatch").env("SLURM_ARRAY_TASK_ID", number.to_string()).current_dir(&bench.0);
        assert!(script.output().unwrap().status.success(), "{number}");
    };
    (0..5).for_each(element);
    let collect = || Ran::of(bench.command(&["--collect", "array", "--compare", "whole.csv"]).output().unwrap());
    let ran = collect();
    assert_eq!(ran.status, Some(20));
    assert!(ran.err.contains("1 of 6 runs are not done yet. When the array has ended: sbatch --array=5 "), "{ran:?}");
    element(5);
    let ran = collect();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.contains("0 wrong, 0 lost, 0 won") && ran.out.contains("both solved 6"), "{ran:?}");
    let columns = ["config", "task", "status"];
    assert_eq!(bench.cells("array/results.csv", &columns), bench.cells("whole.csv", &columns));
}

#[test]
fn a_run_definition_for_benchexec() {
    let bench = Bench::new("benchexec", &[("safe.c", "true"), ("unsafe.c", "false")]);
    let ran = bench.run(&["--benchexec", "run.xml", "--config", "gem=--engine gem"]);
    assert_eq!((ran.status, bench.calls().len()), (Some(0), 0), "{ran:?}");
    let text = bench.text("run.xml");
    assert!(text.contains("<rundefinition name=\"gem\">") && text.contains("0-1-unsafe.c.yml</include>"), "{text}");
    assert!(bench.text("run.tasks/0-1-unsafe.c.yml").contains("expected_verdict: false"));
}

#[test]
fn mistakes_are_told_before_a_run() {
    let bench = Bench::new("mistakes", &[("safe.c", "true")]);
    let check = |arguments: &[&str], expected: &str| {
        let ran = Ran::of(bench.command(arguments).output().unwrap());
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains(expected), "{ran:?}");
    };
    check(&[], "there is no task set");
    check(&["tasks.csv", "--config", "x=--engine none"], "configuration x: error: invalid value 'none'");
    check(&["tasks.csv", "--config", "x=--timeout 3s"], "cannot be used multiple times");
    check(&["tasks.csv", "--filter", "nothing"], "there is no task");
    check(&["tasks.csv", "--braid", "/bin/true"], "this is no `braid`");
    assert_eq!(bench.calls().len(), 0);
}

const LOCKED: &str = "#include <assert.h>\n#include <pthread.h>\nint count;\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
    void *add(void *unused) { LOCK int old = count; count = old + 1; UNLOCK return 0; }\n\
    int main(void) { pthread_t one, two; pthread_create(&one, 0, add, 0); pthread_create(&two, 0, add, 0);\n\
    pthread_join(one, 0); pthread_join(two, 0); assert(count == 2); }\n";

/// Three threads that count as far as nobody can follow one by one.
const ENDLESS: &str = "#include <assert.h>\n#include <pthread.h>\nunsigned a, b, c;\n\
    void *one(void *unused) { while (1) a++; }\nvoid *two(void *unused) { while (1) b++; }\n\
    int main(void) { pthread_t x, y; pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0);\n\
    while (1) { c++; assert(a != 4000000000u || b != 4000000000u || c != 4000000000u); } }\n";

#[test]
fn real_programs() {
    let bench = Bench::new("real", &[]);
    let write = |file: &str, text: &str| fs::write(bench.0.join(file), text).unwrap();
    let locked = LOCKED.replace("UNLOCK", "pthread_mutex_unlock(&lock);").replace("LOCK", "pthread_mutex_lock(&lock);");
    let plain = LOCKED.replace("UNLOCK", "").replace("LOCK", "");
    write("locked_true-unreach-call.c", &locked);
    write("plain_false-unreach-call.c", &plain);
    write("claimed_true-unreach-call.c", &plain);
    write("endless_true-unreach-call.c", ENDLESS);
    write("broken_true-unreach-call.c", "int main( {");
    write(
        "race.yml",
        "format_version: '2.0'\ninput_files: plain_false-unreach-call.c\nproperties:\n  - property_file: no-data-race.prp\n    expected_verdict: false\n",
    );
    write("all.set", "*_true-*.c\n*_false-*.c\nrace.yml\n");
    let arguments = ["all.set", "--csv", "out.csv", "--timeout", "5s", "--config", "explicit=--engine explicit"];
    let ran = Ran::of(bench.command(&arguments).output().unwrap());
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(
        bench.cells("out.csv", &["task", "property", "status"]),
        [
            "claimed_true-unreach-call.c unreach-call wrong",
            "broken_true-unreach-call.c unreach-call rejected",
            "endless_true-unreach-call.c unreach-call timeout",
            "locked_true-unreach-call.c unreach-call correct",
            "plain_false-unreach-call.c unreach-call correct",
            "race.yml no-data-race correct",
        ]
    );
    let numbers = bench.cells("out.csv", &["task", "cpu_s", "mib"]);
    assert!(numbers.iter().all(|line| !line.contains(" 0.000 ") && !line.ends_with(" 0.0")), "{numbers:?}");
    assert!(Path::new(&bench.0.join("out.csv")).exists());
}
