//! An archive in SQLite behind the log: how fast it follows, and what it costs those who publish.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::edge::archive::{ArchiveUrl, SqlArchive};
use tributary::engine::ports::archive::Archive;

use super::ingest::{FIRST, Feed};
use crate::figures::Finding;
use crate::load::Load;
use crate::loads::streams;
use crate::scale::Scale;
use crate::server::{Server, create_all};
use crate::servers::{Kind, Servers};

/// Events of each body. All of them fit into a session that waits for its archive, which would refuse more.
const EVENTS: u64 = 25_600;
/// `step_started` and `subagent_started` come before a stream's events.
const BEFORE: u64 = 2;

pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let archived = follow(servers, scale)?;
    let p99 = |findings: Vec<Finding>| {
        findings.into_iter().find(|(name, _)| *name == "latency p99").map(|found| found.1)
    };
    let without = p99(streams::measure(servers.start(kind)?.as_ref(), scale)?).context("no latency")?;
    let with = p99(streams::measure(&servers.start_archiving()?.0, scale)?).context("no latency")?;
    Ok(vec![
        ("events archived per second", archived),
        ("publish p99 without an archive", without),
        ("publish p99 with it", with),
        ("publish p99, with : without", with / without),
    ])
}

/// NDJSON as fast as it goes, until the last of it is in the archive: events a second.
fn follow(servers: &Servers, scale: &Scale) -> Result<f64> {
    let (server, url) = servers.start_archiving()?;
    create_all(&server, scale.bodies)?;
    let mut load = Load::new()?;
    let mut feeds = Vec::new();
    for stream in 0..scale.bodies {
        load.connect_publisher(server.address())?;
        load.watch_writes(stream, true)?;
        feeds.push(Feed::bounded(&server, stream, EVENTS)?);
    }
    let start = Instant::now();
    while !feeds.iter().all(Feed::is_done) {
        for (publisher, feed) in feeds.iter_mut().enumerate() {
            feed.feed(&mut load, publisher)?;
            load.watch_writes(publisher, load.publishers[publisher].is_blocked() || !feed.is_done())?;
        }
        load.turn(Duration::from_millis(20), &mut Vec::new())?;
    }
    for (publisher, feed) in feeds.iter_mut().enumerate() {
        feed.end(&mut load, publisher)?;
        load.watch_writes(publisher, load.publishers[publisher].is_blocked())?;
    }
    load.until_delivered(0)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
    let each: Vec<u64> = feeds.iter().map(|feed| feed.revision - FIRST).collect();
    runtime.block_on(archived(&url, &each))?;
    Ok(each.iter().sum::<u64>() as f64 / start.elapsed().as_secs_f64())
}

/// Waits until the archive has so many events of each stream.
async fn archived(url: &str, each: &[u64]) -> Result<()> {
    let url: ArchiveUrl = url.parse().context("the archive's URL")?;
    let archive = SqlArchive::at(&url).context("opening the archive")?;
    let give_up = Instant::now() + Duration::from_secs(60);
    for (stream, events) in each.iter().enumerate() {
        let session = format!("bench-{stream}").parse().context("a session's name")?;
        let key = SessionKey { tenant: TenantId::default_tenant(), session };
        loop {
            let found = archive.session(&key).await.context("reading the archive")?;
            if found.is_some_and(|found| found.position.sequence.0 >= events + BEFORE) {
                break;
            }
            ensure!(Instant::now() < give_up, "the archive doesn't get everything");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    archive.close().await;
    Ok(())
}
