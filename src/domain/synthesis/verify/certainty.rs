//! What a source says with care, said for certain: `may become cheaper` as `is cheaper`, `critics claim that` left out, a
//! condition dropped, a proposal told as done.
//!
//! A word that weakens has a *scope*: its clause, what it introduces, or what its condition stands beside. Where a claim takes
//! over most of the scope, it must weaken it too, with whatever word.

use std::ops::Range;

use self::asked::{asked, asking, is_to_do};
use self::coming::{is_told_as_done, verbs_to_come};
use self::conditions::{condition, is_met, supposed};
use self::taken::{is_past, left_out_often, shares};
use self::words::{ALSO, ATTRIBUTING, CHINESE, IN_LANGUAGES, Kind, NO_CONDITIONS, OF_KIND, THINGS, WORDS};
use super::scope::{clauses, is_taken, tokens};
use crate::domain::near_duplicates::Features;

mod asked;
mod coming;
mod conditions;
mod meant;
mod taken;
mod words;

/// The word of a sentence in a language that weakens what a claim says of it for certain; `whole` is the sentence that the claim is
/// a part of, which may say who holds it.
pub(super) fn raised<'s>(
    (claim, whole): (&Features<'_>, &str),
    said: &Features<'s>,
    language: &str,
) -> Option<&'s str> {
    let meant = meant::told_as_done(claim.text, said.text, language)
        .filter(|_| !weakens(whole, said.text, Kind::Planned, language));
    if let Some(range) = meant.or_else(|| left_out_often((claim, whole), said)) {
        return Some(&said.text[range]);
    }
    let weakening = weakening(said.text, language);
    if weakening.is_empty() {
        return None; // the usual case, for which nothing is divided
    }
    let conditions = weakening.iter().filter(|(kind, _)| *kind == Kind::Condition);
    let conditions: Vec<String> =
        conditions.map(|(_, range)| said.text[range.clone()].to_lowercase()).collect();
    let is_condition = |word: &str| conditions.iter().any(|condition| condition == word);
    let parts = clauses(said.text, is_condition);
    let left = weakening.into_iter().find(|(kind, range)| {
        let taken = |scope: &Range<usize>| is_taken(claim, said, scope);
        scope(said.text, &parts, *kind, range)
            .is_some_and(|scope| taken(&scope) || (*kind == Kind::Denied && shares(claim, said, &scope)))
            && !keeps((claim, whole), said, (*kind, range), language)
            // A condition that is told in other words is told, but for one that is told as met.
            && !(*kind == Kind::Condition
                && condition(said.text, &parts, range)
                    .is_some_and(|part| taken(&part) && !is_met(claim.text, &said.text[part])))
    });
    left.map(|(_, range)| &said.text[range])
}

