//! Sessions that an older version wrote go on, and what this one writes an older one can't harm.

use tributary::domain::position::Position;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Append, Presence, ResultCache};

use super::script::Scene;
use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, missed, partial, read, sequences};

/// Writes a session's place as format 1 did, in a field each.
const AS_FORMAT_1: &str = "local meta, place = KEYS[1], redis.call('HGET', KEYS[1], 'place')
    local _, _, epoch, sequence, chain, oldest, bytes, expires, renew, archived =
        struct.unpack('>BBc16I8c8I8I8I8I8I8', place)
    chain = string.gsub(chain, '.', function(byte) return string.format('%02x', string.byte(byte)) end)
    epoch = string.gsub(epoch, '%z', '')
    redis.call('HDEL', meta, 'place')
    redis.call('HSET', meta, 'format', 1, 'epoch', epoch, 'sequence', sequence, 'chain', chain, 'oldest', oldest,
        'bytes', bytes, 'expires', expires)
    if renew > 0 then redis.call('HSET', meta, 'renew', renew) end
    if archived > 0 then redis.call('HSET', meta, 'archived', archived) end
    return 1";

fn as_format_1(server: &RedisServer) {
    assert_eq!(server.command(&["EVAL", AS_FORMAT_1, "1", &keys_of("s")[0]]), ":1");
    assert_eq!(fields(server), ["bytes", "chain", "epoch", "expires", "format 1", "oldest", "sequence"]);
}

/// What `meta` says of the place and its format, but for `renew` and `archived`.
fn fields(server: &RedisServer) -> Vec<String> {
    let [meta, ..] = keys_of("s");
    let names = ["bytes", "chain", "epoch", "expires", "oldest", "place", "sequence"];
    let is_there = |name: &&str| server.command(&["HEXISTS", &meta, name]) == ":1";
    let mut there: Vec<String> = names.into_iter().filter(is_there).map(str::to_owned).collect();
    there.push(format!("format {}", server.text(&["HGET", &meta, "format"])));
    there.sort();
    there
}

/// What is left of them where the place is one field: what keeps older versions off.
const OF_FORMAT_2: [&str; 4] = ["epoch", "format 2", "place", "sequence"];

async fn replica(server: &RedisServer) -> RedisCache {
    RedisCache::connect(settings(server, Bounds::default())).await.unwrap()
}

async fn live(cache: &dyn ResultCache, writer: &Writer) -> Position {
    match cache.load(&writer.key).await.unwrap().presence {
        Presence::Live(state) => {
            assert_eq!(state, writer.state);
            state.position
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_session_of_format_1_is_read_and_goes_on_with_the_next_append() {
    let scene = Scene::new().await;
    as_format_1(&scene.server);
    let (cache, mut writer) = (replica(&scene.server).await, scene.writer.clone());
    assert_eq!(live(&cache, &writer).await, writer.position());
    assert!(cache.confirm(&writer.key, writer.position()).await.unwrap().is_none());
    assert_eq!(sequences(&read(&cache, &writer.key, 0).await), sequences(&writer.log));
    let before = scene.kept();
    let elsewhere = Position { sequence: writer.position().sequence.previous(), ..writer.position() };
    let append = Append { expected: elsewhere, ..scene.next.clone() };
    missed(replica(&scene.server).await.append(&append).await);
    assert_eq!(scene.kept(), before, "a conflict leaves it as it was");

    writer.writes(&cache, &[partial()]).await;
    assert_eq!(fields(&scene.server), OF_FORMAT_2);
    // The replica that began it finds it where it stands now.
    assert_eq!(live(&scene.cache, &writer).await, writer.position());
    writer.writes(&scene.cache, &[partial()]).await;
    assert_eq!(sequences(&read(&replica(&scene.server).await, &writer.key, 0).await), sequences(&writer.log));
}

#[tokio::test]
async fn what_an_archive_says_of_a_session_of_format_1_is_kept() {
    let scene = Scene::with(|settings| settings.is_gated = true).await;
    as_format_1(&scene.server);
    let (cache, mut writer) = (&scene.cache, scene.writer.clone());
    cache.archived(&writer.key, writer.position()).await.unwrap();
    assert_eq!(fields(&scene.server), OF_FORMAT_2);
    let left = keys_of("s").map(|key| scene.server.command(&["PTTL", &key]));
    assert!(left.iter().all(|left| !left.starts_with(":-")), "they expire: {left:?}");
    writer.writes(cache, &[partial()]).await;
    let left = keys_of("s").map(|key| scene.server.command(&["PTTL", &key]));
    assert_eq!(left, [":-1", ":-1", ":-1"], "what waits for the archive doesn't expire");
    assert_eq!(live(cache, &writer).await, writer.position());
}

/// Runs a script of format 1. What it gives, or that it failed.
fn run_of_format_1(server: &RedisServer, text: &str, keys: usize, arguments: &[&str]) -> String {
    let text = [include_str!("format_1/common.lua"), text].concat();
    let (names, count) = (keys_of("s"), keys.to_string());
    let mut words = vec!["EVAL", &text, &count];
    words.extend(names[..keys].iter().map(String::as_str));
    words.extend(arguments);
    server.command(&words)
}

/// Its appends, deletions and late results are refused by the format's number; these scripts didn't look at it.
#[tokio::test]
async fn scripts_of_format_1_change_nothing_of_what_this_version_wrote() {
    let scene = Scene::new().await;
    let place = scene.writer.position();
    let (epoch, sequence, chain) =
        (place.epoch.to_string(), place.sequence.to_string(), place.chain.to_string());
    let at = [&*epoch, &sequence, &chain];
    let before = scene.kept();
    for lives in ["0", "60000"] {
        let restored = [&["0", "1"], &at[..], &[lives, "600000", "0"]].concat();
        let told = run_of_format_1(&scene.server, include_str!("format_1/restore.lua"), 3, &restored);
        assert!(told.starts_with("-ERR"), "{told}");
    }
    let second = &scene.writer.log[1];
    for (sequence, chain) in [(place.sequence.0, place.chain), (2, second.chain)] {
        let script = include_str!("format_1/archived.lua").replace("ARGV[4]", "LAST");
        let bytes: Vec<String> = chain.0.to_be_bytes().iter().map(u8::to_string).collect();
        let script = format!("local LAST = string.char({})\n{script}", bytes.join(", "));
        let archived = ["0", &sequence.to_string(), &chain.to_string(), "", "600000", "10000", "1000000"];
        let told = run_of_format_1(&scene.server, &script, 3, &archived);
        assert!(told.starts_with("-ERR"), "{told}");
    }
    let rotated = [&at[..], &["abcdef", "9", "0123456789abcdef", "channel", "message", "*"]].concat();
    assert_eq!(run_of_format_1(&scene.server, include_str!("format_1/rotate.lua"), 2, &rotated), ":0");
    let replaced = [
        &["0"],
        &at[..],
        &["abcdef", "9", "0123456789abcdef", "1", "*", "0", "60000", "0", "600000", "0", "channel", "m", "0"],
    ]
    .concat();
    assert_eq!(run_of_format_1(&scene.server, include_str!("format_1/replace.lua"), 3, &replaced), ":0");
    assert_eq!(scene.kept(), before);
}
