//! What was counted, and what became of it: `2,140 messages were dropped`, `the dropping of 2,140 messages`, `dropped_messages: 2140`.
//!
//! The words are those directly behind the figure, and what was done with them: a participle among them, a verb behind them, a verb or
//! its noun before the figure. `removes 48 parking spaces` and `the removal of 84 parking spaces` have the same stems.

use super::super::amounts::Value;
use super::{Class, Mention, Scoped, Told};
use crate::domain::adapters::shape::{Member, members};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::keys::in_words;
use crate::domain::text::phrases::ends_with_any;
use crate::domain::text::polarity::Marked;
use crate::domain::text::words::{Kind, Lexicon, Term};

/// Figures of a sentence that are looked at, words behind each, and words between those and their verb.
const FIGURES_MAX: usize = 4;
const WORDS_MAX: usize = 4;
const APART_MAX: usize = 8;
/// Words that say it by their places.
const PLACED: [&str; 4] = ["failed", "off", "out", "away"];
/// Words of a label or key.
const LABEL_MAX: usize = 5;
/// What is counted with anything.
#[rustfmt::skip]
const GENERIC: [&str; 12] = ["request", "requests", "case", "cases", "number", "count", "total", "totals", "item", "items", "attempts", "operations"];
/// What may stand between a verb and the figure.
const JOINTS: [&str; 16] = [
    "",
    "of",
    "a",
    "total",
    "the",
    "about",
    "around",
    "some",
    "over",
    "nearly",
    "roughly",
    "almost",
    "approximately",
    "in",
    "all",
    "only",
];
const AUXILIARIES: [&str; 14] =
    ["was", "were", "are", "is", "be", "been", "being", "have", "has", "had", "will", "would", "to", "got"];
/// What begins another clause behind it.
const GOES_ON: [&str; 6] = ["that", "which", "who", "and", "or", "but"];
/// Bytes of the longest of both.
const SHORT_MAX: usize = 5;
/// Participles that don't end in `ed`.
#[rustfmt::skip]
const PARTICIPLES: &[&str] = &["lost", "sold", "built", "cut", "sent", "hit", "left", "died", "born", "shut", "bought", "spent", "stolen", "broken", "hurt", "killed", "laid", "felled", "withdrawn"];
/// What no thing goes on with.
#[rustfmt::skip]
const ENDING: [&str; 12] = ["during", "within", "among", "across", "along", "without", "via", "per", "since", "under", "near", "despite"];
/// Ends of verbs, and of what they are called.
const ENDS: [&str; 10] = ["ed", "es", "s", "ing", "al", "ment", "ion", "se", "ce", "ve"];

/// What a sentence or an item counts.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Vec<Mention<'a>> {
    if let Some(label) = label(at, of) {
        return vec![label];
    }
    let denies = |marked: &Marked| marked.mark.is_negation() && !marked.written(of.text).starts_with("fail");
    if of.marks.iter().any(denies) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for figure in of.figures.iter().filter(|figure| counts(figure)).take(FIGURES_MAX) {
        let behind = behind(of, figure);
        let Some(last) = behind.last().filter(|_| !is_of_some(of, figure)) else { continue };
        let things: Vec<Term> =
            behind.iter().filter(|element| !is_generic(of, element)).map(|e| e.term).collect();
        let mut add = |verb: &[Term]| {
            let value = Told::Amount(Value::new(of, figure, None));
            found.extend(mention(at, [things.as_slice(), verb].concat(), value));
        };
        if behind.len() > 1 && is_participle(written(of, last)) {
            add(&[]);
        }
        if let Some(verb) = phrasal(of, figure) {
            add(&verb);
        }
        for verb in [before(of, figure), verb(of, last.end)].into_iter().flatten() {
            add(&[verb.term]);
        }
    }
    found
}

/// `57 of the 75 adults`: what is said of some says nothing of how many there are.
fn is_of_some(of: &Features<'_>, figure: &Figure) -> bool {
    let before = &of.text[..figure.start];
    let before = before.strip_suffix(" the ").unwrap_or(before).trim_end();
    before.strip_suffix(" of").is_some_and(|some| some.ends_with(|c: char| c.is_ascii_digit() || c == '%'))
}

