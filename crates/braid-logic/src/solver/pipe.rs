//! A conversation with an external program in S-expressions, with a deadline for each reply.
//!
//! Two threads of their own write to the program and read from it, so that one which neither reads nor writes cannot
//! block the caller. They end when the program does; dropping the pipe kills it.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A reply longer than this many bytes is taken for garbage.
const MAX_REPLY: usize = 64 << 20;

/// How often a waiting caller looks whether it was interrupted.
const PATIENCE: Duration = Duration::from_millis(10);

/// Why there is no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The program closed its output, or ended.
    Ended,
    /// The deadline has passed.
    Late,
    /// The caller was told to stop.
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::Ended => "it ended or closed its output",
            Failure::Late => "it did not answer in time",
            Failure::Interrupted => "it was interrupted",
        })
    }
}

/// A running program.
pub(super) struct Pipe {
    child: Child,
    requests: Sender<String>,
    replies: Receiver<String>,
}

impl Pipe {
    /// Starts the program with its arguments.
    pub fn start(command: &[String]) -> io::Result<Pipe> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program is named"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut input, output) = match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => (input, output),
            _ => unreachable!("both are piped"),
        };
        let (requests, to_write) = channel::<String>();
        let (heard, replies) = channel::<String>();
        thread::Builder::new().name("to the solver".into()).spawn(move || {
            while let Ok(text) = to_write.recv() {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        })?;
        thread::Builder::new().name("from the solver".into()).spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(reply)) = read_reply(&mut output) {
                if heard.send(reply).is_err() {
                    return;
                }
            }
        })?;
        Ok(Pipe { child, requests, replies })
    }

    /// Sends a text; whether it arrives shows in the reply.
    pub fn send(&self, text: String) {
        let _ = self.requests.send(text);
    }

    /// The next expression that the program writes.
    pub fn reply(&self, deadline: Instant, is_interrupted: &dyn Fn() -> bool) -> Result<String, Failure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.replies.recv_timeout(left.min(PATIENCE)) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Ended),
                Err(RecvTimeoutError::Timeout) if is_interrupted() => return Err(Failure::Interrupted),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Failure::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the bytes that come next are part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Plain,
    String,
    QuotedSymbol,
    Comment,
}

/// The text of the next whole expression; none at the end of the output.
fn read_reply(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let (mut text, mut depth, mut inside) = (Vec::new(), 0usize, Inside::Plain);
    for byte in output.bytes() {
        let byte = byte?;
        if inside == Inside::Comment {
            inside = if byte == b'\n' { Inside::Plain } else { Inside::Comment };
            continue;
        }
        let at_top = depth == 0 && inside == Inside::Plain;
        if at_top && byte.is_ascii_whitespace() {
            if text.is_empty() {
                continue;
            }
            break;
        }
        match (inside, byte) {
            (Inside::Plain, b';') => {
                inside = Inside::Comment;
                continue;
            }
            (Inside::Plain, b'(') => depth += 1,
            (Inside::Plain, b')') => depth = depth.saturating_sub(1),
            (Inside::Plain, b'"') => inside = Inside::String,
            (Inside::Plain, b'|') => inside = Inside::QuotedSymbol,
            (Inside::String, b'"') | (Inside::QuotedSymbol, b'|') => inside = Inside::Plain,
            _ => {}
        }
        text.push(byte);
        if text.len() > MAX_REPLY {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an endless reply"));
        }
        if depth == 0 && byte == b')' && inside == Inside::Plain {
            break;
        }
    }
    Ok((!text.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_cut_at_whole_expressions() {
        let mut output = " sat\n(a (b \"c)\") |)|) ; no (\nunsat (error \"x \"\" y\")\n".as_bytes();
        let mut replies = Vec::new();
        while let Some(reply) = read_reply(&mut output).expect("memory does not fail") {
            replies.push(reply);
        }
        assert_eq!(replies, ["sat", "(a (b \"c)\") |)|)", "unsat", "(error \"x \"\" y\")"]);
    }
}
