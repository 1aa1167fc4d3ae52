//! Task definitions of the Software Verification Competition: a file that names the program, its properties and its data model.

use crate::arguments::{DataModelName, Verify};
use crate::exit::Failure;
use crate::{property, yaml};
use braid_program::ast::Checks;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What a task definition says.
#[derive(Deserialize)]
pub struct Task {
    input_files: Files,
    #[serde(default)]
    pub properties: Vec<Property>,
    #[serde(default)]
    options: Options,
}

/// One file or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

/// What a task definition says of a property.
#[derive(Deserialize)]
pub struct Property {
    pub property_file: PathBuf,
    /// Does the program have it? Not every definition says so.
    pub expected_verdict: Option<bool>,
    /// Which part of it is violated.
    pub subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct Options {
    data_model: Option<String>,
}

/// Is a file a task definition, by its name?
pub fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Reads a task definition.
pub fn read(file: &Path) -> Result<Task, Failure> {
    let failed = |what: String| Failure::rejected(format!("{}: {what}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| Failure::unreadable(file, &error))?;
    let value = yaml::read(&text).map_err(|error| failed(format!("this is no task definition: {error}")))?;
    serde_json::from_value(value).map_err(|error| failed(format!("this is no task definition: {error}")))
}

/// The same arguments, with the program and the property of the task where the file is a task definition. What the command line says of
/// properties and of the data model comes first.
pub fn resolved(mut arguments: Verify) -> Result<Verify, Failure> {
    let Some(file) = arguments.file.clone().filter(|file| is_definition(file)) else { return Ok(arguments) };
    let failed = |what: &str| Failure::rejected(format!("{}: {what}", file.display()));
    let task = read(&file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut files = match task.input_files {
        Files::One(file) => vec![file],
        Files::Several(files) => files,
    }
    .into_iter()
    .map(|file| folder.join(file));
    arguments.file = Some(files.next().ok_or_else(|| failed("there is no input file"))?);
    arguments.run.reading.more.extend(files);
    if arguments.run.reading.data_model.is_none() {
        arguments.run.reading.data_model = match task.options.data_model.as_deref() {
            None => None,
            Some("ILP32") => Some(DataModelName::Ilp32),
            Some("LP64") => Some(DataModelName::Lp64),
            Some(other) => return Err(failed(&format!("there is no data model {other}"))),
        };
    }
    if arguments.property.is_none() {
        let known: Vec<Checks> =
            task.properties.iter().filter_map(|known| checks(&folder.join(&known.property_file))).collect();
        if known.is_empty() {
            return Err(failed("none of its properties is supported"));
        }
        arguments.property = Some(property::name(known.into_iter().fold(Checks::NONE, Checks::and)));
    }
    arguments.competition = true;
    Ok(arguments)
}

/// What a property file asks for; its name says it where it is not there. None if it is not supported.
pub fn checks(file: &Path) -> Option<Checks> {
    if file.exists() {
        return property::property(&file.to_string_lossy()).ok();
    }
    property::named(file.file_stem()?.to_str()?)
}
