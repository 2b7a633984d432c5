//! What can be odd about an answer.

use std::collections::BTreeSet;

/// All that was odd, each once.
pub(super) type Notes = BTreeSet<Note>;

/// One oddity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Note {
    Cut,
    Unreadable,
    Brackets,
    TooLong,
    TooDeep,
    TooMany,
    Twice,
    Single,
    Bare,
    Nested,
    NoContent,
    WrongType,
    UnknownIds,
    UnknownLevel,
}

impl Note {
    /// Whether something that the model said is missing because of it.
    pub(super) fn is_loss(self) -> bool {
        match self {
            Note::Cut | Note::TooLong | Note::TooDeep | Note::TooMany => true,
            Note::Unreadable
            | Note::Brackets
            | Note::Twice
            | Note::Single
            | Note::Bare
            | Note::Nested
            | Note::NoContent
            | Note::WrongType
            | Note::UnknownIds
            | Note::UnknownLevel => false,
        }
    }

    /// The sentence about it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Note::Cut => "the answer was cut off, and what wasn't complete is left out",
            Note::Unreadable => "a part of the answer couldn't be read",
            Note::Brackets => "the answer's brackets don't match",
            Note::TooLong => "a text that is too long was left out",
            Note::TooDeep => "something that is nested too deeply was left out",
            Note::TooMany => "there were too many items, and the last ones are left out",
            Note::Twice => "a field came more than once, and the last complete one counts",
            Note::Single => "a single item stood where a list belongs",
            Note::Bare => "an item was a bare text",
            Note::Nested => "the draft was inside something else",
            Note::NoContent => "an item that says nothing was left out",
            Note::WrongType => "a value of another type was left out",
            Note::UnknownIds => "a source id that is no number was left out",
            Note::UnknownLevel => "a confidence that is no level was left out",
        }
    }
}
