//! A reader whose log takes another branch under it, in the same epoch and beyond its place: only the chain tells.

use tributary::engine::mux::{StartAt, WindowBounds};

use super::{Memory, settings};
use crate::bench::{Bench, Bounds};
use crate::reading::{next, reader};
use crate::writer::{Writer, begin, partial};

#[tokio::test(start_paused = true)]
async fn a_reader_never_goes_on_with_another_branch() {
    let memory = Memory::of(settings(Bounds::default()));
    let cache = memory.cache();
    let mut writer = Writer::new("s");
    let other = writer.clone();
    writer.begins(&*cache).await;
    let mut reader = reader(cache.clone(), &writer.key, StartAt::Start).await;
    while !reader.is_at_tail() {
        next(&mut reader).await;
    }
    // The other branch has more entries; its first, in the place of the one that was read, isn't told.
    let append = other.append_of(&[begin(), partial()], cache.load(&writer.key).await.unwrap().now);
    let window = cache.follow(&writer.key).await.unwrap();
    let bounds = WindowBounds { entries: 100, bytes: 1 << 20 };
    window.push(&append.entries[1..], append.state.position, false, bounds);
    let text = next(&mut reader).await;
    assert!(text.contains("event: open") && text.contains(r#""reason":"diverged""#), "{text}");
}
