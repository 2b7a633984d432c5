//! One live chain, whatever is written (3 of the contract).

use tributary::domain::position::Sequence;
use tributary::engine::ports::archive::{Archive, ArchiveBatch};

use super::all;
use crate::log::{Log, batch};

/// A log, and another that leaves it after its first five entries.
fn forked() -> (Log, Log) {
    let common = Log::running("s", 3);
    let (mut left, mut right) = (common.clone(), common);
    left.says(6);
    right.says(3);
    (left, right)
}

pub async fn a_branch_takes_the_place_of_what_it_leaves(archive: &impl Archive) {
    let (left, right) = forked();
    archive.write(&batch([left.whole()])).await.unwrap();
    archive.write(&batch([right.part(6, 7)])).await.unwrap();
    assert_eq!(all(archive, &right.key).await, right.entries[..7]);
    assert_eq!(archive.chain_at(&left.key, Sequence(8)).await.unwrap(), None, "above the branch");
    archive.write(&batch([right.part(8, 8)])).await.unwrap();
    assert_eq!(all(archive, &right.key).await, right.entries);
    let session = archive.session(&right.key).await.unwrap().unwrap();
    assert_eq!((session.position, session.first), (right.position(), Sequence(1)));
}

pub async fn a_log_may_turn_back_to_a_branch_that_it_left(archive: &impl Archive) {
    let (left, right) = forked();
    for log in [&left, &right, &left, &right, &left] {
        archive.write(&batch([log.whole()])).await.unwrap();
        assert_eq!(all(archive, &log.key).await, log.entries);
        assert_eq!(archive.session(&log.key).await.unwrap().unwrap().position, log.position());
    }
}

pub async fn a_branch_that_is_left_at_once_is_kept_and_the_log_may_go_on_from_it(archive: &impl Archive) {
    let (mut left, right) = forked();
    let alone = ArchiveBatch { left: vec![left.part(6, 11)], ..ArchiveBatch::default() };
    let handed = ArchiveBatch { left: alone.left.clone(), ..batch([right.whole()]) };
    archive.write(&batch([right.whole()])).await.unwrap();
    archive.write(&alone).await.unwrap();
    left.says(2);
    archive.write(&batch([left.part(12, 13)])).await.unwrap();
    assert_eq!(all(archive, &left.key).await, left.entries, "what is left is kept without what goes on, too");
    // A repeat changes nothing.
    for _ in 0..2 {
        archive.write(&handed).await.unwrap();
        assert_eq!(all(archive, &right.key).await, right.entries);
        assert_eq!(archive.session(&right.key).await.unwrap().unwrap().position, right.position());
    }
    left.says(2);
    archive.write(&batch([left.part(12, 15)])).await.unwrap();
    assert_eq!(all(archive, &left.key).await, left.entries);
    let session = archive.session(&left.key).await.unwrap().unwrap();
    assert_eq!(
        (session.position, session.first, session.has_open_step),
        (left.position(), Sequence(1), true)
    );
}

pub async fn another_life_from_the_beginning_replaces_everything(archive: &impl Archive) {
    let (old, new) = (Log::running("s", 9), Log::running("s", 1));
    archive.write(&batch([old.whole()])).await.unwrap();
    archive.write(&batch([new.whole()])).await.unwrap();
    assert_eq!(all(archive, &new.key).await, new.entries);
    let session = archive.session(&new.key).await.unwrap().unwrap();
    assert_eq!((session.position, session.first), (new.position(), Sequence(1)));
}

pub async fn a_repeat_of_an_old_part_does_not_cut_what_follows(archive: &impl Archive) {
    let log = Log::running("s", 9);
    archive.write(&batch([log.whole()])).await.unwrap();
    archive.write(&batch([log.part(2, 5)])).await.unwrap();
    assert_eq!(all(archive, &log.key).await, log.entries);
    assert_eq!(archive.session(&log.key).await.unwrap().unwrap().position, log.position());
}

pub async fn a_branch_below_what_was_given_is_a_hole(archive: &impl Archive) {
    let (left, right) = forked();
    archive.write(&batch([left.whole()])).await.unwrap();
    // The branch's own 6 is missing: what comes before its 7 isn't its history.
    archive.write(&batch([right.part(7, 8)])).await.unwrap();
    let session = archive.session(&right.key).await.unwrap().unwrap();
    assert_eq!((session.position, session.first), (right.position(), Sequence(7)));
    assert_eq!(archive.read(&right.key, Sequence(6), 9).await.unwrap(), right.entries[6..]);
    assert_eq!(all(archive, &right.key).await, left.entries[..6], "reading stops where the chain breaks");
}

pub async fn a_left_branch_that_begins_late_is_no_history_of_what_stands_before_it(archive: &impl Archive) {
    let (mut left, right) = forked();
    archive.write(&batch([right.whole()])).await.unwrap();
    // Of the branch that was left its 6 and 7 were never handed over.
    let handed = ArchiveBatch { left: vec![left.part(8, 11)], ..ArchiveBatch::default() };
    archive.write(&handed).await.unwrap();
    left.says(2);
    archive.write(&batch([left.part(12, 13)])).await.unwrap();
    let session = archive.session(&left.key).await.unwrap().unwrap();
    assert_eq!((session.position, session.first), (left.position(), Sequence(8)));
    assert_eq!(archive.read(&left.key, Sequence(7), 9).await.unwrap(), left.entries[7..]);
}

/// At random, but the same each time: logs that fork anywhere, written in parts that overlap anyhow.
pub async fn any_history_of_branches_leaves_one_live_chain(archive: &impl Archive) {
    let mut random = fastrand::Rng::with_seed(7);
    let mut branches = vec![Log::running("s", 2)];
    let mut written = 0;
    for _ in 0..120 {
        if branches.len() < 6 && random.u8(..4) == 0 {
            let parent = &branches[random.usize(..branches.len())];
            branches.push(cut(parent, random.usize(1..=parent.entries.len())));
        }
        let count = branches.len();
        let log = &mut branches[random.usize(..count)];
        log.says(random.usize(1..4));
        // As the archiver does: from a place that archive and log share.
        let mut shared = log.entries.len();
        while shared > 0 {
            let entry = &log.entries[shared - 1];
            if archive.chain_at(&log.key, entry.sequence).await.unwrap() == Some(entry.chain) {
                break;
            }
            shared -= 1;
        }
        let from = random.usize(1..=shared + 1);
        archive.write(&batch([log.part(from, log.entries.len())])).await.unwrap();
        assert_eq!(all(archive, &log.key).await, log.entries);
        let session = archive.session(&log.key).await.unwrap().unwrap();
        assert_eq!((session.position, session.first), (log.position(), Sequence(1)));
        assert!(session.has_open_step);
        written += 1;
    }
    assert_eq!(written, 120);
}

/// The log as it was after so many entries.
fn cut(log: &Log, entries: usize) -> Log {
    let kept = log.entries[..entries].to_vec();
    let epoch = log.position().epoch;
    let start = kept[0].previous_position(epoch);
    let mut state = tributary::domain::session::SessionState::new(log.key.session.clone(), start);
    kept.iter().for_each(|entry| state.apply(entry));
    Log { state, entries: kept, ..log.clone() }
}
