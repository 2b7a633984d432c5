//! The log of calls: what came in, when, and how it ended. Bounded: the last 10,000 calls, of each 4 KiB of the body, 8 KiB
//! of headers and 2 KiB of the query. Pure: times come in as arguments.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::Serialize;

/// Calls that are remembered.
pub const CALLS_MAX: usize = 10_000;
/// Bytes of a body that are remembered.
const BODY_BYTES_MAX: usize = 4 << 10;
/// Characters of a query that are remembered.
const QUERY_CHARACTERS_MAX: usize = 2_048;
/// Bytes of all headers that are remembered; one that doesn't fit any more is left out.
const HEADER_BYTES_MAX: usize = 8 << 10;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The last byte was handed to the connection.
    Answered,
    /// The peer closed the connection before.
    PeerGone,
    /// The connection was closed here in the middle of the body, as it was told.
    Cut,
    /// The simulator stopped before.
    Stopped,
}

/// What came in.
#[derive(Debug, Clone, Serialize)]
pub struct Asked {
    /// The path without its query.
    pub path: String,
    /// The query string, `""` where there is none.
    pub query: String,
    /// The query's `name`, else the `Idempotency-Key`, else the path.
    pub name: Arc<str>,
    /// Names in lower case; several values are joined by `, `.
    pub headers: BTreeMap<String, String>,
    /// Up to 4 KiB; what is no UTF-8 is replaced.
    pub body: String,
    /// The body's length in bytes.
    pub body_bytes: u64,
}

/// One call.
#[derive(Debug, Clone, Serialize)]
pub struct Call {
    /// Its place among all calls since the start or the last reset, from 1.
    pub number: u64,
    /// What came in.
    #[serde(flatten)]
    pub asked: Arc<Asked>,
    /// Which call of its name it is, from 1.
    pub attempt: u64,
    /// The status that it was answered with, where it was.
    pub status: Option<u16>,
    /// When its head had come, in milliseconds since the simulator's start.
    pub started_ms: f64,
    /// When its last byte was handed to the connection or its end was noticed, in milliseconds since the simulator's start.
    pub ended_ms: Option<f64>,
    /// How it ended; none while it is in flight.
    pub ended: Option<Ended>,
}

/// Counts of one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct NameCalls {
    /// Calls so far.
    pub calls: u64,
    /// Calls in flight now.
    pub in_flight: u64,
    /// The most calls in flight at once.
    pub max_in_flight: u64,
}

/// What `GET /_calls` tells.
#[derive(Debug, Clone, Serialize)]
pub struct Calls {
    /// The simulator's start, in milliseconds since 1970.
    pub started_at_unix_ms: f64,
    /// Calls since the start or the last reset; the list has the last 10,000 of them.
    pub total: u64,
    /// Calls in flight now.
    pub in_flight: u64,
    /// The most calls in flight at once.
    pub max_in_flight: u64,
    /// The same by name.
    pub names: BTreeMap<Arc<str>, NameCalls>,
    /// The calls, the oldest first.
    pub calls: Vec<Call>,
}

impl Calls {
    /// The calls of a name, the oldest first.
    pub fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Call> {
        self.calls.iter().filter(move |call| &*call.asked.name == name)
    }
}

impl Asked {
    /// Clips what came in to what is remembered.
    pub fn new(path: &str, query: &str, name: Arc<str>, headers: &http::HeaderMap, body: &[u8]) -> Self {
        let clipped = body.get(..BODY_BYTES_MAX).unwrap_or(body);
        Self {
            path: path.to_owned(),
            query: query.chars().take(QUERY_CHARACTERS_MAX).collect(),
            name,
            headers: remembered(headers),
            body: String::from_utf8_lossy(clipped).into_owned(),
            body_bytes: body.len() as u64,
        }
    }
}

fn remembered(headers: &http::HeaderMap) -> BTreeMap<String, String> {
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    let mut room = HEADER_BYTES_MAX;
    for (name, value) in headers {
        let bytes = value.as_bytes();
        let Some(left) = room.checked_sub(name.as_str().len() + bytes.len()) else { continue };
        room = left;
        let value = String::from_utf8_lossy(bytes);
        kept.entry(name.as_str().to_owned())
            .and_modify(|values| {
                values.push_str(", ");
                values.push_str(&value);
            })
            .or_insert_with(|| value.into_owned());
    }
    kept
}

