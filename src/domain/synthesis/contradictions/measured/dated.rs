//! When something begins, is open again or applies: `takes effect on 1 January 2027`, `will enter into force on 1 July 2027`.

use xxhash_rust::xxh3::xxh3_64;

use super::times::{YEAR, days};
use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::text::figures::{Bound, Unit};
use crate::domain::text::phrases::has_any;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::Term;

#[rustfmt::skip]
const CALLED: &[(&str, Scoped)] = &[
    ("takes effect", Scoped::Effect), ("take effect", Scoped::Effect), ("took effect", Scoped::Effect), ("into force", Scoped::Effect), ("in kraft", Scoped::Effect), ("en vigor", Scoped::Effect), ("effective from", Scoped::Effect),
    ("effective on", Scoped::Effect), ("applies from", Scoped::Effect), ("apply from", Scoped::Effect), ("applied since", Scoped::Effect), ("gilt ab", Scoped::Effect), ("施行", Scoped::Effect), ("生效", Scoped::Effect), ("starts", Scoped::Start), ("will start", Scoped::Start), ("not start", Scoped::Start), ("begins", Scoped::Start), ("will begin", Scoped::Start), ("not begin", Scoped::Start), ("to start", Scoped::Start),
    ("to begin", Scoped::Start), ("start of construction", Scoped::Start), ("construction start", Scoped::Start), ("opens on", Scoped::Reopening), ("opens in", Scoped::Reopening), ("will open", Scoped::Reopening), ("will reopen", Scoped::Reopening), ("reopens", Scoped::Reopening), ("reopening", Scoped::Reopening), ("to reopen", Scoped::Reopening), ("not reopen", Scoped::Reopening), ("開館", Scoped::Reopening),
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
    let is_open = has_any(&lower, &NOT_BEFORE)
        || lower.contains("not start before")
        || lower.contains("not begin before");
    if has_any(&lower, &OTHERWISE) || negations(of) != 0 && !is_open {
        return None;
    }
    let (_, class) = CALLED.iter().find(|(word, _)| lower.contains(word))?;
    let (from, to) = days(date)?;
    let season = SEASONS.iter().find(|(name, _)| from % YEAR == 0 && lower.contains(name));
    let (from, to) = season.map_or((from, to), |(_, first)| (from + first * 100, from + (first + 3) * 100));
    let is_other_bound = matches!(date.bound, Bound::AtMost | Bound::About);
    let to = if is_open || date.bound == Bound::AtLeast { NEVER } else { to };
    let written = of.text[date.range()].to_owned();
    (!is_other_bound).then(|| Mention {
        at,
        class: Class::Scoped(*class),
        key: topic(of.text),
        core: seasons(of),
        told: Told::Between { written, from, to },
    })
}
