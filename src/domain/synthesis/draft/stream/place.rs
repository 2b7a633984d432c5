//! Where in a draft a value stands, and which texts a reader wants.

use super::super::ITEMS_MAX;
use super::super::fields::{Field, field};

/// An object or list of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The draft itself.
    Draft,
    Findings,
    Finding(usize),
    Contradictions,
    Contradiction(usize),
    Gaps,
    /// Nothing that is shown.
    Other,
}

impl Place {
    /// The place of an object or list that is the value of `key` here.
    pub(super) fn of_field(self, key: &str, list: bool) -> Place {
        match (self, field(key), list) {
            (Place::Draft, Some(Field::Findings), true) => Place::Findings,
            (Place::Draft, Some(Field::Findings), false) => Place::Finding(0),
            (Place::Draft, Some(Field::Contradictions), true) => Place::Contradictions,
            (Place::Draft, Some(Field::Contradictions), false) => Place::Contradiction(0),
            (Place::Draft, Some(Field::Gaps), true) => Place::Gaps,
            _ => Place::Other,
        }
    }

    /// The place of an object or list that is item number `index` here.
    pub(super) fn of_item(self, index: usize, list: bool) -> Place {
        match self {
            Place::Findings if index < ITEMS_MAX && !list => Place::Finding(index),
            Place::Contradictions if index < ITEMS_MAX && !list => Place::Contradiction(index),
            Place::Findings
            | Place::Contradictions
            | Place::Draft
            | Place::Finding(_)
            | Place::Contradiction(_)
            | Place::Gaps
            | Place::Other => Place::Other,
        }
    }

    /// The path of a string that is the value of `key` here, and whether its markers are rewritten.
    pub(super) fn text_of_field(self, key: &str) -> Option<(String, bool)> {
        let shown = match (self, field(key)?) {
            (Place::Draft, Field::Summary) => ("summary".to_owned(), true),
            (Place::Draft, Field::Findings) => return Place::Findings.text_of_item(0),
            (Place::Draft, Field::Contradictions) => return Place::Contradictions.text_of_item(0),
            (Place::Draft, Field::Gaps) => return Place::Gaps.text_of_item(0),
            (Place::Finding(index), Field::Topic) => (format!("findings/{index}/topic"), false),
            (Place::Finding(index), Field::Transition) => (format!("findings/{index}/transition"), false),
            (Place::Finding(index), Field::Content) => (format!("findings/{index}/content"), true),
            (Place::Contradiction(index), Field::Description) => {
                (format!("contradictions/{index}/description"), true)
            }
            _ => return None,
        };
        Some(shown)
    }

    /// The path of a string that is item number `index` here, and whether its markers are rewritten.
    pub(super) fn text_of_item(self, index: usize) -> Option<(String, bool)> {
        if index >= ITEMS_MAX {
            return None;
        }
        match self {
            Place::Findings => Some((format!("findings/{index}/content"), true)),
            Place::Contradictions => Some((format!("contradictions/{index}/description"), true)),
            Place::Gaps => Some((format!("gaps/{index}"), true)),
            Place::Draft | Place::Finding(_) | Place::Contradiction(_) | Place::Other => None,
        }
    }
}
