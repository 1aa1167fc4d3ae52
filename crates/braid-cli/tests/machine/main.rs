//! The compiled program: engine `run`, confirmation, and what stays in a folder. These tests execute their programs.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn braid(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_braid")).args(arguments).output().expect("braid runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machine").join(name)
}

/// Is there something that can compile and run programs? The tests say so if not.
fn is_possible() -> bool {
    let possible = cfg!(all(target_os = "linux", target_pointer_width = "64"))
        && Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !possible {
        eprintln!("skipped: no C compiler, or another machine");
    }
    possible
}

/// A line `// key: value` at the head of a program.
fn header<'a>(program: &'a str, key: &str) -> Option<&'a str> {
    program.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// The bug of each program in a folder is found; gives the programs.
fn bugs_are_found(folder_name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder(folder_name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 10);
    for file in &files {
        let program = fs::read_to_string(file).unwrap();
        let name = file.to_str().unwrap();
        let property = header(&program, "property").expect("each program says what it violates");
        let mut arguments = vec!["verify", name, "--engine", "run", "--property", property, "--timeout", "20s"];
        let also = header(&program, "also").map(|also| folder(folder_name).join(also));
        if let Some(also) = &also {
            arguments.extend(["--also", also.to_str().unwrap()]);
        }
        let run = braid(&arguments);
        assert_eq!(run.status.code(), Some(10), "{name}: {}", text(&run));
    }
    files
}

#[test]
fn bugs_of_all_kinds_are_found() {
    if is_possible() {
        bugs_are_found("bugs");
    }
}

#[test]
fn what_the_front_end_rejects_is_run() {
    if !is_possible() {
        return;
    }
    let files = bugs_are_found("rejected");
    assert!(files.len() >= 20);
    for file in files {
        let name = file.to_str().unwrap();
        // Rejected, or with a statement that is not modelled.
        let rejected = braid(&["verify", name, "--quiet", "--timeout", "20s"]);
        assert!(matches!(rejected.status.code(), Some(3 | 20)), "{name}: {}", text(&rejected));
    }
}

#[test]
fn correct_programs_are_never_unsafe() {
    if !is_possible() {
        return;
    }
    for file in fs::read_dir(folder("correct")).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.to_str().unwrap();
        for property in
            ["unreach-call", "no-data-race", "no-overflow", "no-deadlock", "no-crash", "no-undefined", "memsafety"]
        {
            let run = braid(&["verify", name, "--engine", "run", "--property", property, "--schedules", "1500"]);
            assert_eq!(run.status.code(), Some(20), "{name}, {property}: {}", text(&run));
            assert!(text(&run).contains("schedules were tried"), "{name}, {property}: {}", text(&run));
        }
    }
}

/// The programs of a folder, with their names and texts.
fn programs(folder_name: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(folder(folder_name)).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<(String, String)> =
        files.map(|file| (file.to_str().unwrap().to_owned(), fs::read_to_string(&file).unwrap())).collect();
    programs.sort();
    programs
}

#[test]
fn wrong_uses_of_memory_are_confirmed() {
    if !is_possible() {
        return;
    }
    let result = std::env::temp_dir().join(format!("braid-machine-memory-{}.json", std::process::id()));
    let result = result.to_str().unwrap();
    for (name, program) in programs("memory") {
        let property = header(&program, "property").expect("each program says what it violates");
        let says = header(&program, "says").expect("each program says what is said");
        let mut arguments = vec!["verify", &name, "--property", property];
        arguments.extend(header(&program, "option"));
        let found = braid(&[&arguments[..], &["--confirm", "--timeout", "20s", "--json", result]].concat());
        assert_eq!(found.status.code(), Some(10), "{name}: {}", text(&found));
        let reproduced = text(&found).lines().any(|line| line.starts_with("reproduced: ") && line.contains(says));
        assert!(reproduced, "{name}: {}", text(&found));
        let again = braid(&["replay", &name, result, "--run"]);
        assert!(text(&again).contains("\nreproduced: "), "{name}: {}", text(&again));
        let run = braid(&[&arguments[..], &["--engine", "run", "--timeout", "20s"]].concat());
        assert_eq!(run.status.code(), Some(10), "{name}: {}", text(&run));
    }
    let _ = fs::remove_file(result);
}

