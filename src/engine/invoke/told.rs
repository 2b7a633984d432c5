//! What is told of one call: how long it took, how it ended, and its span where that is wanted.

use tokio::time::Instant;
use url::Url;

use super::CallJob;
use crate::domain::span::{Span, SpanKind, SpanStatus, Value};
use crate::domain::story;
use crate::domain::telemetry_names::{attribute, span};
use crate::domain::time::Timestamp;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::telemetry::Telemetry;

/// The name of a failure that is a call's own timer
/// ([`CallError::TimedOut`](crate::engine::ports::subagent::CallError::TimedOut)).
const TIMED_OUT: &str = "timed_out";
/// What timers and the store's clock, which is followed by the millisecond, may differ by.
const SLACK_MS: u64 = 20;

/// A call that runs. Dropped without another word it was ended by its session: its time was over, or nobody wanted it
/// any more.
pub(super) struct CallTold {
    telemetry: Telemetry,
    coordinator: AggregationCoordinator,
    protocol: &'static str,
    deadline: Timestamp,
    begun: Instant,
    span: Option<Span>,
    outcome: Option<Result<(), String>>,
}

impl CallTold {
    pub(super) fn begin(telemetry: &Telemetry, coordinator: &AggregationCoordinator, job: &CallJob) -> Self {
        let invocation = job.subagent.invocation();
        let protocol = invocation.map_or("none", |call| call.protocol.as_str());
        let url = invocation.and_then(|call| Url::parse(&call.url).ok());
        Self {
            telemetry: telemetry.clone(),
            coordinator: coordinator.clone(),
            protocol,
            deadline: job.deadline(),
            begun: Instant::now(),
            span: span_of(telemetry, coordinator, job, url.as_ref()),
            outcome: None,
        }
    }

    /// The subagent answered with that status.
    pub(super) fn answered(&mut self, status: u16) {
        self.push(attribute::HTTP_STATUS, u32::from(status).into());
    }

    /// It came to an end of its own: `Err` names the failure.
    pub(super) fn ended(&mut self, outcome: Result<(), String>) {
        self.outcome = Some(outcome);
    }

    fn is_overdue(&self) -> bool {
        self.coordinator.now().plus_ms(SLACK_MS) >= self.deadline
    }

    fn push(&mut self, name: &'static str, value: Value) {
        if let Some(span) = &mut self.span {
            span.attributes.retain(|(known, _)| *known != name);
            span.attributes.push((name, value));
        }
    }
}

fn span_of(
    telemetry: &Telemetry,
    coordinator: &AggregationCoordinator,
    job: &CallJob,
    url: Option<&Url>,
) -> Option<Span> {
    if !telemetry.samples(&job.step.context) {
        return None;
    }
    let (subagent, output) = (&*job.subagent, &job.subagent.output);
    let part = format!("{}/{}", subagent.attempt, job.ticket.number);
    let result_key = output.result_key.as_str();
    let mut told = story::span_of_output_part(&job.key, &job.step, result_key, span::CALL, &part)?;
    told.kind = SpanKind::Client;
    told.start_us = coordinator.micros_at(Instant::now());
    told.attributes.extend([
        (attribute::STAGE, Value::from(output.stage.to_string())),
        (attribute::RESULT_KEY, result_key.to_owned().into()),
        (attribute::ATTEMPT, subagent.attempt.into()),
        (attribute::ATTEMPTS_MAX, subagent.expected.max_attempts.into()),
        (attribute::HTTP_METHOD, "POST".into()),
    ]);
    // Neither path nor query: they may hold what is nobody's business.
    if let Some(url) = url {
        told.attributes.push((attribute::URL_SCHEME, url.scheme().to_owned().into()));
        told.attributes
            .push((attribute::SERVER_ADDRESS, url.host_str().unwrap_or_default().to_owned().into()));
        let port = url.port_or_known_default().unwrap_or_default();
        told.attributes.push((attribute::SERVER_PORT, u32::from(port).into()));
    }
    Some(told)
}

impl Drop for CallTold {
    fn drop(&mut self) {
        let (outcome, failure) = match self.outcome.take() {
            Some(Ok(())) => ("success", None),
            // Its own timer and its session's run out together; either may be first.
            Some(Err(failure)) if failure != TIMED_OUT || !self.is_overdue() => ("failure", Some(failure)),
            Some(Err(_)) => ("timeout", Some("timeout".to_owned())),
            None if self.is_overdue() => ("timeout", Some("timeout".to_owned())),
            None => ("cancelled", None),
        };
        self.telemetry.meters.called(self.protocol, outcome, self.begun.elapsed());
        self.push(attribute::STATUS, outcome.into());
        self.push(attribute::PROTOCOL, self.protocol.into());
        if let Some(failure) = failure {
            self.push(attribute::ERROR_TYPE, failure.clone().into());
            if let Some(span) = &mut self.span {
                span.status = SpanStatus::Error(failure);
            }
        }
        if let (Some(mut span), Some(spans)) = (self.span.take(), self.telemetry.spans()) {
            span.end_us = self.coordinator.micros_at(Instant::now());
            spans.end(span);
        }
    }
}
