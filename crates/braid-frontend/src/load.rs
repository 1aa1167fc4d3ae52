//! Reading a program from a file. Each way in which that can fail is a sentence.

use crate::c::tree::Unit;
use crate::language::STANDARD_INPUT;
use crate::latin;
use crate::{Diagnostics, Language, Reading, Representation, UnknownLanguage, read_as};
use braid_program::ast::Program;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files of more bytes than this are not programs that people want verified.
const LARGEST_FILE: u64 = 64 << 20;

/// Why a file did not give a program.
#[derive(Debug)]
pub enum LoadError {
    /// There is no such file.
    Missing(PathBuf),
    /// It is a directory.
    Directory(PathBuf),
    /// The operating system does not let it be read.
    Unreadable(PathBuf, io::Error),
    /// It has more bytes than can be read.
    TooLarge(PathBuf),
    /// It is not UTF-8, from the given byte on, counted from 0, in the given line, counted from 1.
    NotText {
        /// The file.
        path: PathBuf,
        /// How many bytes come before.
        byte: usize,
        /// The line that it is in.
        line: usize,
    },
    /// Its name does not end like that of any language.
    UnknownLanguage(PathBuf, UnknownLanguage),
    /// Its text is not a program.
    Rejected(Diagnostics),
}

impl LoadError {
    /// What is wrong, without the name of the file.
    pub(crate) fn reason(&self) -> String {
        match self {
            LoadError::Missing(_) => "there is no such file".to_owned(),
            LoadError::Directory(_) => "this is a directory, not a file".to_owned(),
            LoadError::Unreadable(_, error) => format!("cannot be read: {error}"),
            LoadError::TooLarge(_) => format!("too large: more than {} MiB", LARGEST_FILE >> 20),
            LoadError::NotText { byte, line, .. } => {
                format!("not a text file: byte {byte}, in line {line}, does not start a UTF-8 character")
            }
            LoadError::UnknownLanguage(_, error) => error.to_string(),
            LoadError::Rejected(diagnostics) => diagnostics.to_string(),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing(path)
            | LoadError::Directory(path)
            | LoadError::Unreadable(path, _)
            | LoadError::TooLarge(path)
            | LoadError::NotText { path, .. }
            | LoadError::UnknownLanguage(path, _) => write!(f, "{}: {}", path.display(), self.reason()),
            LoadError::Rejected(_) => f.write_str(&self.reason()),
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads a program from a file; the file's name decides the language.
pub fn load(path: &Path) -> Result<Program, LoadError> {
    load_as(path, &Reading::default()).map(|loaded| loaded.program)
}

/// A program that was read from a file.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Of C: how its numbers are represented, and the tree, which can be translated again.
    pub c: Option<(Representation, Unit)>,
}

/// Reads a program from a file in a given way.
pub fn load_as(path: &Path, reading: &Reading) -> Result<Loaded, LoadError> {
    let bytes = read_bytes(path)?;
    let language =
        Language::from_extension(path).map_err(|error| LoadError::UnknownLanguage(path.to_owned(), error))?;
    let text = match language {
        Language::C | Language::PreprocessedC => c_text(path, bytes)?,
        _ => text(path, bytes).map_err(|(error, _)| error)?,
    };
    read_as(&path.to_string_lossy(), &text, language, reading).map_err(LoadError::Rejected)
}

/// The text of a C file, in UTF-8 or with other bytes.
pub(crate) fn read_c(path: &Path) -> Result<String, LoadError> {
    c_text(path, read_bytes(path)?)
}

fn c_text(path: &Path, bytes: Vec<u8>) -> Result<String, LoadError> {
    let is_binary = bytes.contains(&0);
    text(path, bytes).or_else(|(error, bytes)| if is_binary { Err(error) } else { Ok(latin::decoded(&bytes)) })
}

pub(crate) fn read_text(path: &Path) -> Result<String, LoadError> {
    text(path, read_bytes(path)?).map_err(|(error, _)| error)
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String, (LoadError, Vec<u8>)> {
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..byte].iter().filter(|&&byte| byte == b'\n').count();
        (LoadError::NotText { path: path.to_owned(), byte, line }, error.into_bytes())
    })
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let refused = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.to_owned()),
        io::ErrorKind::IsADirectory => LoadError::Directory(path.to_owned()),
        _ => LoadError::Unreadable(path.to_owned(), error),
    };
    let mut bytes = Vec::new();
    let from: Box<dyn Read> = match path == Path::new(STANDARD_INPUT) {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(refused)?),
    };
    from.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(LoadError::TooLarge(path.to_owned()));
    }
    Ok(bytes)
}
