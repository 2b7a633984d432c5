//! The service as a process of its own, and the plainest of HTTP clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A running service; killed at the end of a test.
pub struct Service {
    child: Child,
    address: String,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// The program, untouched by this process's settings.
pub fn tributary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

impl Service {
    /// Starts it on a free port; `settings` are variables of its environment, without `TRIBUTARY_`.
    pub fn start(settings: &[(&str, &str)]) -> Self {
        let mut command = tributary(&["--listen", "127.0.0.1:0"]);
        command.envs(settings.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = log.find_map(|line| {
            let entry: Value = serde_json::from_str(&line.unwrap()).unwrap();
            Some(entry["address"].as_str()?.to_owned())
        });
        // Read on, or the service would wait for its log to be taken.
        std::thread::spawn(move || log.for_each(drop));
        Self { child, address: address.unwrap() }
    }

    /// A connection that asks nothing.
    pub fn hold(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// Asks once, and reads the answer to its end.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(&[request.as_bytes(), body].concat()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Answer::read(&answer)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a whole head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let mut answer =
            Self { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = joined(&answer.body);
        }
        answer
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The media type, without parameters.
    pub fn media(&self) -> Option<&str> {
        self.header("content-type").map(|value| value.split(';').next().unwrap_or(value))
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// The chunks of a body, joined (RFC 9112, 7.1).
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let line = rest.windows(2).position(|two| two == b"\r\n").expect("a chunk's size");
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&rest[line + 2..line + 2 + size]);
        rest = &rest[line + 2 + size + 2..];
    }
}
