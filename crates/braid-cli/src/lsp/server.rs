//! The loop of the server, and all that it knows.

use super::board::{Board, ByFile};
use super::client::{Abilities, Client, capabilities};
use super::job::{Finished, Job, Outcome, Request as Verification};
use super::options::Options;
use super::view::{self, Known, Looks, SHOW_STORY, VERIFY};
use super::{Event, wire};
use crate::exit::{Failure, Status};
use crate::formats::{markdown, rejections, uri};
use braid_frontend::Language;
use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    CodeLensParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    ExecuteCommandParams, InitializeParams, InitializeResult, InlayHintParams, ServerInfo, Uri,
    VersionedTextDocumentIdentifier,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};
use std::{fs, io};

/// How long the server waits for verifications to end when it ends itself.
const FAREWELL: Duration = Duration::from_millis(1500);

/// How far the client has got.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Ready,
    Down,
}

/// A file that the client has opened, or has asked about.
struct File {
    /// As the client calls it.
    uri: Uri,
    /// Was it changed since it was saved?
    is_changed: bool,
    known: Option<Known>,
    job: Option<Job>,
}

/// What `didChange` says that matters here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    text_document: VersionedTextDocumentIdentifier,
}

pub struct Server {
    phase: Phase,
    options: Options,
    client: Client,
    /// The folder that the client works in.
    root: Option<PathBuf>,
    files: BTreeMap<PathBuf, File>,
    board: Board,
    waiting: VecDeque<PathBuf>,
    /// Processes that have not ended, cancelled ones too.
    running: usize,
    events: Sender<Event>,
}

/// The answer to a request, or what is wrong with it.
type Answer = Result<Value, (ErrorCode, String)>;

impl Server {
    pub fn new(events: Sender<Event>) -> Server {
        Server {
            phase: Phase::New,
            options: Options::default(),
            client: Client::default(),
            root: None,
            files: BTreeMap::new(),
            board: Board::default(),
            waiting: VecDeque::new(),
            running: 0,
            events,
        }
    }

    /// Reacts until the client is gone.
    pub fn run(mut self, events: &Receiver<Event>) -> Result<Status, Failure> {
        let gone =
            |error: io::Error| Failure { status: Status::Output, message: format!("the client is gone: {error}") };
        let mut result = Ok(());
        for event in events {
            result = match event {
                Event::Message(Message::Notification(told)) if told.method == "exit" => break,
                Event::End => break,
                Event::Message(Message::Request(request)) => self.request(request),
                Event::Message(Message::Notification(told)) => self.notification(told),
                // Nothing depends on what the client says to requests.
                Event::Message(Message::Response(_)) => Ok(()),
                Event::Bad(bad) => wire::refuse(&bad),
                Event::Finished(finished) => self.finished(finished),
            };
            if result.is_err() {
                break;
            }
        }
        self.farewell(events);
        result.map_err(gone)?;
        match self.phase {
            Phase::Down => Ok(Status::Safe),
            _ => Err(Failure { status: Status::Refused, message: "the client has gone without `shutdown`".into() }),
        }
    }

