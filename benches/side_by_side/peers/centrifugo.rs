//! Centrifugo: channels with history over WebSocket and server-sent events, in Go. Readers use its `uni_sse`, which a browser's
//! `EventSource` can read; events come over its HTTP API.
//!
//! A reader's place is an offset in a channel's epoch, sent along in the request: there are no ids of events. Offset 0 without an
//! epoch is the beginning.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::peers::given::Program;
use crate::process::Process;
use crate::redis::Redis;
use crate::server::{Begin, Server, answers, free_address, subdirectory};

/// How it is found.
pub const PROGRAM: Program = Program {
    name: "centrifugo",
    variable: "BENCH_CENTRIFUGO",
    releases: "https://github.com/centrifugal/centrifugo/releases",
};

/// What a publisher shows.
const KEY: &str = "side-by-side";

/// A running `centrifugo`.
pub struct Centrifugo {
    address: SocketAddr,
    process: Process,
}

impl Centrifugo {
    /// In memory, or with a Redis as its engine.
    pub fn start(binary: &Path, redis: Option<&Redis>, directory: &Path) -> Result<Self> {
        let (address, own) = (free_address()?, subdirectory(directory, "centrifugo")?);
        let file = own.join("config.json");
        fs::write(&file, configuration(address, redis).to_string()).context("writing Centrifugo's config")?;
        let mut command = Command::new(binary);
        command.arg("--config").arg(&file).current_dir(&own);
        let mut process = Process::spawn(&mut command, &own.join("centrifugo.log"))?;
        process.until(|| answers(address, "/health")).context("starting centrifugo")?;
        Ok(Self { address, process })
    }
}

/// History and recovery for every channel, nobody asked who he is but the publisher, limits out of the way; it tells nobody
/// that it runs. `error_mode`: a refusal is otherwise a 200.
fn configuration(address: SocketAddr, redis: Option<&Redis>) -> Value {
    let engine = redis.map_or_else(
        || json!({ "type": "memory" }),
        |redis| json!({ "type": "redis", "redis": { "address": [redis.url()] } }),
    );
    json!({
        "http_server": { "address": address.ip().to_string(), "port": address.port() },
        "engine": engine,
        "log": { "level": "error" },
        "usage_stats": { "disabled": true },
        "health": { "enabled": true },
        "http_api": { "key": KEY, "error_mode": "transport" },
        "uni_sse": { "enabled": true },
        "client": {
            "allow_anonymous_connect_without_token": true,
            "queue_max_size": 67_108_864,
            "recovery_max_publication_limit": 10_000,
        },
        "channel": { "without_namespace": {
            "history_size": 10_000,
            "history_ttl": "1h",
            "force_recovery": true,
            "allow_subscribe_for_client": true,
            "allow_subscribe_for_anonymous": true,
        } },
    })
}

/// The request that publishes an event.
pub fn publication(address: SocketAddr, channel: &str, data: &str) -> Vec<u8> {
    let body = format!(r#"{{"channel":"{channel}","data":{data}}}"#);
    let length = body.len();
    format!(
        "POST /api/publish HTTP/1.1\r\nhost: {address}\r\nx-api-key: {KEY}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The request that reads a channel; `recovery` is what the reader says of its place, `{}` for what comes from now on.
pub fn subscription(address: SocketAddr, channel: &str, recovery: &Value) -> Vec<u8> {
    let connect = json!({ "subs": { channel: recovery } }).to_string();
    let connect = utf8_percent_encode(&connect, NON_ALPHANUMERIC);
    format!(
        "GET /connection/uni_sse?cf_connect={connect} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n"
    )
    .into_bytes()
}

/// The place before a channel's first event.
pub fn oldest() -> Value {
    json!({ "recover": true, "offset": 0 })
}

impl Server for Centrifugo {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    /// A channel exists from its first message or reader on.
    fn create(&self, _stream: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        publication(self.address, &format!("s{stream}"), body)
    }

    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        let recovery = if begin == Begin::Live { json!({}) } else { oldest() };
        subscription(self.address, &format!("s{stream}"), &recovery)
    }
}
