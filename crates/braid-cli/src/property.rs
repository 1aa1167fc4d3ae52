//! Which property is asked for: by its name, or by a property file of the Software Verification Competition.

use crate::exit::Failure;
use braid_engines::Property;
use std::fs;
use std::path::Path;

/// Names of properties, and how property files write them with all white space removed.
const KNOWN: [(&str, &str); 7] = [
    ("unreach-call", "G!call(reach_error())"),
    ("no-data-race", "G!data-race"),
    ("no-overflow", "G!overflow"),
    ("valid-memsafety", "Gvalid-free"),
    ("valid-memsafety", "Gvalid-deref"),
    ("valid-memsafety", "Gvalid-memtrack"),
    ("termination", "Fend"),
];

/// Does a `--property` argument name a property file, so that the rules of the competition hold?
pub fn is_property_file(argument: &str) -> bool {
    Path::new(argument).extension().is_some_and(|extension| extension == "prp")
}

/// The property of a `--property` argument.
pub fn property(argument: &str) -> Result<Property, Failure> {
    if is_property_file(argument) {
        let refused = |error| Failure::rejected(format!("{argument}: cannot be read: {error}"));
        return of_file(argument, &fs::read_to_string(argument).map_err(refused)?);
    }
    match KNOWN.iter().find(|(name, _)| *name == argument) {
        Some((name, _)) => of_name(name, ""),
        None => Err(Failure::usage(format!(
            "error: `{argument}` is not a property: use unreach-call, no-overflow, no-data-race or the name of a .prp file"
        ))),
    }
}

fn of_name(name: &str, place: &str) -> Result<Property, Failure> {
    match name {
        "unreach-call" => Ok(Property::UnreachCall),
        "no-overflow" => Ok(Property::NoOverflow),
        "no-data-race" => Ok(Property::NoDataRace),
        other => Err(Failure::rejected(format!(
            "{place}the property {other} is not supported; unreach-call, no-overflow and no-data-race are"
        ))),
    }
}

/// Every line of the file that is not empty is one property; all must be supported.
fn of_file(file: &str, text: &str) -> Result<Property, Failure> {
    let mut found = None;
    for (number, line) in text.lines().enumerate() {
        let packed: String = line.split_whitespace().collect();
        if packed.is_empty() {
            continue;
        }
        let place = format!("{file}:{}:1: error: ", number + 1);
        let formula = packed.strip_prefix("CHECK(init(main()),LTL(").and_then(|rest| rest.strip_suffix("))"));
        let formula = formula.map(|formula| formula.replace("__VERIFIER_error", "reach_error"));
        match KNOWN.iter().find(|(_, known)| formula.as_deref() == Some(known)) {
            Some((name, _)) => found = Some(of_name(name, &place)?),
            None => {
                let form = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
                return Err(Failure::rejected(format!("{place}this is not a property Braid knows; it knows {form}")));
            }
        }
    }
    found.ok_or_else(|| Failure::rejected(format!("{file}:1:1: error: there is no property in this file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<Property, &str>) {
        assert_eq!(
            of_file("a.prp", text).map_err(|failure| failure.message),
            expected.map_err(str::to_owned),
            "{text}"
        );
    }

    #[test]
    fn property_files() {
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", Ok(Property::UnreachCall));
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", Ok(Property::UnreachCall));
        check("CHECK( init(main()), LTL(G ! overflow) )", Ok(Property::NoOverflow));
        check("CHECK( init(main()), LTL(G ! data-race) )", Ok(Property::NoDataRace));
        check(
            "CHECK( init(main()), LTL(F end) )",
            Err(
                "a.prp:1:1: error: the property termination is not supported; unreach-call, no-overflow and no-data-race are",
            ),
        );
        check("", Err("a.prp:1:1: error: there is no property in this file"));
        check(
            "\nhello",
            Err("a.prp:2:1: error: this is not a property Braid knows; \
                it knows CHECK( init(main()), LTL(G ! call(reach_error())) )"),
        );
    }
}
