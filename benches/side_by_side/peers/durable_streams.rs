//! Electric's Durable Streams server: an append-only log over HTTP, in Rust, on a reactor of its own.
//!
//! It keeps streams in files. `--durability memory` lets it acknowledge once a write is in the page cache, which is the
//! setting to hold against servers that keep everything in memory.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::peers::DATA;
use crate::process::Process;
use crate::server::{Begin, Server, free_address, post, subdirectory, takes};

/// A running `durable-streams-server`.
pub struct DurableStreams {
    address: SocketAddr,
    process: Process,
}

impl DurableStreams {
    pub fn start(binary: &Path, directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let data = subdirectory(directory, &format!("{DATA}/durable-streams-{:x}", fastrand::u64(..)))?;
        let mut command = Command::new(binary);
        command.args(["--host", "127.0.0.1", "--port", &address.port().to_string()]);
        command.args(["--durability", "memory", "--data-dir"]).arg(&data);
        let mut process = Process::spawn(&mut command, &directory.join("durable-streams.log"))?;
        let ready = || takes(address, &put(address, "/ready"));
        process.until(ready).context("starting durable-streams-server")?;
        Ok(Self { address, process })
    }
}

/// The request that makes a stream of JSON.
pub fn put(address: SocketAddr, path: &str) -> Vec<u8> {
    format!(
        "PUT {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n"
    )
    .into_bytes()
}

impl Server for DurableStreams {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    fn create(&self, stream: usize) -> Option<Vec<u8>> {
        Some(put(self.address, &format!("/{stream}")))
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        post(self.address, &format!("/{stream}"), "application/json", body)
    }

    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        let offset = if begin == Begin::Live { "now" } else { "-1" };
        let address = self.address;
        format!("GET /{stream}?offset={offset}&live=sse HTTP/1.1\r\nhost: {address}\r\n\r\n").into_bytes()
    }
}
