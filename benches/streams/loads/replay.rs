//! Everybody reconnects at once: what it costs to send stored events again.
//!
//! The connections are made before the clock starts, since accepting one costs every server the same; requests,
//! verdicts and all events are inside.

use std::time::Instant;

use anyhow::Result;

use crate::event;
use crate::figures::Finding;
use crate::load::Load;
use crate::scale::Scale;
use crate::server::{Begin, Server, create_all, setup_connection};

/// The whole of it, on a fresh server.
pub fn measure(server: &dyn Server, scale: &Scale) -> Result<Vec<Finding>> {
    create_all(server, 1)?;
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    for revision in 1..=scale.replay_events {
        publisher.call(&server.publish(0, &event::body(revision)), &mut buffer)?;
    }
    let mut load = Load::new()?;
    for _ in 0..scale.replay_readers {
        load.connect_reader(server.address())?;
    }

    let request = server.subscribe(0, Begin::Oldest);
    let expected = scale.replay_readers as u64 * scale.replay_events;
    let (before, start) = (server.cpu()?, Instant::now());
    for reader in 0..scale.replay_readers {
        load.subscribe(reader, &request)?;
    }
    load.until_delivered(expected)?;
    let (seconds, after) = (start.elapsed().as_secs_f64(), server.cpu()?);

    load.ensure_exactly(expected)?;
    Ok(vec![
        ("CPU per replayed event", after.since(&before) as f64 / 1_000.0 / expected as f64),
        ("until all have all", seconds),
    ])
}
