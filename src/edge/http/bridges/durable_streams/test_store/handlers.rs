//! The methods of a stream.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::answer::{get, head, put, secured};
use super::producers::{Judged, Write};
use super::stream::{Config, Log, Stream};
use super::{STREAMS, TestStore};
use crate::domain::bridges::durable_streams::Offset;
use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;

/// Bytes of a body at most, and those that are read of one that is refused.
const BODY_BYTES: usize = 1024 * 1024;
const READ_BYTES: usize = 16 * BODY_BYTES;

/// Serves any method.
pub(super) async fn serve(
    State(store): State<TestStore>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let unknown = || Problem::new(Code::NotFound, "there is no such stream");
    let stream = store.streams.lock().get(&name).cloned();
    let source = stream.clone().ok_or_else(unknown);
    match parts.method {
        Method::GET => {
            get(source, parts.uri.query().unwrap_or_default(), &parts.headers, store.settings).await
        }
        Method::HEAD => {
            let mut response = head(source).await;
            echo_times(&mut response, stream.as_deref());
            response
        }
        Method::OPTIONS => preflight(),
        Method::DELETE => {
            let found = store.streams.lock().remove(&name).is_some();
            secured(if found { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }.into_response())
        }
        Method::PUT => secured(match read(body).await {
            Ok(body) => create(&store, name, &parts.headers, body),
            Err(status) => status.into_response(),
        }),
        Method::POST => secured(match (stream, read(body).await) {
            (None, _) => StatusCode::NOT_FOUND.into_response(),
            (_, Err(status)) => status.into_response(),
            (Some(stream), Ok(body)) => append(&stream, &parts.headers, body),
        }),
        _ => secured(StatusCode::METHOD_NOT_ALLOWED.into_response()),
    }
}

async fn read(body: Body) -> Result<Bytes, StatusCode> {
    // The rest of a body that is too large is read, too: a client that writes everything before it reads would find its connection reset, and
    // not the answer.
    let bytes = to_bytes(body, READ_BYTES).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    if bytes.len() > BODY_BYTES { Err(StatusCode::PAYLOAD_TOO_LARGE) } else { Ok(bytes) }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn closes(headers: &HeaderMap) -> bool {
    text(headers, "stream-closed").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The answer to a write: where the stream ends now.
fn told(status: StatusCode, log: &Log) -> Response {
    let mut response = status.into_response();
    put(&mut response, "stream-next-offset", &Offset(log.tail()).to_string());
    if log.closed {
        put(&mut response, "stream-closed", "true");
    }
    response
}

fn echo_times(response: &mut Response, stream: Option<&Stream>) {
    let Some(config) = stream.map(|stream| &stream.config) else { return };
    let times = [("stream-ttl", &config.ttl), ("stream-expires-at", &config.expires_at)];
    for (name, value) in times {
        if let Some(value) = value {
            put(response, name, value);
        }
    }
}

fn create(store: &TestStore, name: String, headers: &HeaderMap, body: Bytes) -> Response {
    let mut streams = store.streams.lock();
    let forked_from = text(headers, "stream-forked-from");
    let source = match &forked_from {
        None => None,
        // The source's path, wherever these routes are mounted.
        Some(path) => match path.split_once("/v1/stream/").and_then(|(_, name)| streams.get(name)) {
            Some(source) => Some(source.clone()),
            None => return StatusCode::NOT_FOUND.into_response(),
        },
    };
    let inherited = || source.as_ref().map(|source| source.config.content_type.clone());
    let config = Config {
        content_type: text(headers, "content-type")
            .or_else(inherited)
            .unwrap_or_else(|| "application/octet-stream".to_owned()),
        ttl: text(headers, "stream-ttl"),
        expires_at: text(headers, "stream-expires-at"),
        forked_from,
    };
    if let Some(stream) = streams.get(&name) {
        let log = stream.log.lock();
        let same = stream.config == config && log.closed == closes(headers);
        return told(if same { StatusCode::OK } else { StatusCode::CONFLICT }, &log);
    }
    if streams.len() >= STREAMS {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let log = source.map_or_else(Log::new, |source| source.log.lock().fork());
    let content_type = config.content_type.clone();
    let stream = Stream::new(config, log);
    let items = if body.is_empty() { Ok(Vec::new()) } else { stream.items(body) };
    let Ok(items) = items else { return StatusCode::BAD_REQUEST.into_response() };
    let mut log = stream.log.lock();
    if !log.append(&items) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    log.closed = closes(headers);
    let mut response = told(StatusCode::CREATED, &log);
    drop(log);
    put(&mut response, "content-type", &content_type);
    streams.insert(name, Arc::new(stream));
    response
}

fn append(stream: &Stream, headers: &HeaderMap, body: Bytes) -> Response {
    let Ok(write) = Write::of(headers) else { return StatusCode::BAD_REQUEST.into_response() };
    let mut log = stream.log.lock();
    let (judged, status) = match write.as_ref().map(|write| log.producers.judge(write)) {
        None | Some(Judged::New) => (Judged::New, written(stream, &mut log, write.as_ref(), headers, body)),
        Some(Judged::Duplicate) => (Judged::Duplicate, StatusCode::NO_CONTENT),
        Some(stale @ Judged::StaleEpoch(_)) => (stale, StatusCode::FORBIDDEN),
        Some(gap @ Judged::Gap(_)) => (gap, StatusCode::CONFLICT),
    };
    let mut response = told(status, &log);
    drop(log);
    stream.wake();
    let Some(write) = write else { return response };
    match judged {
        Judged::StaleEpoch(epoch) => put(&mut response, "producer-epoch", &epoch.to_string()),
        Judged::Gap(expected) => {
            put(&mut response, "producer-expected-seq", &expected.to_string());
            put(&mut response, "producer-received-seq", &write.seq.to_string());
        }
        Judged::New | Judged::Duplicate if status.is_success() => {
            put(&mut response, "producer-epoch", &write.epoch.to_string());
            put(&mut response, "producer-seq", &write.seq.to_string());
        }
        Judged::New | Judged::Duplicate => {}
    }
    response
}

/// Appends, closes, or both at once.
fn written(
    stream: &Stream,
    log: &mut Log,
    write: Option<&Write>,
    headers: &HeaderMap,
    body: Bytes,
) -> StatusCode {
    let (closes, wrote) = (closes(headers), !body.is_empty());
    if log.closed {
        let repeated = closes && !wrote && write.is_none();
        return if repeated { StatusCode::NO_CONTENT } else { StatusCode::CONFLICT };
    }
    if wrote {
        let essence = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let given = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
        if essence(&given) != essence(&stream.config.content_type) {
            return StatusCode::CONFLICT;
        }
        match stream.items(body) {
            Ok(items) if items.is_empty() => return StatusCode::BAD_REQUEST,
            Ok(items) if !log.append(&items) => return StatusCode::PAYLOAD_TOO_LARGE,
            Ok(_) => {}
            Err(_) => return StatusCode::BAD_REQUEST,
        }
    } else if !closes {
        return StatusCode::BAD_REQUEST;
    }
    log.closed |= closes;
    if let Some(write) = write {
        log.producers.done(write);
    }
    if wrote && write.is_some() { StatusCode::OK } else { StatusCode::NO_CONTENT }
}

/// What the service's own CORS settings answer elsewhere.
fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    put(&mut response, "access-control-allow-origin", "*");
    put(&mut response, "access-control-allow-methods", "GET, HEAD, PUT, POST, DELETE");
    put(&mut response, "access-control-allow-headers", "content-type, if-none-match, stream-closed");
    secured(response)
}
