//! Numbers of an entry that are places in its own list of citations: `[1]` is the first of these.

use std::collections::BTreeMap;

use super::{Ids, Numbering, written};

/// What the numbers of a text stand for by their places in `listed`: nothing, unless all of its markers are such.
pub(in crate::domain::synthesis::answer) fn places(
    text: &str,
    listed: &[Option<usize>],
    sheet: &Ids<'_>,
) -> BTreeMap<String, usize> {
    let tried = written(text, sheet, &mut Numbering::default());
    let escaped = |text: &str| text.matches("\\[").count();
    // An index, `a[1]`, isn't told from a marker by its number.
    if !tried.cited.is_empty() || escaped(&tried.text) > escaped(text) {
        return BTreeMap::new();
    }
    let placed = |id: &String| {
        let place = id.parse::<usize>().ok()?.checked_sub(1)?;
        Some((id.clone(), (*listed.get(place)?)?))
    };
    tried.dangling.iter().map(placed).collect::<Option<_>>().unwrap_or_default()
}
