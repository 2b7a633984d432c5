//! What somebody decided, offered or seems to do, told as done: `agreed to close` as `closed`, `seems to lower` as `lowers`; and
//! what is often so, told as always so.

use std::ops::Range;

use super::tokens;
use crate::domain::synthesis::contradictions::plain::base_of;

/// Words before `to` that leave open whether it is done, beside all that end with `ed` or `ing`.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "is", "are", "was", "were", "set", "ready", "about", "poised", "likely", "due", "keen", "willing", "eager", "free", "seem", "seems", "appear", "appears", "tend", "tends", "agree", "agrees", "decide", "decides", "vow", "vows",
    "offer", "offers", "vote", "votes", "prepare", "prepares", "hope", "hopes", "expect", "expects", "choose", "chooses", "chose", "chosen", "thought", "meant", "said", "plan", "plans", "want", "wants", "wish", "wishes", "intend", "intends",
    "aim", "aims", "seek", "seeks", "sought", "promise", "promises", "threaten", "threatens", "propose", "proposes", "mean", "means", "undertake", "undertakes", "undertook", "swore", "sworn", "try", "tries", "attempt", "attempts",
    "talks", "negotiations", "decision", "intention", "effort", "efforts", "right", "agreement", "deal", "proposal", "ability", "order", "request", "pledge", "refusal", "bid", "move", "moves", "built", "made",
];
/// Words of that ending with which it is done.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "managed", "helped", "continued", "started", "happened", "used", "caused", "forced", "prompted", "compelled", "proved", "served", "dared", "learned", "turned", "confirmed", "observed", "discovered", "revealed", "demonstrated",
    "enabled", "ceased", "bothered", "hastened", "helping", "starting", "beginning", "continuing", "managing", "forcing", "causing", "leading", "prompting", "according", "owing", "relating", "serving", "enabling", "proceeded", "remembered",
    "tricked", "pushed", "convinced", "persuaded",
];
/// Those of whom somebody else expects it: `Analysts expect Acme to close`.
const EXPECTING: &[&str] = &[
    "expect",
    "expects",
    "expected",
    "want",
    "wants",
    "wanted",
    "wish",
    "like",
    "anticipate",
    "anticipates",
];
/// Words between the two.
const EXPECTED_MAX: usize = 4;
/// Before a verb, what says that it isn't told as done.
#[rustfmt::skip]
const NOT_DONE: &[&str] = &[
    "to", "will", "would", "may", "might", "can", "could", "should", "must", "shall", "did", "does", "do", "not", "a", "an", "the", "its", "their", "of", "and", "cannot", "in", "on", "at", "for", "by", "with", "from", "into", "per",
];
/// The same in other languages, before an infinitive.
#[rustfmt::skip]
const OPEN_ELSEWHERE: &[&str] = &[
    "beschloss", "beschlossen", "beschließt", "entschied", "entschieden", "entschloss", "entschlossen", "scheint", "scheinen", "schien", "schienen", "plant", "planen", "planten", "verspricht", "versprach", "versprachen", "droht", "drohte",
    "erwägt", "erwog", "hofft", "hofften", "hoffen", "bereit", "neigt", "neigen", "einigten", "einigte", "verpflichtete", "verpflichteten", "zugesagt", "angeboten", "will", "wollen", "wollte", "wollten",
    "décidé", "décide", "décident", "semble", "semblent", "semblait", "paraît", "accepté", "convenu", "envisage", "envisagent", "compte", "comptent", "espère", "promis", "proposé", "prévoit", "voté", "tend", "tendent", "menace", "cherche",
    "veut", "veulent", "voulait", "decidió", "decidieron", "decide", "parece", "parecen", "acordó", "acordaron", "planea", "prometió", "ofreció", "votó", "quiere", "quieren", "deciso", "sembra", "sembrano", "accettato", "promesso", "vuole",
    "vogliono", "decidiu", "decidiram", "parece", "aceitou", "prometeu", "quer", "besloot", "besloten", "lijkt", "lijken", "wil", "willen", "wilde",
];
/// Endings of infinitives, the longest first.
const INFINITIVES: &[&str] = &["oir", "ern", "eln", "are", "ere", "ire", "en", "er", "ir", "re", "ar"];
/// Words between such a word and the infinitive.
const FAR_MAX: usize = 10;
/// Letters of a verb by which it is known.
const STEM_MIN: usize = 3;

/// How often something is so, where it isn't always.
#[rustfmt::skip]
const OFTEN: &[&str] = &[
    "sometimes", "occasionally", "often", "frequently", "usually", "typically", "generally", "mostly", "normally", "commonly", "manchmal", "gelegentlich", "oft", "häufig", "meist", "meistens", "typischerweise", "üblicherweise", "mitunter",
    "parfois", "souvent", "généralement", "habituellement", "fréquemment", "occasionnellement", "menudo", "generalmente", "habitualmente", "frecuentemente", "spesso", "talvolta", "generalmente", "frequentemente", "vaak", "soms", "meestal",
];
/// Other words that keep it so.
#[rustfmt::skip]
const ALSO_OFTEN: &[&str] = &[
    "can", "may", "might", "could", "some", "most", "many", "common", "frequent", "usual", "typical", "general", "regularly", "tend", "tends", "rarely", "cases", "times", "kann", "können", "häufige", "häufiger", "peut", "peuvent", "puede",
    "pueden", "può", "possono", "pode", "podem", "kan", "kunnen", "normal", "likely", "largely", "mainly", "average", "range", "ranges", "manche", "einige", "fréquent", "fréquents",
];

type Token = (Range<usize>, String);

