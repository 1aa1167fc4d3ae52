//! Writing to standard output. A reader that has gone away (`braid … | head`) is no error.

use crate::exit::{Failure, Status};
use clap::ValueEnum;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

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
    /// The page of standard output: as wide as `COLUMNS` says, or the terminal; coloured on a terminal unless `NO_COLOR` is set, and
    /// where the user says so.
    pub fn of_stdout() -> Page {
        let terminal = io::stdout().is_terminal();
        let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
        let seen = || terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| width.0 as usize);
        let colour = match COLOUR.get().copied().unwrap_or_default() {
            Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            Colour::Always => true,
            Colour::Never => false,
        };
        Page { width: said.or_else(seen).unwrap_or(100).max(40), colour }
    }
}

/// When standard output is coloured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Takes over what the user wants, once for the process.
pub fn set_colour(colour: Colour) {
    let _ = COLOUR.set(colour);
}
