//! A small Node server around npm's `resumable-stream`, with the Redis that it needs: what a team writes for itself.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result};

use crate::peers::node;
use crate::process::Process;
use crate::redis::Redis;
use crate::server::{Begin, Server, answers, free_address, post};

/// A running `resumable_stream.mjs`.
pub struct ResumableStream {
    address: SocketAddr,
    process: Process,
}

impl ResumableStream {
    pub fn start(packages: &Path, redis: &Redis, directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let mut command = node::command(packages, "resumable_stream.mjs", address);
        command.env("REDIS_URL", redis.url());
        let mut process = Process::spawn(&mut command, &directory.join("resumable-stream.log"))?;
        process.until(|| answers(address, "/")).context("starting resumable_stream.mjs")?;
        Ok(Self { address, process })
    }
}

impl Server for ResumableStream {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    fn create(&self, stream: usize) -> Option<Vec<u8>> {
        Some(post(self.address, &format!("/streams/{stream}"), "text/plain", ""))
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        post(self.address, &format!("/streams/{stream}/events"), "application/json", body)
    }

    /// The same for both: nothing is published before a live reader comes.
    fn subscribe(&self, stream: usize, _begin: Begin) -> Vec<u8> {
        let address = self.address;
        format!("GET /streams/{stream} HTTP/1.1\r\nhost: {address}\r\n\r\n").into_bytes()
    }
}