#[test]
fn right_uses_of_memory_are_never_unsafe() {
    if !is_possible() {
        return;
    }
    for (name, _) in programs("memory_correct") {
        for property in ["memsafety", "valid-memtrack", "no-undefined", "no-crash"] {
            let run = braid(&["verify", &name, "--engine", "run", "--property", property, "--schedules", "1500"]);
            assert_eq!(run.status.code(), Some(20), "{name}, {property}: {}", text(&run));
            let said = text(&run);
            assert!(said.contains("schedules were tried") && !said.contains("note:"), "{name}, {property}: {said}");
        }
    }
}

#[test]
fn reads_without_a_value_are_not_looked_for() {
    if !is_possible() {
        return;
    }
    let program = folder("without_value.c");
    let program = program.to_str().unwrap();
    let unseen = "compiled programs do not show reads of variables without a value";
    let found = braid(&["verify", program, "--property", "no-uninitialised", "--confirm"]);
    assert!(text(&found).contains(&format!("\nnot reproduced: {unseen}\n")), "{}", text(&found));
    let run = braid(&["verify", program, "--property", "no-uninitialised", "--engine", "run"]);
    assert!(run.status.code() == Some(2) && text(&run).contains(unseen), "{}", text(&run));
}

/// The compiler has chosen an order of effects, so there is nothing to search for.
#[test]
fn effects_without_an_order_are_not_searched_for() {
    let bugs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs");
    for (name, property, why) in [
        ("order_call.c", "no-undefined", "effects without an order: the compiler has chosen one"),
        ("circle_flag.c", "progress", "that threads spin for ever"),
    ] {
        let program = bugs.join(name);
        let start = Instant::now();
        let found = braid(&["verify", program.to_str().unwrap(), "-D", "BUG", "--property", property, "--confirm"]);
        let expected = format!("not reproduced: compiled programs do not show {why}\n");
        assert!(text(&found).contains(&expected), "{}", text(&found));
        assert!(start.elapsed() < Duration::from_secs(8), "it took {:?}", start.elapsed());
    }
}

