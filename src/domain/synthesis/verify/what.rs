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

/// What stands before a figure and its currency, in small letters, as far as a few words reach.
pub(super) fn before(text: &str, figure: &Figure) -> String {
    const LOOK_BACK: usize = 24;
    let from = text.floor_char_boundary(figure.start.saturating_sub(LOOK_BACK));
    text[from..figure.start].trim_end_matches([' ', '$', '€', '£', '¥']).to_lowercase()
}
