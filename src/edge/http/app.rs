//! What every handler can reach.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::access::Access;
use super::bridges::durable_streams::StreamSettings;
use super::rate_limit::RateLimits;
use crate::domain::directive::DirectiveRules;
use crate::domain::ids::SubagentKey;
use crate::engine::archive::Backlog;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::mux::StreamMux;
use crate::engine::ports::analytics::Analytics;
use crate::engine::ports::archive::Archive;
use crate::engine::ports::feedback_log::FeedbackLog;
use crate::engine::results::StepResults;
use crate::engine::shadow::ShadowComparer;
use crate::engine::synthesis::Synthesiser;
use crate::engine::telemetry::Telemetry;

/// The service as handlers see it.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] holds.
pub struct Parts {
    /// Decides and stores.
    pub coordinator: AggregationCoordinator,
    /// Lets readers in.
    pub mux: StreamMux,
    /// Makes results of steps.
    pub results: Arc<StepResults>,
    /// Has language models write.
    pub synthesiser: Synthesiser,
    /// Compares the monolith's answers with ours.
    pub shadow: ShadowComparer,
    /// Keeps what users think of results.
    pub feedback: Arc<dyn FeedbackLog>,
    /// What keeps entries for good, where there is one.
    pub archive: Option<ArchiveParts>,
    /// How callers are told apart.
    pub access: Access,
    /// How often they may call.
    pub rate_limits: RateLimits,
    /// Settings of the handlers.
    pub settings: HttpSettings,
    /// What is told of requests.
    pub telemetry: Telemetry,
    /// The metrics as Prometheus reads them.
    pub scrape: Scrape,
    /// Cancelled when the service begins to stop: bodies that are still coming are answered.
    pub draining: CancellationToken,
    /// Streams that have left HTTP.
    pub streams: Streams,
}

/// Streams that have left HTTP: WebSockets.
#[derive(Debug, Clone, Default)]
pub struct Streams {
    /// The service waits for them.
    pub tasks: TaskTracker,
    /// Ends what still runs when the time to stop is over.
    pub stop: CancellationToken,
}

/// The metrics in a format.
pub struct Scrape {
    /// The format's media type.
    pub content_type: &'static str,
    /// Writes them, or says why it can't.
    pub write: Box<dyn Fn() -> Result<String, String> + Send + Sync>,
}

/// The archive as handlers see it.
pub struct ArchiveParts {
    /// Whether it answers.
    pub archive: Arc<dyn Archive>,
    /// Figures over what it holds.
    pub analytics: Arc<dyn Analytics>,
    /// What it hasn't got yet.
    pub backlog: Arc<Backlog>,
}

/// What a body that is read whole may take.
#[derive(Debug, Clone, Copy)]
pub struct BodyBounds {
    /// Bytes.
    pub bytes: usize,
    /// From the end of the head: one that drips, or never ends, holds a connection no longer.
    pub time: Duration,
}

/// Settings of the handlers. Every field is a key of the configuration.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// A request's body at most, but for bodies that stream in.
    pub body: BodyBounds,
    /// Bytes of one event at most.
    pub event_bytes: usize,
    /// Events of one request whose results are listed; of an array at most.
    pub events_per_request: usize,
    /// Sessions that are read for figures, where there is no archive.
    pub figures_sessions: usize,
    /// Events of a page where nothing else is asked.
    pub page_limit: usize,
    /// Events of a page at most.
    pub page_limit_max: usize,
    /// What clients are told to wait before they come back.
    pub retry_ms: u64,
    /// Whether connections are encrypted here.
    pub encrypted: bool,
    /// Idle time after which a WebSocket's peer is asked whether it lives.
    pub heartbeat_ms: u64,
    /// The rollout flag: off answers `feature_disabled` to planners.
    pub enabled: bool,
    /// What directives may ask for.
    pub rules: DirectiveRules,
    /// How Durable Streams are read.
    pub durable_streams: StreamSettings,
    /// Subagents that are switched off.
    pub disabled_subagents: Vec<SubagentKey>,
}

impl App {
    /// Joins the parts.
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl std::ops::Deref for App {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
