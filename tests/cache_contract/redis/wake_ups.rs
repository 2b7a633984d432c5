//! The index of wake-ups: none is taken away by somebody who doesn't know of it.

use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::wake_index::{Claim, WakeIndex, Work};

use super::settings;
use crate::bench::Bounds;
use crate::fixtures::session_key;
use crate::redis_server::RedisServer;

const WORK: Work = Work::Deadline;

async fn claimed(index: &RedisCache) -> Claim {
    let mut due = index.due(WORK).await.unwrap();
    assert_eq!(due.len(), 1);
    due.remove(0)
}

#[tokio::test]
async fn the_earliest_time_counts_and_every_word_of_one_is_seen() {
    let server = RedisServer::start();
    let index = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let key = session_key("s");
    let by = async |at| index.wake_by(&key, WORK, Timestamp(at)).await.unwrap().0;
    assert_eq!(by(500).await, 500);
    assert_eq!(by(300).await, 300, "an earlier one takes its place");
    assert_eq!(
        by(400).await,
        299,
        "a later one moves it a little, so that who had looked before doesn't take it away"
    );
    index.move_wake(&key, WORK, Timestamp(300), None).await.unwrap();
    assert_eq!(claimed(&index).await.key, key, "it was moved since");
    assert_eq!(index.due(WORK).await.unwrap(), [], "claimed");
}

#[tokio::test]
async fn a_claim_that_somebody_overtook_takes_nothing_away() {
    let server = RedisServer::start();
    let index = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let key = session_key("s");
    index.wake_at(&key, WORK, Timestamp(1)).await.unwrap();
    let claim = claimed(&index).await;
    // While that one looks, a deadline is announced that it knows nothing of: later than the claim holds, then earlier.
    let far = claim.until.plus_ms(60_000);
    let stands = index.wake_by(&key, WORK, far).await.unwrap();
    assert!(stands < claim.until, "who dies in between is found no later");
    index.move_wake(&key, WORK, claim.until, None).await.unwrap();
    index.wake_by(&key, WORK, Timestamp(2)).await.unwrap();
    let again = claimed(&index).await;
    index.move_wake(&key, WORK, again.until, Some(Timestamp(3))).await.unwrap();
    let last = claimed(&index).await;
    index.move_wake(&key, WORK, last.until, None).await.unwrap();
    assert_eq!(server.command(&["KEYS", "tributary:wake:*"]), "*0", "nothing is due any more");
}
