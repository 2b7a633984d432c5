//! What a model says of its own work and of itself, and what it wishes who asked: `I've reviewed the agreement.`, `Here's a relaxed
//! itinerary!`, `Please consult a lawyer about your case.`
//!
//! Each is told by how it begins *and* by what else it doesn't say: a figure, a second clause or a condition may be an answer.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use self::phrases::{
    ADVICE, ANSWERS, ANYTHING, ASKED, CHECKS, CONDITIONS, DONE, EXPERTS, FOUND, GOES_ON, HELPED, HOPES,
    INTRODUCES, ITSELF, KNOWS_NOT, LABELS, MACHINES, OWN, PAGES, READ, SENDS, SHOWS, SINCE, SORRY, SPARES,
    TALKS, TELLS, THANKS, VERBS, WIDE_DONE, WILL, WISHES, WORKS,
};
use super::super::asides::begins_with;
use crate::domain::aggregate::take_in::announces_work;
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::phrases::{begins_with_any, ends_with_any, has_any};

mod phrases;
mod progress;
#[cfg(test)]
mod tests;

/// Words of such a sentence, and of a wish.
const WORDS_MAX: usize = 16;
const REFERRAL_WORDS_MAX: usize = 30;
const WISH_WORDS_MAX: usize = 4;
/// Words of `09:00 and 12:00 UTC`.
const TIME_WORDS_MAX: usize = 5;
/// Characters of one of Japanese.
const WIDE_MAX: usize = 24;

/// A table of beginnings, and what else must hold of a sentence that begins so.
type Told = (&'static [&'static str], fn(&str) -> bool);

const TOLD: [Told; 17] = [
    (DONE, is_done),
    (CHECKS, is_lookup),
    (SHOWS, shows),
    (MACHINES, |said| words(said) <= REFERRAL_WORDS_MAX && !has_figure(said)),
    (SINCE, |said| has(said, KNOWS_NOT) && !has_figure(said)),
    (SORRY, |said| words(said) <= WORDS_MAX && !brings(said)),
    (WISHES, is_wish),
    (HOPES, |said| has(said, HELPED) && words(said) <= WORDS_MAX && !has_figure(said)),
    (SENDS, is_referral),
    (OWN, is_notice),
    (PAGES, |said| words(said) <= WORDS_MAX && !has_figure(said)),
    (WORKS, is_about_to),
    (FOUND, |said| words(said) <= WORDS_MAX && !brings(said.trim_end_matches([':', '.', '*', ' ', '\n']))),
    (CHECKS, |said| has(said, SPARES) && words(said) <= REFERRAL_WORDS_MAX && !brings(said)),
    (THANKS, thanks),
    (TALKS, is_referral_in_general),
    (ITSELF, introduces),
];

/// A beginning, and what else must hold.
type Beginning = (&'static str, fn(&str) -> bool);

/// Those of [`TOLD`] by their first word: every sentence is asked about, and most are out by it.
static BY_FIRST: LazyLock<HashMap<u64, Vec<Beginning>, RandomState>> = LazyLock::new(|| {
    let mut by_first: HashMap<u64, Vec<Beginning>, RandomState> = HashMap::default();
    for (phrases, holds) in TOLD.into_iter().chain(progress::TOLD) {
        for phrase in phrases {
            by_first.entry(first_word(phrase)).or_default().push((phrase, holds));
        }
    }
    by_first
});

/// A number for the first word of a text, whatever its case; two words with the same number are told apart later.
fn first_word(text: &str) -> u64 {
    // Nearly all begin with letters of ASCII, and a blank.
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'\'';
    let end = text.bytes().position(|byte| !is_letter(&byte)).unwrap_or(text.len());
    if text.as_bytes().get(end).is_none_or(u8::is_ascii) {
        return text.as_bytes()[..end]
            .iter()
            .fold(0, |word, byte| with(word, byte.to_ascii_lowercase().into()));
    }
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '¡');
    let plain = |c: char| if c == '’' { '\'' } else { c };
    let lower = text.chars().take_while(is_part).map(plain).flat_map(char::to_lowercase);
    lower.fold(0, with)
}

/// The number of a word with one letter more.
fn with(word: u64, letter: char) -> u64 {
    word.wrapping_mul(31).wrapping_add(u64::from(u32::from(letter)))
}

