//! A Redis that a server keeps its events in, started for it alone: its CPU time counts with the server's.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::process::{CpuMark, Process};
use crate::server::{Begin, Server, free_address, subdirectory};

/// A running `redis-server` that keeps everything in memory.
pub struct Redis {
    pub address: SocketAddr,
    process: Process,
}

impl Redis {
    pub fn start(directory: &Path) -> Result<Self> {
        let (address, folder) = (free_address()?, subdirectory(directory, "redis")?);
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &address.port().to_string(), "--save", ""]);
        command.args(["--appendonly", "no", "--daemonize", "no", "--dir"]).arg(&folder);
        let mut process = Process::spawn(&mut command, &folder.join("redis.log"))
            .context("Debian: apt-get install redis-server")?;
        process.until(|| ask(address, &["PING"]).is_ok_and(|answer| answer.starts_with("+PONG")))?;
        Ok(Self { address, process })
    }

    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// How often each of these commands was called so far, together.
    pub fn calls(&self, commands: &[&str]) -> Result<u64> {
        let stats = ask(self.address, &["INFO", "commandstats"])?;
        let calls = |command: &&str| {
            let start = format!("cmdstat_{command}:calls=");
            let line = stats.lines().find_map(|line| line.strip_prefix(&*start))?;
            line.split(',').next()?.parse::<u64>().ok()
        };
        Ok(commands.iter().filter_map(calls).sum())
    }

    /// Connections to it, but for the one that asks.
    pub fn connections(&self) -> Result<usize> {
        let list = ask(self.address, &["CLIENT", "LIST"])?;
        Ok(list.lines().filter(|line| line.starts_with("id=")).count() - 1)
    }
}

/// A command's answer as text, its length line left out.
fn ask(address: SocketAddr, words: &[&str]) -> Result<String> {
    let mut socket = TcpStream::connect(address).context("connecting to Redis")?;
    socket.set_read_timeout(Some(Duration::from_secs(10))).context("setting a timeout")?;
    let parts: String = words.iter().map(|word| format!("${}\r\n{word}\r\n", word.len())).collect();
    socket.write_all(format!("*{}\r\n{parts}", words.len()).as_bytes()).context("asking Redis")?;
    let mut text = Vec::new();
    let mut buffer = [0; 64 * 1_024];
    loop {
        let count = socket.read(&mut buffer).context("reading Redis' answer")?;
        ensure!(count > 0, "Redis closed the connection");
        text.extend_from_slice(&buffer[..count]);
        let Some(end) = text.windows(2).position(|two| two == b"\r\n") else { continue };
        let line = String::from_utf8_lossy(&text[..end]).into_owned();
        let Some(length) = line.strip_prefix('$') else { return Ok(line) };
        let length: usize = length.parse().with_context(|| format!("Redis answered {line}"))?;
        if text.len() >= end + 2 + length {
            return Ok(String::from_utf8_lossy(&text[end + 2..end + 2 + length]).into_owned());
        }
    }
}

/// A server and its Redis.
pub struct WithRedis {
    pub server: Box<dyn Server>,
    pub redis: Redis,
}

impl Server for WithRedis {
    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    fn process(&self) -> &Process {
        self.server.process()
    }

    fn cpu(&self) -> Result<CpuMark> {
        Ok(self.server.cpu()?.plus(self.redis.process.cpu()?))
    }

    fn memory_bytes(&self) -> Result<u64> {
        Ok(self.server.memory_bytes()? + self.redis.process.memory_bytes()?)
    }

    fn create(&self, stream: usize) -> Option<Vec<u8>> {
        self.server.create(stream)
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        self.server.publish(stream, body)
    }

    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        self.server.subscribe(stream, begin)
    }
}
