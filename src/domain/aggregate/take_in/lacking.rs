//! What says that the answer isn't in what was at hand, or that a filter took it: neither says anything of the matter.

use super::plain::{begins, behind, word_count};
use crate::domain::text::phrases::has_any;

/// What was at hand.
#[rustfmt::skip]
const AT_HAND: &[&str] = &[
    "the provided context ", "the given context ", "the context provided ", "the context ", "the provided documents ", "the provided document ", "the provided text ", "the provided sources ", "the provided information ",
    "the provided search results ", "the search results ", "the retrieved documents ", "the knowledge base ",
];

const LACKS: &[&str] = &["does not ", "doesn't ", "do not ", "don't "];
const HOLDS: &[&str] = &["contain ", "include ", "provide ", "have "];
const HOW_MUCH: &[&str] = &["any ", "enough ", "sufficient ", "the ", "relevant ", "specific ", "requested "];
const ASKED: &[&str] = &["information", "answer", "details"];

/// `The provided context does not contain enough information to answer.` What a document itself doesn't have, `a clause on
/// termination`, may be what was asked.
pub(super) fn lacks_information(meant: &str) -> bool {
    let after = |text, table: &[&str]| table.iter().find_map(|phrase| behind(text, phrase));
    let held = AT_HAND.iter().filter_map(|at_hand| behind(meant, at_hand)).find_map(|rest| {
        let rest = after(rest, LACKS)?;
        after(rest, HOLDS)
    });
    let Some(mut held) = held else { return false };
    while let Some(rest) = after(held, HOW_MUCH) {
        held = rest;
    }
    begins(held, ASKED)
}

/// What is blocked.
const MESSAGES: &[&str] = &[
    "the request ",
    "your request ",
    "this request ",
    "the prompt ",
    "your prompt ",
    "the response ",
    "this content ",
];
#[rustfmt::skip]
const BLOCKED: &[&str] = &["was blocked", "has been blocked", "was filtered", "has been filtered", "was flagged", "has been flagged", "was rejected", "has been rejected"];
/// By what: requests are blocked by firewalls too, and that may be the matter.
#[rustfmt::skip]
const FILTERS: &[&str] = &["content policy", "content policies", "content filter", "content management policy", "content moderation", "usage policy", "usage policies", "safety system", "safety filter"];
/// Words of a sentence that says so.
const WORDS_MAX: usize = 24;

/// `The request was blocked by our content policy.`
pub(super) fn is_blocked(meant: &str) -> bool {
    let blocked = MESSAGES.iter().find_map(|message| behind(meant, message));
    blocked.is_some_and(|rest| begins(rest, BLOCKED))
        && has_any(meant, FILTERS)
        && !meant.contains(|c: char| c.is_ascii_digit())
        && word_count(meant) <= WORDS_MAX
}
