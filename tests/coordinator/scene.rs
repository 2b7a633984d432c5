//! A coordinator over a scripted store, and what these tests say to it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::ids::SessionKey;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::Sequence;
use tributary::domain::record::Answer;
use tributary::domain::session::{Command, IdempotencyKey, SessionState};
use tributary::domain::verdict::{Refusal, Verdict};
use tributary::edge::cache::{MemoryCache, MemorySettings};
use tributary::engine::coordinator::{
    AggregationCoordinator, CoordinatorSettings, Reply, Submission, SubmitError,
};
use tributary::engine::ports::result_cache::{Presence, Read, ResultCache};
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::{post, say, session_key};
use crate::scripted::ScriptedStore;

/// One coordinator, one store, one session that tests speak of.
pub struct Scene {
    pub store: Arc<ScriptedStore>,
    pub coordinator: AggregationCoordinator,
    pub key: SessionKey,
}

/// A submission that is polled by hand.
pub type Submitted<'s> = Pin<Box<dyn Future<Output = Result<Reply, SubmitError>> + Send + 's>>;

/// Settings that no test meets by accident.
pub fn settings() -> CoordinatorSettings {
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

/// A store that keeps everything, unless a test says otherwise.
pub fn memory(change: impl FnOnce(&mut MemorySettings)) -> MemoryCache {
    let mut settings = MemorySettings {
        ring_entries: 100_000,
        ring_bytes: 256 << 20,
        bytes_max: 1 << 30,
        sessions_max: 10_000,
        ttl_ms: 1_800_000,
        tombstone_ms: 86_400_000,
    };
    change(&mut settings);
    MemoryCache::new(settings)
}

impl Scene {
    pub fn new() -> Self {
        Self::with(settings())
    }

    pub fn with(settings: CoordinatorSettings) -> Self {
        Self::over(ScriptedStore::over(memory(|_| {})), settings)
    }

    /// Another replica over the same store has another coordinator.
    pub fn over(store: Arc<ScriptedStore>, settings: CoordinatorSettings) -> Self {
        Self::told_to(Telemetry::off(), store, settings)
    }

    pub fn told_to(telemetry: Telemetry, store: Arc<ScriptedStore>, settings: CoordinatorSettings) -> Self {
        let coordinator = AggregationCoordinator::new(store.clone(), None, settings, (None, None), telemetry);
        Self { store, coordinator, key: session_key("sess-1") }
    }

    /// A session with one running step, `p`, which expects `r` of `crm` within a minute.
    pub async fn running() -> Self {
        Self::new().begun().await
    }

    pub async fn begun(self) -> Self {
        let directive = post("p").expects("crm", "r").with("deadline_ms", 60_000).command();
        assert_eq!(self.tells(directive).await, Ok(Answer::Step { created: true }));
        self.store.stored.lock().clear();
        self
    }

    /// Submits, not polled yet.
    pub fn submits(&self, commands: Vec<Command>, idempotency: Option<IdempotencyKey>) -> Submitted<'_> {
        let submission = Submission { commands, idempotency, places: Vec::new() };
        Box::pin(self.coordinator.submit(&self.key, submission))
    }

    /// Submits so that it is in the inbox when this returns.
    pub async fn has_submitted(&self, commands: Vec<Command>) -> Submitted<'_> {
        let mut submitted = self.submits(commands, None);
        assert!(futures::poll!(&mut submitted).is_pending(), "nothing is answered before it is stored");
        submitted
    }

    /// One command, and its answer.
    pub async fn tells(&self, command: Command) -> Result<Answer, Refusal> {
        let reply = self.submits(vec![command], None).await.unwrap();
        reply.answers.into_iter().next().unwrap()
    }

    /// Everything in the log.
    pub async fn log(&self) -> Vec<Arc<Entry>> {
        match self.store.inner.read(&self.key, Sequence(0), usize::MAX).await.unwrap() {
            Read::Entries(entries) | Read::Archived(entries) => entries,
            Read::Trimmed { oldest } => panic!("trimmed up to {oldest}"),
        }
    }

    /// The contents of the subagents' events in the log, in order.
    pub async fn contents(&self) -> Vec<u64> {
        self.log().await.iter().filter_map(|entry| content_of(entry)).collect()
    }

    pub async fn state(&self) -> Arc<SessionState> {
        match self.store.inner.load(&self.key).await.unwrap().presence {
            Presence::Live(state) => state,
            other => panic!("not live: {other:?}"),
        }
    }
}

/// The number that a subagent's event carries.
pub fn content_of(entry: &Entry) -> Option<u64> {
    let event: serde_json::Value = serde_json::from_slice(entry.wire()?).unwrap();
    event["content"]["payload"]["content"].as_str()?.parse().ok()
}

/// A partial of `r` with a content, without a revision.
pub fn partial(content: u64) -> Command {
    say("p", "crm", SenderStatus::Partial).content(content).command()
}

/// The same with a revision.
pub fn revised(revision: u64, content: u64) -> Command {
    say("p", "crm", SenderStatus::Partial).revision(revision).content(content).command()
}

/// The success of `r`.
pub fn success() -> Command {
    say("p", "crm", SenderStatus::Success).command()
}

/// The sequence of an accepted event.
pub fn accepted(answer: &Result<Answer, Refusal>) -> Option<Sequence> {
    match answer {
        Ok(Answer::Event(decided)) if decided.verdict == Verdict::Accepted => decided.sequence,
        _ => None,
    }
}

/// What a reply says of each event.
pub fn verdicts(reply: &Reply) -> Vec<Verdict> {
    let verdict = |answer: &Result<Answer, Refusal>| match answer {
        Ok(Answer::Event(decided)) => decided.verdict,
        other => panic!("not of an event: {other:?}"),
    };
    reply.answers.iter().map(verdict).collect()
}
