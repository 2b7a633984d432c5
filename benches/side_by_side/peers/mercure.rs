//! Mercure: a hub for server-sent events, in Go, as a module of the web server Caddy. Its history is one file of Bolt for all topics.
//!
//! Bolt waits for the disk with each event, which no other peer does: its file is on `/dev/shm`, so that waiting costs nothing.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::json;
use url::form_urlencoded;

use crate::peers::given::Program;
use crate::process::Process;
use crate::server::{Begin, Server, answers, free_address, subdirectory};
use crate::step::dialect::get;

/// How it is found.
pub const PROGRAM: Program = Program {
    name: "mercure",
    variable: "BENCH_MERCURE",
    releases: "https://github.com/dunglas/mercure/releases",
};

/// What signs a publisher's token.
const KEY: &str = "side-by-side-side-by-side-side-by-side";

/// Events that it keeps, of all topics together. It looks for a reader's last id in so many from the oldest on and no further:
/// with more, who comes again would lose what it missed, and who wants everything would wait for longer.
const SIZE: usize = 10_000;

/// Where files are in memory, on Linux.
const MEMORY: &str = "/dev/shm";

/// A running `mercure`.
pub struct Mercure {
    address: SocketAddr,
    token: String,
    process: Process,
    _history: History,
}

/// A folder that goes with its server.
struct History(PathBuf);

impl Drop for History {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Mercure {
    pub fn start(binary: &Path, directory: &Path) -> Result<Self> {
        let (address, own) = (free_address()?, subdirectory(directory, "mercure")?);
        let folder = format!("side-by-side-mercure-{:x}", fastrand::u64(..));
        let history = History(subdirectory(Path::new(MEMORY), &folder)?);
        let file = own.join("Caddyfile");
        fs::write(&file, configuration(address, &history.0)).context("writing a Caddyfile")?;
        let mut command = Command::new(binary);
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file).current_dir(&own);
        // Caddy keeps files of its own in the user's folders.
        command.env("XDG_CONFIG_HOME", &own).env("XDG_DATA_HOME", &own);
        let mut process = Process::spawn(&mut command, &own.join("mercure.log"))?;
        process.until(|| answers(address, "/healthz")).context("starting mercure")?;
        Ok(Self { address, token: token()?, process, _history: history })
    }
}

/// Plain HTTP, nobody asked who he is but the publisher, no log of requests, no deadline for a reader. Without a frequency nothing
/// is ever removed from the history.
fn configuration(address: SocketAddr, history: &Path) -> String {
    let (port, path) = (address.port(), history.join("history.db"));
    format!(
        r"{{
	admin off
	persist_config off
	auto_https off
	log {{
		level ERROR
	}}
}}
http://127.0.0.1:{port} {{
	bind 127.0.0.1
	mercure {{
		publisher_jwt {KEY}
		anonymous
		transport bolt {{
			path {path}
			size {SIZE}
			cleanup_frequency 0.3
		}}
		write_timeout 0s
		dispatch_timeout 0s
	}}
	respond /healthz 200
}}
",
        path = path.display()
    )
}

/// A token that may publish to every topic.
pub fn token() -> Result<String> {
    let claims = json!({ "mercure": { "publish": ["*"] } });
    encode(&Header::default(), &claims, &EncodingKey::from_secret(KEY.as_bytes())).context("signing a token")
}

/// The request that publishes an event.
pub fn publication(address: SocketAddr, token: &str, topic: &str, data: &str) -> Vec<u8> {
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("topic", topic)
        .append_pair("data", data)
        .finish();
    let length = body.len();
    format!(
        "POST /.well-known/mercure HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// What a topic's readers ask for.
pub fn path(topic: &str) -> String {
    format!("/.well-known/mercure?topic={topic}")
}

/// The id of what was before the first event.
pub const EARLIEST: &str = "earliest";

impl Server for Mercure {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    /// A topic is a word that publishers and readers agree on.
    fn create(&self, _stream: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        publication(self.address, &self.token, &format!("s{stream}"), body)
    }

    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        let id = (begin == Begin::Oldest).then_some(EARLIEST);
        get(self.address, &path(&format!("s{stream}")), id)
    }
}
