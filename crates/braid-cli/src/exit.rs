//! How the command ends: the exit statuses, and the ways to get to each.

use std::io;
use std::path::Path;
use std::process::ExitCode;

/// An exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Safe; or nothing was to be decided and all went well.
    Safe = 0,
    /// A certificate is refused; a benchmark has a wrong verdict; a client of `braid lsp` has gone without `shutdown`.
    Refused = 1,
    /// Wrong usage.
    Usage = 2,
    /// The input was rejected.
    Rejected = 3,
    /// Unsafe.
    Unsafe = 10,
    /// Unknown.
    Unknown = 20,
    /// Something is wrong with Braid.
    Internal = 70,
    /// The answer cannot be written: a full disk, for example.
    Output = 74,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command could not do what it was asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What the process ends with.
    pub status: Status,
    /// What people are told.
    pub message: String,
}

impl Failure {
    /// The input cannot be read, is wrong, or needs something that Braid does not have.
    pub fn rejected(message: impl Into<String>) -> Failure {
        Failure { status: Status::Rejected, message: message.into() }
    }

    /// A file cannot be read.
    pub fn unreadable(file: &Path, error: &io::Error) -> Failure {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::IsADirectory => "this is a directory, not a file".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        Failure::rejected(format!("{}: {why}", file.display()))
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { status: Status::Usage, message: message.into() }
    }

    /// Something is wrong with Braid.
    pub fn internal(what: &str) -> Failure {
        Failure { status: Status::Internal, message: format!("internal error: {what}, please report") }
    }
}
