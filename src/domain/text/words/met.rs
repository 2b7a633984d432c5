//! Words that were met before, kept for the next text: stemming one takes forty times as long as looking it up.
//!
//! A few tables are kept for the whole process, as many as are mostly in use at once. They hold nothing but what any table
//! would come to hold, so that which one is taken makes no difference to what is found.

use std::sync::{Mutex, PoisonError};

use super::{Kind, Term};
use crate::domain::text::terms::TermMap;

/// By the hash of a word as it is written.
pub(super) type Met = TermMap<(Term, Kind)>;

/// Tables that are kept.
const TABLES_MAX: usize = 4;
/// Words of one that is kept, about a megabyte: one that has met more met a text that isn't in a language.
const WORDS_MAX: usize = 32_768;

static KEPT: Mutex<Vec<Met>> = Mutex::new(Vec::new());

/// A table that has met words; an empty one where none is kept.
pub(super) fn take() -> Met {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
}

/// Keeps a table for others.
pub(super) fn keep(met: Met) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() < TABLES_MAX && met.len() <= WORDS_MAX {
        kept.push(met);
    }
}
