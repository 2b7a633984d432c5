//! Places for sessions that nobody began: readers may wait for one, but it goes when they do.

use std::sync::Arc;

use super::{Memory, settings};
use crate::bench::{Bench, Bounds};
use crate::fixtures::session_key;
use crate::writer::Writer;

#[tokio::test(start_paused = true)]
async fn the_place_of_a_reader_who_left_goes_with_the_next_sweep() {
    let memory = Memory::of(settings(Bounds::default()));
    let cache = memory.cache();
    let places: Vec<_> = futures::future::join_all((0..100).map(|n| {
        let cache = cache.clone();
        async move { Arc::downgrade(&cache.follow(&session_key(&format!("guess-{n}"))).await.unwrap()) }
    }))
    .await;
    memory.pass(1_000).await;
    assert_eq!(places.iter().filter(|place| place.strong_count() > 0).count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_place_of_a_reader_who_waits_stays_and_is_the_sessions_own() {
    let memory = Memory::of(settings(Bounds::default()));
    let mut writer = Writer::new("s");
    let window = memory.cache().follow(&writer.key).await.unwrap();
    memory.pass(1_000_000).await;
    writer.begins(&*memory.cache()).await;
    assert_eq!(window.tail().position, Some(writer.position()));
}

#[tokio::test(start_paused = true)]
async fn asking_after_a_session_leaves_no_place() {
    let memory = Memory::of(settings(Bounds::default()));
    let (cache, writer) = (memory.cache(), Writer::new("s"));
    cache.load(&writer.key).await.unwrap();
    cache.read(&writer.key, Default::default(), 9).await.unwrap();
    cache.confirm(&writer.key, writer.position()).await.unwrap();
    let window = Arc::downgrade(&cache.follow(&writer.key).await.unwrap());
    memory.pass(0).await;
    assert_eq!(window.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tombstone_that_is_read_goes_when_its_reader_does() {
    let memory = Memory::of(settings(Bounds::default()));
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&*memory.cache()).await;
    let window = memory.cache().follow(&writer.key).await.unwrap();
    memory.pass(60_000).await;
    memory.pass(700_000).await;
    assert_eq!(window.tail().position, Some(writer.position()), "held");
    let place = Arc::downgrade(&window);
    drop(window);
    memory.pass(0).await;
    assert_eq!(place.strong_count(), 0);
}
