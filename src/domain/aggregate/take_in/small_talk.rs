//! What goes with a refusal and says nothing of the matter, told from what does: `Oslo has 709,000 inhabitants.`
//!
//! Who speaks of himself, of the reader, of the request or of the rules doesn't answer. All other sentences of some length do, and
//! a shorter one with a figure, too.

use super::plain::{begins, is_ideograph, word_count};

/// Words of a sentence that states something; with a figure, and without.
const FIGURE_WORDS_MIN: usize = 3;
const WORDS_MIN: usize = 4;

/// Who speaks, and of what, where it isn't the matter.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "i", "i'm", "i've", "i'd", "i'll", "me", "my", "we", "our", "us", "ai", "request", "requests", "policy", "policies", "guideline", "guidelines", "ich", "mir", "mich", "mein", "meine", "meiner", "meinen", "wir", "anfrage", "richtlinien",
    "je", "j'ai", "moi", "mon", "ma", "mes", "nous", "demande", "yo", "mi", "mis", "solicitud", "eu", "meu", "minha", "io", "mio", "mia", "ik", "mijn", "mnie", "я", "мне", "мой", "мои",
];

/// Whom it is said to, and what points at the request: a figure makes a statement of that.
#[rustfmt::skip]
const ADDRESSED: &[&str] = &[
    "you", "your", "sie", "ihnen", "ihr", "ihre", "ihrer", "du", "dir", "vous", "votre", "vos", "usted", "ustedes", "su", "você", "lei", "u", "uw", "вы", "вам", "ваш",
];

/// How a sentence begins that speaks of the request.
#[rustfmt::skip]
const POINTS: &[&str] = &["this ", "that ", "that's ", "it ", "it's ", "such ", "there are other", "das ", "dies", "es ", "c'est ", "cela ", "ça ", "esto ", "eso ", "es un ", "isso ", "isto ", "questo ", "dat ", "dit ", "это "];

/// The same in languages without spaces.
#[rustfmt::skip]
const OWN_WITHIN: &[&str] = &["我", "本人", "请求", "政策", "私", "저는", "제가", "요청"];
#[rustfmt::skip]
const ADDRESSED_WITHIN: &[&str] = &["您", "你", "这", "此", "これ", "それ", "あなた"];

/// Words of a search, and of what is left open, which say nothing of the matter in front of `No results were found`.
#[rustfmt::skip]
const OF_SEARCH: &[&str] = &[
    "search", "searched", "searching", "query", "queries", "lookup", "task", "research", "scan", "tool", "result", "results", "information", "unclear", "unknown", "unavailable", "suche", "recherche", "búsqueda", "question",
    "topic", "analysis", "checked", "reviewed", "empty",
];
const YES_OR_NO: &[&str] = &["yes", "no", "ja", "nein", "oui", "non", "sí", "sì"];
/// What makes a statement of three words.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "ist", "sind", "est", "sont", "es", "son", "costs", "kostet",
];

const FIRST_PERSON: &[&str] = &["i ", "i'", "we ", "my ", "our ", "ich ", "wir ", "je ", "nous "];

/// Whether a plain sentence, in front of one that says what wasn't found, answers something: `Dogs are allowed.`
pub(super) fn answers(sentence: &str) -> bool {
    let has = |table: &[&str]| {
        sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| table.contains(&word))
    };
    let is_clause = || word_count(sentence) >= FIGURE_WORDS_MIN && has(VERBS);
    // `The limit is 500 requests a minute` speaks of requests, and not of what was asked for.
    let is_figure = || sentence.contains(|c: char| c.is_ascii_digit()) && !begins(sentence, FIRST_PERSON);
    let is_of_matter = || !has(ADDRESSED) && !has(OWN) && !begins(sentence, POINTS);
    YES_OR_NO.contains(&sentence)
        || !has(OF_SEARCH) && (states(sentence) || is_clause() && (is_figure() || is_of_matter()))
}

/// Whether a plain sentence states something of the matter.
pub(super) fn states(sentence: &str) -> bool {
    let has = |table: &[&str]| {
        sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| table.contains(&word))
    };
    let within =
        |table: &[&str]| sentence.contains(is_ideograph) && table.iter().any(|word| sentence.contains(word));
    if has(OWN) || within(OWN_WITHIN) {
        return false;
    }
    let words = word_count(sentence);
    let is_figure = sentence.contains(|c: char| c.is_ascii_digit()) && words >= FIGURE_WORDS_MIN;
    is_figure
        || (words >= WORDS_MIN && !has(ADDRESSED) && !within(ADDRESSED_WITHIN) && !begins(sentence, POINTS))
}
