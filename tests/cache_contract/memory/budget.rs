//! One budget for the whole process: sessions that ended longest ago make room, and what runs is never lost.

use std::sync::Arc;

use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::ports::result_cache::{
    Append, Appended, Presence, ResultCache, StoreError, reserve_of,
};

use super::{Memory, settings};
use crate::bench::{Bench, Bounds};
use crate::fixtures::{cancel, post, progress};
use crate::writer::{Writer, partial, read};

/// What a session with one ended step takes.
async fn bytes_of_one() -> usize {
    let memory = Memory::of(settings(Bounds::default()));
    Writer::new("one").begins_and_ends(&*memory.cache()).await;
    memory.0.bytes()
}

async fn with_room_for(sessions: usize) -> Memory {
    Memory::of(MemorySettings { bytes_max: sessions * bytes_of_one().await, ..settings(Bounds::default()) })
}

/// Begins and ends a session, a second after the one before.
async fn ended(memory: &Memory, name: &str) -> Writer {
    let mut writer = Writer::new(name);
    writer.begins_and_ends(&*memory.cache()).await;
    memory.pass(1_000).await;
    writer
}

async fn presence(cache: &MemoryCache, writer: &Writer) -> &'static str {
    match cache.load(&writer.key).await.unwrap().presence {
        Presence::Unknown => "unknown",
        Presence::Expired(_) | Presence::Archived(_) => "expired",
        Presence::Live(_) => "live",
    }
}

fn is_full(appended: &Result<Appended, StoreError>) -> bool {
    matches!(appended, Err(StoreError::Full(_)))
}

#[tokio::test(start_paused = true)]
async fn sessions_that_ended_longest_ago_make_room() {
    let memory = with_room_for(4).await;
    let first = ended(&memory, "1").await;
    let second = ended(&memory, "2").await;
    let third = ended(&memory, "3").await;
    let newest = ended(&memory, "4").await;
    let fifth = ended(&memory, "5").await;
    assert_eq!(presence(&memory.0, &first).await, "expired", "as if its time were over: not unknown");
    for writer in [&third, &newest, &fifth] {
        assert_eq!(presence(&memory.0, writer).await, "live", "{}", writer.key.session);
    }
    assert!(memory.0.bytes() <= 4 * bytes_of_one().await, "{}", presence(&memory.0, &second).await);
}

