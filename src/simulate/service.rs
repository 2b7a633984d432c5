//! One request: whose it is, how it behaves, what is answered.
//!
//! hyper drops the answer that is still being waited for when the peer closes its connection, so waits need no look-out.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;

use super::agents::{Agent, Kind, Question};
use super::behaviour::Behaviour;
use super::body::{Pace, PacedBody};
use super::calls::Asked;
use super::plan::{Ending, Plan, decide};
use super::protocols::{self, Protocol, Reply};
use super::script::Script;
use super::socket::Cut;
use super::state::{InFlight, State};

/// Longest body of a call or a script.
const BODY_BYTES_MAX: usize = 16 << 20;
/// Longest name of a call, in characters; the rest is left out.
const NAME_CHARACTERS_MAX: usize = 200;

type Answer = Response<PacedBody>;

/// Answers one request.
pub async fn answer(state: Arc<State>, cut: Cut, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let started_ms = state.now_ms();
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let query = head.uri.query().unwrap_or_default();
    let body = match Limited::new(body, BODY_BYTES_MAX).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => {
            return Ok(plain(StatusCode::PAYLOAD_TOO_LARGE, format!("the body can't be read: {error}\n")));
        }
    };
    match (path.as_str(), &head.method) {
        ("/_calls", &Method::GET) => return Ok(told(&state)),
        ("/_calls", &Method::DELETE) => {
            state.reset();
            return Ok(plain(StatusCode::NO_CONTENT, ""));
        }
        ("/_script", &Method::PUT) => return Ok(scripted(&state, &body)),
        ("/_calls" | "/_script", _) => return Ok(not_allowed("GET and DELETE /_calls, PUT /_script")),
        _ => {}
    }
    let Some((kind, protocol)) = target(&path) else {
        return Ok(plain(StatusCode::NOT_FOUND, "there is only /{kind}/{protocol}, /_calls and /_script\n"));
    };
    if head.method != Method::POST {
        return Ok(not_allowed("POST"));
    }
    let behaviour = match Behaviour::from_query(query) {
        Ok(behaviour) => behaviour,
        Err(error) => return Ok(plain(StatusCode::BAD_REQUEST, format!("{error}\n"))),
    };
    if let Some(cancelled) = protocols::cancelled(protocol, &body) {
        return Ok(json(&cancelled));
    }
    let name = name(query, &head.headers, &path);
    let asked = Asked::new(&path, query, name.into(), &head.headers, &body);
    let (call, scripted) = state.begin(asked, started_ms);
    let subagent = Subagent { kind, protocol, behaviour: scripted.over(behaviour) };
    Ok(subagent.answer(call, cut, &head.headers, &body).await)
}

fn target(path: &str) -> Option<(Kind, Protocol)> {
    let (kind, protocol) = path.strip_prefix('/')?.split_once('/')?;
    Some((Kind::named(kind)?, Protocol::named(protocol)?))
}

/// The query's `name`, else the idempotency key, else the path.
fn name(query: &str, headers: &HeaderMap, path: &str) -> String {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let named = pairs.find(|(key, _)| key == "name").map(|(_, name)| name.into_owned());
    let keyed = || Some(headers.get("idempotency-key")?.to_str().ok()?.to_owned());
    let name = named.or_else(keyed).unwrap_or_else(|| path.to_owned());
    name.chars().take(NAME_CHARACTERS_MAX).collect()
}

/// A subagent that was called.
struct Subagent {
    kind: Kind,
    protocol: Protocol,
    behaviour: Behaviour,
}

impl Subagent {
    async fn answer(self, call: InFlight, cut: Cut, headers: &HeaderMap, body: &Bytes) -> Answer {
        let behaviour = &self.behaviour;
        let latency = millis(behaviour.latency_ms);
        if !latency.is_zero() {
            tokio::time::sleep(latency).await;
        }
        let (status, reply, ending, header) = match decide(behaviour, call.attempt()) {
            Plan::Hang => std::future::pending().await,
            Plan::Redirect { status, location } => {
                (status, self.refusal(status), Ending::Whole, Some((LOCATION, location)))
            }
            Plan::Fail { status, retry_after } => {
                let retry_after = retry_after.map(|after| (RETRY_AFTER, after));
                (status, self.refusal(status), Ending::Whole, retry_after)
            }
            Plan::Garbage(rubbish) => (200, protocols::rubbish(self.protocol, rubbish), Ending::Whole, None),
            Plan::Answer { status: status @ (204 | 205), .. } => {
                (status, self.refusal(304), Ending::Whole, None)
            }
            Plan::Answer { status, ending } => (status, self.output(headers, body), ending, None),
        };
        call.status(status);
        let at_once = behaviour.burst.map_or(0, |burst| burst.saturating_add(reply.preamble));
        let pace = Pace { first: millis(behaviour.first_byte_ms), next: millis(behaviour.chunk_ms), at_once };
        let mut response = Response::new(PacedBody::new(reply.frames, pace, ending, cut, call));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.media_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Some((name, value)) = header
            && let Ok(value) = HeaderValue::from_str(&value)
        {
            headers.insert(name, value);
        }
        response
    }

    fn refusal(&self, status: u16) -> protocols::Reply {
        protocols::refusal(self.protocol, status, self.behaviour.retryable)
    }

    fn output(&self, headers: &HeaderMap, body: &Bytes) -> Reply {
        let question = Question::read(body, self.behaviour.seed.unwrap_or(0));
        let agent = Agent::new(self.kind, question, &self.behaviour);
        let request = protocols::Request {
            body: serde_json::from_slice(body).unwrap_or_default(),
            a2a_version: headers
                .get("a2a-version")
                .map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned()),
        };
        protocols::answer(self.protocol, agent, &self.behaviour, &request)
    }
}

fn millis(millis: Option<u64>) -> Duration {
    Duration::from_millis(millis.unwrap_or(0))
}

fn told(state: &State) -> Answer {
    json(&state.calls())
}

fn json(value: &impl serde::Serialize) -> Answer {
    match serde_json::to_string(value) {
        Ok(text) => {
            let mut response = Response::new(PacedBody::plain(text));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")),
    }
}

fn scripted(state: &State, body: &Bytes) -> Answer {
    let script = std::str::from_utf8(body).map_err(|error| error.to_string());
    match script.and_then(|text| Script::read(text).map_err(|error| error.to_string())) {
        Ok(script) => {
            state.set_script(script);
            plain(StatusCode::NO_CONTENT, "")
        }
        Err(error) => plain(StatusCode::BAD_REQUEST, format!("{error}\n")),
    }
}

fn not_allowed(allowed: &str) -> Answer {
    let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, format!("allowed: {allowed}\n"));
    if let Some(Ok(value)) = allowed.split(' ').next().map(HeaderValue::from_str) {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}

fn plain(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(PacedBody::plain(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
