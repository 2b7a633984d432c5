//! Reading a stream over HTTP: `GET` in its three modes, and `HEAD`.

use std::convert::Infallible;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, timeout_at};

use super::live::sse;
use super::source::{News, StreamSource, StreamTail};
use crate::domain::bridges::durable_streams::{
    Batch, Encoding, JITTER_S, Malformed, Mode, Start, Wanted, caching, current, etag, fields, is_unmodified,
};
use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;

/// How streams are read. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct StreamSettings {
    /// How long a long-poll waits.
    pub long_poll_ms: u64,
    /// How long an event stream is held open before its reader is to come again.
    pub connection_ms: u64,
    /// Items of an answer at most.
    pub items: usize,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self { long_poll_ms: 20_000, connection_ms: 60_000, items: 500 }
    }
}

/// Answers a `GET` with the given query.
pub async fn get<S: StreamSource>(
    source: Result<S, Problem>,
    query: &str,
    headers: &HeaderMap,
    settings: StreamSettings,
) -> Response {
    let answer = async {
        let source = source?;
        let wanted = Wanted::read(url::form_urlencoded::parse(query.as_bytes()))?;
        match wanted.mode {
            Mode::CatchUp => catch_up(&source, wanted, headers, settings).await,
            Mode::LongPoll => long_poll(&source, wanted, settings).await,
            Mode::Sse => sse(source, wanted, settings).await,
        }
    };
    secured(answer.await.unwrap_or_else(IntoResponse::into_response))
}

/// Answers a `HEAD`: where the stream ends, which no cache may keep (section 5.5).
pub async fn head<S: StreamSource>(source: Result<S, Problem>) -> Response {
    let answer = async {
        let source = source?;
        let batch = source.read(Start::Now, 0).await?;
        // Of no known length: what a `GET` has isn't empty.
        let unsaid = futures::stream::empty::<Result<Bytes, Infallible>>();
        let mut response = Response::new(Body::from_stream(unsaid));
        put(&mut response, "content-type", source.content_type());
        put(&mut response, "cache-control", "no-store");
        // Where the stream ends isn't what the reader has read: no `Stream-Up-To-Date`.
        put_all(&mut response, &fields(&Batch { up_to_date: false, ..batch }, None));
        Ok::<_, Problem>(response)
    };
    secured(answer.await.unwrap_or_else(IntoResponse::into_response))
}

async fn catch_up<S: StreamSource>(
    source: &S,
    wanted: Wanted,
    headers: &HeaderMap,
    settings: StreamSettings,
) -> Result<Response, Problem> {
    let batch = source.read(wanted.start, settings.items).await?;
    let tag = etag(&batch);
    let asked = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let same = tag.as_ref().zip(asked).is_some_and(|(tag, asked)| is_unmodified(asked, tag));
    let mut response = whole(source, wanted.mode, &batch, None);
    if same {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
    }
    if let Some(tag) = tag {
        put(&mut response, "etag", &tag);
    }
    Ok(response)
}

async fn long_poll<S: StreamSource>(
    source: &S,
    wanted: Wanted,
    settings: StreamSettings,
) -> Result<Response, Problem> {
    let deadline = Instant::now() + Duration::from_millis(settings.long_poll_ms);
    let mut batch = source.read(wanted.start, settings.items).await?;
    if batch.items.is_empty() && !batch.closed {
        let mut tail = source.follow(batch.next).await?;
        let mut place = batch.next;
        while let Ok(news) = timeout_at(deadline, tail.next()).await {
            match news {
                // Read again, so that the answer has all there is and says whether it does.
                News::More(more) if !more.items.is_empty() || more.closed => {
                    batch = source.read(Start::After(place), settings.items).await?;
                    if !batch.items.is_empty() || batch.closed {
                        break;
                    }
                    place = batch.next;
                }
                News::More(more) => place = more.next,
                News::Quiet => {}
                News::Over => break,
            }
        }
        if batch.items.is_empty() && !batch.closed {
            batch = Batch { next: place, up_to_date: true, ..batch };
        }
    }
    let cursor = current(unix_s(), wanted.cursor, fastrand::u64(JITTER_S));
    let mut response = whole(source, wanted.mode, &batch, Some(cursor));
    if batch.items.is_empty() {
        *response.status_mut() = StatusCode::NO_CONTENT;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    } else if let Some(tag) = etag(&batch).filter(|_| wanted.start != Start::Now) {
        put(&mut response, "etag", &tag);
    }
    Ok(response)
}

/// An answer with a batch as its body.
fn whole<S: StreamSource>(source: &S, mode: Mode, batch: &Batch, cursor: Option<u64>) -> Response {
    let encoding = Encoding::of(source.content_type());
    let mut response = Response::new(Body::from(encoding.body(&batch.items)));
    put(&mut response, "content-type", source.content_type());
    put(&mut response, "cache-control", caching(mode, batch));
    // What is kept is kept for who asked.
    put(&mut response, "vary", "authorization, cookie");
    put_all(&mut response, &fields(batch, cursor));
    response
}

/// Seconds of Unix time.
pub fn unix_s() -> u64 {
    // Before 1970 there is no interval to count: the clock is wrong, and cursors begin at 0.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Sets a header. Values are offsets, numbers and media types that came as headers.
pub fn put(response: &mut Response, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
}

fn put_all(response: &mut Response, fields: &[(&'static str, String)]) {
    for (name, value) in fields {
        put(response, name, value);
    }
}

/// What every answer says to browsers (section 12.7), refusals too.
pub fn secured(mut response: Response) -> Response {
    put(&mut response, "x-content-type-options", "nosniff");
    // Pages of other origins read with CORS or not at all.
    put(&mut response, "cross-origin-resource-policy", "same-origin");
    response
}

impl From<Malformed> for Problem {
    fn from(error: Malformed) -> Self {
        Problem::new(Code::InvalidCursor, error.to_string())
    }
}
