//! What waits for an archive stays, and what comes back out of one (8 of the contract).

use tributary::domain::position::{Chain, Epoch, Position, Sequence};
use tributary::engine::ports::result_cache::{
    Append, Appended, Presence, Read, Restored, ResultCache, StoreError, reserve_of,
};

use crate::bench::{Bench, Bounds};
use crate::fixtures::{cancel, progress};
use crate::writer::{Writer, missed, partial, read, sequences, success};

fn few() -> Bounds {
    Bounds { ring_entries: 4, backlog_bytes: Some(1 << 20), ..Bounds::default() }
}

/// Eight entries, of which a ring keeps four.
async fn eight(cache: &dyn ResultCache) -> Writer {
    let mut writer = Writer::new("s");
    writer.begins(cache).await;
    for _ in 0..6 {
        writer.writes(cache, &[partial()]).await;
    }
    writer
}

/// The place after the entry `sequence`.
fn place(writer: &Writer, sequence: usize) -> Position {
    writer.log[sequence - 1].position(writer.position().epoch)
}

async fn kept(cache: &dyn ResultCache, writer: &Writer) -> Vec<u64> {
    let oldest = cache.load(&writer.key).await.unwrap().oldest;
    sequences(&read(cache, &writer.key, oldest.0 - 1).await)
}

pub async fn what_waits_for_the_archive_is_not_trimmed<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut writer = eight(&*cache).await;
    assert_eq!(kept(&*cache, &writer).await, [1, 2, 3, 4, 5, 6, 7, 8]);
    cache.archived(&writer.key, place(&writer, 2)).await.unwrap();
    assert_eq!(kept(&*cache, &writer).await, [3, 4, 5, 6, 7, 8], "at once");
    cache.archived(&writer.key, place(&writer, 1)).await.unwrap();
    writer.writes(&*cache, &[partial()]).await;
    assert_eq!(kept(&*cache, &writer).await, [3, 4, 5, 6, 7, 8, 9], "an archive doesn't go back");
    cache.archived(&writer.key, writer.position()).await.unwrap();
    assert_eq!(kept(&*cache, &writer).await, [6, 7, 8, 9]);
    writer.writes(&*cache, &[partial()]).await;
    assert_eq!(kept(&*cache, &writer).await, [7, 8, 9, 10], "the bound is that of the ring again");
}

pub async fn a_position_of_another_chain_lets_nothing_go<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let writer = eight(&*cache).await;
    for sequence in [3, 8, 99] {
        let elsewhere = Position { sequence: Sequence(sequence), chain: Chain(7), ..writer.position() };
        cache.archived(&writer.key, elsewhere).await.unwrap();
    }
    assert_eq!(kept(&*cache, &writer).await.len(), 8);
    cache.archived(&Writer::new("nobody").key, writer.position()).await.unwrap();
}

pub async fn a_log_that_waits_for_too_much_is_refused_more<B: Bench>() {
    let bench = B::with(Bounds { ring_bytes: 1, backlog_bytes: Some(8_192), ..Bounds::default() }).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    let refused = loop {
        match writer.tries(&*cache, &[partial()]).await {
            Ok(Appended::Stored { .. }) => {}
            Ok(Appended::Conflict(missed)) => panic!("{missed:?}"),
            Err(error) => break error,
        }
        assert!(writer.log.len() < 100, "never refused");
    };
    assert!(matches!(refused, StoreError::Backlog(_)), "{refused}");
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log, "nothing of it is lost, or was stored");
    Writer::new("other").begins(&*cache).await;
    cache.archived(&writer.key, place(&writer, 5)).await.unwrap();
    writer.writes(&*cache, &[partial()]).await;
    cache.archived(&writer.key, writer.position()).await.unwrap();
    assert_eq!(kept(&*cache, &writer).await, [writer.position().sequence.0], "the last entry stays");
}

/// Says `text` of no use until there is no room. `only_ends`: out of the reserve.
async fn fills(writer: &mut Writer, cache: &dyn ResultCache, text: &str, only_ends: bool) -> StoreError {
    for _ in 0..100 {
        let now = cache.load(&writer.key).await.unwrap().now;
        let append = Append { only_ends, ..writer.append_of(&[progress("p", text)], now) };
        match cache.append(&append).await {
            Ok(Appended::Stored { .. }) => {}
            Ok(Appended::Conflict(missed)) => panic!("{missed:?}"),
            Err(error) => return error,
        }
        writer.state = append.state;
        writer.log.extend(append.entries);
    }
    panic!("never refused")
}

pub async fn what_only_ends_something_has_a_reserve_beyond_what_may_wait<B: Bench>() {
    let bench = B::with(Bounds { ring_bytes: 1, backlog_bytes: Some(8_192), ..Bounds::default() }).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    let refused = fills(&mut writer, &*cache, "some", false).await;
    assert!(matches!(refused, StoreError::Backlog(_)), "{refused}");
    let mut endless = writer.clone();
    writer.writes(&*cache, &[cancel(None)]).await;
    assert!(writer.state.is_ended());
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log);
    // It has a bound, too.
    let bench = B::with(Bounds { ring_bytes: 1, backlog_bytes: Some(8_192), ..Bounds::default() }).await;
    let cache = bench.cache();
    endless.state = Writer::new("s").state;
    endless.log.clear();
    endless.begins(&*cache).await;
    let refused = fills(&mut endless, &*cache, &"x".repeat(60_000), true).await;
    assert!(matches!(refused, StoreError::Backlog(_)), "{refused}");
    let bytes: usize = endless.log.iter().map(|entry| entry.weight()).sum();
    let most = 8_192 + reserve_of(8_192);
    assert!((most - 62_000..=most).contains(&bytes), "{bytes} of {most}");
}

