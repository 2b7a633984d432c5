//! One of several that are the highest, told as the highest: `eine der ältesten` as `die älteste`.

use crate::domain::synthesis::verify::listed::Words;

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
    let is_highest = |word: &str| {
        word.ends_with("est")
            || word.ends_with("ste")
            || word.ends_with("sten")
            || word.ends_with("ster")
            || word.ends_with("stes")
            || HIGHEST.contains(&word)
    };
    let near = || theirs[at + 2..].iter().take(NEAR).map(|(_, word)| word).filter(|word| is_highest(word));
    let same = |one: &str, other: &str| {
        one == other
            || one.len() >= STEM && other.get(..STEM.min(other.len())) == one.get(..STEM) && is_highest(other)
    };
    near()
        .any(|word| mine.iter().any(|(_, own)| same(word, own)))
        .then(|| said[theirs[at].0.start..theirs[at + 1].0.end].to_owned())
}
