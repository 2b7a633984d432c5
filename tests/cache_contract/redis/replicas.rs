//! Several replicas on one Redis: answers and messages that get lost, and keys that Redis let go.

use std::sync::Arc;
use std::time::Duration;

use tributary::domain::position::Sequence;
use tributary::edge::cache::RedisCache;
use tributary::engine::mux::StartAt;
use tributary::engine::ports::result_cache::{Appended, Presence, Read, ResultCache, StoreError};

use super::line::Line;
use super::log::Log;
use super::waiting::eventually;
use super::{keys_of, settings, settings_at};
use crate::bench::Bounds;
use crate::reading::{next, reader};
use crate::redis_server::RedisServer;
use crate::writer::{Writer, missed, partial, read};

/// A Redis, a replica on it, and another behind a line.
struct Scene {
    server: RedisServer,
    steady: RedisCache,
    line: Line,
    behind: RedisCache,
}

impl Scene {
    async fn new() -> Self {
        let server = RedisServer::start();
        let line = Line::to(server.port).await;
        let mut settings = settings_at(line.url(), Bounds::default());
        // Longer than a machine stands still.
        settings.address.response_timeout = Duration::from_secs(4);
        settings.address.connection_timeout = Duration::from_secs(4);
        let behind = RedisCache::connect(settings).await.unwrap();
        let steady = RedisCache::connect(super::settings(&server, Bounds::default())).await.unwrap();
        Self { server, steady, line, behind }
    }
}

#[tokio::test]
async fn an_append_whose_answer_was_lost_is_found_by_its_id() {
    let scene = Scene::new().await;
    let mut writer = Writer::new("s");
    // Redis knows the scripts then: what is lost is an append's answer.
    writer.begins(&scene.behind).await.writes(&scene.behind, &[partial()]).await;
    // One lost answer is asked for again at once; where the line stays bad, the caller does.
    for lost in [1, usize::MAX] {
        let append = writer.append_of(&[partial()], scene.behind.load(&writer.key).await.unwrap().now);
        scene.line.lose_answers(lost);
        let mut told = scene.behind.append(&append).await;
        if lost > 1 {
            assert_eq!(told.unwrap_err(), StoreError::TimedOut, "it may have been stored");
            scene.line.lose_answers(0);
            told = eventually("the line", async || {
                let again = scene.behind.append(&append).await;
                (!matches!(again, Err(StoreError::TimedOut))).then_some(again)
            })
            .await;
        }
        let found = missed(told);
        assert_eq!(found.entries.first().unwrap().append_id, append.append_id);
        assert_eq!(found.entries, append.entries);
        writer.state = append.state;
        writer.log.extend(append.entries);
        assert_eq!(read(&scene.steady, &writer.key, 0).await, writer.log, "once");
    }
    writer.writes(&scene.behind, &[partial()]).await;
}

#[tokio::test]
async fn a_lost_last_message_is_noticed_by_a_look_at_the_places() {
    let scene = Scene::new().await;
    let mut writer = Writer::new("s");
    writer.begins(&scene.steady).await;
    let window = scene.behind.follow(&writer.key).await.unwrap();
    scene.line.mute(true);
    writer.writes(&scene.steady, &[partial()]).await;
    eventually("the message", async || (scene.line.muted() > 0).then_some(())).await;
    scene.line.mute(false);
    scene.behind.sweep(false).await;
    assert_ne!(window.tail().position, Some(writer.position()), "it was the last: nothing tells of it");
    scene.behind.sweep(true).await;
    assert_eq!(window.tail().position, Some(writer.position()));
    assert_eq!(window.after(Sequence(0), usize::MAX).unwrap(), writer.log);
}

