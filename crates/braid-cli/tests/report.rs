//! `--report`: pages for a browser, of programs in every language, with every verdict, whatever the programs hold.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/report");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A folder of one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(test);
    fs::create_dir_all(&folder).expect("a folder for files");
    folder
}

/// The status of a command, and the page that it writes.
fn page(test: &str, arguments: &[&str]) -> (i32, String) {
    let path = folder(test).join("page.html");
    let output = Command::new(env!("CARGO_BIN_EXE_braid"))
        .current_dir(PROGRAMS)
        .args(arguments)
        .args(["--quiet", "--report"])
        .arg(&path)
        .output()
        .expect("braid runs");
    let page = fs::read_to_string(&path).expect("a page in UTF-8");
    let _ = fs::remove_file(path);
    (output.status.code().expect("a status"), page)
}

/// What a page shows, as data.
fn view(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"view\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
}

fn seen(test: &str, status: i32, arguments: &[&str]) -> Value {
    let (found, page) = page(test, arguments);
    assert_eq!(found, status, "{test}");
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2), "{test}");
    view(&page)
}

fn texts<'v>(value: &'v Value, field: &str) -> Vec<&'v str> {
    let items = value.as_array().into_iter().flatten();
    items.map(|item| item[field].as_str().unwrap_or_default()).collect()
}

#[test]
fn a_data_race_of_three_threads() {
    let view = seen("race", 10, &["verify", "race.c"]);
    let story = &view["findings"][0]["story"];
    assert_eq!(texts(&story["threads"], "name"), ["main", "shop", "bar", "clerk"]);
    let spots = &story["ending"]["spots"];
    assert_eq!((texts(spots, "does"), texts(spots, "object")), (vec!["reads", "writes"], vec!["till.coins"; 2]));
    assert!(spots[0]["holds"].is_null());
    assert_eq!(
        (&spots[1]["holds"][0]["name"], &spots[1]["holds"][0]["place"]["line"]),
        (&"till.lock".into(), &15.into())
    );
    let rows = story["rows"].as_array().expect("rows");
    let lines = |row: &Value| row["place"]["line"].as_u64();
    let taken = rows.iter().rfind(|row| row["kind"] == "lock").expect("a lock is taken");
    let given = &rows[taken["after"].as_u64().expect("it was given back before") as usize];
    assert_eq!(
        (&given["kind"], &given["object"], &taken["object"]),
        (&"unlock".into(), &"till.lock".into(), &"till.lock".into())
    );
    let reads = rows.iter().find(|row| !row["reads"].is_null()).expect("a value goes to another thread");
    let wrote = &rows[reads["reads"][0]["row"].as_u64().expect("a row") as usize];
    assert_eq!((lines(reads), lines(wrote), &reads["reads"][0]["name"]), (Some(32), Some(17), &"sales".into()));
    let changes: Vec<&Value> = rows.iter().flat_map(|row| row["changes"].as_array().into_iter().flatten()).collect();
    let own: Vec<bool> = changes.iter().map(|change| change["own"] == true).collect();
    let prices: Vec<bool> = changes.iter().map(|change| change["name"] == "price").collect();
    assert_eq!(own, prices);
    // Each thread has a price of its own.
    let cells = changes.iter().filter(|change| change["name"] == "price").map(|change| change["cell"].as_u64());
    let cells: std::collections::BTreeSet<_> = cells.collect();
    assert_eq!(cells.len(), 2);
    assert_eq!(view["sources"][0]["total"], 46);
    let verdicts =
        view["properties"].as_array().expect("properties").iter().filter(|asked| asked["verdict"] == "unsafe");
    assert_eq!(verdicts.map(|asked| &asked["name"]).collect::<Vec<_>>(), ["no-data-race"]);
    assert!(view["unchecked"].as_array().is_some_and(|words| words.iter().any(|word| word == "termination")));
}

#[test]
fn a_deadlock_of_three_threads() {
    let view = seen("deadlock", 10, &["explain", "deadlock.c", "--property", "no-deadlock"]);
    let story = &view["findings"][0]["story"];
    let spots = &story["ending"]["spots"].as_array().expect("spots")[..3];
    for spot in spots {
        let holder = spots.iter().find(|other| other["thread"] == spot["waits_for"]).expect("one of the circle");
        assert_eq!(holder["holds"][0]["name"], spot["object"]);
        assert_eq!((&holder["holds"][0]["place"]["line"], &spot["place"]["line"]), (&10.into(), &11.into()));
    }
    let rows = story["rows"].as_array().expect("rows");
    let of = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!((of("start"), of("lock"), of("wait")), (3, 3, 4), "{rows:#?}");
}

