//! What was stored in the place of what a replica holds: one of both goes on, and the other is handed over to be decided again.

use std::sync::Arc;
use std::time::Duration;

use tributary::domain::position::{Epoch, Position};
use tributary::domain::session::commands_again;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Presence, Restored, ResultCache};

use super::line::Line;
use super::waiting::eventually;
use super::{keys_of, settings, settings_at};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, begin, missed, partial, success};

async fn replica(server: &RedisServer) -> RedisCache {
    RedisCache::connect(settings(server, Bounds::default())).await.unwrap()
}

/// A replica that holds a session of three entries, and one that knows nothing.
pub(super) async fn held() -> (RedisServer, RedisCache, RedisCache, Writer) {
    let server = RedisServer::start();
    let (here, stranger) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&here).await.writes(&here, &[partial(), partial()]).await;
    here.follow(&writer.key).await.unwrap();
    (server, here, stranger, writer)
}

/// The session as a replica that knows nothing of it finds it.
pub(super) async fn stored(server: &RedisServer, writer: &Writer) -> Writer {
    let loaded = replica(server).await.load(&writer.key).await.unwrap();
    let Presence::Live(state) = loaded.presence else { panic!("{:?}", loaded.presence) };
    Writer { state, ..writer.clone() }
}

/// How many partials of `r` a session knows of.
fn partials(writer: &Writer) -> Option<u64> {
    writer.state.steps[0].subagents[0].sender.map(|mark| mark.revision)
}

/// The store loses the session.
fn emptied(server: &RedisServer) {
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
}

/// Lets a stranger begin the session anew in a store that lost it; gives what it wrote.
async fn begun_anew(server: &RedisServer, stranger: &RedisCache) -> Writer {
    emptied(server);
    let mut anew = Writer::new("s");
    anew.begins(stranger).await;
    anew
}

#[tokio::test]
async fn what_was_begun_anew_in_an_emptied_store_gives_way_to_what_is_held() {
    let (server, here, stranger, writer) = held().await;
    let anew = begun_anew(&server, &stranger).await;
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(partials(&now), partials(&writer), "what was acknowledged is there");
    assert!(now.position().sequence >= writer.position().sequence, "never backwards");
    let known: [Epoch; 2] = [writer.position().epoch, anew.position().epoch];
    assert!(!known.contains(&now.position().epoch), "readers of both are told by verdict");
    let lost = here.lost();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].entries, anew.log, "to be decided again");
}

#[tokio::test]
async fn a_new_epoch_in_which_nothing_was_said_yet_is_put_back_too() {
    let (server, here, stranger, writer) = held().await;
    begun_anew(&server, &stranger).await;
    here.refresh(&writer.key).await.unwrap();
    let before = stored(&server, &writer).await;
    let snapshot = here.snapshot(&writer.key).await.unwrap().unwrap().entries;
    assert_eq!(snapshot.len(), 2, "the step's beginning, and the last partial");
    assert_eq!(server.command(&["FLUSHALL"]), "+OK");
    here.refresh(&writer.key).await.unwrap();
    let mut now = stored(&server, &writer).await;
    assert_eq!((now.position(), partials(&now)), (before.position(), partials(&writer)));
    assert_eq!(here.snapshot(&writer.key).await.unwrap().unwrap().entries, snapshot);
    now.writes(&stranger, &[partial()]).await;
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(&server, &writer).await.position(), now.position());
}

#[tokio::test]
async fn what_is_held_is_decided_again_where_more_was_begun_anew() {
    let (server, here, stranger, writer) = held().await;
    emptied(&server);
    // In one append: who holds the session hears of it at once.
    let mut anew = Writer::new("s");
    anew.writes(&stranger, &[begin(), partial(), success()]).await;
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(&server, &writer).await.position(), anew.position());
    tokio::time::timeout(Duration::from_secs(10), here.loses()).await.expect("it is told at once");
    let lost = here.lost();
    assert_eq!(commands_again(&lost[0].entries).len(), 3, "a directive and two partials");
    here.refresh(&writer.key).await.unwrap();
    assert!(here.lost().is_empty(), "once");
}

