//! The marks that may end a sentence.

/// What kind of end a terminator marks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A single `.`: an end, or part of an abbreviation or a number.
    Stop,
    /// `!` or `?` of ASCII.
    Strong,
    /// `…` or `...`: an end only where a new sentence visibly begins.
    Ellipsis,
    /// A mark that needs no space after it: `。`, `！`, `？`, `।`.
    Full,
    /// The full-width full stop, which is also a decimal point.
    FullStop,
    /// U+2029.
    Paragraph,
}

pub(super) fn mark_of(mark: char) -> Option<Mark> {
    match mark {
        '.' => Some(Mark::Stop),
        '!' | '?' | '؟' | '۔' | '։' | '‼' | '⁇' | '⁈' | '⁉' => Some(Mark::Strong),
        '…' => Some(Mark::Ellipsis),
        '。' | '！' | '？' | '｡' | '।' | '॥' | '።' => Some(Mark::Full),
        '．' => Some(Mark::FullStop),
        '\u{2029}' => Some(Mark::Paragraph),
        _ => None,
    }
}

/// What several terminators in a row are together.
pub(super) fn joined(first: Mark, also: Mark) -> Mark {
    match (first, also) {
        (Mark::Paragraph, _) | (_, Mark::Paragraph) => Mark::Paragraph,
        (Mark::Full, _) | (_, Mark::Full) => Mark::Full,
        (Mark::Strong, _) | (_, Mark::Strong) => Mark::Strong,
        (Mark::Stop | Mark::Ellipsis | Mark::FullStop, Mark::Stop | Mark::Ellipsis | Mark::FullStop) => {
            Mark::Ellipsis
        }
    }
}