/// The word that leaves open whether something is done, of which a claim says that it is.
pub(super) fn told_as_done(claim: &str, said: &str, language: &str) -> Option<Range<usize>> {
    match language == "English" {
        true if !said.contains(" to ") => None,
        true => in_english(&tokens(claim).collect::<Vec<_>>(), said),
        false => elsewhere(&tokens(claim).collect::<Vec<_>>(), &tokens(said).collect::<Vec<_>>(), language),
    }
}

fn in_english(mine: &[Token], said: &str) -> Option<Range<usize>> {
    let theirs: Vec<Token> = tokens(said).collect();
    let word = |at: usize| theirs.get(at).map_or("", |(_, word)| word.as_str());
    let found = (1..theirs.len()).filter(|at| word(*at) == "to").find_map(|to| {
        let before = word(to - 1);
        let is_ending = before.len() > 4 && (before.ends_with("ed") || before.ends_with("ing"));
        let is_open = OPEN.contains(&before) || is_ending && !DONE.contains(&before);
        let expects = (to.saturating_sub(EXPECTED_MAX)..to).find(|at| EXPECTING.contains(&word(*at)));
        let open = if is_open { Some(to - 1) } else { expects }?;
        let passive = word(to + 1) == "be";
        let verb = word(to + 1 + usize::from(passive));
        let keeps = word(open).len() > 3 && mine.iter().any(|(_, own)| is_form(own, word(open)));
        let known = |own: &str| theirs.iter().any(|(_, other)| other == own);
        let done = |at: usize| {
            let own = mine[at].1.as_str();
            let before = at.checked_sub(1).map_or("", |at| mine[at].1.as_str());
            let open = NOT_DONE.contains(&before) || before.is_empty();
            let then_open =
                before == "be" || before == "been" && at > 1 && NOT_DONE.contains(&mine[at - 2].1.as_str());
            match own == verb {
                true => !open && !then_open,
                false => !passive && !known(own) && before != "to" && is_form(own, verb),
            }
        };
        // `coming to Paris` leads to a place.
        let is_verb = |at: usize| {
            theirs.get(at).is_some_and(|(range, _)| said[range.clone()].starts_with(char::is_lowercase))
        };
        (verb.len() > 1 && is_verb(to + 1 + usize::from(passive)) && !keeps && (0..mine.len()).any(done))
            .then_some(open)
    });
    found.map(|at| theirs[at].0.clone())
}

/// Whether a word is a past or a present of a verb.
fn is_form(word: &str, verb: &str) -> bool {
    if word == verb || base_of(word) == verb {
        return true;
    }
    let bare = verb.strip_suffix(['e', 'y']).unwrap_or(verb);
    let Some(ending) = word.strip_prefix(bare) else { return false };
    let doubled = bare.chars().last().is_some_and(|last| ending.strip_prefix(last) == Some("ed"));
    doubled || matches!(ending, "ed" | "ied" | "d" | "s" | "es" | "ies")
}

fn elsewhere(mine: &[Token], theirs: &[Token], language: &str) -> Option<Range<usize>> {
    let with_particle = matches!(language, "German" | "Dutch");
    let at = theirs.iter().position(|(_, word)| OPEN_ELSEWHERE.contains(&word.as_str()))?;
    let keeps = mine.iter().any(|(_, word)| OPEN_ELSEWHERE.contains(&word.as_str()));
    let known = |own: &str| theirs.iter().any(|(_, other)| other == own);
    let infinitive = |at: usize| {
        let word = theirs[at].1.as_str();
        let is_led = !with_particle || matches!(theirs[at - 1].1.as_str(), "zu" | "te");
        INFINITIVES
            .iter()
            .find_map(|end| word.strip_suffix(end))
            .filter(|stem| is_led && stem.chars().count() >= STEM_MIN)
    };
    let far = theirs.len().min(at + 1 + if with_particle { FAR_MAX } else { 3 });
    let stem = (at + 1..far).find_map(infinitive).filter(|_| !keeps)?;
    let skeleton = skeleton(stem);
    let done = |(_, own): &Token| {
        let bare = own.strip_prefix("ge").filter(|_| with_particle).unwrap_or(own);
        let ends = ["ten", "te", "en", "t"];
        let german = || {
            let bare = ends.iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
            bare.chars().next() == stem.chars().next() && self::skeleton(bare) == skeleton
        };
        let romance =
            || own.starts_with(stem) && !INFINITIVES.iter().any(|end| *own == format!("{stem}{end}"));
        !known(own) && if with_particle { german() } else { romance() }
    };
    mine.iter().any(done).then(|| theirs[at].0.clone())
}

/// The consonants of a stem, each once where it is doubled: a verb may change its vowel.
fn skeleton(stem: &str) -> String {
    let mut bare = String::new();
    for c in stem.replace('ß', "s").chars() {
        let is_vowel = matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'ä' | 'ö' | 'ü');
        if !is_vowel && !bare.ends_with(c) {
            bare.push(c);
        }
    }
    bare
}

/// The words that say how often something is so, which a claim, or the sentence it is of, leaves out.
pub(super) fn often(whole: &str, said: &str) -> Vec<Range<usize>> {
    let is_often = |word: &str| OFTEN.contains(&word);
    let found: Vec<Range<usize>> =
        tokens(said).filter(|(_, word)| is_often(word)).map(|(range, _)| range).collect();
    let keeps = |word: &str| is_often(word) || ALSO_OFTEN.contains(&word);
    if found.is_empty() || tokens(whole).any(|(_, word)| keeps(&word)) {
        return Vec::new();
    }
    found
}
