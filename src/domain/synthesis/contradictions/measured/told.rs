//! How much, when or by whom, and whether two of those can both be true.

use crate::domain::synthesis::contradictions::amounts::Value;
use crate::domain::synthesis::contradictions::answers::Named;
use crate::domain::text::words::Lexicon;

/// How much, when or by whom.
pub(super) enum Told<'f> {
    Amount(Value<'f>),
    /// Two that aren't equal can't both be true.
    Exactly {
        written: String,
        is: [u32; 2],
    },
    /// A few words, of which others can't mean the same.
    Named(Named<'f>),
    /// Days, of which one must be in both.
    Between {
        written: String,
        from: u32,
        to: u32,
    },
}

impl Told<'_> {
    /// Whether both can be true; `None` where they can't be compared.
    pub(super) fn agrees(&self, other: &Told<'_>, lexicon: &mut Lexicon) -> Option<bool> {
        match (self, other) {
            (Told::Amount(one), Told::Amount(other)) => one.agrees(other, lexicon),
            (Told::Exactly { is, .. }, Told::Exactly { is: other, .. }) => Some(is == other),
            (Told::Between { from, to, .. }, Told::Between { from: since, to: until, .. }) => {
                Some(from <= until && since <= to)
            }
            (Told::Named(one), Told::Named(other)) => Some(one.difference(other).is_none()),
            (Told::Amount(_) | Told::Exactly { .. } | Told::Named(_) | Told::Between { .. }, _) => None,
        }
    }

    pub(super) fn written(&self) -> String {
        match self {
            Told::Amount(value) => value.written(),
            Told::Named(named) => named.written.to_owned(),
            Told::Exactly { written, .. } | Told::Between { written, .. } => written.clone(),
        }
    }
}
