//! What somebody was to do, told as done: `agreed to buy`, `is set to open`, `tends to lower` as `bought`, `opened`, `lowers`.
//!
//! A verb behind `to` says that it was done only where the word before says so (`managed to`, `helped to`). What else leads to it leaves it
//! open, whatever the word is: no list of plans, offers and hopes would be long enough.

use super::scope::tokens;
use crate::domain::synthesis::contradictions::plain::base_of;

/// Words before `to` that say that it was done, or that there was no choice.
#[rustfmt::skip]
const DOING: &[&str] = &[
    "able", "about", "according", "addition", "began", "begin", "begins", "begun", "came", "cause", "caused", "causes", "come", "comes", "compared", "continue", "continued", "continues", "due", "enough", "first", "force", "forced", "forces", "get", "gets", "go", "goes", "going",
    "got", "grew", "had", "happened", "has", "have", "help", "helped", "helping", "helps", "known", "last", "lead", "leads", "led", "likes", "manage", "managed", "manages", "next", "only", "proceeded", "prior", "proved", "prompted", "second", "stand", "stands", "start", "started", "starts",
    "thanks", "turned", "up", "use", "used", "uses", "went", "woman", "man", "person", "one", "company", "country", "city", "needs", "need", "refers", "relates", "close", "similar", "made", "ability", "power", "left", "moved", "merged", "united", "rose", "returned", "joined", "quit", "resigned", "combined", "together", "chose", "opted", "dared", "bothered", "remembered", "returns", "moves", "leaves", "works", "work", "worked", "serve", "serves", "served",
];
/// Words that lead to what was then done, with whom it was done by between: `forced the plant to close`; `*` stands for any ending.
#[rustfmt::skip]
const LEADING: &[&str] = &["forc*", "caus*", "led", "lead", "leads", "leading", "prompt*", "help*", "persuad*", "convinc*", "compel*", "enabl*", "got", "gets", "drove", "driv*", "push*", "inspir*", "triggered", "made", "first", "second", "third", "last", "only", "next", "youngest", "oldest", "uses", "used", "use", "using"];
/// Words between these and `to`.
const LEADING_MAX: usize = 6;
/// Words before a verb that leave it open.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "to", "will", "would", "might", "can", "could", "should", "must", "shall", "won't", "not", "don't", "didn't", "doesn't", "cannot", "can't", "be", "never", "possibly", "probably", "likely",
];
/// Words with which a claim leaves it open, wherever they stand; `*` stands for any ending.
#[rustfmt::skip]
const LEAVING: &[&str] = &[
    "agree*", "aim", "aims", "aimed", "allegedly", "appear*", "apparently", "attempt*", "bid", "consider*", "deal", "decided", "decision", "design*", "effort*", "expect*", "goal*", "hope*", "hoping", "if", "intend*", "intention*", "likely", "might", "could", "would", "offer*", "plan", "plans", "planned", "planning", "propos*", "purpose*", "report*", "said",
    "says", "scheduled", "seem*", "seek*", "sought", "suggest*", "tend", "tends", "tended", "tendency", "thought", "threat*", "tried", "try", "tries", "trying", "voted", "votes", "vote", "want*", "will", "wish*", "according", "can", "should", "must", "need*", "requir*", "ask*", "order*", "told", "urge*", "fail*", "refus*", "believe*", "estimate*", "forecast*", "predict*", "projected", "potential*", "possib*", "supposed*", "meant", "called", "calls",
];
/// Words behind `to` that are no verb, or begin none.
const NO_VERBS: &[&str] = &[
    "the", "a", "an", "its", "his", "her", "their", "this", "that", "these", "those", "be", "have", "do",
    "one", "all", "both", "each", "date", "me", "us", "them", "him", "it", "and", "or",
];
/// Verbs whose past is their base.
const SAME: &[&str] = &["cut", "hit", "put", "set", "let", "shut", "quit", "spread", "cost", "split"];
/// Letters of a verb.
const VERB_MIN: usize = 3;

