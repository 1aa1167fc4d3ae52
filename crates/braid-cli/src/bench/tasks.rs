//! What is to be verified: tasks out of manifests, sets, task definitions and programs.
//!
//! | file | what it has |
//! |---|---|
//! | `.csv` | a manifest: columns `file`, and perhaps `property`, `expected`, `core`, `args`; `DIR` in `args` is its folder |
//! | `.set` | patterns of files, one in each line, as the Software Verification Competition has them |
//! | `.yml` | a task definition: one task for each property that Braid knows |
//! | others | a program; its name may say what is expected of it (`…_true-unreach-call.c`) |

use super::expected::Expected;
use super::{csv, glob};
use crate::arguments::words;
use crate::exit::Failure;
use crate::{property, task};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A program and a property.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Task {
    /// The name of its set.
    pub set: String,
    /// Its name within the set.
    pub name: String,
    /// What Braid is called with.
    pub file: PathBuf,
    /// A name or a property file; empty for what Braid checks by itself.
    pub property: String,
    pub expected: Expected,
    /// Options of this task alone.
    pub options: Vec<String>,
    /// Is it part of the core of its set? All are if nobody says otherwise.
    pub core: bool,
}

/// Which tasks are wanted.
#[derive(Clone, Default, Debug)]
pub struct Wanted {
    /// Only tasks with this property; tasks without one get it.
    pub property: Option<String>,
    /// Only tasks with this in `SET/NAME`.
    pub filter: Option<String>,
    pub core: bool,
}

impl Wanted {
    fn keep(&self, mut task: Task) -> Option<Task> {
        if let Some(wanted) = &self.property {
            if task.property.is_empty() {
                task.property.clone_from(wanted);
            } else if task.property != *wanted && property_name(&task.property) != property_name(wanted) {
                return None;
            }
        }
        let named = |part: &String| format!("{}/{}", task.set, task.name).contains(part.as_str());
        (self.filter.as_ref().is_none_or(named) && (task.core || !self.core)).then_some(task)
    }
}

/// `unreach-call` of `…/unreach-call.prp`.
pub fn property_name(property: &str) -> &str {
    let name = property.rsplit('/').next().unwrap_or(property);
    name.strip_suffix(".prp").unwrap_or(name)
}

/// The tasks of some files, and remarks about what was left out.
pub fn read(files: &[PathBuf], wanted: &Wanted) -> Result<(Vec<Task>, Vec<String>), Failure> {
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    let (mut remarks, mut names) = (Vec::new(), Vec::<String>::new());
    for file in files {
        let set = unused(set_name(file), &names);
        let mut tasks = match extension(file) {
            "csv" => manifest(file, &set)?,
            "set" => patterns(file, &set, &mut remarks)?,
            _ => single(file, &set, file.display().to_string(), &mut remarks)?,
        };
        if matches!(extension(file), "csv" | "set") {
            names.push(set);
        }
        // A file may be meant by several patterns.
        tasks.retain(|task| seen.insert(task.clone()));
        all.extend(tasks);
    }
    let all: Vec<Task> = all.into_iter().filter_map(|task| wanted.keep(task)).collect();
    match all.is_empty() {
        true => {
            Err(Failure::usage("error: there is no task\nhint: look at the sets, at --property, --filter and --core"))
        }
        false => Ok((all, remarks)),
    }
}

fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// `races` of `races/manifest.csv` and of `races.set`; `-` of a single task.
fn set_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match extension(file) {
        "csv" if stem == "manifest" => {
            let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
            whole.parent().and_then(Path::file_name).map_or(stem, |name| name.to_string_lossy().into_owned())
        }
        "csv" | "set" => stem,
        _ => "-".to_owned(),
    }
}

/// The name, with a number if there is such a set already.
fn unused(name: String, names: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name)
}

fn text_of(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::rejected(format!("{}: cannot be read: {error}", file.display())))
}

/// A path that means the same in every folder.
fn absolute(file: &Path) -> PathBuf {
    // The folder of `a.csv` is the current one, and has no name.
    let file = if file.as_os_str().is_empty() { Path::new(".") } else { file };
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    whole.components().collect()
}

