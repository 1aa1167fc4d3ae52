//! Differential test of the C front end: random programs with threads, compiled by GCC and run under many schedules, against what
//! Braid says of them.
//!
//! No program that Braid calls safe may fail in a run, every execution that it finds must replay, and a program that it calls unsafe
//! must fail in a run if all schedules can be tried. Some programs are random throughout ([`generate`]), the others are made
//! of parts, so that every construct and library function has its share ([`parts`], [`coverage`]). `BRAID_CASES` sets the number
//! of programs, `BRAID_SEED` the first one, `BRAID_SECONDS` the time for a verdict, `BRAID_JOBS` how many run at once, and
//! `BRAID_BINARY` another binary; `BRAID_PARTS` leaves only parts whose titles contain it.

mod coverage;
mod expressions;
mod generate;
mod parts;
mod runs;
mod statements;
mod threads;
mod trials;

use braid_testkit::Random;
use coverage::Coverage;
use generate::{Program, program};
use parts::{Part, Tables};
use runs::{Compiler, Ends, Observations, Tries};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use trials::{Kind, Outcome, Trial};

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What Braid says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Safe,
    Unsafe,
    Unknown,
    /// The message, and the line that it names.
    Rejected {
        message: String,
        line: usize,
    },
}

fn braid(arguments: &[&str]) -> std::process::Output {
    let binary = std::env::var("BRAID_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_braid").to_owned());
    let mut command = Command::new(binary);
    command.args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
}

/// Verifies a program by an engine, or if that does not decide it, by whatever suits.
fn verdict(file: &Path, property: &str, engine: &str, problems: &mut Vec<String>) -> Verdict {
    match verdict_by(file, property, engine, problems) {
        Verdict::Unknown if engine != "auto" => verdict_by(file, property, "auto", problems),
        verdict => verdict,
    }
}

/// Verifies a program; an execution must replay.
fn verdict_by(file: &Path, property: &str, engine: &str, problems: &mut Vec<String>) -> Verdict {
    let name = file.to_str().expect("a plain name");
    let result = file.with_extension(format!("{property}.json"));
    let result = result.to_str().expect("a plain name");
    let limit = format!("{}s", setting("BRAID_SECONDS", 5));
    let how = ["--timeout", &limit, "--data-model", "LP64", "--quiet", "--property", property, "--json", result];
    let output = braid(&[&["verify", name, "--engine", engine], &how[..]].concat());
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
        Some(20) => unmodelled(result).unwrap_or(Verdict::Unknown),
        Some(3) => {
            let (place, message) =
                errors.lines().next().and_then(|line| line.split_once("error: ")).unwrap_or(("", &errors));
            let line =
                place.strip_prefix(name).and_then(|place| place.split(':').nth(1)?.parse().ok()).unwrap_or_default();
            Verdict::Rejected { message: message.to_owned(), line }
        }
        status => {
            problems.push(format!("{name}: {property}: ends with {status:?}: {errors}"));
            Verdict::Unknown
        }
    }
}

/// What is not decided because an execution gets to something that is not modelled counts as rejected.
fn unmodelled(result: &str) -> Option<Verdict> {
    let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(result).ok()?).ok()?;
    let reason = result["reason"].as_str()?.split(';').next()?;
    let (message, line) = reason.split_once(" in line ").filter(|(message, _)| message.contains("not supported"))?;
    Some(Verdict::Rejected { message: message.to_owned(), line: line.trim().parse().ok()? })
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
    let verdict = verdict(file, property, "cegar", problems);
    let fails = wrong(ends) > 0;
    match &verdict {
        Verdict::Safe if fails => problems.push(format!("{name}: {property}: safe, but {ends:?}")),
        Verdict::Unsafe if fails => tally.count(format!("{property}: unsafe, and so are runs")),
        Verdict::Unsafe => {
            let tries = if property == "no-overflow" { Tries::Overflows } else { Tries::All };
            let (all, _) = compiler.run_all(executable, tries, 200_000);
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
        Verdict::Rejected { message, .. } => tally.count(format!("{property}: rejected: {message}")),
    }
}

/// A program that is random throughout: what Braid says of its claims and of overflows.
fn random_trial(compiler: &Compiler, folder: &Path, seed: u64) -> Outcome {
    let (mut tally, mut problems) = (Tally::default(), Vec::new());
    let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let program = program(&mut random);
    let observer = compiler.compile(folder, &format!("program{seed}_observer"), &program.observing());
    let (_, observations) = compiler.run(&observer, seed, 1_000);
    let name = format!("program{seed}");
    let text = program.claiming(&claims(&program, &observations, &mut random));
    let executable = compiler.compile(folder, &name, &text);
    let file = folder.join(format!("{name}.c"));
    let (ends, _) = compiler.run(&executable, seed + 1, 5_000);
    let files = (file.as_path(), executable.as_path());
    compare(compiler, files, ("unreach-call", |ends| ends.failed), &ends, &mut tally, &mut problems);
    if ends.overflowed > 0 || seed.is_multiple_of(16) {
        compare(compiler, files, ("no-overflow", |ends| ends.overflowed), &ends, &mut tally, &mut problems);
    }
    let _ = fs::remove_file(observer);
    let _ = fs::remove_file(executable);
    let compared = tally.0.keys().any(|what| !what.contains("unknown") && !what.contains("rejected"));
    Outcome { compared: compared.then_some(text), notes: tally.0.into_keys().collect(), problems }
}