pub async fn what_waits_for_the_archive_does_not_expire<B: Bench>() {
    let bench = B::with(Bounds { backlog_bytes: Some(1 << 20), ..Bounds::default() }).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&*cache).await;
    cache.archived(&writer.key, place(&writer, writer.log.len() - 1)).await.unwrap();
    bench.pass(400_000).await;
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log);
    assert!(matches!(cache.load(&writer.key).await.unwrap().presence, Presence::Live(_)));
    cache.archived(&writer.key, writer.position()).await.unwrap();
    bench.pass(1_000).await;
    let presence = cache.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Expired(position) if position == writer.position()));
}

pub async fn without_an_archive_nothing_waits<B: Bench>() {
    let bench = B::with(Bounds { ring_entries: 4, ..Bounds::default() }).await;
    let cache = bench.cache();
    let writer = eight(&*cache).await;
    assert_eq!(kept(&*cache, &writer).await, [5, 6, 7, 8]);
    cache.archived(&writer.key, writer.position()).await.unwrap();
}

pub async fn a_log_that_only_an_archive_knows_goes_on_from_there<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut writer = Writer::at("s", above(40));
    let window = cache.follow(&writer.key).await.unwrap();
    assert!(cache.remember(&writer.key, writer.position(), true).await.unwrap());
    let presence = cache.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Expired(position) if position == writer.position()));
    let tail = window.tail();
    assert!(tail.expired && tail.ended && tail.position == Some(writer.position()));
    assert!(matches!(cache.read(&writer.key, Sequence(3), 9).await.unwrap(), Read::Trimmed { .. }));
    // Who knows nothing of it is told where the log stands.
    let ignorant = missed(Writer::new("s").tries(&*cache, &[crate::writer::begin()]).await);
    assert_eq!(ignorant.state.map(|state| state.position), Some(writer.position()));
    writer.begins(&*cache).await;
    assert_eq!(kept(&*cache, &writer).await, [41]);
    for _ in 0..6 {
        writer.writes(&*cache, &[partial()]).await;
    }
    assert_eq!(kept(&*cache, &writer).await.len(), writer.log.len(), "none of them is archived");
}

fn above(sequence: u64) -> Position {
    Position { sequence: Sequence(sequence), ..Position::start(Epoch::from_random(fastrand::u32(..))) }
}

pub async fn what_is_known_is_not_remembered_anew<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&*cache).await;
    assert!(!cache.remember(&writer.key, above(40), true).await.unwrap());
    cache.archived(&writer.key, writer.position()).await.unwrap();
    bench.pass(60_000).await;
    assert!(!cache.remember(&writer.key, above(40), true).await.unwrap(), "nor what has expired");
    let presence = cache.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Expired(position) if position == writer.position()));
}

/// What an archive makes of a session's log.
fn restored(writer: &Writer) -> Restored {
    let latest = vec![writer.log[0].clone(), writer.log[7].clone()];
    Restored { state: writer.state.clone(), latest, left: writer.position() }
}

pub async fn a_session_is_brought_back_as_it_was<B: Bench>() {
    let elsewhere = B::with(few()).await;
    let mut writer = eight(&*elsewhere.cache()).await;
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let window = cache.follow(&writer.key).await.unwrap();
    assert!(cache.restore(&writer.key, &restored(&writer)).await.unwrap());
    let loaded = cache.load(&writer.key).await.unwrap();
    assert!(matches!(&loaded.presence, Presence::Live(state) if *state == writer.state));
    assert_eq!(loaded.oldest, Sequence(9), "without its entries");
    assert_eq!(cache.sessions(&writer.key.tenant, None, 9).await.unwrap(), [writer.state.clone().into()]);
    assert!(cache.confirm(&writer.key, writer.position()).await.unwrap().is_none());
    writer.writes(&*cache, &[partial(), success()]).await;
    assert_eq!(window.tail().position, Some(writer.position()), "its readers follow");
    assert_eq!(read(&*cache, &writer.key, 8).await, writer.log[8..]);
    let snapshot = cache.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(sequences(&snapshot.entries)[0], 1, "what was archived is part of it");
    cache.archived(&writer.key, writer.position()).await.unwrap();
    bench.pass(60_000).await;
    let presence = cache.load(&writer.key).await.unwrap().presence;
    assert!(matches!(presence, Presence::Expired(_)), "its time begins anew, and ends");
}

pub async fn a_session_is_not_brought_back_over_another<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let elsewhere = B::with(few()).await;
    let old = eight(&*elsewhere.cache()).await;
    let mut new = Writer::new("s");
    new.begins_and_ends(&*cache).await;
    assert!(!cache.restore(&old.key, &restored(&old)).await.unwrap(), "there is data");
    cache.archived(&new.key, new.position()).await.unwrap();
    bench.pass(60_000).await;
    assert!(!cache.restore(&old.key, &restored(&old)).await.unwrap(), "its log goes on elsewhere");
    let own = Restored { state: new.state.clone(), latest: Vec::new(), left: new.position() };
    assert!(cache.restore(&new.key, &own).await.unwrap());
    assert!(matches!(cache.load(&new.key).await.unwrap().presence, Presence::Live(_)));
}
