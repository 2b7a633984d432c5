//! The pieces of a body, made when they are written: an answer of 16 MiB in 10,000 pieces needs one piece at a time.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

/// Pieces of a body, by their place.
#[derive(Clone)]
pub struct Frames {
    count: u64,
    make: Arc<dyn Fn(u64) -> Bytes + Send + Sync>,
}

impl Frames {
    /// `count` pieces; `make` is asked for 0 to `count - 1`, in order and once each.
    pub fn new(count: u64, make: impl Fn(u64) -> Bytes + Send + Sync + 'static) -> Self {
        Self { count, make: Arc::new(make) }
    }

    /// One piece, or none where it is empty.
    pub fn one(piece: impl Into<Bytes>) -> Self {
        let piece = piece.into();
        Self::new(u64::from(!piece.is_empty()), move |_| piece.clone())
    }

    /// A document that is cut into up to `count` pieces of about the same length.
    pub fn cut(document: impl Into<Bytes>, count: u64) -> Self {
        let document = document.into();
        let length = document.len() as u64;
        let count = count.clamp(1, length.max(1)).min(length);
        let place = move |index: u64| usize::try_from(length * index / count.max(1)).unwrap_or(usize::MAX);
        Self::new(count, move |index| document.slice(place(index)..place(index + 1)))
    }

    /// These, one after the other.
    pub fn list(pieces: Vec<Bytes>) -> Self {
        let place = |index| usize::try_from(index).unwrap_or(usize::MAX);
        Self::new(pieces.len() as u64, move |index| pieces.get(place(index)).cloned().unwrap_or_default())
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The piece at `index`.
    pub fn make(&self, index: u64) -> Bytes {
        (self.make)(index)
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames").field("count", &self.count).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_cut_into_pieces_that_make_it_up() {
        for (text, pieces, wanted) in
            [("", 3, 0), ("a", 3, 1), ("abcdefg", 3, 3), ("abcdefg", 1, 1), ("abc", u64::MAX, 3)]
        {
            let frames = Frames::cut(text, pieces);
            let whole: Vec<u8> = (0..frames.count()).flat_map(|at| frames.make(at)).collect();
            assert_eq!((frames.count(), whole), (wanted, text.as_bytes().to_vec()), "{text} {pieces}");
        }
    }
}
