//! Whether what changed places in a sentence still says the same: the passive for the active, clauses in another order,
//! figures that moved together with what they belong to.

use super::beside::figures_keep;
use super::meaning::Tongue;
use super::scope::tokens;
use crate::domain::near_duplicates::{Element, Features, Role, longest_falling};
use crate::domain::synthesis::contradictions::plain::base_of;
use crate::domain::text::figures::Unit;
use crate::domain::text::words::Term;

mod exchanged;
mod grammar;
mod passive;
mod placed;
mod predicates;

/// So many elements in the opposite order exchange who does what to whom.
const FALLING_MAX: usize = 2;
/// Words that an agent has at most.
const AGENT_WORDS_MAX: usize = 8;
/// Participles that don't end in `ed` and are their own base.
const PARTICIPLES: &[&str] = &["cut", "funded", "hit", "put", "read", "set", "run"];
/// Languages in which endings and articles say who does what.
const FREE: &[&str] = &["German", "Dutch"];
#[rustfmt::skip]
const CASES: &[&str] = &[
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "kein", "keine", "keinen", "diese", "dieser", "dieses", "diesen", "diesem",
    "im", "am", "zum", "zur", "beim", "vom", "in", "an", "auf", "aus", "bei", "mit", "nach", "von", "zu", "für", "durch", "de", "het", "een", "van", "op",
];
/// `by the end of 2024` names no agent.
const TIMES: &[&str] =
    &["end", "start", "beginning", "middle", "close", "early", "mid", "late", "then", "now", "year"];
/// Words of who reports what.
#[rustfmt::skip]
const REPORTS: &[&str] = &[
    "according", "add", "added", "adds", "announced", "argue", "argued", "argues", "believe", "believes", "claim", "claimed", "claims", "concluded", "concludes",
    "estimate", "estimated", "estimates", "expect", "expects", "expected", "explained", "explains", "find", "finds", "found", "noted", "notes", "predict", "predicted",
    "predicts", "report", "reported", "reports", "said", "say", "says", "shows", "stated", "states", "suggests", "told", "warn", "warned", "warns", "writes", "wrote",
];
const TO_BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being"];
/// What stands between the words of one thing.
const INSIDE: &[&str] = &["of", "the", "a", "an", "and", "or", "-", "–"];

/// Whether no two things exchanged their places; `tongue` is the language of both, where it is known.
pub(super) fn keeps_roles(claim: &Features<'_>, said: &Features<'_>, tongue: Option<&Tongue>) -> bool {
    if tongue.is_some_and(|tongue| exchanged::are_exchanged(claim, said, tongue)) {
        return false;
    }
    if let Some(keeps) = tongue.and_then(|tongue| passive::keeps_agent(claim, said, tongue)) {
        return keeps && figures_keep(claim, said);
    }
    if tongue.is_some_and(|tongue| FREE.contains(&tongue.name())) {
        return names_keep(claim, said) && cases_keep(claim.text, said.text) && figures_keep(claim, said);
    }
    // Small words stand where what they belong to stands.
    let says = |of: &Features<'_>, element: &Element| {
        let word = || of.text[element.range()].to_lowercase();
        tongue.is_none_or(|tongue| tongue.is_english() || !tongue.is_light(&word()))
    };
    let (mut mine, mut theirs) = (active(claim), active(said));
    mine.retain(|element| says(claim, element));
    theirs.retain(|element| says(said, element));
    placed::leave_out((claim, &mut mine), (said, &theirs));
    let both = mine.iter().filter_map(|element| Some((*element, place(&mine, &theirs, element)?)));
    let (both, places): (Vec<&Element>, Vec<usize>) = both.unzip();
    let keeps = longest_falling(&places) <= FALLING_MAX
        || is_reported_elsewhere(claim, said, &both, &places)
        || predicates::are_moved((claim, &mine), (said, &theirs));
    keeps && figures_keep(claim, said)
}

/// Whether who says it stands behind what is said in one and before it in the other, and nothing else changed its place:
/// `Prices rise, warned Ann Lee` for `Ann Lee warned that prices rise`. `both` are the elements of the claim that both have,
/// `places` those in the other.
fn is_reported_elsewhere(
    claim: &Features<'_>,
    said: &Features<'_>,
    both: &[&Element],
    places: &[usize],
) -> bool {
    let moved = |at: &usize| {
        let (head, tail) = places.split_at(*at);
        let parts = tail.iter().max() < head.iter().min();
        parts && longest_falling(head) <= FALLING_MAX && longest_falling(tail) <= FALLING_MAX
    };
    let Some(at) = (1..places.len()).find(moved) else { return false };
    let gap = claim.text.get(both[at - 1].end..both[at].start).unwrap_or_default();
    reports(said.text) && reports(claim.text) && (gap.contains([',', ':']) || reports(gap))
}

