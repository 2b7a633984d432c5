//! What a reader asks for (sections 5.6 to 5.8).

use super::cursor;
use super::offset::{InvalidOffset, Start};

/// How a reader wants what it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// What is there.
    CatchUp,
    /// What is there, or else what comes first, in one answer.
    LongPoll,
    /// What is there and what comes, as server-sent events.
    Sse,
}

/// A reader's query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// From where.
    pub start: Start,
    /// How.
    pub mode: Mode,
    /// The cursor it was given last.
    pub cursor: Option<u64>,
}

/// A query that can't be understood: 400.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The offset isn't one.
    #[error("`offset`: {0}")]
    Offset(#[from] InvalidOffset),
    /// There is more than one.
    #[error("`{0}` is given more than once")]
    Second(&'static str),
    /// There is none, though the mode wants one.
    #[error("`live` wants an `offset`: -1, now, or what `Stream-Next-Offset` said")]
    NoOffset,
    /// There is no such mode.
    #[error("`live` is long-poll or sse")]
    Live,
}

impl Wanted {
    /// Reads the decoded parameters of a query. Those of extensions are left alone (section 11.1).
    ///
    /// # Errors
    /// Where it asks for what the protocol doesn't know.
    pub fn read<N: AsRef<str>, V: AsRef<str>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, Malformed> {
        let (mut start, mut mode, mut cursor) = (None, None, None);
        for (name, value) in pairs {
            let value = value.as_ref();
            match name.as_ref() {
                "offset" if start.is_some() => return Err(Malformed::Second("offset")),
                "live" if mode.is_some() => return Err(Malformed::Second("live")),
                "cursor" if cursor.is_some() => return Err(Malformed::Second("cursor")),
                "offset" => start = Some(value.parse()?),
                "live" => mode = Some(live(value)?),
                "cursor" => cursor = Some(cursor::parse(value)),
                _ => {}
            }
        }
        let (mode, cursor) = (mode.unwrap_or(Mode::CatchUp), cursor.flatten());
        let start = match (start, mode) {
            (Some(start), _) => start,
            (None, Mode::CatchUp) => Start::Beginning,
            (None, Mode::LongPoll | Mode::Sse) => return Err(Malformed::NoOffset),
        };
        Ok(Self { start, mode, cursor })
    }
}

fn live(value: &str) -> Result<Mode, Malformed> {
    match value {
        "long-poll" => Ok(Mode::LongPoll),
        "sse" => Ok(Mode::Sse),
        _ => Err(Malformed::Live),
    }
}
