//! What programs need that are compiled and run: the compiler with its sanitizers, and a system that lets runs be repeated and fenced.
//!
//! All of it is tried with programs of our own. The user's programs are not executed.

use super::Finding;
use super::verifying::first_line;
use braid_run::{Compiled, End, Limits, Property, Scratch, Sources, Start};
use std::fs;

const NAME: &str = "compiled programs";
const FENCE: &str = "fence around them";

/// Two threads, one lost update: some schedules fail.
const LOST_UPDATE: &str = "\
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *unused) { int old = count; count = old + 1; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  return 0;
}
";

/// Fails where a program can get out of its fence.
const ESCAPE: &str = "\
#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
int main(void) {
#ifdef NETWORK
  assert(socket(AF_INET, SOCK_STREAM, 0) < 0);
#else
  assert(open(OUTSIDE, O_WRONLY) < 0);
#endif
  return 0;
}
";

pub fn findings() -> Vec<Finding> {
    let compiler = Sources::default().compiler();
    let Some(version) = first_line(&compiler) else {
        let advice = "install gcc (and libc6-dev) for --confirm, --allow-run and --engine run";
        return vec![Finding::note(NAME, format!("the C compiler `{compiler}` is not there"), advice)];
    };
    match repeated() {
        Ok(()) => {
            vec![Finding::ok(NAME, format!("{version}: -fsanitize=thread works, runs can be repeated")), fence()]
        }
        Err(why) => vec![Finding::note(
            NAME,
            format!("{version}: {why}"),
            "--confirm, --allow-run and --engine run will not work: see docs/run.md, or try CC=clang",
        )],
    }
}

/// Compiles a program with a bug, finds it, and repeats the run in another process.
fn repeated() -> Result<(), String> {
    let compiled = compiled(LOST_UPDATE, &[])?;
    let report = search(&compiled, 1_000)?;
    if !report.search.as_ref().is_some_and(|search| search.found) {
        return Err("the bug of a program that loses an update was not found".to_owned());
    }
    let again =
        compiled.replay(Property::UnreachCall, &report.schedule(), &LIMITS).map_err(|error| error.to_string())?;
    match again.end == Some(End::Failed) {
        true => Ok(()),
        false => Err("a run could not be repeated: the system gives each process other addresses".to_owned()),
    }
}

/// Can a program open a socket, or a file that is not its own?
fn fence() -> Finding {
    let outside = std::env::temp_dir().join(format!("braid-doctor-{}.txt", std::process::id()));
    let define = format!("OUTSIDE=\"{}\"", outside.display());
    let escapes = |define: &str| {
        let report = search(&compiled(ESCAPE, &[define.to_owned()])?, 1)?;
        Ok::<bool, String>(report.search.is_some_and(|search| search.found))
    };
    let tried = fs::write(&outside, "braid").map_err(|error| error.to_string());
    let tried = tried.and_then(|()| Ok((escapes("NETWORK")?, escapes(&define)?)));
    let _ = fs::remove_file(&outside);
    let careful = "run no programs that you do not trust";
    match tried {
        Ok((false, false)) => Finding::ok(FENCE, "no network (seccomp), no files but their own (Landlock)"),
        Ok((network, files)) => {
            let open = [(network, "the network (no seccomp)"), (files, "your files (no Landlock)")];
            let open: Vec<&str> = open.into_iter().filter(|(is_open, _)| *is_open).map(|(_, what)| what).collect();
            Finding::note(FENCE, format!("programs that are run get to {}", open.join(" and ")), careful)
        }
        Err(why) => Finding::note(FENCE, format!("it could not be tried: {why}"), careful),
    }
}

const LIMITS: Limits<'static> = Limits { seconds: 5.0, stopped: &|| false };

fn compiled(text: &str, define: &[String]) -> Result<Compiled, String> {
    let folder = Scratch::new().map_err(|error| format!("no scratch folder: {error}"))?;
    let file = folder.path().join("doctor.c");
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    let sources = Sources { files: vec![file], define: define.to_vec(), ..Sources::default() };
    let short = |error: braid_run::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    sources.compile(folder, &|| false).map_err(short)
}

fn search(compiled: &Compiled, runs: u64) -> Result<braid_run::Report, String> {
    let start = Start { seed: 0, runs, steps: 10_000 };
    compiled.search(Property::UnreachCall, start, &LIMITS).map_err(|error| error.to_string())
}
