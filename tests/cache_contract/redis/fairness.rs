//! Replicas that are busy with one session at once, one of them slower than the others: none is kept out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tributary::domain::event::SenderStatus;
use tributary::domain::ids::SessionKey;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::Sequence;
use tributary::domain::record::{Answer, Record};
use tributary::domain::session::Command;
use tributary::domain::verdict::{Decided, Verdict};
use tributary::edge::cache::RedisCache;
use tributary::engine::coordinator::{AggregationCoordinator, CoordinatorSettings, Submission};
use tributary::engine::ports::result_cache::{Read, ResultCache};
use tributary::engine::telemetry::Telemetry;

use super::settings;
use super::slow::Slow;
use crate::bench::Bounds;
use crate::fixtures::{post, say, session_key};
use crate::redis_server::RedisServer;
use crate::standstill::stalled_during;

/// Senders of all replicas together.
const TASKS: usize = 64;
const LASTS: Duration = Duration::from_millis(1_500);
/// The longest wait, besides what the machine itself makes everybody wait.
const WORST_WAIT: Duration = Duration::from_millis(200);
/// A machine that is busy with other things spoils a try, not all of them.
const TRIES: usize = 5;

/// What one replica's senders got.
#[derive(Debug, Default)]
struct Share {
    /// Output, revision and sequence of what was accepted.
    accepted: Vec<((usize, u64), Sequence)>,
    worst: Duration,
}

struct Scene {
    _server: RedisServer,
    reading: RedisCache,
    replicas: Vec<AggregationCoordinator>,
    key: SessionKey,
}

impl Scene {
    /// A session that expects an output of each task, and replicas with these delays.
    async fn new(delays_ms: &[u64]) -> Self {
        let server = RedisServer::start();
        let bounds = Bounds { ring_entries: 1_000_000, ring_bytes: 1 << 30, ..Bounds::default() };
        let connect = async || RedisCache::connect(settings(&server, bounds)).await.unwrap();
        let mut replicas = Vec::new();
        for delay in delays_ms {
            let store = Arc::new(Slow(Duration::from_millis(*delay), connect().await));
            replicas.push(AggregationCoordinator::new(
                store,
                None,
                coordinator_settings(),
                (None, None),
                Telemetry::off(),
            ));
        }
        let directive = (0..TASKS).fold(post("p"), |post, task| post.expects("crm", &format!("r-{task}")));
        let (reading, key) = (connect().await, session_key("s"));
        let submission = Submission::one(directive.with("deadline_ms", 600_000).command(), None);
        replicas[0].submit(&key, submission).await.unwrap();
        Self { _server: server, reading, replicas, key }
    }

    /// Everybody sends for a while.
    async fn run(&self) -> Vec<Share> {
        let until = Instant::now() + LASTS;
        let senders = (0..TASKS).map(|task| {
            let home = task % self.replicas.len();
            let (replica, other) =
                (self.replicas[home].clone(), self.replicas[(home + 1) % self.replicas.len()].clone());
            let key = self.key.clone();
            tokio::spawn(async move { (home, send(task, &replica, &other, &key, until).await) })
        });
        let mut shares: Vec<Share> = self.replicas.iter().map(|_| Share::default()).collect();
        for sender in senders.collect::<Vec<_>>() {
            let (home, share) = sender.await.unwrap();
            shares[home].worst = shares[home].worst.max(share.worst);
            shares[home].accepted.extend(share.accepted);
        }
        shares
    }

    /// The log has what was accepted where it was said to be, once, and nothing else.
    async fn assert_whole(&self, shares: &[Share]) {
        let accepted = shares.iter().flat_map(|share| share.accepted.iter().copied());
        let accepted: BTreeMap<(usize, u64), Sequence> = accepted.collect();
        let mut stored = BTreeMap::new();
        let mut last = Sequence(0);
        while let Read::Entries(entries) = self.reading.read(&self.key, last, 2_000).await.unwrap()
            && !entries.is_empty()
        {
            for entry in entries {
                assert_eq!(entry.sequence, last.next());
                last = entry.sequence;
                if let Record::Subagent { output, revision, .. } = &entry.record {
                    let task = output.result_key.as_str().trim_start_matches("r-").parse().unwrap();
                    let doubled = stored.insert((task, *revision), entry.sequence);
                    assert_eq!(doubled, None, "task {task} revision {revision}");
                }
            }
        }
        assert_eq!(stored, accepted);
    }
}

pub(super) fn coordinator_settings() -> CoordinatorSettings {
    CoordinatorSettings {
        limits: SessionLimits::default(),
        inbox: 256,
        batch_entries: 256,
        batch_bytes: 256 << 10,
        idle: Duration::from_secs(600),
        fresh: Duration::from_secs(900),
        kept: Duration::from_secs(1_800),
        append_timeout: Duration::from_secs(5),
    }
}

/// Sends revisions of one output; every fourth is said to another replica again.
async fn send(
    task: usize,
    replica: &AggregationCoordinator,
    other: &AggregationCoordinator,
    key: &SessionKey,
    until: Instant,
) -> Share {
    let mut share = Share::default();
    for revision in 1.. {
        if Instant::now() >= until {
            break;
        }
        let event = say("p", "crm", SenderStatus::Partial).about(&format!("r-{task}"));
        let command = event.revision(revision).content(revision).command();
        let begun = Instant::now();
        let told = tell(replica, key, &command).await;
        share.worst = share.worst.max(begun.elapsed());
        assert_eq!(told.verdict, Verdict::Accepted);
        share.accepted.push(((task, revision), told.sequence.unwrap()));
        if revision % 4 == 0 {
            let again = tell(other, key, &command).await;
            assert_eq!((again.verdict, again.sequence), (Verdict::Duplicate, told.sequence));
        }
    }
    share
}

async fn tell(replica: &AggregationCoordinator, key: &SessionKey, command: &Command) -> Decided {
    let reply = replica.submit(key, Submission::one(command.clone(), None)).await.unwrap();
    match reply.answers.first() {
        Some(Ok(Answer::Event(decided))) => *decided,
        other => panic!("not of an event: {other:?}"),
    }
}

async fn nobody_is_kept_out(delays_ms: &[u64]) {
    let mut worst = Vec::new();
    for _ in 0..TRIES {
        let scene = Scene::new(delays_ms).await;
        let (shares, stalled) = stalled_during(scene.run()).await;
        scene.assert_whole(&shares).await;
        let counts: Vec<usize> = shares.iter().map(|share| share.accepted.len()).collect();
        let fair = counts.iter().sum::<usize>() / counts.len();
        let waited = shares.iter().map(|share| share.worst).max().unwrap();
        println!("accepted {counts:?}, worst {waited:?}, the machine stood still for {stalled:?}");
        assert!(counts.iter().all(|count| *count >= fair / 10), "{counts:?}");
        if waited < WORST_WAIT + stalled {
            return;
        }
        worst.push((waited, stalled));
    }
    panic!("somebody waited {worst:?}, of which the machine stood still for the second");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_of_four_busy_replicas_gets_its_share() {
    nobody_is_kept_out(&[1, 1, 1, 5]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_slower_of_two_busy_replicas_gets_its_share() {
    nobody_is_kept_out(&[1, 5]).await;
}
