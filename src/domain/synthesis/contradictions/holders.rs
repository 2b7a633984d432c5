//! Who did what one does, and where somebody sits: `Argentina won the final` and `France won the final`, `was invented by Edison`, `is based in
//! Oslo`, `is licensed under MIT`.

use std::ops::Range;
use std::sync::LazyLock;

use super::Kind;
use super::answers::few_words;
use super::besides::without;
use super::denied::are_of_one;
use super::differ::Difference;
use super::plain::{Plain, Words, begin_with, common, phrase};
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Unit;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Lexicon, Term};

/// What one does, where the article behind it says that there is one of it.
const DOES: &str = "won invented discovered directed painted";
/// What is done by one.
const BY: &str = "invented discovered written directed composed painted founded authored designed";
/// Where somebody sits.
const SITS: [&str; 5] =
    ["headquartered in", "based in", "its head office in", "its headquarters in", "their headquarters in"];
/// What a place may be in, or is in.
#[rustfmt::skip]
const WIDE: [&str; 44] = [
    "germany", "france", "spain", "italy", "portugal", "england", "scotland", "wales", "ireland", "britain", "kingdom", "uk", "usa", "us", "states", "america", "canada", "mexico", "brazil", "china",
    "japan", "korea", "india", "australia", "austria", "switzerland", "netherlands", "belgium", "sweden", "norway", "denmark", "finland", "poland", "israel", "europe", "asia", "africa", "california",
    "texas", "washington", "york", "bavaria", "silicon", "valley",
];
/// Licences, by what each is called.
const LICENCES: [&str; 9] = ["agpl", "lgpl", "gpl", "mit", "apache", "bsd", "mpl", "isc", "proprietary"];
/// The same with their versions.
const VERSIONS: [&str; 4] = ["gplv2", "gplv3", "agplv3", "lgplv3"];
/// What else may stand beside it.
const OF_LICENCES: [&str; 12] = [
    "licence",
    "license",
    "licensed",
    "licenced",
    "under",
    "released",
    "published",
    "version",
    "2",
    "2.0",
    "3",
    "3.0",
];
/// What ends a name.
const ENDS: [&str; 12] =
    [". ", "; ", ", ", " (", " in ", " on ", " at ", " for ", " who ", " which ", " after ", " – "];

static DOING: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), DOES));
static DONE_BY: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), BY));
static AGENT: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), "by"));
static SITTING: LazyLock<Vec<Vec<Term>>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    SITS.iter().map(|words| phrase(&mut lexicon, words)).collect()
});

/// The words without which nothing of this is told.
static CUES: LazyLock<KnownTerms<()>> = LazyLock::new(|| {
    let words = DOES.split(' ').chain(BY.split(' ')).chain(LICENCES).chain(VERSIONS);
    let sits = SITS.iter().flat_map(|words| words.split(' ').rev().nth(1));
    terms::table(words.chain(sits).map(|word| (word, ()))).into()
});

/// Whether a statement may tell of it.
pub(super) fn may_tell(of: &Features<'_>) -> bool {
    of.words.iter().any(|word| CUES.get(word.term).is_some())
}

/// Another one for what only one can be.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let [mine, theirs] = [a.words()?, b.words()?];
    if mine.denials != Some(0) || theirs.denials != Some(0) {
        return None;
    }
    let texts = [a.of.text, b.of.text];
    // What a label is of stands elsewhere.
    if texts.iter().any(|text| text.contains(':')) {
        return None;
    }
    let ranges = doer(mine, theirs, texts)
        .or_else(|| behind(mine, theirs, texts))
        .or_else(|| licence(mine, theirs, texts))?;
    let mut lexicon = Lexicon::default();
    let cut = [0, 1].map(|at| without(texts[at], &ranges[at]));
    let [left, right] = [&cut[0], &cut[1]].map(|cut| Features::of(&mut lexicon, cut));
    let dates = |of: &Features<'_>| -> Vec<_> {
        let dates = of.figures.iter().filter(|figure| figure.unit == Unit::Date);
        dates.map(|date| (date.low, date.high)).collect()
    };
    let (one_time, other_time) = (dates(&left), dates(&right));
    let is_one_time = one_time == other_time || one_time.is_empty() || other_time.is_empty();
    let [one, other] = [0, 1].map(|at| texts[at][ranges[at].clone()].to_owned());
    let is_one = is_one_time && are_of_one((a.said, &left), (b.said, &right));
    is_one.then_some(Difference::new(Kind::Holder, one, other))
}

/// Who did it: `Argentina` of `Argentina won the final`.
fn doer(mine: &Words, theirs: &Words, texts: [&str; 2]) -> Option<[Range<usize>; 2]> {
    let does = |words: &[Plain], text: &str| {
        let at = words.iter().position(|word| DOING.contains(&word.term))?;
        (at > 0 && text[words[at].end..].starts_with(" the ")).then_some(at)
    };
    let at = [does(&mine.all, texts[0])?, does(&theirs.all, texts[1])?];
    let (rest, their_rest) = (&mine.all[at[0]..], &theirs.all[at[1]..]);
    let is_same = rest.len() == their_rest.len() && common(rest, their_rest) == rest.len() && rest.len() > 1;
    let ranges = [0..mine.all[at[0] - 1].end, 0..theirs.all[at[1] - 1].end];
    (is_same && are_others(&ranges, texts)).then_some(ranges)
}

