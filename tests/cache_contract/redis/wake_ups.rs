//! The index of wake-ups: none is taken away by somebody who doesn't know of it.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::ready;
use tributary::domain::ids::SessionKey;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::coordinator::{AggregationCoordinator, Submission};
use tributary::engine::ports::result_cache::{ResultCache, StoreError, StoreFuture};
use tributary::engine::ports::wake_index::{Claim, WakeIndex, Work};
use tributary::engine::telemetry::Telemetry;

use super::fairness::coordinator_settings;
use super::settings;
use crate::bench::Bounds;
use crate::fixtures::{post, session_key};
use crate::redis_server::RedisServer;
use crate::writer::Writer;

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
    assert!(!index.move_wake(&key, WORK, Timestamp(300), None).await.unwrap());
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

#[tokio::test]
async fn what_is_announced_is_looked_at_when_its_append_had_its_time() {
    let server = RedisServer::start();
    let index = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (key, now, hold_ms) = (session_key("s"), Timestamp(1_000_000), 40_000);
    index.set_now(now);
    let announce = async |at| index.announce(&key, WORK, Timestamp(at)).await.unwrap();
    let first = announce(2_000_000).await;
    assert_eq!(first, Timestamp(2_000_000), "late enough");
    assert_eq!(announce(now.0).await, now.plus_ms(hold_ms), "not before an append may take");
    assert_eq!(index.due(WORK).await.unwrap(), []);
    assert_eq!(announce(1_500_000).await, now.plus_ms(hold_ms - 1), "seen as another");
    index.set_now(now.plus_ms(hold_ms));
    assert_eq!(claimed(&index).await.key, key);
}

/// The index of a replica; another one looks for what is due between what it announces and what it appends.
struct Overtaken {
    index: RedisCache,
    other: AggregationCoordinator,
    /// It dies when it has appended.
    dies: bool,
}

impl WakeIndex for Overtaken {
    fn wake_at<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, ()> {
        self.index.wake_at(key, work, at)
    }

    fn wake_by<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        self.index.wake_by(key, work, at)
    }

    fn announce<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        async move {
            let announced = self.index.announce(key, work, at).await?;
            self.other.wake_due().await?;
            Ok(announced)
        }
        .boxed()
    }

    fn move_wake<'a>(
        &'a self,
        key: &'a SessionKey,
        work: Work,
        from: Timestamp,
        to: Option<Timestamp>,
    ) -> StoreFuture<'a, bool> {
        if self.dies {
            return ready(Err(StoreError::Unavailable("dead".into()))).boxed();
        }
        self.index.move_wake(key, work, from, to)
    }

    fn due(&self, work: Work) -> StoreFuture<'_, Vec<Claim>> {
        self.index.due(work)
    }
}

/// A directive is posted at a replica that is overtaken by one whose clock is ahead by as much. The claims of a third one, later by
/// as much again.
async fn found_after(deadline_ms: u64, ahead_ms: u64, later_ms: u64, dies: bool) -> Vec<Claim> {
    let server = RedisServer::start();
    let connect = async || RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let coordinator = |cache: &RedisCache, index: Arc<dyn WakeIndex>| {
        let cache = Arc::new(cache.clone());
        AggregationCoordinator::new(
            cache,
            Some(index),
            coordinator_settings(),
            (None, None),
            Telemetry::off(),
        )
    };
    let (own, ahead, third) = (connect().await, connect().await, connect().await);
    let now = Timestamp(1_800_000_000_000);
    own.set_now(now);
    ahead.set_now(now.plus_ms(ahead_ms));
    third.set_now(now.plus_ms(ahead_ms + later_ms));
    let other = coordinator(&ahead, Arc::new(ahead.clone()));
    let replica = coordinator(&own, Arc::new(Overtaken { index: own.clone(), other, dies }));
    let directive = post("p").expects("crm", "crm").with("deadline_ms", deadline_ms).command();
    replica.submit(&session_key("s"), Submission::one(directive, None)).await.unwrap();
    third.due(WORK).await.unwrap()
}

#[tokio::test]
async fn who_looks_before_what_was_announced_is_stored_takes_nothing_away() {
    assert_eq!(found_after(30_000, 31_000, 10_000, false).await.len(), 1);
    assert_eq!(found_after(30_000, 31_000, 10_000, true).await.len(), 1, "though who announced it is dead");
}

#[tokio::test]
async fn what_was_taken_away_before_a_slow_append_is_said_anew() {
    assert_eq!(found_after(30_000, 40_001, 1, false).await.len(), 1);
}

/// A session that was begun by a writer which announced nothing, and when it is to be looked at.
async fn unannounced(server: &RedisServer) -> (RedisCache, Timestamp) {
    let cache = RedisCache::connect(settings(server, Bounds::default())).await.unwrap();
    let mut writer = Writer::new("s");
    writer.begins(&cache).await;
    (cache, writer.state.next_wake().unwrap())
}

fn stands(server: &RedisServer) -> bool {
    server.command(&["KEYS", "tributary:wake:*"]) != "*0"
}

#[tokio::test]
async fn a_wake_up_that_was_lost_is_announced_again_where_names_are_walked_through() {
    let server = RedisServer::start();
    let (cache, at) = unannounced(&server).await;
    assert!(!stands(&server));
    cache.sweep(false).await;
    cache.set_now(Timestamp(at.0 - 1));
    assert_eq!(cache.due(WORK).await.unwrap(), [], "at its time");
    cache.set_now(at);
    assert_eq!(claimed(&cache).await.key, session_key("s"));
}

#[tokio::test]
async fn whoever_looks_at_a_session_that_is_overdue_has_it_looked_after() {
    for refreshes in [false, true] {
        let server = RedisServer::start();
        let (_writes, at) = unannounced(&server).await;
        let reads = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
        let look = async |cache: &RedisCache| match refreshes {
            true => drop(cache.refresh(&session_key("s")).await.unwrap()),
            false => drop(cache.load(&session_key("s")).await.unwrap()),
        };
        reads.set_now(at.plus_ms(1_000));
        look(&reads).await;
        assert!(!stands(&server), "who is to look may be about to");
        reads.set_now(at.plus_ms(1_001));
        look(&reads).await;
        let claim = claimed(&reads).await;
        // One process asks once a second; another one asks at once.
        let other = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
        other.set_now(at.plus_ms(1_001));
        look(&other).await;
        assert_eq!(reads.due(WORK).await.unwrap(), [], "who has claimed it isn't disturbed");
        assert!(reads.move_wake(&claim.key, WORK, claim.until, None).await.unwrap());
    }
}
