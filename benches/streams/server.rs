//! What the rows need from a server, whichever it is.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{CpuMark, Process};
use crate::publisher::Publisher;

/// Where a reader begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// With what is published from now on.
    Live,
    /// With the first event stored.
    Oldest,
}

/// A server over HTTP: where it listens, and how its requests are spelled.
pub trait Server {
    fn address(&self) -> SocketAddr;
    fn process(&self) -> &Process;
    /// CPU time of everything that works for it.
    fn cpu(&self) -> Result<CpuMark> {
        self.process().cpu()
    }
    /// Memory of the same.
    fn memory_bytes(&self) -> Result<u64> {
        self.process().memory_bytes()
    }
    /// The request that makes stream `stream` exist, where one is needed.
    fn create(&self, stream: usize) -> Option<Vec<u8>>;
    /// The request that publishes `body` to stream `stream`.
    fn publish(&self, stream: usize, body: &str) -> Vec<u8>;
    /// The request that opens stream `stream` as server-sent events.
    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8>;
}

/// A loopback address that was free a moment ago.
pub fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port")?;
    listener.local_addr().context("reading a port")
}

/// Whether `GET path` is answered with 200.
pub fn answers(address: SocketAddr, path: &str) -> bool {
    takes(address, format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
}

/// Whether a request is answered with 2xx.
pub fn takes(address: SocketAddr, request: &[u8]) -> bool {
    let Ok(socket) = std::net::TcpStream::connect(address) else { return false };
    Publisher::new(socket).call(request, &mut vec![0; 16 * 1_024]).is_ok()
}

/// A POST on a keep-alive connection.
pub fn post(address: SocketAddr, path: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// Makes `streams` streams, one after the other on one connection.
pub fn create_all(server: &dyn Server, streams: usize) -> Result<()> {
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    for stream in 0..streams {
        if let Some(request) = server.create(stream) {
            publisher.call(&request, &mut buffer).with_context(|| format!("creating stream {stream}"))?;
        }
    }
    Ok(())
}

/// A blocking connection for setting up.
pub fn setup_connection(address: SocketAddr) -> Result<Publisher> {
    let socket = std::net::TcpStream::connect(address).with_context(|| format!("connecting to {address}"))?;
    socket.set_nodelay(true).context("setting TCP_NODELAY")?;
    Ok(Publisher::new(socket))
}

/// `name` in `directory`, created.
pub fn subdirectory(directory: &Path, name: &str) -> Result<PathBuf> {
    let path = directory.join(name);
    std::fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
    Ok(path)
}