const KEPT: [&str; 3] = ["kept:meta", "kept:log", "kept:latest"];

/// Keeps what the store has of the session.
pub(super) fn keep(server: &RedisServer) {
    for (from, to) in keys_of("s").iter().zip(KEPT) {
        assert_eq!(server.command(&["COPY", from, to]), ":1");
    }
}

/// Goes back to what was kept.
pub(super) fn go_back(server: &RedisServer) {
    for (to, from) in keys_of("s").iter().zip(KEPT) {
        assert_eq!(server.command(&["RENAME", from, to]), "+OK");
    }
}

#[tokio::test]
async fn of_two_branches_the_one_with_more_that_was_acknowledged_goes_on() {
    let (server, here, stranger, mut writer) = held().await;
    keep(&server);
    let mut other = stored(&server, &writer).await;
    writer.writes(&here, &[partial(), partial()]).await;
    go_back(&server);
    let before = other.log.len();
    other.writes(&stranger, &[partial()]).await;
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(partials(&now), partials(&writer));
    assert_ne!(now.position().epoch, writer.position().epoch, "readers of both are told by verdict");
    assert_eq!(here.lost()[0].entries, other.log[before..], "to be decided again");
}

#[tokio::test]
async fn a_store_that_went_back_is_mended_before_who_holds_more_reads_it() {
    let (server, here, stranger, mut writer) = held().await;
    keep(&server);
    let older = writer.position();
    writer.writes(&here, &[partial(), partial()]).await;
    let loaded = here.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
    go_back(&server);
    // Who holds nothing can't tell.
    let loaded = stranger.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == older));
    let loaded = here.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
    assert_eq!(stored(&server, &writer).await.position(), writer.position(), "nothing else changed");
    assert!(here.lost().is_empty());
}

#[tokio::test]
async fn a_store_that_goes_back_behind_a_change_of_the_epoch_loses_nothing() {
    goes_back_behind_an_epoch("").await;
}

#[tokio::test]
async fn nor_does_one_that_does_not_know_all_of_its_epochs() {
    goes_back_behind_an_epoch("*").await;
}

async fn goes_back_behind_an_epoch(past: &str) {
    let (server, here, stranger, writer) = held().await;
    assert_eq!(server.command(&["HSET", &keys_of("s")[0], "past", past]), ":0");
    here.refresh(&writer.key).await.unwrap();
    keep(&server);
    begun_anew(&server, &stranger).await;
    here.refresh(&writer.key).await.unwrap();
    let mut now = stored(&server, &writer).await;
    now.writes(&here, &[partial()]).await;
    go_back(&server);
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(partials(&stored(&server, &writer).await), partials(&now));
}

#[tokio::test]
async fn a_session_that_was_deleted_and_begun_anew_does_not_come_back() {
    let server = RedisServer::start();
    let line = Line::to(server.port).await;
    let behind = RedisCache::connect(settings_at(line.url(), Bounds::default())).await.unwrap();
    let steady = replica(&server).await;
    let mut writer = Writer::new("s");
    writer.begins(&behind).await.writes(&behind, &[partial(), partial()]).await;
    behind.follow(&writer.key).await.unwrap();
    line.mute(true);
    assert!(steady.forget(&writer.key).await.unwrap());
    let mut anew = Writer::new("s");
    anew.begins(&steady).await;
    line.mute(false);
    behind.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(&server, &writer).await.position(), anew.position());
    assert!(behind.lost().is_empty(), "what was deleted stays deleted");
}

