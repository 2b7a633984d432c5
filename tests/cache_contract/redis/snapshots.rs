//! Snapshots that are too large for one answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::position::Sequence;
use tributary::domain::session::Command;
use tributary::edge::cache::{RedisCache, RedisSettings};
use tributary::engine::mux::Latest;
use tributary::engine::ports::result_cache::{ResultCache, Snapshot};

use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::fixtures::{post, progress, say};
use crate::redis_server::RedisServer;
use crate::writer::Writer;

/// A few entries.
const PIECE: usize = 2_000;
const OUTPUTS: usize = 60;
const SNAPSHOTS: usize = 40;

async fn replica(server: &RedisServer, piece_bytes: usize) -> RedisCache {
    RedisCache::connect(RedisSettings { piece_bytes, ..settings(server, Bounds::default()) }).await.unwrap()
}

fn said(output: usize, status: SenderStatus) -> Command {
    say("p", &format!("a{output}"), status).command()
}

/// A step whose outputs have all said something.
async fn many_outputs(cache: &RedisCache) -> Writer {
    let mut writer = Writer::new("s");
    let names: Vec<_> = (0..OUTPUTS).map(|output| (format!("a{output}"), format!("r{output}"))).collect();
    let step = names.iter().fold(post("p"), |step, (key, result)| step.expects(key, result));
    writer.writes(cache, &[step.command()]).await;
    for output in 0..OUTPUTS {
        writer.writes(cache, &[said(output, SenderStatus::Partial)]).await;
    }
    writer
}

/// What a snapshot at that place has to hold.
fn expected(log: &[Arc<Entry>], at: Sequence) -> Vec<Arc<Entry>> {
    let mut latest = Latest::default();
    for entry in log.iter().take_while(|entry| entry.sequence <= at) {
        latest.note(entry);
    }
    latest.entries()
}

fn calls(server: &RedisServer, command: &str) -> u64 {
    let stats = server.text(&["INFO", "commandstats"]);
    let start = format!("cmdstat_{command}:calls=");
    let calls = stats.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or("0");
    calls.split(',').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn is_read_in_pieces_and_small_ones_at_once() {
    let server = RedisServer::start();
    let (whole, pieces) = (replica(&server, 1 << 20).await, replica(&server, PIECE).await);
    let writer = many_outputs(&whole).await;
    let expected = expected(&writer.log, writer.position().sequence);
    let asked = || [calls(&server, "hvals"), calls(&server, "hmget")];
    let before = asked();
    let snapshot = whole.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!((snapshot.position, &snapshot.entries), (writer.position(), &expected));
    assert_eq!(asked(), [before[0] + 1, before[1]]);
    let snapshot = pieces.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!((snapshot.position, &snapshot.entries), (writer.position(), &expected));
    let after = asked();
    assert_eq!(after[0], before[0] + 1, "not at once");
    assert!(after[1] > before[1] + OUTPUTS as u64 / 5, "{after:?} of {before:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stands_for_one_place_while_others_write() {
    let server = RedisServer::start();
    let (here, there) = (replica(&server, PIECE).await, replica(&server, PIECE).await);
    let mut writer = many_outputs(&here).await;
    let (key, begun) = (writer.key.clone(), writer.position().sequence);
    let is_over = Arc::new(AtomicBool::new(false));
    let writing = tokio::spawn({
        let is_over = is_over.clone();
        async move {
            for turn in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                // The state doesn't know of it: nothing else finds that an older one was read.
                writer.writes(&here, &[progress("p", &turn.to_string())]).await;
            }
            writer
        }
    });
    let mut taken: Vec<Snapshot> = Vec::new();
    for _ in 0..SNAPSHOTS {
        taken.push(there.snapshot(&key).await.unwrap().unwrap());
    }
    is_over.store(true, Ordering::Relaxed);
    let writer = writing.await.unwrap();
    for snapshot in &taken {
        assert_eq!(snapshot.entries, expected(&writer.log, snapshot.position.sequence));
    }
    let places: Vec<_> = taken.iter().map(|snapshot| snapshot.position.sequence).collect();
    assert!(places.windows(2).all(|two| two[0] <= two[1]) && *places.last().unwrap() > begun, "{places:?}");
}

#[tokio::test]
async fn whose_last_events_redis_let_go_of_is_made_of_the_log() {
    let server = RedisServer::start();
    let cache = replica(&server, PIECE).await;
    let writer = many_outputs(&cache).await;
    let latest = &keys_of("s")[2];
    let gone = ["HDEL", latest, "partial p r3", "partial p r40"];
    assert_eq!(server.command(&gone), ":2");
    let snapshot = cache.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(snapshot.entries, expected(&writer.log, writer.position().sequence));
    assert_eq!(server.command(&["HEXISTS", latest, "partial p r3"]), ":1", "and goes back");
}
