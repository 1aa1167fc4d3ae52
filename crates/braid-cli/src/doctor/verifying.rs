//! What every verification needs: solvers, temporary files, and for C a preprocessor with the headers of the C library.

use super::Finding;
use crate::version;
use braid_frontend::c::preprocessor;
use braid_frontend::{Language, parse};
use braid_logic::{Answer, Solver, SolverOptions, Sort, TermPool};
use std::fs;
use std::process::{Command, Stdio};

/// What concurrent programs include.
const HEADERS: [&str; 10] = [
    "assert.h",
    "pthread.h",
    "semaphore.h",
    "stdatomic.h",
    "stdbool.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "unistd.h",
];

pub fn findings(other_solver: Option<&str>) -> Vec<Finding> {
    let other = other_solver.map(another_solver);
    [linked_solver()].into_iter().chain(other).chain([temporary_files(), c_preprocessor(), c_headers()]).collect()
}

fn linked_solver() -> Finding {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let path = maps.lines().find_map(|line| line.find('/').map(|at| &line[at..]).filter(|path| path.contains("libz3")));
    let found = path.map_or_else(version::solver, |path| format!("{}, {path}", version::solver()));
    match decides(SolverOptions { native: false, ..SolverOptions::default() }) {
        Ok(()) => Finding::ok("solver", found),
        Err(why) => Finding::missing("solver", format!("{found}: {why}"), "run scripts/setup, and build Braid again"),
    }
}

fn another_solver(command: &str) -> Finding {
    match decides(SolverOptions::alone(command)) {
        Ok(()) => Finding::ok("--solver", format!("{command}: decides formulas")),
        Err(why) => {
            let advice = "the command must read SMT-LIB from standard input, for example \"cvc5 --incremental\"";
            Finding::missing("--solver", format!("{command}: {why}"), advice)
        }
    }
}

/// Is a formula with a model told from one without? Both need the backend: products are beyond what a look tells.
fn decides(options: SolverOptions) -> Result<(), String> {
    let pool = TermPool::new();
    let mut solver = Solver::new(&pool, options).map_err(|error| error.to_string())?;
    let (x, y) = (pool.symbol("x", Sort::INT), pool.symbol("y", Sort::INT));
    let product = pool.mul(x, y);
    let positive = [pool.lt(pool.int(1), x), pool.lt(pool.int(1), y)];
    for (number, expected) in [(6, Answer::Sat), (3, Answer::Unsat)] {
        let formulas = [positive[0], positive[1], pool.eq(product, pool.int(number))];
        let answer = solver.decide(&formulas);
        if answer != expected {
            let said = solver.diagnostics().last().map(|said| format!(" ({said})")).unwrap_or_default();
            return Err(format!("{answer:?} instead of {expected:?}{said}"));
        }
    }
    Ok(())
}

fn temporary_files() -> Finding {
    let folder = std::env::temp_dir();
    let file = folder.join(format!("braid-doctor-{}", std::process::id()));
    let written = fs::write(&file, "braid").and_then(|()| fs::remove_file(&file));
    match written {
        Ok(()) => Finding::ok("temporary files", format!("{} can be written", folder.display())),
        Err(error) => {
            let found = format!("{} cannot be written: {error}", folder.display());
            Finding::missing("temporary files", found, "set TMPDIR to a folder of your own")
        }
    }
}

fn c_preprocessor() -> Finding {
    const NAME: &str = "C preprocessor";
    match preprocessor() {
        Some(name) => match first_line(name) {
            Some(version) => Finding::ok(NAME, format!("{name}: {version}")),
            None => Finding::missing(NAME, format!("{name} does not start"), "install gcc or clang"),
        },
        None => Finding::missing(
            NAME,
            "none of cc, gcc and clang is there",
            "install gcc and libc6-dev: .c files with directives need them",
        ),
    }
}

/// What a compiler says of itself.
pub fn first_line(compiler: &str) -> Option<String> {
    let output = Command::new(compiler).arg("--version").stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
    output.status.success().then_some(said)
}

fn c_headers() -> Finding {
    const NAME: &str = "C headers";
    const ADVICE: &str = "install libc6-dev (on other systems: the headers of the C library)";
    let missing: Vec<&str> = HEADERS.into_iter().filter(|header| !is_read(header)).collect();
    let list = |headers: &[&str]| headers.iter().map(|header| format!("<{header}>")).collect::<Vec<_>>().join(" ");
    if missing.is_empty() {
        let found = format!("all {} that were tried, from <assert.h> to <unistd.h>", HEADERS.len());
        Finding::ok(NAME, found)
    } else if missing.len() == HEADERS.len() && preprocessor().is_none() {
        Finding::missing(NAME, "they cannot be tried without a preprocessor", ADVICE)
    } else {
        Finding::missing(NAME, format!("not found: {}", list(&missing)), ADVICE)
    }
}

/// Does Braid read a program that includes a header?
fn is_read(header: &str) -> bool {
    let text = format!("#include <{header}>\nint main(void) {{ return 0; }}\n");
    parse("doctor.c", &text, Language::C).is_ok()
}
