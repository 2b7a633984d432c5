//! When the text of an answer that grows is shown.

use std::time::Duration;

use tokio::time::Instant;

use crate::domain::pacing::Pacer;

/// How often the text of an answer is shown.
pub(super) struct Pace {
    pacer: Pacer,
    begun: Instant,
    /// How long the text was that was last shown, or held back.
    seen: usize,
}

impl Pace {
    pub(super) fn begin() -> Self {
        Self { pacer: Pacer::new(), begun: Instant::now(), seen: 0 }
    }

    pub(super) fn begun(&self) -> Instant {
        self.begun
    }

    pub(super) fn next_at(&self) -> Option<Instant> {
        self.pacer.next_at().map(|ms| self.begun + Duration::from_millis(ms))
    }

    pub(super) fn may_show(&mut self, text_len: usize) -> bool {
        let is_new = text_len != std::mem::replace(&mut self.seen, text_len);
        let now_ms = self.begun.elapsed().as_millis() as u64;
        (is_new || self.pacer.is_holding_back()) && self.pacer.may_show(now_ms, text_len)
    }
}
