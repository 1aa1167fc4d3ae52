//! The same benchmark as a run definition for BenchExec, with the tool-info module of `contrib/benchexec`.
//!
//! BenchExec knows what is expected only from task definitions, and looks for properties in files. So tasks of manifests get a definition and
//! a property file in a folder beside the run definition. What Braid is to check is an option there: names such as `no-deadlock` have no
//! formula, and a property file would turn on the rules of the competition.

use super::expected::Expected;
use super::launch::beyond;
use super::row::Item;
use super::summary::distinct;
use super::tasks::property_name;
use crate::arguments::words;
use crate::exit::{self, Failure};
use crate::formats::junit::escaped;
use crate::{property, task};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const DOCTYPE: &str = "<!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
                       \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">";

/// Tasks that are alike for BenchExec.
#[derive(Clone, PartialEq, Eq)]
struct Group<'a> {
    set: &'a str,
    property: &'a str,
    args: &'a str,
    is_definition: bool,
}

impl<'a> Group<'a> {
    fn of(item: &'a Item) -> Group<'a> {
        let is_definition = task::is_definition(Path::new(&item.file));
        Group { set: &item.set, property: &item.property, args: &item.args, is_definition }
    }
}

/// Writes a run definition and its folder; gives what to do with them.
pub fn write(file: &Path, plan: &[Item], cores: u32) -> Result<String, Failure> {
    let failed = |path: &Path, error: std::io::Error| Failure {
        status: exit::Status::Output,
        message: format!("{} cannot be written: {error}", path.display()),
    };
    let folder = file.with_extension("tasks");
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    let folder = fs::canonicalize(&folder).map_err(|error| failed(&folder, error))?;
    let (text, files) = definition(&folder, plan, cores);
    for (path, text) in files.iter().map(|(path, text)| (path.as_path(), text)).chain([(file, &text)]) {
        fs::write(path, text).map_err(|error| failed(path, error))?;
    }
    Ok(format!(
        "{} runs.\nstart: PYTHONPATH=contrib/benchexec benchexec {} --tool-directory DIR\n\
         DIR is what `scripts/archive` packs: bin/braid and lib/libz3.so.\n",
        plan.len(),
        file.display()
    ))
}

/// The text of the run definition, and the files that it needs.
fn definition(folder: &Path, plan: &[Item], cores: u32) -> (String, Vec<(PathBuf, String)>) {
    let mut files = Vec::new();
    let mut out = format!("<?xml version=\"1.0\"?>\n{DOCTYPE}\n<!-- Written by braid bench. -->\n");
    if let Some(Item { limits, .. }) = plan.first() {
        let hard = beyond(*limits);
        let (seconds, memory) = (hard.time.as_secs_f64().ceil(), hard.memory as f64 / 1e6);
        // Processor time is not limited for itself: all cores may be busy all the time.
        let cpu = seconds * f64::from(cores);
        let _ = writeln!(
            out,
            "<benchmark tool=\".braid\" timelimit=\"{cpu} s\" walltimelimit=\"{seconds} s\" memlimit=\"{memory:.0} MB\" cpuCores=\"{cores}\">",
        );
        let limits = [
            "--timeout".to_owned(),
            format!("{}ms", limits.time.as_millis()),
            "--memory".to_owned(),
            limits.memory.to_string(),
        ];
        out += &options("  ", &limits);
    }
    for (name, line) in distinct(plan.iter().map(|item| (&item.config, &item.options))) {
        let _ = writeln!(out, "  <rundefinition name=\"{}\">", escaped(name));
        out += &options("    ", &words(line));
        out += "  </rundefinition>\n";
    }
    // Every configuration has the same tasks.
    let first = plan.first().map(|item| item.config.as_str()).unwrap_or_default();
    let items: Vec<&Item> = plan.iter().filter(|item| item.config == first).collect();
    for (number, group) in distinct(items.iter().map(|item| Group::of(item))).into_iter().enumerate() {
        let own: Vec<&Item> = items.iter().copied().filter(|item| Group::of(item) == group).collect();
        out += &tasks(folder, number, &group, &own, &mut files);
    }
    (out + "</benchmark>\n", files)
}

/// Words of a command line, each as it is.
fn options(indent: &str, words: &[String]) -> String {
    words.iter().map(|word| format!("{indent}<option name=\"{}\"/>\n", escaped(word))).collect()
}

fn tasks(
    folder: &Path,
    number: usize,
    group: &Group<'_>,
    items: &[&Item],
    files: &mut Vec<(PathBuf, String)>,
) -> String {
    let named = property_name(group.property);
    let mut out = format!("  <tasks name=\"{}\">\n", escaped(&format!("{number}-{}-{named}", group.set)));
    let is_file = property::is_property_file(group.property);
    let mut own_options = words(group.args);
    let property_file = match (group.is_definition && is_file, named) {
        (true, _) => PathBuf::from(group.property),
        (false, named) => {
            let name = if named.is_empty() { "claim" } else { named };
            let path = folder.join(format!("{name}.prp"));
            let formulas = property::named(named).map(property::formulas).unwrap_or_default();
            let text = if formulas.is_empty() { name.to_owned() } else { formulas.join("\n") };
            files.push((path.clone(), text + "\n"));
            if !named.is_empty() {
                own_options.extend(["--property".to_owned(), group.property.to_owned()]);
            }
            path
        }
    };
    let _ = writeln!(out, "    <propertyfile>{}</propertyfile>", escaped(&property_file.to_string_lossy()));
    out += &options("    ", &own_options);
    for (place, item) in items.iter().enumerate() {
        let include = match group.is_definition && is_file {
            true => PathBuf::from(&item.file),
            false => {
                let path = folder.join(format!("{number}-{place}-{}.yml", plain(&item.task)));
                files.push((path.clone(), task_definition(item, &property_file)));
                path
            }
        };
        let _ = writeln!(out, "    <include>{}</include>", escaped(&include.to_string_lossy()));
    }
    out + "  </tasks>\n"
}

/// A name that is one of a file everywhere.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect()
}

