//! One transaction, no harm in a repeat, holes that are known (1, 2 and 4 of the contract).

use std::sync::Arc;

use serde_json::json;
use tributary::domain::entry::Entry;
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::domain::position::Sequence;
use tributary::engine::ports::archive::{Archive, Segment};

use super::{DELETED, all};
use crate::fixtures::{id, post};
use crate::log::{Log, batch, begin, success};

pub async fn what_was_written_is_read_byte_for_byte(archive: &impl Archive) {
    let mut log = Log::running("s", 3);
    let directive = post("ü-\u{1F600}".len().to_string().as_str()).expects("crm", "r");
    let odd = json!({"note": "it's \"quoted\" \\ \u{0} \u{1F600} 'end'", "n": 1.0e300});
    log.does(&[success(), directive.with("planner_context", odd).command()]);
    archive.write(&batch([log.part(1, 2)])).await.unwrap();
    archive.write(&batch([log.part(3, log.entries.len())])).await.unwrap();
    assert_eq!(all(archive, &log.key).await, log.entries);
    assert_eq!(archive.read(&log.key, Sequence(2), 2).await.unwrap(), log.entries[2..4]);
    assert_eq!(archive.read(&log.key, log.position().sequence, 9).await.unwrap(), []);
    assert_eq!(archive.chain_at(&log.key, Sequence(3)).await.unwrap(), Some(log.entries[2].chain));
    assert_eq!(archive.chain_at(&log.key, Sequence(99)).await.unwrap(), None);
    assert!(archive.health().is_ok());
}

pub async fn a_repeat_changes_nothing(archive: &impl Archive) {
    let log = Log::running("s", 5);
    for _ in 0..3 {
        archive.write(&batch([log.whole()])).await.unwrap();
        assert_eq!(all(archive, &log.key).await, log.entries);
        assert_eq!(archive.session(&log.key).await.unwrap().unwrap().position, log.position());
    }
}

pub async fn a_part_that_is_written_already_is_passed_over(archive: &impl Archive) {
    let log = Log::running("s", 8);
    archive.write(&batch([log.part(1, 4)])).await.unwrap();
    archive.write(&batch([log.part(3, 7)])).await.unwrap();
    archive.write(&batch([log.part(1, 10)])).await.unwrap();
    assert_eq!(all(archive, &log.key).await, log.entries);
    let session = archive.session(&log.key).await.unwrap().unwrap();
    assert_eq!((session.position, session.first), (log.position(), Sequence(1)));
    assert!(session.has_open_step && !session.is_ended, "one step runs, however often it was written");
}

pub async fn many_sessions_are_one_transaction(archive: &impl Archive) {
    let logs: Vec<Log> = (0..150).map(|n| Log::running(&format!("s-{n}"), n % 7)).collect();
    archive.write(&batch(logs.iter().map(Log::whole))).await.unwrap();
    for log in &logs {
        assert_eq!(all(archive, &log.key).await, log.entries);
    }
}

pub async fn sessions_of_tenants_are_apart(archive: &impl Archive) {
    let (ours, theirs) = (Log::running("s", 2), Log::running("s", 4));
    let key = SessionKey { tenant: id::<TenantId>("other"), session: id("s") };
    let of_theirs = Segment { key: key.clone(), ..theirs.whole() };
    archive.write(&batch([ours.whole(), of_theirs])).await.unwrap();
    assert_eq!(all(archive, &ours.key).await, ours.entries);
    assert_eq!(all(archive, &key).await, theirs.entries);
    assert!(archive.forget(&key, DELETED).await.unwrap());
    assert_eq!(all(archive, &ours.key).await, ours.entries);
}

pub async fn a_hole_is_known(archive: &impl Archive) {
    let log = Log::running("s", 8);
    archive.write(&batch([log.part(1, 3)])).await.unwrap();
    archive.write(&batch([log.part(6, 8)])).await.unwrap();
    let session = archive.session(&log.key).await.unwrap().unwrap();
    assert_eq!((session.first, session.position.sequence), (Sequence(6), Sequence(8)));
    assert_eq!(archive.read(&log.key, Sequence(5), 9).await.unwrap(), log.entries[5..8]);
    assert_eq!(all(archive, &log.key).await, log.entries[..3], "no hole between what is read at once");
    archive.write(&batch([log.part(9, 10)])).await.unwrap();
    let session = archive.session(&log.key).await.unwrap().unwrap();
    assert_eq!((session.first, session.position), (Sequence(6), log.position()));
}

pub async fn an_entry_may_be_large(archive: &impl Archive) {
    let mut log = Log::new("s");
    log.does(&[post("q").expects("crm", "r").with("query", "x".repeat(1 << 20)).command(), begin("p")])
        .says(1);
    archive.write(&batch([log.whole()])).await.unwrap();
    assert_eq!(all(archive, &log.key).await, log.entries);
}

pub async fn what_is_read_at_once_has_a_bound_in_bytes(archive: &impl Archive) {
    let mut log = Log::new("s");
    for number in 1..=9 {
        let large = post(&format!("q{number}")).expects("crm", "r").with("query", "x".repeat(1 << 20));
        log.does(&[large.command()]);
    }
    archive.write(&batch([log.whole()])).await.unwrap();
    let (mut after, mut reads) = (Sequence(0), Vec::new());
    loop {
        let read = archive.read(&log.key, after, 1_000).await.unwrap();
        let Some(last) = read.last() else { break };
        after = last.sequence;
        reads.push(read);
    }
    let weight = |read: &Vec<Arc<Entry>>| read.iter().map(|entry| entry.weight()).sum::<usize>();
    let most = reads.iter().map(weight).max().unwrap();
    assert!(most < 8 << 20, "{most} bytes at once");
    assert_eq!(reads.concat(), log.entries, "nothing is left out");
}
