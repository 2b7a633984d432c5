//! What answers a question as a whole, whatever its words.

use crate::domain::near_duplicates::Features;
use crate::domain::text::language;
use crate::domain::text::phrases::{begins_with_any, has_any};

/// Findings of a result that only answers, and words of an answer that says nothing else, alone and behind what it begins with.
const BARE: (usize, usize, usize) = (3, 2, 5);
const BARE_BEGINS: [&str; 8] =
    ["it is ", "it's ", "they are ", "he is ", "she is ", "es ist ", "c'est ", "it was "];
/// Whether a result is an answer and hardly more: `It is red.`, `Canberra`.
pub(super) fn is_bare(told: &[&Features<'_>]) -> bool {
    let is_short = |of: &Features<'_>| {
        let lower = of.text.to_lowercase();
        let words = lower.split_whitespace().count();
        let is_so = begins_with_any(&lower, &BARE_BEGINS);
        let is_word = (1..=BARE.1).contains(&of.words.len());
        (is_word || is_so && words <= BARE.2) && of.figures.is_empty()
    };
    told.len() <= BARE.0 && told.iter().any(|of| is_short(of))
}

/// Whether all that is told is in other languages than the question.
pub(super) fn are_foreign(query: &str, told: &[&Features<'_>]) -> bool {
    let Some(own) = language::surely(query) else { return false };
    !told.is_empty() && told.iter().all(|of| language::surely(of.text).is_some_and(|other| other != own))
}

/// How a query begins that asks whether something is so.
#[rustfmt::skip]
const ASKS: [&str; 24] = [
    "is ", "are ", "was ", "were ", "do ", "does ", "did ", "can ", "could ", "may ", "must ", "should ", "will ", "would ", "has ", "have ", "ist ", "sind ", "kann ", "darf ", "dürfen ", "muss ", "soll ", "sollte ",
];

/// Whether a query asks in one clause whether something is so, whatever is joined in it: `Is the logic correct and safe to merge?` has one
/// verdict.
pub(super) fn asks_one_verdict(query: &str) -> bool {
    #[rustfmt::skip]
    const MORE: [&str; 18] = [
        " and is ", " and are ", " and do ", " and does ", " and can ", " and will ", " and what ", " and how ", " and which ", " and why ", " and when ", " and where ", " and who ", " und wie ", " und was ", " und wer ", " und kann ", " und ist ",
    ];
    let lower = query.trim().to_lowercase();
    let rest = lower.trim_end_matches(['?', ' ']);
    ASKS.iter().any(|asks| rest.starts_with(asks))
        && !rest.contains([',', ';', '?', '.', '\n', ':'])
        && !MORE.iter().any(|more| rest.contains(more))
}

/// Whether a query that asks whether something is so is answered by a word that says so.
pub(super) fn is_verdict(query: &str, told: &[&Features<'_>]) -> bool {
    #[rustfmt::skip]
    const VERDICTS: [&str; 22] = [
        "yes", "no", "partially", "partly", "mostly", "largely", "not yet", "not entirely", "not quite", "it depends", "that depends", "depends on", "probably", "likely", "unlikely", "only if", "only when", "ja", "nein",
        "teilweise", "größtenteils", "eher",
    ];
    let lower = query.trim_start().to_lowercase();
    let is_one = |of: &Features<'_>| {
        let said = of.text.trim_start_matches(['*', '_', ' ']);
        VERDICTS.iter().any(|verdict| {
            let head = said.get(..verdict.len()).filter(|head| head.eq_ignore_ascii_case(verdict));
            head.is_some() && !said[verdict.len()..].starts_with(char::is_alphanumeric)
        })
    };
    begins_with_any(&lower, &ASKS) && told.iter().any(|of| is_one(of))
}

/// Whether a query asks to turn a text that it gives, or that was given, into another one.
pub(super) fn is_turned(query: &str) -> bool {
    #[rustfmt::skip]
    const TURNS: [&str; 20] = [
        "translate ", "rewrite ", "rephrase ", "reword ", "paraphrase ", "proofread ", "shorten ", "classify ", "categorise ", "categorize ", "übersetze ", "übersetzen ", "formuliere ", "traduis ", "traduisez ", "traduce ", "traduci ", "翻译", "改写", "润色",
    ];
    begins_with_one(query, &TURNS)
}

/// Whether a query asks to make or to explain something: what is made hardly says what it is.
pub(super) fn is_made(query: &str) -> bool {
    #[rustfmt::skip]
    const MAKES: [&str; 23] = [
        "give me a ", "give me an ", "give us a ", "make a ", "make me a ", "write ", "draft ", "compose ", "generate ", "create ", "prepare a ", "suggest a ", "suggest an ", "come up with ", "brainstorm ", "explain ", "plan a ", "plan an ", "design ",
        "schreibe ", "erstelle ", "erkläre ", "écris ",
    ];
    let sentences = query.split_inclusive(['.', '!', '?', '\n']);
    sentences.into_iter().any(|sentence| begins_with_one(sentence, &MAKES))
}

/// Whether a sentence begins so, with or without a word of courtesy.
fn begins_with_one(sentence: &str, begins: &[&str]) -> bool {
    let lower = sentence.trim_start().to_lowercase();
    let bare = ["please ", "bitte ", "can you ", "could you ", "请帮我", "请"];
    let bare = bare.iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    begins.iter().any(|begin| bare.starts_with(begin))
}

/// Whether a query asks to sum something up.
pub(super) fn is_overview(query: &str) -> bool {
    #[rustfmt::skip]
    const BEGINS: [&str; 13] = [
        "summarise ", "summarize ", "please summarise ", "please summarize ", "sum up ", "give an overview of ", "give me an overview of ", "write a summary of ", "fasse ", "résume ", "resume ", "总结", "概括",
    ];
    // Of what these are nobody says that it is one.
    #[rustfmt::skip]
    const NAMES: [&str; 10] = [
        "key figures", "key facts", "key numbers", "facts and figures", "kennzahlen", "eckdaten", "chiffres clés", "datos clave", "关键数据", "基本情况",
    ];
    // What these ask for is whatever is told.
    #[rustfmt::skip]
    const WHOLE: [&str; 14] = [
        "what happened", "what has happened", "what is known", "what's known", "what is new", "what's new", "what did you find", "what was found", "was ist passiert", "was ist bekannt", "que s'est-il passé", "qué pasó", "qué ha pasado", "发生了什么",
    ];
    let lower = query.trim_start().to_lowercase();
    let bare = lower.trim_matches(['?', '？', ' ', '.', '¿']);
    WHOLE.contains(&bare) || begins_with_any(&lower, &BEGINS) || has_any(&lower, &NAMES)
}
