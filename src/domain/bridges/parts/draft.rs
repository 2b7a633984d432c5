//! A draft that grows in several texts, read as one.

use std::collections::BTreeSet;

/// What was told of a draft.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// The texts that have begun.
    begun: BTreeSet<Box<str>>,
    /// The one that grows, and its bytes.
    current: Box<str>,
    bytes: u64,
}

/// What a piece is to what was told of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// It goes on with the text that grows.
    More,
    /// It begins the next text.
    Next,
    /// It begins another draft.
    Anew,
}

impl Draft {
    /// Takes a piece: `offset` bytes into the text `path`. Offset 0 of a text that has begun is another draft
    /// (`docs/synthesis.md`), and so is a piece that doesn't fit what was told.
    pub fn take(&mut self, path: &str, offset: u64, text: &str) -> Piece {
        let is_first = self.begun.is_empty();
        let goes_on = path == &*self.current && offset == self.bytes && !is_first;
        let piece = match (goes_on, self.begun.contains(path)) {
            (true, _) => Piece::More,
            (false, false) if !is_first => Piece::Next,
            (false, _) => Piece::Anew,
        };
        if piece == Piece::Anew {
            self.begun.clear();
        }
        if piece != Piece::More {
            self.begun.insert(path.into());
            self.current = path.into();
        }
        self.bytes = offset.saturating_add(text.len() as u64);
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_again_is_another_draft() {
        let pieces = [
            ("findings/0/topic", 0, "Ä", Piece::Anew),
            ("findings/0/topic", 2, "b", Piece::More),
            ("findings/0/content", 0, "c", Piece::Next),
            ("findings/0/content", 1, "d", Piece::More),
            ("findings/0/topic", 0, "A", Piece::Anew),
            ("findings/0/topic", 5, "lost a piece", Piece::Anew),
            ("summary", 0, "", Piece::Next),
            ("summary", 0, "s", Piece::More),
            ("summary", 0, "t", Piece::Anew),
        ];
        let mut draft = Draft::default();
        for (path, offset, text, expected) in pieces {
            assert_eq!(draft.take(path, offset, text), expected, "{path} {offset}");
        }
    }
}