/// Whether a claim, or the sentence that it is a part of, says no more than what stands behind a word of a kind.
fn keeps(
    (claim, whole): (&Features<'_>, &str),
    said: &Features<'_>,
    (kind, hedge): (Kind, &Range<usize>),
    language: &str,
) -> bool {
    let weakens = |claim: &str, said: &str, kind: Kind| weakens(claim, said, kind, language);
    match kind {
        Kind::Coming => {
            weakens(claim.text, said.text, kind)
                || !(is_past(claim.text, &said.text[hedge.end..])
                    || is_told_as_done(claim.text, said.text, hedge))
        }
        Kind::Able => weakens(claim.text, said.text, kind) || is_open(claim.text, &said.text[hedge.end..]),
        Kind::Possible | Kind::Due | Kind::Rare | Kind::Almost | Kind::Linked => {
            weakens(claim.text, said.text, kind)
        }
        // What follows a `may` may be told without its condition, but for one that comes first, or excepts.
        Kind::Condition if hedge.start > 0 && !is_word(said.text, hedge, "unless") => {
            weakens(whole, said.text, kind)
                || weakens(whole, said.text, Kind::Open)
                || may_be(whole, language)
        }
        Kind::Asked => weakens(whole, said.text, kind) || is_to_do(whole),
        Kind::Condition | Kind::Held | Kind::Denied | Kind::Open | Kind::Planned | Kind::Undone => {
            weakens(whole, said.text, kind)
        }
    }
}

/// The words of a sentence in a language that weaken it.
fn weakening(text: &str, language: &str) -> Vec<(Kind, Range<usize>)> {
    let words: Vec<(Range<usize>, String)> = tokens(text).collect();
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate() {
        let listed = |entry: &&str| is_listed(entry, text, &words, at);
        let before = at.checked_sub(1).map(|before| words[before].1.as_str());
        let next = words.get(at + 1).map(|(_, next)| next.as_str());
        let kind = WORDS.iter().find(|(_, entries)| entries.iter().any(listed));
        // May the month; `even if` makes no condition, `as expected` nothing uncertain, `a few` are some, `cannot` isn't able to.
        let harmless = match (word.as_str(), before, next) {
            ("may", ..) => &text[range.clone()] == "May",
            (
                "few",
                Some("a" | "past" | "last" | "next" | "first" | "these" | "those" | "the" | "quite"),
                _,
            ) => true,
            ("can", _, Some("not")) | ("whether", _, Some("or")) | ("whether", Some("of"), _) => true,
            // Who was able to did.
            ("able", Some("was" | "were"), _) => true,
            ("evidence" | "proof", before, _) => !matches!(before, Some("no" | "little" | "without")),
            ("short", before, next) => {
                before.is_none_or(|word| !word.starts_with("stop")) || next != Some("of")
            }
            (_, Some("even" | "as"), _) => true,
            _ => false,
        };
        found.extend(kind.filter(|_| !harmless).map(|(kind, _)| (*kind, range.clone())));
    }
    for (kind, entries) in CHINESE {
        let places = entries.iter().flat_map(|entry| text.match_indices(entry));
        found.extend(places.map(|(at, entry)| (*kind, at..at + entry.len())));
    }
    for (_, word, kind) in IN_LANGUAGES.iter().filter(|(of, ..)| *of == language) {
        let places =
            (0..words.len()).filter(|at| words[*at].1 == *word && is_joint(text, &words, *at, language));
        found.extend(places.map(|at| (*kind, words[at].0.clone())));
    }
    let asks = words.iter().filter(|(_, word)| asking(language).contains(&word.as_str()));
    found.extend(asks.map(|(range, _)| (Kind::Asked, range.clone())));
    found.extend(verbs_to_come(text, language).map(|range| (Kind::Coming, range)));
    if language == "Korean" {
        let supposes =
            words.iter().filter(|(_, word)| word.ends_with('면') && !NO_CONDITIONS.contains(&word.as_str()));
        found.extend(supposes.map(|(range, _)| (Kind::Condition, range.clone())));
    }
    found
}

/// The Portuguese `se` stands before a verb where it only points back.
fn is_joint(text: &str, words: &[(Range<usize>, String)], at: usize, language: &str) -> bool {
    const SUBJECTS: &[&str] =
        &["o", "a", "os", "as", "um", "uma", "não", "ele", "ela", "eles", "elas", "houver", "for"];
    let begins = text[..words[at].0.start].trim_end().is_empty();
    let next = words.get(at + 1).map_or("", |(_, next)| next.as_str());
    language != "Portuguese" || begins || SUBJECTS.contains(&next)
}

/// Whether a word is an entry of the list, and stands as that asks for.
fn is_listed(entry: &str, text: &str, words: &[(Range<usize>, String)], at: usize) -> bool {
    const NEAR: usize = 5;
    const ASKED_NEAR: usize = 7;
    let word = words[at].1.as_str();
    let bare = entry.trim_end_matches(['+', '~', '>', '#', '^']);
    let next = || words.get(at + 1).map(|(_, next)| next.as_str());
    bare == word
        && match entry.as_bytes()[entry.len() - 1] {
            b'+' => matches!(next(), Some("to" | "that" | "que" | "che")),
            b'^' => words[at + 1..].iter().take(ASKED_NEAR).any(|(range, word)| {
                word == "to" && !text[words[at].0.end..range.start].contains([',', ';', ':'])
            }),
            b'>' => next().is_some_and(|next| next.ends_with("ing")),
            b'#' => text[words[at].0.end..].trim_start().starts_with(|c: char| c.is_ascii_digit()),
            b'~' => {
                let near = words[..at].iter().chain(words[at..].iter().take(NEAR));
                near.into_iter().any(|(_, word)| matches!(word.as_str(), "that" | "whether"))
            }
            _ => true,
        }
}

/// Whether a claim leaves something open in a way that does for `kind`.
fn weakens(claim: &str, said: &str, kind: Kind, language: &str) -> bool {
    let own = OF_KIND.iter().find(|(of, _)| *of == kind).map(|(_, words)| *words);
    let lists = |listed: &[&str], word: &str| {
        listed
            .iter()
            .any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
    };
    let does = |found: Kind| match kind {
        Kind::Possible => !matches!(found, Kind::Condition | Kind::Coming | Kind::Rare | Kind::Almost),
        Kind::Held => !matches!(found, Kind::Coming | Kind::Rare | Kind::Almost),
        Kind::Planned => !matches!(found, Kind::Rare | Kind::Almost),
        Kind::Undone => matches!(found, Kind::Undone | Kind::Planned),
        Kind::Open => matches!(found, Kind::Open | Kind::Denied | Kind::Held),
        Kind::Due => matches!(found, Kind::Due | Kind::Possible | Kind::Planned | Kind::Asked),
        Kind::Asked => {
            matches!(
                found,
                Kind::Asked | Kind::Due | Kind::Planned | Kind::Possible | Kind::Able | Kind::Coming
            )
        }
        Kind::Able => matches!(found, Kind::Able | Kind::Possible),
        Kind::Coming => matches!(found, Kind::Coming | Kind::Planned | Kind::Possible),
        Kind::Condition | Kind::Denied | Kind::Rare | Kind::Almost | Kind::Linked => found == kind,
    };
    let future = |word: &str| word == "will" || word.starts_with("say") || word == "said";
    // What is spoken of keeps nothing open: `under the plan`.
    let is_thing = |word: &str| THINGS.contains(&word) && tokens(said).any(|(_, other)| other == word);
    // What the sentence has beside its `may` can't stand for it: who says so, that it goes together.
    let beside: Vec<String> = tokens(said).map(|(_, word)| word).collect();
    // What somebody said that would be so is told as his word.
    let is_reported = beside.iter().any(|word| word == "would");
    let is_beside = |word: &str| !is_reported && beside.iter().any(|other| other == word);
    let says_who = !is_reported && beside.iter().any(|word| lists(ATTRIBUTING, word));
    let who_says = |word: &str| says_who && lists(ATTRIBUTING, word);
    let stands_for = |found: Kind, range: &Range<usize>| {
        let word = claim[range.clone()].to_lowercase();
        kind != Kind::Possible
            || matches!(found, Kind::Possible | Kind::Able)
            || !(is_beside(&word) || who_says(&word))
    };
    let mut before = String::new();
    let mut words = tokens(claim).filter(|(_, word)| std::mem::replace(&mut before, word.clone()) != "as");
    let also = |word: &str| match kind {
        Kind::Possible => {
            lists(ALSO, word) && !future(word) && !is_thing(word) && !is_beside(word) && !who_says(word)
        }
        Kind::Held | Kind::Planned => lists(ALSO, word) && !is_thing(word),
        Kind::Able
        | Kind::Due
        | Kind::Coming
        | Kind::Condition
        | Kind::Denied
        | Kind::Open
        | Kind::Undone
        | Kind::Asked
        | Kind::Rare
        | Kind::Linked
        | Kind::Almost => own.is_some_and(|own| lists(own, word)),
    };
    weakening(claim, language).iter().any(|(found, range)| does(*found) && stands_for(*found, range))
        || words.any(|(_, word)| also(&word))
        || (kind == Kind::Almost && claim.contains(['~', '≈', '约', '近']))
}

/// What a weakening word speaks of, of a text in its clauses.
fn scope(text: &str, parts: &[Range<usize>], kind: Kind, hedge: &Range<usize>) -> Option<Range<usize>> {
    const NEXT_WORDS: usize = 2;
    let own = parts.iter().position(|part| part.contains(&hedge.start))?;
    let to_stop = || hedge.end..text[hedge.end..].find(';').map_or(text.len(), |at| hedge.end + at);
    match kind {
        Kind::Possible | Kind::Able | Kind::Due | Kind::Coming | Kind::Rare | Kind::Linked => {
            Some(parts[own].clone())
        }
        Kind::Condition => supposed(text, parts, own, hedge),
        Kind::Denied if is_behind(text, hedge) => Some(0..hedge.start),
        Kind::Held | Kind::Denied | Kind::Open => Some(to_stop()),
        Kind::Asked => Some(asked(text, parts, own, hedge)),
        Kind::Planned | Kind::Undone => Some(hedge.end..parts[own].end.max(hedge.end)),
        Kind::Almost => {
            let mut words = text[hedge.end..].match_indices(' ').map(|(at, _)| at).filter(|at| *at > 0);
            let end = words.nth(NEXT_WORDS - 1).map_or(text.len(), |at| hedge.end + at);
            Some(hedge.end..end)
        }
    }
}

/// Whether a claim says that something may be so.
fn may_be(claim: &str, language: &str) -> bool {
    let open = |kind: Kind| matches!(kind, Kind::Possible | Kind::Able | Kind::Held | Kind::Planned);
    weakening(claim, language).into_iter().any(|(kind, _)| open(kind))
}

fn is_word(text: &str, range: &Range<usize>, word: &str) -> bool {
    text[range.clone()].eq_ignore_ascii_case(word)
}

/// Whether a claim has the verb that follows `can` as one that somebody is to do: `to request`.
fn is_open(claim: &str, behind: &str) -> bool {
    let Some((_, verb)) = tokens(behind).next() else { return false };
    let words: Vec<String> = tokens(claim).map(|(_, word)| word).collect();
    words.windows(2).any(|two| two[0] == "to" && two[1] == verb)
}

/// Whether what a word denies stands before it: `the claim that … was retracted`.
fn is_behind(text: &str, hedge: &Range<usize>) -> bool {
    const BEING: &[&str] = &["was", "were", "is", "are", "been", "wurde", "wird", "était", "fue"];
    let before = tokens(&text[..hedge.start]).last();
    before.is_some_and(|(_, word)| BEING.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::language::told;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn what_is_weakened_stays_so() {
        let mut lexicon = Lexicon::default();
        for (claim, said, expected) in [
            ("Sodium cells are cheaper by 2030", "Sodium cells may become cheaper by 2030", Some("may")),
            (
                "Sodium cells will become cheaper by 2030",
                "Sodium cells may become cheaper by 2030",
                Some("may"),
            ),
            ("Sodium cells could be cheaper by 2030", "Sodium cells may become cheaper by 2030", None),
            ("The firm is bankrupt", "Critics claim that the firm is bankrupt", Some("claim")),
            ("The firm is bankrupt, critics say", "Critics claim that the firm is bankrupt", None),
            ("The firm dumped waste", "The firm denies that it dumped waste", Some("denies")),
            ("Storage pays off", "Storage pays off if demand grows", Some("if")),
            ("Storage pays off", "If demand grows, storage pays off", Some("If")),
            ("Costs fell by 89%", "Costs fell by 89%, and storage pays off if demand grows", None),
            ("Costs fell by 89%", "Costs fell by 89% and may fall further", None),
            ("Insurance claims rose", "Insurance claims rose", None),
            ("The law was passed on 5 May", "The law was passed on 5 May", None),
            ("The agency ends the exemption", "The agency proposes to end the exemption", Some("proposes")),
            ("钠电池更便宜", "钠电池可能更便宜", Some("可能")),
            ("Der Preis sinkt", "Der Preis könnte sinken", Some("könnte")),
        ] {
            let (claim, said) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(
                raised((&claim, claim.text), &said, told(said.text)),
                expected,
                "{} / {}",
                claim.text,
                said.text
            );
        }
    }
}
