//! What handlers take out of a request, parsed and checked once.

use std::fmt::Display;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};
use bytes::BytesMut;
use http_body_util::BodyExt;
use tokio::time::timeout;
use xxhash_rust::xxh3::Xxh3;

use super::access::Caller;
use super::app::{App, BodyBounds};
use super::problem::Problem;
use crate::domain::event::Digest;
use crate::domain::ids::{InvalidId, ResultKey, SessionKey, StepId, SubagentKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::verdict::{Code, Refusal};
use crate::engine::coordinator::SubmitError;

mod media;
mod query;

pub use media::{media_type, require_json, require_plain, unsupported};
pub use query::{flag, form_pairs, known_pairs, number, refuse_near_miss, shown, single_pairs};

/// Longest `Idempotency-Key`, in bytes.
const IDEMPOTENCY_KEY_BYTES: usize = 255;

/// The ids in a request's path.
#[derive(Debug, Clone)]
pub struct Ids {
    /// The session, of the request's tenant.
    pub key: SessionKey,
    step: Option<StepId>,
    subagent: Option<SubagentKey>,
    result_key: Option<ResultKey>,
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

    /// One output of the step.
    ///
    /// # Panics
    /// On a route without one.
    pub fn result_key(&self) -> &ResultKey {
        self.result_key.as_ref().expect("the route has a result key")
    }
}

impl Ids {
    /// The ids of `/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events`, where `path` is one and
    /// each of them stands there as it is, not percent-encoded.
    pub fn of_events_path(path: &str) -> Option<Self> {
        let (session, rest) = segment(path.strip_prefix("/planner/sessions/")?)?;
        let (step, rest) = segment(rest.strip_prefix("steps/")?)?;
        let (subagent, rest) = segment(rest.strip_prefix("subagents/")?)?;
        if rest != "events" {
            return None;
        }
        let key = SessionKey { tenant: TenantId::default_tenant(), session: session.parse().ok()? };
        let (step, subagent) = (Some(step.parse().ok()?), Some(subagent.parse().ok()?));
        Some(Self { key, step, subagent, result_key: None })
    }
}

/// What stands before the next slash, and what after it. Segments are short: looking byte by byte finds it sooner than a
/// search that is set up first.
fn segment(path: &str) -> Option<(&str, &str)> {
    let at = path.bytes().position(|byte| byte == b'/')?;
    Some((&path[..at], &path[at + 1..]))
}

impl Ids {
    /// The same, with a step that the request names elsewhere.
    pub fn in_step(mut self, step: StepId) -> Self {
        self.step = Some(step);
        self
    }

    /// The same, of one output only: what says that it is another's is refused.
    pub fn for_output(mut self, result_key: ResultKey) -> Self {
        self.result_key = Some(result_key);
        self
    }

    /// The output that a request is for, where it names one besides its body.
    pub fn maybe_output(&self) -> Option<&ResultKey> {
        self.result_key.as_ref()
    }

    /// The same, of the caller's tenant.
    pub fn of(mut self, caller: &Caller) -> Self {
        self.key.tenant = caller.tenant().clone();
        self
    }
}

/// Refuses who may not work with the session of the path: before anything says whether it exists.
impl FromRequestParts<App> for Ids {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Path(params) = Path::<Vec<(String, String)>>::from_request_parts(parts, app)
            .await
            .map_err(|_| Problem::new(Code::InvalidId, "the path isn't percent-encoded UTF-8"))?;
        let (mut session, mut step, mut subagent, mut result_key) = (None, None, None, None);
        for (name, value) in &params {
            match name.as_str() {
                "session_id" => session = Some(parse(name, value)?),
                "plan_step_id" => step = Some(parse(name, value)?),
                "key" => subagent = Some(parse(name, value)?),
                "result_key" => result_key = Some(parse(name, value)?),
                _ => {}
            }
        }
        let session = session.expect("every route with ids has a session");
        let caller = Caller::from_request_parts(parts, app).await?;
        caller.covers(&session)?;
        let key = SessionKey { tenant: caller.tenant().clone(), session };
        Ok(Self { key, step, subagent, result_key })
    }
}

/// The last step of a path that is a file's name.
pub type PathText = Result<Path<String>, PathRejection>;

