//! What answers a question as a whole, whatever its words.

use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::text::language;

/// Findings of a result that only answers, and words of an answer that says nothing else, alone and behind what it begins with.
const BARE: (usize, usize, usize) = (3, 2, 5);
const BARE_BEGINS: [&str; 8] =
    ["it is ", "it's ", "they are ", "he is ", "she is ", "es ist ", "c'est ", "it was "];
/// Whether a result is an answer and hardly more: `It is red.`, `Canberra`.
pub(super) fn is_bare(told: &[&Features<'_>]) -> bool {
    let is_short = |of: &Features<'_>| {
        let lower = of.text.to_lowercase();
        let words = lower.split_whitespace().count();
        let is_so = BARE_BEGINS.iter().any(|begins| lower.starts_with(begins));
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
    let lower = query.trim_start().to_lowercase();
    BEGINS.iter().any(|begins| lower.starts_with(begins)) || NAMES.iter().any(|name| lower.contains(name))
}