/// Who it was done by, or where somebody sits.
fn behind(mine: &Words, theirs: &Words, texts: [&str; 2]) -> Option<[Range<usize>; 2]> {
    let same = common(&mine.all, &theirs.all);
    if same == 0 || !mine.all[..same].iter().any(|word| word.is_content) {
        return None;
    }
    let ends = |words: &[Plain], text: &str, at: usize| {
        let start = words.get(at)?.end;
        let start = start + text[start..].len() - text[start..].trim_start().len();
        let rest = &text[start..];
        let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        Some(start..start + rest[..end].trim_end_matches(['.', '!', ' ']).len())
    };
    let is_by =
        same >= 2 && AGENT.contains(&mine.all[same - 1].term) && DONE_BY.contains(&mine.all[same - 2].term);
    if is_by {
        let ranges = [ends(&mine.all, texts[0], same - 1)?, ends(&theirs.all, texts[1], same - 1)?];
        return are_others(&ranges, texts).then_some(ranges);
    }
    // Both say so in the same words, or in others.
    let sits = |words: &[Plain]| {
        (1..=same).find_map(|at| {
            let phrase = SITTING.iter().find(|phrase| begin_with(&words[at..], phrase))?;
            Some((at, at + phrase.len() - 1))
        })
    };
    let [(from, at), (their_from, their_at)] = [sits(&mine.all)?, sits(&theirs.all)?];
    let ranges = [ends(&mine.all, texts[0], at)?, ends(&theirs.all, texts[1], their_at)?];
    let is_wide = |range: &Range<usize>, text: &str| {
        text[range.clone()].split(' ').any(|word| WIDE.contains(&word.to_lowercase().as_str()))
    };
    let are_places = !is_wide(&ranges[0], texts[0]) && !is_wide(&ranges[1], texts[1]);
    let is_one_time = mine.is_past(usize::MAX) == theirs.is_past(usize::MAX);
    (from == their_from && are_places && is_one_time && are_others(&ranges, texts)).then_some(ranges)
}

/// Whether two ranges name others that can't be the same.
fn are_others(ranges: &[Range<usize>; 2], texts: [&str; 2]) -> bool {
    let name = |at: usize| {
        let name = &texts[at][ranges[at].clone()];
        let name = name.strip_prefix("the ").or_else(|| name.strip_prefix("The ")).unwrap_or(name);
        let is_name =
            name.starts_with(char::is_uppercase) || name.len() < texts[at][ranges[at].clone()].len();
        if is_name { few_words(name) } else { None }
    };
    name(0).zip(name(1)).is_some_and(|(one, other)| one.difference(&other).is_some())
}

/// Another licence of the same: `is MIT`, `is licensed under Apache 2.0`.
fn licence(mine: &Words, theirs: &Words, texts: [&str; 2]) -> Option<[Range<usize>; 2]> {
    let same = common(&mine.all, &theirs.all);
    let from = mine.all[..same].iter().rposition(|word| word.is_content)? + 1;
    let named = |words: &[Plain], text: &str| {
        let words = words.get(from.min(same)..)?;
        let mut found = None;
        for word in words {
            let written = text[word.start..word.end].to_lowercase();
            let name = written.split(['-', 'v']).next().unwrap_or_default();
            if let Some(licence) = LICENCES.iter().find(|licence| **licence == name) {
                if found.is_some() {
                    return None;
                }
                found = Some((*licence, word.start..word.end));
            } else if !OF_LICENCES.contains(&written.as_str()) {
                return None;
            }
        }
        found
    };
    let [(one, range), (other, their_range)] = [named(&mine.all, texts[0])?, named(&theirs.all, texts[1])?];
    let are_so_now = mine.is_past(usize::MAX) == theirs.is_past(usize::MAX);
    (one != other && are_so_now).then_some([range, their_range])
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn one_did_it_and_sits_in_one_place() {
        for (one, other) in [
            ("Argentina won the final.", "France won the final."),
            ("The telephone was invented by Edison.", "The telephone was invented by Bell."),
            ("The report was written by Anna Schmidt.", "The report was written by Peter Kraus."),
            ("The film was directed by Jane Roe in 1999.", "The film was directed by John Doe."),
            ("Acme is headquartered in Oslo.", "Acme is based in Bergen."),
            ("Acme is headquartered in Oslo, Norway.", "Acme has its head office in Bergen."),
            ("The library is MIT.", "The library is licensed under Apache 2.0."),
            ("The library is MIT licensed.", "The library is released under the GPL licence."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Holder), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Holder), "{other} / {one}");
        }
    }

    #[test]
    fn others_did_it_at_other_times_or_as_well() {
        for (one, other) in [
            ("Argentina won the final.", "France lost the final."),
            ("Argentina won the final in 2022.", "France won the final in 2018."),
            ("Argentina won a medal.", "France won a medal."),
            ("Argentina won the final.", "France won the opening match."),
            ("Argentina won the final.", "The team of Argentina won the final."),
            ("The telephone was invented by Bell.", "The telephone was invented by Alexander Graham Bell."),
            ("The telephone was invented by Bell.", "The telephone was not invented by Edison."),
            (
                "The report was written by Anna Schmidt.",
                "The report was written by Anna Schmidt and Peter Kraus.",
            ),
            ("The report was written by Anna Schmidt.", "The summary was written by Peter Kraus."),
            ("The film was directed by Jane Roe in 1999.", "The film was directed by John Doe in 2019."),
            ("The app was designed by a team in Oslo.", "The app was designed by Acme."),
            ("Acme is based in Oslo.", "Globex is based in Bergen."),
            ("Acme is based in Oslo.", "Acme is headquartered in Norway."),
            ("Acme is based in Oslo.", "Acme was based in Bergen."),
            ("The sales team is based in Oslo.", "The support team is based in Bergen."),
            ("The library is MIT.", "The library is licensed under MIT or Apache 2.0."),
            ("The library is MIT licensed.", "The docs are licensed under Apache 2.0."),
            ("**Licensing:** MIT", "**Licensing:** Apache 2.0"),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