#[tokio::test(start_paused = true)]
async fn what_runs_is_never_let_go_and_an_append_without_room_changes_nothing() {
    let memory = with_room_for(3).await;
    let cache = memory.cache();
    let mut running = Writer::new("running");
    running.begins(&*cache).await;
    let full = loop {
        let appended = running.tries(&*cache, &[partial()]).await;
        if !matches!(appended, Ok(Appended::Stored { .. })) {
            break appended;
        }
    };
    assert!(is_full(&full), "{full:?}");
    assert_eq!(read(&*cache, &running.key, 0).await, running.log);
    assert_eq!(presence(&memory.0, &running).await, "live");
    let mut another = Writer::new("another");
    let refused = another.tries(&*cache, &[post("p").expects("crm", "r").command()]).await;
    assert!(is_full(&refused));
    assert_eq!(presence(&memory.0, &another).await, "unknown");
    assert!(cache.confirm(&running.key, running.position()).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn what_only_ends_something_has_a_reserve_and_makes_room_for_others() {
    let memory = with_room_for(3).await;
    let (cache, bound) = (memory.cache(), 3 * bytes_of_one().await);
    let mut running = Writer::new("running");
    running.begins(&*cache).await;
    while matches!(running.tries(&*cache, &[partial()]).await, Ok(Appended::Stored { .. })) {}
    let before = memory.0.bytes();
    running.writes(&*cache, &[cancel(None)]).await;
    assert!(running.state.is_ended() && memory.0.bytes() > before);
    Writer::new("another").begins(&*cache).await;
    assert_eq!(presence(&memory.0, &running).await, "expired", "what has ended gives way");
    // The reserve has a bound, too.
    let mut endless = Writer::new("endless");
    endless.begins(&*cache).await;
    let full = loop {
        let now = cache.load(&endless.key).await.unwrap().now;
        let said = [progress("p", &"x".repeat(60_000))];
        let append = Append { only_ends: true, ..endless.append_of(&said, now) };
        let appended = cache.append(&append).await;
        if !matches!(appended, Ok(Appended::Stored { .. })) {
            break appended;
        }
        endless.state = append.state;
    };
    assert!(is_full(&full), "{full:?}");
    let most = bound + reserve_of(bound);
    assert!((most - 62_000..=most).contains(&memory.0.bytes()), "{} of {most}", memory.0.bytes());
}

#[tokio::test(start_paused = true)]
async fn room_that_is_given_back_can_be_used_again() {
    let memory = with_room_for(2).await;
    let cache = memory.cache();
    for round in 0..20 {
        let mut writer = Writer::new(&format!("session-{round}"));
        writer.begins(&*cache).await;
        while matches!(writer.tries(&*cache, &[partial()]).await, Ok(Appended::Stored { .. })) {}
        assert!(cache.forget(&writer.key).await.unwrap());
        assert_eq!(memory.0.bytes(), 0, "round {round}");
    }
}

#[tokio::test(start_paused = true)]
async fn expiry_gives_back_every_byte_however_much_was_trimmed_and_replaced() {
    let bounds = Bounds { ring_entries: 5, ..Bounds::default() };
    let memory = Memory::of(settings(bounds));
    let cache = memory.cache();
    for name in ["a", "b"] {
        let mut writer = Writer::new(name);
        writer.begins(&*cache).await;
        for _ in 0..30 {
            writer.writes(&*cache, &[partial(), partial()]).await;
        }
    }
    assert!(memory.0.bytes() > 0);
    memory.pass(400_000).await;
    assert_eq!(memory.0.bytes(), 0);
}

#[tokio::test(start_paused = true)]
async fn there_are_so_many_sessions_with_data_at_most() {
    let memory = Memory::of(MemorySettings { sessions_max: 2, ..settings(Bounds::default()) });
    let cache = memory.cache();
    let mut first = ended(&memory, "1").await;
    ended(&memory, "2").await;
    let begin = [post("p").expects("crm", "r").command()];
    let mut third = Writer::new("3");
    assert!(is_full(&third.tries(&*cache, &begin).await));
    first.writes(&*cache, &[post("q").expects("crm", "r").command()]).await;
    assert!(cache.forget(&first.key).await.unwrap());
    third.writes(&*cache, &begin).await;
    assert!(is_full(&Writer::new("4").tries(&*cache, &begin).await), "the third took the place of the first");
}

#[tokio::test(start_paused = true)]
async fn there_are_so_many_tombstones_at_most_and_the_oldest_go_first() {
    let memory = Memory::of(MemorySettings { sessions_max: 2, ..settings(Bounds::default()) });
    let mut writers = Vec::new();
    for name in ["1", "2", "3", "4"] {
        writers.push(ended(&memory, name).await);
        memory.pass(60_000).await;
    }
    let mut kept = Vec::new();
    for writer in &writers {
        kept.push(presence(&memory.0, writer).await);
    }
    assert_eq!(kept, ["unknown", "unknown", "expired", "expired"]);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_comes_back_counts_among_those_with_data() {
    let memory = Memory::of(MemorySettings { sessions_max: 1, ..settings(Bounds::default()) });
    let cache: Arc<dyn ResultCache> = memory.cache();
    let mut first = ended(&memory, "1").await;
    memory.pass(60_000).await;
    ended(&memory, "2").await;
    let again = first.tries(&*cache, &[post("q").expects("crm", "r").command()]).await;
    assert!(is_full(&again), "{again:?}");
}