#[tokio::test]
async fn a_reader_is_judged_by_what_the_store_knows() {
    let Scene { server: _server, steady, line, behind } = Scene::new().await;
    let mut writer = Writer::new("s");
    writer.begins(&steady).await;
    let window = behind.follow(&writer.key).await.unwrap();
    line.mute(true);
    writer.writes(&steady, &[partial()]).await;
    eventually("the message", async || (line.muted() > 0).then_some(())).await;
    line.mute(false);
    assert_ne!(window.tail().position, Some(writer.position()), "the window is behind");
    let mut reader = reader(Arc::new(behind), &writer.key, StartAt::Cursor(writer.position())).await;
    let text = next(&mut reader).await;
    assert!(text.contains(r#""recovered":true,"reason":"ok""#), "{text}");
}

#[tokio::test]
async fn a_lost_message_is_filled_in_when_the_next_one_comes() {
    let scene = Scene::new().await;
    let mut writer = Writer::new("s");
    writer.begins(&scene.steady).await;
    let window = scene.behind.follow(&writer.key).await.unwrap();
    scene.line.mute(true);
    writer.writes(&scene.steady, &[partial()]).await;
    eventually("the message", async || (scene.line.muted() > 0).then_some(())).await;
    scene.line.mute(false);
    writer.writes(&scene.steady, &[partial()]).await;
    let position = Some(writer.position());
    eventually("the hole to be filled", async || (window.tail().position == position).then_some(())).await;
    assert_eq!(window.after(Sequence(0), usize::MAX).unwrap(), writer.log);
}

/// Two replicas that both have a session of some entries in their windows, and one that knows nothing.
async fn followed() -> (RedisServer, [RedisCache; 3], Writer) {
    let server = RedisServer::start();
    let connect = async || RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let replicas = [connect().await, connect().await, connect().await];
    let mut writer = Writer::new("s");
    writer.begins(&replicas[0]).await.writes(&replicas[0], &[partial(), partial()]).await;
    (server, replicas, writer)
}

fn delete(server: &RedisServer, what: usize) {
    assert_eq!(server.command(&["DEL", &keys_of("s")[what]]), ":1");
}

/// Whatever a replica gets stored now, its sequences go on above what was there.
async fn goes_on_above(replica: &RedisCache, writer: &mut Writer) {
    let before = writer.position();
    let told = replica.confirm(&writer.key, before).await.unwrap();
    if let Some(missed) = told {
        // It was told to begin elsewhere.
        assert_eq!(missed.entries, []);
        let state = missed.state.expect("the state where the entries don't lead there");
        assert!(state.position.sequence >= before.sequence && state.position.epoch != before.epoch);
        writer.state = state;
        writer.log.clear();
        writer.begins(replica).await;
    } else {
        writer.writes(replica, &[partial()]).await;
    }
    assert!(writer.position().sequence > before.sequence);
    let loaded = replica.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
}

#[tokio::test]
async fn a_log_that_redis_let_go_is_told_as_trimmed() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    drop((here, there));
    delete(&server, 1);
    let old = writer.position();
    let told = stranger.read(&writer.key, Sequence(0), 100).await.unwrap();
    assert!(matches!(told, Read::Trimmed { oldest } if oldest == old.sequence.next()), "{told:?}");
    goes_on_above(&stranger, &mut writer).await;
    assert_eq!(writer.position().epoch, old.epoch, "the place is known");
    let rest = read(&stranger, &writer.key, old.sequence.0).await;
    assert_eq!(rest[0].previous_chain, old.chain);
    let told = stranger.read(&writer.key, Sequence(1), 100).await.unwrap();
    assert!(matches!(told, Read::Trimmed { .. }), "{told:?}");
}

#[tokio::test]
async fn a_log_that_redis_let_go_is_put_back_by_who_holds_it() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    there.follow(&writer.key).await.unwrap();
    let stored = || server.raw(&["XRANGE", &keys_of("s")[1], "-", "+"]);
    let log = stored();
    delete(&server, 1);
    here.load(&writer.key).await.unwrap();
    assert_eq!(stored(), log, "byte for byte");
    delete(&server, 1);
    there.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(), log, "by whoever holds it");
    // Also where it went on before anybody looked.
    let append = writer.append_of(&[partial()], here.load(&writer.key).await.unwrap().now);
    delete(&server, 1);
    assert!(matches!(here.append(&append).await, Ok(Appended::Stored { .. })));
    writer.log.extend(append.entries);
    assert_eq!(server.command(&["XLEN", &keys_of("s")[1]]), ":1");
    there.refresh(&writer.key).await.unwrap();
    assert_eq!(read(&stranger, &writer.key, 0).await, writer.log);
    // The place stays for another `tombstone_ms`.
    let [meta, log, _] = keys_of("s").map(|key| server.command(&["PTTL", &key])[1..].parse::<i64>().unwrap());
    let tombstone_ms = Bounds::default().tombstone_ms as i64;
    assert!(log > 0 && (meta - tombstone_ms - log).abs() < 1_000, "{log} of {meta}");
}

#[tokio::test]
async fn a_log_that_redis_let_go_is_put_back_as_far_as_somebody_holds_it() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    drop(there);
    // Here only the end is held.
    let log = writer.log.clone();
    delete(&server, 1);
    writer.writes(&stranger, &[partial()]).await.writes(&stranger, &[partial()]).await;
    let before = server.command(&["XLEN", &keys_of("s")[1]]);
    delete(&server, 1);
    stranger.load(&writer.key).await.unwrap();
    assert_eq!(server.command(&["XLEN", &keys_of("s")[1]]), before, "what it saw of it");
    // Who holds what came before finds it lacking still.
    drop(stranger);
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(read(&here, &writer.key, 0).await[..log.len()], log[..]);
}

#[tokio::test]
async fn a_place_that_redis_let_go_is_put_back_by_who_holds_the_log() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    let window = there.follow(&writer.key).await.unwrap();
    delete(&server, 0);
    let old = writer.position();
    goes_on_above(&here, &mut writer).await;
    assert_eq!(writer.position().epoch, old.epoch, "nothing was lost");
    eventually("a reader", async || (window.tail().position == Some(writer.position())).then_some(())).await;
    assert_eq!(read(&stranger, &writer.key, 0).await, writer.log);
}

