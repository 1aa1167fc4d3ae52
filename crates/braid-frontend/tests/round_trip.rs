//! Printed programs read back as themselves, with the same automata: the examples, and any collection of programs that `BRAID_BENCH` names.

use braid_frontend::{Language, load, parse};
use braid_logic::TermPool;
use braid_program::ast::Program;
use braid_program::cfa::Listing;
use braid_program::print::{Dialect, equal_up_to_spans, to_text};
use braid_program::{LowerOptions, lower};
use std::path::{Path, PathBuf};

/// All programs below a directory.
fn programs_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the directory can be listed") {
        let path = entry.expect("the directory can be listed").path();
        if path.is_dir() {
            found.extend(programs_below(&path));
        } else if Language::from_extension(&path).is_ok() {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The automata of a program, as a list.
fn automata(program: &Program) -> String {
    let pool = TermPool::new();
    match lower(program, &pool, LowerOptions::default()) {
        Ok(automata) => Listing(&automata).to_string(),
        Err(error) => panic!("{error:?}"),
    }
}

fn check(path: &Path) -> Program {
    let program = load(path).unwrap_or_else(|error| panic!("{error}"));
    let language = Language::from_extension(path).expect("this file was read");
    // What is neither Weaver nor Braid prints as Braid.
    let printed = if language == Language::Weaver { Language::Weaver } else { Language::Braid };
    assert_eq!(Dialect::of(&program).extension(), printed.extension(), "{}", path.display());
    let text = to_text(&program);
    let name = path.with_extension(printed.extension());
    let again = parse(&name.to_string_lossy(), &text, printed).unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert!(equal_up_to_spans(&program, &again), "{}:\n{text}", path.display());
    assert_eq!(text, to_text(&again), "{}", path.display());
    assert_eq!(automata(&program), automata(&again), "{}", path.display());
    program
}

#[test]
fn examples() {
    let mut programs = programs_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"));
    // Functions of C are no programs.
    programs.retain(|path| !matches!(Language::from_extension(path), Ok(Language::C)));
    assert!(programs.len() >= 17);
    for path in programs {
        let program = check(&path);
        let text = &program.sources.file(program.procedure(program.main).span.file).text;
        let expected = text.lines().find_map(|line| Some(line.split_once(" expected: ")?.1));
        assert!(matches!(expected, Some("safe" | "unsafe")), "{} does not say what to expect", path.display());
    }
}

#[test]
fn collection() {
    let Some(directory) = std::env::var_os("BRAID_BENCH") else { return };
    let programs = programs_below(Path::new(&directory));
    assert!(!programs.is_empty(), "there is no program below BRAID_BENCH");
    programs.iter().for_each(|path| _ = check(path));
    println!("{} programs", programs.len());
}
