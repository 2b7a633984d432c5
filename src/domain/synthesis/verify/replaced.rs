//! A word of a pair that stands where the source has the other: `sold` for `bought`, `after` for `before`, `all` for `most`.

use super::scope::tokens;
use crate::domain::near_duplicates::Features;
use crate::domain::text::polarity::{Mark, Marked};

/// Words for all of something, in the languages that are common, and for some of it.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "all", "every", "each", "entire", "entirely", "fully", "completely", "whole", "always", "alle", "sämtliche", "jeder", "jede", "jedes", "immer", "tous", "toutes",
    "toujours", "todos", "todas", "siempre", "全部", "所有",
];
const ALL: &[&str] = &[
    "all",
    "every",
    "always",
    "alle",
    "sämtliche",
    "immer",
    "tous",
    "toutes",
    "toujours",
    "todos",
    "todas",
    "siempre",
    "全部",
    "所有",
];
#[rustfmt::skip]
const PART: &[&str] = &[
    "most", "mostly", "some", "only", "several", "few", "many", "almost", "nearly", "partly", "partially", "majority", "half", "often", "sometimes",
    "meisten", "einige", "nur", "fast", "viele", "manche", "oft", "plupart", "certains", "certaines", "seulement", "souvent", "mayoría", "algunos", "algunas", "solo", "部分", "大多",
];

/// A word that stands where the other has one of another side.
pub(super) fn replaced<'f>(claim: &Features<'f>, said: &Features<'f>) -> Option<(&'f str, &'f str)> {
    let written = |of: &Features<'f>, marked: &Marked| &of.text[marked.range()];
    let has = |of: &Features<'_>, mark: Mark| of.marks.iter().any(|marked| marked.mark == mark);
    let mine = claim.marks.iter().filter(|marked| !has(said, marked.mark));
    let pairs = mine.flat_map(|mine| {
        let theirs = said.marks.iter().filter(|marked| !has(claim, marked.mark));
        theirs.map(move |theirs| (mine, theirs))
    });
    let mut replacing = pairs.filter(|(mine, theirs)| mine.mark.replaces(theirs.mark));
    let replaced = replacing.next().map(|(mine, theirs)| (written(claim, mine), written(said, theirs)));
    replaced
        .or_else(|| in_chinese(claim.text, said.text))
        .or_else(|| made_whole(claim.text, said.text))
        .or_else(|| joined_otherwise(claim.text, said.text))
        .or_else(|| at_the_other_side(claim.text, said.text))
}

/// Words of Chinese that stand where the other has the other of them.
fn in_chinese(claim: &str, said: &str) -> Option<(&'static str, &'static str)> {
    const PAIRS: &[(&str, &str)] =
        &[("同比", "环比"), ("增长", "下降"), ("上升", "下降"), ("增加", "减少"), ("充足", "不足")];
    let both = PAIRS.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    let put_for = |(mine, theirs): &(&str, &str)| {
        claim.contains(mine) && said.contains(theirs) && !claim.contains(theirs) && !said.contains(mine)
    };
    // `不足` is another word than `足`.
    let enough = |text: &str| text.replace("不足", "").contains('足');
    let lacking = enough(claim) && !enough(said) && said.contains("不足") && !claim.contains("不足");
    both.into_iter().find(put_for).or(lacking.then_some(("足", "不足")))
}

/// Of all, where it was said of some.
fn made_whole<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    fn of<'t>(text: &'t str, listed: &[&'static str]) -> Option<&'t str> {
        let chinese = |entry: &&&str| !entry.is_ascii() && text.contains(**entry);
        let word = tokens(text).find(|(_, word)| listed.contains(&word.as_str()));
        word.map(|(range, _)| &text[range]).or_else(|| listed.iter().find(chinese).copied())
    }
    let whole = of(claim, WHOLE).filter(|_| of(said, WHOLE).is_none())?;
    let part = of(said, PART).filter(|_| of(claim, PART).is_none());
    // Nobody said it of all.
    part.or_else(|| of(claim, ALL).map(|_| "")).map(|part| (whole, part))
}

/// What stands before a time in other languages, and after it.
const SIDES: &[(&str, &str)] = &[
    ("vor", "nach"),
    ("avant", "après"),
    ("antes", "después"),
    ("prima", "dopo"),
    ("antes", "depois"),
    ("до", "после"),
];
/// Small words between such a word and what it stands before.
const BETWEEN: &[&str] =
    &["der", "dem", "den", "die", "das", "le", "la", "les", "l", "de", "del", "da", "do", "della", "il"];

/// `vor der Prüfung` where the other has `nach der Prüfung`.
fn at_the_other_side<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    // Each with the word that it stands before.
    let of = |text: &'t str, side: &str| -> Option<(&'t str, String)> {
        let mut words = tokens(text).skip_while(|(_, word)| word != side);
        let (range, _) = words.next()?;
        let behind = words.map(|(_, word)| word).find(|word| !BETWEEN.contains(&word.as_str()))?;
        Some((&text[range], behind))
    };
    let both = SIDES.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    both.into_iter().find_map(|(mine, theirs)| {
        let ((written, before), (other, of_other)) = (of(claim, mine)?, of(said, theirs)?);
        (before == of_other && of(said, mine).is_none()).then_some((written, other))
    })
}

/// Joints that turn what they join round.
const JOINTS: &[(&str, &str)] = &[
    ("if", "unless"),
    ("when", "unless"),
    ("unless", "if"),
    ("because", "although"),
    ("because", "despite"),
    ("despite", "because"),
    ("weil", "obwohl"),
    ("obwohl", "weil"),
];

/// `if` where the other has `unless`.
fn joined_otherwise<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    let of = |text: &'t str, joint: &str| {
        tokens(text).find(|(_, word)| word == joint).map(|(range, _)| &text[range])
    };
    JOINTS.iter().find_map(|(mine, theirs)| {
        let found = of(claim, mine).zip(of(said, theirs))?;
        (of(said, mine).is_none() && of(claim, theirs).is_none()).then_some(found)
    })
}
