//! Time: data goes, position and epoch stay a while, and the log goes on (5 of the contract).

use tributary::domain::position::Sequence;
use tributary::engine::ports::result_cache::{Presence, Read, ResultCache};

use crate::bench::{Bench, Bounds};
use crate::fixtures::post;
use crate::writer::{Writer, partial, read, sequences};

async fn is_live(cache: &dyn ResultCache, writer: &Writer) -> bool {
    matches!(cache.load(&writer.key).await.unwrap().presence, Presence::Live(_))
}

/// A session that has ended, so that nothing but the time of its data keeps it.
async fn ended(cache: &dyn ResultCache) -> Writer {
    let mut writer = Writer::new("s");
    writer.begins_and_ends(cache).await;
    writer
}

pub async fn data_outlives_its_last_append_by_its_time<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let writer = ended(&*cache).await;
    bench.pass(59_999).await;
    assert!(is_live(&*cache, &writer).await);
    bench.pass(1).await;
    assert!(!is_live(&*cache, &writer).await);
}

pub async fn each_append_gives_the_data_its_whole_time_again<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = ended(&*cache).await;
    for step in ["a", "b", "c"] {
        bench.pass(59_000).await;
        let posted = post(step).expects("crm", "r").disabled("crm").command();
        writer.writes(&*cache, &[posted]).await;
    }
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log);
    bench.pass(60_000).await;
    assert!(!is_live(&*cache, &writer).await);
}

pub async fn data_outlives_a_running_deadline_by_five_minutes<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    let posted = post("p").expects("crm", "r").with("deadline_ms", 100_000).command();
    writer.writes(&*cache, &[posted, partial()]).await;
    bench.pass(100_000 + 299_999).await;
    assert!(is_live(&*cache, &writer).await, "a step may be waiting for its replica");
    bench.pass(1).await;
    assert!(!is_live(&*cache, &writer).await);
}

pub async fn expired_is_told_apart_from_unknown<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let writer = ended(&*cache).await;
    bench.pass(60_000).await;
    let loaded = cache.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Expired(position) if position == writer.position()));
    assert_eq!(loaded.oldest, writer.position().sequence.next());
    assert!(cache.snapshot(&writer.key).await.unwrap().is_none());
    assert!(cache.sessions(&writer.key.tenant, None, 9).await.unwrap().is_empty());
    assert!(matches!(cache.read(&writer.key, Sequence(0), 9).await.unwrap(), Read::Trimmed { .. }));
    let window = cache.follow(&writer.key).await.unwrap();
    assert!(window.tail().expired && window.tail().position == Some(writer.position()));
    assert!(window.after(Sequence(0), 9).is_none(), "no silent hole");
    let never = Writer::new("never").key;
    assert!(matches!(cache.load(&never).await.unwrap().presence, Presence::Unknown));
}

pub async fn after_expiry_sequence_and_epoch_go_on<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let last = ended(&*cache).await.position();
    bench.pass(60_000).await;
    // A writer that knows nothing of it is told where the log stands.
    let ignorant = Writer::new("s");
    let missed = cache.confirm(&ignorant.key, ignorant.position()).await.unwrap().unwrap();
    assert_eq!(missed.state.as_ref().map(|state| (state.position, state.steps.len())), Some((last, 0)));
    let mut writer = Writer::at("s", last);
    writer.begins(&*cache).await;
    let next = last.sequence.0 + 1;
    assert_eq!(sequences(&read(&*cache, &writer.key, last.sequence.0).await), [next]);
    assert_eq!(writer.log[0].previous_chain, last.chain);
    assert_eq!(writer.position().epoch, last.epoch);
    assert!(is_live(&*cache, &writer).await);
    let window = cache.follow(&writer.key).await.unwrap();
    assert!(!window.tail().expired && window.tail().oldest == Sequence(next));
}

pub async fn what_expired_longer_ago_is_unknown<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let writer = ended(&*cache).await;
    bench.pass(60_000).await;
    bench.pass(599_999).await;
    assert!(matches!(cache.load(&writer.key).await.unwrap().presence, Presence::Expired(_)));
    bench.pass(1).await;
    assert!(matches!(cache.load(&writer.key).await.unwrap().presence, Presence::Unknown));
    Writer::new("s").begins(&*cache).await;
}
