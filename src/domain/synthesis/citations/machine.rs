//! The reading side: a state machine whose steps each look at one window.
//!
//! ```text
//!            line start ──┬─ fence ──────────► Fence ──(closing fence)──► Text
//!                         ├─ heading, entry ─► SkipHeading, SkipEntry ──(line end)──► line start
//!                         └─ anything else ──► Text
//!   Text ── ` $ \ < ]( ──► Verbatim(span) ──(its end; a new block)──► Text
//!   Text ── [ 【 ［ 〔 ────► a marker, a link, a group longer than the window (Group), or text
//! ```

mod brackets;
mod dropped;
mod line_start;
mod prose;
mod verbatim;

use super::Rewriter;
use super::lead::LEAD_BYTES;
use super::spans::Span;
use super::window::WINDOW;

/// What the text is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Prose.
    Text,
    /// A code block with a fence of so many marks.
    Fence(u8, usize),
    /// Behind three backticks or more at a line start: a fence, unless the line has another backtick.
    FenceLine(usize),
    /// A code block by indentation.
    Indented,
    /// Something left as it is.
    Verbatim(Span),
    /// A group of numbers longer than a window, with the bracket that closes it.
    Group(char),
    /// The rest of a long heading of a reference section.
    SkipHeading,
    /// A reference entry.
    SkipEntry,
}

/// Where to go on, or, as an error, from where to wait for more text.
type Step = Result<usize, usize>;

impl Rewriter<'_> {
    /// Reads as much of `buffer` as can be decided; returns how many bytes that was.
    pub(super) fn run(&mut self, buffer: &str, eof: bool, out: &mut String) -> usize {
        let mut at = 0;
        while at < buffer.len() {
            match self.step(buffer, at, eof, out) {
                Ok(next) => at = next,
                Err(done) => {
                    at = done;
                    break;
                }
            }
        }
        // Whoever gave `out` may take what is in it.
        self.read_token(out);
        at
    }

    /// One decision at byte `at`.
    fn step(&mut self, buffer: &str, at: usize, eof: bool, out: &mut String) -> Step {
        if self.dropped {
            return self.settle(buffer, at, eof, out);
        }
        if self.line_start {
            return self.at_line_start(buffer, at, eof, out);
        }
        match self.state {
            State::Text => self.text(buffer, at, eof, out),
            State::Fence(..) | State::Indented => Ok(self.rest_of_line(buffer, at, out)),
            State::FenceLine(run) => Ok(self.fence_line(buffer, at, run, out)),
            State::Verbatim(span) => self.verbatim(span, buffer, at, eof, out),
            State::Group(close) => self.group(close, buffer, at, eof, out),
            State::SkipHeading | State::SkipEntry => Ok(self.skip_line(buffer, at)),
        }
    }

    /// The text has ended: decides what still waits.
    pub(super) fn end(&mut self, out: &mut String) {
        if self.dropped {
            self.let_go('\n', out);
        }
        self.end_entry();
        self.note_section(self.read);
    }
}

/// What a rewriter holds back at most, in bytes: a window that waits, with the lead of a marker.
pub const HELD_BYTES_MAX: usize = WINDOW - 1 + LEAD_BYTES + 1;
