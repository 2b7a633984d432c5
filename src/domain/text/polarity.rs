//! Words that turn a sentence into its opposite: negations, and pairs such as `increase` and `decrease`.
//!
//! Two sentences whose marks differ never say the same. The pairs are data, found by stem, so that every
//! inflection is covered; Chinese negations are single characters with a list of words in which they negate
//! nothing (`不同`, `未来`). Negations of some thirty other languages are listed as they are written. Time is linear in the
//! words.

use std::ops::Range;
use std::sync::LazyLock;

use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::terms::{self, KnownTerms, TermMap};
use crate::domain::text::words::{Kind, Word};

use self::foreign::{Foreign, Found};
use self::neighbours::{half_of_day, is_no_longer, is_not_yet, moved, no_bounds, won};
pub use self::table::Strength;

mod foreign;
mod languages;
mod neighbours;
mod table;
#[cfg(test)]
mod tests;

/// One side of a pair, or a negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// Which pair, by its place in the table; [`NEGATION`] for a negation.
    pub pair: u8,
    /// Which side of it.
    pub side: u8,
}

/// The `pair` of `not only` (side 0), which is no negation and not `only` either, and of `ne … que` (side 1).
const NOT_ONLY: u8 = u8::MAX - 1;
/// The `pair` of the halves of a day, as `a.m.` and `p.m.` behind a number.
const HALF_OF_DAY: u8 = u8::MAX - 3;
/// The `pair` of `won the …` and `lost the …`, which alone may be a currency, or nothing that anybody wins.
const WON_AND_LOST: u8 = u8::MAX - 4;
/// The `pair` of what belongs to a negation and says nothing by itself: `pas` in `ne … pas`.
const STRENGTHENS: u8 = u8::MAX - 2;

/// What answers a question in the negative.
const REPLIES: [&str; 10] = ["no", "nein", "non", "não", "nee", "nej", "不", "不是", "没有", "いいえ"];
/// Bytes in which a text begins with a no.
const REPLY_BYTES_MAX: usize = 12;

/// The `pair` of `increase` and `decrease`, the first of the table.
const RISE_AND_FALL: u8 = 0;

/// The `pair` of negations.
pub const NEGATION: u8 = u8::MAX;

impl Mark {
    /// Whether it is a negation.
    pub fn is_negation(self) -> bool {
        self.pair == NEGATION
    }

    /// Whether it is a negation, or belongs to one: then it says nothing else.
    pub fn belongs_to_negation(self) -> bool {
        self.is_negation() || self.pair == STRENGTHENS
    }

    /// Whether it is another side of the same pair.
    pub fn opposes(self, other: Self) -> bool {
        self.pair == other.pair && self.side != other.side
    }

    /// Whether it is another side of the same pair, and both can't be meant where one stands for the other: `bought` for `sold`,
    /// not `must` for `may`.
    pub fn replaces(self, other: Self) -> bool {
        let listed = table::PAIRS.get(usize::from(self.pair));
        self.opposes(other) && listed.is_none_or(|pair| pair.0 != Strength::Loose)
    }

    /// Whether it says that something rose or fell.
    pub fn moves(self) -> bool {
        self.pair == RISE_AND_FALL
    }

    /// Whether its opposite can't also be true of the same subject, as with `increase` and `decrease`, unlike `before`
    /// and `after`.
    pub fn strong(self) -> bool {
        let listed = table::PAIRS.get(usize::from(self.pair));
        matches!(self.pair, HALF_OF_DAY | WON_AND_LOST)
            || listed.is_some_and(|pair| pair.0 == Strength::Strong)
    }
}

/// A mark and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// What it is.
    pub mark: Mark,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Marked {
    /// Its place in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// It as it is written: of a Japanese negation the whole ending, which is known by its first character.
    pub fn written<'t>(&self, text: &'t str) -> &'t str {
        let ending = foreign::japanese(text, self.start).filter(|_| self.mark.is_negation());
        &text[self.start..ending.map_or(self.end, |ending| self.start + ending.len())]
    }
}

