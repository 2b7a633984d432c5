//! What of Chinese and Japanese only says that something is so, or isn't: `安全です` and `安全ではありません` are about the same.

use crate::domain::near_duplicates::{Element, Role};
use crate::domain::text::phrases::before_any;
use crate::domain::text::polarity::Marked;

/// Longer ones before what they end with.
#[rustfmt::skip]
const COPULAS: [&str; 12] = [
    "ではありませんでした", "ではありません", "じゃありません", "ではなかった", "ではない", "じゃない", "でした", "であった", "である", "です", "だった", "だ",
];

/// Where the copula begins that a Japanese sentence ends with.
pub(super) fn start_of(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return None;
    }
    let body = text.trim_end_matches(['。', '．', '.', '！', '!', ' ']);
    let before = before_any(body, &COPULAS)?;
    // `読んだ` is a verb.
    (!before.ends_with('ん')).then_some(before.len())
}

/// Whether a character is a Chinese negation, which says nothing of what is denied.
pub(super) fn is_negation(text: &str, element: &Element, marked: &Marked) -> bool {
    element.role == Role::Character
        && marked.mark.is_negation()
        && text[element.start..].starts_with(['不', '没', '无', '未', '非', '勿'])
}

/// `有` of `没有`, `已` of `已获批准`: they stand on one side of a negation only. `有机` and `已婚` are kinds.
pub(super) fn is_auxiliary(text: &str, element: &Element) -> bool {
    const KINDS: [char; 14] =
        ['机', '機', '线', '線', '限', '色', '效', '害', '毒', '人', '氧', '名', '婚', '关'];
    element.role == Role::Character
        && text[element.start..].strip_prefix(['有', '已']).is_some_and(|rest| !rest.starts_with(KINDS))
}
