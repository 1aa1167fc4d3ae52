//! The manual keeps its word: every command that a page shows gives the output shown there, every program that a page quotes is the
//! file that it names, every link leads somewhere, and every page is in the table of contents.
//!
//! | a page has | what is checked |
//! |---|---|
//! | a block `console` with lines `$ braid …` | the commands are run in the order of the page, in a folder of the page's own, and say what stands below them |
//! | a block `c examples/f.c` | its lines are lines of that file, one after the other |
//! | a link to a file | the file is there; to a heading: the heading is there |
//!
//! In an output, `…` stands for any text, and alone in a line for any lines; how many assertions or states a proof took is not compared. `UPDATE_EXPECT=1` writes what came out into the pages,
//! where there is no `…`.

mod block;
mod console;
mod links;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder of the whole project.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the project is there")
}

/// All pages, by their names from the root.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md"].map(str::to_owned).into();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == "md") {
                let name = path.strip_prefix(root()).expect("it is below the root");
                pages.push(name.to_str().expect("a plain name").to_owned());
            }
        }
    }
    pages.sort();
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Checks all pages, several at a time: most of the time goes by in commands.
fn check_pages(check: impl Fn(&str) -> Vec<String> + Sync) {
    let (pages, next, failures) = (pages(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(page);
                    failures.lock().expect("nobody panics with it").extend(found);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("nobody panicked with it");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_command_gives_the_output_shown() {
    check_pages(console::check);
}

#[test]
fn quoted_programs_are_the_files() {
    check_pages(|page| {
        let blocks = block::blocks(&read(page));
        let quoted = blocks.iter().filter_map(|block| Some((block, block.file()?)));
        let wrong = quoted.filter(|(block, file)| {
            let program = fs::read_to_string(root().join(file)).unwrap_or_default();
            let lines: Vec<&str> = program.lines().collect();
            block.lines.is_empty() || !lines.windows(block.lines.len()).any(|part| part == block.lines)
        });
        wrong.map(|(block, file)| format!("{page}:{}: this is not in {file}", block.first_line)).collect()
    });
}

#[test]
fn links_lead_somewhere() {
    check_pages(links::check);
}

/// Readers find a page only if the table of contents has it.
#[test]
fn the_table_of_contents_is_complete() {
    let summary = read("docs/SUMMARY.md");
    let listed: Vec<&str> = links::targets(&summary).into_iter().map(|(_, target)| target).collect();
    for page in pages() {
        let Some(name) = page.strip_prefix("docs/").filter(|&name| name != "SUMMARY.md") else { continue };
        assert_eq!(listed.iter().filter(|&&target| target == name).count(), 1, "{page} in docs/SUMMARY.md");
    }
}
