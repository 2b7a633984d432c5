//! Korean words, which take particles and endings: they are the same where their first syllables are.

use std::ops::Range;

use crate::domain::synthesis::verify::scope::tokens;

/// Syllables by which a word is known.
const KNOWN_BY: usize = 2;
/// Words and endings of words that claim nothing, each by its beginning.
#[rustfmt::skip]
const LIGHT: &[&str] = &[
    "이", "그", "저", "및", "또는", "또한", "그리고", "그러나", "하지만", "있", "했", "한다", "하는", "하고", "하여", "해서", "된다", "되는", "되었", "됐", "대한", "대해", "위해", "위한", "통해", "따라", "따르면", "것", "등", "약", "수", "때문",
    "관련", "경우", "때", "중", "후", "전", "동안", "이후", "이전", "가운데", "모두", "각", "더", "가장", "밝혔", "말했", "전했", "설명",
];

/// The words of a claim that stand in none of some texts, of how many.
pub(in crate::domain::synthesis::verify) fn unsaid(
    claim: &str,
    texts: &[&str],
) -> (Vec<Range<usize>>, usize) {
    let begins = |word: &str| word.chars().take(KNOWN_BY).collect::<String>();
    let said: Vec<String> = texts.iter().flat_map(|text| tokens(text)).map(|(_, word)| word).collect();
    let is_hangul = |word: &str| word.starts_with(|c: char| matches!(c, '\u{AC00}'..='\u{D7A3}'));
    let is_said = |word: &str| {
        let beginning = begins(word);
        let light = LIGHT
            .iter()
            .any(|light| word.starts_with(light) && word.chars().count() <= light.chars().count() + 2);
        light || said.iter().any(|other| other.starts_with(&beginning))
    };
    let words: Vec<_> = tokens(claim).filter(|(_, word)| is_hangul(word)).collect();
    let unsaid = words.iter().filter(|(_, word)| !is_said(word)).map(|(range, _)| range.clone());
    (unsaid.collect(), words.len())
}
