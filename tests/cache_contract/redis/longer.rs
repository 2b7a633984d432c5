//! Logs that are longer than what a replica holds of them, in a store that went back or lost them.

use std::sync::Arc;

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Append, Appended, ResultCache};

use super::forks::{go_back, keep, stored};
use super::settings;
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, partial};

/// Entries that a replica holds.
const RING: usize = 8;

async fn replica(server: &RedisServer) -> RedisCache {
    let bounds = Bounds { ring_entries: RING, backlog_bytes: Some(1 << 20), ..Bounds::default() };
    RedisCache::connect(settings(server, bounds)).await.unwrap()
}

/// A session of three times what a replica holds, in one that only writes it, and how it was after the first two entries, which the
/// store kept.
async fn longer_than_the_ring() -> (RedisServer, RedisCache, Writer, Writer) {
    let server = RedisServer::start();
    let here = replica(&server).await;
    let mut writer = Writer::new("s");
    writer.begins(&here).await.writes(&here, &[partial()]).await;
    let before = writer.clone();
    keep(&server);
    for _ in 0..3 * RING {
        writer.writes(&here, &[partial()]).await;
        // What is archived may leave the log.
        here.archived(&writer.key, writer.position()).await.unwrap();
    }
    (server, here, writer, before)
}

/// What an archive that has the log up to `to` puts back after `before`.
fn out_of_the_archive(writer: &Writer, before: &Writer, to: usize) -> Append {
    let entries = writer.log[before.log.len()..to].to_vec();
    let mut state = (*before.state).clone();
    entries.iter().for_each(|entry| state.apply(entry));
    let again = before.append_of(&[partial()], before.state.last_at);
    Append { append_id: entries[0].append_id, state: Arc::new(state), entries, ..again }
}

#[tokio::test]
async fn older_entries_that_are_put_back_here_leave_what_is_held() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    go_back(&server);
    let archived = writer.log.len() - RING / 2;
    let append = out_of_the_archive(&writer, &before, archived - RING);
    assert!(
        matches!(here.append(&append).await.unwrap(), Appended::Stored { .. }),
        "before all that is held"
    );
    let mut there = before.clone();
    there.state = append.state;
    there.log = writer.log[..archived - RING].to_vec();
    let append = out_of_the_archive(&writer, &there, archived);
    assert!(matches!(here.append(&append).await.unwrap(), Appended::Stored { .. }), "up to the middle of it");
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(now.position(), writer.position(), "what isn't archived is back, and readers go on");
    assert!(here.lost().is_empty());
}
