//! The event that every server gets, and the mark in it by which readers know it again.
//!
//! The mark is `@t0=<15 digits: nanoseconds>#<9 digits: revision>`, plain ASCII inside the content's text. No server
//! may change it there, whatever it wraps around the event, so one scan serves all of them: it gives the latency,
//! and, because revisions are dense, it shows every loss, doubling and swap. Fixed widths keep the scan cheap and
//! every event equally long.

use std::sync::LazyLock;
use std::time::Instant;

use anyhow::{Context, Result};

/// How a mark begins.
pub const MARK: &[u8] = b"@t0=";
/// Bytes of a whole mark.
pub const MARK_BYTES: usize = 4 + 15 + 1 + 9;
/// What follows the mark: with it an event is as long as a sentence or two of an agent's answer.
const TEXT: &str = "A quote becomes an order when the customer has accepted it and credit was checked.";

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Nanoseconds since the benchmark began. One process sends and receives, so one monotonic clock is enough.
pub fn now_ns() -> u64 {
    u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// The body of one published event, stamped with the time of this call.
pub fn body(revision: u64) -> String {
    let sent_ns = now_ns();
    format!(
        r#"{{"status":"partial","revision":{revision},"payload":{{"content":"@t0={sent_ns:015}#{revision:09} {TEXT}","sources":[]}}}}"#
    )
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When the event was sent, on the clock of [`now_ns`].
    pub sent_ns: u64,
    /// The revision the publisher gave it.
    pub revision: u64,
}

/// Reads the mark that begins at the start of `bytes`, which holds at least [`MARK_BYTES`].
///
/// A mark that isn't whole means that the server cut an event in two: a chunk ends inside of the text. Counting would be wrong,
/// so it is an error until the chunks are joined.
pub fn read_mark(bytes: &[u8]) -> Result<Mark> {
    let digits = |from: usize, to: usize| -> Option<u64> {
        bytes
            .get(from..to)?
            .iter()
            .try_fold(0_u64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
    };
    let whole = || Some(Mark { sent_ns: digits(4, 19)?, revision: digits(20, 29)? });
    whole().with_context(|| {
        format!("a mark is cut: {:?}", String::from_utf8_lossy(&bytes[..MARK_BYTES.min(bytes.len())]))
    })
}
