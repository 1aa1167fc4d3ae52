//! Configurations: options of `braid verify` with a name.

use super::shell;
use crate::arguments::{Arguments, words};
use crate::exit::Failure;
use std::fs;
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    pub name: String,
    pub options: Vec<String>,
}

impl Config {
    /// `gem=--engine gem --order seq`, or `gem` for one without options.
    pub fn parse(text: &str) -> Result<Config, String> {
        let (name, options) = text.split_once('=').unwrap_or((text, ""));
        let name = name.trim();
        let is_name = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        match !name.is_empty() && name.chars().all(is_name) {
            true => Ok(Config { name: name.to_owned(), options: words(options) }),
            false => {
                Err(format!("`{text}` is no configuration: write NAME=\"OPTIONS\", with a name of letters and digits"))
            }
        }
    }

    /// The options as a shell reads them.
    pub fn line(&self) -> String {
        shell::line(&self.options)
    }

    /// Says before any run what is wrong with the options: those that `braid bench` gives itself are not for configurations.
    pub fn check(&self, whole: &[String]) -> Result<(), Failure> {
        let words = std::iter::once("braid").chain(whole.iter().map(String::as_str));
        let Err(error) = Arguments::grouped().try_get_matches_from(words) else { return Ok(()) };
        let text = error.to_string();
        let said = text.lines().next().unwrap_or_default();
        Err(Failure::usage(format!(
            "configuration {}: {said}\nhint: --timeout, --memory, --json and --quiet are for `braid bench` to give",
            self.name
        )))
    }
}

/// The configurations of the command line and of a file; one without options if there are none.
pub fn read(given: &[String], file: Option<&Path>) -> Result<Vec<Config>, Failure> {
    let mut texts: Vec<(String, String)> = given.iter().map(|text| (String::new(), text.clone())).collect();
    if let Some(file) = file {
        let name = file.display();
        let text =
            fs::read_to_string(file).map_err(|error| Failure::rejected(format!("{name}: cannot be read: {error}")))?;
        let lines = text.lines().enumerate().map(|(number, line)| (format!("{name}:{}: ", number + 1), line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        texts.extend(lines.map(|(place, line)| (place, line.to_owned())));
    }
    let mut configs: Vec<Config> = Vec::new();
    for (place, text) in texts {
        let config = Config::parse(&text).map_err(|what| Failure::usage(format!("{place}error: {what}")))?;
        if configs.iter().any(|other| other.name == config.name) {
            return Err(Failure::usage(format!("{place}error: there are two configurations `{}`", config.name)));
        }
        configs.push(config);
    }
    if configs.is_empty() {
        configs.push(Config { name: "default".into(), options: Vec::new() });
    }
    Ok(configs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_options() {
        let check = |text: &str, name: &str, options: &[&str]| {
            let config = Config::parse(text).unwrap();
            assert_eq!(
                (config.name.as_str(), config.options),
                (name, options.iter().map(|o| (*o).into()).collect::<Vec<String>>())
            );
        };
        check("gem=--engine gem --order seq", "gem", &["--engine", "gem", "--order", "seq"]);
        check(" two-words = -D 'X=a b'", "two-words", &["-D", "X=a b"]);
        check("plain", "plain", &[]);
    }

    #[test]
    fn files_and_mistakes() {
        let file = std::env::temp_dir().join(format!("braid-configs-{}", std::process::id()));
        fs::write(&file, "# two engines\ngem = --engine gem\n\ncegar = --engine cegar\n").unwrap();
        let names = |configs: Vec<Config>| configs.into_iter().map(|config| config.name).collect::<Vec<_>>();
        assert_eq!(
            read(&["auto".into()], Some(&file)).map(names),
            Ok(vec!["auto".into(), "gem".into(), "cegar".into()])
        );
        let twice = read(&["gem".into()], Some(&file)).unwrap_err().message;
        assert!(twice.ends_with(":2: error: there are two configurations `gem`"), "{twice}");
        assert_eq!(read(&[], None).map(names), Ok(vec!["default".into()]));
        fs::remove_file(&file).unwrap();
        assert!(read(&["=x".into()], None).unwrap_err().message.contains("is no configuration"));
    }

    #[test]
    fn wrong_options_are_noticed_before_a_run() {
        let check = |option: &str, said: Option<&str>| {
            let whole: Vec<String> =
                ["verify", "--timeout", "1s", option, "a.c"].iter().map(|word| (*word).to_owned()).collect();
            let config = Config { name: "x".into(), options: vec![option.into()] };
            let found = config.check(&whole).err().map(|failure| failure.message);
            assert_eq!(found.is_some(), said.is_some(), "{option}: {found:?}");
            assert!(found.unwrap_or_default().contains(said.unwrap_or_default()));
        };
        check("--quiet", None);
        check("--engine=gem", None);
        check("--engine=none", Some("configuration x: error: invalid value 'none'"));
        check("--timeout=3s", Some("cannot be used multiple times"));
        check("--nonsense", Some("unexpected argument '--nonsense'"));
    }
}