/// Strings of JSON are strings of YAML.
fn task_definition(item: &Item, property: &Path) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let verdict = match &item.expected {
        Expected::True => "    expected_verdict: true\n".to_owned(),
        Expected::False(None) => "    expected_verdict: false\n".to_owned(),
        Expected::False(Some(part)) => format!("    expected_verdict: false\n    subproperty: {}\n", quoted(part)),
        Expected::Unknown => String::new(),
    };
    format!(
        "format_version: \"2.0\"\ninput_files: {}\nproperties:\n  - property_file: {}\n{verdict}",
        quoted(&item.file),
        quoted(&property.to_string_lossy()),
    )
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;

    #[test]
    fn a_definition_for_each_configuration_and_kind_of_task() {
        let mut plan = Vec::new();
        for config in ["gem", "cegar"] {
            let item = |task: &str, expected: &str| row(config, task, expected, Verdict::None, 0.0).item;
            let mut with_options = item("sub/b.c", "false(valid-free)");
            with_options.args = "-D 'X=<a> b'".into();
            with_options.property = "memsafety".into();
            let mut known = item("c.yml", "true");
            known.property = "/p/unreach-call.prp".into();
            plan.extend([item("a.c", "true"), with_options, known]);
        }
        let (text, files) = definition(Path::new("/x/run.tasks"), &plan, 2);
        let (_, xml) = text.split_once(DOCTYPE).unwrap();
        let tree = roxmltree::Document::parse(xml).unwrap();
        let told: Vec<String> = tree
            .descendants()
            .filter(|node| node.is_element())
            .map(|node| {
                let attributes = node.attributes().map(|a| format!(" {}={}", a.name(), a.value())).collect::<String>();
                format!("{}{attributes} {}", node.tag_name().name(), node.text().unwrap_or_default().trim())
            })
            .map(|line| line.trim_end().to_owned())
            .collect();
        expect_test::expect![[r#"
            benchmark tool=.braid timelimit=26 s walltimelimit=13 s memlimit=1181 MB cpuCores=2
            option name=--timeout
            option name=10000ms
            option name=--memory
            option name=1073741824
            rundefinition name=gem
            option name=--engine
            option name=gem
            rundefinition name=cegar
            option name=--engine
            option name=gem
            tasks name=0-set-unreach-call
            propertyfile /x/run.tasks/unreach-call.prp
            option name=--property
            option name=unreach-call
            include /x/run.tasks/0-0-a.c.yml
            tasks name=1-set-memsafety
            propertyfile /x/run.tasks/memsafety.prp
            option name=-D
            option name=X=<a> b
            option name=--property
            option name=memsafety
            include /x/run.tasks/1-0-sub-b.c.yml
            tasks name=2-set-unreach-call
            propertyfile /p/unreach-call.prp
            include /bench/c.yml"#]]
        .assert_eq(&told.join("\n"));
        let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(
            files[3].1.contains("input_files: \"/bench/sub/b.c\"")
                && files[3].1.contains("subproperty: \"valid-free\"")
        );
    }
}