/// What members of JSON count.
pub(super) fn of_members<'a>(
    (at, statement, _): (usize, &Statement<'_>, &'a Features<'_>),
    lexicon: &mut Lexicon,
) -> Vec<Mention<'a>> {
    let object = format!("{{{}}}", statement.text);
    let Some(all) = members(&object) else { return Vec::new() };
    let mut found = Vec::new();
    for Member { key, value } in all {
        if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let words = in_words(&key.0);
        let of = Features::of(lexicon, &words);
        let Some(core) = labelled(&of, 0..words.len()) else { continue };
        let Some(value) = Value::of_member(value, None, lexicon) else { continue };
        found.extend(mention(at, core, Told::Amount(value)));
    }
    found
}

/// `Failed checkouts: 12,400`.
fn label<'a>(at: usize, of: &'a Features<'_>) -> Option<Mention<'a>> {
    let figure = of.figures.first()?;
    let before = &of.text[..figure.start];
    let colon = memchr::memchr_iter(b':', before.as_bytes()).find(|at| before[at + 1..].starts_with(' '))?;
    let is_alone = of.text[colon + 1..figure.start].trim_matches([' ', '*', '_', '~']).is_empty();
    let counts = counts(figure) || figure.unit == Unit::Date && figure.end - figure.start == 4;
    let core = labelled(of, 0..colon).filter(|_| is_alone && counts)?;
    mention(at, core, Told::Amount(Value::new(of, figure, None)))
}

/// The words of a label that has a participle and what that was done with.
fn labelled(of: &Features<'_>, within: std::ops::Range<usize>) -> Option<Vec<Term>> {
    let inside = of.elements.iter().filter(|element| within.contains(&element.start));
    let inside: Vec<&Element> = inside.take(LABEL_MAX).collect();
    let is_done = inside.iter().any(|element| is_participle(written(of, element)));
    let only_words = inside.iter().all(|element| says(of, element));
    let rest = of
        .words
        .iter()
        .all(|word| word.kind != Kind::Stopword || of.text[word.range()].eq_ignore_ascii_case("of"));
    let core = inside.iter().filter(|element| !is_generic(of, element)).map(|element| element.term).collect();
    (is_done && only_words && rest && inside.len() < LABEL_MAX).then_some(core)
}

fn mention<'a>(at: usize, mut core: Vec<Term>, told: Told<'a>) -> Option<Mention<'a>> {
    core.sort_unstable();
    core.dedup();
    let key = core
        .iter()
        .fold(0_u64, |key, term| (key.rotate_left(5) ^ term.0).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    (core.len() > 1).then_some(Mention {
        at,
        class: Class::Scoped(Scoped::Count),
        key: Term(key),
        core,
        told,
    })
}

/// Whether two count the same, of which one thing was done and another: `the felling of 112 trees`, `86 trees will be planted`.
pub(in super::super) fn are_done_otherwise(one: &Features<'_>, other: &Features<'_>) -> bool {
    let ([a], [b]) = (one.figures.as_slice(), other.figures.as_slice()) else { return false };
    let verbs = |of: &Features<'_>, figure: &Figure| {
        let thing = behind(of, figure).first().map(|element| (element.term, element.end))?;
        let verb = before(of, figure).or_else(|| verb(of, thing.1))?;
        Some((thing.0, verb.term))
    };
    let (true, true) = (counts(a), counts(b)) else { return false };
    let (Some(mine), Some(theirs)) = (verbs(one, a), verbs(other, b)) else { return false };
    let has = |of: &Features<'_>, term: Term| of.words.iter().any(|word| word.term == term);
    mine.0 == theirs.0 && !has(other, mine.1) && !has(one, theirs.1)
}

fn counts(figure: &Figure) -> bool {
    figure.unit == Unit::Plain && figure.low == figure.high
}

/// The words directly behind a figure.
fn behind<'f>(of: &'f Features<'_>, figure: &Figure) -> &'f [Element] {
    let from = of.elements.partition_point(|element| element.start < figure.end);
    let rest = &of.elements[from..];
    let mut end = figure.end;
    let follows = |element: &&Element| {
        let before = std::mem::replace(&mut end, element.end);
        of.text.get(before..element.start) == Some(" ")
            && !is_among(written(of, element), &ENDING)
            && says(of, element)
    };
    &rest[..rest.iter().take(WORDS_MAX).take_while(follows).count()]
}

