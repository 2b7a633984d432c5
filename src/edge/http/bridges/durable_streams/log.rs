//! A session's log as a stream: pages of the mux for what is there, one of its readers for what comes.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;

use super::log_tail::LogTail;
use super::source::StreamSource;
use crate::domain::bridges::durable_streams::{Batch, Offset, Start};
use crate::domain::verdict::Code;
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::Ids;
use crate::edge::http::problem::Problem;
use crate::edge::http::refused::{expired, unknown_session};
use crate::engine::mux::{Framing, Page, PageRequest, ReadRequest, Reason, StartAt, StreamMux, View};

/// The events of a session or a step.
pub struct SessionLog {
    mux: StreamMux,
    ids: Ids,
    view: View,
    /// How long a reader may read.
    lives: Option<Duration>,
}

impl SessionLog {
    /// The log of the ids' step, or else session.
    pub fn new(app: &App, ids: Ids, caller: &Caller) -> Self {
        let view = View { step: ids.maybe_step().cloned(), ..View::default() };
        Self { mux: app.mux.clone(), ids, view, lives: caller.remaining() }
    }

    async fn page(&self, start: StartAt, limit: usize) -> Result<Page, Problem> {
        let (key, view) = (self.ids.key.clone(), self.view.clone());
        let page = self.mux.page(PageRequest { key, view, start, limit }).await?;
        page.ok_or_else(|| self.unknown())
    }

    fn unknown(&self) -> Problem {
        match self.ids.maybe_step() {
            Some(step) => {
                Problem::new(Code::UnknownStep, format!("no directive was posted for the step `{step}`"))
            }
            None => unknown_session(&self.ids.key),
        }
    }

    /// Why a place isn't continued: its reader begins anew, at `-1`.
    fn gone(&self, reason: Reason) -> Problem {
        if reason == Reason::Expired {
            return expired(&self.ids.key);
        }
        let why = match reason {
            Reason::Trimmed => "what follows the offset is no longer kept",
            Reason::EpochChanged => "the offset is of another life of the log",
            Reason::Ahead => "the offset is beyond the log's end",
            Reason::Diverged => "the log went another way after the offset",
            Reason::New | Reason::Ok | Reason::Closed | Reason::Unknown | Reason::Expired => {
                "the offset can't be continued"
            }
        };
        Problem::new(Code::InvalidCursor, format!("{why}; read from -1"))
            .with_status(StatusCode::GONE)
            .with("reason", reason.as_str().into())
    }
}

impl StreamSource for SessionLog {
    type Tail = LogTail;

    fn content_type(&self) -> &str {
        "application/json"
    }

    async fn read(&self, start: Start, limit: usize) -> Result<Batch, Problem> {
        let (at, limit) = match start {
            Start::Beginning => (StartAt::Start, limit),
            // No items: the place alone.
            Start::Now => (StartAt::Tail, 0),
            Start::After(offset) => (StartAt::Cursor(offset.0), limit),
        };
        let mut page = self.page(at, limit).await?;
        let mut trimmed_before = None;
        if start == Start::Beginning && page.reason == Reason::Trimmed {
            // The beginning is the oldest that is kept, and the answer says that it is.
            trimmed_before = Some(page.oldest);
            page = self.page(StartAt::Sequence(page.oldest.previous()), limit).await?;
        }
        // Of a session that expired the end is known, but not which steps it had: one that never was has no end either.
        if page.is_expired && start == Start::Now && self.view.step.is_some() {
            return Err(expired(&self.ids.key));
        }
        if !page.recovered {
            return Err(self.gone(page.reason));
        }
        Ok(Batch { trimmed_before, ..batch_of(start, &page) })
    }

    async fn follow(&self, after: Offset) -> Result<LogTail, Problem> {
        let request = ReadRequest {
            key: self.ids.key.clone(),
            view: self.view.clone(),
            start: StartAt::Cursor(after.0),
            framing: Framing::Ndjson,
            batch: None,
            // What is at an offset is the same for every reader.
            coalesce: false,
            caller: None,
            lives: self.lives,
        };
        Ok(LogTail::new(self.mux.open(request).await?, after))
    }
}

fn batch_of(start: Start, page: &Page) -> Batch {
    let wires = page.events.iter().filter_map(|entry| entry.wire());
    Batch {
        start,
        items: wires.map(Bytes::copy_from_slice).collect(),
        next: Offset(page.next),
        up_to_date: start == Start::Now || page.closed || page.next.sequence >= page.tail,
        closed: page.closed,
        trimmed_before: None,
    }
}
