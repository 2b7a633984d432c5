//! A private Redis: a real process on a free port of 127.0.0.1, ended when its test is over.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::net::TcpSocket;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server.
pub struct RedisServer {
    child: Child,
    pub port: u16,
    folder: PathBuf,
    arguments: Vec<String>,
}

impl RedisServer {
    /// Starts one that keeps nothing on disk.
    pub fn start() -> Self {
        Self::start_with(&["--save", "", "--appendonly", "no"])
    }

    /// Starts one with these settings.
    pub fn start_with(arguments: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!(
            "tributary-redis-{}-{}",
            std::process::id(),
            fastrand::u64(..)
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        // Another process may take the port first: then the next one is tried.
        for _ in 0..20 {
            let port = free_port();
            let mut child = spawn(port, &folder, &arguments);
            if answers(port, &mut child) {
                return Self { child, port, folder, arguments };
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("no redis-server could be started (Debian: redis-server)");
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Runs a command in its plain form; gives the first line of the answer.
    pub fn command(&self, words: &[&str]) -> String {
        command(self.port, words).unwrap()
    }

    /// The same; `None` where nobody answers.
    pub fn try_command(&self, words: &[&str]) -> Option<String> {
        command(self.port, words).ok()
    }

    /// Runs a command that answers `OK`.
    pub fn expect_ok(&self, words: &[&str]) {
        assert_eq!(self.command(words), "+OK", "{words:?}");
    }

    /// A whole answer as it came over the line, until the server says nothing more: for comparing.
    pub fn raw(&self, words: &[&str]) -> Vec<u8> {
        let mut stream = connect(self.port, words).unwrap();
        stream.write_all(b"*1\r\n$4\r\nQUIT\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    /// The text that a command answers with, such as `INFO`.
    pub fn text(&self, words: &[&str]) -> String {
        let mut stream = connect(self.port, words).unwrap();
        let length = read_line(&mut stream).unwrap();
        let length: usize = length.strip_prefix('$').unwrap_or_else(|| panic!("{length}")).parse().unwrap();
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Sends the process a signal, such as `STOP` or `CONT`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Ends it at once, as `kill -9` does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again on the same port, with what is in its folder.
    pub fn restart(&mut self) {
        self.begin_restart();
        assert!(answers(self.port, &mut self.child), "redis-server doesn't come back on port {}", self.port);
    }

    /// The same, without waiting until it answers.
    pub fn begin_restart(&mut self) {
        self.child = spawn(self.port, &self.folder, &self.arguments);
    }

    /// Its folder.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn spawn(port: u16, folder: &std::path::Path, arguments: &[String]) -> Child {
    let port = port.to_string();
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--port", &port, "--daemonize", "no", "--dir"]).arg(folder);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("redis-server is installed (Debian: redis-server)")
}

/// A port that nobody else is handed while this process lives: it stays bound, though nobody listens, and a server that allows
/// the reuse of addresses (all that tests start do) may listen on it.
pub fn free_port() -> u16 {
    let holder = TcpSocket::new_v4().unwrap();
    holder.set_reuseaddr(true).unwrap();
    holder.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let port = holder.local_addr().unwrap().port();
    std::mem::forget(holder);
    port
}

fn answers(port: u16, child: &mut Child) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if command(port, &["PING"]).is_ok_and(|answer| answer == "+PONG" || answer.starts_with("-NOAUTH")) {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

fn command(port: u16, words: &[&str]) -> std::io::Result<String> {
    read_line(&mut connect(port, words)?)
}

fn connect(port: u16, words: &[&str]) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut request = format!("*{}\r\n", words.len());
    for word in words {
        request.push_str(&format!("${}\r\n{word}\r\n", word.len()));
    }
    stream.write_all(request.as_bytes())?;
    Ok(stream)
}

/// Byte by byte, as what follows is somebody else's; it goes on where a process that was stopped was interrupted in it.
fn read_line(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut line = Vec::new();
    BufReader::with_capacity(1, stream).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}