#[test]
fn a_proof_for_any_number_of_threads() {
    let arguments = ["verify", "any_number.c", "--property", "unreach-call,no-data-race,no-overflow"];
    let view = seen("proof", 0, &arguments);
    assert_eq!(view["document"]["facts"]["any_number_of"], Value::from(vec!["guest"]));
    let proof = &view["proofs"][0]["annotations"];
    let places = proof["places"].as_array().expect("places");
    let facts: Vec<&str> = places
        .iter()
        .flat_map(|place| place["holds"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    assert!(facts.contains(&"guests == #guest@line22"), "{facts:?}");
    assert!(!facts.iter().any(|fact| fact.contains("-2147483648")), "{facts:?}");
    assert_eq!((&proof["graph"]["shape"], proof["ghosts"].as_array().map(Vec::len)), (&"threads".into(), Some(1)));
    assert!(view["findings"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn whatever_a_program_holds_is_text() {
    let folder = folder("text");
    let program = b"/* gr\xfc\xdfe </script><script>alert(1)</script> <!-- & ' */\n#include <assert.h>\n\
        static char *s = \"</script>\\\"&lt;\";\nint main(void) { int x = 1; /* \xe4 </script> */ assert(x == 2 && s); return 0; }\n";
    fs::write(folder.join("na\"st<y>.c"), program).expect("a file");
    let file = folder.join("na\"st<y>.c").to_string_lossy().into_owned();
    let (status, text) = page("text", &["verify", &file]);
    assert_eq!(status, 10);
    assert_eq!((text.matches("<script").count(), text.matches("</script>").count()), (2, 2));
    assert!(text.contains("na&quot;st&lt;y&gt;.c"));
    let view = view(&text);
    let lines = &view["sources"][0]["pieces"][0]["lines"];
    assert_eq!(lines[0], "/* grüße </script><script>alert(1)</script> <!-- & ' */");
    let mut told =
        view["findings"][0]["story"]["rows"].as_array().expect("rows").iter().map(|row| row["place"]["line"].as_u64());
    assert!(told.next_back().is_some_and(|line| line == Some(4)));
}

#[test]
fn every_language_and_verdict_has_a_page() {
    let wvr = format!("{EXAMPLES}/lost-update.wvr");
    let view = seen("wvr", 10, &["verify", &wvr]);
    assert!(view["findings"][0]["story"]["rows"].as_array().is_some_and(|rows| rows.len() > 2));
    let view = seen("braid", 0, &["verify", &format!("{EXAMPLES}/spawn-workers.braid")]);
    assert_eq!(view["document"]["verdict"], "safe");
    let view = seen("boogie", 0, &["verify", &format!("{EXAMPLES}/ticket-counter.bpl")]);
    assert_eq!((&view["document"]["verdict"], view["sources"].as_array().map(Vec::len)), (&"safe".into(), Some(1)));
    let view = seen("time", 20, &["verify", "any_number.c", "--property", "unreach-call", "--timeout", "1ms"]);
    assert_eq!((&view["document"]["verdict"], &view["document"]["reason"]), (&"unknown".into(), &"timeout".into()));
    let race = format!("{EXAMPLES}/hyper/race.wvr");
    let view = seen("hyper", 10, &["hyper", &race, "--property", "determinism:out=x"]);
    assert!(view["document"]["hyper"]["runs"].as_array().is_some_and(|runs| runs.len() == 2));
    assert_eq!(texts(&view["sources"], "file"), [race.as_str(), "property"]);
}

#[test]
fn several_files_are_all_shown() {
    let folder = folder("files");
    fs::write(
        folder.join("a.c"),
        "int f(int);\n#include <assert.h>\nint main(void) { assert(f(1) == 1); return 0; }\n",
    )
    .expect("a file");
    fs::write(folder.join("b.c"), "int f(int x) {\n    int y = x + 1;\n    return y;\n}\n").expect("a file");
    let [a, b] = ["a.c", "b.c"].map(|name| folder.join(name).to_string_lossy().into_owned());
    let view = seen("files", 10, &["verify", &a, &b, "--property", "unreach-call"]);
    assert_eq!(texts(&view["sources"], "file"), [a.as_str(), b.as_str()]);
}

#[test]
fn what_is_wrong_has_a_page_or_a_message() {
    let folder = folder("wrong");
    fs::write(folder.join("wrong.c"), "int main(void) { int x = ; }\n").expect("a file");
    let (status, text) = page("wrong", &["verify", &folder.join("wrong.c").to_string_lossy()]);
    assert_eq!(status, 3);
    assert!(text.contains("no verdict") && text.contains("wrong.c:1:2") && view(&text).is_null(), "{text}");
    for name in ["-", "", "/no/such/folder/page.html"] {
        let output = Command::new(env!("CARGO_BIN_EXE_braid"))
            .current_dir(PROGRAMS)
            .args(["verify", "race.c", "--report", name])
            .output()
            .expect("braid runs");
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}
