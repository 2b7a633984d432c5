//! What a figure or a statement of many is about: of `rural schools lost 14%` a claim makes `schools lost 14%`, of `sales of electric cars`
//! `sales of cars`, of `supports encrypted backups` `supports backups`.
//!
//! One thing may be named by less (`the old bridge`, `the bridge`); of many, or of what is measured, less says more.

use super::Features;
use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::synthesis::verify::listed::Words;
use crate::domain::synthesis::verify::meaning::is_light;
use crate::domain::text::figures::Unit;

/// What leads to one thing, or counts.
#[rustfmt::skip]
const LEADING: &[&str] = &["the", "a", "an", "its", "their", "his", "her", "this", "that", "these", "those", "our", "my", "your"];
/// Words that say how many, how large or which, but not of what kind.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "many", "several", "various", "numerous", "different", "other", "new", "large", "big", "small", "major", "great", "good", "old", "own", "certain", "total", "overall", "entire", "whole", "whose", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "more", "most", "further", "additional", "first", "last", "next",
    "main", "young", "annual", "important", "significant", "current", "local", "hundreds", "thousands", "millions", "dozens", "million", "billion", "percent", "experienced", "famous", "well-known",
];

/// A word that tells the kind of things of which a sentence speaks, where a claim speaks of all.
pub(super) fn kind(
    (claim, mine): (&Features<'_>, &Words),
    (said, theirs): (&Features<'_>, &Words),
) -> Option<String> {
    let measures = |of: &Features<'_>| {
        of.figures
            .iter()
            .any(|figure| matches!(figure.unit, Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Times))
    };
    let is_measured = measures(claim) && measures(said);
    (1..theirs.len()).find_map(|at| {
        let ((kind, word), (range, noun)) = (&theirs[at - 1], &theirs[at]);
        let own = mine.iter().position(|(_, own)| own == noun)?;
        let is_kind = said.text[kind.end..range.start] == *" "
            && word.len() > 3
            && !PLAIN.contains(&word.as_str())
            && !is_light(word)
            && !is_connecting(word)
            && !word.ends_with("ly")
            && !is_done(theirs, at - 1)
            && !word.ends_with("'s")
            && !word.ends_with("s");
        let is_noun = said.text[range.clone()].starts_with(char::is_lowercase)
            && noun.len() > 2
            && !is_light(noun)
            && !is_connecting(noun);
        if !is_kind || !is_noun || theirs.iter().filter(|(_, other)| other == noun).count() > 1 {
            return None;
        }
        let has = mine.iter().any(|(_, own)| begins_alike(own, word));
        let many = noun.ends_with('s')
            && !noun.ends_with("ss")
            && is_bare(theirs, said.text, at - 1)
            && is_bare(mine, claim.text, own);
        // What is measured stands before what measures it, or behind `of`.
        let measured = is_measured
            && (own <= 1 || own == 2 && LEADING.contains(&mine[0].1.as_str()) || mine[own - 1].1 == "of")
            && (own == 0
                || LEADING.contains(&mine[own - 1].1.as_str())
                || mine[own - 1].1 == "of"
                || own == 2);
        (!has && (many || measured)).then(|| said.text[kind.clone()].to_owned())
    })
}

/// Whether a word may be what the first word of a sentence did: `Vaccination reduced admissions`.
fn is_done(words: &Words, at: usize) -> bool {
    at == 1 && words[at].1.ends_with("ed") && !LEADING.contains(&words[0].1.as_str())
}

/// Whether what a word begins is many things: no article, number or name stands before it.
fn is_bare(words: &Words, text: &str, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let (range, word) = &words[before];
    let gap = &text[range.end..words[at].0.start];
    gap == " "
        && !LEADING.contains(&word.as_str())
        && (is_light(word)
            || is_connecting(word)
            || text[range.clone()].starts_with(char::is_lowercase) && before > 0 && is_verb(word))
}

/// Whether a word may be a verb in its finite form.
fn is_verb(word: &str) -> bool {
    word.ends_with('s') || word.ends_with("ed")
}

/// Whether two words may be forms of one: `Germany`, `German`.
fn begins_alike(one: &str, other: &str) -> bool {
    const STEM: usize = 4;
    one == other || one.chars().count() >= STEM && one.chars().take(STEM).eq(other.chars().take(STEM))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::verify::listed::words;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn what_holds_of_a_kind_is_not_told_of_all() {
        let mut lexicon = Lexicon::default();
        for (claim, said, expected) in [
            ("Schools lost 14% of their pupils.", "Rural schools lost 14% of their pupils.", Some("Rural")),
            ("The truck market grew by 4%.", "The German truck market grew by 4%.", Some("German")),
            (
                "Sales of cars rose by 20 percent.",
                "Sales of electric cars rose by 20 percent.",
                Some("electric"),
            ),
            ("It supports backups on Linux.", "It supports encrypted backups on Linux.", Some("encrypted")),
            ("The bridge was closed in 2003.", "The stone bridge was closed in 2003.", None),
            ("Germany's truck market grew by 4%.", "The German truck market grew by 4%.", None),
            ("Volunteers clean the beach.", "Many volunteers clean the beach.", None),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            let found = kind((&mine, &words(claim)), (&theirs, &words(said)));
            assert_eq!(found.as_deref(), expected, "{claim}");
        }
    }
}