/// The negations and polarity words of a text, in its order. `words` are the words of the same text.
pub fn polarity(text: &str, words: &[Word]) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    let mut foreign = Foreign::default();
    // What is plain of the whole need not be asked of each word.
    let is_plain = text.is_ascii() && memchr::memchr(b'\'', text.as_bytes()).is_none();
    let listed = &*MARKS;
    // A bit says so of nearly all words.
    let is_out = |word: &Word| is_plain && word.end - word.start > 2 && !listed.may_hold(word.term);
    for (at, word) in words.iter().enumerate() {
        let mark = match word.kind {
            // What is said behind it is denied there.
            _ if at == 0 && is_reply(text, word) => Some(Mark { pair: STRENGTHENS, side: 0 }),
            Kind::Cjk => negated(text, word).or_else(|| TABLE.get(word.term).copied()),
            Kind::Content | Kind::Stopword if is_out(word) || is_none(text, words, at) => None,
            Kind::Content | Kind::Stopword => of_word(text, words, at, &mut foreign),
            Kind::Number => None,
        };
        if let Some(mark) = mark {
            let end = if word.kind == Kind::Cjk && mark.is_negation() { word.start + 3 } else { word.end };
            found.push(Marked { mark, start: word.start, end });
        }
    }
    once_for_neither(text, &mut found);
    no_bounds(text, words, &mut found);
    found
}

/// Whether a text begins with a no that answers a question: `No, it does not work.`
fn is_reply(text: &str, word: &Word) -> bool {
    word.end <= REPLY_BYTES_MAX
        && text[word.end..].starts_with([',', '，', '.', ';'])
        && REPLIES.contains(&text[..word.end].trim_start().to_lowercase().as_str())
}

/// Whether a text begins with a yes or a no that answers a question.
pub fn reply(text: &str) -> Option<bool> {
    const YES: [&str; 8] = ["yes", "ja", "oui", "sí", "sim", "是", "是的", "はい"];
    let head = &text[..text.floor_char_boundary(REPLY_BYTES_MAX.min(text.len()))];
    // Most begin with longer words.
    if !head.bytes().any(|byte| matches!(byte, b',' | b'.' | b';') || !byte.is_ascii()) {
        return None;
    }
    let (word, _) = head.split_once([',', '，', '.', ';', '、'])?;
    let word = word.trim().to_lowercase();
    let is_no = REPLIES.contains(&word.as_str());
    (is_no || YES.contains(&word.as_str())).then_some(!is_no)
}

/// `nor` negates nothing again where `neither` does.
fn once_for_neither(text: &str, found: &mut [Marked]) {
    let mut neither = false;
    for marked in found {
        let word = &text[marked.range()];
        if neither && word.eq_ignore_ascii_case("nor") {
            marked.mark = Mark { pair: STRENGTHENS, side: 0 };
        }
        neither |= word.eq_ignore_ascii_case("neither");
    }
}

/// Whether a text has a negation. `words` are the words of the same text.
pub fn negates(text: &str, words: &[Word]) -> bool {
    polarity(text, words).iter().any(|marked| marked.mark.is_negation())
}

/// Whether a word is plainly no mark, and nothing else need be known of it.
fn is_none(text: &str, words: &[Word], at: usize) -> bool {
    let word = &words[at];
    if MARKS.may_hold(word.term) {
        return false;
    }
    let written = &text.as_bytes()[word.range()];
    // `9 a.m.` and `went up`: what such a word is, its neighbours say.
    let is_by_neighbours = written.len() <= 2
        && match written[0].to_ascii_lowercase() {
            b'a' | b'p' => at.checked_sub(1).is_some_and(|before| words[before].kind == Kind::Number),
            first => first == b'u',
        };
    !is_by_neighbours && written.iter().all(|byte| byte.is_ascii() && *byte != b'\'')
}

/// All words that may be a mark, in whatever language.
static MARKS: LazyLock<KnownTerms<()>> = LazyLock::new(|| {
    let by_neighbours = terms::table([("yet", ())]);
    let all = TABLE.terms().chain(foreign::listed()).chain(by_neighbours.into_keys());
    all.map(|term| (term, ())).collect::<TermMap<()>>().into()
});

