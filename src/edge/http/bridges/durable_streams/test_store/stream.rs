//! One stream: a log of its own, with positions and chains as a session's has.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::StatusCode;
use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::super::source::{News, StreamSource, StreamTail};
use super::producers::Producers;
use crate::domain::bridges::durable_streams::{Batch, Encoding, Offset, Start};
use crate::domain::position::{AppendId, Epoch, Position};
use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;

/// Items a stream at most.
const ITEMS: usize = 100_000;

/// A stream.
pub struct Stream {
    pub config: Config,
    pub log: Mutex<Log>,
    changed: watch::Sender<()>,
}

/// What a stream was created with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    pub content_type: String,
    pub ttl: Option<String>,
    pub expires_at: Option<String>,
    pub forked_from: Option<String>,
}

/// A stream's items, each with the place after it.
#[derive(Clone)]
pub struct Log {
    start: Position,
    items: Vec<(Bytes, Position)>,
    pub closed: bool,
    pub producers: Producers,
}

impl Log {
    /// An empty one.
    pub fn new() -> Self {
        let start = Position::start(Epoch::from_random(fastrand::u32(..)));
        Self { start, items: Vec::new(), closed: false, producers: Producers::default() }
    }

    /// One with the same items at the same places.
    pub fn fork(&self) -> Self {
        Self { closed: false, producers: Producers::default(), ..self.clone() }
    }

    /// The place after the last item.
    pub fn tail(&self) -> Position {
        self.items.last().map_or(self.start, |(_, place)| *place)
    }

    /// Adds items; `false` where there is no room for them.
    pub fn append(&mut self, items: &[Bytes]) -> bool {
        if self.items.len() + items.len() > ITEMS {
            return false;
        }
        for item in items {
            let Position { epoch, sequence, chain } = self.tail();
            let chain = chain.next(AppendId(sequence.0), item);
            self.items.push((item.clone(), Position { epoch, sequence: sequence.next(), chain }));
        }
        true
    }

    fn batch(&self, start: Start, limit: usize) -> Option<Batch> {
        let (from, limit) = match start {
            Start::Beginning => (self.start, limit),
            Start::Now => (self.tail(), 0),
            Start::After(offset) => (offset.0, limit),
        };
        let index = usize::try_from(from.sequence.0).ok()?;
        let place = match index.checked_sub(1) {
            None => self.start,
            Some(last) => self.items.get(last)?.1,
        };
        let taken = &self.items[index..self.items.len().min(index.saturating_add(limit))];
        let next = taken.last().map_or(place, |(_, place)| *place);
        let up_to_date = next == self.tail();
        let items = taken.iter().map(|(item, _)| item.clone()).collect();
        let closed = up_to_date && self.closed;
        let batch = Batch { start, items, next: Offset(next), up_to_date, closed, trimmed_before: None };
        (place == from).then_some(batch)
    }
}

impl Stream {
    /// A stream with a log.
    pub fn new(config: Config, log: Log) -> Self {
        Self { config, log: Mutex::new(log), changed: watch::Sender::new(()) }
    }

    /// The items that a body is: of JSON its values, one array opened.
    pub fn items(&self, body: Bytes) -> Result<Vec<Bytes>, String> {
        match Encoding::of(&self.config.content_type) {
            Encoding::Text | Encoding::Binary if body.is_empty() => Ok(Vec::new()),
            Encoding::Text | Encoding::Binary => Ok(vec![body]),
            Encoding::Json => {
                let value: &RawValue = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
                let values: Vec<&RawValue> = match serde_json::from_str(value.get()) {
                    Ok(values) => values,
                    Err(_) => vec![value],
                };
                Ok(values.iter().map(|value| body.slice_ref(value.get().as_bytes())).collect())
            }
        }
    }

    /// Wakes who waits.
    pub fn wake(&self) {
        self.changed.send_replace(());
    }
}

impl StreamSource for Arc<Stream> {
    type Tail = Tail;

    fn content_type(&self) -> &str {
        &self.config.content_type
    }

    async fn read(&self, start: Start, limit: usize) -> Result<Batch, Problem> {
        let gone = || Problem::new(Code::InvalidCursor, "no such place").with_status(StatusCode::GONE);
        self.log.lock().batch(start, limit).ok_or_else(gone)
    }

    async fn follow(&self, after: Offset) -> Result<Tail, Problem> {
        Ok(Tail { stream: self.clone(), changed: self.changed.subscribe(), place: after })
    }
}

/// Waits at a stream's end.
pub struct Tail {
    stream: Arc<Stream>,
    changed: watch::Receiver<()>,
    place: Offset,
}

impl StreamTail for Tail {
    async fn next(&mut self) -> News {
        loop {
            self.changed.mark_unchanged();
            let batch = self.stream.log.lock().batch(Start::After(self.place), ITEMS);
            match batch {
                None => return News::Over,
                Some(batch) if !batch.items.is_empty() || batch.closed => {
                    self.place = batch.next;
                    return News::More(batch);
                }
                // The sender lives as long as the stream, which this holds.
                Some(_) if self.changed.changed().await.is_err() => return News::Over,
                Some(_) => {}
            }
        }
    }
}
