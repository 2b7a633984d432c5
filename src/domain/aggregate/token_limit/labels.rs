//! What introduces the blocks behind it without being a heading.

/// A longer line is no label. In bytes.
const LABEL_MAX: usize = 120;

/// Whether a block is a label: one line in strong emphasis, with a colon or without the end of a sentence, as
/// `**Weaknesses:**` and `**Day 1**`.
pub(super) fn is_label(block: &str) -> bool {
    let Some(rest) = block.strip_prefix("**") else { return false };
    let bare = rest.strip_suffix([':', '：']).map_or(rest, str::trim_end);
    let Some(inside) = bare.strip_suffix("**") else { return false };
    let ends = inside.ends_with(['.', '!', '?', '。', '！', '？', '…']);
    let has_words = inside.contains(char::is_alphanumeric);
    block.len() <= LABEL_MAX
        && has_words
        && !inside.contains(['*', '\n'])
        && (!ends || bare.len() < rest.len())
}

/// Whether a block ends with a colon, also within emphasis, and therefore introduces what follows.
pub(super) fn leads(block: &str) -> bool {
    block.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}
