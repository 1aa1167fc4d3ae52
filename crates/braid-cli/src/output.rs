//! Writing to standard output. A reader that has gone away (`braid … | head`) is no error.

use crate::exit::{Failure, Status};
use std::io::{self, IsTerminal, Write};

/// Writes text to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let message = format!("standard output cannot be written: {error}");
            Err(Failure { status: Status::Output, message })
        }
        _ => Ok(()),
    }
}

/// Where standard output goes, as far as its looks depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// In characters.
    pub width: usize,
    pub colour: bool,
}

impl Page {
    /// The page of standard output: as wide as the terminal, coloured unless `NO_COLOR` is set; plain elsewhere.
    pub fn of_stdout() -> Page {
        let terminal = io::stdout().is_terminal();
        let width = terminal.then(terminal_size::terminal_size).flatten().map_or(100, |(width, _)| width.0 as usize);
        let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Page { width: width.max(40), colour }
    }
}
