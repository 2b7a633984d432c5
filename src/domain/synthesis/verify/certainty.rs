//! What a source says with care, said for certain: `may become cheaper` as `is cheaper`, `critics claim that` left out, a
//! condition dropped, a proposal told as done.
//!
//! A word that weakens has a *scope*: its clause, what it introduces, or what its condition stands beside. Where a claim takes
//! over most of the scope, it must weaken it too, with whatever word.

use std::ops::Range;

use super::scope::{clauses, is_taken, tokens};
use crate::domain::aggregate::near_duplicates::Features;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It may be so.
    Possible,
    /// It is so if something else is.
    Condition,
    /// Somebody holds it to be so, or not.
    Held,
    /// Somebody wants it to be so.
    Planned,
}

/// Words, by how they begin; those with `+` only before `to` or `that`.
#[rustfmt::skip]
const WORDS: &[(Kind, &[&str])] = &[
    (Kind::Possible, &[
        "may", "might", "could", "would", "possibly", "perhaps", "potentially", "maybe", "likely", "probably", "apparently",
        "allegedly", "reportedly", "supposedly", "presumably", "expected", "forecast", "projected", "predicted",
        "könnte", "könnten", "möglicherweise", "vielleicht", "wahrscheinlich", "voraussichtlich", "dürfte", "dürften", "angeblich",
        "pourrait", "pourraient", "peut-être", "probablement", "podría", "podrían", "quizás", "probablemente", "posiblemente", "supuestamente",
    ]),
    (Kind::Condition, &["if", "unless", "provided+", "assuming", "wenn", "sofern", "si"]),
    (Kind::Held, &[
        "allege", "alleges", "alleged", "alleging", "claim+", "claims+", "claimed+", "claiming+", "deny", "denies", "denied", "denying",
        "doubt", "doubts", "doubted", "believe", "believes", "believed", "suspect", "suspects", "suspected", "argue", "argues", "argued",
        "assume", "assumes", "assumed", "hope+", "hopes+", "hoped+", "fear+", "fears+", "feared+", "think+", "thinks+", "rumoured", "rumored", "speculate", "speculates",
        "behauptet", "behaupten", "bestreitet", "bestreiten", "vermutet", "vermuten", "prétend", "prétendent",
    ]),
    (Kind::Planned, &[
        "propose", "proposes", "proposed", "proposing", "plan+", "plans+", "planned+", "planning+", "intend", "intends", "intended", "aim+", "aims+",
        "considers", "considering", "seeks+", "seek+", "wants+", "want+", "threatens", "threatened", "pledged", "pledges", "promises", "promised",
        "beabsichtigt", "envisage", "propone", "proponen", "planea",
    ]),
];
/// The same in Chinese and Japanese.
const CHINESE: &[(Kind, &[&str])] = &[
    (Kind::Possible, &["可能", "或许", "也许", "或将", "预计", "有望", "据称", "かもしれない"]),
    (Kind::Condition, &["如果", "假如", "倘若"]),
    (Kind::Held, &["声称", "否认", "据传"]),
    (Kind::Planned, &["计划", "提议", "打算", "拟于"]),
];
/// Other words with which a claim leaves open what it says, or says who holds it; `*` stands for any ending.
#[rustfmt::skip]
const ALSO: &[&str] = &[
    "according", "accus*", "aim", "aims", "alleg*", "ambition*", "anticipat*", "appear", "appears", "argu*", "assum*", "belie*", "can", "chance*", "claim*",
    "condition*", "consider*", "critic*", "deni*", "deny*", "depend*", "doubt*", "estimat*", "expect*", "fear*", "forecast*", "hope*", "intend*", "intention*", "likel*",
    "once", "oppos*", "opinion*", "outlook*", "plan", "plans", "planned", "planning", "pledg*", "possib*", "potential*", "predict*", "projected", "projection*", "promis*", "propos*",
    "provided", "reported", "reportedly", "reports", "risk*", "rumo*", "said", "say", "says", "scenario*", "seek*", "seem", "seems", "should", "speculat*", "stated", "suggest*",
    "suppos*", "suspect*", "tentative*", "think*", "threat*", "want*", "warn*", "will", "when", "whether", "uncertain*",
    "laut", "zufolge", "soll", "sollen", "plant", "geplant*", "selon", "devrait*", "según",
];

