//! LangGraph's server for JavaScript, in memory, as its command line starts it for development but without a watcher.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result};

use crate::host::Host;
use crate::peers::{DATA, node};
use crate::process::{CpuMark, Process};
use crate::server::{answers, free_address, subdirectory};

/// A running `langgraph.mjs`.
pub struct LangGraph {
    pub address: SocketAddr,
    process: Process,
}

impl LangGraph {
    /// With so many runs at a time.
    pub fn start(packages: &Path, workers: usize, directory: &Path) -> Result<Self> {
        let address = free_address()?;
        // It keeps a copy of its state there, which the next one must not find.
        let own = subdirectory(directory, &format!("{DATA}/langgraph-{:x}", fastrand::u64(..)))?;
        let mut command = node::command(packages, "langgraph.mjs", address);
        command.env("WORKERS", workers.to_string()).env("DIRECTORY", own).env("LOG_LEVEL", "error");
        let mut process = Process::spawn(&mut command, &directory.join("langgraph.log"))?;
        process.until(|| answers(address, "/ok")).context("starting LangGraph's server")?;
        Ok(Self { address, process })
    }
}

impl Host for LangGraph {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn cpu(&self) -> Result<CpuMark> {
        self.process.cpu()
    }

    fn memory_bytes(&self) -> Result<u64> {
        self.process.memory_bytes()
    }
}
