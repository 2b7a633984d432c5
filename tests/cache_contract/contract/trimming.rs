//! A log is bounded: the oldest go first, the last never, and snapshots keep the last of everything (7 of the contract).

use std::sync::Arc;

use tributary::domain::entry::Entry;
use tributary::domain::policy::PolicyDecision::Escalate;
use tributary::domain::position::Sequence;
use tributary::domain::session::Command;
use tributary::engine::ports::result_cache::{Presence, Read};

use crate::bench::{Bench, Bounds};
use crate::fixtures::{post, progress, safety, say};
use crate::writer::{Writer, missed, partial, read, sequences, success};

fn few() -> Bounds {
    Bounds { ring_entries: 4, ..Bounds::default() }
}

fn types(entries: &[Arc<Entry>]) -> Vec<String> {
    let of = |entry: &Arc<Entry>| {
        let event: serde_json::Value = serde_json::from_slice(entry.wire().unwrap()).unwrap();
        let status = event["content"]["status"].as_str().unwrap_or_default();
        format!("{} {status}", event["type"].as_str().unwrap()).trim_end().to_owned()
    };
    entries.iter().map(of).collect()
}

pub async fn the_oldest_entries_go_first_by_count<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    for _ in 0..6 {
        writer.writes(&*cache, &[partial()]).await;
    }
    assert_eq!(sequences(&read(&*cache, &writer.key, 4).await), [5, 6, 7, 8]);
    assert_eq!(sequences(&read(&*cache, &writer.key, 6).await), [7, 8]);
    let behind = cache.read(&writer.key, Sequence(3), 9).await.unwrap();
    assert!(matches!(behind, Read::Trimmed { oldest: Sequence(5) }), "{behind:?}");
    let loaded = cache.load(&writer.key).await.unwrap();
    assert_eq!(loaded.oldest, Sequence(5));
    assert!(matches!(&loaded.presence, Presence::Live(state) if *state == writer.state));
}

pub async fn the_oldest_entries_go_first_by_bytes<B: Bench>() {
    let mut writer = Writer::new("s");
    let weight = writer.append_of(&[post("p").expects("crm", "r").command(), partial()], Default::default());
    let weight: usize = weight.entries.iter().map(|entry| entry.weight()).sum();
    let bench = B::with(Bounds { ring_bytes: 2 * weight, ..Bounds::default() }).await;
    let cache = bench.cache();
    writer.begins(&*cache).await;
    for _ in 0..12 {
        writer.writes(&*cache, &[partial()]).await;
    }
    let oldest = cache.load(&writer.key).await.unwrap().oldest;
    let kept = read(&*cache, &writer.key, oldest.0 - 1).await;
    let bytes: usize = kept.iter().map(|entry| entry.weight()).sum();
    assert_eq!(kept, writer.log[oldest.0 as usize - 1..]);
    assert!(oldest > Sequence(1) && bytes <= 2 * weight, "{bytes} of {} bytes", 2 * weight);
    let dropped = writer.log[oldest.0 as usize - 2].weight();
    assert!(bytes + dropped > 2 * weight, "no more than needed goes");
}

pub async fn the_last_entry_always_stays<B: Bench>() {
    let bench = B::with(Bounds { ring_bytes: 1, ..Bounds::default() }).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await.writes(&*cache, &[partial(), partial()]).await;
    assert_eq!(read(&*cache, &writer.key, 3).await, writer.log[3..]);
    let window = cache.follow(&writer.key).await.unwrap();
    assert_eq!(window.after(Sequence(3), 9).unwrap(), writer.log[3..]);
}

pub async fn who_missed_trimmed_entries_is_given_the_state<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut quick = Writer::new("s");
    quick.begins(&*cache).await;
    let mut slow = quick.clone();
    quick.writes(&*cache, &[partial(), partial(), partial(), partial()]).await;
    let missed = missed(slow.tries(&*cache, &[partial()]).await);
    assert_eq!((missed.entries.len(), missed.state.as_deref()), (0, Some(&*quick.state)));
    let confirmed = cache.confirm(&slow.key, slow.position()).await.unwrap().unwrap();
    assert_eq!(confirmed.state.as_deref(), Some(&*quick.state));
}

pub async fn a_snapshot_is_the_last_of_everything<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    let unknown = cache.snapshot(&writer.key).await.unwrap();
    assert!(unknown.is_none());
    let other = say("p", "voice", tributary::domain::event::SenderStatus::Partial);
    let commands = [
        post("p").expects("crm", "r").expects("voice", "v").command(),
        partial(),
        progress("p", "begun"),
        safety(Some("p"), Escalate, None, None),
        other.clone().command(),
        partial(),
        progress("p", "half"),
        safety(None, Escalate, None, None),
        other.command(),
        success(),
    ];
    writer.writes(&*cache, &commands).await;
    let snapshot = cache.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(snapshot.position, writer.position());
    assert!(snapshot.entries.is_sorted_by_key(|entry| entry.sequence));
    let expected = [
        "step_started",
        "policy_outcome",
        "planner_stream partial",
        "planner_progress",
        "policy_outcome",
        "planner_stream partial",
        "planner_stream success",
    ];
    assert_eq!(types(&snapshot.entries), expected, "per output the last event and the terminal");
    writer.writes(&*cache, &[crate::fixtures::cancel(None), Command::Close]).await;
    let ended = cache.snapshot(&writer.key).await.unwrap().unwrap();
    let of_end = types(&ended.entries)[expected.len()..].to_vec();
    assert_eq!(
        of_end,
        ["planner_stream cancelled", "aggregation", "synthesis", "plan_step_completed cancelled"]
    );
}

pub async fn a_snapshot_survives_trimming<B: Bench>() {
    let bench = B::with(few()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await.writes(&*cache, &[safety(Some("p"), Escalate, None, None)]).await;
    for _ in 0..9 {
        writer.writes(&*cache, &[partial()]).await;
    }
    let snapshot = cache.snapshot(&writer.key).await.unwrap().unwrap();
    assert_eq!(types(&snapshot.entries), ["step_started", "policy_outcome", "planner_stream partial"]);
    assert_eq!(sequences(&snapshot.entries), [1, 2, 12]);
}
