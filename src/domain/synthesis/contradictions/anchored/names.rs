//! The names with which sentences begin, and headings that are names.

use crate::domain::synthesis::claims::subject_terms;
use crate::domain::synthesis::contradictions::clauses::is_verb;
use crate::domain::synthesis::contradictions::outlets::is_outlet;
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::phrases::ends_with_any;
use crate::domain::text::words::{Kind, Lexicon};

/// Words of a name.
const NAME_WORDS_MAX: usize = 4;
/// Words of a heading that is a name, and of one with a number in it.
const HEADING_WORDS_MAX: (usize, usize) = (2, 3);
/// What is numbered without being a thing of its own: `Step 2`, `Option 1`.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "section", "step", "day", "week", "month", "year", "phase", "part", "chapter", "option", "table", "figure", "version", "question", "task", "subtask", "source", "page", "item", "no", "number", "case", "level", "stage",
    "finding", "point", "answer", "result", "report", "round", "sprint", "tag", "woche", "schritt", "teil", "kapitel", "abschnitt", "phase", "étape", "partie", "jour", "paso", "parte", "día",
];
/// Words of a sentence that are read at most: of what stands before a name, two articles, the name, and one behind it.
const READ_MAX: usize = 3 + 2 + NAME_WORDS_MAX + 1;
/// Marks before a sentence.
const AROUND: [char; 7] = ['*', '_', '#', '"', '“', ' ', '-'];
/// What may stand before a name with which a sentence begins.
#[rustfmt::skip]
static BEFORE: Beginnings = Beginnings::new(&[
    "in ", "at ", "for ", "regarding ", "about ", "as for ", "with ", "on ", "i researched ", "i looked at ", "i looked into ", "i reviewed ", "i examined ", "i analysed ", "i analyzed ", "i tested ", "i compared ",
    "we researched ", "we reviewed ", "we tested ", "my subject is ", "über ", "bei ", "ich habe ", "pour ", "à ", "chez ", "en ", "para ", "sobre ",
]);
/// Articles; behind those of German any noun has a capital.
static ARTICLES: Beginnings = Beginnings::new(&["the ", "le ", "la ", "l'", "el ", "los "]);
static ARTICLES_GERMAN: Beginnings = Beginnings::new(&["der ", "die ", "das ", "dem ", "den ", "ein "]);
/// What stands behind a name, besides verbs: `Smith et al.`, `Marie and Pierre`.
const BEHIND: [&str; 6] = ["et", "and", "und", "y", "e", "of"];
/// How words end that are no names: `Coverage`, `Insurance`, `According`.
const ENDINGS: [&str; 12] =
    ["age", "ance", "ence", "ment", "ness", "ity", "ing", "ed", "ly", "tion", "ung", "keit"];
/// Bytes of a word that ends so: a shorter one may be a name.
const ENDING_MIN: usize = 7;

/// The words of the name with which a sentence begins; none where it begins with none.
pub(super) fn named<'t>(sentence: &'t str, lexicon: &mut Lexicon) -> Vec<&'t str> {
    let text = sentence.trim_start_matches(AROUND);
    let (behind, is_led) = behind_any(text, &BEFORE);
    let (behind, has_article) = behind_any(behind, &ARTICLES);
    let (behind, is_german) = behind_any(behind, &ARTICLES_GERMAN);
    let mut names = Vec::new();
    let mut next = None;
    for word in behind.split([' ', '\u{a0}']).take(NAME_WORDS_MAX + 1) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let is_number = bare.starts_with(|c: char| c.is_ascii_digit());
        let is_name = bare.starts_with(char::is_uppercase)
            || is_number && !names.is_empty()
            || !is_number && is_humped(bare);
        if !is_name {
            next = Some(bare);
            break;
        }
        names.push(bare);
        if word.len() > bare.len() && !word.ends_with(bare) {
            break;
        }
    }
    let tells = |lexicon: &mut Lexicon| !subject_terms(&names.join(" "), lexicon).is_empty();
    let is_marked = names.len() > 1 && tells(lexicon) || names.first().is_some_and(|name| is_code(name));
    let is_one = match (names.first(), is_german) {
        (None, _) | (_, true) => is_marked,
        (Some(name), false) => is_marked || is_led || has_article || is_plain_name(name, next, lexicon),
    };
    if is_one && !is_outlet(&names.join(" ")) { names } else { Vec::new() }
}

/// Whether a sentence and what has more around it have all words alike that are read of both.
pub(super) fn begins_alike(sentence: &str, whole: &str) -> bool {
    whole.starts_with(sentence)
        && !sentence.starts_with(AROUND)
        && sentence.bytes().filter(|byte| *byte == b' ').count() > READ_MAX
}

/// The words of a heading that is a name alone: `Huddle`, `Hotel Adler`, not `Pricing` or `Free plan`.
pub(super) fn headed<'t>(heading: &'t str, lexicon: &mut Lexicon) -> Vec<&'t str> {
    let bare = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '#'));
    let names: Vec<&str> = bare.split(' ').map(|word| word.trim_matches(['*', '_', ':'])).collect();
    let is_name =
        |word: &&str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric);
    let is_model = || names.len() <= HEADING_WORDS_MAX.1 && is_numbered(&names);
    let may_name = names.len() <= HEADING_WORDS_MAX.0 && names.iter().all(is_name) || is_model();
    let is_one = may_name && !subject_terms(bare, lexicon).is_empty();
    if is_one { names } else { Vec::new() }
}

/// `Pixel 9`, `MacBook Pro 14`, `iPhone 16`: a name with a number behind it, which is no year.
fn is_numbered(names: &[&str]) -> bool {
    let Some((last, before)) = names.split_last() else { return false };
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit()) && (1..=3).contains(&last.len());
    let is_name = |word: &&str| {
        (word.starts_with(char::is_uppercase) || is_humped(word)) && word.chars().all(char::is_alphanumeric)
    };
    let is_kind = |word: &&str| NUMBERED.contains(&word.to_lowercase().as_str());
    is_number && !before.is_empty() && before.iter().all(is_name) && !before.iter().any(is_kind)
}

/// `iPhone`, `eBay`: a small letter and a capital.
fn is_humped(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_lowercase) && letters.next().is_some_and(char::is_uppercase)
}

fn behind_any<'t>(text: &'t str, words: &Beginnings) -> (&'t str, bool) {
    let behind = words.like(text).find_map(|word| {
        let (begin, rest) = text.split_at_checked(word.len())?;
        let is_one = begin.eq_ignore_ascii_case(word) || !word.is_ascii() && begin.to_lowercase() == word;
        is_one.then_some(rest)
    });
    (behind.unwrap_or(text), behind.is_some())
}

/// `X100`, `AWS`.
fn is_code(word: &str) -> bool {
    word.len() > 1
        && (word.contains(|c: char| c.is_ascii_digit()) || word.chars().skip(1).any(char::is_uppercase))
}

/// Whether the only word with a capital, with which a sentence begins, names something: `Tesla reported`, not `Prices rose`.
fn is_plain_name(word: &str, next: Option<&str>, lexicon: &mut Lexicon) -> bool {
    // What costs most comes last.
    let may_name = word.len() > 2
        && !word.ends_with('s')
        && next.is_some_and(|next| next.starts_with(char::is_lowercase))
        && !(word.len() >= ENDING_MIN && ends_with_any(word, &ENDINGS));
    may_name
        && next.is_some_and(|next| is_verb(next) || next.ends_with("ed") || BEHIND.contains(&next))
        && lexicon.words(word).iter().all(|word| word.kind == Kind::Content)
        && !subject_terms(word, lexicon).is_empty()
}