/// Whether a text has a word of who reports what.
pub(super) fn reports(text: &str) -> bool {
    tokens(text).any(|(_, word)| REPORTS.contains(&word.as_str()))
}

/// Whether no two names that say their part by their place alone, without an article, exchanged them around a word that both
/// sentences have between them.
fn names_keep(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let all =
        |of: &Features<'_>| -> Vec<usize> { (0..of.elements.len()).filter(|at| is_bare(of, *at)).collect() };
    let (mine, theirs) = (all(claim), all(said));
    let find = |place: &usize| {
        let same = |at: &&usize| said.elements[**at].term == claim.elements[*place].term;
        theirs.iter().find(same).map(|at| (*place, *at))
    };
    let common: Vec<(usize, usize)> = mine.iter().filter_map(find).collect();
    let between = |of: &Features<'_>, from: usize, to: usize| -> Vec<Term> {
        let inner = of.elements.get(from.min(to) + 1..from.max(to)).unwrap_or_default();
        let lower = inner.iter().filter(|element| of.text[element.start..].starts_with(char::is_lowercase));
        lower.map(|element| element.term).collect()
    };
    let exchanged = |&(a, their_a): &(usize, usize), &(b, their_b): &(usize, usize)| {
        let turned = (a < b) != (their_a < their_b);
        let theirs = between(said, their_a, their_b);
        turned && between(claim, a, b).iter().any(|term| theirs.contains(term))
    };
    !common.iter().enumerate().any(|(at, one)| common[at + 1..].iter().any(|other| exchanged(one, other)))
}

/// Whether no noun that does something has something done to it: `der Konzern` for `den Konzern`, where neither is passive.
fn cases_keep(claim: &str, said: &str) -> bool {
    const DOES: &[&str] = &["der", "ein", "dieser", "kein"];
    const DONE: &[&str] = &["den", "einen", "diesen", "keinen"];
    const PASSIVE: &[&str] = &["wurde", "wurden", "wird", "werden", "worden"];
    let words = |text: &str| -> Vec<String> { tokens(text).map(|(_, word)| word).collect() };
    let (mine, theirs) = (words(claim), words(said));
    let is_passive = |words: &[String]| words.iter().any(|word| PASSIVE.contains(&word.as_str()));
    let turned = |articles: [&[&str]; 2]| {
        let with = |words: &[String], at: usize, noun: &String| {
            words.windows(2).any(|two| articles[at].contains(&two[0].as_str()) && *noun == two[1])
        };
        let mut nouns =
            mine.windows(2).filter(|two| articles[0].contains(&two[0].as_str())).map(|two| &two[1]);
        nouns.any(|noun| with(&theirs, 1, noun) && !with(&theirs, 0, noun))
    };
    is_passive(&mine) != is_passive(&theirs) || !(turned([DOES, DONE]) || turned([DONE, DOES]))
}

