//! Many streams with one reader each, published to as fast as the server answers: what an event costs from end to end.
//!
//! Each connection has one POST under way and goes round its own streams, so a stream's order is its connection's.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::event;
use crate::figures::{Finding, percentile_ms};
use crate::load::Load;
use crate::scale::Scale;
use crate::server::{Begin, Server, create_all};

/// The publishers' plan: who publishes to what, and what was published.
struct Rounds<'a> {
    server: &'a dyn Server,
    publishers: usize,
    /// The last revision by stream.
    revisions: Vec<u64>,
    /// The next stream by publisher.
    next: Vec<usize>,
    published: u64,
}

impl Rounds<'_> {
    /// Has one publisher publish to the next of its streams.
    fn publish(&mut self, load: &mut Load, publisher: usize) -> Result<()> {
        let stream = self.next[publisher];
        let after = stream + self.publishers;
        self.next[publisher] = if after < self.revisions.len() { after } else { publisher };
        self.revisions[stream] += 1;
        self.published += 1;
        let request = self.server.publish(stream, &event::body(self.revisions[stream]));
        load.publishers[publisher].request(&request)
    }

    /// Publishes from every connection for `period`, then waits for all answers and deliveries.
    fn run(&mut self, load: &mut Load, period: Duration) -> Result<()> {
        let end = Instant::now() + period;
        let mut answered: Vec<usize> = (0..self.publishers).collect();
        while Instant::now() < end {
            for publisher in answered.drain(..) {
                self.publish(load, publisher)?;
            }
            load.turn(Duration::from_millis(20), &mut answered)?;
        }
        load.until_delivered(self.published)
    }
}

/// The whole of it, from connecting to the last delivery.
pub fn measure(server: &dyn Server, scale: &Scale) -> Result<Vec<Finding>> {
    create_all(server, scale.streams)?;
    let mut load = Load::new()?;
    for stream in 0..scale.streams {
        load.connect_reader(server.address())?;
        load.subscribe(stream, &server.subscribe(stream, Begin::Live))?;
    }
    for _ in 0..scale.publishers {
        load.connect_publisher(server.address())?;
    }
    load.until_open()?;

    let mut rounds = Rounds {
        server,
        publishers: scale.publishers,
        revisions: vec![0; scale.streams],
        next: (0..scale.publishers).collect(),
        published: 0,
    };
    rounds.run(&mut load, scale.warm_up)?;
    load.forget();

    let warm_up = rounds.published;
    let (before, start) = (server.cpu()?, Instant::now());
    rounds.run(&mut load, scale.period)?;
    let (seconds, after) = (start.elapsed().as_secs_f64(), server.cpu()?);

    let published = (rounds.published - warm_up) as f64;
    let mut latencies = std::mem::take(&mut load.latencies_ns);
    load.ensure_exactly(rounds.published)?;
    Ok(vec![
        ("CPU per published event", after.since(&before) as f64 / 1_000.0 / published),
        ("events per second", published / seconds),
        ("latency p50", percentile_ms(&mut latencies, 0.5)),
        ("latency p99", percentile_ms(&mut latencies, 0.99)),
    ])
}
