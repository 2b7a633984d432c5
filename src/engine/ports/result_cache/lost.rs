//! What a store had and has lost for good.

use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;

/// Entries of a branch that doesn't go on.
#[derive(Debug, Clone)]
pub struct Lost {
    /// Of which session.
    pub key: SessionKey,
    /// In their order.
    pub entries: Vec<Arc<Entry>>,
    /// Whether no other step was expected when the branches parted. What the branch that goes on was told of that since then stays true.
    pub was_over: bool,
    /// Whether it is closed again afterwards, as was found before the first try: a second one may come after some of it was decided.
    pub closes: bool,
}
