//! `braid lsp`: a language server. Editors start it, and talk to it on standard input and output ([docs/editors.md]).
//!
//! One loop owns all that is known, and gets everything as [`Event`]s: what the client says, and what verifications come to. Each of those is
//! another process, `braid verify --json -`, so that a newer text can end it, and nothing it does ends the server.
//!
//! *Invariants*: nothing is verified but what is on disk; whatever the client sends, the server goes on until it is told to exit or its
//! input ends.
//!
//! [docs/editors.md]: ../../../../docs/editors.md

mod board;
mod client;
mod job;
mod options;
mod server;
mod view;
mod wire;

use crate::exit::{Failure, Status};
use lsp_server::Message;
use std::io;
use std::sync::mpsc;
use std::thread;

/// Something that the server has to react to.
pub enum Event {
    /// The client says something.
    Message(Message),
    /// The client says something that is no message.
    Bad(wire::Bad),
    /// The client has gone.
    End,
    /// A verification has ended.
    Finished(job::Finished),
}

/// Serves until the client says that it is enough.
pub fn serve() -> Result<Status, Failure> {
    let (sender, events) = mpsc::channel();
    let reading = sender.clone();
    let read = move || wire::read(&mut io::stdin().lock(), &reading);
    let spawned = thread::Builder::new().name("reader".into()).spawn(read);
    spawned.map_err(|error| Failure::internal(&format!("no thread: {error}")))?;
    server::Server::new(sender).run(&events)
}
