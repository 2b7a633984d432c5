//! A caller that sees the bytes: HTTP/1.1 over a plain socket, one request a connection.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tributary::simulate::Simulator;

/// Whatever takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    /// Without the chunks' lengths.
    pub body: Vec<u8>,
    /// Whether the body came to its proper end.
    pub complete: bool,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// An answer that is still coming.
pub struct Open {
    stream: TcpStream,
    seen: Vec<u8>,
}

impl Open {
    pub async fn begin(addr: SocketAddr, method: &str, path: &str, headers: &str, body: &str) -> Self {
        let mut stream = TcpStream::connect(addr).await.unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        Self { stream, seen: Vec::with_capacity(64 << 10) }
    }

    /// Reads until `part` has come.
    pub async fn until(&mut self, part: &str) -> String {
        let reading = async {
            while !String::from_utf8_lossy(&self.seen).contains(part) {
                let more = self.stream.read_buf(&mut self.seen).await.unwrap();
                assert!(more > 0, "it ended before {part:?}: {}", String::from_utf8_lossy(&self.seen));
            }
        };
        timeout(PATIENCE, reading).await.unwrap_or_else(|_| panic!("{part:?} doesn't come"));
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    /// Whether the connection stays silent for that long.
    pub async fn is_silent_for(&mut self, while_: Duration) -> bool {
        timeout(while_, self.stream.read_buf(&mut self.seen)).await.is_err()
    }

    /// Reads to the end of the connection.
    pub async fn finish(mut self) -> Answer {
        let read = timeout(PATIENCE, self.stream.read_to_end(&mut self.seen)).await;
        read.expect("the answer ends").unwrap();
        parse(&self.seen)
    }
}

/// A whole call.
pub async fn call(simulator: &Simulator, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    Open::begin(simulator.addr, method, path, headers, body).await.finish().await
}

/// A call of a subagent with a simple question.
pub async fn ask(simulator: &Simulator, path: &str) -> Answer {
    call(simulator, "POST", path, "content-type: application/json\r\n", r#"{"query": "why?"}"#).await
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|at| at == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let rest = &bytes[end + 4..];
    let status = head[9..12].parse().unwrap();
    let mut answer = Answer { status, head, body: rest.to_vec(), complete: true };
    if answer.header("transfer-encoding") == Some("chunked") {
        (answer.body, answer.complete) = unchunked(rest);
    } else if let Some(length) = answer.header("content-length") {
        answer.complete = length.parse() == Ok(rest.len());
    }
    answer
}

/// The data, and whether the last chunk came. A torn chunk gives what there is of it.
fn unchunked(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(line) = rest.windows(2).position(|at| at == b"\r\n") else { return (body, false) };
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        let data = &rest[line + 2..];
        if length == 0 {
            return (body, data == b"\r\n");
        }
        if data.len() < length + 2 {
            body.extend_from_slice(&data[..length.min(data.len())]);
            return (body, false);
        }
        body.extend_from_slice(&data[..length]);
        rest = &data[length + 2..];
    }
}
