//! When something is open: `opens at 10:00 and closes at 20:00`, `open from 10:00 to 19:00`.

use super::dated::topic;
use super::times::clock_times;
use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::letter_pairs::LetterPairs;
use crate::domain::text::phrases::has_any;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::Term;

/// What says that something is open.
const OPEN: [&str; 12] = [
    "open",
    "hours",
    "geöffnet",
    "öffnet",
    "öffnungszeiten",
    "abre",
    "abiert",
    "horario",
    "開館",
    "営業",
    "开放",
    "营业",
];
/// Days of the week, by their first letters, Monday first.
const DAYS: [[&str; 3]; 7] = [
    ["monday", "montag", "lunes"],
    ["tuesday", "dienstag", "martes"],
    ["wednesday", "mittwoch", "miércoles"],
    ["thursday", "donnerstag", "jueves"],
    ["friday", "freitag", "viernes"],
    ["saturday", "samstag", "sábado"],
    ["sunday", "sonntag", "domingo"],
];
const ALL: u8 = 0b111_1111;
const DAILY: [&str; 5] = ["daily", "every day", "täglich", "todos los días", "毎日"];
const EXCEPT: [&str; 5] = ["except", "closed on", "außer", "excepto", "salvo"];
const TO: [&str; 7] = ["to", "through", "bis", "a", "-", "–", "until"];
/// Which days something is open where nothing says so is as good as all: most of them.
const MOST: u32 = 5;

/// The only times between which something is open, and on which days.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    // To write a text in small letters takes longer.
    let pairs = LetterPairs::of(of.text);
    if !OPEN.iter().any(|word| pairs.may_have(word)) {
        return None;
    }
    let lower = of.text.to_lowercase();
    if !has_any(&lower, &OPEN) {
        return None;
    }
    let times = clock_times(of.text);
    let [(opens, from), (closes, to)] = times.as_slice() else { return None };
    let days = days(&lower);
    if of.text.starts_with(is_wide) && days != ALL {
        return None;
    }
    // On which days stands for which hours are meant: others aren't compared.
    let key = if days.count_ones() >= MOST && days & 0b1_1111 & !1 == 0b1_1110 { 0 } else { u64::from(days) };
    let written = format!("{}–{}", &of.text[from.clone()], &of.text[to.clone()]);
    (opens < closes).then(|| Mention {
        at,
        class: Class::Scoped(Scoped::Hours),
        key: if of.text.starts_with(is_wide) { topic(of.text) } else { Term(key) },
        core: Vec::new(),
        told: Told::Exactly { written, is: [*opens, *closes] },
    })
}

/// The days that a text names, a bit each; all where it names none.
fn days(lower: &str) -> u8 {
    let mut named: Vec<(usize, usize, usize)> = Vec::new();
    for (day, names) in DAYS.iter().enumerate() {
        for name in names {
            named.extend(lower.match_indices(name).map(|(at, _)| (at, at + name.len(), day)));
        }
    }
    named.sort_unstable();
    if named.is_empty() || has_any(lower, &DAILY) && !has_any(lower, &EXCEPT) {
        return ALL;
    }
    let mut days = 0_u8;
    for (at, &(_, end, day)) in named.iter().enumerate() {
        days |= 1 << day;
        if let Some(&(start, _, last)) = named.get(at + 1)
            && lower.get(end..start).is_some_and(|between| TO.contains(&between.trim_matches(['s', ' '])))
        {
            let mut next = day;
            while next != last {
                next = (next + 1) % DAYS.len();
                days |= 1 << next;
            }
        }
    }
    let is_except = EXCEPT.iter().any(|word| lower.find(word).is_some_and(|at| at < named[0].0));
    if is_except { ALL & !days } else { days }
}