/// Whether a sentence says what its author worked on: `I've reviewed the agreement's data protection provisions.`
pub fn tells_scope(sentence: &str) -> bool {
    begins_any(sentence, DONE) && is_done(sentence)
}

/// Whether a line above others only says whose work they are: `Based on my research`, `My take`. What it is about says more.
pub fn heads_own_work(label: &str) -> bool {
    #[rustfmt::skip]
    const HEADS: &[&str] = &[
        "based on my ", "based on the search", "based on the research", "my take", "my notes", "my findings", "my answer", "my thoughts", "my analysis", "my summary", "here are my ", "here is my ", "here's my ", "quick notes", "quick note", "from my research",
        "what i found", "here's what i found", "here is what i found",
    ];
    const HEAD_WORDS_MAX: usize = 5;
    begins_any(label, HEADS)
        && words(label) <= HEAD_WORDS_MAX
        && !has(label, &[" about ", " on the ", " for ", " of "])
}

/// Whether a sentence is such. `said` begins with no mark.
pub(super) fn is_own_work(said: &str) -> bool {
    let said = behind_yes(behind_label(said));
    let Some(known) = BY_FIRST.get(&first_word(said)) else {
        return is_done_in_japanese(said) || introduces_in_chinese(said);
    };
    known.iter().any(|(phrase, holds)| begins_with(said, phrase) && holds(said))
}

/// What stands behind `Disclaimer:`, or all.
fn behind_label(said: &str) -> &str {
    const LABEL_BYTES_MAX: usize = 20;
    let head = &said.as_bytes()[..said.len().min(LABEL_BYTES_MAX)];
    let Some(colon) = memchr::memchr(b':', head) else { return said };
    if begins_any(said, LABELS) { said[colon + 1..].trim_start_matches(['*', '_', ' ']) } else { said }
}

/// What stands behind `Sure — `, or all.
fn behind_yes(said: &str) -> &str {
    static YES: Beginnings = Beginnings::new(&[
        "sure",
        "of course",
        "certainly",
        "absolutely",
        "gerne",
        "natürlich",
        "bien sûr",
        "claro",
        "certo",
    ]);
    let Some(yes) = YES.like(said).find(|yes| begins_with(said, yes)) else { return said };
    let behind = said.get(yes.len()..).unwrap_or_default();
    let rest = behind.trim_start_matches([',', '!', '.', '—', '–', '-', ' ']);
    let is_apart = behind.trim_start().starts_with([',', '!', '.', '—', '–', '-']);
    if is_apart && !rest.is_empty() { rest } else { said }
}

/// `本文将全面梳理南方合作的作用。` What it finds would be a figure, or behind a verb for that.
fn introduces_in_chinese(said: &str) -> bool {
    const ITSELF: [&str; 6] = ["本报告", "本文", "本综述", "下文", "以下将", "以下内容"];
    const INTRODUCES: [&str; 10] =
        ["将", "聚焦", "旨在", "拟", "围绕", "梳理", "试图", "系统地", "结合", "基于"];
    const TELLS: [&str; 8] = ["发现", "表明", "显示", "认为", "建议", "指出", "结论", "证明"];
    /// Bytes of the head in which it says so, and of all.
    const BYTES: (usize, usize) = (36, 400);
    let head = &said[..said.floor_char_boundary(BYTES.0)];
    begins_with_any(said, &ITSELF)
        && has_any(head, &INTRODUCES)
        && said.len() <= BYTES.1
        && !has_figure(said)
        && !has_any(said, &TELLS)
}

/// `I've reviewed the agreement's provisions.`, not what came of it; of which hours says nothing more.
fn is_done(said: &str) -> bool {
    let is_figure = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let timed =
        said.split_once(" between ").filter(|(_, rest)| is_figure(rest) && words(rest) <= TIME_WORDS_MAX);
    let said = timed.filter(|(_, rest)| !rest.contains(',')).map_or(said, |(before, _)| before);
    words(said) <= WORDS_MAX && !brings(said) && !has(said, GOES_ON)
}

/// `I also checked the release notes.`: what is read, not what is tried.
fn is_lookup(said: &str) -> bool {
    is_done(said) && has(said, READ)
}

