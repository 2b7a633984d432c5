//! One stream, many readers, a steady rate: what a delivery costs and how long it takes.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::event;
use crate::figures::{Finding, percentile_ms};
use crate::load::Load;
use crate::process::CpuMark;
use crate::scale::Scale;
use crate::server::{Begin, Server};

/// Where the events come from: a server over HTTP, or what stands in for one.
pub trait Source {
    /// Where readers connect, and what they ask.
    fn reading(&self) -> (SocketAddr, Vec<u8>);
    /// Connects what publishes.
    fn connect(&self, load: &mut Load) -> Result<()>;
    fn publish(&self, load: &mut Load, revision: u64, body: &str) -> Result<()>;
    fn cpu(&self) -> Result<CpuMark>;
}

impl Source for Box<dyn Server> {
    fn reading(&self) -> (SocketAddr, Vec<u8>) {
        (self.address(), self.subscribe(0, Begin::Live))
    }

    fn connect(&self, load: &mut Load) -> Result<()> {
        load.connect_publisher(self.address())
    }

    fn publish(&self, load: &mut Load, _revision: u64, body: &str) -> Result<()> {
        load.publishers[0].request(&Server::publish(self.as_ref(), 0, body))
    }

    fn cpu(&self) -> Result<CpuMark> {
        Server::cpu(self.as_ref())
    }
}

pub fn fan_out(source: &dyn Source, readers: usize, every: Duration, scale: &Scale) -> Result<Vec<Finding>> {
    let mut load = Load::new()?;
    let (address, request) = source.reading();
    for reader in 0..readers {
        load.connect_reader(address)?;
        load.subscribe(reader, &request)?;
    }
    source.connect(&mut load)?;
    load.until_open()?;

    let mut revision = publish_for(source, &mut load, scale.warm_up, every, 0)?;
    load.until_delivered(revision * readers as u64)?;
    load.forget();

    let before = source.cpu()?;
    revision = publish_for(source, &mut load, scale.period, every, revision)?;
    load.until_delivered(revision * readers as u64)?;
    let cpu_ns = source.cpu()?.since(&before);

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
    source: &dyn Source,
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
            source.publish(load, revision, &event::body(revision))?;
            next += every;
        }
        load.turn(next.saturating_duration_since(Instant::now()), &mut Vec::new())?;
    }
    Ok(revision)
}
