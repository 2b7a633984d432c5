//! How often a text that grows is shown: the first time at once, then no more often than people can read and readers can
//! take, since each revision carries the whole text.
//!
//! A pacer keeps the least gap since what was shown last: 40 ms, or 500 ms once the text is longer than 8 KiB. So any second
//! (from a moment up to, and without, the same moment a second later) has at most 25 revisions, and at most 2 long ones.
//!
//! What comes too early is held back, not queued: the next revision has all of it anyway. Whoever reads the text asks at
//! [`Pacer::next_at`] again, and when the text ends, shows the last of it without asking if [`Pacer::is_holding_back`] (or
//! carries it in whatever marks the end). That one may come within the gap.

#[cfg(test)]
mod tests;

/// The least time between two revisions, in milliseconds: 25 a second.
pub const GAP_MS: u64 = 40;

/// The least time before a revision of a long text, in milliseconds: 2 a second.
pub const LONG_TEXT_GAP_MS: u64 = 500;

/// A text of more bytes than this is long: 8 KiB.
pub const LONG_TEXT_BYTES: usize = 8 * 1_024;

/// The pace of one text. Times are milliseconds of a clock that doesn't go back; where it does, nothing is shown until it
/// has caught up.
#[derive(Debug, Clone, Default)]
pub struct Pacer {
    shown_at: Option<u64>,
    /// How long the text was, in bytes, that came too early to be shown.
    held_back: Option<usize>,
}

impl Pacer {
    /// The pace of a text of which nothing has been shown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the text, now `text_len` bytes long, is to be shown at `now_ms`. `true` counts as shown; `false` holds it
    /// back.
    #[must_use]
    pub fn may_show(&mut self, now_ms: u64, text_len: usize) -> bool {
        let is_due = self.due_at(text_len).is_none_or(|due_at| now_ms >= due_at);
        if is_due {
            self.shown_at = Some(now_ms);
            self.held_back = None;
        } else {
            self.held_back = Some(text_len);
        }
        is_due
    }

    /// When to show what was held back, in the clock of [`Pacer::may_show`]; `None` where nothing was.
    pub fn next_at(&self) -> Option<u64> {
        self.due_at(self.held_back?)
    }

    /// Whether there is text that nobody has seen: whoever ends the text shows it.
    pub fn is_holding_back(&self) -> bool {
        self.held_back.is_some()
    }

    /// When a text of this length may be shown, `None` for the first.
    fn due_at(&self, text_len: usize) -> Option<u64> {
        let gap_ms = if text_len > LONG_TEXT_BYTES { LONG_TEXT_GAP_MS } else { GAP_MS };
        Some(self.shown_at?.saturating_add(gap_ms))
    }
}
