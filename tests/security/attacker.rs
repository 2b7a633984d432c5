//! A subagent that answers with what it was told to, byte by byte.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{Setup, TestApp};

/// An answer: what it begins with, and what comes again and again behind that until the service hangs up.
pub struct Attack {
    pub name: String,
    pub protocol: &'static str,
    begin: Vec<u8>,
    again: Vec<u8>,
    /// How it may fail.
    pub codes: &'static [&'static str],
}

pub fn attack(
    name: impl Into<String>,
    protocol: &'static str,
    begin: impl Into<Vec<u8>>,
    again: impl Into<Vec<u8>>,
    codes: &'static [&'static str],
) -> Attack {
    Attack { name: name.into(), protocol, begin: begin.into(), again: again.into(), codes }
}

/// Answers the request for `/<number>` as the attack of that number does.
pub async fn attacker(attacks: Arc<Vec<Attack>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(answer(socket, attacks.clone()));
        }
    });
    address
}

/// Ends when the service hangs up, which is an error here. What is left of a request, its body, isn't one.
async fn answer(mut socket: TcpStream, attacks: Arc<Vec<Attack>>) -> std::io::Result<()> {
    let mut read = vec![0; 4096];
    loop {
        let length = socket.read(&mut read).await?;
        let request = String::from_utf8_lossy(&read[..length]);
        let path = request.strip_prefix("POST /").and_then(|rest| rest.split(' ').next());
        if let Some(number) = path.and_then(|path| path.parse::<usize>().ok()) {
            let Attack { begin, again, .. } = &attacks[number];
            socket.write_all(begin).await?;
            let again = again.repeat((16 << 10) / again.len().max(1));
            while !again.is_empty() {
                socket.write_all(&again).await?;
            }
        }
        if length == 0 {
            return Ok(());
        }
    }
}

/// A service that may call it.
pub fn calling(address: SocketAddr) -> Setup {
    TestApp::new().env("INVOKE__ALLOWED_HOSTS", address).env("INVOKE__ALLOW_PRIVATE", true)
}

/// The head of a success, with these headers.
pub fn ok(headers: &str) -> String {
    format!("HTTP/1.1 200 OK\r\n{headers}\r\n")
}

/// `body` in one chunk.
pub fn chunk(body: &str) -> String {
    format!("{:x}\r\n{body}\r\n", body.len())
}
