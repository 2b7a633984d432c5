//! One stream, many readers: on the servers and on the floor.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Result;

use crate::figures::Finding;
use crate::floor::Floor;
use crate::load::Load;
use crate::loads::fanout::{Source, fan_out};
use crate::process::CpuMark;
use crate::scale::Scale;
use crate::server::create_all;
use crate::servers::{Kind, Servers};

/// 100 events a second to each reader.
pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let every = Duration::from_millis(10);
    fan_out(start(servers, kind, scale.readers)?.as_ref(), scale.readers, every, scale)
}

/// As many deliveries a second in all, to five times as many readers.
pub fn run_wide(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let every = Duration::from_millis(50);
    fan_out(start(servers, kind, scale.readers_wide)?.as_ref(), scale.readers_wide, every, scale)
}

fn start(servers: &Servers, kind: Kind, readers: usize) -> Result<Box<dyn Source>> {
    match kind {
        Kind::Floor => Ok(Box::new(Floor::start(readers)?)),
        Kind::Tributary | Kind::Nchan => {
            let server = servers.start(kind)?;
            create_all(server.as_ref(), 1)?;
            Ok(Box::new(server))
        }
    }
}

impl Source for Floor {
    fn reading(&self) -> (SocketAddr, Vec<u8>) {
        (self.address, b"GET / HTTP/1.1\r\n\r\n".to_vec())
    }

    /// Its thread is told what to write without a connection.
    fn connect(&self, _load: &mut Load) -> Result<()> {
        Ok(())
    }

    fn publish(&self, _load: &mut Load, revision: u64, body: &str) -> Result<()> {
        self.publish(revision, body)
    }

    fn cpu(&self) -> Result<CpuMark> {
        Ok(self.cpu())
    }
}
