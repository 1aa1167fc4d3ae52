//! Which property is asked for: by its name, or by a property file of the Software Verification Competition.

use crate::exit::{Failure, Status};
use crate::verify::Answer;
use braid_program::ast::{Check, Checks};
use std::fs;
use std::path::Path;

/// The three lines that are one property in the Software Verification Competition.
const COMPETITION: Checks = Checks::of(Check::Deref).with(Check::Free).with(Check::Memtrack);

/// What is looked at where nobody says what. Blocks that are still pointed to at the end harm nobody.
pub const EVERYTHING: Checks = COMPETITION
    .with(Check::Assertion)
    .with(Check::Deadlock)
    .with(Check::Race)
    .with(Check::Overflow)
    .with(Check::Undefined)
    .with(Check::Uninitialised);

/// Names of several checks together.
const GROUPS: [(&str, Checks); 3] =
    [("valid-memsafety", COMPETITION), ("memsafety", Checks::MEMORY), ("all", EVERYTHING)];

/// How property files write a check.
const LINES: [(&str, Check); 7] = [
    ("G ! call(reach_error())", Check::Assertion),
    ("G ! data-race", Check::Race),
    ("G ! overflow", Check::Overflow),
    ("G valid-free", Check::Free),
    ("G valid-deref", Check::Deref),
    ("G valid-memtrack", Check::Memtrack),
    ("G valid-memcleanup", Check::Memcleanup),
];

/// Does a `--property` argument name a property file, so that the rules of the competition hold?
pub fn is_property_file(argument: &str) -> bool {
    Path::new(argument).extension().is_some_and(|extension| extension == "prp")
}

/// What property files say of some checks, one line each; nothing of checks that they do not know.
pub fn formulas(checks: Checks) -> Vec<String> {
    let known = LINES.iter().filter(|(_, check)| checks.contains(*check));
    known.map(|(formula, _)| format!("CHECK( init(main()), LTL({formula}) )")).collect()
}

/// An answer in the words of the competition.
pub fn competition_answer(answer: &Answer) -> String {
    match (answer.status, &answer.document.violated) {
        (Status::Safe, _) => "true".to_owned(),
        (Status::Unsafe, Some(violated)) => format!("false({violated})"),
        (Status::Unsafe, None) => "false".to_owned(),
        _ => "unknown".to_owned(),
    }
}

/// What nobody has asked for.
pub fn unchecked(checks: Checks) -> impl Iterator<Item = Check> {
    Check::ALL.into_iter().filter(move |check| !checks.contains(*check))
}

/// The same as a line for people. Whether programs end is never asked.
pub fn not_checked(checks: Checks) -> String {
    format!("not checked: {}\n", unchecked_words(checks).join(", "))
}

/// The same as words.
pub fn unchecked_words(checks: Checks) -> Vec<&'static str> {
    let no_memory = checks.among(Checks::MEMORY).is_empty();
    let mut words = if no_memory { vec!["memory safety"] } else { Vec::new() };
    words.extend(unchecked(checks).filter(|&check| !no_memory || !Checks::MEMORY.contains(check)).map(plural));
    words.push("termination");
    words
}

/// What a check looks for.
fn plural(check: Check) -> &'static str {
    match check {
        Check::Assertion => "assertions",
        Check::Deref => "invalid accesses",
        Check::Free => "invalid frees",
        Check::Memtrack => "lost memory",
        Check::Memcleanup => "memory not freed at the end",
        Check::Race => "data races",
        Check::Deadlock => "deadlocks",
        Check::Overflow => "overflows",
        Check::Undefined => "other undefined behaviour",
        Check::Uninitialised => "uninitialised reads",
        Check::Progress => "livelocks",
    }
}

/// The name of some checks together.
pub fn name(checks: Checks) -> String {
    let group = GROUPS.iter().find(|(_, group)| *group == checks);
    group.map_or_else(|| checks.to_string(), |(name, _)| (*name).to_owned())
}

/// The checks of a name, or of several with commas between them.
pub fn named(names: &str) -> Option<Checks> {
    let of_name = |name: &str| {
        let group = GROUPS.iter().find(|(known, _)| *known == name).map(|(_, group)| *group);
        group.or_else(|| Check::of_name(name).map(Checks::of))
    };
    names.split(',').map(|name| of_name(name.trim())).try_fold(Checks::NONE, |all, some| Some(all.and(some?)))
}

/// The checks of a `--property` argument.
pub fn property(argument: &str) -> Result<Checks, Failure> {
    if is_property_file(argument) {
        let refused = |error| Failure::unreadable(Path::new(argument), &error);
        return of_file(argument, &fs::read_to_string(argument).map_err(refused)?);
    }
    named(argument).ok_or_else(|| {
        let known: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).chain(Check::ALL.map(Check::name)).collect();
        Failure::usage(format!(
            "error: `{argument}` is not a property\nhint: there are {}, and .prp files; several have commas between them",
            known.join(", ")
        ))
    })
}

