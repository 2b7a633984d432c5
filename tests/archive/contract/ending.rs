//! Rows go when their time has come, or when they are to be forgotten (6 of the contract).

use tributary::domain::time::Timestamp;
use tributary::engine::ports::analytics::Analytics;
use tributary::engine::ports::archive::{Archive, ArchiveBatch, Deletion, LateResult};

use super::{DELETED, all};
use crate::log::{Log, batch, success};

pub async fn old_sessions_are_pruned_in_small_steps(archive: &impl Archive) {
    let mut old = Log::running("old", 20);
    let older = Log::running("older", 3);
    let mut young = Log::running("young", 5);
    old.now = Timestamp(2_000_000);
    old.says(1);
    young.now = Timestamp(3_000_000);
    young.says(1);
    archive.write(&batch([&old, &older, &young].map(Log::whole))).await.unwrap();
    assert_eq!(archive.prune(Timestamp(1_000_000), 10).await.unwrap(), 0, "not older");
    let mut steps = Vec::new();
    loop {
        let rows = archive.prune(Timestamp(2_500_000), 10).await.unwrap();
        steps.push(rows);
        assert!(steps.len() < 20, "{steps:?}");
        for log in [&old, &older] {
            let left = all(archive, &log.key).await;
            assert_eq!(left, log.entries[log.entries.len() - left.len()..], "the first ones went first");
            if let Some(session) = archive.session(&log.key).await.unwrap() {
                let first = left.first().map_or(session.position.sequence.next(), |entry| entry.sequence);
                assert_eq!(session.first, first, "and it says where it begins now");
            }
        }
        if rows < 10 {
            break;
        }
    }
    let rows = old.entries.len() + older.entries.len() + 2;
    assert_eq!(steps.iter().sum::<usize>(), rows, "entries, and a row for each session");
    assert_eq!(steps.len(), rows / 10 + 1, "{steps:?}");
    for gone in [&old, &older] {
        assert!(all(archive, &gone.key).await.is_empty());
        assert_eq!(archive.session(&gone.key).await.unwrap(), None);
    }
    assert_eq!(all(archive, &young.key).await, young.entries);
}

pub async fn forgetting_leaves_nothing<A: Archive + Analytics>(archive: &A) {
    let (mut left, mut right) = (Log::running("s", 2), Log::running("s", 2));
    left.does(&[success()]);
    right.does(&[success()]);
    assert!(!archive.forget(&left.key, DELETED).await.unwrap(), "there was nothing");
    archive.write(&batch([left.whole()])).await.unwrap();
    let output = left.state.steps[0].subagents[0].output.clone();
    let late = LateResult { id: u64::MAX, at: left.now, key: left.key.clone(), output };
    archive
        .write(&ArchiveBatch { segments: vec![right.whole()], late: vec![late], ..Default::default() })
        .await
        .unwrap();
    assert!(archive.forget(&left.key, DELETED).await.unwrap());
    assert!(all(archive, &left.key).await.is_empty());
    assert_eq!(archive.session(&left.key).await.unwrap(), None);
    assert_eq!(archive.subagents(&left.key.tenant, Timestamp(0)).await.unwrap(), []);
    let next = Log::running("s", 2);
    archive.write(&batch([next.whole()])).await.unwrap();
    assert_eq!(all(archive, &left.key).await, next.entries, "the name may be used again");
}

pub async fn what_was_deleted_is_not_written_again<A: Archive + Analytics>(archive: &A) {
    let late = |log: &Log, id| {
        let output = log.state.steps[0].subagents[0].output.clone();
        LateResult { id, at: log.now, key: log.key.clone(), output }
    };
    let left_over = |log: &Log, id| ArchiveBatch {
        segments: vec![log.whole()],
        late: vec![late(log, id)],
        ..Default::default()
    };
    // What another replica holds of a life that is archived, and of one of which only the store knew.
    let (archived, stored) = (Log::running("s", 2), Log::running("t", 2));
    archive.write(&batch([archived.whole()])).await.unwrap();
    assert!(archive.forget(&archived.key, DELETED).await.unwrap());
    let deletion = Deletion { epoch: Some(stored.state.position.epoch), ..DELETED };
    assert!(!archive.forget(&stored.key, deletion).await.unwrap());
    for (id, log) in [(1, &archived), (2, &stored)] {
        archive.write(&left_over(log, id)).await.unwrap();
        assert_eq!(archive.session(&log.key).await.unwrap(), None);
        assert!(all(archive, &log.key).await.is_empty());
        assert_eq!(archive.subagents(&log.key.tenant, Timestamp(0)).await.unwrap(), []);
    }
    // Nor into the life that comes after it.
    let mut next = Log::running("s", 5);
    archive.write(&batch([next.whole()])).await.unwrap();
    archive.write(&left_over(&archived, 3)).await.unwrap();
    assert_eq!(all(archive, &next.key).await, next.entries);
    next.now = next.now.plus_ms(1);
    archive
        .write(&ArchiveBatch { segments: Vec::new(), late: vec![late(&next, 4)], ..Default::default() })
        .await
        .unwrap();
    let figures = archive.subagents(&next.key.tenant, Timestamp(0)).await.unwrap();
    assert_eq!(figures.iter().map(|figures| figures.late).sum::<u64>(), 1, "{figures:?}");
    // Notes of deletions are pruned as well.
    let later = next.now.plus_ms(1);
    while archive.prune(later, 100).await.unwrap() == 100 {}
    archive.write(&batch([stored.whole()])).await.unwrap();
    assert_eq!(all(archive, &stored.key).await, stored.entries);
}
