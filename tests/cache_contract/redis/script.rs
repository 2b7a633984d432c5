//! The script that appends: what it refuses it leaves as it was, and it writes no more than it must.

use std::sync::atomic::{AtomicI64, Ordering};

use tributary::domain::position::Position;
use tributary::domain::record::{Output, Record};
use tributary::domain::time::Timestamp;
use tributary::edge::cache::{RedisCache, RedisSettings};
use tributary::engine::ports::result_cache::{Append, Appended, ResultCache, StoreError};

use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, begin, missed, partial, success};

/// A session of three appends.
pub struct Scene {
    pub server: RedisServer,
    pub cache: RedisCache,
    pub writer: Writer,
    /// What it would append next.
    pub next: Append,
    /// The time that is set; 0: Redis' own.
    now: AtomicI64,
}

impl Scene {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut RedisSettings)) -> Self {
        let server = RedisServer::start();
        let mut settings = settings(&server, Bounds::default());
        change(&mut settings);
        let cache = RedisCache::connect(settings).await.unwrap();
        let mut writer = Writer::new("s");
        writer.begins(&cache).await.writes(&cache, &[partial()]).await.writes(&cache, &[partial()]).await;
        let next = writer.append_of(&[partial()], cache.load(&writer.key).await.unwrap().now);
        Self { server, cache, writer, next, now: AtomicI64::new(0) }
    }

    /// The clock stands still from now on.
    fn at(&self, now: Timestamp) {
        self.now.store(now.0, Ordering::Relaxed);
        self.cache.set_now(now);
    }

    /// Sets a field, and in the place the byte that goes with it.
    fn set(&self, field: &str, value: &str, byte: usize, of: u8) {
        let set = "redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
            local place = redis.call('HGET', KEYS[1], 'place')
            local at = tonumber(ARGV[3])
            place = string.sub(place, 1, at - 1) .. string.char(ARGV[4]) .. string.sub(place, at + 1)
            return redis.call('HSET', KEYS[1], 'place', place)";
        let [meta, ..] = keys_of("s");
        let (byte, of) = (byte.to_string(), of.to_string());
        let told = self.server.command(&["EVAL", set, "1", &meta, field, value, &byte, &of]);
        assert_eq!(told, ":0", "the place was there");
    }

    /// Whose turn it is, and until when.
    fn set_turn(&self, turn: &str, until: i64) {
        self.set("turn", turn, 2, 1);
        self.set("turn_until", &until.to_string(), 2, 1);
    }

    /// As a version would that writes this format.
    fn set_format(&self, format: u8) {
        self.set("format", &format.to_string(), 1, format);
    }

    /// Everything that the store holds of the session.
    pub fn kept(&self) -> Vec<String> {
        let [meta, log, latest] = &keys_of("s");
        let asked: [&[&str]; 4] =
            [&["HGETALL", meta], &["XRANGE", log, "-", "+"], &["HGETALL", latest], &["DBSIZE"]];
        asked.map(|words| String::from_utf8_lossy(&self.server.raw(words)).into_owned()).to_vec()
    }

    /// Appends what can't be, by somebody who knows nothing but that; nothing must have changed.
    async fn refused(&self, append: &Append) -> Result<Appended, StoreError> {
        let before = self.kept();
        let stranger = RedisCache::connect(settings(&self.server, Bounds::default())).await.unwrap();
        stranger.set_now(Timestamp(self.now.load(Ordering::Relaxed)));
        let told = stranger.append(append).await;
        assert!(!matches!(told, Ok(Appended::Stored { .. })), "{told:?}");
        assert_eq!(self.kept(), before);
        told
    }
}

#[tokio::test]
async fn an_append_elsewhere_changes_nothing() {
    let scene = Scene::new().await;
    let at = |place: Position| Append { expected: place, ..scene.next.clone() };
    let place = scene.next.expected;
    let behind =
        Position { sequence: place.sequence.previous(), chain: scene.writer.log[2].previous_chain, ..place };
    let ahead = Position { sequence: place.sequence.next(), ..place };
    let fork = Position { chain: behind.chain, ..place };
    let epoch = Position { epoch: "abcdef".parse().unwrap(), ..place };
    let start = Position::start("abcdef".parse().unwrap());
    for place in [behind, ahead, fork, epoch, start] {
        missed(scene.refused(&at(place)).await);
    }
}

