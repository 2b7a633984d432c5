//! What a reader who waits costs in memory: the server's own, not the kernel's.

use std::time::Duration;

use anyhow::Result;

use crate::event;
use crate::figures::Finding;
use crate::load::Load;
use crate::scale::Scale;
use crate::server::{Begin, Server, create_all, setup_connection};

/// Idle readers of so many streams, on a fresh server. The streams exist, with an event in each, before memory is read the
/// first time: what a stream stores isn't what a connection costs.
pub fn measure(server: &dyn Server, scale: &Scale, streams: usize) -> Result<Vec<Finding>> {
    let readers = scale.idle;
    create_all(server, streams)?;
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    for stream in 0..streams {
        publisher.call(&server.publish(stream, &event::body(1)), &mut buffer)?;
    }
    let before = settled(server, &mut Load::new()?)?;

    let mut load = Load::new()?;
    for reader in 0..readers {
        load.connect_reader(server.address())?;
        load.subscribe(reader, &server.subscribe(reader % streams, Begin::Oldest))?;
    }
    load.until_delivered(readers as u64)?;
    load.idle(scale.idle_period)?;
    let after = settled(server, &mut load)?;
    load.ensure_exactly(readers as u64)?;
    Ok(vec![("memory per connection", after.saturating_sub(before) as f64 / 1_024.0 / readers as f64)])
}

/// Memory once it stands still: allocators give pages back some seconds late. The streams are read meanwhile.
pub fn settled(server: &dyn Server, load: &mut Load) -> Result<u64> {
    let mut last = server.memory_bytes()?;
    let mut still = 0;
    for _ in 0..20 {
        load.idle(Duration::from_millis(500))?;
        let now = server.memory_bytes()?;
        still = if now.abs_diff(last) <= last / 200 { still + 1 } else { 0 };
        last = now;
        if still == 4 {
            break;
        }
    }
    Ok(last)
}
