//! A place between two messages that a bridge wrote.
//!
//! One event of the log becomes several messages of another protocol, and a frame has several events, but only frames
//! have cursors. A reader that is cut off between two messages would miss the rest of the frame, or see its beginning
//! twice. So every message has a place of its own:
//!
//! | text | means |
//! |---|---|
//! | `<cursor>` | all up to there was seen: the last message of a frame |
//! | `<cursor>~<sequence>.<seen>` | read on from the cursor; all before `sequence` was seen, and so many messages of it |
//! | `<epoch>~<sequence>.<seen>` | the same before a first cursor was there: read from the start |
//!
//! It stays true when the log is cut into other frames the next time, since it names an event and not its frame. The
//! cursor in it is checked as always; where the log isn't the same any more, the rest of the place means nothing.

use std::fmt;
use std::str::FromStr;

use super::{Event, Frame, Open};

/// Longest text of a place, in bytes: a cursor has at most 54.
const TEXT_BYTES: usize = 128;

/// How far a reader has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    anchor: String,
    within: Option<Within>,
}

/// Between two messages behind the anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Within {
    sequence: u64,
    seen: usize,
}

/// It is no place that a bridge gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidPlace;

impl fmt::Display for InvalidPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no place in the stream: ids are taken from messages as they are")
    }
}

impl std::error::Error for InvalidPlace {}

impl Place {
    /// The cursor to read on from; `None`: from the start.
    pub fn cursor(&self) -> Option<&str> {
        self.anchor.contains('_').then_some(self.anchor.as_str())
    }

    /// Whether a connection that begins with `open` goes on here.
    fn continues(&self, open: &Open<'_>) -> bool {
        match self.cursor() {
            Some(_) => open.recovered && matches!(open.reason, "ok" | "closed"),
            None => open.recovered && open.epoch == Some(self.anchor.as_str()),
        }
    }
}

impl FromStr for Place {
    type Err = InvalidPlace;

    fn from_str(text: &str) -> Result<Self, InvalidPlace> {
        if text.len() > TEXT_BYTES {
            return Err(InvalidPlace);
        }
        let (anchor, within) = match text.split_once('~') {
            None => (text, None),
            Some((anchor, rest)) => {
                let (sequence, seen) = rest.split_once('.').ok_or(InvalidPlace)?;
                let within = Within { sequence: number(sequence)?, seen: number(seen)? as usize };
                (anchor, Some(within))
            }
        };
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let bare = within.is_none() && !anchor.contains('_');
        if anchor.is_empty() || bare || !anchor.bytes().all(fits) {
            return Err(InvalidPlace);
        }
        Ok(Self { anchor: anchor.to_owned(), within })
    }
}

/// A number in the one form in which it is written.
fn number(text: &str) -> Result<u64, InvalidPlace> {
    let plain = text.len() <= 19 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (text.len() > 1 && text.starts_with('0')) {
        return Err(InvalidPlace);
    }
    text.parse().map_err(|_| InvalidPlace)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.anchor)?;
        match self.within {
            Some(Within { sequence, seen }) => write!(f, "~{sequence}.{seen}"),
            None => Ok(()),
        }
    }
}

/// Follows a connection: which messages the reader has seen before, and what place is after each.
#[derive(Debug, Default)]
pub(super) struct Track {
    resume: Option<Place>,
    anchor: Option<String>,
}

/// How a connection begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// With what the reader hasn't seen.
    Continues,
    /// With nothing known: what was folded before doesn't count.
    Anew,
}

impl Track {
    /// A reader that comes back at `place`.
    pub fn resumed(place: Place) -> Self {
        Self { anchor: Some(place.anchor.clone()), resume: Some(place) }
    }

    /// Takes the verdict.
    pub fn open(&mut self, open: &Open<'_>) -> Start {
        match &self.resume {
            Some(place) if place.continues(open) => Start::Continues,
            // The log isn't there yet: it may still be the one that the reader knows.
            Some(_) if open.epoch.is_none() => Start::Continues,
            Some(_) | None => {
                self.resume = None;
                self.anchor = open.epoch.map(str::to_owned);
                Start::Anew
            }
        }
    }

    /// Whether events that the reader has seen will come again.
    pub fn has_more_to_skip(&self) -> bool {
        self.resume.as_ref().is_some_and(|place| place.within.is_some())
    }

    /// Whether after the event `last` there are still such.
    pub fn is_behind(&self, last: u64) -> bool {
        let within = self.resume.as_ref().and_then(|place| place.within);
        within.is_some_and(|within| last < within.sequence)
    }

    /// How many messages of `event` the reader has; `usize::MAX` where all.
    pub fn seen(&self, event: &Event<'_>) -> usize {
        match self.resume.as_ref().and_then(|place| place.within) {
            Some(within) if event.sequence < within.sequence => usize::MAX,
            Some(within) if event.sequence == within.sequence => within.seen,
            Some(_) | None => 0,
        }
    }

    /// The place after the `seen`th message of the event `sequence`; `None` where there is no log.
    pub fn within(&self, sequence: u64, seen: usize) -> Option<Place> {
        let anchor = self.anchor.clone()?;
        Some(Place { anchor, within: Some(Within { sequence, seen }) })
    }

    /// The place after all of `frame`.
    pub fn after(&self, frame: &Frame<'_>) -> Option<Place> {
        frame.cursor.map(|cursor| Place { anchor: cursor.to_owned(), within: None })
    }

    /// All of `frame` was taken.
    pub fn took(&mut self, frame: &Frame<'_>) {
        if let Some(cursor) = frame.cursor {
            self.anchor = Some(cursor.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
