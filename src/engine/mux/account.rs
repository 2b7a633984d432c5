//! What is told of one reader: counts and times always, the span of its connection where that is wanted.

use tokio::time::Instant;

use super::frames::Chunk;
use super::framing::Framing;
use super::opened::Opened;
use super::page::Source;
use super::{ReadRequest, Seat};
use crate::domain::position::Sequence;
use crate::engine::ports::result_cache::Read;
use crate::engine::telemetry::{LetIn, StreamSpan, Telemetry};

/// The account of one reader.
#[derive(Default)]
pub(super) struct Account {
    is_open: bool,
    /// Whether it had everything, and waited: what comes next is timed. What it is itself too slow to take isn't.
    is_waiting: bool,
    /// Whether it has been at the tail since it came, or last fell behind the window: before, it replays.
    is_live: bool,
    /// Where what it reads now was found.
    source: Source,
    span: Option<Box<StreamSpan>>,
}

impl Account {
    /// It is let in, or begins anew.
    pub(super) fn opened(&mut self, telemetry: &Telemetry, request: &ReadRequest, opened: &Opened) {
        (self.is_waiting, self.is_live) = (false, false);
        if std::mem::replace(&mut self.is_open, true) {
            telemetry.meters.reopened(opened.reason.as_str());
        } else {
            telemetry.meters.resumed(opened.reason.as_str());
        }
        if self.span.is_none() && telemetry.spans().is_some() {
            self.span = begin_span(telemetry, request, opened);
        }
    }

    /// It has everything there is.
    pub(super) fn is_at_tail(&mut self) {
        (self.is_waiting, self.is_live) = (true, true);
    }

    /// It reads out of the window.
    pub(super) fn pulls(&mut self) {
        self.source = Source::Ring;
    }

    /// Entries were asked of the store for it.
    pub(super) fn fetched(&mut self, read: &Read) {
        (self.is_waiting, self.is_live) = (false, false);
        match read {
            Read::Entries(_) => self.source = Source::Cache,
            Read::Archived(_) => self.source = Source::Archive,
            Read::Trimmed { .. } => {}
        }
    }

    /// Frames were put together for whoever sits there, at `after`. A reader that was waiting is the first one of what is
    /// new in them.
    pub(super) fn built(&self, seat: &Seat, chunk: &mut Chunk, after: Sequence, tail: Sequence) {
        let telemetry = &seat.shared.telemetry;
        let behind = tail.0.saturating_sub(after.0);
        telemetry.meters.encoded(u64::from(chunk.frames), u64::from(chunk.coalesced), behind);
        if !self.is_waiting || chunk.frames == 0 {
            return;
        }
        let (came_at, emits) = seat.window.delivered(after, chunk.scanned.sequence);
        chunk.came_at = came_at;
        if let Some(spans) = telemetry.spans() {
            emits.into_iter().for_each(|emit| spans.end(emit.end()));
        }
    }

    /// Frames are handed to it that lead on from `after`.
    pub(super) fn gave(&mut self, telemetry: &Telemetry, chunk: &Chunk, after: Sequence, now: Instant) {
        telemetry.meters.frames.add(u64::from(chunk.frames));
        if !self.is_live {
            let entries = chunk.scanned.sequence.0.saturating_sub(after.0);
            telemetry.meters.replayed.add(self.source.as_str(), entries);
        }
        if std::mem::take(&mut self.is_waiting)
            && let Some(came_at) = chunk.came_at
        {
            telemetry.meters.delivered(now.saturating_duration_since(came_at));
        }
        if let Some(span) = &mut self.span {
            span.gave(chunk.frames, chunk.covered);
        }
    }
}

fn begin_span(telemetry: &Telemetry, request: &ReadRequest, opened: &Opened) -> Option<Box<StreamSpan>> {
    let framing = match request.framing {
        Framing::Sse => "sse",
        Framing::Ndjson => "ndjson",
    };
    let reader = LetIn {
        key: &request.key,
        step: opened.step.as_ref()?,
        is_of_session: request.view.step.is_none(),
        caller: request.caller,
        framing,
        verdict: opened.reason.as_str(),
        recovered: opened.recovered,
        from: opened.from,
    };
    StreamSpan::begin(telemetry, reader)
}
