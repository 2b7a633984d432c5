//! A stream as server-sent events (section 5.8): what is there, then what comes, each with where it leads.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use futures::stream;
use tokio::time::{Instant, timeout_at};

use super::answer::{StreamSettings, unix_s};
use super::source::{News, StreamSource, StreamTail};
use crate::domain::bridges::durable_streams::{
    Batch, Encoding, IDLE, JITTER_S, Mode, Start, Wanted, caching, current, interval, write_control,
    write_data,
};
use crate::edge::http::problem::Problem;

/// Opens an event stream. What is refused is refused before it begins.
pub async fn sse<S: StreamSource>(
    source: S,
    wanted: Wanted,
    settings: StreamSettings,
) -> Result<Response, Problem> {
    let first = source.read(wanted.start, settings.items).await?;
    // Who is at the end has its seat before it is told that it has one: there a stream that ends at once would be asked for again at
    // once, and so on.
    let at_end = first.up_to_date && !first.closed;
    let seat = if at_end { Some(source.follow(first.next).await?) } else { None };
    let encoding = Encoding::of(source.content_type());
    let caching = caching(Mode::Sse, &first);
    let trimmed_before = first.trimmed_before;
    let live = Live {
        encoding,
        settings,
        leaves_at: Instant::now() + Duration::from_millis(settings.connection_ms),
        cursor: current(unix_s(), wanted.cursor, fastrand::u64(JITTER_S)),
        phase: Phase::Read(first),
        seat,
        source,
    };
    let body = stream::unfold(live, |live| async {
        let (bytes, live) = live.step().await?;
        Some((Ok::<_, Infallible>(bytes), live))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    if let Some(sequence) = trimmed_before {
        headers.insert(HeaderName::from_static("stream-trimmed-before"), sequence.0.into());
    }
    if encoding.is_base64() {
        let name = HeaderName::from_static("stream-sse-data-encoding");
        headers.insert(name, HeaderValue::from_static("base64"));
    }
    Ok(response)
}

struct Live<S: StreamSource> {
    source: S,
    encoding: Encoding,
    settings: StreamSettings,
    leaves_at: Instant,
    /// The last that was given out; cursors don't go back.
    cursor: u64,
    phase: Phase<S::Tail>,
    /// Where it is followed from the end of what was read first.
    seat: Option<S::Tail>,
}

enum Phase<T> {
    /// A batch that isn't written yet.
    Read(Batch),
    /// Behind the end: read on.
    Behind(Start),
    /// At the end, where nobody waits yet.
    AtEnd(Batch),
    Waiting(T),
    Over,
}

impl<S: StreamSource> Live<S> {
    /// The next bytes to write; `None` after the end.
    async fn step(mut self) -> Option<(Bytes, Self)> {
        loop {
            match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Read(batch) => {
                    let bytes = self.write(&batch);
                    self.phase = following(batch);
                    return Some((bytes, self));
                }
                Phase::Behind(start) => {
                    self.phase = Phase::Read(self.source.read(start, self.settings.items).await.ok()?);
                }
                Phase::AtEnd(batch) => {
                    self.phase = Phase::Waiting(match self.seat.take() {
                        Some(tail) => tail,
                        None => self.source.follow(batch.next).await.ok()?,
                    });
                }
                Phase::Waiting(mut tail) => {
                    let news = timeout_at(self.leaves_at, tail.next()).await.unwrap_or(News::Over);
                    self.phase = Phase::Waiting(tail);
                    match news {
                        News::More(batch) => {
                            let bytes = self.write(&batch);
                            if batch.closed {
                                self.phase = Phase::Over;
                            }
                            return Some((bytes, self));
                        }
                        News::Quiet => return Some((Bytes::from_static(IDLE), self)),
                        News::Over => return None,
                    }
                }
                Phase::Over => return None,
            }
        }
    }

    fn write(&mut self, batch: &Batch) -> Bytes {
        self.cursor = self.cursor.max(interval(unix_s()));
        let mut out = Vec::new();
        write_data(&mut out, self.encoding, &batch.items);
        write_control(&mut out, batch, self.cursor);
        out.into()
    }
}

/// What comes after a batch that was read. One that leads nowhere ends the connection: its reader comes again, and is
/// told why.
fn following<T>(batch: Batch) -> Phase<T> {
    let moved = batch.start != Start::After(batch.next);
    match batch {
        Batch { closed: true, .. } => Phase::Over,
        Batch { up_to_date: true, .. } => Phase::AtEnd(batch),
        Batch { next, .. } if moved => Phase::Behind(Start::After(next)),
        Batch { .. } => Phase::Over,
    }
}
