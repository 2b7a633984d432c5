//! What a window takes for a hole, and what not.

use super::*;
use crate::domain::position::AppendId;
use crate::domain::record::Record;
use crate::domain::time::Timestamp;

fn tail() -> Tail {
    let key = SessionKey { tenant: "t".parse().unwrap(), session: "s".parse().unwrap() };
    Tail::new(&key, WindowBounds { entries: 10, bytes: 1 << 20 })
}

#[test]
fn archive_is_waited_for_once_a_line_and_once_while_there_is_none() {
    let tail = tail();
    assert!(tail.waits_in(0), "commands may come through before the subscription does");
    assert!(!tail.waits_in(0));
    assert!(tail.waits_in(1));
    assert!(!tail.waits_in(1));
}

/// Three entries of a log, and its epoch.
fn log() -> (Epoch, Vec<Arc<Entry>>) {
    let mut place = Position::start("7f3a91".parse().unwrap());
    let seal = |_| {
        let entry = Entry::seal(place, AppendId(1), Timestamp(1), Record::SessionClosed, b"");
        place = entry.position(place.epoch);
        Arc::new(entry)
    };
    let entries = (0..3).map(seal).collect();
    (place.epoch, entries)
}

#[test]
fn a_window_is_compared_again_when_more_of_it_is_set_aside() {
    let (tail, (epoch, entries)) = (tail(), log());
    let lacks = Some(Lack { from: Sequence(1), since: Timestamp(1) });
    let is_marked = || {
        tail.set_aside(lacks, Sequence(9), Timestamp(1));
        tail.uncompared.swap(false, Ordering::AcqRel)
    };
    assert!(!is_marked(), "nothing is held");
    tail.offer(epoch, &entries[..2], false, false);
    assert!(is_marked());
    assert!(!is_marked(), "the same is set aside");
    tail.offer(epoch, &entries[2..], false, false);
    assert!(is_marked(), "more is");
    assert_eq!(tail.held().len(), 3);
}

#[test]
fn what_is_set_aside_waits_for_the_next_sweep() {
    let (tail, (epoch, entries)) = (tail(), log());
    tail.offer(epoch, &entries, false, false);
    let lacks = Lack { from: Sequence(1), since: Timestamp(1) };
    for (lacks, waits) in [(Some(lacks), true), (None, false)] {
        tail.set_aside(lacks, Sequence(9), Timestamp(1));
        tail.note_compared();
        assert_eq!(tail.uncompared.load(Ordering::Acquire), waits);
    }
}

#[test]
fn what_a_store_lost_after_it_was_published_is_not_waited_for() {
    let (tail, (epoch, entries)) = (tail(), log());
    assert_eq!(tail.offer(epoch, &entries[..1], false, false), Offer::Taken);
    assert_eq!(tail.offer(epoch, &entries[2..], false, false), Offer::Hole);
    assert!(tail.is_behind(), "the second is missing");
    tail.look();
    assert!(!tail.is_behind(), "a store that has no third doesn't keep its readers waiting");
    assert_eq!(tail.offer(epoch, &entries[2..], false, false), Offer::Hole);
    assert!(tail.is_behind(), "what is heard of meanwhile is");
}
