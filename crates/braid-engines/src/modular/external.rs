//! Sequential programs as files, and other checkers for them: `--keep DIR` and `--sequential "CMD {file}"`.
//!
//! A command's *safe* is taken over, but it is no proof: the verdict is then unknown, and says on whom it rests. For its *unsafe* the built-in
//! checker has to find the path. Where the command gives no answer, or C cannot say the program, the built-in checker decides.

use super::c_text::c_text;
use super::checker::{Checked, SequentialChecker};
use super::outline::Outline;
use crate::{Control, Reason};
use braid_logic::Term;
use braid_program::cfa::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where sequential programs go, and who checks them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct External {
    /// A command, with `{file}` where the program's name belongs; its output says `safe` or `unsafe`, or `true` or `false`, or
    /// `VERIFICATION SUCCESSFUL` or `VERIFICATION FAILED`.
    pub command: Option<String>,
    /// A directory in which the programs stay.
    pub keep: Option<PathBuf>,
}

impl External {
    /// Writes a program that was proven, with what holds at its locations.
    pub(super) fn keep_proof(
        &self,
        number: usize,
        program: &Program<'_>,
        annotation: Option<&[Term]>,
    ) -> Result<(), Reason> {
        let (Some(directory), Some(text)) = (&self.keep, c_text(program, annotation)) else { return Ok(()) };
        write_to(directory, &format!("proof-{number:02}"), program, &text).map(|_| ())
    }

    /// Is there anything to do?
    pub fn is_used(&self) -> bool {
        self.command.is_some() || self.keep.is_some()
    }
}

/// What a command says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Safe,
    Unsafe,
    Nothing,
}

/// A checker with an external one before it.
pub(super) struct Externally<'a, C> {
    pub external: &'a External,
    pub inner: C,
    /// The number of the next file.
    pub next: u64,
    /// How many programs are safe because the command says so.
    pub believed: u64,
}

impl<'p, C: SequentialChecker<'p>> SequentialChecker<'p> for Externally<'_, C> {
    fn check(&mut self, program: &Program<'p>, outline: &Outline, control: &Control) -> Checked {
        let said = match self.ask(program, control) {
            Ok(said) => said,
            Err(reason) => return Checked::Unknown(reason),
        };
        if said == Said::Safe {
            self.believed += 1;
            return Checked::Safe(None);
        }
        match self.inner.check(program, outline, control) {
            Checked::Safe(_) if said == Said::Unsafe => Checked::Unknown(Reason::Incomplete(
                "the external checker says unsafe of a sequential program that the built-in one proves".into(),
            )),
            checked => checked,
        }
    }
}

impl<C> Externally<'_, C> {
    /// Writes the program, and asks the command about it.
    fn ask(&mut self, program: &Program<'_>, control: &Control) -> Result<Said, Reason> {
        if !self.external.is_used() {
            return Ok(Said::Nothing);
        }
        let Some(text) = c_text(program, None) else { return Ok(Said::Nothing) };
        self.next += 1;
        let own = std::env::temp_dir().join(format!("braid-sequential-{}", std::process::id()));
        let directory = self.external.keep.as_ref().unwrap_or(&own);
        let file = write_to(directory, &format!("{:04}", self.next), program, &text)?;
        let said = match &self.external.command {
            Some(command) => run(command, &file, control),
            None => Ok(Said::Nothing),
        };
        if self.external.keep.is_none() {
            let _ = fs::remove_file(&file);
            // Other runs of the same process may still use it.
            let _ = fs::remove_dir(directory);
        }
        said
    }
}

/// Writes a program to a file in a directory.
fn write_to(directory: &Path, number: &str, program: &Program<'_>, text: &str) -> Result<PathBuf, Reason> {
    let file = directory.join(format!("{number}-{}.c", file_name(&program.threads[0].name)));
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(&file, text));
    let fault = |error| format!("a sequential program cannot be written to {}: {error}", file.display());
    written.map_err(|error| Reason::Incomplete(fault(error)))?;
    Ok(file)
}

fn file_name(thread: &str) -> String {
    thread.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Runs the command until it ends or time is up.
fn run(command: &str, file: &Path, control: &Control) -> Result<Said, Reason> {
    let fault = |error: std::io::Error| Reason::Incomplete(format!("the command `{command}` cannot be run: {error}"));
    let quoted = format!("'{}'", file.display().to_string().replace('\'', "'\\''"));
    let line =
        if command.contains("{file}") { command.replace("{file}", &quoted) } else { format!("{command} {quoted}") };
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fault)?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut output) = output {
            let _ = std::io::Read::read_to_end(&mut output, &mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    loop {
        if let Err(reason) = control.poll_now() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Reason::Stopped(reason));
        }
        if child.try_wait().map_err(fault)?.is_some() {
            return Ok(reader.join().map_or(Said::Nothing, |text| said(&text)));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What the last line with a verdict says.
fn said(text: &str) -> Said {
    let of_line = |line: &str| {
        let words: Vec<String> = line
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let says = |verdicts: &[&str]| words.iter().any(|word| verdicts.contains(&word.as_str()));
        if says(&["unsafe", "false", "failed", "unknown"]) {
            return Some(if says(&["unsafe", "false", "failed"]) { Said::Unsafe } else { Said::Nothing });
        }
        says(&["safe", "true", "successful"]).then_some(Said::Safe)
    };
    text.lines().rev().find_map(of_line).unwrap_or(Said::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_as_tools_write_them() {
        let check = |text: &str, expected| assert_eq!(said(text), expected, "{text}");
        check("** 0 of 1 failed\nVERIFICATION SUCCESSFUL\n", Said::Safe);
        check("VERIFICATION FAILED", Said::Unsafe);
        check("Verification result: TRUE. No property violation found", Said::Safe);
        check("verdict: unsafe", Said::Unsafe);
        check("verdict: unknown", Said::Nothing);
        check("not safe: unknown", Said::Nothing);
        check("", Said::Nothing);
    }
}
