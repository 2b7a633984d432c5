//! What handlers take out of a request, parsed and checked once.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use xxhash_rust::xxh3::Xxh3;

use super::app::App;
use super::problem::Problem;
use crate::domain::event::Digest;
use crate::domain::ids::{InvalidId, SessionKey, StepId, SubagentKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::verdict::{Code, Refusal};

/// Longest `Idempotency-Key`, in bytes.
const IDEMPOTENCY_KEY_BYTES: usize = 255;

/// The ids in a request's path.
#[derive(Debug, Clone)]
pub struct Ids {
    /// The session, of the request's tenant.
    pub key: SessionKey,
    step: Option<StepId>,
    subagent: Option<SubagentKey>,
}

impl Ids {
    /// The step.
    ///
    /// # Panics
    /// On a route without one.
    pub fn step(&self) -> &StepId {
        self.step.as_ref().expect("the route has a step")
    }

    /// The step, on routes that may have one.
    pub fn maybe_step(&self) -> Option<&StepId> {
        self.step.as_ref()
    }

    /// The subagent.
    ///
    /// # Panics
    /// On a route without one.
    pub fn subagent(&self) -> &SubagentKey {
        self.subagent.as_ref().expect("the route has a subagent")
    }
}

impl FromRequestParts<App> for Ids {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Path(params) = Path::<Vec<(String, String)>>::from_request_parts(parts, app)
            .await
            .map_err(|_| Problem::new(Code::InvalidId, "the path isn't percent-encoded UTF-8"))?;
        let (mut session, mut step, mut subagent) = (None, None, None);
        for (name, value) in &params {
            match name.as_str() {
                "session_id" => session = Some(parse(name, value)?),
                "plan_step_id" => step = Some(parse(name, value)?),
                "key" => subagent = Some(parse(name, value)?),
                _ => {}
            }
        }
        let session = session.expect("every route with ids has a session");
        let key = SessionKey { tenant: TenantId::default_tenant(), session };
        Ok(Self { key, step, subagent })
    }
}

fn parse<T: std::str::FromStr<Err = InvalidId>>(name: &str, value: &str) -> Result<T, Problem> {
    value.parse().map_err(|error| {
        Problem::from(Refusal::at(Code::InvalidId, "", format!("`{name}` in the path: {error}")))
    })
}

/// Reads a whole body as text.
///
/// # Errors
/// `body_too_large`, `invalid_json` where it isn't UTF-8 or breaks off.
pub async fn read_text(body: Body, most: usize) -> Result<String, Problem> {
    let bytes = read_bytes(body, most).await?;
    String::from_utf8(bytes.into()).map_err(|_| Problem::new(Code::InvalidJson, "the body isn't UTF-8"))
}

async fn read_bytes(body: Body, most: usize) -> Result<Bytes, Problem> {
    match Limited::new(body, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(Problem::new(Code::BodyTooLarge, format!("the body is over {most} bytes")))
        }
        Err(error) => Err(Problem::new(Code::InvalidJson, format!("the body broke off: {error}"))),
    }
}

/// The media type of a request's body, lowercase, without parameters; `None` where it isn't said.
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().unwrap_or("?");
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// Refuses a body that isn't JSON. One without a type is taken for it.
///
/// # Errors
/// `unsupported_media_type`.
pub fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    match media_type(headers).as_deref() {
        None | Some("application/json") => Ok(()),
        Some(other) => Err(unsupported(other, "application/json")),
    }
}

/// The refusal of a body's type.
pub fn unsupported(given: &str, taken: &str) -> Problem {
    Problem::new(
        Code::UnsupportedMediaType,
        format!("a body of type `{given}` isn't taken here, only {taken}"),
    )
}

/// The `Idempotency-Key` of a request, bound to its path with the query and what of its body is given.
///
/// # Errors
/// Where the header isn't 1 to 255 visible characters.
pub fn idempotency_key(
    headers: &HeaderMap,
    uri: &Uri,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let fits = |text: &&str| (1..=IDEMPOTENCY_KEY_BYTES).contains(&text.len());
    let Some(key) = value.to_str().ok().filter(fits) else {
        let text = "an Idempotency-Key is 1 to 255 visible ASCII characters";
        return Err(Problem::new(Code::InvalidId, text));
    };
    let mut hasher = Xxh3::new();
    hasher.update(uri.path_and_query().map_or("", PathAndQuery::as_str).as_bytes());
    hasher.update(&[0]);
    hasher.update(body);
    Ok(Some(IdempotencyKey { key: Arc::from(key), fingerprint: Digest(hasher.digest128()) }))
}

/// The parameters of a query, decoded.
pub fn form_pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// A parameter that is a count.
///
/// # Errors
/// `invalid_event` where it isn't a whole number from 0.
pub fn number(name: &str, value: &str) -> Result<usize, Refusal> {
    let wrong = |_| Refusal::new(Code::InvalidEvent, format!("`{name}` is a whole number, not `{value}`"));
    value.parse().map_err(wrong)
}

/// Where a request stands in its caller's trace.
pub fn telemetry_of(headers: &HeaderMap) -> TelemetryContext {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (trace, span) = (fastrand::u128(1..), fastrand::u64(1..));
    TelemetryContext::of_request(text("traceparent"), text("tracestate"), text("baggage"), trace, span)
}
