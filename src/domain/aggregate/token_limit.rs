//! Brings a text within a number of tokens, by leaving out what matters least.
//!
//! Over the limit a text is summarised in its own words and its own order: whole blocks by salience ([`salience`]), then
//! sentences, rows and lines of blocks that are too long. Headings stay above what is kept, the header of a table above
//! its rows, the fences around code; a nested item keeps the first sentence of the item it belongs to, and what stands below
//! a label ([`labels`]) or a sentence that ends with a colon keeps that. None of these stands there without what it introduces. When nothing whole
//! fits any more, one sentence is shortened between two words, with `…` and its citations. Nothing is ever cut inside a
//! word, number, address, citation, row or line of code, and of JSON, also in a fence, only whole elements are left out, and
//! sentences of long strings, which then end with `…`; what tells an object apart (`id`, `name`) stays with it. A marker in a
//! paragraph of its own at the end says how much is missing; it counts inside the limit.
//!
//! Counts of parts don't add up exactly to that of the whole, so that the finished text is counted again and mended. O(n)
//! for n bytes, but for sorting the blocks: the text is cut into tokens once, the result a few times.

mod assemble;
mod emphasis;
mod fit;
mod json;
mod labels;
mod listed_lines;
mod markdown;
mod marks;
mod outline;
mod salience;
mod select;
mod shorten;
#[cfg(test)]
mod tests;

use super::super::text::tokens::{Known, Tokenizer};
use fit::Fit;
pub use salience::Asked;

/// What was left out of a text: for the marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Tokens left out.
    pub tokens: usize,
    /// Tokens of the full text.
    pub of_tokens: usize,
}

/// A text within its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The text, with the marker where something was left out.
    pub text: String,
    /// Its tokens, at most the limit.
    pub tokens: usize,
    /// The tokens of the full text.
    pub of_tokens: usize,
    /// Whether something was left out.
    pub truncated: bool,
}

/// The usual marker: `[… 1,234 of 3,400 tokens left out; full text: {handle}]`.
pub fn marker(omitted: Omitted, handle: &str) -> String {
    format!(
        "[… {} of {} tokens left out; full text: {handle}]",
        grouped(omitted.tokens),
        grouped(omitted.of_tokens)
    )
}

/// The marker where `max_tokens` are to hold it, too: the usual one where it takes half of them at most, else without the counts, and
/// `[…]` where the handle alone is too long.
pub fn marker_within<'h>(
    max_tokens: usize,
    handle: &'h str,
    tokenizer: &Tokenizer,
) -> impl Fn(Omitted) -> String + 'h {
    const MANY: Omitted = Omitted { tokens: 999_999, of_tokens: 999_999 };
    let short = format!("[… full text: {handle}]");
    let is_usual = tokenizer.count(&marker(MANY, handle)) * 2 <= max_tokens;
    let fits = is_usual || tokenizer.count(&short) <= max_tokens;
    move |omitted| match (is_usual, fits) {
        (true, _) => marker(omitted, handle),
        (false, true) => short.clone(),
        (false, false) => fit::SHORT_MARKER.to_owned(),
    }
}

/// A number with a comma between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The text within `max_tokens` of `tokenizer`: unchanged where it fits, else the most salient of it and what `marker`
/// says. Where even the marker doesn't fit, `[…]` stands in for it, and where that doesn't, nothing.
pub fn limit(
    text: &str,
    max_tokens: usize,
    marker: &dyn Fn(Omitted) -> String,
    tokenizer: &Tokenizer,
) -> Limited {
    limit_asked(text, max_tokens, marker, tokenizer, None)
}

/// The same, where something was asked: what has the words of that comes first, of what is alike otherwise.
pub fn limit_asked(
    text: &str,
    max_tokens: usize,
    marker: &dyn Fn(Omitted) -> String,
    tokenizer: &Tokenizer,
    asked: Option<Asked<'_>>,
) -> Limited {
    let max_tokens = max_tokens + usize::from(mutant!("one-token-over-the-limit"));
    let raw_limit = tokenizer.raw_limit(max_tokens);
    if text.len() <= raw_limit {
        return whole(text, tokenizer.count(text));
    }
    let mut known = Known::of_bytes(text.len());
    let mut pieces: Vec<(usize, usize)> = Vec::with_capacity(text.len() / 3);
    pieces.extend(tokenizer.pieces_noted(text, &mut known));
    let of_tokens = tokenizer.of_raw(pieces.iter().map(|(_, tokens)| tokens).sum());
    if of_tokens <= max_tokens {
        return whole(text, of_tokens);
    }
    let mut outline = json::outline(text).unwrap_or_else(|| markdown::outline(text));
    outline.weigh(&pieces, raw_limit);
    salience::score(text, &mut outline, asked);
    let fit = Fit { text, max_tokens, of_tokens, marker, tokenizer, known: &known };
    let (text, tokens) = fit.run(&outline);
    Limited { text, tokens, of_tokens, truncated: true }
}

fn whole(text: &str, tokens: usize) -> Limited {
    Limited { text: text.to_owned(), tokens, of_tokens: tokens, truncated: false }
}
