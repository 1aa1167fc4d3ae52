//! Messages in and out: a header with the length, an empty line, and JSON.
//!
//! The reader of `lsp-server` gives up at the first message that is wrong. This one tells, and goes on with the next.

use super::Event;
use lsp_server::{ErrorCode, Message};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Sender;

/// The most bytes of a message.
const LONGEST: usize = 64 << 20;

/// What is wrong with something that the client sent.
pub struct Bad {
    pub code: ErrorCode,
    pub what: String,
}

/// Reads until the input ends, or nobody listens.
pub fn read(input: &mut impl BufRead, events: &Sender<Event>) {
    while let Some(event) = next(input) {
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

/// The next message; none at the end.
fn next(input: &mut impl BufRead) -> Option<Event> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok(),
            _ => {}
        }
    }
    let refused = |code, what: &str| Some(Event::Bad(Bad { code, what: what.to_owned() }));
    let Some(length) = length else {
        return refused(ErrorCode::ParseError, "a message has no Content-Length");
    };
    if length > LONGEST {
        let skipped = io::copy(&mut input.take(length as u64), &mut io::sink()).ok()?;
        return refused(ErrorCode::InvalidRequest, &format!("a message of {skipped} bytes is too long"));
    }
    let mut bytes = Vec::new();
    if input.take(length as u64).read_to_end(&mut bytes).ok()? < length {
        return None;
    }
    match serde_json::from_slice::<Message>(&bytes) {
        Ok(message) => Some(Event::Message(message)),
        Err(error) if error.is_data() => refused(ErrorCode::InvalidRequest, "this is JSON, but no message"),
        Err(error) => refused(ErrorCode::ParseError, &format!("this is not JSON: {error}")),
    }
}

/// Writes a message.
pub fn send(message: impl Into<Message>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    message.into().write(&mut out)?;
    out.flush()
}

/// Tells the client that something it sent is wrong; which request it was is not known.
pub fn refuse(bad: &Bad) -> io::Result<()> {
    let text =
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": bad.code as i32, "message": bad.what } }).to_string();
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &[&str]) {
        let (sender, events) = std::sync::mpsc::channel();
        read(&mut input.as_bytes(), &sender);
        drop(sender);
        let told = events.iter().map(|event| match event {
            Event::Message(Message::Request(request)) => format!("request {}", request.method),
            Event::Message(Message::Notification(told)) => format!("notification {}", told.method),
            Event::Message(Message::Response(response)) => format!("response {}", response.id),
            Event::Bad(bad) => format!("bad {}", bad.code as i32),
            Event::End => "end".to_owned(),
            Event::Finished(_) => unreachable!("nothing was started"),
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{input:?}");
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn what_is_wrong_is_told_and_skipped() {
        let request = framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}");
        check(&request, &["request m", "end"]);
        check(&(framed("{no") + &request), &["bad -32700", "request m", "end"]);
        check(&(framed("[1, 2]") + &request), &["bad -32600", "request m", "end"]);
        check(&("Hello: there\r\n\r\n".to_owned() + &request), &["bad -32700", "request m", "end"]);
        check(
            &(framed("{\"method\":\"n\"}") + &framed("{\"id\":2,\"result\":null}")),
            &["notification n", "response 2", "end"],
        );
        check("Content-Length: 100\r\n\r\n{", &["end"]);
        check("content-length: 14\n\n{\"method\":\"n\"}", &["notification n", "end"]);
        check("", &["end"]);
    }
}
