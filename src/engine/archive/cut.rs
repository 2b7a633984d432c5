//! How many entries go into one transaction.

use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::record::Record;

/// Leaves as many entries as have room in so many bytes, at least one. Returns their bytes.
pub(super) fn cut(entries: &mut Vec<Arc<Entry>>, bytes_max: usize) -> usize {
    let mut bytes = 0;
    let too_large = |entry: &Arc<Entry>| {
        let over = bytes > 0 && bytes + entry.weight() > bytes_max;
        bytes += if over { 0 } else { entry.weight() };
        over
    };
    if let Some(most) = entries.iter().position(too_large) {
        entries.truncate(most);
        keep_together(entries);
    }
    bytes
}

/// A terminal and its summary go together: the archive takes the latency out of the latter.
pub(super) fn keep_together(entries: &mut Vec<Arc<Entry>>) {
    let is_terminal =
        |last: &Arc<Entry>| matches!(&last.record, Record::Subagent { status, .. } if status.is_terminal());
    if entries.len() > 1 && entries.last().is_some_and(is_terminal) {
        entries.pop();
    }
}