/// That name; the empty one, which no file has, where it isn't percent-encoded UTF-8.
pub fn path_text(path: PathText) -> String {
    path.map_or_else(|_| String::new(), |Path(text)| text)
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
pub async fn read_text(body: Body, app: &App) -> Result<String, Problem> {
    let bytes = read_bytes(body, app).await?;
    text_of(&bytes).map(str::to_owned)
}

/// A body as text, without the byte order mark that some editors and shells write before it.
///
/// # Errors
/// `invalid_json` where it isn't UTF-8.
pub fn text_of(bytes: &[u8]) -> Result<&str, Problem> {
    let not_text = |_| Refusal::at(Code::InvalidJson, "", "the body isn't UTF-8");
    let text = std::str::from_utf8(bytes).map_err(not_text)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads a whole body. One that comes in one piece, as most do, isn't copied.
///
/// # Errors
/// `body_too_large`, `invalid_json` where it breaks off or takes too long, `draining` where it isn't here when the service
/// stops.
pub async fn read_bytes<B>(body: B, app: &App) -> Result<Bytes, Problem>
where
    B: http_body::Body<Data = Bytes, Error: Display> + Unpin,
{
    let BodyBounds { bytes, time } = app.settings.body;
    let here = async {
        tokio::select! {
            biased;
            read = collect(body, bytes) => read,
            () = app.draining.cancelled() => Err(SubmitError::Draining.into()),
        }
    };
    timeout(time, here).await.unwrap_or_else(|_| {
        let detail = format!("the body broke off: it wasn't here after {} ms", time.as_millis());
        Err(Problem::new(Code::InvalidJson, detail))
    })
}

async fn collect<B>(mut body: B, most: usize) -> Result<Bytes, Problem>
where
    B: http_body::Body<Data = Bytes, Error: Display> + Unpin,
{
    let too_large = || Problem::new(Code::BodyTooLarge, format!("the body is over {most} bytes"));
    // Who says beforehand how much will come is spared sending it (`Expect: 100-continue`).
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let (mut first, mut rest) = (Bytes::new(), BytesMut::new());
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|error| Problem::new(Code::InvalidJson, format!("the body broke off: {error}")))?;
        // Trailers have no meaning here.
        let Ok(piece) = frame.into_data() else { continue };
        if first.len() + rest.len() + piece.len() > most && !mutant!("body-without-bound") {
            return Err(too_large());
        }
        if first.is_empty() {
            first = piece;
        } else {
            rest.extend_from_slice(&piece);
        }
    }
    Ok(if rest.is_empty() { first } else { [&first[..], &rest].concat().into() })
}

/// The `Idempotency-Key` of a request, bound to its path with the query and what of its body is given.
///
/// # Errors
/// Where the header isn't 1 to 255 printable ASCII characters, spaces among them, or is there twice.
pub fn idempotency_key(
    headers: &HeaderMap,
    uri: &Uri,
    body: &[u8],
) -> Result<Option<IdempotencyKey>, Problem> {
    let mut all = headers.get_all("idempotency-key").iter();
    let Some(value) = all.next() else { return Ok(None) };
    if all.next().is_some() {
        return Err(Problem::new(Code::InvalidId, "there is more than one Idempotency-Key"));
    }
    let is_printable = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let fits = |text: &&str| (1..=IDEMPOTENCY_KEY_BYTES).contains(&text.len()) && is_printable(text);
    let Some(key) = value.to_str().ok().filter(fits) else {
        let text = "an Idempotency-Key is 1 to 255 printable ASCII characters";
        return Err(Problem::new(Code::InvalidId, text));
    };
    let mut hasher = Xxh3::new();
    hasher.update(uri.path_and_query().map_or("", PathAndQuery::as_str).as_bytes());
    hasher.update(&[0]);
    hasher.update(body);
    Ok(Some(IdempotencyKey { key: Arc::from(key), fingerprint: Digest(hasher.digest128()) }))
}

/// The place that a reader comes back to; an empty one is none.
///
/// # Errors
/// Where there are two: they would be two places, and nobody knows which is meant.
pub fn last_event_id(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut all = headers.get_all("last-event-id").iter();
    let Some(value) = all.next() else { return Ok(None) };
    if all.next().is_some() {
        return Err(Refusal::at(Code::InvalidEvent, "", "`Last-Event-ID` is given more than once"));
    }
    Ok(Some(value.to_str().unwrap_or("?")).filter(|value| !value.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_of_events_is_read_only_where_it_is_exactly_one() {
        let good = "/planner/sessions/s-1/steps/p.2/subagents/a:b/events";
        let ids = Ids::of_events_path(good).unwrap();
        let found = (ids.key.session.as_str(), ids.step().as_str(), ids.subagent().as_str());
        assert_eq!(found, ("s-1", "p.2", "a:b"));
        for other in [
            "/planner/sessions/s/steps/p/subagents/a/events/",
            "/planner/sessions/s/steps/p/subagents/a/event",
            "/planner/sessions/s/steps/p/subagents//events",
            "/planner/sessions/s/steps/p/subagents/%61/events",
            "/planner/sessions/s/steps/../subagents/a/events",
            "/planner/sessions/s/steps/p/subagent/a/events",
            "/planner/sessions/s/steps/p/events",
            "//planner/sessions/s/steps/p/subagents/a/events",
            "/x/planner/sessions/s/steps/p/subagents/a/events",
        ] {
            assert!(Ids::of_events_path(other).is_none(), "{other}");
        }
    }
}