fn manifest(file: &Path, set: &str) -> Result<Vec<Task>, Failure> {
    let failed = |what: String| Failure::rejected(format!("{}: {what}", file.display()));
    let table = csv::read(&text_of(file)?).map_err(failed)?;
    if !table.header.iter().any(|name| name == "file") {
        return Err(failed("this is no manifest: there is no column `file`".into()));
    }
    if table.truncated {
        return Err(failed("the last line is not whole".into()));
    }
    let folder = absolute(file.parent().unwrap_or(Path::new("")));
    let name_of_folder = folder.to_string_lossy();
    let task = |record: &Vec<String>| {
        let cell = |column: &str| table.cell(record, column).trim();
        let expected = Expected::parse(cell("expected")).map_err(|what| failed(format!("{}: {what}", cell("file"))))?;
        let property = match cell("property") {
            "-" => String::new(),
            named if property::is_property_file(named) => folder.join(named).display().to_string(),
            named => named.to_owned(),
        };
        Ok::<Task, Failure>(Task {
            set: set.to_owned(),
            name: cell("file").to_owned(),
            file: folder.join(cell("file")),
            property,
            expected,
            options: words(cell("args")).iter().map(|word| word.replace("DIR", &name_of_folder)).collect(),
            core: cell("core") != "no",
        })
    };
    table.records.iter().map(task).collect()
}

fn patterns(file: &Path, set: &str, remarks: &mut Vec<String>) -> Result<Vec<Task>, Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for line in text_of(file)?.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let found = glob::files(folder, line);
        if found.is_empty() {
            remarks.push(format!("{}: no file is meant by `{line}`", file.display()));
        }
        for found in found {
            let name = found.strip_prefix(folder).unwrap_or(&found).display().to_string();
            tasks.extend(single(&found, set, name, remarks)?);
        }
    }
    Ok(tasks)
}

/// The tasks of a task definition or of a program.
fn single(file: &Path, set: &str, name: String, remarks: &mut Vec<String>) -> Result<Vec<Task>, Failure> {
    let task = |property: String, expected: Expected| Task {
        set: set.to_owned(),
        name: name.clone(),
        file: absolute(file),
        property,
        expected,
        options: Vec::new(),
        core: true,
    };
    if !task::is_definition(file) {
        let said = said_by_name(file);
        return Ok(match said.is_empty() {
            true => vec![task(String::new(), Expected::Unknown)],
            false => said.into_iter().map(|(property, expected)| task(property, expected)).collect(),
        });
    }
    let folder = absolute(file.parent().unwrap_or(Path::new("")));
    let mut tasks = Vec::new();
    for known in task::read(file)?.properties {
        let path: PathBuf = folder.join(&known.property_file).components().collect();
        if task::checks(&path).is_none() {
            let property = property_name(&known.property_file.to_string_lossy()).to_owned();
            remarks.push(format!("{}: left out for {property}, which Braid does not know", file.display()));
            continue;
        }
        let path = path.display().to_string();
        let property = if Path::new(&path).exists() { path } else { property_name(&path).to_owned() };
        let expected = match known.expected_verdict {
            None => Expected::Unknown,
            Some(true) => Expected::True,
            Some(false) => Expected::False(known.subproperty),
        };
        tasks.push(task(property, expected));
    }
    Ok(tasks)
}

