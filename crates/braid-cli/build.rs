//! Links Z3, as other crates do, and says of which commit this is.
//!
//! The commit comes from git; without git from `commit.txt`, into which `git archive` writes it; else it is unknown. Only this crate is built
//! again when it changes.

#[path = "../../scripts/link-z3.rs"]
mod link_z3;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    link_z3::main();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=commit.txt");
    let commit = of_git().or_else(of_archive).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=BRAID_COMMIT={commit}");
}

/// The first line that git says in this folder.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}

/// The commit that is checked out, if these sources are a checkout: they may lie in somebody else's.
fn of_git() -> Option<String> {
    let top = fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
    let own = fs::canonicalize(Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../..")).ok()?;
    if top != own {
        return None;
    }
    // Both change when another commit is checked out, the second one also with each new commit.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=7", "HEAD"])
}

fn of_archive() -> Option<String> {
    let text = fs::read_to_string("commit.txt").ok()?;
    let commit = text.trim();
    (!commit.is_empty() && commit.chars().all(|c| c.is_ascii_hexdigit())).then(|| commit.to_owned())
}