    /// Ends what goes on.
    fn farewell(&mut self, events: &Receiver<Event>) {
        self.files.values().filter_map(|file| file.job.as_ref()).for_each(Job::cancel);
        let latest = Instant::now() + FAREWELL;
        while self.running > 0 {
            match events.recv_timeout(latest.saturating_duration_since(Instant::now())) {
                Ok(Event::Finished(_)) => self.running -= 1,
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.client.forget();
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        let Request { id, method, params } = request;
        let refused = |code, what: &str| Err((code, what.to_owned()));
        let answer = match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => self.initialize(params),
            (Phase::New, _) => refused(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::Down, _) => refused(ErrorCode::InvalidRequest, "the server is shut down"),
            (Phase::Ready, "initialize") => refused(ErrorCode::InvalidRequest, "`initialize` comes once"),
            (Phase::Ready, "shutdown") => {
                self.phase = Phase::Down;
                self.waiting.clear();
                self.files.values().filter_map(|file| file.job.as_ref()).for_each(Job::cancel);
                Ok(Value::Null)
            }
            (Phase::Ready, "textDocument/codeLens") => parsed(params).map(|params| self.lenses(&params)),
            (Phase::Ready, "textDocument/inlayHint") => parsed(params).map(|params| self.hints(&params)),
            (Phase::Ready, "workspace/executeCommand") => parsed(params).and_then(|params| self.command(&params)),
            (Phase::Ready, other) => refused(ErrorCode::MethodNotFound, &format!("there is no method {other}")),
        };
        wire::send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        })
    }

    fn notification(&mut self, told: Notification) -> io::Result<()> {
        if self.phase != Phase::Ready {
            return Ok(());
        }
        let Notification { method, params } = told;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(params) = parsed::<DidOpenTextDocumentParams>(params) else { return Ok(()) };
                let path = self.opened(params.text_document.uri);
                path.filter(|_| self.options.verify_on_open).map_or(Ok(()), |path| self.verify(&path))
            }
            "textDocument/didSave" => {
                let Ok(params) = parsed::<DidSaveTextDocumentParams>(params) else { return Ok(()) };
                let path = self.opened(params.text_document.uri);
                path.filter(|_| self.options.verify_on_save).map_or(Ok(()), |path| self.verify(&path))
            }
            "textDocument/didChange" => {
                let Ok(params) = parsed::<Changed>(params) else { return Ok(()) };
                let path = uri::to_path(params.text_document.uri.as_str());
                if let Some(file) = path.and_then(|path| self.files.get_mut(&path)) {
                    file.is_changed = true;
                }
                Ok(())
            }
            "textDocument/didClose" => {
                let Ok(params) = parsed::<DidCloseTextDocumentParams>(params) else { return Ok(()) };
                uri::to_path(params.text_document.uri.as_str()).map_or(Ok(()), |path| self.closed(&path))
            }
            "window/workDoneProgress/cancel" => {
                let number = params["token"].as_str().and_then(|token| token.strip_prefix("braid/"));
                let is_meant = |job: &&Job| number == Some(job.number.to_string().as_str());
                self.files.values().filter_map(|file| file.job.as_ref()).filter(is_meant).for_each(Job::cancel);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn initialize(&mut self, params: Value) -> Answer {
        let params: InitializeParams = parsed(params)?;
        self.phase = Phase::Ready;
        match Options::read(params.initialization_options) {
            Ok(options) => self.options = options,
            Err(what) => {
                self.client.warn(&format!("Braid's options are not as they should be, and are left out: {what}"))
            }
        }
        #[allow(deprecated, reason = "older clients have no folders")]
        let old = params.root_uri.clone();
        let folders = params.workspace_folders.into_iter().flatten().map(|folder| folder.uri);
        self.root = folders.chain(old).find_map(|folder| uri::to_path(folder.as_str()));
        self.client.abilities = Abilities::of(&params.capabilities);
        Ok(json!(InitializeResult {
            capabilities: capabilities(),
            server_info: Some(ServerInfo { name: "braid".into(), version: Some(env!("CARGO_PKG_VERSION").into()) }),
        }))
    }

    /// Takes a file in, if Braid reads files of its kind.
    fn opened(&mut self, uri: Uri) -> Option<PathBuf> {
        let path = uri::to_path(uri.as_str()).filter(|path| Language::from_extension(path).is_ok())?;
        let file = File { uri, is_changed: false, known: None, job: None };
        self.files.entry(path.clone()).or_insert(file).is_changed = false;
        Some(path)
    }

    fn closed(&mut self, path: &Path) -> io::Result<()> {
        self.waiting.retain(|other| other != path);
        let Some(file) = self.files.remove(path) else { return Ok(()) };
        if let Some(job) = file.job {
            job.cancel();
            self.client.end_progress(job.number, "")?;
        }
        let changed = self.board.replace(path, ByFile::new());
        self.publish(changed)
    }

    /// Verifies a file as it is on disk; what was going on about it ends.
    fn verify(&mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.files.get_mut(path) else { return Ok(()) };
        if let Some(job) = file.job.take() {
            job.cancel();
            self.client.end_progress(job.number, "")?;
        }
        self.waiting.retain(|other| other != path);
        self.waiting.push_back(path.to_owned());
        self.start_waiting()
    }

    /// Where the verification of a file works: names in its result start there.
    fn folder(&self, path: &Path) -> PathBuf {
        let folders = self.root.as_deref().into_iter().chain(path.parent());
        folders.chain([Path::new("/")]).find(|folder| folder.is_dir()).map(Path::to_owned).unwrap_or_default()
    }

    fn looks(&self, path: &Path) -> Looks {
        Looks { related: self.client.abilities.related, folder: self.folder(path) }
    }

    /// Starts what waits, as far as there is room.
    fn start_waiting(&mut self) -> io::Result<()> {
        while self.running < self.options.jobs {
            let Some(path) = self.waiting.pop_front() else { break };
            let number = self.client.number();
            let request = Verification {
                number,
                arguments: self.options.command_line(&path, &self.folder(&path)),
                file: path.clone(),
                folder: self.folder(&path),
                limit: self.options.limit(),
            };
            let Some(file) = self.files.get_mut(&path) else { continue };
            file.job = Some(Job::start(request, self.events.clone()));
            self.running += 1;
            self.client.begin_progress(number, &path)?;
        }
        self.client.refresh()
    }

    fn finished(&mut self, finished: Finished) -> io::Result<()> {
        let Finished { number, file: path, outcome } = finished;
        self.running = self.running.saturating_sub(1);
        let looks = self.looks(&path);
        let file = self.files.get_mut(&path);
        // A newer verification may have taken its place.
        if let Some(file) = file.filter(|file| file.job.as_ref().is_some_and(|job| job.number == number)) {
            file.job = None;
            let known = match outcome {
                Outcome::Answered(document) => Some(Known::Answered(document)),
                Outcome::Rejected(said) => Some(Known::Rejected(rejections(&said))),
                Outcome::Failed(why) => Some(Known::Failed(why)),
                Outcome::Cancelled => None,
            };
            file.known = known;
            let said = file.known.as_ref().map(|known| looks.diagnostics(&path, known)).unwrap_or_default();
            let title = file.known.as_ref().map_or_else(|| "cancelled".to_owned(), view::title);
            let failed = match &file.known {
                Some(Known::Failed(why)) => Some(format!("Braid could not verify {}: {why}", path.display())),
                _ => None,
            };
            let changed = self.board.replace(&path, said);
            self.client.end_progress(number, &title)?;
            self.publish(changed)?;
            failed.iter().for_each(|what| self.client.warn(what));
        }
        self.start_waiting()
    }

    fn lenses(&self, params: &CodeLensParams) -> Value {
        let uri = &params.text_document.uri;
        let Some((path, file)) = self.file(uri) else { return json!([]) };
        let text = fs::read(&path).unwrap_or_default();
        let known = file.known.as_ref().filter(|_| !file.is_changed);
        let is_running = file.job.is_some() || self.waiting.contains(&path);
        json!(view::lenses(uri, &String::from_utf8_lossy(&text), known, is_running))
    }

    /// Places are those of the text on disk, so there are none while it is another one.
    fn hints(&self, params: &InlayHintParams) -> Value {
        match self.file(&params.text_document.uri) {
            Some((path, File { is_changed: false, known: Some(Known::Answered(document)), .. })) => {
                json!(self.looks(&path).hints(document, &path, params.range))
            }
            _ => json!([]),
        }
    }

    fn file(&self, uri: &Uri) -> Option<(PathBuf, &File)> {
        let path = uri::to_path(uri.as_str())?;
        let file = self.files.get(&path)?;
        Some((path, file))
    }

    fn command(&mut self, params: &ExecuteCommandParams) -> Answer {
        let wrong = |what: &str| (ErrorCode::InvalidParams, what.to_owned());
        let named = params.arguments.first().cloned().unwrap_or_default();
        let uri: Uri = serde_json::from_value(named).map_err(|_| wrong("the first argument is the URI of a file"))?;
        let gone = |error: io::Error| (ErrorCode::InternalError, error.to_string());
        match params.command.as_str() {
            VERIFY => {
                let path = self.opened(uri).ok_or_else(|| wrong("Braid does not read files of this kind"))?;
                self.verify(&path).map(|()| Value::Null).map_err(gone)
            }
            SHOW_STORY => {
                let Some((path, File { known: Some(known), .. })) = self.file(&uri) else { return Ok(Value::Null) };
                let text = match known {
                    Known::Answered(document) => markdown(document),
                    Known::Rejected(errors) => errors.iter().map(|error| format!("* {}\n", error.message)).collect(),
                    Known::Failed(why) => format!("# Not verified\n\n{why}\n"),
                };
                let is_shown = params.arguments.get(1).is_some_and(|told| told["show"] == true);
                if is_shown && self.client.abilities.show_document {
                    self.client.show(&path, &text).map_err(gone)?;
                }
                Ok(Value::String(text))
            }
            other => Err(wrong(&format!("there is no command {other}"))),
        }
    }

    fn publish(&self, changed: ByFile) -> io::Result<()> {
        for (path, diagnostics) in changed {
            let own = self.files.get(&path).map(|file| file.uri.clone());
            let Some(uri) = own.or_else(|| view::to_uri(&path)) else { continue };
            let told = json!({ "uri": uri, "diagnostics": diagnostics });
            wire::send(Notification::new("textDocument/publishDiagnostics".into(), told))?;
        }
        Ok(())
    }
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}