/// The calls themselves, by number.
#[derive(Debug, Default)]
pub struct Log {
    calls: VecDeque<Call>,
    /// How many calls were ever begun, resets or not.
    begun: u64,
    /// `begun` at the last reset.
    reset_at: u64,
}

impl Log {
    /// Adds a call; returns the id by which its end is told.
    pub fn begin(&mut self, asked: Arc<Asked>, attempt: u64, started_ms: f64) -> u64 {
        self.begun += 1;
        if self.calls.len() >= CALLS_MAX {
            self.calls.pop_front();
        }
        let number = self.begun - self.reset_at;
        let (status, ended_ms, ended) = (None, None, None);
        self.calls.push_back(Call { number, asked, attempt, status, started_ms, ended_ms, ended });
        self.begun
    }

    /// The call `id` was given its status.
    pub fn status(&mut self, id: u64, status: u16) {
        if let Some(call) = self.find(id) {
            call.status = Some(status);
        }
    }

    /// The call `id` has ended. One that is forgotten is passed over.
    pub fn end(&mut self, id: u64, ended: Ended, ended_ms: f64) {
        if let Some(call) = self.find(id) {
            (call.ended, call.ended_ms) = (Some(ended), Some(ended_ms));
        }
    }

    /// Forgets all calls.
    pub fn reset(&mut self) {
        self.calls.clear();
        self.reset_at = self.begun;
    }

    /// Calls since the last reset.
    pub fn total(&self) -> u64 {
        self.begun - self.reset_at
    }

    /// The calls that are remembered, the oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.iter().cloned().collect()
    }

    /// Numbers follow each other, so a call's place is known.
    fn find(&mut self, id: u64) -> Option<&mut Call> {
        let first = self.begun.checked_sub(self.calls.len() as u64)? + 1;
        self.calls.get_mut(usize::try_from(id.checked_sub(first)?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(body: &[u8]) -> Arc<Asked> {
        let mut headers = http::HeaderMap::new();
        headers.append("X-Two", http::HeaderValue::from_static("a"));
        headers.append("x-two", http::HeaderValue::from_static("b"));
        headers.append("x-long", http::HeaderValue::from_bytes(&[b'l'; HEADER_BYTES_MAX]).unwrap());
        Arc::new(Asked::new("/p", "q", Arc::from("n"), &headers, body))
    }

    #[test]
    fn what_is_remembered_of_a_call_is_bounded() {
        let asked = asked(&[0xff; 2 * BODY_BYTES_MAX]);
        assert_eq!(asked.body.chars().count(), BODY_BYTES_MAX);
        assert_eq!(asked.body_bytes, 2 * BODY_BYTES_MAX as u64);
        assert_eq!(asked.headers, BTreeMap::from([("x-two".into(), "a, b".into())]));
    }

    #[test]
    fn a_call_is_found_by_its_id_while_it_is_remembered() {
        let (mut log, asked) = (Log::default(), asked(b""));
        let ids: Vec<_> = (0..=CALLS_MAX).map(|_| log.begin(asked.clone(), 1, 0.0)).collect();
        log.end(ids[0], Ended::Answered, 1.0);
        log.end(ids[1], Ended::PeerGone, 2.0);
        log.status(ids[CALLS_MAX], 200);
        let calls = log.calls();
        assert_eq!((calls.len(), calls[0].number, calls[0].ended), (CALLS_MAX, 2, Some(Ended::PeerGone)));
        assert_eq!((calls[1].ended, calls[CALLS_MAX - 1].status), (None, Some(200)));
        log.reset();
        log.end(ids[1], Ended::Answered, 3.0);
        let id = log.begin(asked, 1, 4.0);
        log.end(id, Ended::Cut, 5.0);
        assert_eq!((log.total(), log.calls()[0].number, log.calls()[0].ended), (1, 1, Some(Ended::Cut)));
    }
}