#[test]
fn a_violation_is_confirmed_and_kept() {
    if !is_possible() {
        return;
    }
    let scratch = std::env::temp_dir().join(format!("braid-machine-test-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    let (result, kept) = (scratch.join("result.json"), scratch.join("kept"));
    let (result, kept) = (result.to_str().unwrap(), kept.to_str().unwrap());
    let program = folder("transfer.c");
    let program = program.to_str().unwrap();
    let found = braid(&["verify", program, "--json", result, "--timeout", "60s"]);
    assert_eq!(found.status.code(), Some(10), "{}", text(&found));
    assert!(text(&found).contains("--run"), "{}", text(&found));
    let again = braid(&["replay", program, result, "--run", "--keep", kept]);
    let said = text(&again);
    assert!(said.contains("\nreproduced: ") && said.contains("Assertion `balance == 30' failed"), "{said}");
    let built = Command::new("sh").arg(format!("{kept}/build.sh")).output().unwrap();
    assert!(built.status.success(), "{}", text(&built));
    let ran = Command::new("sh").arg(format!("{kept}/run.sh")).output().unwrap();
    assert!(text(&ran).contains("end failed"), "{}", text(&ran));
    let confirmed = braid(&["verify", program, "--confirm", "--json", result, "--timeout", "60s"]);
    assert!(text(&confirmed).contains("\nreproduced: "), "{}", text(&confirmed));
    assert!(fs::read_to_string(result).unwrap().contains("\"reproduced\": true"));
    let _ = fs::remove_dir_all(scratch);
}

#[test]
fn a_run_is_repeated_from_its_result() {
    if !is_possible() {
        return;
    }
    let result = std::env::temp_dir().join(format!("braid-machine-result-{}.json", std::process::id()));
    let result = result.to_str().unwrap();
    let program = folder("transfer.c");
    let program = program.to_str().unwrap();
    let found = braid(&["verify", program, "--engine", "run", "--json", result]);
    assert_eq!(found.status.code(), Some(10), "{}", text(&found));
    let refused = braid(&["replay", program, result]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    let again = braid(&["replay", program, result, "--run"]);
    assert_eq!(again.status.code(), Some(10), "{}", text(&again));
    assert!(text(&again).contains("\nreproduced: "), "{}", text(&again));
    let _ = fs::remove_file(result);
}

#[test]
fn an_interruption_ends_compilers_and_searches() {
    if !is_possible() {
        return;
    }
    let cache = std::env::temp_dir().join(format!("braid-machine-cache-{}", std::process::id()));
    let program = folder("correct/everything.c");
    // The first time the runtime is compiled, too: that takes longer.
    for milliseconds in [200, 5000] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        command.args(["verify", program.to_str().unwrap(), "--engine", "run", "--timeout", "100s"]);
        let child = command.env("XDG_CACHE_HOME", &cache).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        assert_eq!(output.status.code(), Some(20), "{}", text(&output));
        assert!(text(&output).contains("verdict: unknown (interrupted"), "{}", text(&output));
    }
    let _ = fs::remove_dir_all(cache);
}

#[test]
fn nothing_is_claimed_for_another_machine() {
    if !is_possible() {
        return;
    }
    let apart = "the verdict is for ILP32, cc compiles for LP64";
    let right = folder("narrow.c");
    for model in [&[][..], &["--data-model", "ILP32"]] {
        let run = braid(&[&["verify", right.to_str().unwrap(), "--engine", "run"], model].concat());
        assert_eq!(run.status.code(), Some(20), "{}", text(&run));
        assert!(text(&run).contains(apart) && !text(&run).contains("No run"), "{}", text(&run));
    }
    let meant = braid(&["verify", right.to_str().unwrap(), "--engine", "run", "--data-model", "LP64"]);
    assert_eq!(meant.status.code(), Some(10), "{}", text(&meant));
    let wrong = folder("narrow_wrong.c");
    let found = braid(&["verify", wrong.to_str().unwrap(), "--confirm", "--timeout", "3s"]);
    assert_eq!(found.status.code(), Some(10), "{}", text(&found));
    assert!(text(&found).contains(&format!("\nnot reproduced: {apart}\n")), "{}", text(&found));
}

#[test]
fn functions_without_a_body_write_what_they_wrote() {
    if !is_possible() {
        return;
    }
    let result = std::env::temp_dir().join(format!("braid-machine-effects-{}.json", std::process::id()));
    let result = result.to_str().unwrap();
    let files: Vec<PathBuf> = fs::read_dir(folder("effects")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 12);
    for file in &files {
        let (program, name) = (fs::read_to_string(file).unwrap(), file.to_str().unwrap());
        let property = header(&program, "property").unwrap_or("unreach-call");
        let mut arguments = vec!["verify", name, "--confirm", "--json", result, "--property", property];
        arguments.extend(header(&program, "extern").iter().flat_map(|effect| ["--extern", effect]));
        let found = braid(&arguments);
        assert_eq!(found.status.code(), Some(10), "{name}: {}", text(&found));
        if let Some(function) = header(&program, "not forced") {
            let expected = format!("\nnot reproduced: what `{function}` wrote could not be forced\n");
            assert!(text(&found).contains(&expected), "{name}: {}", text(&found));
            continue;
        }
        assert!(text(&found).contains("\nreproduced: "), "{name}: {}", text(&found));
        assert!(!text(&found).contains('@'), "{name}: places are not for people: {}", text(&found));
        // What was written is part of the schedule.
        let again = braid(&["replay", name, result, "--run"]);
        assert!(text(&again).contains("\nreproduced: "), "{name}: {}", text(&again));
    }
    let _ = fs::remove_file(result);
}

#[test]
fn running_beside_others_has_to_be_allowed() {
    if !is_possible() {
        return;
    }
    let program = folder("rejected/count_asm.c");
    let program = program.to_str().unwrap();
    let allowed = braid(&["verify", program, "--allow-run", "--timeout", "30s"]);
    assert_eq!(allowed.status.code(), Some(10), "{}", text(&allowed));
    assert!(text(&allowed).contains("compiled program"), "{}", text(&allowed));
}
