//! What readers cost Redis: connections, and reads when all of them come back at once.

use std::time::Instant;

use anyhow::Result;

use crate::event;
use crate::figures::Finding;
use crate::load::Load;
use crate::scale::Scale;
use crate::server::{Begin, Server, create_all, setup_connection};
use crate::servers::{Kind, Servers};

/// Readers share so many streams.
const STREAMS: usize = 50;
/// The commands that read a session.
const READS: [&str; 6] = ["hgetall", "hmget", "hvals", "xrange", "xrevrange", "hget"];

/// 5,000 readers come, go, and come back at once.
pub fn run_storm(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let server = servers.start_with_redis(kind)?;
    create_all(&server, STREAMS)?;
    let mut publisher = setup_connection(server.address())?;
    let mut buffer = vec![0; 64 * 1_024];
    for stream in 0..STREAMS {
        publisher.call(&server.publish(stream, &event::body(1)), &mut buffer)?;
    }
    let (one, _) = come(&server, STREAMS)?;
    let few = server.redis.connections()?;
    let (all, _) = come(&server, scale.idle)?;
    let many = server.redis.connections()?;
    drop((one, all));

    let before = server.redis.calls(&READS)?;
    let (back, seconds) = come(&server, scale.idle)?;
    let reads = server.redis.calls(&READS)? - before;
    drop(back);
    Ok(vec![
        ("connections to Redis, 50 readers", few as f64),
        ("connections to Redis, 5,000 readers", many as f64),
        ("Redis reads per session", reads as f64 / STREAMS as f64),
        ("until all are back", seconds),
    ])
}

/// So many readers, until each has its first event.
fn come(server: &dyn Server, readers: usize) -> Result<(Load, f64)> {
    let (mut load, start) = (Load::new()?, Instant::now());
    for reader in 0..readers {
        load.connect_reader(server.address())?;
        load.subscribe(reader, &server.subscribe(reader % STREAMS, Begin::Oldest))?;
    }
    load.until_delivered(readers as u64)?;
    Ok((load, start.elapsed().as_secs_f64()))
}
