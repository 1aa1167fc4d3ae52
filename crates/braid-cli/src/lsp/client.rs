//! What the server says of its own accord, as far as the client understands it.

use super::view::{SHOW_STORY, VERIFY};
use super::wire;
use crate::formats::uri;
use lsp_server::{Notification, Request, RequestId};
use lsp_types::{
    ClientCapabilities, CodeLensOptions, ExecuteCommandOptions, MessageType, OneOf, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkDoneProgressOptions,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What the client can do.
#[derive(Clone, Copy, Default)]
pub struct Abilities {
    /// Does it show how work goes on?
    progress: bool,
    /// Does it open files that it is told to?
    pub show_document: bool,
    refresh_lenses: bool,
    refresh_hints: bool,
    /// Does it show places that belong to a diagnostic?
    pub related: bool,
}

impl Abilities {
    pub fn of(client: &ClientCapabilities) -> Abilities {
        let (window, workspace) = (&client.window, &client.workspace);
        let text = client.text_document.as_ref().and_then(|text| text.publish_diagnostics.as_ref());
        Abilities {
            progress: window.as_ref().and_then(|window| window.work_done_progress).unwrap_or_default(),
            show_document: (window.as_ref().and_then(|window| window.show_document.as_ref()))
                .is_some_and(|show| show.support),
            refresh_lenses: (workspace.as_ref().and_then(|has| has.code_lens.as_ref()))
                .and_then(|lens| lens.refresh_support)
                .unwrap_or_default(),
            refresh_hints: (workspace.as_ref().and_then(|has| has.inlay_hint.as_ref()))
                .and_then(|hint| hint.refresh_support)
                .unwrap_or_default(),
            related: text.and_then(|shown| shown.related_information).unwrap_or_default(),
        }
    }
}

/// The client.
#[derive(Default)]
pub struct Client {
    pub abilities: Abilities,
    /// The last number that was used, of a verification or of a request.
    last: u64,
    /// Where stories are kept that the client shows.
    stories: Option<PathBuf>,
}

impl Client {
    /// Has the client show a story, out of a folder that nobody else writes into.
    pub fn show(&mut self, path: &Path, text: &str) -> io::Result<()> {
        use std::os::unix::fs::DirBuilderExt;
        let folder = match self.stories.clone() {
            Some(folder) => folder,
            None => {
                let folder = std::env::temp_dir().join(format!("braid-lsp-{}", std::process::id()));
                fs::DirBuilder::new().mode(0o700).create(&folder)?;
                self.stories.insert(folder).clone()
            }
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let story = folder.join(format!("{name}.md"));
        fs::write(&story, text)?;
        self.ask("window/showDocument", json!({ "uri": uri::of_path(&story), "takeFocus": true }))
    }

    /// Takes away what was written for the client.
    pub fn forget(&mut self) {
        if let Some(folder) = self.stories.take() {
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// A number that was not used yet.
    pub fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn ask(&mut self, method: &str, params: Value) -> io::Result<()> {
        let id = RequestId::from(format!("braid/{}", self.number()));
        wire::send(Request { id, method: method.to_owned(), params })
    }

    /// Tells people that something is not as it should be.
    pub fn warn(&self, message: &str) {
        let told = json!({ "type": MessageType::WARNING, "message": message });
        // If the client is gone, the loop will notice.
        let _ = wire::send(Notification::new("window/showMessage".into(), told));
    }

    pub fn begin_progress(&mut self, number: u64, path: &Path) -> io::Result<()> {
        if !self.abilities.progress {
            return Ok(());
        }
        let token = format!("braid/{number}");
        self.ask("window/workDoneProgress/create", json!({ "token": token }))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let value = json!({ "kind": "begin", "title": format!("verifying {name}"), "cancellable": true });
        wire::send(Notification::new("$/progress".into(), json!({ "token": token, "value": value })))
    }

    pub fn end_progress(&self, number: u64, message: &str) -> io::Result<()> {
        if !self.abilities.progress {
            return Ok(());
        }
        let value = json!({ "kind": "end", "message": message });
        wire::send(Notification::new(
            "$/progress".into(),
            json!({ "token": format!("braid/{number}"), "value": value }),
        ))
    }

    /// Has the client ask again for what it shows.
    pub fn refresh(&mut self) -> io::Result<()> {
        let Abilities { refresh_lenses, refresh_hints, .. } = self.abilities;
        if refresh_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null)?;
        }
        if refresh_hints {
            self.ask("workspace/inlayHint/refresh", Value::Null)?;
        }
        Ok(())
    }
}

/// What the server does.
pub fn capabilities() -> ServerCapabilities {
    let save = TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) });
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            // What the changes are does not matter, only that there are some.
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(save),
            ..TextDocumentSyncOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![VERIFY.into(), SHOW_STORY.into()],
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        ..ServerCapabilities::default()
    }
}
