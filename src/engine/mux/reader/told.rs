//! What a reader is told besides its frames: that it is at the end, has to go, or that the service is still there.

use tokio::time::Instant;

use super::{Phase, Reader, write_json};
use crate::domain::position::{Position, Sequence};
use crate::domain::verdict::Code;
use crate::engine::mux::frames::write_frame;
use crate::engine::mux::tail::Tail;
use crate::engine::ports::result_cache::StoreError;

impl Reader {
    pub(super) fn fail(&mut self, error: &StoreError) {
        tracing::debug!(%error, "a reader is sent away");
        let document = (self.seat.shared.settings.problem)(Code::StoreUnavailable, &error.told());
        self.finish_with("error", None, |out| out.extend_from_slice(&document));
    }

    /// The reader has everything: `end`, with its place.
    pub(super) fn end(&mut self) {
        self.cover_filtered();
        let scanned = self.scanned.expect("only a reader with a place comes to an end");
        let reason = match &self.request.view.step {
            _ if self.expired => "expired",
            Some(_) => "plan_step_completed",
            None => "session_closed",
        };
        let sequence = scanned.sequence;
        self.finish_with("end", Some(scanned), |out| {
            out.extend_from_slice(format!("{{\"reason\":\"{reason}\",\"sequence\":{sequence}}}").as_bytes());
        });
    }

    pub(super) fn token_is_over(&self) -> bool {
        self.token_ends.is_some_and(|end| end <= Instant::now())
    }

    /// The reader has to go and come again: `drain`, with its place; or `error`, where it needs another token for that.
    pub(super) fn leave(&mut self) {
        self.cover_filtered();
        let settings = self.seat.shared.settings;
        if self.token_is_over() {
            let document =
                (settings.problem)(Code::TokenExpired, "the token that opened this stream has expired");
            return self.finish_with("error", None, |out| out.extend_from_slice(&document));
        }
        let (retry_ms, reason) = (settings.retry_ms, self.leave_reason);
        let sequence = self.scanned.map_or(Sequence(0), |scanned| scanned.sequence);
        let mut out = Vec::new();
        self.layout.framing.retry(&mut out, retry_ms);
        self.layout.framing.event(&mut out, "drain", self.scanned.as_ref(), |out| {
            let text = format!("{{\"reason\":\"{reason}\",\"sequence\":{sequence},\"retry_ms\":{retry_ms}}}");
            out.extend_from_slice(text.as_bytes());
        });
        self.queued.push_back(out.into());
        self.phase = Phase::Over;
    }

    pub(super) fn finish_with(&mut self, name: &str, id: Option<Position>, data: impl FnOnce(&mut Vec<u8>)) {
        let mut out = Vec::new();
        self.layout.framing.event(&mut out, name, id.as_ref(), data);
        self.queued.push_back(out.into());
        self.phase = Phase::Over;
    }

    /// An empty frame for what was filtered out since the last one, so that the reader's place is known to it.
    pub(super) fn cover_filtered(&mut self) -> bool {
        let Some(scanned) = self.scanned.filter(|scanned| scanned.sequence > self.covered) else {
            return false;
        };
        let mut out = Vec::new();
        self.layout.framing.event(&mut out, "planner_stream", Some(&scanned), |out| {
            write_frame(out, self.covered.next(), scanned.sequence, &[], &[], None);
        });
        self.covered = scanned.sequence;
        self.queued.push_back(out.into());
        true
    }

    pub(super) fn heartbeat(&mut self, tail: &Tail) {
        let epoch = self.scanned.map(|scanned| scanned.epoch.to_string());
        // Without an epoch, as in a step that isn't there yet, a sequence of its session would mean nothing.
        let position = tail.position.filter(|_| epoch.is_some());
        let sequence = position.map_or(Sequence(0), |position| position.sequence);
        let store = if self.seat.shared.cache.health().is_ok() { "ok" } else { "unavailable" };
        let mut out = Vec::new();
        let id = self.scanned.as_ref().filter(|_| mutant!("heartbeat-with-a-place"));
        self.layout.framing.event(&mut out, "heartbeat", id, |out| {
            write_json(out, &serde_json::json!({"sequence": sequence, "epoch": epoch, "store": store}));
        });
        self.queued.push_back(out.into());
    }
}
