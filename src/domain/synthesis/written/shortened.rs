//! A summary within the wanted length: no answer in short is longer than the answer was to be.

use crate::domain::synthesis::compose::length;
use crate::domain::text::sentences::sentences;

/// The first sentences that `most` words have room for, at least one, with the sources behind them.
pub(super) fn shortened(summary: &str, most: Option<u32>) -> String {
    let Some(most) = most else { return summary.to_owned() };
    let is_said = |word: &&str| !word.starts_with('[');
    let words = |text: &str| length(&text.split_whitespace().filter(is_said).collect::<Vec<_>>().join(" "));
    let (mut said, mut end) = (0, 0);
    for range in sentences(summary) {
        said += words(&summary[range.clone()]);
        if end > 0 && said > most as usize {
            break;
        }
        end = range.end;
    }
    summary[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_sentences_as_there_is_room_for_and_one_at_least() {
        let summary =
            "Acme opened three factories in Ohio. [1][2] It employs 1,200 people. [3] Zeta mines copper.";
        for (most, end) in [
            (None, summary.len()),
            (Some(100), summary.len()),
            (Some(13), summary.len()),
            (Some(12), summary.len() - " Zeta mines copper.".len()),
            (Some(10), summary.len() - " Zeta mines copper.".len()),
            (Some(9), "Acme opened three factories in Ohio. [1][2]".len()),
            (Some(1), "Acme opened three factories in Ohio. [1][2]".len()),
        ] {
            assert_eq!(shortened(summary, most), summary[..end], "{most:?}");
        }
        assert_eq!(shortened("价格上涨了。销量下降了。", Some(3)), "价格上涨了。");
        assert_eq!(shortened("", Some(1)), "");
    }
}