#[tokio::test]
async fn a_place_that_redis_let_go_is_put_back_for_who_asks_elsewhere() {
    let (server, [here, there, stranger], writer) = followed().await;
    there.follow(&writer.key).await.unwrap();
    drop(here);
    delete(&server, 0);
    let loaded = stranger.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
    assert_eq!(read(&stranger, &writer.key, 0).await, writer.log);
}

#[tokio::test]
async fn a_place_that_nobody_holds_begins_anew_above_the_log() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    drop((here, there));
    delete(&server, 0);
    let old = writer.position();
    assert!(matches!(stranger.load(&writer.key).await.unwrap().presence, Presence::Unknown));
    goes_on_above(&stranger, &mut writer).await;
    assert_ne!(writer.position().epoch, old.epoch, "readers are told by verdict");
    assert_eq!(writer.log[0].sequence, old.sequence.next());
}

/// A replica that holds a session's beginning, what it knows, and a store that has more and let go of the place.
async fn behind_a_log_without_a_place() -> (Scene, Writer, Writer) {
    let scene = Scene::new().await;
    let mut writer = Writer::new("s");
    writer.begins(&scene.steady).await;
    scene.behind.follow(&writer.key).await.unwrap();
    let late = writer.clone();
    scene.line.mute(true);
    writer.writes(&scene.steady, &[partial(), partial()]).await;
    eventually("the message", async || (scene.line.muted() > 0).then_some(())).await;
    scene.line.mute(false);
    delete(&scene.server, 0);
    (scene, late, writer)
}

#[tokio::test]
async fn a_replica_that_holds_less_than_the_log_reads_the_rest_before_it_puts_the_place_back() {
    let (scene, late, writer) = behind_a_log_without_a_place().await;
    drop(scene.steady);
    let told = scene.behind.confirm(&late.key, late.position()).await.unwrap().expect("there is more");
    assert_eq!(told.entries, writer.log[late.log.len()..]);
    let presence = scene.behind.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Live(state) if state.position == writer.position()));
}

#[tokio::test]
async fn a_replica_that_holds_less_than_a_log_with_a_hole_does_not_take_its_place() {
    let (scene, mut late, writer) = behind_a_log_without_a_place().await;
    let missing = format!("{}-0", late.position().sequence.next());
    assert_eq!(scene.server.command(&["XDEL", &keys_of("s")[1], &missing]), ":1");
    drop(scene.steady);
    goes_on_above(&scene.behind, &mut late).await;
    assert!(late.position().sequence > writer.position().sequence);
}

#[tokio::test]
async fn the_newest_events_that_redis_let_go_are_put_back_out_of_the_log() {
    let (server, [here, there, stranger], mut writer) = followed().await;
    let whole = here.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(whole.entries.len(), 2, "the step's beginning, and the last partial");
    delete(&server, 2);
    let old = writer.position();
    let snapshot = stranger.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!((snapshot.position, snapshot.entries), (old, whole.entries));
    assert!(snapshot.misses.is_none());
    let latest = &keys_of("s")[2];
    assert_eq!(server.command(&["HLEN", latest]), ":2", "for whoever asks next");
    assert_ne!(server.command(&["PTTL", latest]), ":-1", "it goes with the log");
    goes_on_above(&there, &mut writer).await;
    assert_eq!(writer.position().epoch, old.epoch);
    assert_eq!(read(&here, &writer.key, 0).await, writer.log);
    let snapshot = here.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(snapshot.entries, [writer.log[0].clone(), writer.log.last().unwrap().clone()]);
}

#[tokio::test]
async fn the_newest_events_that_redis_let_go_are_missing_where_its_log_went_too() {
    let (server, [here, there, stranger], writer) = followed().await;
    drop((here, there));
    delete(&server, 1);
    delete(&server, 2);
    let snapshot = stranger.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!((snapshot.position, snapshot.entries.len()), (writer.position(), 0));
    assert!(snapshot.misses.is_some(), "it says so");
}

#[tokio::test]
async fn a_window_that_could_not_be_compared_when_the_line_came_back_is_compared_later() {
    let scene = Scene::new().await;
    let mut writer = Writer::new("s");
    writer.begins(&scene.behind).await;
    let followed = Writer::new("followed").begins(&scene.behind).await.key.clone();
    let _window = scene.behind.follow(&followed).await.unwrap();
    let (log, _guard) = Log::keep();
    let [meta, entries, latest] = keys_of("s");
    assert_eq!(scene.server.command(&["DEL", &meta, &entries, &latest]), ":3");
    scene.line.silence_scripts(true);
    assert_eq!(scene.server.command(&["CLIENT", "KILL", "TYPE", "pubsub"]), ":2", "a line for each replica");
    eventually("a comparison that fails", async || {
        log.text().contains("a window is not up to date").then_some(())
    })
    .await;
    scene.line.silence_scripts(false);
    // Nobody reads the session, or writes into it: only a look at it all can find out.
    eventually("what was lost", async || {
        scene.behind.sweep(true).await;
        (scene.server.command(&["EXISTS", &meta]) == ":1").then_some(())
    })
    .await;
}