/// The word of a sentence that weakens what a claim says of it for certain; `whole` is the sentence that the claim is a part
/// of, which may say who holds it.
pub(super) fn raised<'s>(claim: &Features<'_>, whole: &str, said: &Features<'s>) -> Option<&'s str> {
    let weakening = weakening(said.text);
    if weakening.is_empty() {
        return None; // the usual case, for which nothing is divided
    }
    let is_condition =
        |word: &str| WORDS.iter().any(|(kind, entries)| *kind == Kind::Condition && entries.contains(&word));
    let parts = clauses(said.text, is_condition);
    let hedges = weakening.into_iter().filter(|(kind, range)| {
        scope(said.text, &parts, *kind, range).is_some_and(|scope| is_taken(claim, said, &scope))
    });
    let mut left = hedges.filter(|(kind, _)| {
        let weakening = if *kind == Kind::Possible { claim.text } else { whole };
        !weakens(weakening, *kind)
    });
    left.next().map(|(_, range)| &said.text[range])
}

/// The words of a sentence that weaken it.
fn weakening(text: &str) -> Vec<(Kind, Range<usize>)> {
    let words: Vec<(Range<usize>, String)> = tokens(text).collect();
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map(|(_, next)| next.as_str());
        let before = at.checked_sub(1).map(|before| words[before].1.as_str());
        let introduces = matches!(next, Some("to" | "that"));
        let listed = |entry: &&str| match entry.strip_suffix('+') {
            Some(entry) => entry == word && introduces,
            None => entry == word,
        };
        // May the month; `even if` makes no condition, `as expected` nothing uncertain.
        let harmless = &text[range.clone()] == "May" || matches!(before, Some("even" | "as"));
        let kind = WORDS.iter().find(|(_, entries)| entries.iter().any(listed));
        found.extend(kind.filter(|_| !harmless).map(|(kind, _)| (*kind, range.clone())));
    }
    for (kind, entries) in CHINESE {
        let places = entries.iter().flat_map(|entry| text.match_indices(entry));
        found.extend(places.map(|(at, entry)| (*kind, at..at + entry.len())));
    }
    found
}

/// Whether a claim leaves something open in a way that does for `kind`.
fn weakens(claim: &str, kind: Kind) -> bool {
    let does = |found: Kind| match kind {
        Kind::Possible => found != Kind::Condition,
        Kind::Condition => found != Kind::Planned,
        Kind::Held | Kind::Planned => true,
    };
    let also = |word: &str| {
        ALSO.iter().any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
    };
    let future = |word: &str| word == "will" || word.starts_with("say") || word == "said";
    let mut before = String::new();
    let mut words = tokens(claim).filter(|(_, word)| std::mem::replace(&mut before, word.clone()) != "as");
    weakening(claim).into_iter().any(|(found, _)| does(found))
        || words.any(|(_, word)| also(&word) && !(kind == Kind::Possible && future(&word)))
}

/// What a weakening word speaks of, of a text in its clauses.
fn scope(text: &str, parts: &[Range<usize>], kind: Kind, hedge: &Range<usize>) -> Option<Range<usize>> {
    let own = parts.iter().position(|part| part.contains(&hedge.start))?;
    let says = |part: &&Range<usize>| text[(*part).clone()].split_whitespace().count() > 1;
    match kind {
        Kind::Possible => Some(parts[own].clone()),
        Kind::Condition => {
            let before = parts[..own].iter().rfind(says);
            before.or_else(|| parts[own + 1..].iter().find(says)).cloned()
        }
        Kind::Held => Some(hedge.end..text[hedge.end..].find(';').map_or(text.len(), |at| hedge.end + at)),
        Kind::Planned => Some(hedge.end..parts[own].end.max(hedge.end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            assert_eq!(raised(&claim, claim.text, &said), expected, "{} / {}", claim.text, said.text);
        }
    }
}