/// The checks of a specification in a witness: lines of a property file, or the formulas in them.
pub fn of_specification(text: &str) -> Option<Checks> {
    let packed: String = text.split_whitespace().collect();
    let packed = packed.replace("__VERIFIER_error", "reach_error");
    let mut found = Checks::NONE;
    let start = "CHECK(init(main()),LTL(";
    let whole = |part: &'_ str| {
        if packed.contains(start) { part.strip_suffix("))").map(str::to_owned) } else { Some(part.to_owned()) }
    };
    for part in packed.split(start).filter(|part| !part.is_empty()) {
        let formula = whole(part)?;
        let (_, check) = LINES.iter().find(|(known, _)| known.replace(' ', "") == formula)?;
        found = found.with(*check);
    }
    (!found.is_empty()).then_some(found)
}

/// Every line of the file that is not empty is one property; all must be supported.
fn of_file(file: &str, text: &str) -> Result<Checks, Failure> {
    let mut found = Checks::NONE;
    for (number, line) in text.lines().enumerate() {
        let packed: String = line.split_whitespace().collect();
        if packed.is_empty() {
            continue;
        }
        let place = format!("{file}:{}:1: error: ", number + 1);
        let formula = packed.strip_prefix("CHECK(init(main()),LTL(").and_then(|rest| rest.strip_suffix("))"));
        let formula = formula.map(|formula| formula.replace("__VERIFIER_error", "reach_error"));
        if formula.as_deref() == Some("Fend") {
            return Err(Failure::rejected(format!("{place}the property termination is not supported")));
        }
        let is_same = |known: &str| formula.as_deref() == Some(known.replace(' ', "").as_str());
        match LINES.iter().find(|(known, _)| is_same(known)) {
            Some((_, check)) => found = found.with(*check),
            None => {
                let form = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
                return Err(Failure::rejected(format!("{place}this is not a property Braid knows; it knows {form}")));
            }
        }
    }
    if found.is_empty() {
        return Err(Failure::rejected(format!("{file}:1:1: error: there is no property in this file")));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<Checks, &str>) {
        assert_eq!(
            of_file("a.prp", text).map_err(|failure| failure.message),
            expected.map_err(str::to_owned),
            "{text}"
        );
    }

    #[test]
    fn property_files() {
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", Ok(Checks::of(Check::Assertion)));
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", Ok(Checks::of(Check::Assertion)));
        check("CHECK( init(main()), LTL(G ! overflow) )", Ok(Checks::of(Check::Overflow)));
        check("CHECK( init(main()), LTL(G ! data-race) )", Ok(Checks::of(Check::Race)));
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )",
            Ok(COMPETITION),
        );
        check("CHECK( init(main()), LTL(F end) )", Err("a.prp:1:1: error: the property termination is not supported"));
        check("", Err("a.prp:1:1: error: there is no property in this file"));
        check(
            "\nhello",
            Err("a.prp:2:1: error: this is not a property Braid knows; \
                it knows CHECK( init(main()), LTL(G ! call(reach_error())) )"),
        );
    }

    #[test]
    fn specifications_of_witnesses() {
        for (text, expected) in [
            ("G ! call(reach_error())", Some("unreach-call")),
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Some("unreach-call")),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
                Some("valid-deref,valid-free"),
            ),
            ("F end", None),
            ("", None),
        ] {
            assert_eq!(of_specification(text).map(name).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_checked_is_said() {
        let check = |names: &str, expected: &str| {
            let checks = named(names).expect("these are names");
            assert_eq!(not_checked(checks), format!("not checked: {expected}, termination\n"));
        };
        check("all", "livelocks, memory not freed at the end");
        check(
            "unreach-call",
            "memory safety, deadlocks, livelocks, data races, overflows, other undefined behaviour, uninitialised reads",
        );
        check(
            "unreach-call,valid-free,no-deadlock,no-data-race,no-overflow,no-undefined,no-uninitialised,progress",
            "invalid accesses, lost memory, memory not freed at the end",
        );
    }

    #[test]
    fn names_of_checks() {
        for (text, expected) in [
            ("valid-deref", Some("valid-deref")),
            ("valid-deref, valid-free,valid-memtrack", Some("valid-memsafety")),
            ("memsafety", Some("memsafety")),
            ("no-deadlock,unreach-call", Some("unreach-call,no-deadlock")),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(named(text).map(name).as_deref(), expected, "{text}");
        }
    }
}
