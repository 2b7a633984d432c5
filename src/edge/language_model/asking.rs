//! Sends a request, and again without what the server refuses by name, or with a shorter answer where it says how long one
//! may be.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use tokio::time::Instant;

use super::habits::{Habits, Trial};
use super::options::{Provider, SchemaMode};
use super::reading::Reading;
use super::{Place, anthropic, failure, openai};
use crate::domain::protocols::{Parameter, Refused, output_limit_of, read_model_refusal};
use crate::engine::ports::language_model::{ModelError, ModelRequest, StopReason};
use crate::engine::ports::subagent::{CallError, OutboundCall};

/// How often a request is sent at most: once, and once for each parameter that may be refused (the format twice, the limit of the
/// output for its name and for its number).
const SENDS_MAX: usize = 7;

/// What became of a request.
pub(super) enum Opened {
    /// There is an answer to read.
    Reading(Reading),
    /// The server's filter didn't let the request through.
    HeldBack(StopReason),
}

/// Asks, up to the head of the answer.
pub(super) async fn open(place: &Place, request: &ModelRequest) -> Result<Opened, ModelError> {
    let begun = Instant::now();
    let may_drop_schema = request.schema.is_some() && place.options.schema == SchemaMode::Auto;
    let known = *place.habits.lock();
    let mut trial = Trial::new(known, place.options.provider, may_drop_schema);
    let mut sends_left = SENDS_MAX;
    loop {
        sends_left -= 1;
        let patience = request.patience.saturating_sub(begun.elapsed());
        let error = match place.transport.call(place.call(request, trial.habits, patience)?).await {
            Ok(answer) => {
                *place.habits.lock() = trial.lasting;
                return Reading::new(answer, &place.options).map(Opened::Reading);
            }
            Err(error) => error,
        };
        let CallError::Status { status, retry_after_ms, detail } = error else {
            return Err(failure::of_call(error));
        };
        let refusal = read_model_refusal(status, &detail);
        match refusal.refused {
            Refused::Filtered => return Ok(Opened::HeldBack(StopReason::Filtered)),
            Refused::Parameter(parameter)
                if sends_left > 0 && is_mended(&mut trial, parameter, &detail, request) => {}
            Refused::Context | Refused::Quota | Refused::Parameter(_) | Refused::Other => {
                return Err(failure::of_status(status, refusal, retry_after_ms));
            }
        }
    }
}

/// Writes the request as the server wants it, where it says how; `false`: there is no other way.
fn is_mended(trial: &mut Trial, parameter: Parameter, detail: &str, request: &ModelRequest) -> bool {
    let wanted = trial.habits.output_tokens(request.output_tokens_max);
    let most = match parameter {
        Parameter::OutputLimit => output_limit_of(detail, wanted),
        Parameter::Format { .. } | Parameter::Temperature | Parameter::StreamOptions => None,
    };
    most.is_some_and(|most| trial.no_longer_than(most)) || trial.without(parameter)
}

impl Place {
    fn call(
        &self,
        request: &ModelRequest,
        habits: Habits,
        patience: Duration,
    ) -> Result<OutboundCall, ModelError> {
        let body = match self.options.provider {
            Provider::OpenAi => openai::body(&self.options.model, request, habits),
            Provider::Anthropic => anthropic::body(&self.options.model, request, habits),
        };
        let body = body.map_err(|_| ModelError::NotConfigured("the request can't be written".into()))?;
        let told = request.traceparent.as_deref().filter(|_| !self.options.is_at_its_makers());
        let traceparent = told.and_then(|parent| HeaderValue::from_str(parent).ok());
        let traced = traceparent.map(|parent| (HeaderName::from_static("traceparent"), parent));
        Ok(OutboundCall {
            url: self.endpoint.clone(),
            headers: self.headers.iter().cloned().chain(traced).collect(),
            body: Bytes::from(body),
            accept: "text/event-stream, application/json",
            patience,
        })
    }
}