fn of_word(text: &str, words: &[Word], at: usize, foreign: &mut Foreign) -> Option<Mark> {
    if let Some(mark) = english(text, words, at) {
        if mark.is_negation() {
            foreign.note(words, at);
        }
        return Some(mark);
    }
    foreign.read(text, words, at).map(|found| match found {
        Found::Negation => Mark { pair: NEGATION, side: 0 },
        Found::Strengthens => Mark { pair: STRENGTHENS, side: 0 },
        Found::Only => Mark { pair: NOT_ONLY, side: 1 },
    })
}

fn english(text: &str, words: &[Word], at: usize) -> Option<Mark> {
    let word = &words[at];
    let written = text.get(word.range())?;
    if written.ends_with("n't")
        || written.ends_with("n’t")
        || written.ends_with("N'T")
        || written.ends_with("N’T")
    {
        return Some(Mark { pair: NEGATION, side: 0 });
    }
    if written.len() <= 2
        && let Some(side) = half_of_day(text, words, at)
    {
        return Some(Mark { pair: HALF_OF_DAY, side });
    }
    if let Some(mark) = by_neighbours(text, words, at) {
        return Some(mark);
    }
    let mark = *TABLE.get(word.term)?;
    let next = words.get(at + 1).and_then(|next| Some((text.get(next.range())?, next.kind)));
    let negates_nothing = |(next, kind): (&str, Kind)| {
        // `No. 5`.
        !next.is_empty() && kind == Kind::Number && text[word.end..].starts_with('.')
    };
    // May the month, no modal verb.
    let month = written == "May" && next.is_some_and(|(_, kind)| kind == Kind::Number);
    if mark.is_negation() && next.is_some_and(|(next, _)| next.eq_ignore_ascii_case("only")) {
        return Some(Mark { pair: NOT_ONLY, side: 0 });
    }
    let is_no_side = || table::NO_SIDES.iter().any(|word| word.eq_ignore_ascii_case(written));
    let harmless = month || is_no_side() || (mark.is_negation() && next.is_some_and(negates_nothing));
    (!harmless).then_some(mark)
}

/// What a word is by those beside it.
fn by_neighbours(text: &str, words: &[Word], at: usize) -> Option<Mark> {
    // Most are out by their first letter: `lower`, `longer`, `lost`, `up`, `down`, `won`, `yet`.
    if !matches!(text.as_bytes()[words[at].start] | 0x20, b'l' | b'u' | b'd' | b'w' | b'y') {
        return None;
    }
    if let Some(side) = moved(text, words, at) {
        return Some(Mark { pair: RISE_AND_FALL, side });
    }
    if let Some(side) = won(text, words, at) {
        return Some(Mark { pair: WON_AND_LOST, side });
    }
    if is_not_yet(text, words, at) {
        return Some(Mark { pair: NEGATION, side: 0 });
    }
    is_no_longer(text, words, at).then_some(Mark { pair: STRENGTHENS, side: 0 })
}

/// A Chinese or Japanese negation that begins a pair of characters.
fn negated(text: &str, word: &Word) -> Option<Mark> {
    let rest = text.get(word.start..)?;
    if foreign::japanese(text, word.start).is_some() {
        return Some(Mark { pair: NEGATION, side: 0 });
    }
    if !rest.starts_with(table::CHINESE_NEGATIONS) || begins_with_any(rest, table::NO_NEGATIONS) {
        return None;
    }
    let before = &text[..word.start];
    let part_of_word = table::NO_NEGATIONS_BEFORE.iter().any(|word| {
        let first = word.len() - 3;
        before.ends_with(&word[..first]) && rest.starts_with(&word[first..])
    });
    (!part_of_word).then_some(Mark { pair: NEGATION, side: 0 })
}

static TABLE: LazyLock<KnownTerms<Mark>> = LazyLock::new(|| {
    let negations = table::NEGATIONS.iter().map(|word| (*word, Mark { pair: NEGATION, side: 0 }));
    let sides = table::PAIRS.iter().enumerate().flat_map(|(pair, (_, sides))| {
        sides
            .iter()
            .enumerate()
            .map(move |(side, words)| (*words, Mark { pair: pair as u8, side: side as u8 }))
    });
    terms::table(
        negations.chain(sides.flat_map(|(words, mark)| words.split(' ').map(move |word| (word, mark)))),
    )
    .into()
});