#[tokio::test]
async fn an_archive_that_was_asked_before_a_deletion_brings_nothing_back() {
    let (_server, here, stranger, writer) = held().await;
    let found = Restored { state: writer.state.clone(), latest: Vec::new(), left: writer.position() };
    assert!(here.forget(&writer.key).await.unwrap());
    assert!(!stranger.restore(&writer.key, &found).await.unwrap());
    let mut state = (*writer.state).clone();
    state.position.epoch = Epoch::from_random(8);
    let found = Restored { state: Arc::new(state), latest: Vec::new(), left: writer.position() };
    assert!(!stranger.restore(&writer.key, &found).await.unwrap(), "nor in a new epoch");
    assert!(matches!(stranger.load(&writer.key).await.unwrap().presence, Presence::Unknown));
    // What came after the deletion, and was archived, may come back.
    let mut anew = Writer::new("s");
    anew.begins_and_ends(&stranger).await;
    let found = Restored { state: anew.state.clone(), latest: Vec::new(), left: anew.position() };
    assert!(here.forget(&writer.key).await.unwrap());
    assert!(!stranger.restore(&writer.key, &found).await.unwrap(), "it was deleted as well");
    let other = Writer::at("s", Position { epoch: Epoch::from_random(7), ..anew.position() });
    let found = Restored { state: other.state.clone(), latest: Vec::new(), left: other.position() };
    assert!(stranger.restore(&writer.key, &found).await.unwrap());
}

#[tokio::test]
async fn a_last_word_weighs_more_than_what_came_in_its_place() {
    let (server, here, stranger, mut writer) = held().await;
    keep(&server);
    let mut other = stored(&server, &writer).await;
    writer.writes(&here, &[success()]).await;
    go_back(&server);
    other.writes(&stranger, &[partial(), partial()]).await;
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert!(now.state.steps[0].ended.is_some(), "it was acknowledged, and would have come too late");
}

/// Three replicas, of which the first holds the beginning of a session that the store loses, and the second all of it, though it doesn't
/// hear that it was lost; what the first one held, and all of it. `then` runs right after the first one has put that back.
async fn put_back_in_part<O>(
    then: impl AsyncFnOnce([&RedisCache; 2], &Writer, &Writer) -> O,
) -> (O, Writer, Writer) {
    let server = RedisServer::start();
    let line = Line::to(server.port).await;
    let second = RedisCache::connect(settings_at(line.url(), Bounds::default())).await.unwrap();
    let [first, third] = [replica(&server).await, replica(&server).await];
    let mut writer = Writer::new("s");
    writer.begins(&first).await;
    let begun = writer.clone();
    // Nobody follows it: the first replica holds the beginning, the second what came after.
    second.load(&writer.key).await.unwrap();
    writer.writes(&second, &[success()]).await;
    line.mute(true);
    emptied(&server);
    let meta = &keys_of("s")[0];
    let after = async {
        eventually("what the first one held", async || {
            (server.command(&["EXISTS", meta]) == ":1").then_some(())
        })
        .await;
        assert_eq!(stored(&server, &writer).await.position(), begun.position());
        line.mute(false);
        then([&second, &third], &begun, &writer).await
    };
    let (loaded, after) = tokio::join!(first.load(&writer.key), after);
    loaded.unwrap();
    (after, begun, writer)
}

#[tokio::test]
async fn who_writes_after_what_was_put_back_waits_for_who_holds_more() {
    let wrote = async |[second, third]: [&RedisCache; 2], begun: &Writer, writer: &Writer| {
        let append = begun.append_of(&[partial()], writer.state.last_at);
        let (wrote, refreshed) = tokio::join!(third.append(&append), second.refresh(&writer.key));
        refreshed.unwrap();
        missed(wrote)
    };
    let (missed, begun, writer) = put_back_in_part(wrote).await;
    assert_eq!(missed.entries, writer.log[begun.log.len()..], "it goes on after what was acknowledged");
}

#[tokio::test]
async fn nor_is_told_that_nothing_else_is_known() {
    let told = async |[second, third]: [&RedisCache; 2], begun: &Writer, writer: &Writer| {
        let told = third.confirm(&writer.key, begun.position());
        let (told, refreshed) = tokio::join!(told, second.refresh(&writer.key));
        refreshed.unwrap();
        told.unwrap().expect("more than the first one held")
    };
    let (missed, begun, writer) = put_back_in_part(told).await;
    assert_eq!(missed.entries, writer.log[begun.log.len()..]);
}

