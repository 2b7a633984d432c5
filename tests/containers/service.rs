//! The program as a process, with the variables that a container would have.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A running service; killed at the end of the test.
pub struct Service {
    child: Child,
    /// Where it listens.
    pub address: String,
}

/// Without what the machine's own environment says about the service.
pub fn clean(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command
}

/// The program with the configuration for production.
pub fn production(variables: &[(String, String)]) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_tributary"));
    command.arg("--config").arg(super::root().join("config/production.toml"));
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

impl Service {
    /// Starts `command` and waits until it listens.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let (mut line, mut said) = (String::new(), String::new());
        let address = loop {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended: {said}");
            said.push_str(&line);
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            if entry["message"] == "listening" {
                break entry["address"].as_str().unwrap().to_owned();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::stderr()));
        Self { child, address }
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as an orchestrator does.
    pub fn stop(&mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", "TERM", &id]).status().unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }

    /// The head and the body of an answer.
    pub fn ask(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\n{key}content-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The status of an answer.
    pub fn status(&self, method: &str, path: &str, key: Option<&str>, body: &str) -> u16 {
        let answer = self.ask(method, path, key, body);
        answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{answer}"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A variable.
pub fn variable(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

/// What lets anybody sign in, and keeps everything in the process.
pub fn signed_in_and_alone() -> Vec<(String, String)> {
    vec![
        variable("TRIBUTARY_AUTH__JWT_SECRET", "0123456789abcdef0123456789abcdef"),
        variable("TRIBUTARY_CACHE__BACKEND", "memory"),
    ]
}
