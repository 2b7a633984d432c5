//! What may change places in a sentence: figures and names.

use crate::domain::text::figures::{Figure, Unit, Value};
use crate::domain::text::words::Term;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Figure(Unit, Value, Value),
    Name(Term),
}

impl What {
    pub fn of(figure: &Figure) -> Self {
        Self::Figure(figure.unit, figure.low, figure.high)
    }

    /// Whether the two could stand in each other's place.
    pub fn rivals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Figure(unit, ..), Self::Figure(of, ..)) => unit == of && self != other,
            (Self::Name(_), Self::Name(_)) => self != other,
            (Self::Figure(..), Self::Name(_)) | (Self::Name(_), Self::Figure(..)) => false,
        }
    }
}

/// Whether a text, in small letters, ends with one of some words.
pub(super) fn ends_with_one(text: &str, words: &[&str]) -> bool {
    let ends =
        |word: &&str| text.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    words.iter().any(ends)
}