/// Whether an element is a name, with nothing before it that tells its case.
fn is_bare(of: &Features<'_>, at: usize) -> bool {
    let element = &of.elements[at];
    let before = of.text[..element.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    // `laut einer Studie der Universität Jena` says who says it, wherever it stands.
    let is_source = || {
        let behind = tokens(&of.text[..element.start]).collect::<Vec<_>>();
        let mut back = behind.iter().rev().take_while(|(range, word)| {
            word == "laut"
                || CASES.contains(&word.as_str())
                || of.text[range.start..].starts_with(char::is_uppercase)
        });
        back.any(|(_, word)| word == "laut")
    };
    let is_name = matches!(element.role, Role::Name) || (element.role == Role::Content && before.is_empty());
    is_name
        && of.text[element.start..].starts_with(char::is_uppercase)
        && !CASES.contains(&before.as_str())
        && !is_source()
        && word_of(of, element) != "laut"
}

fn word_of(of: &Features<'_>, element: &Element) -> String {
    of.text[element.start..element.end].to_lowercase()
}

/// Where an element stands in the other; nothing for one that either has twice.
fn place(mine: &[&Element], theirs: &[&Element], element: &Element) -> Option<usize> {
    let once = |all: &[&Element]| all.iter().filter(|other| other.term == element.term).count() == 1;
    let at = theirs.iter().position(|other| other.term == element.term)?;
    (once(mine) && once(theirs)).then_some(at)
}

/// What a sentence speaks of in the order of its active voice: `X was founded by Y` is read as `Y founded X`.
fn active<'f>(of: &'f Features<'_>) -> Vec<&'f Element> {
    // `4o` is a part of a name.
    let label = |element: &Element| {
        let text = &of.text[element.range()];
        element.role == Role::Figure
            && of.figures.iter().any(|figure| figure.start == element.start && figure.unit == Unit::Label)
            && text.contains(char::is_alphabetic)
    };
    let says = |element: &&Element| {
        matches!(element.role, Role::Content | Role::Name | Role::Character) || label(element)
    };
    let mut order: Vec<&Element> = of.elements.iter().collect();
    let mut from = 0;
    while let Some(passive) = next_passive(of.text, &order, from) {
        let Passive { patient, verb, by, end } = passive;
        order[patient..end].rotate_left(by + 1 - patient);
        // The agent is first now; the verb goes behind it.
        let verb = patient + (end - by - 1) + (verb - patient);
        order[patient + (end - by - 1)..=verb].rotate_right(1);
        from = end;
    }
    order.into_iter().filter(says).collect()
}

/// Where the parts of a passive stand: `patient … verb … by … end`.
struct Passive {
    patient: usize,
    verb: usize,
    by: usize,
    end: usize,
}

fn next_passive(text: &str, order: &[&Element], from: usize) -> Option<Passive> {
    let word = |at: usize| text[order[at].start..order[at].end].to_lowercase();
    let gap = |at: usize| &text[order[at - 1].end..order[at].start];
    let divides = |at: usize| gap(at).contains([',', ';', ':', '(', ')', '—']);
    let is_by = |at: &usize| {
        order[*at].role == Role::Direction && word(*at) == "by" && !TIMES.contains(&word(*at + 1).as_str())
    };
    (from.max(1)..order.len().saturating_sub(1)).filter(is_by).find_map(|by| {
        let start = (from..=by).rev().find(|at| *at == from || divides(*at)).unwrap_or(from);
        let is_participle = |at: &usize| {
            let word = word(*at);
            order[*at].role == Role::Content
                && (word.ends_with("ed") || base_of(&word) != word || PARTICIPLES.contains(&word.as_str()))
        };
        let is_passive = |at: &usize| {
            let before = if *at == 0 { "" } else { gap(*at) };
            let is_form = before.split_whitespace().any(|word| TO_BE.contains(&word));
            is_form || *at + 1 == by || (*at == start && start > from)
        };
        let verb = (start..by).rev().find(|at| is_participle(at) && is_passive(at))?;
        // `X, founded by Y`: what was founded stands before the comma.
        let patient = match verb == start && start > from {
            true => (from..start).rev().find(|at| *at == from || divides(*at)).unwrap_or(from),
            false => start,
        };
        let goes_on = |at: usize| gap(at).split_whitespace().all(|word| INSIDE.contains(&word));
        let is_agent = |at: &usize| {
            matches!(order[*at].role, Role::Content | Role::Name) && (*at == by + 1 || goes_on(*at))
        };
        let end = (by + 1..order.len()).take(AGENT_WORDS_MAX).take_while(is_agent).last()? + 1;
        Some(Passive { patient, verb, by, end })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn roles_are_kept_where_nobody_changed_places() {
        let mut lexicon = Lexicon::default();
        for (claim, said, kept) in [
            ("Jane Miller founded Acme in 1998", "Acme was founded in 1998 by Jane Miller", true),
            ("Acme founded Jane Miller in 1998", "Acme was founded in 1998 by Jane Miller", false),
            ("Vistra operates Moss Landing", "Moss Landing, operated by Vistra, is large", true),
            ("Moss Landing operates Vistra", "Moss Landing, operated by Vistra, is large", false),
            ("Globex was bought by Acme", "Acme bought Globex", true),
            ("Globex bought Acme", "Acme bought Globex", false),
            ("Acme was bought by Globex", "Acme bought Globex", false),
            ("Trade was helped by the act", "The act helped trade", true),
            ("Of the cells, flow cells last longer than others", "Flow cells last longer than others", true),
            ("Die Ursache hat die Behörde nicht genannt", "Die Behörde hat die Ursache nicht genannt", true),
            ("Globex kaufte Acme für das Jahr", "Acme kaufte Globex für das Jahr", false),
            (
                "Costs rise by 5%, warned Ann Lee of Acme",
                "Ann Lee of Acme warned that costs rise by 5%",
                true,
            ),
            ("Globex will sue, said Acme on Monday", "Acme said on Monday that Globex will sue", true),
            ("Globex said on Monday that Acme will sue", "Acme said on Monday that Globex will sue", false),
            ("Lithium cells last longer than flow cells", "Flow cells last longer than lithium cells", false),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            let tongue = Tongue::of(&[claim, said]);
            assert_eq!(keeps_roles(&mine, &theirs, tongue.as_ref()), kept, "{claim} / {said}");
        }
    }
}