#[tokio::test]
async fn an_append_to_a_log_without_a_place_changes_nothing() {
    let mut scene = Scene::new().await;
    // Who holds the session would put the place back.
    scene.cache = RedisCache::connect(settings(&scene.server, Bounds::default())).await.unwrap();
    assert_eq!(scene.server.command(&["DEL", &keys_of("s")[0]]), ":1");
    missed(scene.refused(&scene.next).await);
    let start = Position::start("abcdef".parse().unwrap());
    missed(scene.refused(&Append { expected: start, ..scene.next.clone() }).await);
}

#[tokio::test]
async fn what_a_newer_version_wrote_is_left_alone() {
    let scene = Scene::new().await;
    scene.set_format(3);
    let told = scene.refused(&scene.next).await;
    let is_newer = |error: &StoreError| matches!(error, StoreError::Newer(why) if why.contains("format 3"));
    assert!(is_newer(&told.unwrap_err()));
    let (cache, key, before) = (&scene.cache, &scene.writer.key, scene.kept());
    let Record::Subagent { output, .. } = &scene.writer.log[2].record else {
        panic!("{:?}", scene.writer.log[2])
    };
    let output: Output = output.clone();
    let refusals = [
        cache.load(key).await.err(),
        cache.confirm(key, scene.writer.position()).await.err(),
        cache.follow(key).await.err(),
        cache.snapshot(key).await.err(),
        cache.note_late(key, output).await.err(),
        cache.forget(key).await.err(),
    ];
    for (index, refusal) in refusals.iter().enumerate() {
        assert!(refusal.as_ref().is_some_and(is_newer), "call {index}: {refusal:?}");
    }
    assert_eq!(scene.kept(), before);
    scene.set_format(2);
    assert!(matches!(cache.append(&scene.next).await, Ok(Appended::Stored { .. })));
}

#[tokio::test]
async fn an_append_in_anothers_turn_changes_nothing() {
    let scene = Scene::new().await;
    let now = scene.writer.state.last_at;
    scene.set_turn("another", now.0 + 400);
    scene.at(now);
    let told = scene.refused(&scene.next).await.unwrap_err();
    assert!(matches!(told, StoreError::Unavailable(_)), "{told:?}");
    // A turn that is over holds nobody back, nor one that is longer than any: the clock went back.
    scene.set_turn("another", now.0 - 1);
    assert!(matches!(scene.cache.append(&scene.next).await, Ok(Appended::Stored { .. })));
    let scene = Scene::new().await;
    scene.set_turn("another", 99_999_999_999_999);
    assert!(matches!(scene.cache.append(&scene.next).await, Ok(Appended::Stored { .. })));
}

#[tokio::test]
async fn a_full_redis_is_told_and_changes_nothing() {
    let scene = Scene::new().await;
    scene.server.expect_ok(&["CONFIG", "SET", "maxmemory", "1"]);
    let told = scene.refused(&scene.next).await.unwrap_err();
    assert!(matches!(told, StoreError::Full(_)), "{told:?}");
    scene.server.expect_ok(&["CONFIG", "SET", "maxmemory", "0"]);
    assert!(matches!(scene.cache.append(&scene.next).await, Ok(Appended::Stored { .. })));
}

#[tokio::test]
async fn an_archive_that_is_behind_holds_appends_back_and_changes_nothing() {
    let scene = Scene::with(|settings| (settings.is_gated, settings.ring_bytes_hard) = (true, 4_096)).await;
    let before = scene.kept();
    let mut writer = scene.writer.clone();
    let many = vec![partial(); 12];
    let told = writer.tries(&scene.cache, &many).await;
    assert!(matches!(told, Err(StoreError::Backlog(_))), "{told:?}");
    assert_eq!(scene.kept(), before);
}

/// How often a command was called since the counts were set to nothing.
fn calls(server: &RedisServer, command: &str) -> u64 {
    let stats = server.text(&["INFO", "commandstats"]);
    let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:calls=")));
    line.map_or(0, |line| line.split(',').next().unwrap().parse().unwrap())
}

