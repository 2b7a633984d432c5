//! One stream, many readers, a steady rate: what a delivery costs and how long it takes.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::event;
use crate::floor::Floor;
use crate::load::Load;
use crate::options::Scale;
use crate::process::CpuMark;
use crate::report::percentile_ms;
use crate::rows::Finding;
use crate::server::{Begin, Kind, Server, Servers, create_all};

/// 100 events a second to each reader.
pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let every = Duration::from_millis(10);
    fan_out(&mut Source::start(servers, kind, scale.readers)?, scale.readers, every, scale)
}

/// As many deliveries a second in all, to five times as many readers.
pub fn run_wide(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let every = Duration::from_millis(50);
    fan_out(&mut Source::start(servers, kind, scale.readers_wide)?, scale.readers_wide, every, scale)
}

/// Where the events come from: a server over HTTP, or the floor.
enum Source {
    Server(Box<dyn Server>),
    Floor(Floor),
}

/// CPU time up to one moment, of either.
enum Cpu {
    Process(CpuMark),
    Thread(u64),
}

impl Source {
    fn start(servers: &Servers, kind: Kind, readers: usize) -> Result<Self> {
        match kind {
            Kind::Floor => Ok(Self::Floor(Floor::start(readers)?)),
            Kind::Tributary | Kind::Nchan => {
                let server = servers.start(kind)?;
                create_all(server.as_ref(), 1)?;
                Ok(Self::Server(server))
            }
        }
    }

    fn connect(&self, load: &mut Load, readers: usize) -> Result<()> {
        let (address, request) = match self {
            Self::Server(server) => {
                load.connect_publisher(server.address())?;
                (server.address(), server.subscribe(0, Begin::Live))
            }
            Self::Floor(floor) => (floor.address, b"GET / HTTP/1.1\r\n\r\n".to_vec()),
        };
        for reader in 0..readers {
            load.connect_reader(address)?;
            load.subscribe(reader, &request)?;
        }
        load.until_open()
    }

    fn publish(&self, load: &mut Load, revision: u64) -> Result<()> {
        let body = event::body(revision);
        match self {
            Self::Server(server) => load.publishers[0].request(&server.publish(0, &body)),
            Self::Floor(floor) => floor.publish(revision, &body),
        }
    }

    fn cpu(&self) -> Result<Cpu> {
        Ok(match self {
            Self::Server(server) => Cpu::Process(server.process().cpu()?),
            Self::Floor(floor) => Cpu::Thread(floor.cpu_ns()),
        })
    }

    fn cpu_since(&self, earlier: &Cpu) -> Result<u64> {
        Ok(match (self.cpu()?, earlier) {
            (Cpu::Process(now), Cpu::Process(earlier)) => now.since(earlier),
            (Cpu::Thread(now), Cpu::Thread(earlier)) => now - earlier,
            (Cpu::Process(_), Cpu::Thread(_)) | (Cpu::Thread(_), Cpu::Process(_)) => {
                anyhow::bail!("two clocks of different kinds")
            }
        })
    }
}

fn fan_out(source: &mut Source, readers: usize, every: Duration, scale: &Scale) -> Result<Vec<Finding>> {
    let mut load = Load::new()?;
    source.connect(&mut load, readers)?;

    let mut revision = publish_for(source, &mut load, scale.warm_up, every, 0)?;
    load.until_delivered(revision * readers as u64)?;
    load.forget();

    let before = source.cpu()?;
    revision = publish_for(source, &mut load, scale.period, every, revision)?;
    load.until_delivered(revision * readers as u64)?;
    let cpu_ns = source.cpu_since(&before)?;

    let mut latencies = std::mem::take(&mut load.latencies_ns);
    load.ensure_exactly(revision * readers as u64)?;
    Ok(vec![
        ("CPU per delivery", cpu_ns as f64 / 1_000.0 / latencies.len() as f64),
        ("latency p50", percentile_ms(&mut latencies, 0.5)),
        ("latency p99", percentile_ms(&mut latencies, 0.99)),
        ("latency p999", percentile_ms(&mut latencies, 0.999)),
    ])
}

/// Publishes at a steady rate for `period`, after the revision `last`; returns the last revision sent.
///
/// The rate doesn't wait for answers: a slow server gets no rest, and its delay is in the latency.
fn publish_for(
    source: &Source,
    load: &mut Load,
    period: Duration,
    every: Duration,
    last: u64,
) -> Result<u64> {
    let start = Instant::now();
    let mut revision = last;
    let mut next = start;
    while next < start + period {
        let now = Instant::now();
        if now >= next {
            revision += 1;
            source.publish(load, revision)?;
            next += every;
        }
        load.turn(next.saturating_duration_since(Instant::now()), &mut Vec::new())?;
    }
    Ok(revision)
}
