//! How long something was down: `Duration: 47 minutes` below `Incident`, `The outage lasted 52 minutes`.

use super::super::amounts::Value;
use super::super::differ::negations;
use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::has_any;
use crate::domain::text::words::Term;

/// What says that something was, and no longer is.
const BEFORE: [&str; 12] = [
    "lasted",
    "was down",
    "were down",
    "was unavailable",
    "were unavailable",
    "was offline",
    "were offline",
    "was unreachable",
    "were unreachable",
    "outage of",
    "dauerte",
    "duró",
];
const BEHIND: [&str; 6] = [
    "of downtime",
    "outage",
    "lang nicht erreichbar",
    "lang nicht verfügbar",
    "lang ausgefallen",
    "lang gestört",
];
const LABELS: [&str; 10] = [
    "duration",
    "outage duration",
    "duration of the outage",
    "incident duration",
    "total duration",
    "total downtime",
    "downtime",
    "dauer",
    "ausfalldauer",
    "duración",
];
/// What happens once, and takes its time.
#[rustfmt::skip]
const EVENTS: [&str; 16] = [
    "outage", "incident", "disruption", "downtime", "down", "unavailable", "offline", "unreachable", "störung", "ausfall", "erreichbar", "verfügbar", "ausgefallen", "incidente", "interrupción", "caída",
];
/// What isn't there, and so is down.
const DENIED: [&str; 3] = ["nicht erreichbar", "nicht verfügbar", "not available"];
/// Bytes between what lasts and how long.
const GAP_MAX: usize = 16;

/// How long what a sentence or an item tells of lasted.
pub(super) fn of_sentence<'a>(
    (at, statement, of): (usize, &Statement<'_>, &'a Features<'_>),
) -> Option<Mention<'a>> {
    let is_time = |figure: &&Figure| matches!(figure.unit, Unit::Measure { base: "s", per: 0 });
    let mut times = of.figures.iter().filter(is_time);
    let figure = times.next().filter(|figure| figure.low == figure.high)?;
    let lower = of.text.to_lowercase();
    // Another length of some letters in lower case: nothing is compared by places then.
    if lower.len() != of.text.len() || times.next().is_some() {
        return None;
    }
    let is_denied = negations(of) != 0 && !has_any(&lower, &DENIED);
    if is_denied {
        return None;
    }
    let says_event = |text: &str| has_any(text, &EVENTS);
    let label = lower.split_once(": ").map(|(label, _)| label.trim_matches(['*', '_', ' ']));
    let is_item = label.is_some_and(|label| LABELS.contains(&label));
    let is_told = if is_item {
        says_event(&statement.heading.to_lowercase()) || says_event(label.unwrap_or_default())
    } else {
        says_event(&lower)
            && (is_said_before(lower.get(..figure.start)?) || is_said_behind(lower.get(figure.end..)?))
    };
    is_told.then(|| Mention {
        at,
        class: Class::Scoped(Scoped::Lasting),
        key: Term(0),
        core: Vec::new(),
        told: Told::Amount(Value::new(of, figure, None)),
    })
}

fn is_said_before(before: &str) -> bool {
    let last = |word: &&str| before.rfind(*word).is_some_and(|at| before.len() - at - word.len() <= GAP_MAX);
    BEFORE.iter().any(last)
}

fn is_said_behind(behind: &str) -> bool {
    BEHIND.iter().any(|word| behind.trim_start_matches([' ', '-']).starts_with(word))
}