/// `Here's a relaxed, family-friendly itinerary!`
fn shows(said: &str) -> bool {
    let rest = said.trim_end_matches([':', '*', ' ', '\n']);
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // Behind `here is`.
    let words = rest.split_whitespace().skip(1).map(bare);
    let all: Vec<String> = words.skip_while(|word| word == "is" || word == "are").collect();
    all.len() <= WORDS_MAX
        && !rest.contains([':', ';', '\n', '–', '—', '"', '“'])
        && !has_figure(rest)
        && all.iter().any(|word| ANSWERS.contains(&word.as_str()))
        && !all.iter().any(|word| VERBS.contains(&word.as_str()))
}

/// `This report provides an overview of the market for pumps, including prices.` What it shows of it would be a figure or a clause.
fn introduces(said: &str) -> bool {
    let lower = said.to_lowercase();
    let verb = ITSELF.iter().find_map(|itself| lower.strip_prefix(itself)?.split(' ').next());
    verb.is_some_and(|verb| INTRODUCES.contains(&verb))
        && words(said) <= REFERRAL_WORDS_MAX
        && !has_figure(said)
        && !said.contains([':', ';', '\n', '"', '“'])
        && !has(said, TELLS)
}

/// `Okay, let me take a look at the tests.`
fn is_about_to(said: &str) -> bool {
    const HEAD_BYTES_MAX: usize = 40;
    has(&said[..said.floor_char_boundary(HEAD_BYTES_MAX)], WILL) && announces_work(said)
}

/// `Enjoy your trip!`
fn is_wish(said: &str) -> bool {
    said.contains('!') && words(said) <= WISH_WORDS_MAX && !has_figure(said) && !said.contains(':')
}

/// `Please consult a healthcare professional before making any decisions.` What has a condition is advice.
fn is_referral(said: &str) -> bool {
    words(said) <= REFERRAL_WORDS_MAX
        && has(said, EXPERTS)
        && !has(said, CONDITIONS)
        && !has_figure(said)
        && !said.contains([':', ';'])
}

/// `Always talk to your doctor before you start a new medicine.` Before what in particular is advice.
fn is_referral_in_general(said: &str) -> bool {
    is_referral(said) && said.split_once(" before ").is_none_or(|(_, what)| has(what, ANYTHING))
}

/// `Hi, thanks for your mail.`
fn thanks(said: &str) -> bool {
    let bare = said.trim_end_matches(['.', '!', ',', ' ']);
    let last = bare.rsplit(' ').next().unwrap_or_default().to_lowercase();
    words(said) <= WISH_WORDS_MAX + 4 && ASKED.contains(&last.as_str()) && !has_figure(said)
}

/// `This analysis does not constitute legal advice.` What goes on behind it may say something.
fn is_notice(said: &str) -> bool {
    let bare = said.trim_end_matches(['.', '!', '*', '_', ')', ']', ' ']);
    words(said) <= WORDS_MAX
        && ADVICE.iter().any(|advice| ends_with(bare, advice))
        && has(said, &[" not ", "n't ", "nothing ", " no "])
        && !brings(said)
}

/// `はい、調査結果をまとめました。` What has a subject is told of somebody.
fn is_done_in_japanese(said: &str) -> bool {
    if said.is_ascii() {
        return false;
    }
    let bare = said.trim_end_matches(['。', '！', '!', ' ']);
    let bare = bare.strip_prefix("はい、").unwrap_or(bare);
    ends_with_any(bare, WIDE_DONE)
        && bare.chars().count() <= WIDE_MAX
        && !bare.contains(['が', 'は'])
        && !has_figure(bare)
}

/// Whether something may be said besides.
fn brings(said: &str) -> bool {
    has_figure(said) || said.contains([',', ';', ':', '\n', '"', '“'])
}

fn has_figure(said: &str) -> bool {
    said.contains(char::is_numeric)
}

fn words(said: &str) -> usize {
    said.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

fn begins_any(said: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| begins_with(said, phrase))
}

fn has(said: &str, phrases: &[&str]) -> bool {
    let lower = said.to_lowercase().replace('’', "'");
    has_any(&lower, phrases)
}

fn ends_with(said: &str, end: &str) -> bool {
    let tail = said.len().checked_sub(end.len()).and_then(|at| said.get(at..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}
