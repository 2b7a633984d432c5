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
    let numbered = (1..).zip(listed).filter_map(|(place, source)| Some((place.to_string(), (*source)?)));
    let places: BTreeMap<String, usize> = numbered.collect();
    let by_place = Ids { source_of: &|id| places.get(id).copied(), prefixes: sheet.prefixes };
    let placed = written(text, &by_place, &mut Numbering::default());
    if placed.dangling.is_empty() { places } else { BTreeMap::new() }
}
