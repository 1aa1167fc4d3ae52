//! `compile_commands.json`, as CMake or Bear write it: the files of a program, and what the compiler is told for each.

use crate::arguments::{CReading, words};
use crate::exit::Failure;
use braid_frontend::{Preprocessor, Reading, SourceFile};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One entry.
#[derive(Deserialize)]
struct Command {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

/// The first file of a program, with the others in the way of reading.
pub fn first_file(file: Option<&Path>, told: &CReading, reading: &mut Reading) -> Result<PathBuf, Failure> {
    let mut files: Vec<SourceFile> =
        file.into_iter().chain(told.more.iter().map(PathBuf::as_path)).map(source_file).collect();
    if let Some(commands) = &told.compile_commands {
        files.extend(listed(commands, told.entry.as_deref())?);
        if told.entry.as_deref().is_some_and(is_file) {
            reading.harness.entry = None;
        }
    }
    if files.is_empty() {
        return Err(Failure::usage("error: there is no file to verify"));
    }
    let SourceFile { path, preprocessor } = files.remove(0);
    // What is told for the first file alone is not told for the others.
    reading.own = preprocessor;
    reading.others = files;
    Ok(path)
}

fn source_file(path: &Path) -> SourceFile {
    SourceFile { path: path.to_owned(), preprocessor: Preprocessor::default() }
}

/// Does `--entry` name a file, rather than a function?
fn is_file(entry: &str) -> bool {
    Path::new(entry).extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// The files of a database, the one with `main` first. Of several with `main`, the one that `--entry` names counts.
fn listed(database: &Path, entry: Option<&str>) -> Result<Vec<SourceFile>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::rejected(format!("{}: {error}", database.display()));
    let text = std::fs::read_to_string(database).map_err(|error| Failure::unreadable(database, &error))?;
    let commands: Vec<Command> = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let mut files: Vec<SourceFile> =
        commands.into_iter().filter(|command| is_c(&command.file)).map(Command::file).collect();
    files.dedup_by(|a, b| a.path == b.path);
    let wanted = entry.filter(|entry| is_file(entry));
    let is_wanted = |file: &SourceFile| wanted.is_some_and(|wanted| file.path.ends_with(wanted));
    if let Some(wanted) = wanted.filter(|_| !files.iter().any(is_wanted)) {
        return Err(failed(&format!("there is no file {wanted}")));
    }
    let mains: Vec<PathBuf> = files.iter().filter(|file| has_main(&file.path)).map(|file| file.path.clone()).collect();
    if wanted.is_some() {
        files.retain(|file| is_wanted(file) || !mains.contains(&file.path));
    } else if mains.len() > 1 {
        let names: Vec<String> = mains.iter().map(|path| path.display().to_string()).collect();
        return Err(failed(&format!("several files have `main`: choose one with --entry FILE: {}", names.join(", "))));
    }
    files.sort_by_key(|file| !(is_wanted(file) || mains.contains(&file.path)));
    Ok(files)
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}

/// Does the text define `main`?
fn has_main(path: &Path) -> bool {
    std::fs::read_to_string(path).unwrap_or_default().lines().any(defines_main)
}

/// Does the definition of `main` begin in this line?
pub fn defines_main(line: &str) -> bool {
    let Some((before, behind)) = line.split_once("main") else { return false };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    behind.trim_start().starts_with('(')
        && !before.ends_with(is_word)
        && !line.trim_end().ends_with(';')
        && !before.starts_with([' ', '\t', '/', '*', '#'])
}

impl Command {
    fn file(self) -> SourceFile {
        let arguments = if self.arguments.is_empty() { words(&self.command) } else { self.arguments };
        let absolute = |path: &str| self.directory.join(path);
        let mut told = Preprocessor::default();
        let mut rest = arguments.into_iter();
        while let Some(argument) = rest.next() {
            // The value stands behind the option, or is the next word.
            let mut value = |option: &str| match argument.strip_prefix(option) {
                Some("") => rest.next(),
                other => other.map(str::to_owned),
            };
            if let Some(directory) = value("-I").or_else(|| value("-isystem")).or_else(|| value("-iquote")) {
                told.include.push(absolute(&directory));
            } else if let Some(definition) = value("-D") {
                told.define.push(definition);
            } else if let Some(name) = value("-U") {
                told.options.push(format!("-U{name}"));
            } else if let Some(header) = value("-include") {
                told.options.extend(["-include".to_owned(), absolute(&header).to_string_lossy().into_owned()]);
            } else if argument.starts_with("-std=") || argument == "-ansi" || argument == "-pthread" {
                told.options.push(argument);
            }
        }
        SourceFile { path: absolute(&self.file.to_string_lossy()), preprocessor: told }
    }
}
