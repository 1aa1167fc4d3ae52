//! The language server, as a client sees it.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long the server may take to say something.
const PATIENCE: Duration = Duration::from_secs(60);

const RACY: &str = "\
#include <pthread.h>
int counter;
void *worker(void *unused) {
    counter++;
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    counter++;
    pthread_join(thread, NULL);
    return 0;
}
";

/// Has no proof within the time of a test.
const SLOW: &str = "\
#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned a, b, n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_lock(&m);
        a = a * a + b; b = b ^ (a * i);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    n = __VERIFIER_nondet_uint();
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a * b != 77777);
    return 0;
}
";

/// The same program with its second access after the join.
fn fixed() -> String {
    RACY.replace(
        "    counter++;\n    pthread_join(thread, NULL);\n",
        "    pthread_join(thread, NULL);\n    counter++;\n",
    )
}

/// A client that says what a test wants it to.
struct Client {
    server: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    folder: PathBuf,
    last: u64,
}

impl Client {
    /// A server in a folder of the test's own. It is not initialised.
    fn start(test: &str) -> Client {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp").join(test);
        fs::create_dir_all(&folder).expect("a folder for files");
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().expect("the binary runs");
        let to = server.stdin.take().expect("a pipe");
        let mut out = BufReader::new(server.stdout.take().expect("a pipe"));
        let (sender, from) = mpsc::channel();
        thread::spawn(move || {
            while let Some(message) = next(&mut out)
                && sender.send(message).is_ok()
            {}
        });
        Client { server, to, from, folder, last: 0 }
    }

