//! The words of a text that is nearly another one, whose words are known: only what differs is read.
//!
//! A blank divides words, and nothing around it makes a difference to those on its other side. So what two texts have in
//! common between blanks has the same words, however long that is. Linear in both texts.

use std::ops::Range;

use super::{Lexicon, Word};

/// A text whose words are known.
#[derive(Clone, Copy)]
pub struct Known<'t> {
    /// The text.
    pub text: &'t str,
    /// Its words.
    pub words: &'t [Word],
}

impl Lexicon {
    /// The words of a text, as [`Self::words`] finds them: most as `known` has them, where it is nearly the same.
    pub fn words_again(&mut self, text: &str, known: Known<'_>) -> Vec<Word> {
        let (new, old) = (text.as_bytes(), known.text.as_bytes());
        let mut words = Vec::with_capacity(known.words.len() + 16);
        let mut left = known.words;
        let (mut at, mut before) = (0, 0);
        while at < new.len() && before < old.len() {
            let same = same_to_blank(&new[at..], &old[before..]);
            let moved =
                |word: &Word| Word { start: word.start - before + at, end: word.end - before + at, ..*word };
            words.extend(take_before(&mut left, before + same).iter().map(moved));
            (at, before) = (at + same, before + same);
            let part = at..end_of_part(new, at);
            before = end_of_same_part(old, before, new, &part);
            take_before(&mut left, before);
            at = part.end;
            self.read_on(text, part, &mut words);
        }
        self.read_on(text, at..text.len(), &mut words);
        words
    }
}

/// The words that begin before a place, taken off the others.
fn take_before<'w>(words: &mut &'w [Word], place: usize) -> &'w [Word] {
    let count = words.iter().position(|word| word.start >= place).unwrap_or(words.len());
    let (taken, left) = words.split_at(count);
    *words = left;
    taken
}

/// How many bytes two texts begin with in common, up to the last blank among them, or to both ends.
fn same_to_blank(one: &[u8], other: &[u8]) -> usize {
    const STEP: usize = 16;
    let steps = one.chunks_exact(STEP).zip(other.chunks_exact(STEP));
    let long = steps.take_while(|(one, other)| one == other).count() * STEP;
    let rest = one[long..].iter().zip(&other[long..]).take_while(|(one, other)| one == other).count();
    let same = long + rest;
    if same == one.len() && same == other.len() {
        return same;
    }
    memchr::memrchr2(b' ', b'\n', &one[..same]).unwrap_or(0)
}

/// Where the part ends that begins with the blank, or the beginning of the text, at a place: before the next blank.
fn end_of_part(text: &[u8], at: usize) -> usize {
    let behind = text.get(at + 1..).unwrap_or_default();
    memchr::memchr2(b' ', b'\n', behind).map_or(text.len(), |found| at + 1 + found)
}

/// Where the other text goes on that had something else than `part` of `new`: with the next part of the same line, or with the
/// next line where that does. So one line that differs leaves the next ones alone.
fn end_of_same_part(old: &[u8], at: usize, new: &[u8], part: &Range<usize>) -> usize {
    if old.get(at) == Some(&b'\n') && new.get(part.start) != Some(&b'\n') {
        return at; // its line is the shorter one
    }
    if new.get(part.end) == Some(&b'\n') {
        let behind = old.get(at + 1..).unwrap_or_default();
        return memchr::memchr(b'\n', behind).map_or(old.len(), |found| at + 1 + found);
    }
    end_of_part(old, at)
}
