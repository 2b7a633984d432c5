//! What looks like a marker in a quotation and cites nothing.
//!
//! A text is read for its markers as a whole; what is quoted of it stands alone, so a bracket that was code, or data, there
//! may look like a citation here: `"seats": [1, 2]`. A backslash before it keeps it what it is (CommonMark 0.31, section
//! 2.4), whoever reads it next.

use std::collections::BTreeMap;

use super::Numbered;
use crate::domain::synthesis::citations::{Numbering, rewrite};
use crate::domain::synthesis::claims::Mark;

/// Bytes of a marker.
const MARKER_BYTES_MAX: usize = 56;

impl Numbered<'_> {
    /// A quotation as it may stand in a text of the result, where that is another than it is: see [`guarded`].
    pub(in crate::domain::aggregate) fn guarded(
        &self,
        quotation: &str,
        start: usize,
        marks: &[Mark],
    ) -> Option<String> {
        guarded(quotation, start, marks, &self.map)
    }

    /// A label without what it cites.
    pub(in crate::domain::aggregate) fn uncited(&self, label: String) -> String {
        if !label.contains(['[', '【', '［', '〔']) {
            return label;
        }
        let bare = rewrite(&label, &BTreeMap::new(), &mut Numbering::new()).0;
        if bare.trim().is_empty() { label.replace(['[', ']'], "") } else { bare.trim().to_owned() }
    }
}

/// The quotation that begins at `start` of its text, with backslashes where it would cite what its author doesn't; `None`
/// where nothing in it does. `known` are the numbers of the draft.
fn guarded(quotation: &str, start: usize, marks: &[Mark], known: &BTreeMap<u32, u32>) -> Option<String> {
    // Most have none: `【`, `［` and `〔` begin with the other two.
    memchr::memchr3(b'[', 0xE3, 0xEF, quotation.as_bytes())?;
    let is_mark = |at: usize| marks.binary_search_by_key(&(start + at), |mark| mark.range.start).is_ok();
    let (mut counted, mut ticks) = (0, 0);
    let mut is_code = |at: usize| {
        ticks += quotation[counted..at].matches('`').count();
        counted = at;
        ticks % 2 == 1
    };
    let doubtful: Vec<usize> = quotation
        .match_indices(['[', '【', '［', '〔'])
        .map(|(at, _)| at)
        .filter(|at| !is_code(*at) && !is_mark(*at) && may_cite(&quotation[*at..]))
        .collect();
    if doubtful.is_empty() {
        return None;
    }
    // As the quotation will be read.
    let (read, report) = rewrite(quotation, known, &mut Numbering::new());
    let first = marks.partition_point(|mark| mark.range.start < start);
    let own = marks[first..].iter().take_while(|mark| mark.range.end <= start + quotation.len()).count();
    let is_left = report.dangling.is_empty() && report.citations.len() == own && !read.is_empty();
    if is_left {
        return None;
    }
    let (mut out, mut done) = (String::with_capacity(quotation.len() + 2 * doubtful.len()), 0);
    for at in doubtful {
        out.push_str(&quotation[done..at]);
        out.push('\\');
        done = at;
    }
    Some(out + &quotation[done..])
}

/// Whether a bracket has little but a number in it, and is no link's.
fn may_cite(text: &str) -> bool {
    let near = &text[..text.floor_char_boundary(MARKER_BYTES_MAX)];
    let Some(close) = near.find([']', '】', '］', '〕']) else { return true };
    near[..close].contains(char::is_numeric) && !near[close..].starts_with("](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_cite_is_guarded() {
        let known: BTreeMap<u32, u32> = (1..=3).map(|number| (number, number)).collect();
        let mark = |start: usize| Mark { range: start..start + 3, source: 1 };
        for (quotation, marks, expected) in [
            ("\"seats\": [1, 2], \"plan\": \"Pro\"", vec![], Some("\"seats\": \\[1, 2], \"plan\": \"Pro\"")),
            ("It rose [1] in the end.", vec![mark(18)], None),
            ("It rose [1] in [2] of them.", vec![mark(18)], Some("It rose [1] in \\[2] of them.")),
            ("Use `rows[1]` of my_list[2] in [2024].", vec![], None),
            ("In [2] of `rows[1]`.", vec![], Some("In \\[2] of `rows[1]`.")),
            ("See [part 1](https://a.example) of it.", vec![], None),
            ("价格【1】上涨。", vec![], Some("价格\\【1】上涨。")),
        ] {
            assert_eq!(guarded(quotation, 10, &marks, &known).as_deref(), expected, "{quotation}");
        }
    }
}