    /// A server that is ready.
    fn ready(test: &str, options: Value) -> Client {
        let mut client = Client::start(test);
        let answer = client.ask(
            "initialize",
            json!({
                "processId": null,
                "rootUri": client.uri("").trim_end_matches('/'),
                "capabilities": {
                    "window": { "workDoneProgress": true },
                    "workspace": { "codeLens": { "refreshSupport": true } },
                    "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
                },
                "initializationOptions": options,
            }),
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], "braid");
        client.tell("initialized", json!({}));
        client
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.display())
    }

    fn raw(&mut self, text: &str) {
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.to.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.raw(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Asks, and waits for the answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.raw(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// The next message of some kind; others are dropped.
    fn wait(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let latest = Instant::now() + PATIENCE;
        loop {
            let left = latest.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left).expect("the server says what it should");
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// The next diagnostics of a file.
    fn diagnostics(&self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        let said = self
            .wait(|message| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri);
        said["params"]["diagnostics"].as_array().cloned().expect("a list")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file can be written");
    }

    fn open(&mut self, name: &str, text: &str) {
        self.write(name, text);
        let item = json!({ "uri": self.uri(name), "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }

    fn save(&mut self, name: &str, text: &str) {
        self.write(name, text);
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": self.uri(name) } }));
    }

    fn lenses(&mut self, name: &str) -> Vec<String> {
        let answer = self.ask("textDocument/codeLens", json!({ "textDocument": { "uri": self.uri(name) } }));
        let lenses = answer["result"].as_array().cloned().expect("a list");
        lenses.iter().filter_map(|lens| lens["command"]["title"].as_str()).map(str::to_owned).collect()
    }

    fn progress(&self, kind: &str) -> Value {
        let said = self.wait(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind);
        said["params"].clone()
    }

    /// Says goodbye, and checks that the server ends well.
    fn finish(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        assert_eq!(self.ask("textDocument/codeLens", json!({}))["error"]["code"], -32600);
        self.tell("exit", Value::Null);
        assert_eq!(self.server.wait().expect("it ends").code(), Some(0));
    }
}

/// A server does not outlive its test.
impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The next message of a stream.
fn next(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().ok()?,
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[test]
fn a_race_is_shown_and_goes_away() {
    let mut client = Client::ready("race", Value::Null);
    client.open("race.c", RACY);
    assert_eq!(client.progress("begin")["value"]["title"], "verifying race.c");
    let said = client.diagnostics("race.c");
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!((&said[0]["severity"], &said[0]["code"]), (&json!(1), &json!("no-data-race")));
    let mut lines = vec![&said[0]["range"]["start"]["line"]];
    lines.push(&said[0]["relatedInformation"][0]["location"]["range"]["start"]["line"]);
    lines.sort_by_key(|line| line.as_u64());
    assert_eq!(lines, [3, 9]);
    assert_eq!(client.lenses("race.c"), ["✗ data race", "▶ verify"]);
    let command = json!({ "command": "braid.showStory", "arguments": [client.uri("race.c")] });
    let story = client.ask("workspace/executeCommand", command);
    assert!(story["result"].as_str().is_some_and(|text| text.starts_with("# Data race\n")), "{story}");

    let changed = json!({ "textDocument": { "uri": client.uri("race.c"), "version": 2 }, "contentChanges": [] });
    client.tell("textDocument/didChange", changed);
    assert_eq!(client.lenses("race.c"), ["▶ verify"]);
    client.save("race.c", &fixed());
    assert_eq!(client.diagnostics("race.c"), Vec::<Value>::new());
    client.wait(|message| message["method"] == "workspace/codeLens/refresh");
    assert_eq!(client.lenses("race.c"), ["✓ safe", "▶ verify"]);
    client.finish();
}

#[test]
fn a_newer_text_ends_the_verification_of_an_older_one() {
    let mut client = Client::ready("newer", json!({ "timeout": 600, "jobs": 1 }));
    client.open("slow.c", SLOW);
    let first = client.progress("begin")["token"].clone();
    assert_eq!(client.lenses("slow.c"), ["… verifying"]);
    let start = Instant::now();
    client.save("slow.c", &fixed());
    assert_eq!(client.progress("end")["token"], first);
    assert_eq!(client.diagnostics("slow.c"), Vec::<Value>::new());
    assert_eq!(client.lenses("slow.c"), ["✓ safe", "▶ verify"]);
    assert!(start.elapsed() < Duration::from_secs(30), "the first verification goes on");

    // The user can end one, too.
    client.save("slow.c", SLOW);
    let token = client.progress("begin")["token"].clone();
    client.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(client.progress("end")["value"]["message"], "cancelled");
    assert_eq!(client.lenses("slow.c"), ["▶ verify"]);

    // One that goes on when the server ends does not keep it.
    client.save("slow.c", SLOW);
    client.progress("begin");
    client.finish();
}

#[test]
fn errors_of_inputs_are_diagnostics() {
    let mut client = Client::ready("errors", Value::Null);
    client.open("bad name.c", "int main(void) { int ü = ; }\n");
    let uri = client.uri("bad name.c");
    // The name of a file is not yet a URI.
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": "" } }),
    );
    let item = json!({ "uri": uri.replace(' ', "%20"), "languageId": "c", "version": 1, "text": "" });
    client.tell("textDocument/didOpen", json!({ "textDocument": item }));
    let said = client.diagnostics("bad%20name.c");
    assert_eq!(said[0]["range"]["start"], json!({ "line": 0, "character": 25 }), "{said:?}");
    client.open("claim.wvr", "{ x == 0 } x := 1; { x == 0 }\n");
    let said = client.diagnostics("claim.wvr");
    assert_eq!(said.len(), 1, "{said:?}");
    client.open("notes.txt", "int main");
    assert_eq!(client.lenses("notes.txt"), Vec::<String>::new());

    // A file that is gone, and one that is closed.
    client.open("race.c", RACY);
    assert_eq!(client.diagnostics("race.c").len(), 1);
    fs::remove_file(client.folder.join("race.c")).expect("it is there");
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": client.uri("race.c") } }));
    let said = client.diagnostics("race.c");
    assert!(said[0]["message"].as_str().is_some_and(|text| text.contains("no such file")), "{said:?}");
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": client.uri("race.c") } }));
    assert_eq!(client.diagnostics("race.c"), Vec::<Value>::new());
    client.finish();
}

#[test]
fn clients_that_are_wrong() {
    let mut client = Client::start("wrong");
    assert_eq!(client.ask("shutdown", Value::Null)["error"]["code"], -32002);
    client.raw("{no");
    assert_eq!(client.wait(|message| message["id"].is_null())["error"]["code"], -32700);
    client.raw("[1]");
    assert_eq!(client.wait(|message| message["id"].is_null())["error"]["code"], -32600);
    client.tell("textDocument/didOpen", json!(7));
    let answer = client.ask("initialize", json!({ "capabilities": {}, "initializationOptions": { "tiemout": 3 } }));
    assert!(answer["result"]["capabilities"].is_object(), "{answer}");
    assert_eq!(client.ask("initialize", json!({ "capabilities": {} }))["error"]["code"], -32600);
    assert_eq!(client.ask("textDocument/hover", json!({}))["error"]["code"], -32601);
    assert_eq!(client.ask("textDocument/codeLens", json!([]))["error"]["code"], -32602);
    for (command, arguments) in
        [("braid.verify", json!([])), ("braid.verify", json!(["untitled:1"])), ("hello", json!(["file:///a.c"]))]
    {
        let answer = client.ask("workspace/executeCommand", json!({ "command": command, "arguments": arguments }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let nothing = json!({ "command": "braid.showStory", "arguments": ["file:///a.c"] });
    assert_eq!(client.ask("workspace/executeCommand", nothing)["result"], Value::Null);
    client.tell("exit", Value::Null);
    assert_eq!(client.server.wait().expect("it ends").code(), Some(1));
}