/// The words with which a text leaves open what a claim tells as done.
pub(super) fn told_as_done<'s>(claim: &str, said: &'s str) -> Option<&'s str> {
    let theirs: Vec<_> = tokens(said).collect();
    if !theirs.iter().any(|(_, word)| word == "to") {
        return None;
    }
    let mine: Vec<String> = tokens(claim).map(|(_, word)| word).collect();
    let leaves = |word: &String| {
        LEAVING
            .iter()
            .any(|entry| entry.strip_suffix('*').map_or(entry == word, |stem| word.starts_with(stem)))
    };
    if mine.iter().any(leaves) {
        return None;
    }
    (1..theirs.len().saturating_sub(1)).filter(|at| theirs[*at].1 == "to").find_map(|at| {
        let before = theirs[at - 1].1.as_str();
        let passive = theirs[at + 1].1 == "be";
        let verb = theirs.get(at + 1 + usize::from(passive))?;
        let is_verb = said[verb.0.start..].starts_with(char::is_lowercase)
            && verb.1.len() >= VERB_MIN
            && !NO_VERBS.contains(&verb.1.as_str())
            && !verb.1.ends_with("ing")
            && !verb.1.ends_with("ly");
        let led = theirs[..at].iter().rev().take(LEADING_MAX).any(|(_, word)| {
            LEADING
                .iter()
                .any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
        });
        if !is_verb
            || led
            || DOING.contains(&before)
            || said[theirs[at - 1].0.end..theirs[at].0.start] != *" "
        {
            return None;
        }
        let is_form = |word: &str| is_form_of(word, &verb.1);
        // Elsewhere it may be told as done.
        let told = (0..theirs.len()).filter(|other| is_form(&theirs[*other].1)).count();
        let done = (0..mine.len()).any(|other| {
            let open = mine[..other].iter().rev().take(2).any(|word| OPEN.contains(&word.as_str()));
            // As it stands behind `to` it may be a noun.
            let is_finite = mine[other] != verb.1 || SAME.contains(&verb.1.as_str());
            is_form(&mine[other]) && is_finite && !open
        });
        (told == 1 && done).then(|| &said[theirs[at - 1].0.start..verb.0.end])
    })
}

/// Whether a word is a finite form of a verb, or its participle.
fn is_form_of(word: &str, verb: &str) -> bool {
    let base = base_of(verb);
    if word == verb || base_of(word) == base {
        return true;
    }
    let stem = base.strip_suffix('e').or_else(|| base.strip_suffix('y')).unwrap_or(base);
    let Some(ending) = word.strip_prefix(stem) else { return false };
    let doubled = stem.chars().next_back().map(|last| format!("{last}ed"));
    matches!(ending, "s" | "es" | "ed" | "ied" | "ies" | "d") || doubled.is_some_and(|ed| ed == ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_to_be_done_is_no_deed() {
        for (claim, said, expected) in [
            ("Northwind bought Lumen in May.", "Northwind agreed in May to buy Lumen.", Some("May to buy")),
            ("Acme opened a plant in Leeds.", "Acme is set to open a plant in Leeds.", Some("set to open")),
            ("The pill lowers pressure.", "The pill tends to lower pressure.", Some("tends to lower")),
            ("Acme managed to sell the unit.", "Acme managed to sell the unit.", None),
            ("Acme sold the unit.", "Acme managed to sell the unit.", None),
            ("Acme plans a plant.", "Acme plans to open a plant.", None),
            ("Acme wants to sell the unit.", "Acme seeks to sell the unit.", None),
            ("Acme will sell the unit.", "Acme decided to sell the unit.", None),
            ("Ada helped build it.", "Ada helped to build it.", None),
        ] {
            assert_eq!(told_as_done(claim, said), expected, "{claim}");
        }
    }
}
