//! Subagents to call: `tributary simulate` in a process of its own, and what it says of its calls.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::Process;
use crate::server::{answers, free_address};

/// A running simulator.
pub struct Simulator {
    pub address: SocketAddr,
    _process: Process,
}

impl Simulator {
    pub fn start(binary: &Path, directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let mut command = Command::new(binary);
        command.args(["simulate", "--listen", &address.to_string()]).current_dir(directory);
        let mut process = Process::spawn(&mut command, &directory.join("simulator.log"))?;
        process.until(|| answers(address, "/_calls")).context("starting the simulator")?;
        Ok(Self { address, _process: process })
    }

    /// What it says of its calls: see docs/simulator.md.
    pub fn calls(&self) -> Result<Value> {
        let mut socket = TcpStream::connect(self.address).context("asking the simulator")?;
        let request = format!("GET /_calls HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address);
        socket.write_all(request.as_bytes()).context("asking the simulator")?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).context("reading the simulator's calls")?;
        let (_, body) = answer.split_once("\r\n\r\n").context("an answer without a body")?;
        // Chunked or not: the document is what stands between the first and the last brace.
        let (from, to) = (body.find('{').context("no document")?, body.rfind('}').context("no document")?);
        serde_json::from_str(&body[from..=to]).context("reading the simulator's calls")
    }
}
