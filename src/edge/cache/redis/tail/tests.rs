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

#[test]
fn what_a_store_lost_after_it_was_published_is_not_waited_for() {
    let tail = tail();
    let mut place = Position::start("7f3a91".parse().unwrap());
    let entries: Vec<Arc<Entry>> = (0..3)
        .map(|_| {
            let entry = Entry::seal(place, AppendId(1), Timestamp(1), Record::SessionClosed, b"");
            place = entry.position(place.epoch);
            Arc::new(entry)
        })
        .collect();
    assert_eq!(tail.offer(place.epoch, &entries[..1], false, false), Offer::Taken);
    assert_eq!(tail.offer(place.epoch, &entries[2..], false, false), Offer::Hole);
    assert!(tail.is_behind(), "the second is missing");
    tail.look();
    assert!(!tail.is_behind(), "a store that has no third doesn't keep its readers waiting");
    assert_eq!(tail.offer(place.epoch, &entries[2..], false, false), Offer::Hole);
    assert!(tail.is_behind(), "what is heard of meanwhile is");
}
