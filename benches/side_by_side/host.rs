//! What a step needs to know of a running server, whether or not events can be posted to it.

use std::net::SocketAddr;

use anyhow::Result;

use crate::process::CpuMark;
use crate::server::Server;

/// A running server, with all that works for it.
pub trait Host {
    fn address(&self) -> SocketAddr;
    fn cpu(&self) -> Result<CpuMark>;
    fn memory_bytes(&self) -> Result<u64>;
}

impl Host for Box<dyn Server> {
    fn address(&self) -> SocketAddr {
        self.as_ref().address()
    }

    fn cpu(&self) -> Result<CpuMark> {
        self.as_ref().cpu()
    }

    fn memory_bytes(&self) -> Result<u64> {
        self.as_ref().memory_bytes()
    }
}