#[tokio::test]
async fn keys_expire_by_themselves_and_that_is_seldom_renewed() {
    let scene = Scene::new().await;
    let bounds = Bounds::default();
    let mut writer = scene.writer.clone();
    scene.server.expect_ok(&["CONFIG", "RESETSTAT"]);
    for _ in 0..100 {
        writer.writes(&scene.cache, &[partial()]).await;
    }
    assert_eq!(calls(&scene.server, "evalsha"), 200, "an append, and a look at the clock before it");
    assert!(calls(&scene.server, "pexpire") <= 3, "at most once for each key");
    let left = keys_of("s").map(|key| {
        let left = scene.server.command(&["PTTL", &key]);
        left.trim_start_matches(':').parse::<i64>().unwrap()
    });
    let (ttl, tombstone) = (bounds.ttl_ms as i64, bounds.tombstone_ms as i64);
    // The running deadline of a second keeps the data five minutes.
    let data = ttl.max(301_000)..=ttl.max(301_000) + ttl;
    let [meta, log, latest] = left;
    assert!(data.contains(&(log + 5_000)) && data.contains(&(latest + 5_000)), "{left:?}");
    assert!(meta > tombstone + log - 5_000, "{left:?}");
    // What has ended isn't kept for the time that it had left.
    writer.writes(&scene.cache, &[success()]).await;
    for key in &keys_of("s")[1..] {
        let left: i64 = scene.server.command(&["PTTL", key]).trim_start_matches(':').parse().unwrap();
        assert!((1..=ttl + ttl / 4).contains(&left), "{key}: {left}");
    }
}

/// Everything that a server holds of the session, in an order of its own.
fn held(server: &RedisServer) -> Vec<String> {
    let [meta, log, latest] = keys_of("s");
    let asked: [&[&str]; 5] = [
        &["HGETALL", &meta],
        &["XRANGE", &log, "-", "+"],
        &["HGETALL", &latest],
        &["PTTL", &log],
        &["EVAL", "return redis.call('HGET', KEYS[1], 'place')", "1", &meta],
    ];
    let mut lines: Vec<String> = Vec::new();
    for words in asked {
        let told = server.raw(words);
        lines.extend(told.split(|byte| *byte == b'\n').map(|line| format!("{line:?}")));
    }
    // Only a rest of a life may differ, by what passed between the two appends.
    lines.retain(|line| !line.starts_with("[58, "));
    lines.sort();
    lines
}

/// The script's first part does what the whole of it does: a mark in the place keeps it from that at one of two servers.
#[tokio::test]
async fn an_append_is_stored_alike_by_the_first_part_of_the_script_and_by_the_whole() {
    let servers = [RedisServer::start(), RedisServer::start()];
    let bounds = Bounds { ring_entries: 24, ..Bounds::default() };
    let mut caches = Vec::new();
    for server in &servers {
        caches.push(RedisCache::connect(settings(server, bounds)).await.unwrap());
    }
    let mut writer = Writer::new("s");
    let appends = [vec![begin()], vec![partial()], vec![partial(); 3], vec![partial()], vec![partial(); 6]];
    let many = std::iter::repeat_n(vec![partial()], 16).chain([vec![success()]]);
    let mut at = 1_900_000_000_000;
    for commands in appends.into_iter().chain(many) {
        at += 1_234;
        let append = writer.append_of(&commands, Timestamp(at));
        for (index, cache) in caches.iter().enumerate() {
            cache.set_now(Timestamp(at));
            if index == 1 && !writer.log.is_empty() {
                set_mark(&servers[1]);
            }
            let told = cache.append(&append).await;
            assert!(matches!(told, Ok(Appended::Stored { now }) if now == Timestamp(at)), "{told:?}");
        }
        writer.state = append.state;
        writer.log.extend(append.entries);
        assert_eq!(held(&servers[0]), held(&servers[1]), "after {} entries", writer.log.len());
    }
    let whole = servers.each_ref().map(|server| calls(server, "hmget"));
    assert!(whole[0] > 4 && whole[1] > whole[0] + 8, "what is trimmed is stored by the whole: {whole:?}");
}

/// As if a turn were to be looked at.
fn set_mark(server: &RedisServer) {
    let set = "local place = redis.call('HGET', KEYS[1], 'place')
        return redis.call('HSET', KEYS[1], 'place', string.sub(place, 1, 1) .. '\\1' .. string.sub(place, 3))";
    assert_eq!(server.command(&["EVAL", set, "1", &keys_of("s")[0]]), ":0");
}
