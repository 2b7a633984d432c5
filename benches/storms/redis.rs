//! A Redis for replicas to share, started for them alone.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::replica::{Process, free_address};

/// A running `redis-server` that keeps everything in memory. Dropping it ends it.
pub struct Redis {
    address: SocketAddr,
    _process: Process,
}

impl Redis {
    pub fn start(directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &address.port().to_string(), "--save", ""]);
        command.args(["--appendonly", "no", "--daemonize", "no", "--dir"]).arg(directory);
        let mut process = Process::spawn(&mut command, &directory.join("redis.log"))
            .context("Debian: apt-get install redis-server")?;
        process.until(|| answers(address))?;
        Ok(Self { address, _process: process })
    }

    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }
}

fn answers(address: SocketAddr) -> bool {
    let ping = || -> std::io::Result<bool> {
        let mut socket = TcpStream::connect(address)?;
        socket.set_read_timeout(Some(Duration::from_secs(1)))?;
        socket.write_all(b"PING\r\n")?;
        let mut pong = [0; 5];
        socket.read_exact(&mut pong)?;
        Ok(&pong == b"+PONG")
    };
    ping().unwrap_or(false)
}
