//! Words as they are written: an abbreviation, a word with a hyphen or a name with a letter is one.

use std::cell::LazyCell;
use std::ops::Range;

use crate::domain::text::language::{Grammar, groups_by_point, may_hold_together};
use crate::domain::text::scripts::{is_mark, is_wide};

/// Words of a label at most.
const WORDS_MAX: usize = 3;
/// Bytes of a word that are looked at, each way.
const WORD_BYTES_MAX: usize = 192;

/// The first few different words that begin or go on at some places, in the text's order; none that only holds a sentence of its
/// language together, where there are others.
pub(super) fn chosen(text: &str, places: impl Iterator<Item = usize> + Clone) -> Vec<Range<usize>> {
    let grammar = LazyCell::new(|| Grammar::of(text));
    let is_other = LazyCell::new(|| !grammar.is_foreign && groups_by_point(text));
    let says = |range: &Range<usize>| {
        let word = text[range.clone()].to_lowercase();
        // Where several languages have them all, `La`, `de`, none tells which it is.
        !(may_hold_together(&word) && (grammar.holds_together(&word) || *is_other))
    };
    let mut chosen: Vec<Range<usize>> = Vec::with_capacity(WORDS_MAX);
    let mut rest: Vec<Range<usize>> = Vec::new();
    for place in places {
        let range = named(text, place);
        if range.is_empty() {
            continue;
        }
        let is_new = |known: &Range<usize>| {
            let (known, new) = (&text[known.clone()], &text[range.clone()]);
            !known.eq_ignore_ascii_case(new)
                && letter_of(known).is_none_or(|letter| letter_of(new) != Some(letter))
        };
        if chosen.len() == WORDS_MAX {
            break;
        } else if says(&range) && chosen.iter().all(is_new) {
            chosen.push(range);
        } else if rest.len() < WORDS_MAX {
            rest.push(range);
        }
    }
    let mut chosen = if chosen.is_empty() { rest } else { chosen };
    chosen.sort_by_key(|range| range.start);
    chosen
}

/// The word around a place, with the letter that tells it from others of its name: `Team A`.
fn named(text: &str, place: usize) -> Range<usize> {
    let word = whole(text, place);
    if is_letter(&text[word.clone()]) {
        let before = text[..word.start].strip_suffix(' ').filter(|before| before.ends_with(is_small));
        return before.map_or(word.start, |before| whole(text, before.len() - 1).start)..word.end;
    }
    let behind = text[word.end..].strip_prefix(' ').map(|_| whole(text, word.end + 1));
    let end =
        behind.filter(|behind| is_letter(&text[behind.clone()]) && text[word.clone()].ends_with(is_small));
    word.start..end.map_or(word.end, |behind| behind.end)
}

/// The word around a place; points and hyphens inside it belong to it.
fn whole(text: &str, place: usize) -> Range<usize> {
    let joins = |c: char| matches!(c, '-' | '.' | '\'' | '’' | '\u{200C}' | '\u{200D}');
    let from = text.floor_char_boundary(place.saturating_sub(WORD_BYTES_MAX));
    let to = text.floor_char_boundary(place + WORD_BYTES_MAX);
    let before = from + text[from..place].trim_end_matches(|c| is_in_word(c) || joins(c)).len();
    let start = text[before..place].find(is_in_word).map_or(place, |skipped| before + skipped);
    let rest = text[place..to].trim_start_matches(|c| is_in_word(c) || joins(c));
    let end = place.max(text[..to - rest.len()].trim_end_matches(joins).len());
    let is_dotted = text[start..end].split('.').all(|part| part.len() == 1) && end > start + 1;
    start..end + usize::from(is_dotted && text[end..].starts_with('.'))
}

/// A letter or a digit, of a script with words, and what stands among them.
fn is_in_word(c: char) -> bool {
    c == '_' || is_mark(c) || c.is_alphanumeric() && !is_wide(c)
}

/// The letter that names what is said: of `Team A`, and alone.
fn letter_of(name: &str) -> Option<&str> {
    name.rsplit(' ').next().filter(|last| is_letter(last))
}

/// A letter that names: no `I`.
fn is_letter(word: &str) -> bool {
    word.len() == 1 && word != "I" && word.as_bytes()[0].is_ascii_uppercase()
}

fn is_small(c: char) -> bool {
    c.is_ascii_lowercase()
}
