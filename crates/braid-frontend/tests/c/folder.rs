//! Reads every C program of a folder that the environment gives (`BRAID_BENCH`), and counts what is rejected, by reason.

use braid_frontend::Reading;
use braid_frontend::c::{Kind, unit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn programs(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            programs(&path, found);
        } else if matches!(extension, Some("c" | "i")) {
            found.push(path);
        }
    }
}

#[test]
fn programs_of_a_folder() {
    let Ok(folders) = std::env::var("BRAID_BENCH") else { return };
    let mut files = Vec::new();
    folders.split(':').for_each(|folder| programs(Path::new(folder), &mut files));
    files.sort();
    let mut reasons: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut slowest = (0.0, PathBuf::new());
    for path in &files {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let kind =
            if path.extension().is_some_and(|extension| extension == "i") { Kind::Preprocessed } else { Kind::Source };
        let start = Instant::now();
        let result = unit(&path.to_string_lossy(), &text, kind, &Reading::default());
        let seconds = start.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, path.clone());
        }
        if let Err(diagnostics) = result {
            if std::env::var_os("BRAID_BENCH_VERBOSE").is_some() {
                println!("{diagnostics}");
            }
            let reason = diagnostics.errors[0].message.clone();
            reasons.entry(reason).or_default().push(path.clone());
        }
    }
    let rejected: usize = reasons.values().map(Vec::len).sum();
    let mut table: Vec<_> = reasons.into_iter().collect();
    table.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
    for (reason, paths) in table {
        println!("{:5}  {reason}   e.g. {}", paths.len(), paths[0].display());
    }
    println!("{} programs, {rejected} rejected; slowest {:.3} s: {}", files.len(), slowest.0, slowest.1.display());
}
