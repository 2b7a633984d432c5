//! Telling the orchestrator of safety decisions: a signed `POST` per decision, tried until it is taken.
//!
//! The form is that of Standard Webhooks (<https://www.standardwebhooks.com>): `webhook-id` names the decision and is the
//! same however often it is tried, `webhook-timestamp` and `webhook-signature` keep it from being forged or replayed.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use tokio::time::timeout;
use url::Url;

use super::Shared;
use super::telling::Teller;
use crate::domain::backoff::{Attempts, BackoffSettings, next_attempt};
use crate::domain::ids::SessionKey;
use crate::domain::position::Sequence;
use crate::domain::session::{Command, Notice, NoticeTicket};
use crate::domain::signature::WebhookSecret;
use crate::domain::time::Timestamp;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::ports::result_cache::ResultCache;
use crate::engine::ports::subagent::{CallError, OutboundCall, Subagents};
use crate::engine::telemetry::Decided;

/// How long a post may wait for its place, and then the orchestrator take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a decision is posted at most: with these waits about ten minutes.
const ATTEMPTS: u32 = 14;
const BACKOFF: BackoffSettings = BackoffSettings { base_ms: 1_000, most_ms: 120_000 };

/// Where decisions are posted, and what signs them.
pub struct Webhook {
    /// Where to.
    pub url: Url,
    /// What signs.
    pub secret: WebhookSecret,
    /// Where decisions are read from.
    pub cache: Arc<dyn ResultCache>,
}

/// A decision to post.
pub(super) struct NoticeJob {
    pub(super) key: SessionKey,
    pub(super) ticket: NoticeTicket,
    pub(super) tried: u32,
}

impl NoticeJob {
    pub(super) fn new(key: &SessionKey, ticket: NoticeTicket, notice: &Notice) -> Self {
        Self { key: key.clone(), ticket, tried: notice.tried }
    }
}

/// A line with its place and what was decided.
macro_rules! say {
    ($level:ident, $job:expr, $decided:expr, $($rest:tt)*) => {
        tracing::$level!(
            trace_id = $decided.trace_id(),
            session = %$job.key.session,
            step = $decided.step(),
            sequence = $job.ticket.decision.0,
            decision = $decided.decision(),
            policy = $decided.policy(),
            $($rest)*
        )
    };
}

/// Posts a decision once and tells the log what came of it.
pub(super) async fn post(
    webhook: &Webhook,
    shared: &Shared,
    job: NoticeJob,
    coordinator: AggregationCoordinator,
) {
    let event = webhook.event(&job.key, job.ticket.decision).await;
    let decided = event.as_deref().map(Decided::read).unwrap_or_default();
    let posted = match event {
        Ok(event) => match timeout(PATIENCE, shared.posts.acquire()).await {
            Ok(_place) => webhook.post(&*shared.subagents, &job, event, coordinator.now()).await,
            // Whoever has the places waits for the same receiver.
            Err(_) => Err(CallError::TimedOut),
        },
        Err(error) => Err(error),
    };
    let retry_at = posted.as_ref().err().and_then(|error| {
        let attempts = Attempts { made: job.tried + 1, most: ATTEMPTS, deadline: Timestamp(i64::MAX) };
        let again =
            next_attempt(coordinator.now(), &attempts, error.retry_after_ms(), &BACKOFF, fastrand::f64());
        again.filter(|_| may_pass(error))
    });
    shared.telemetry.meters.noticed(match (&posted, retry_at) {
        (Ok(()), _) => "delivered",
        (Err(_), Some(_)) => "retried",
        (Err(_), None) => "given_up",
    });
    match (&posted, retry_at) {
        (Ok(()), _) => say!(debug, job, decided, "the orchestrator knows of a safety decision"),
        (Err(error), Some(_)) => say!(warn, job, decided, %error, "a webhook failed and is tried again"),
        (Err(error), None) => say!(error, job, decided, %error, "a webhook is given up"),
    }
    let command = Command::NoticeTried { ticket: job.ticket, retry_at };
    // Only a session that is gone, or a service that stops, refuses it: then somebody else posts it again.
    let _ = Teller { coordinator, key: job.key.clone() }.tell(vec![command]).await;
}

impl Webhook {
    async fn post(
        &self,
        subagents: &dyn Subagents,
        job: &NoticeJob,
        body: Bytes,
        now: Timestamp,
    ) -> Result<(), CallError> {
        let mut headers = vec![(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        let unfit = |error: &dyn std::fmt::Display| CallError::NotAllowed(error.to_string());
        let id = message_id(&job.key, job.ticket.decision);
        let named =
            self.secret.headers(&id, now.0.div_euclid(1_000), &body).map_err(|error| unfit(&error))?;
        for (name, value) in named {
            let value = HeaderValue::from_str(&value).map_err(|error| unfit(&error))?;
            headers.push((HeaderName::from_static(name), value));
        }
        let call = OutboundCall { url: self.url.clone(), headers, body, accept: "*/*", patience: PATIENCE };
        match subagents.call(call).await {
            // What it says doesn't matter, that it was said does: the connection can be used again.
            Ok(mut answer) => while let Some(Ok(_)) = answer.body.next().await {},
            // A success that can't be read.
            Err(CallError::Compressed(_) | CallError::TooLarge { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The decision's event, byte for byte as readers see it.
    async fn event(&self, key: &SessionKey, decision: Sequence) -> Result<Bytes, CallError> {
        let gone = || CallError::NotAllowed("the decision isn't in the log any more".into());
        let snapshot = self.cache.snapshot(key).await;
        let snapshot =
            snapshot.map_err(|error| CallError::Unreachable(error.to_string()))?.ok_or_else(gone)?;
        let entry = snapshot.entries.iter().find(|entry| entry.sequence == decision).ok_or_else(gone)?;
        Ok(Bytes::copy_from_slice(entry.wire().ok_or_else(gone)?))
    }
}

/// Whether a decision that wasn't taken is posted again: whatever the receiver said. It may be deployed (404), have its key
/// changed (401) or stand behind one that can't reach it (520), and there is nobody else to tell.
fn may_pass(error: &CallError) -> bool {
    match error {
        CallError::NotAllowed(_) | CallError::UnknownSecret(_) => false,
        CallError::Unreachable(_)
        | CallError::HungUp(_)
        | CallError::TimedOut
        | CallError::Status { .. }
        | CallError::Broken(_)
        | CallError::Compressed(_)
        | CallError::TooLarge { .. }
        | CallError::Redirected(_) => true,
    }
}

/// The same for every attempt: whoever gets a message twice knows it. Ids may hold what a message's mustn't.
fn message_id(key: &SessionKey, decision: Sequence) -> String {
    let name = format!("{}/{}/{decision}", key.tenant, key.session);
    format!("msg_{:032x}", xxhash_rust::xxh3::xxh3_128(name.as_bytes()))
}
