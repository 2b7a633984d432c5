//! What one marker means.

use super::brackets::open_bracket;
use super::{Ids, Numbering, Written};
use crate::domain::synthesis::answer::sources::prefix;

/// Sources of a range.
const RANGE_MAX: u32 = 50;

/// Writes what a marker means; `false` where it is none.
pub(super) fn write_marker(
    inside: &str,
    sheet: &Ids<'_>,
    numbering: &mut Numbering,
    out: &mut Written,
) -> bool {
    let whole = sheet.source_of(inside.trim()).map(|source| vec![(inside.to_owned(), Some(source))]);
    let ids = whole.unwrap_or_else(|| {
        let ids = inside.split([',', ';', '，', '、']).map(str::trim);
        let ids = ids.map(|id| id.strip_prefix('^').map_or(id, |raised| raised.trim_end_matches('^')));
        ids.flat_map(|id| all_of(id, sheet)).collect()
    });
    if !ids.iter().all(|(id, source)| source.is_some() || sheet.is_like(id)) {
        return false;
    }
    let known: Vec<usize> = ids.iter().filter_map(|(_, source)| *source).collect();
    // What stands behind a marker that was taken out doesn't stand behind a word.
    let is_behind_word = || {
        out.taken != Some(out.text.len())
            && out.text.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ')'))
    };
    if known.is_empty() && is_behind_word() {
        out.text.push('\\');
        return false;
    }
    out.dangling.extend(ids.into_iter().filter(|(_, source)| source.is_none()).map(|(id, _)| id));
    out.cited.extend(&known);
    if known.is_empty() || numbering.is_silent {
        out.text.truncate(out.text.trim_end_matches(' ').len());
        out.emptied.extend(open_bracket(&out.text));
        out.taken = Some(out.text.len());
        return true;
    }
    for source in known {
        let marker = numbering.marker(source);
        // The same source twice in a row says no more than once.
        if !out.text.ends_with(&marker) {
            out.text.push_str(&marker);
        }
    }
    true
}

/// The ids that one stands for, each with its source: itself, or those of a range.
fn all_of(id: &str, sheet: &Ids<'_>) -> Vec<(String, Option<usize>)> {
    let single = || vec![(id.to_owned(), sheet.source_of(id))];
    if sheet.source_of(id).is_some() {
        return single();
    }
    range(id, sheet).unwrap_or_else(single)
}

/// `1-3`, `c1–c3`, `c1–3`: a range, where the sheet has one of its ends.
fn range(id: &str, sheet: &Ids<'_>) -> Option<Vec<(String, Option<usize>)>> {
    let (from, to) = id.split_once(['-', '–', '—', '‑'])?;
    let (from, to) = (from.trim_end(), to.trim_start());
    let letters = prefix(from).unwrap_or_default();
    let number = |id: &str| id.strip_prefix(letters).unwrap_or(id).parse::<u32>().ok();
    let (first, last) = (number(from)?, number(to)?);
    let named = |number: u32| {
        let id = format!("{letters}{number}");
        let source = sheet.source_of(&id);
        (id, source)
    };
    let is_known = |number: u32| named(number).1.is_some();
    let is_range = first < last && last - first < RANGE_MAX && (is_known(first) || is_known(last));
    is_range.then(|| (first..=last).map(named).collect())
}
