//! What a reader who waits costs in memory: the server's own, not the kernel's.

use std::time::Duration;

use anyhow::Result;

use crate::event;
use crate::load::Load;
use crate::options::Scale;
use crate::process::Process;
use crate::rows::Finding;
use crate::server::{Begin, Kind, Servers, create_all, setup_connection};

/// All readers on one stream.
pub fn run_one(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    run(servers, kind, scale, 1)
}

/// A stream for each reader. The streams exist, with an event in each, before memory is read the first time: what a
/// stream stores isn't what a connection costs.
pub fn run_each(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    run(servers, kind, scale, scale.idle)
}

fn run(servers: &Servers, kind: Kind, scale: &Scale, streams: usize) -> Result<Vec<Finding>> {
    let readers = scale.idle;
    let server = servers.start(kind)?;
    create_all(server.as_ref(), streams)?;
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    for stream in 0..streams {
        publisher.call(&server.publish(stream, &event::body(1)), &mut buffer)?;
    }
    let before = settled(server.process(), &mut Load::new()?)?;

    let mut load = Load::new()?;
    for reader in 0..readers {
        load.connect_reader(server.address())?;
        load.subscribe(reader, &server.subscribe(reader % streams, Begin::Oldest))?;
    }
    load.until_delivered(readers as u64)?;
    load.idle(scale.idle_period)?;
    let after = settled(server.process(), &mut load)?;
    load.ensure_exactly(readers as u64)?;
    Ok(vec![("memory per connection", after.saturating_sub(before) as f64 / 1_024.0 / readers as f64)])
}

/// Memory once it stands still: allocators give pages back some seconds late. The streams are read meanwhile.
pub(super) fn settled(process: &Process, load: &mut Load) -> Result<u64> {
    let mut last = process.memory_bytes()?;
    let mut still = 0;
    for _ in 0..20 {
        load.idle(Duration::from_millis(500))?;
        let now = process.memory_bytes()?;
        still = if now.abs_diff(last) <= last / 200 { still + 1 } else { 0 };
        last = now;
        if still == 4 {
            break;
        }
    }
    Ok(last)
}
