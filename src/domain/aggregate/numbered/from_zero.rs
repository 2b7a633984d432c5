//! Sources that are counted from zero: `[0]` is the first of a list that numbers nothing itself.

use std::collections::BTreeMap;

use crate::domain::aggregate::input::SourceInput;
use crate::domain::synthesis::citations::{Numbering, rewrite};
use crate::domain::synthesis::claims::json_in;

const ZEROS: [&str; 2] = ["[0]", "【0】"];

/// Whether a text counts its author's `sources` from zero: it cites `[0]`, all that it cites is below their count, and
/// none has an id. `list[0]` is an index. Linear.
pub(super) fn counts_from_zero(text: &str, sources: &[SourceInput]) -> bool {
    if sources.is_empty() || sources.iter().any(|source| source.id.is_some()) {
        return false;
    }
    let is_glued = |at: usize| {
        text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ')' | ']' | '`'))
    };
    let mut zeros = ZEROS.iter().flat_map(|zero| text.match_indices(zero)).peekable();
    if zeros.peek().is_none() || zeros.any(|(at, _)| is_glued(at)) || !json_in(text).is_empty() {
        return false;
    }
    let others: BTreeMap<u32, u32> = (1..).take(sources.len() - 1).map(|number| (number, number)).collect();
    let dangling = rewrite(text, &others, &mut Numbering::new()).1.dangling;
    !dangling.is_empty() && dangling.iter().all(|found| found.number == Some(0))
}

/// What numbers that count from zero stand for, by what they would if they counted from one.
pub(super) fn from_zero(numbers: BTreeMap<u32, u32>) -> BTreeMap<u32, u32> {
    numbers.into_iter().filter_map(|(number, key)| Some((number.checked_sub(1)?, key))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_counts_from_zero_where_all_fits() {
        let sources = [SourceInput::default(), SourceInput::default()];
        for text in ["It rose [0]. It fell [1].", "It rose [0].", "上涨【0】。", "It rose [0][1]."] {
            assert!(counts_from_zero(text, &sources), "{text}");
        }
        for text in [
            "It rose [1]. It fell [2].",
            "It rose [0]. It fell [2].",
            "The first is list[0], the second [1].",
            "The first is `a [0]`.",
            "{\"scores\": [0], \"said\": \"It rose [1].\"}",
            "It is in [0, 1].",
            "",
        ] {
            assert!(!counts_from_zero(text, &sources), "{text}");
        }
        let with_id = SourceInput { id: Some("a".to_owned()), ..SourceInput::default() };
        assert!(!counts_from_zero("It rose [0].", &[with_id]) && !counts_from_zero("It rose [0].", &[]));
    }
}
