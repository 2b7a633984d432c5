//! Two things that changed places around the word that tells which is which: `Redis before Postgres`, `Postgres before Redis`.
//!
//! Clauses and adverbials change places freely (`In July rates rose`), so an order with two falling steps is fine elsewhere. What is
//! asked here is asked last, of texts that say the same otherwise. Linear but for a sort.

use std::sync::LazyLock;

use super::features::Features;
use super::turned_round::is_turned_round;
use crate::domain::text::phrases::has_any;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Term, Word};

/// Stand before a thing, and say nothing of its place.
const ARTICLES: &[&str] =
    &["a", "an", "the", "its", "their", "his", "her", "our", "your", "this", "these", "both"];
/// Stand between things of the same rank: `x and y` is `y and x`.
const LEVEL: &[&str] =
    &["and", "or", "between", "but", "while", "is", "are", "was", "were", "be", "also", "as"];

/// Say which of two things comes first, whatever joins them: `and then`.
const ORDER: &[&str] = &["then", "before", "after"];

static IN_ORDER: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(ORDER.iter().map(|word| (*word, ()))).into());

static ARTICLE_OR_LEVEL: LazyLock<KnownTerms<bool>> = LazyLock::new(|| {
    let articles = ARTICLES.iter().map(|word| (*word, false));
    terms::table(articles.chain(LEVEL.iter().map(|word| (*word, true)))).into()
});

/// Whether two things changed places in a way that changes what is said. `common` are the places of the elements that both texts
/// have once, in the order of the first, without `from`, `to` and the like.
pub(super) fn exchanged(one: &Features<'_>, other: &Features<'_>, common: &[(usize, usize)]) -> bool {
    letters_turned(one, other, common)
        || around_a_word(one, other, common).unwrap_or(false)
        || is_turned_round(one, other)
}

/// Whether a word is an article, or stands between things of the same rank.
pub(super) fn is_level(word: Term) -> bool {
    ARTICLE_OR_LEVEL.get(word).is_some()
}

/// Whether things that are told apart by letters (`Team A`, `Team B`) stand in another order, and all else in the same.
fn letters_turned(one: &Features<'_>, other: &Features<'_>, common: &[(usize, usize)]) -> bool {
    let letters = |of: &Features<'_>| letters(of).map(|(letter, _)| letter).collect::<Vec<_>>();
    let (mut mine, mut theirs) = (letters(one), letters(other));
    if mine.len() < 2 || mine == theirs || are_level(one) {
        return false;
    }
    mine.sort_unstable();
    theirs.sort_unstable();
    let is_word = |&&(place, _): &&(usize, usize)| {
        let element = &one.elements[place];
        element.end - element.start > 1
    };
    mine == theirs && common.iter().filter(is_word).is_sorted_by_key(|(_, theirs)| *theirs)
}

/// Whether things that letters tell apart stand beside each other: `hepatitis B and hepatitis C`.
fn are_level(of: &Features<'_>) -> bool {
    let places: Vec<usize> = letters(of).map(|(_, place)| place).collect();
    let joined = |between: &str| has_any(between, &[" and ", " or ", "and/or", ", "]);
    places.windows(2).all(|pair| joined(&of.text[pair[0]..pair[1]]))
}

/// Single capital letters behind a word in small ones, and their places, in their order.
fn letters<'f>(of: &'f Features<'_>) -> impl Iterator<Item = (u8, usize)> + 'f {
    let bytes = of.text.as_bytes();
    let names = move |word: &Word| {
        let behind_word =
            word.start > 1 && bytes[word.start - 1] == b' ' && bytes[word.start - 2].is_ascii_lowercase();
        word.end - word.start == 1 && behind_word && bytes[word.start].is_ascii_uppercase()
    };
    let letters =
        of.words.iter().filter(move |word| names(word)).map(move |word| (bytes[word.start], word.start));
    letters.filter(|(letter, _)| *letter != b'I')
}

/// Whether the elements of two texts are `… x y …` and `… y x …`, with the same word between `x` and `y` both times.
fn around_a_word(one: &Features<'_>, other: &Features<'_>, common: &[(usize, usize)]) -> Option<bool> {
    let mut order: Vec<usize> = common.iter().map(|&(_, theirs)| theirs).collect();
    order.sort_unstable();
    let rank = |at: usize| order.binary_search(&common[at].1).ok();
    // `x` is all from the first that stands elsewhere to where that should be, `y` what stands there in its place.
    let x = (0..common.len()).find(|at| rank(*at) != Some(*at))?;
    let y = (x..common.len()).find(|at| rank(*at) == Some(x))?;
    let end = y + rank(x)?.checked_sub(x)?;
    let moved = |at: usize| if at < y { at + (end - y) } else { at - (y - x) };
    if end > common.len() || (x..end).any(|at| rank(at) != Some(moved(at))) {
        return None;
    }
    let mine = |from: Option<usize>, to: usize| joints(one, from.map(|at| common[at].0), common[to].0);
    let theirs = |from: Option<usize>, to: usize| joints(other, from.map(|at| common[at].1), common[to].1);
    let between = mine(Some(y - 1), y);
    let is_level = between.iter().any(|word| ARTICLE_OR_LEVEL.get(*word) == Some(&true))
        && !between.iter().any(|word| IN_ORDER.get(*word).is_some());
    // `in May in France` is `in France in May`: each has its word with it.
    let before = x.checked_sub(1);
    let brings_its_own = mine(before, x) == between || theirs(before, y) == between;
    Some(!between.is_empty() && !is_level && !brings_its_own && theirs(Some(end - 1), x) == between)
}

/// The function words between two elements, without articles.
fn joints(of: &Features<'_>, from: Option<usize>, to: usize) -> Vec<Term> {
    let start = from.map_or(0, |from| of.elements[from].end);
    let end = of.elements[to].start;
    let first = of.words.partition_point(|word| word.start < start);
    let between = of.words[first..].iter().take_while(|word| word.start < end);
    let joints =
        between.filter(|word| word.kind == Kind::Stopword && ARTICLE_OR_LEVEL.get(word.term) != Some(&false));
    joints.map(|word| word.term).collect()
}
