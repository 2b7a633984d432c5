//! When something begins, is open again or applies: `takes effect on 1 January 2027`, `will enter into force on 1 July 2027`.

use xxhash_rust::xxh3::xxh3_64;

use super::{Class, Mention, Told};
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::text::figures::{Bound, Unit};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::Term;

#[rustfmt::skip]
const CALLED: &[(&str, Class)] = &[
    ("takes effect", Class::Effect), ("take effect", Class::Effect), ("took effect", Class::Effect), ("into force", Class::Effect), ("in kraft", Class::Effect), ("en vigor", Class::Effect), ("effective from", Class::Effect),
    ("effective on", Class::Effect), ("applies from", Class::Effect), ("apply from", Class::Effect), ("applied since", Class::Effect), ("gilt ab", Class::Effect), ("施行", Class::Effect), ("生效", Class::Effect), ("starts", Class::Start), ("will start", Class::Start), ("not start", Class::Start), ("begins", Class::Start), ("will begin", Class::Start), ("not begin", Class::Start), ("to start", Class::Start),
    ("to begin", Class::Start), ("start of construction", Class::Start), ("construction start", Class::Start), ("opens on", Class::Reopening), ("opens in", Class::Reopening), ("will open", Class::Reopening), ("will reopen", Class::Reopening), ("reopens", Class::Reopening), ("reopening", Class::Reopening), ("to reopen", Class::Reopening), ("not reopen", Class::Reopening), ("開館", Class::Reopening),
];
/// What says that it is no earlier.
const NOT_BEFORE: [&str; 6] =
    ["not before", "no earlier than", "not earlier than", "nicht vor", "frühestens", "no antes de"];
/// What says more than that, or something else: part of it, another time of the same.
const OTHERWISE: [&str; 10] = [
    "draft",
    "amend",
    "parts of",
    "some ",
    "phase",
    "stage",
    "originally",
    "initially",
    "postponed",
    "until",
];
/// Seasons, with their first month and how many days from there a date may be at most.
const SEASONS: [(&str, u32); 5] = [("spring", 3), ("summer", 6), ("autumn", 9), ("fall ", 9), ("winter", 12)];
/// The day after all others.
const NEVER: u32 = u32::MAX;

/// The seasons that a sentence names: they are a part of the date.
fn seasons(of: &Features<'_>) -> Vec<Term> {
    let is_season = |text: &str| SEASONS.iter().any(|(name, _)| text.eq_ignore_ascii_case(name.trim_end()));
    of.words.iter().filter(|word| is_season(&of.text[word.range()])).map(|word| word.term).collect()
}

/// What ends what a Chinese or Japanese sentence is about.
const TOPIC_ENDS: [char; 9] = ['は', 'が', 'の', '的', '将', '於', '于', '自', '每'];

/// What a Chinese or Japanese sentence is about; the words of others are compared.
pub(super) fn topic(text: &str) -> Term {
    if !text.starts_with(is_wide) {
        return Term(0);
    }
    let topic = text.split(TOPIC_ENDS).next().unwrap_or_default();
    Term(xxh3_64(topic.as_bytes()))
}

/// The only date of a sentence that says when what it names begins.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let mut dates = of.figures.iter().filter(|figure| figure.unit == Unit::Date);
    let date = dates.next().filter(|date| date.low == date.high && of.figures.len() == 1)?;
    let lower = of.text.to_lowercase();
    let is_open = NOT_BEFORE.iter().any(|word| lower.contains(word))
        || lower.contains("not start before")
        || lower.contains("not begin before");
    if OTHERWISE.iter().any(|word| lower.contains(word)) || negations(of) != 0 && !is_open {
        return None;
    }
    let (_, class) = CALLED.iter().find(|(word, _)| lower.contains(word))?;
    let whole = u32::try_from(date.low.whole()?).ok()?;
    let (year, month, day) = (whole / 10_000, whole / 100 % 100, whole % 100);
    // Quarters, halves and decades have months from 21.
    if year == 0 || month > 12 {
        return None;
    }
    let season = SEASONS.iter().find(|(name, _)| month == 0 && lower.contains(name)).map(|(_, first)| *first);
    let is_other_bound = matches!(date.bound, Bound::AtMost | Bound::About);
    let (from, to) = match (season, month, day) {
        (Some(first), ..) => (year * 10_000 + first * 100, year * 10_000 + (first + 3) * 100),
        (None, 0, _) => (year * 10_000, year * 10_000 + 1_299),
        (None, month, 0) => (year * 10_000 + month * 100, year * 10_000 + month * 100 + 99),
        (None, ..) => (whole, whole),
    };
    let to = if is_open || date.bound == Bound::AtLeast { NEVER } else { to };
    let written = of.text[date.start..date.end].to_owned();
    (!is_other_bound).then(|| Mention {
        at,
        class: *class,
        key: topic(of.text),
        core: seasons(of),
        told: Told::Between { written, from, to },
    })
}
