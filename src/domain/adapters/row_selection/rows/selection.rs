//! Which rows of a long list are shown: the first, and those that are selected, wherever they stand. What was selected is
//! what the table is there for.

use std::collections::HashSet;

use super::super::super::shape::members;
use super::super::super::values::{find, items, plain};
use super::PREVIEW_ROWS;

/// The ids of the rows that were selected.
pub(in super::super) struct Selection(HashSet<String>);

impl Selection {
    /// The ids of a JSON array.
    pub(in super::super) fn of(ids: &str) -> Self {
        Self(items(ids).unwrap_or_default().into_iter().map(|id| plain(id).into_owned()).collect())
    }

    /// At most [`PREVIEW_ROWS`] rows in their order; `keys` are those of the given columns.
    pub(super) fn shown<'a>(&self, list: Vec<&'a str>, keys: &[&str]) -> Vec<&'a str> {
        if list.len() <= PREVIEW_ROWS || self.0.is_empty() {
            return list.into_iter().take(PREVIEW_ROWS).collect();
        }
        let selected: HashSet<usize> =
            (0..list.len()).filter(|at| self.has(list[*at], keys)).take(PREVIEW_ROWS).collect();
        let mut room = PREVIEW_ROWS - selected.len();
        let shown = list.into_iter().enumerate().filter(|(at, _)| {
            let fills = !selected.contains(at) && room > 0;
            room -= usize::from(fills);
            fills || selected.contains(at)
        });
        shown.map(|(_, row)| row).collect()
    }

    /// By its `id`, or else by its first cell, as tables are read everywhere.
    fn has(&self, row: &str, keys: &[&str]) -> bool {
        let id = match members(row) {
            Some(members) => {
                let first = || match keys.first() {
                    Some(key) => find(&members, key),
                    None => members.first().map(|member| member.value),
                };
                find(&members, "id").or_else(first).map(|id| plain(id).into_owned())
            }
            None => {
                let values = items(row).unwrap_or_else(|| vec![row]);
                let place = keys.iter().position(|key| *key == "id").unwrap_or(0);
                values.get(place).map(|id| plain(id).into_owned())
            }
        };
        id.is_some_and(|id| self.0.contains(&id))
    }
}
