//! The program itself as a process, and the calls that a planner and its subagents make.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::DEADLINE;

/// A running service; killed at the end of the test.
pub struct Service {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Service {
    /// Starts the program on a free port. Readers are asked to come back at once.
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// The same, with these variables.
    pub fn with(variables: &[(&str, &Path)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command.envs(variables.iter().copied());
        command.env("TRIBUTARY_STREAMING__RETRY_MS", "50").args(["--listen", "127.0.0.1:0"]);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let listening: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("it said: {line}"));
        let address = listening["address"].as_str().unwrap().parse().unwrap();
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::stderr()));
        Self { child, address }
    }

    /// Makes a call; the answer is a success.
    fn call(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 2"), "{method} {path}: {answer}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{method} {path}: {error}: {answer}"))
    }

    /// Posts a directive that expects two subagents.
    pub fn begin_step(&self) -> Step<'_> {
        let expected =
            json!([{"key": "writer", "result_key": "text"}, {"key": "documentation", "result_key": "doc"}]);
        let directive = json!({"plan_step_id": "step", "expected_subagents": expected});
        self.call("POST", "/planner/sessions/readers/steps", &directive.to_string());
        Step { service: self, partials: 0 }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a line of an event stream could break at, and what a cut could fall into: line ends of every kind, characters of
/// several bytes.
const DIFFICULT: &str = "a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}: 😀 data: é\n\nid: 1\n\n\u{feff}";

/// A step to which the test publishes.
pub struct Step<'a> {
    service: &'a Service,
    partials: usize,
}

impl Step<'_> {
    /// The stream of the step.
    pub const EVENTS: &'static str = "/planner/sessions/readers/steps/step/events";

    /// The writer says more, `count` times.
    pub fn publish(&mut self, count: usize) {
        let begin = self.partials;
        self.partials += count;
        let partial = |n| json!({"status": "partial", "payload": {"text": format!("{n} {DIFFICULT}")}});
        let events: Vec<Value> = (begin..self.partials).map(partial).collect();
        self.post("writer", &Value::from(events));
    }

    /// Both subagents end; so does the step. One of the events is larger than any buffer on the way.
    pub fn finish(&mut self) {
        self.post("writer", &json!({"status": "success", "payload": {"text": "x".repeat(300_000)}}));
        self.post("documentation", &json!({"status": "error", "error": {"code": "x", "message": DIFFICULT}}));
    }

    fn post(&self, subagent: &str, events: &Value) {
        let path = format!("/planner/sessions/readers/steps/step/subagents/{subagent}/events");
        self.service.call("POST", &path, &events.to_string());
    }

    /// Every event so far, as a page has them.
    pub fn events(&self) -> Vec<Value> {
        let page = self.service.call("GET", &format!("{}?limit=5000", Self::EVENTS), "");
        page["events"].as_array().unwrap().clone()
    }
}
