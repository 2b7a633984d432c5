//! One of several that are the highest, told as the highest: `eine der ältesten` as `die älteste`.

use std::ops::Range;

use crate::domain::synthesis::verify::compared;
use crate::domain::synthesis::verify::listed::Words;
use crate::domain::text::phrases::ends_with_any;

/// What says that it is one of several.
#[rustfmt::skip]
const ONE_OF: &[(&[&str], &[&str])] = &[
    (&["one"], &["of"]),
    (&["eine", "einer", "eines", "einen", "einem"], &["der"]),
    (&["un", "une", "l'un", "l'une", "l’un", "l’une"], &["des", "de"]),
    (&["una", "uno", "un"], &["de", "dei", "delle", "degli"]),
    (&["um", "uma"], &["dos", "das"]),
    (&["een"], &["van"]),
];
/// What else says so.
#[rustfmt::skip]
const AMONG: &[&str] = &["among", "one", "amongst", "zu", "unter", "parmi", "figure", "entre", "tra", "fra", "some", "eine", "einer", "eines", "unes", "l'un", "l'une", "una", "uno", "uma", "een"];
const HIGHEST: &[&str] = &["most", "least", "best", "worst", "plus", "más", "più", "mais"];

/// The words of a sentence that say so, where a claim has the same superlative without them.
pub(super) fn highest(mine: &Words, said: &str, theirs: &Words) -> Option<String> {
    let at = theirs.windows(2).position(|two| {
        ONE_OF.iter().any(|(one, of)| one.contains(&two[0].1.as_str()) && of.contains(&two[1].1.as_str()))
    })?;
    if mine.iter().any(|(_, word)| AMONG.contains(&word.as_str())) {
        return None;
    }
    const NEAR: usize = 5;
    const STEM: usize = 5;
    let is_german = |word: &str| ends_with_any(word, &["ste", "sten", "ster", "stes"]);
    let is_highest = |word: &str| compared::is_highest(word) || is_german(word) || HIGHEST.contains(&word);
    // A name and a German noun, as `Fenster`, begin with a capital letter.
    let is_small = |range: &Range<usize>| said[range.clone()].starts_with(char::is_lowercase);
    let near = || {
        let few = theirs[at + 2..].iter().take(NEAR);
        few.filter(|(range, word)| is_small(range) && is_highest(word)).map(|(_, word)| word)
    };
    let same = |one: &str, other: &str| {
        one == other
            || one.len() >= STEM && other.get(..STEM.min(other.len())) == one.get(..STEM) && is_highest(other)
    };
    near()
        .any(|word| mine.iter().any(|(_, own)| same(word, own)))
        .then(|| said[theirs[at].0.start..theirs[at + 1].0.end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::verify::listed::words;

    #[test]
    fn one_of_the_highest_is_not_the_highest_and_other_words_are_no_superlatives() {
        for (claim, said, left_out) in [
            ("It is the oldest bridge.", "It is one of the oldest bridges.", Some("one of")),
            ("Sie ist die älteste Brücke.", "Sie ist eine der ältesten Brücken.", Some("eine der")),
            ("It is among the oldest bridges.", "It is one of the oldest bridges.", None),
            ("Turin is a guest city.", "Turin is one of the guest cities.", None),
            ("Ein Fenster ist offen.", "Eines der Fenster ist offen.", None),
        ] {
            let (mine, theirs) = (words(claim), words(said));
            assert_eq!(highest(&mine, said, &theirs).as_deref(), left_out, "{claim}");
        }
    }
}
