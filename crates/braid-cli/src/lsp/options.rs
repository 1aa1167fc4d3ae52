//! What the client may choose: `initializationOptions`.

use crate::machine::is_c;
use crate::units::parse_duration;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// How files are verified.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Options {
    /// How long a verification may take.
    timeout: Limit,
    /// What is asked of C programs; others have a claim of their own.
    property: String,
    /// More options of `braid verify`.
    arguments: Vec<String>,
    pub verify_on_open: bool,
    pub verify_on_save: bool,
    /// How many verifications may run at once.
    pub jobs: usize,
}

/// A time: seconds, or as on the command line.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
enum Limit {
    Seconds(u32),
    Text(String),
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            timeout: Limit::Seconds(20),
            property: "all".into(),
            arguments: Vec::new(),
            verify_on_open: true,
            verify_on_save: true,
            jobs: (cores / 2).max(1),
        }
    }
}

impl Options {
    /// What the client has chosen. The error says what is wrong with it.
    pub fn read(value: Option<serde_json::Value>) -> Result<Options, String> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Options::default()) };
        let options: Options = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if let Limit::Text(text) = &options.timeout {
            parse_duration(text)?;
        }
        Ok(Options { jobs: options.jobs.max(1), ..options })
    }

    /// The time limit.
    pub fn limit(&self) -> Duration {
        match &self.timeout {
            Limit::Seconds(seconds) => Duration::from_secs((*seconds).into()),
            Limit::Text(text) => parse_duration(text).unwrap_or(Duration::from_secs(20)),
        }
    }

    /// The command line for a file, in a folder: what is below it is named from there.
    pub fn command_line(&self, file: &Path, folder: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = ["verify", "--json", "-", "--timeout"].map(OsString::from).into();
        words.push(format!("{}ms", self.limit().as_millis()).into());
        if is_c(file) {
            words.extend(["--property".into(), OsString::from(&self.property)]);
        }
        words.extend(self.arguments.iter().map(OsString::from));
        let relative =
            file.strip_prefix(folder).ok().filter(|path| !path.as_os_str().as_encoded_bytes().starts_with(b"-"));
        words.push(relative.unwrap_or(file).into());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn command_line(options: serde_json::Value, file: &str) -> String {
        let words = Options::read(Some(options)).expect("options").command_line(Path::new(file), Path::new("/home"));
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn command_lines() {
        let line = command_line(json!({}), "/home/a b.c");
        assert_eq!(line, "verify --json - --timeout 20000ms --property all a b.c");
        let chosen =
            json!({ "timeout": "1.5m", "property": "no-data-race", "arguments": ["-I", "inc"], "verifyOnOpen": false });
        let line = command_line(chosen.clone(), "/a.c");
        assert_eq!(line, "verify --json - --timeout 90000ms --property no-data-race -I inc /a.c");
        assert_eq!(command_line(chosen, "/a.wvr"), "verify --json - --timeout 90000ms -I inc /a.wvr");
    }

    #[test]
    fn wrong_options() {
        for wrong in [json!({ "timeout": "soon" }), json!({ "hello": 1 }), json!("fast"), json!({ "timeout": -1 })] {
            assert!(Options::read(Some(wrong.clone())).is_err(), "{wrong}");
        }
        assert_eq!(Options::read(None), Ok(Options::default()));
        assert_eq!(Options::read(Some(json!({ "jobs": 0 }))).map(|options| options.jobs), Ok(1));
    }
}
