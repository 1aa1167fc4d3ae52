//! Differential test of the C front end: random programs with threads, compiled by GCC and run under many schedules, against what
//! Braid says of them.
//!
//! No program that Braid calls safe may fail in a run, every execution that it finds must replay, and a program that it calls unsafe
//! must fail in a run if all schedules can be tried. `BRAID_CASES` sets the number of programs, `BRAID_SEED` the first one.

mod expressions;
mod generate;
#[path = "../../../braid-frontend/tests/mutation/mod.rs"]
#[allow(dead_code)]
mod mutation;
mod runs;
mod statements;
mod threads;

use generate::{Program, program};
use mutation::Random;
use runs::{Compiler, Ends, Observations};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What Braid says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Safe,
    Unsafe,
    Unknown,
    Rejected(String),
}

fn braid(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
}

/// Verifies a program; an execution must replay.
fn verdict(file: &Path, property: &str, problems: &mut Vec<String>) -> Verdict {
    let name = file.to_str().expect("a plain name");
    let result = file.with_extension(format!("{property}.json"));
    let result = result.to_str().expect("a plain name");
    let limit = format!("{}s", setting("BRAID_SECONDS", 2));
    let how = ["--timeout", &limit, "--data-model", "LP64", "--quiet", "--property", property, "--json", result];
    let output = braid(&[&["verify", name], &how[..]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => Verdict::Safe,
        Some(10) => {
            let replay = braid(&["replay", name, result]);
            if replay.status.code() != Some(10) {
                let said = String::from_utf8_lossy(&replay.stdout).into_owned();
                problems.push(format!("{name}: {property}: the execution does not replay: {said}"));
            }
            Verdict::Unsafe
        }
        Some(20) => Verdict::Unknown,
        Some(3) => {
            let message = errors.lines().next().and_then(|line| line.split_once("error: ")).map(|(_, said)| said);
            Verdict::Rejected(message.unwrap_or(&errors).to_owned())
        }
        status => {
            problems.push(format!("{name}: {property}: ends with {status:?}: {errors}"));
            Verdict::Unknown
        }
    }
}

/// Claims about what was observed: most hold in all runs that were seen, some fail in the rarest.
fn claims(program: &Program, observations: &Observations, random: &mut Random) -> Vec<String> {
    let doomed = random.below(2 * program.sites);
    let claim = |site: usize| {
        let value = format!("o{site}");
        let none = BTreeMap::new();
        let seen = observations.get(&site).unwrap_or(&none);
        let (Some(least), Some(most)) = (seen.keys().next(), seen.keys().next_back()) else {
            return format!("{value} == 0");
        };
        let rarest = seen.iter().min_by_key(|(_, count)| **count).map_or(least, |(value, _)| value);
        match random.below(4) {
            _ if site == doomed => format!("{value} != {rarest}"),
            0 | 1 if seen.len() < 6 => {
                seen.keys().map(|seen| format!("{value} == {seen}")).collect::<Vec<_>>().join(" || ")
            }
            2 => format!("{value} <= {most}"),
            _ => format!("{value} >= {least} && {value} <= {most}"),
        }
    };
    (0..program.sites).map(claim).collect()
}

/// How often what came out.
#[derive(Default)]
struct Tally(BTreeMap<String, usize>);

impl Tally {
    fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

/// Compares what runs and Braid say of one property.
fn compare(
    compiler: &Compiler,
    (file, executable): (&Path, &Path),
    (property, wrong): (&str, fn(&Ends) -> u64),
    ends: &Ends,
    tally: &mut Tally,
    problems: &mut Vec<String>,
) {
    let name = file.display();
    let verdict = verdict(file, property, problems);
    let fails = wrong(ends) > 0;
    match &verdict {
        Verdict::Safe if fails => problems.push(format!("{name}: {property}: safe, but {ends:?}")),
        Verdict::Unsafe if fails => tally.count(format!("{property}: unsafe, and so are runs")),
        Verdict::Unsafe => {
            let all = compiler.run_all(executable, property, 200_000);
            if wrong(&all) > 0 {
                tally.count(format!("{property}: unsafe, and so is a run"));
            } else if all.overflowed + all.undefined > 0 {
                // What happens then is not defined, and not the same here and there.
                tally.count(format!("{property}: unsafe, undefined in runs"));
            } else if all.complete && property == "unreach-call" {
                // Overflows in constant expressions happen while GCC compiles.
                problems.push(format!("{name}: {property}: unsafe, but all runs are {all:?}"));
            } else {
                tally.count(format!("{property}: unsafe, not seen in runs"));
            }
        }
        Verdict::Safe => tally.count(format!("{property}: safe")),
        Verdict::Unknown if fails => tally.count(format!("{property}: unknown, but runs are unsafe")),
        Verdict::Unknown => tally.count(format!("{property}: unknown")),
        Verdict::Rejected(message) => tally.count(format!("{property}: rejected: {message}")),
    }
}

#[test]
fn runs_agree_with_verdicts() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("differential");
    fs::create_dir_all(&folder).expect("a folder for programs");
    let Some(compiler) = Compiler::new(&folder) else {
        eprintln!("there is no GCC for x86-64 here");
        return;
    };
    let start = Instant::now();
    let (mut tally, mut problems) = (Tally::default(), Vec::new());
    let (first, cases) = (setting("BRAID_SEED", 0), setting("BRAID_CASES", 40));
    for seed in first..first + cases {
        let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let program = program(&mut random);
        let observer = compiler.compile(&folder, "observer", &program.observing());
        let (_, observations) = compiler.run(&observer, seed, 2_000);
        let name = format!("program{seed}");
        let text = program.claiming(&claims(&program, &observations, &mut random));
        let executable = compiler.compile(&folder, &name, &text);
        let file = folder.join(format!("{name}.c"));
        let (ends, _) = compiler.run(&executable, seed + 1, 10_000);
        let files = (file.as_path(), executable.as_path());
        compare(&compiler, files, ("unreach-call", |ends| ends.failed), &ends, &mut tally, &mut problems);
        if ends.overflowed > 0 || seed % 4 == 0 {
            compare(&compiler, files, ("no-overflow", |ends| ends.overflowed), &ends, &mut tally, &mut problems);
        }
        if problems.iter().all(|problem| !problem.contains(&format!("{name}.c"))) {
            let _ = fs::remove_file(&executable);
        }
    }
    for (what, count) in &tally.0 {
        eprintln!("{count:5} {what}");
    }
    eprintln!("{cases} programs in {:.0?}", start.elapsed());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