/// The verb behind what is counted: `were dropped`.
fn verb<'f>(of: &'f Features<'_>, from: usize) -> Option<&'f Element> {
    let mut is_led = false;
    let mut end = from;
    let first = of.words.partition_point(|word| word.start < from);
    for word in of.words[first..].iter().take(APART_MAX) {
        // Pairs of Chinese characters overlap.
        let gap = of.text.get(end..word.start)?;
        if gap.contains([',', ';', '.', ':', '(']) {
            return None;
        }
        end = word.end;
        let written = &of.text[word.range()];
        let is_short = written.len() <= SHORT_MAX;
        if is_short && is_among(written, &AUXILIARIES) {
            is_led = true;
        } else if is_short && is_among(written, &GOES_ON) {
            return None;
        } else if is_led {
            let at = of.elements.partition_point(|element| element.start < word.start);
            let element = of.elements.get(at).filter(|element| element.start == word.start)?;
            match element.role {
                Role::Adverb => continue,
                Role::Content if is_participle(written) => return Some(element),
                Role::Content
                | Role::Character
                | Role::Name
                | Role::Discourse
                | Role::Attribution
                | Role::Direction
                | Role::Figure => return None,
            }
        }
    }
    None
}

/// The verb, or what it is called, before a figure: `removes`, `removal of`.
fn before<'f>(of: &'f Features<'_>, figure: &Figure) -> Option<&'f Element> {
    let at = of.elements.partition_point(|element| element.start < figure.start).checked_sub(1)?;
    let element = &of.elements[at];
    let gap = of.text.get(element.end..figure.start).filter(|_| element.role == Role::Content)?;
    let is_joined = gap == " " || gap.split(' ').all(|word| is_among(word, &JOINTS));
    let word = written(of, element);
    let is_verb = ends_with_any(word, &ENDS)
        || of.words.iter().any(|before| {
            before.end + 1 == element.start
                && matches!(&of.text[before.range()], "will" | "to" | "would" | "must")
        });
    // `Windows 10 has …` counts nothing; `Removal of 84 parking spaces` does.
    let is_name = word.starts_with(char::is_uppercase) && gap == " ";
    (is_joined && is_verb && !is_name).then_some(element)
}

/// `laid off 1,200 workers`: a verb of two words before a figure.
fn phrasal(of: &Features<'_>, figure: &Figure) -> Option<[Term; 2]> {
    let at = of.elements.partition_point(|element| element.start < figure.start);
    let [.., verb, last] = &of.elements[..at] else { return None };
    let is_beside =
        of.text.get(last.end..figure.start) == Some(" ") && of.text.get(verb.end..last.start) == Some(" ");
    let is_last = matches!(written(of, last), "off" | "out" | "up" | "down" | "away");
    (is_beside && is_last && verb.role == Role::Content).then_some([verb.term, last.term])
}

/// Whether a word says what is counted; some of those that decide by their places do.
fn says(of: &Features<'_>, element: &Element) -> bool {
    match element.role {
        Role::Content | Role::Name => true,
        Role::Direction => PLACED.iter().any(|word| written(of, element).eq_ignore_ascii_case(word)),
        Role::Character | Role::Adverb | Role::Discourse | Role::Attribution | Role::Figure => false,
    }
}

fn is_participle(word: &str) -> bool {
    let [.., e, d] = word.as_bytes() else { return false };
    word.len() > 4 && [*e, *d].eq_ignore_ascii_case(b"ed") || is_among(word, PARTICIPLES)
}

fn is_generic(of: &Features<'_>, element: &Element) -> bool {
    is_among(written(of, element), &GENERIC)
}

fn written<'f>(of: &'f Features<'_>, element: &Element) -> &'f str {
    &of.text[element.range()]
}

/// Whether a word is one of those, in whatever letters.
fn is_among(word: &str, words: &[&str]) -> bool {
    words.iter().any(|one| word.eq_ignore_ascii_case(one))
}
