//! What a word says by the words beside it: `went up`, `won the …`, `has yet to`, `no longer`, `9 a.m.`, `no more than 5`.

use super::{Mark, Marked, STRENGTHENS};
use crate::domain::text::figures;
use crate::domain::text::words::{Kind, Word};

/// Whether a word is one of these.
fn is_one(text: &str, words: &[Word], at: usize, listed: &[&str]) -> bool {
    let word = words.get(at).and_then(|word| text.get(word.range()));
    word.is_some_and(|word| listed.iter().any(|other| other.eq_ignore_ascii_case(word)))
}

/// `went up` and `went down` are a rise and a fall, and so is `lowers`; `lower` is mostly said of what is.
pub(super) fn moved(text: &str, words: &[Word], at: usize) -> Option<u8> {
    if is_one(text, words, at, &["lowers", "lowered", "lowering"]) {
        return Some(1);
    }
    if is_one(text, words, at, &["lower"]) {
        return is_one(
            text,
            words,
            at.checked_sub(1)?,
            &["to", "can", "could", "may", "might", "will", "would", "must", "should"],
        )
        .then_some(1);
    }
    let side = ["up", "down"].iter().position(|way| is_one(text, words, at, &[way]))?;
    let goes = is_one(text, words, at.checked_sub(1)?, &["go", "goes", "going", "went", "gone"]);
    goes.then_some(side as u8)
}

/// `won the election`, `lost the election`.
pub(super) fn won(text: &str, words: &[Word], at: usize) -> Option<u8> {
    let side = ["won", "lost"].iter().position(|verb| is_one(text, words, at, &[verb]))?;
    is_one(text, words, at + 1, &["the", "a", "an", "its", "his", "her", "their", "against"])
        .then_some(side as u8)
}

/// The `yet` of `has yet to be published`.
pub(super) fn is_not_yet(text: &str, words: &[Word], at: usize) -> bool {
    let is = |at: Option<usize>, listed: &[&str]| at.is_some_and(|at| is_one(text, words, at, listed));
    is(Some(at), &["yet"])
        && is(Some(at + 1), &["to"])
        && is(at.checked_sub(1), &["has", "have", "had", "is", "are", "was", "were"])
}

/// The `longer` of `is no longer maintained`, and of `isn't maintained any longer`.
pub(super) fn is_no_longer(text: &str, words: &[Word], at: usize) -> bool {
    let no = at.checked_sub(1).is_some_and(|before| is_one(text, words, before, &["no", "any"]));
    no && is_one(text, words, at, &["longer"])
}

/// `9 am`, `9:30 p.m.`: 0 before noon, 1 after.
pub(super) fn half_of_day(text: &str, words: &[Word], at: usize) -> Option<u8> {
    let before = at.checked_sub(1).map(|before| &words[before])?;
    let close = before.kind == Kind::Number && words[at].start - before.end <= 1;
    let tail = text.get(words[at].start..).filter(|_| close)?.as_bytes();
    let side = match tail.first()?.to_ascii_lowercase() {
        b'a' => 0,
        b'p' => 1,
        _ => return None,
    };
    let rest = tail.get(1..)?;
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    let ends = !rest.get(1).is_some_and(u8::is_ascii_alphanumeric);
    (rest.first().is_some_and(|m| m.eq_ignore_ascii_case(&b'm')) && ends).then_some(side)
}

/// What compares with a number, as `no more than 5` does.
#[rustfmt::skip]
const COMPARED: [&str; 19] = [
    "more than", "less than", "fewer than", "longer than", "later than", "earlier than", "higher than", "lower than", "greater than", "larger than", "smaller than",
    "mehr als", "weniger als", "länger als", "plus de", "moins de", "más de", "menos de", "mais de",
];

/// `no more than 5` is a bound of the number, which has it: nothing is denied, and nothing is said to be more.
pub(super) fn no_bounds(text: &str, words: &[Word], found: &mut [Marked]) {
    for at in 0..found.len() {
        if !found[at].mark.is_negation() {
            continue;
        }
        let rest = text[found[at].end..].trim_start();
        let Some(compared) = COMPARED.iter().find(|compared| rest.starts_with(**compared)) else { continue };
        let end = text.len() - rest.len() + compared.len();
        let next = words.iter().find(|word| word.start >= end);
        if next.is_some_and(|next| next.kind == Kind::Number || figures::may_begin(next)) {
            let within = found[at..].iter_mut().take_while(|marked| marked.start < end);
            within.for_each(|marked| marked.mark = Mark { pair: STRENGTHENS, side: 0 });
        }
    }
}
