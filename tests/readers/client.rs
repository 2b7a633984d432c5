//! The readers: other people's programs, started as processes. Each says what it gets as `{event, id, data}`, and
//! `closed` when the service has told it that there is no more.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde_json::{Value, json};

use crate::cut_line::CutLine;

/// A reader at work. Its processes end with it.
pub struct Client {
    /// What it says, as it says it.
    pub said: Receiver<Value>,
    process: Option<Process>,
}

impl Client {
    /// npm's `eventsource` in Node.
    pub fn eventsource(line: &CutLine, path: &str) -> Self {
        Self::node("eventsource.mjs", "eventsource", line, path)
    }

    /// npm's `eventsource-client`.
    pub fn eventsource_client(line: &CutLine, path: &str) -> Self {
        Self::node("eventsource_client.mjs", "eventsource-client", line, path)
    }

    /// npm's `@microsoft/fetch-event-source`.
    pub fn fetch_event_source(line: &CutLine, path: &str) -> Self {
        Self::node("fetch_event_source.mjs", "@microsoft/fetch-event-source", line, path)
    }

    fn node(script: &str, package: &str, line: &CutLine, path: &str) -> Self {
        installed(&format!("node_modules/{package}"));
        let mut command = Command::new("node");
        command.args([clients(script), line.url(path).into(), installed("node_modules/..")]);
        Self::talking(command)
    }

    /// httpx-sse in Python.
    pub fn python(line: &CutLine, path: &str) -> Self {
        let mut command = Command::new(installed("venv/bin/python"));
        command.args([clients("httpx_sse_client.py"), line.url(path).into()]);
        Self::talking(command)
    }

    /// Chromium's own `EventSource`, in a page that `line` serves.
    pub fn chromium(line: &CutLine, path: &str) -> Self {
        let profile =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{}", line.address.port()));
        let _ = std::fs::remove_dir_all(&profile);
        let mut command = Command::new("chromium");
        // As root, without a screen, and without a word to any other host.
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
        command.args(["--disable-dev-shm-usage", "--disable-extensions"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.arg(line.url(&format!("/page?stream={path}"))).stdout(Stdio::null()).stderr(Stdio::null());
        let said = line.page_says();
        let mut process = Process::start(command);
        process.profile = Some(profile);
        Self { said, process: Some(process) }
    }

    /// curl, which is started again with `Last-Event-ID` whenever its stream ends.
    pub fn curl(line: &CutLine, path: &str) -> Self {
        let (say, said) = mpsc::channel();
        let url = line.url(path);
        thread::spawn(move || {
            let mut last = String::new();
            // Far more often than a test cuts the line, but not for ever.
            let _ended = (0..200).any(|_| !curl_once(&url, &mut last, &say));
        });
        Self { said, process: None }
    }

    fn talking(mut command: Command) -> Self {
        command.stdout(Stdio::piped());
        let mut process = Process::start(command);
        let output = process.output();
        let (say, said) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if say.send(serde_json::from_str(&line).unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { said, process: Some(process) }
    }

    /// Waits for the process to end by itself, and well. A browser doesn't.
    pub fn ends(mut self) {
        if let Some(process) = self.process.as_mut().filter(|process| process.profile.is_none()) {
            assert!(process.child.wait().unwrap().success());
        }
    }
}

/// What curl prints for one request.
pub fn curl(arguments: &[&str]) -> std::process::Output {
    curl_command(arguments).output().unwrap_or_else(|error| panic!("curl: {error}; {ADVICE}"))
}

fn curl_command(arguments: &[&str]) -> Command {
    let mut command = Command::new("curl");
    command.args(["--no-buffer", "--silent", "--show-error", "--noproxy", "*", "--max-time", "60"]);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// One connection; whether there is more to come.
fn curl_once(url: &str, last: &mut String, say: &Sender<Value>) -> bool {
    let header = format!("last-event-id: {last}");
    let accept = ["--header", "accept: text/event-stream", "--write-out", "%{stderr}%{http_code}"];
    let mut command = curl_command(&accept);
    if !last.is_empty() {
        command.args(["--header", &header]);
    }
    command.arg(url).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Process::start(command);
    let output = process.output();
    for event in events(BufReader::new(output)) {
        if let Some(id) = event["id"].as_str().filter(|id| !id.is_empty()) {
            id.clone_into(last);
        }
        if say.send(event).is_err() {
            return false;
        }
    }
    let mut told = String::new();
    process.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    if !told.ends_with("204") {
        return true;
    }
    let _ = say.send(json!({"event": "closed", "id": "", "data": {"status": 204}}));
    false
}

/// The whole events of an event stream (WHATWG HTML, section 9.2; the parts that the service uses).
pub fn events(stream: impl BufRead) -> impl Iterator<Item = Value> {
    let (mut event, mut id, mut data) = (String::new(), String::new(), String::new());
    stream.lines().map_while(Result::ok).filter_map(move |line| {
        if let Some((field, value)) = line.split_once(": ") {
            match field {
                "event" => value.clone_into(&mut event),
                "id" => value.clone_into(&mut id),
                "data" => value.clone_into(&mut data),
                "retry" => {}
                other => panic!("a line of the stream begins with {other}"),
            }
            return None;
        }
        assert_eq!(line, "", "neither a field nor the end of an event");
        let data = std::mem::take(&mut data);
        (!data.is_empty())
            .then(|| json!({"event": event, "id": id, "data": serde_json::from_str::<Value>(&data).unwrap()}))
    })
}

struct Process {
    child: Child,
    profile: Option<PathBuf>,
}

impl Process {
    /// In a group of its own, so that what it starts ends with it.
    fn start(mut command: Command) -> Self {
        let started = command.stdin(Stdio::null()).process_group(0).spawn();
        let child = started.unwrap_or_else(|error| panic!("{:?}: {error}; {ADVICE}", command.get_program()));
        Self { child, profile: None }
    }

    fn output(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        if matches!(self.child.try_wait(), Ok(None)) || self.profile.is_some() {
            let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.wait();
        if let Some(profile) = &self.profile {
            let _ = std::fs::remove_dir_all(profile);
        }
    }
}

const ADVICE: &str = "run scripts/test, which installs what the readers need";

fn clients(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/readers/clients").join(name)
}

/// What scripts/test has put under the target directory.
pub fn installed(name: &str) -> PathBuf {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("..");
    let path = target.join("readers").join(name);
    assert!(path.exists(), "{} is missing; {ADVICE}", path.display());
    path
}
