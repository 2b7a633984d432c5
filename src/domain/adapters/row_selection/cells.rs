//! The bounds of cells, and of rows that are passed on as they are.

use std::collections::HashSet;

use super::super::shape::{Member, members, quoted};
use super::super::values::{items, plain, shortened};
use super::{CELL_CHARS_MAX, KEY_CHARS_MAX, PREVIEW_COLUMNS, PREVIEW_ROWS};

/// What is shown of a cell that is too long; `None` for one that isn't.
pub(super) fn cut(cell: &str) -> Option<String> {
    // A string's quotes aren't shown.
    if cell.len() <= CELL_CHARS_MAX {
        return None;
    }
    shortened(&plain(cell), CELL_CHARS_MAX).map(|short| quoted(&short))
}

/// How many rows an array has, where they can go on as they were sent: objects within the bounds.
pub(super) fn regular_rows(array: &str) -> Option<usize> {
    let rows = items(array).filter(|rows| rows.len() <= PREVIEW_ROWS)?;
    let mut keys = HashSet::new();
    let mut is_regular = |row: &&str| {
        keys.clear();
        let mut fits = |Member { key, value }: &Member<'_>| {
            shortened(&key.0, KEY_CHARS_MAX).is_none()
                && cut(value).is_none()
                && keys.insert(key.0.to_string())
        };
        members(row).is_some_and(|row| row.len() <= PREVIEW_COLUMNS && row.iter().all(&mut fits))
    };
    rows.iter().all(&mut is_regular).then_some(rows.len())
}
