//! What a framework says where it stopped an agent before that had answered: `Agent stopped due to max iterations.`
//!
//! The agent's turn counts as a success there, and this is all of its text.

use super::plain::word_count;

/// Whole texts, `#` for a number.
#[rustfmt::skip]
const STOPS: &[&str] = &[
    "agent stopped due to iteration limit or time limit", "agent stopped due to iteration limit", "agent stopped due to time limit", "agent stopped due to max iterations", "agent stopped due to max iterations reached",
    "sorry, need more steps to process this request", "need more steps to process this request", "max turns (#) exceeded", "max turns exceeded", "maximum turns exceeded", "max iterations reached", "max iterations (#) reached",
    "maximum iterations reached", "maximum iterations (#) reached", "maximum number of iterations reached", "maximum number of turns # reached", "maximum number of turns reached", "reached max iterations", "reached maximum iterations",
    "reached max steps", "max steps reached", "recursion limit of # reached without hitting a stop condition",
];

/// How one begins that goes on with how to raise the limit.
const BEGINS: &str = "recursion limit of # reached without hitting a stop condition";
/// Words of such a text.
const WORDS_MAX: usize = 60;

/// Whether a plain text is one.
pub(super) fn is_stop(words: &str) -> bool {
    if word_count(words) > WORDS_MAX {
        return false;
    }
    let numberless = numberless(words.trim_matches(['.', '!', ' ']));
    STOPS.contains(&numberless.as_str()) || numberless.starts_with(BEGINS)
}

/// A text with `#` for each number.
fn numberless(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}
