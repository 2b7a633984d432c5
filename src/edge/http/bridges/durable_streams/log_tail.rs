//! What comes at the end of a session's log: the frames of one of the mux's readers, taken apart.

use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::sleep;

use super::source::{News, StreamTail};
use crate::domain::bridges::durable_streams::{Batch, Offset, Start};
use crate::domain::position::Position;
use crate::engine::mux::Reader;

/// Items after which a batch takes no further frame.
const ITEMS: usize = 500;
/// How long a reader is kept whose session's data expired while more steps were announced: it isn't closed, so its reader comes again, and
/// finds the same.
const RESTS: Duration = Duration::from_secs(15);

/// A reader of the mux, with what it said that wasn't passed on yet.
pub struct LogTail {
    reader: Box<Reader>,
    heard: Heard,
    place: Offset,
}

impl LogTail {
    /// Follows a reader that was opened at `place`, with frames as lines of JSON.
    pub fn new(reader: Reader, place: Offset) -> Self {
        Self { reader: Box::new(reader), heard: Heard::default(), place }
    }

    /// Hears all that the reader says now. Ready where that is something.
    fn poll_heard(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while !self.heard.over && self.heard.items.len() < ITEMS {
            match self.reader.poll_next(cx) {
                Poll::Ready(Some(chunk)) => self.heard.read(&chunk),
                Poll::Ready(None) => self.heard.over = true,
                Poll::Pending if self.heard.is_nothing() => return Poll::Pending,
                Poll::Pending => break,
            }
        }
        Poll::Ready(())
    }
}

impl StreamTail for LogTail {
    async fn next(&mut self) -> News {
        poll_fn(|cx| self.poll_heard(cx)).await;
        if let Some(next) = self.heard.next.take() {
            let closed = self.heard.closed;
            return News::More(Batch {
                start: Start::After(std::mem::replace(&mut self.place, Offset(next))),
                items: std::mem::take(&mut self.heard.items),
                next: Offset(next),
                up_to_date: closed || self.reader.is_at_tail(),
                closed,
                trimmed_before: None,
            });
        }
        self.heard.quiet = false;
        if self.heard.rests {
            sleep(RESTS).await;
        }
        if self.heard.over { News::Over } else { News::Quiet }
    }
}

/// What a reader said.
#[derive(Debug, Default)]
struct Heard {
    items: Vec<Bytes>,
    /// The place after them.
    next: Option<Position>,
    quiet: bool,
    closed: bool,
    over: bool,
    /// Whether there is nothing to be had for now.
    rests: bool,
}

/// A line of a reader (`Framing::Ndjson`).
#[derive(Deserialize)]
struct Line<'a> {
    event: &'a str,
    id: Option<Position>,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
struct Open {
    recovered: bool,
}

#[derive(Deserialize)]
struct End<'a> {
    reason: &'a str,
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

impl Heard {
    fn is_nothing(&self) -> bool {
        self.next.is_none() && !self.quiet && !self.over
    }

    fn read(&mut self, chunk: &Bytes) {
        for line in chunk.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if self.over {
                return;
            }
            // A line that can't be read isn't skipped: its reader comes again at the place before it.
            if self.line(chunk, line).is_none() {
                self.over = true;
            }
        }
    }

    fn line(&mut self, chunk: &Bytes, line: &[u8]) -> Option<()> {
        let Line { event, id, data } = serde_json::from_slice(line).ok()?;
        match event {
            "open" => self.over = !serde_json::from_str::<Open>(data.get()).ok()?.recovered,
            "planner_stream" => {
                let frame: Frame<'_> = serde_json::from_str(data.get()).ok()?;
                self.next = Some(id?);
                self.items.extend(frame.events.iter().map(|event| chunk.slice_ref(event.get().as_bytes())));
            }
            "heartbeat" => self.quiet = true,
            "end" => {
                let End { reason } = serde_json::from_str(data.get()).ok()?;
                self.next = Some(id?);
                // What expired may go on with a step that was announced.
                self.rests = reason == "expired";
                (self.closed, self.over) = (!self.rests, true);
            }
            // The log changed under the reader (`snapshot`), it has to come again (`drain`), or it is refused (`error`).
            _ => self.over = true,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(chunks: &[&str]) -> Heard {
        let mut heard = Heard::default();
        chunks.iter().for_each(|chunk| heard.read(&Bytes::copy_from_slice(chunk.as_bytes())));
        heard
    }

    const OPEN: &str = "{\"event\":\"open\",\"id\":\"7f3a91_4_9c1b2d3e00a1b2c3\",\"data\":{\"epoch\":\"7f3a91\",\"from\":4,\
                        \"recovered\":true,\"reason\":\"ok\"}}\n";
    const FRAME: &str = "{\"event\":\"planner_stream\",\"id\":\"7f3a91_6_9c1b2d3e00a1b2c5\",\"data\":{\"from\":5,\"to\":6,\
                         \"events\":[{\"sequence\":5, \"t\":\"a\\nb\"},{\"sequence\":6}]}}\n";
    const END: &str = "{\"event\":\"end\",\"id\":\"7f3a91_6_9c1b2d3e00a1b2c5\",\"data\":{\"reason\":\"session_closed\",\
                       \"sequence\":6}}\n";

    #[test]
    fn events_of_a_frame_are_items_byte_for_byte() {
        let heard = heard(&[&[OPEN, FRAME].concat()]);
        assert_eq!(heard.items, [&b"{\"sequence\":5, \"t\":\"a\\nb\"}"[..], b"{\"sequence\":6}"]);
        assert_eq!(heard.next.unwrap().to_string(), "7f3a91_6_9c1b2d3e00a1b2c5");
        assert!(!heard.over && !heard.closed);
    }

    #[test]
    fn an_end_closes_behind_the_last_items() {
        let heard = heard(&[OPEN, FRAME, END]);
        assert!(heard.closed && heard.over && heard.items.len() == 2);
    }

    #[test]
    fn what_expired_is_no_closed_stream() {
        let step = END.replace("session_closed", "plan_step_completed");
        for (end, closed) in
            [(END, true), (step.as_str(), true), (&END.replace("session_closed", "expired"), false)]
        {
            let heard = heard(&[OPEN, FRAME, end]);
            assert!(heard.over && heard.next.is_some() && heard.items.len() == 2, "{end}");
            assert_eq!((heard.closed, heard.rests), (closed, !closed), "{end}");
        }
    }

    #[test]
    fn a_reader_that_is_continued_has_heard_nothing_yet() {
        assert!(heard(&[OPEN]).is_nothing());
    }

    #[test]
    fn what_isnt_continued_ends_and_takes_nothing_that_follows() {
        let broken = OPEN.replace("true", "false");
        let drain = "{\"event\":\"drain\",\"data\":{}}\n";
        for first in [broken.as_str(), "{\"event\":\"error\",\"data\":{}}\n", drain, "no JSON\n", "{}\n"] {
            let heard = heard(&[first, FRAME]);
            assert!(heard.over && !heard.closed && heard.items.is_empty(), "{first}");
        }
    }

    #[test]
    fn what_came_before_a_drain_is_kept() {
        let heard = heard(&[FRAME, "{\"event\":\"drain\",\"data\":{}}\n"]);
        assert!(heard.over && heard.items.len() == 2 && heard.next.is_some());
    }
}