/// Calls a function for each number below a limit, from several threads.
fn side_by_side(limit: u64, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    let worker = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= limit {
                return;
            }
            work(number);
        }
    };
    std::thread::scope(|scope| (0..setting("BRAID_JOBS", 2)).for_each(|_| drop(scope.spawn(worker))));
}

fn wanted() -> String {
    std::env::var("BRAID_PARTS").unwrap_or_default()
}

/// The parts of a table that Braid accepts; those that it rejects get their messages.
fn accepted<'p>(
    (compiler, folder): (&Compiler, &Path),
    (kind, table): (Kind, &'p [Part]),
    rejected: &mut BTreeMap<&'p str, String>,
) -> Vec<&'p Part> {
    let messages = Mutex::new(BTreeMap::new());
    side_by_side(table.len() as u64, |seed| {
        let part = &table[seed as usize];
        if !part.title.contains(&wanted()) {
            messages.lock().expect("no thread panics").insert(part.title, String::new());
        } else if let Some(message) = (Trial { compiler, folder, kind, seed }).rejection(part) {
            messages.lock().expect("no thread panics").insert(part.title, message);
        }
    });
    rejected.append(&mut messages.into_inner().expect("no thread panics"));
    table.iter().filter(|part| !rejected.contains_key(part.title)).collect()
}

/// Programs with later problems are not tried part by part: that takes its time.
const MOST_PROBLEMS: usize = 40;

/// Which programs take turns; those of no kind are random throughout.
const TURNS: [Option<Kind>; 20] = {
    use Kind::{Concurrent, Inputs, Sequential, Threads};
    let [s, i, t, c] = [Some(Sequential), Some(Inputs), Some(Threads), Some(Concurrent)];
    [s, c, None, i, t, s, c, i, s, t, c, s, i, c, s, None, t, c, i, s]
};

/// The kind of a program, and how many of that kind come before it.
fn turn(seed: u64) -> Option<(Kind, u64)> {
    let (block, place) = (seed / TURNS.len() as u64, seed as usize % TURNS.len());
    let kind = TURNS[place]?;
    let like = |turns: &[Option<Kind>]| turns.iter().filter(|turn| **turn == Some(kind)).count() as u64;
    Some((kind, block * like(&TURNS) + like(&TURNS[..place])))
}

#[test]
fn runs_agree_with_verdicts() {
    let (first, cases) = (setting("BRAID_SEED", 0), setting("BRAID_CASES", 40));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("differential{first}"));
    fs::create_dir_all(&folder).expect("a folder for programs");
    let Some(compiler) = Compiler::new(&folder) else {
        eprintln!("there is no GCC for x86-64 here");
        return;
    };
    let start = Instant::now();
    let tables = Tables::new();
    let mut rejected = BTreeMap::new();
    let tools = (&compiler, folder.as_path());
    let sequential = accepted(tools, (Kind::Sequential, &tables.sequential), &mut rejected);
    let inputs = accepted(tools, (Kind::Inputs, &tables.inputs), &mut rejected);
    let threads = accepted(tools, (Kind::Threads, &tables.threads), &mut rejected);
    let concurrent = accepted(tools, (Kind::Concurrent, &tables.concurrent), &mut rejected);
    let packs = [
        (Kind::Sequential, sequential),
        (Kind::Inputs, inputs),
        (Kind::Threads, threads),
        (Kind::Concurrent, concurrent),
    ];
    let state = Mutex::new((Tally::default(), Vec::new(), Coverage::default()));
    side_by_side(cases, |number| {
        let seed = first + number;
        let part_by_part = state.lock().expect("no thread panics").1.len() < MOST_PROBLEMS;
        let chosen = packs.iter().find(|(_, pack)| !wanted().is_empty() && !pack.is_empty());
        let outcome = match chosen.map_or_else(|| turn(seed), |(kind, _)| Some((*kind, seed))) {
            None => random_trial(&compiler, &folder, seed),
            Some((kind, number)) => {
                let pack = packs.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, pack)| pack);
                let trial = Trial { compiler: &compiler, folder: &folder, kind, seed };
                trial.run(&parts::deal(pack, number, kind.parts()), part_by_part)
            }
        };
        let mut state = state.lock().expect("no thread panics");
        let (tally, problems, coverage) = &mut *state;
        outcome.notes.into_iter().for_each(|note| tally.count(note));
        outcome.problems.iter().for_each(|problem| eprintln!("{problem}"));
        problems.extend(outcome.problems);
        outcome.compared.inspect(|text| coverage.count(text));
    });
    let (tally, mut problems, coverage) = state.into_inner().expect("no thread panics");
    for (what, count) in &tally.0 {
        eprintln!("{count:5} {what}");
    }
    let (table, missing) = coverage.table(&tables, cases as usize, &rejected);
    eprintln!("{table}{cases} programs in {:.0?}", start.elapsed());
    if wanted().is_empty() {
        problems.extend(missing);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