#[tokio::test]
async fn a_clock_that_goes_back_does_not_make_writers_wait_for_what_was_put_back() {
    let (server, here, stranger, writer) = held().await;
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
    here.refresh(&writer.key).await.unwrap();
    let mut other = stored(&server, &writer).await;
    stranger.set_now(Timestamp(writer.state.last_at.0 - 20_000));
    let commands = [partial()];
    let written = tokio::time::timeout(Duration::from_secs(10), other.writes(&stranger, &commands)).await;
    assert!(written.is_ok(), "twenty seconds, and half of one");
}

#[tokio::test]
async fn what_is_only_remembered_is_no_session_where_the_clock_goes_back() {
    let server = RedisServer::start();
    let cache = replica(&server).await;
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&cache).await;
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
    assert!(cache.remember(&writer.key, writer.position(), true).await.unwrap());
    let before = Timestamp(writer.state.last_at.0 - 20_000);
    cache.set_now(before);
    let presence = cache.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Expired(position) if position == writer.position()), "{presence:?}");
    // Who still holds all of it doesn't go on with it: most of its state would be missing.
    let append = writer.append_of(&[partial()], before);
    let missed = missed(cache.append(&append).await);
    assert_eq!(missed.state.map(|state| state.steps.len()), Some(0));
}

/// A replica that holds the beginning of a session whose place Redis let go, and one that holds the rest.
async fn in_pieces() -> (RedisServer, RedisCache, RedisCache, Writer, Writer) {
    let server = RedisServer::start();
    let (first, second) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&first).await;
    let begun = writer.clone();
    writer.writes(&second, &[partial(), partial()]).await;
    assert_eq!(server.command(&["DEL", &keys_of("s")[0]]), ":1");
    (server, first, second, begun, writer)
}

#[tokio::test]
async fn who_holds_the_beginning_reads_the_rest_from_the_log() {
    let (server, first, _second, _, writer) = in_pieces().await;
    let presence = first.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Live(state) if state.position == writer.position()));
    assert_eq!(stored(&server, &writer).await.position(), writer.position());
}

#[tokio::test]
async fn who_holds_the_rest_of_what_was_begun_anew_has_it_decided_again() {
    let (server, _first, second, _, mut writer) = in_pieces().await;
    let [_, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &log, &latest]), ":2");
    let stranger = replica(&server).await;
    Writer::new("s").begins(&stranger).await;
    // It noticed nothing until it writes.
    let append = writer.append_of(&[partial()], writer.state.last_at);
    missed(second.append(&append).await);
    let now = stored(&server, &writer).await;
    writer.state = now.state;
    assert_eq!(partials(&writer), Some(2), "what was acknowledged is there");
}

#[tokio::test]
async fn a_log_that_is_lost_again_before_its_beginning_was_put_back_still_says_that_it_lacks_it() {
    let server = RedisServer::start();
    // Neither listens: one wrote the beginning, the other the rest.
    let (here, there) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&here).await;
    let beginning = writer.log.len();
    writer.writes(&there, &[partial(), partial()]).await;
    let [meta, log, _] = keys_of("s");
    let rest = writer.log.len() - beginning;
    for _ in 0..2 {
        assert_eq!(server.command(&["FLUSHALL"]), "+OK");
        there.refresh(&writer.key).await.unwrap();
        assert_eq!(server.command(&["XLEN", &log]), format!(":{rest}"));
        assert_eq!(server.command(&["HEXISTS", &meta, "torn"]), ":1");
    }
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(server.command(&["XLEN", &log]), format!(":{}", writer.log.len()));
    assert_eq!(there.refresh(&writer.key).await.unwrap().tail().position, Some(writer.position()));
    let loaded = there.load(&writer.key).await.unwrap();
    assert_eq!(loaded.oldest.0, 1, "whoever put it back knows of it");
}