/// What the name of a program says of properties, as the first years of the competition had it.
fn said_by_name(file: &Path) -> Vec<(String, Expected)> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let said = |part: &str| {
        let (verdict, property) = part.split('.').next()?.split_once('-')?;
        property::named(property)?;
        match (verdict, property) {
            ("true", _) => Some((property.to_owned(), Expected::True)),
            ("false", "valid-deref" | "valid-free" | "valid-memtrack") => {
                Some(("valid-memsafety".to_owned(), Expected::False(Some(property.to_owned()))))
            }
            ("false", _) => Some((property.to_owned(), Expected::False(None))),
            _ => None,
        }
    };
    name.split('_').skip(1).filter_map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with some files in it, which goes away.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str, files: &[(&str, &str)]) -> Folder {
            let folder = std::env::temp_dir().join(format!("braid-tasks-{}-{test}", std::process::id()));
            for (name, text) in files {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Folder(folder)
        }

        /// A line for each task, and the remarks.
        fn check(&self, file: &str, wanted: &Wanted, expected: &[&str]) {
            let (tasks, remarks) = read(&[self.0.join(file)], wanted).unwrap();
            let folder = self.0.display().to_string() + "/";
            let lines = tasks.iter().map(|task| {
                let Task { set, name, property, expected, options, .. } = task;
                format!("{set} {name} {property} {expected} {}", options.join("|"))
            });
            let lines: Vec<String> =
                lines.chain(remarks).map(|line| line.replace(&folder, "").trim_end().to_owned()).collect();
            assert_eq!(lines, expected);
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn manifests() {
        let text = "file,property,expected,core,args,note\na.c,no-data-race,true,yes,,\nb/b.c,unreach-call,false,no,\"-I DIR/i -D 'X=a b'\",\"a, b\"\nc.wvr,-,unknown,,,\n";
        let folder = Folder::new("manifest", &[("races/manifest.csv", text), ("other.csv", text)]);
        let all = [
            "races a.c no-data-race true",
            "races b/b.c unreach-call false -I|races/i|-D|X=a b",
            "races c.wvr  unknown",
        ];
        folder.check("races/manifest.csv", &Wanted::default(), &all);
        let core = Wanted { core: true, ..Wanted::default() };
        folder.check("other.csv", &core, &["other a.c no-data-race true", "other c.wvr  unknown"]);
        let property = Wanted { property: Some("no-data-race".into()), ..Wanted::default() };
        folder.check("other.csv", &property, &["other a.c no-data-race true", "other c.wvr no-data-race unknown"]);
        let filter = Wanted { filter: Some("er/b".into()), ..Wanted::default() };
        folder.check("other.csv", &filter, &["other b/b.c unreach-call false -I|i|-D|X=a b"]);
        let none = Wanted { filter: Some("nowhere".into()), ..Wanted::default() };
        assert!(read(&[folder.0.join("other.csv")], &none).unwrap_err().message.contains("there is no task"));
        let twice = read(&[folder.0.join("other.csv"), folder.0.join("other.csv")], &Wanted::default()).unwrap().0;
        assert_eq!(twice[3].set, "other-2");
    }

    #[test]
    fn sets_and_definitions() {
        let definition = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  - property_file: ../p/termination.prp\n    expected_verdict: true\n  - property_file: ../p/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-free\n";
        let folder = Folder::new(
            "sets",
            &[
                ("x.set", "# comment\n\nt/*.yml\nt/*_true*.i\nt/none*.yml\n"),
                ("t/a.yml", definition),
                ("t/b_true-unreach-call_false-valid-deref.i", ""),
                ("p/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
            ],
        );
        let expected = [
            "x t/a.yml t/../p/unreach-call.prp false",
            "x t/a.yml valid-memsafety false(valid-free)",
            "x t/b_true-unreach-call_false-valid-deref.i unreach-call true",
            "x t/b_true-unreach-call_false-valid-deref.i valid-memsafety false(valid-deref)",
            "t/a.yml: left out for termination, which Braid does not know",
            "x.set: no file is meant by `t/none*.yml`",
        ];
        folder.check("x.set", &Wanted::default(), &expected);
        let one = Wanted { property: Some("unreach-call".into()), ..Wanted::default() };
        folder.check("t/a.yml", &one, &["- t/a.yml t/../p/unreach-call.prp false", expected[4]]);
    }

    #[test]
    fn a_file_without_a_folder_is_in_the_current_one() {
        let here = std::env::current_dir().unwrap();
        assert_eq!([absolute(Path::new("")), absolute(Path::new("a/./b.c"))], [here.clone(), here.join("a/b.c")]);
    }

    #[test]
    fn wrong_sets() {
        let folder = Folder::new("wrong", &[("a.csv", "name\nx\n"), ("b.csv", "file,expected\nx.c,perhaps\n")]);
        for (file, expected) in
            [("a.csv", "no column `file`"), ("b.csv", "x.c: `perhaps` is no verdict"), ("c.set", "cannot be read")]
        {
            let message = read(&[folder.0.join(file)], &Wanted::default()).unwrap_err().message;
            assert!(message.contains(expected), "{message}");
        }
    }
}
