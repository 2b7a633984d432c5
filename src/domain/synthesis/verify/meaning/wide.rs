//! What a claim in Chinese or Japanese says that no text says. There are no spaces: a character is said where it and one beside it
//! stand together in a text, too, or alone where nothing stands beside it that says something.

use std::ops::Range;

use super::languages::WIDE_GROUPS;
use super::light::WIDE;
use crate::domain::text::scripts::is_wide;

/// Characters of a word.
const WORD: usize = 2;

/// Beginnings of words of Chinese and Japanese that join what stands around them.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309F}' | 'ー')
}

/// The characters of a claim that nothing in `texts` says, of how many words at most; those in `skipped` are compared elsewhere.
pub(in crate::domain::synthesis::verify) fn unsaid(
    claim: &str,
    texts: &[&str],
    skipped: &[Range<usize>],
) -> (Vec<Range<usize>>, usize) {
    let characters: Vec<(usize, char)> = claim.char_indices().collect();
    let light = covered(claim, WIDE.iter().copied());
    let same = same(claim, texts);
    let is_in = |ranges: &[Range<usize>], at: usize| ranges.iter().any(|range| range.contains(&at));
    let says = |&(at, c): &(usize, char)| is_wide(c) && !is_kana(c) && !is_in(skipped, at) && c != '々';
    let is_said = |place: usize| {
        let (at, c) = characters[place];
        let before = place.checked_sub(1).map(|before| &characters[before]).filter(|before| says(before));
        let after = characters.get(place + 1).filter(|after| says(after));
        let two = [
            before.map(|before| before.0..at + c.len_utf8()),
            after.map(|after| at..after.0 + after.1.len_utf8()),
        ];
        let stand = |part: &str| texts.iter().any(|text| text.contains(part));
        let weighs = |beside: Option<&(usize, char)>| beside.is_some_and(|(at, _)| !is_in(&light, *at));
        two.into_iter().flatten().any(|two| stand(&claim[two]))
            || (!weighs(before) && !weighs(after) && stand(&claim[at..at + c.len_utf8()]))
    };
    let unsaid = |place: usize| {
        let (at, _) = characters[place];
        says(&characters[place]) && !is_in(&light, at) && !is_in(&same, at) && !is_said(place)
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    for place in (0..characters.len()).filter(|place| unsaid(*place)) {
        let (at, c) = characters[place];
        match found.last_mut() {
            Some(last) if last.end == at => last.end += c.len_utf8(),
            _ => found.push(at..at + c.len_utf8()),
        }
    }
    (found, characters.iter().filter(|character| says(character)).count() / WORD)
}

/// Where some words stand in a text.
fn covered<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Vec<Range<usize>> {
    words.flat_map(|word| text.match_indices(word).map(|(at, word)| at..at + word.len())).collect()
}

/// The words of a claim for which the texts have another that says the same.
fn same(claim: &str, texts: &[&str]) -> Vec<Range<usize>> {
    let told = WIDE_GROUPS.iter().filter(|group| {
        let has = |text: &str| group.split(' ').any(|word| text.contains(word));
        has(claim) && texts.iter().any(|text| has(text))
    });
    covered(claim, told.flat_map(|group| group.split(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_text_says_is_found() {
        let said = ["系统每秒处理900个请求。", "张伟创办了这家慈善机构。", "軟膏は成人のかゆみを和らげる。"];
        for (claim, expected) in [
            ("该系统每秒可处理900个请求。", None),
            ("系统每分钟处理900个请求。", Some("分钟")),
            ("系统每秒拒绝900个请求。", Some("拒绝")),
            ("这家慈善机构是张伟创立的。", None),
            ("张伟出售了这家慈善机构。", Some("出售")),
            ("成人のかゆみをこの軟膏は和らげる。", None),
            ("軟膏は子供のかゆみを和らげる。", Some("子供")),
        ] {
            let figures: Vec<Range<usize>> = claim.match_indices("900").map(|(at, _)| at..at + 3).collect();
            let (found, _) = unsaid(claim, &said, &figures);
            assert_eq!(found.first().map(|range| &claim[range.clone()]), expected, "{claim}");
        }
    }
}
