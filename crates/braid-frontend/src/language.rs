//! Which language a file is written in, by the end of its name.

use std::fmt;
use std::path::Path;

/// An input language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// The language of the Weaver verifier, `.wvr`.
    Weaver,
    /// Braid's own text form, `.braid`: Weaver's language with procedures, threads by name, and assertions.
    Braid,
    /// Boogie with threads, `.bpl`.
    Boogie,
    /// C with POSIX threads, `.c`.
    C,
    /// The same after the preprocessor, `.i`.
    PreprocessedC,
}

/// The name that stands for standard input, which is C.
pub const STANDARD_INPUT: &str = "-";

impl Language {
    /// All of them.
    pub const ALL: [Language; 5] =
        [Language::C, Language::PreprocessedC, Language::Boogie, Language::Weaver, Language::Braid];

    /// The end of the names of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Weaver => "wvr",
            Language::Braid => "braid",
            Language::Boogie => "bpl",
            Language::C => "c",
            Language::PreprocessedC => "i",
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Weaver => "Weaver",
            Language::Braid => "Braid",
            Language::Boogie => "Boogie",
            Language::C => "C",
            Language::PreprocessedC => "preprocessed C",
        }
    }

    /// The language of a file name.
    pub fn from_extension(path: &Path) -> Result<Language, UnknownLanguage> {
        if path == Path::new(STANDARD_INPUT) {
            return Ok(Language::C);
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        Language::ALL
            .into_iter()
            .find(|language| extension.as_deref() == Some(language.extension()))
            .ok_or(UnknownLanguage { extension })
    }
}

/// No language has files whose names end like this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLanguage {
    /// The end of the name, without the dot, if it has one.
    pub extension: Option<String>,
}

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.extension {
            Some(extension) => write!(f, "no language has files named `*.{extension}`; known are ")?,
            None => f.write_str("the name does not say which language this is; known are ")?,
        }
        let known = Language::ALL.map(|language| format!("`.{}` ({})", language.extension(), language.name()));
        f.write_str(&known.join(", "))
    }
}

impl std::error::Error for UnknownLanguage {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides() {
        assert_eq!(Language::from_extension(Path::new("a/b.wvr")), Ok(Language::Weaver));
        assert_eq!(Language::from_extension(Path::new("b.c.braid")), Ok(Language::Braid));
        assert_eq!(Language::from_extension(Path::new("b.bpl")), Ok(Language::Boogie));
        let error = |name: &str| Language::from_extension(Path::new(name)).unwrap_err().to_string();
        let known = "known are `.c` (C), `.i` (preprocessed C), `.bpl` (Boogie), `.wvr` (Weaver), `.braid` (Braid)";
        assert_eq!(error("a.rs"), format!("no language has files named `*.rs`; {known}"));
        assert_eq!(error("wvr"), format!("the name does not say which language this is; {known}"));
    }
}
