//! Whether a heading says what the sentences below it are about: `Free plan`, not `Answer`, `Summary` or `Report A`.

use super::named::without_number;
use super::own::{Own, own};
use super::sources::without_sources;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};
use std::sync::LazyLock;

/// What a heading is made of that says which part of an answer follows, and nothing of what it is about.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "answer", "result", "summary", "overview", "conclusion", "finding", "key", "main", "detail", "introduction", "background", "report", "analysis", "discussion", "note", "fact", "takeaway", "highlight",
    "executive", "general", "information", "abstract", "response", "reply", "short", "brief", "quick", "direct", "tldr", "tl", "dr", "synopsis", "verdict", "insight", "observation", "context", "evidence",
];
/// What may be numbered or lettered: `Report A`.
const NUMBERED: &[&str] = &["report", "answer", "result", "response", "reply", "summary", "finding"];
/// What a sentence with a price says anyway.
const PRICES: &[&str] = &["cost", "price", "pricing", "fee"];

/// The same of which part it is, where a sentence says what it is about: no audience, no stage that has a price of its own.
#[rustfmt::skip]
const SECTIONS: &[&str] = &[
    "timeline", "chronology", "sequence", "impact", "duration", "history", "safety", "side", "effect", "efficacy", "effectiveness", "tolerability", "business", "financials", "performance", "requirement",
    "legal", "situation", "route", "season", "risk", "recommendation", "root", "cause", "happened", "happens", "status", "feature", "limitation", "compatibility", "outlook", "rating", "leverage", "profile",
    "construction", "design", "dimension", "specification", "specs", "location", "getting", "founding", "origin", "ownership", "governance", "leadership", "reception", "assessment", "evaluation", "outcome", "event",
    "incident", "outage", "number", "statistic", "figure", "data", "glance", "esg", "consequence", "response", "implication", "benefit", "drawback", "reliability", "scope", "composition", "structure", "current", "state",
    "geschichte", "auswirkung", "auswirkungen", "hintergrund", "risiken", "eckdaten", "zahlen", "fakten", "unternehmen", "überblick", "ablauf", "ursache", "dauer", "ergebnis", "bewertung", "fazit",
    "historique", "contexte", "risques", "chronologie", "bilan", "causes", "historia", "contexto", "riesgos", "cronología", "causas", "resumen", "datos",
];

/// What a word of a heading is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Part,
    Numbered,
    Price,
    Section,
}

static LISTED: LazyLock<KnownTerms<Listed>> = LazyLock::new(|| {
    let all = |words: &'static [&'static str], as_what| words.iter().map(move |word| (*word, as_what));
    let listed = all(PARTS, Listed::Part).chain(all(PRICES, Listed::Price));
    let listed = listed.chain(all(SECTIONS, Listed::Section));
    terms::table(listed.chain(all(NUMBERED, Listed::Numbered))).into()
});

/// Whether nothing in two statements' headings says that they are about different things: they are the same, or one of them says
/// nothing of what its sentence is about.
pub(in crate::domain::synthesis) fn are_headed_alike(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
) -> bool {
    if a.heading.is_empty() || b.heading.is_empty() || a.heading == b.heading {
        return true;
    }
    let mut lexicon = Lexicon::default();
    let least = own(one).min(own(other));
    let mine = tells(a.heading, one, least, &mut lexicon);
    let theirs = tells(b.heading, other, least, &mut lexicon);
    // What says `The limit is …` may be about what either of them names.
    if least == Own::Nothing { !mine && !theirs } else { !mine || !theirs }
}

/// Whether a heading says what a sentence below it is about. Where the sentence says that itself, its own words in the heading tell
/// nothing, and neither does the name of a source.
fn tells(heading: &str, of: &Features<'_>, own: Own, lexicon: &mut Lexicon) -> bool {
    let line = without_sources(without_number(heading), own);
    let words = lexicon.words(&line);
    let mut before: Option<Listed> = None;
    words.iter().filter(|word| word.kind != Kind::Stopword || is_letter(&line, word)).any(|word| {
        let listed = LISTED.get(word.term).copied();
        let was = std::mem::replace(&mut before, listed);
        let says_nothing = match listed {
            Some(Listed::Part | Listed::Numbered) => true,
            Some(Listed::Price | Listed::Section) if own > Own::Nothing => true,
            Some(Listed::Price | Listed::Section) | None => {
                was == Some(Listed::Numbered) && is_letter(&line, word)
                    || own > Own::Nothing && has(of, word.term)
            }
        };
        !says_nothing
    })
}

/// The words of a heading that say what follows is about, not only which part of an answer it is.
pub(super) fn telling(line: &str, words: Vec<Word>) -> Vec<Word> {
    let mut before: Option<Listed> = None;
    let tells = |word: &Word| {
        let listed = LISTED.get(word.term).copied();
        let was = std::mem::replace(&mut before, listed);
        let is_of_part = was == Some(Listed::Numbered) && is_letter(line, word);
        !is_of_part && !matches!(listed, Some(Listed::Part | Listed::Numbered))
    };
    let said = words.into_iter().filter(|word| word.kind != Kind::Stopword || is_letter(line, word));
    said.filter(tells).collect()
}

/// Whether a word of a heading only says which part of an answer follows, or of a report on anything.
pub(super) fn is_section(word: Term) -> bool {
    LISTED.get(word).is_some()
}

fn has(of: &Features<'_>, term: Term) -> bool {
    of.words.iter().any(|word| word.term == term)
}

/// `A`, `1`.
fn is_letter(line: &str, word: &Word) -> bool {
    let written = &line[word.range()];
    written.len() == 1 && written.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::tests::read;

    fn alike(said: &str, [one, other]: [&str; 2]) -> bool {
        let under = |heading: &str, agent| read(&*format!("## {heading}\n\n{said}").leak(), agent).remove(0);
        let (a, b) = (under(one, "a"), under(other, "b"));
        let mut reader = Reader::default();
        let (one, other) = (reader.read(a.text), reader.read(b.text));
        are_headed_alike((&a, &one), (&b, &other))
    }

    #[test]
    fn what_says_only_which_part_of_an_answer_follows_is_no_subject() {
        let licence = "The licence costs 40 euros a month.";
        for headings in [
            ["Answer", "Result"],
            ["Pricing", "Overview"],
            ["Costs", "Prices"],
            ["Report A", "Report B"],
            ["1. Executive Summary", "Key findings"],
            ["Answer", "Students"],
            ["Licence costs", "Licence price"],
            ["Timeline", "Impact"],
            ["Financials", "Profile"],
        ] {
            assert!(alike(licence, headings), "{headings:?}");
        }
        assert!(alike("The bridge opened on 12 May 2019.", ["Bridge opening", "The bridge"]));
        for headings in [
            ["Students", "Companies"],
            ["Free plan", "Paid plan"],
            ["Plan A", "Plan B"],
            ["Germany", "France"],
        ] {
            assert!(!alike(licence, headings), "{headings:?}");
        }
        for said in ["The price is 40 euros.", "It costs 40 euros a month."] {
            assert!(!alike(said, ["Costs", "Prices"]) && !alike(said, ["Answer", "Students"]), "{said}");
            assert!(alike(said, ["Answer", "Summary"]), "{said}");
        }
        assert!(alike("Acme's revenue was $5 million.", ["Reuters", "Bloomberg"]));
        assert!(!alike("Its revenue was $5 million.", ["Reuters", "Bloomberg"]));
    }
}
