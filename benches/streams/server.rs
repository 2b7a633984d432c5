//! What the rows need from a server, whichever it is.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::nchan::Nchan;
use crate::process::{CpuMark, Process};
use crate::publisher::Publisher;
use crate::redis::{Redis, WithRedis};
use crate::tributary::Tributary;

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
    /// The request that makes stream `stream` exist, where one is needed.
    fn create(&self, stream: usize) -> Option<Vec<u8>>;
    /// The request that publishes `body` to stream `stream`.
    fn publish(&self, stream: usize, body: &str) -> Vec<u8>;
    /// The request that opens stream `stream` as server-sent events.
    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8>;
}

/// Which server a run is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Tributary,
    Nchan,
    /// A thread that only writes: what the kernel alone costs.
    Floor,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Tributary => "tributary",
            Self::Nchan => "nchan",
            Self::Floor => "floor",
        }
    }
}

/// What is needed to start servers.
pub struct Servers {
    /// A directory for logs and configurations.
    pub directory: PathBuf,
    pub tributary: PathBuf,
    /// The peer, or why it is missing.
    pub nchan: Result<crate::nchan::Installed>,
    pub nchan_workers: usize,
}

impl Servers {
    /// Starts a fresh server, so that no run inherits another's heap, streams or connections.
    pub fn start(&self, kind: Kind) -> Result<Box<dyn Server>> {
        self.start_on(kind, None)
    }

    /// The same with a fresh Redis to keep events in.
    pub fn start_with_redis(&self, kind: Kind) -> Result<WithRedis> {
        let redis = Redis::start(&self.directory)?;
        Ok(WithRedis { server: self.start_on(kind, Some(&redis))?, redis })
    }

    /// Tributary with an archive in a fresh SQLite file, and the file's URL.
    pub fn start_archiving(&self) -> Result<(Tributary, String)> {
        let folder = subdirectory(&self.directory, &format!("archive-{:x}", fastrand::u64(..)))?;
        let url = format!("sqlite://{}", folder.join("archive.db").display());
        let variables = [("TRIBUTARY_ARCHIVE__URL", url.clone())];
        Ok((Tributary::start(&self.tributary, &variables, &self.directory)?, url))
    }

    /// Tributary with other settings than its defaults.
    pub fn start_with(&self, variables: &[(&str, String)]) -> Result<Tributary> {
        Tributary::start(&self.tributary, variables, &self.directory)
    }

    fn start_on(&self, kind: Kind, redis: Option<&Redis>) -> Result<Box<dyn Server>> {
        match kind {
            Kind::Tributary => {
                let stored = redis.map(|redis| {
                    let backend = ("TRIBUTARY_CACHE__BACKEND", "redis".to_owned());
                    vec![backend, ("TRIBUTARY_CACHE__REDIS_URL", redis.url())]
                });
                let variables = stored.unwrap_or_default();
                Ok(Box::new(Tributary::start(&self.tributary, &variables, &self.directory)?))
            }
            Kind::Nchan => {
                let installed =
                    self.nchan.as_ref().map_err(|error| anyhow!("nchan is missing: {error:#}"))?;
                Ok(Box::new(Nchan::start(installed, self.nchan_workers, redis, &self.directory)?))
            }
            Kind::Floor => bail!("the floor isn't a server"),
        }
    }
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
