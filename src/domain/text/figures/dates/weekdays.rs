//! Days of the week: in English wherever they stand, in German, French and Spanish before a date or a time, as `Montag, 3. Mai` and
//! `Mo–Fr 9–17 Uhr`, and in German and Spanish behind what says when (`am Montag`, `el lunes`). Alone those are words like others.

use super::super::{Figure, Unit, Value};
use super::months;
use crate::domain::text::phrases::behind_any;
use crate::domain::text::words::Word;

pub(in crate::domain::text::figures) const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// In small letters, from Monday on.
#[rustfmt::skip]
pub(in crate::domain::text::figures) const FOREIGN: [&[&str]; 7] = [
    &["montag", "lundi", "lunes"], &["dienstag", "mardi", "martes"], &["mittwoch", "mercredi", "miércoles"], &["donnerstag", "jeudi", "jueves"],
    &["freitag", "vendredi", "viernes"], &["samstag", "sonnabend", "samedi", "sábado"], &["sonntag", "dimanche", "domingo"],
];
/// As they are written, and words that are none elsewhere.
pub(in crate::domain::text::figures) const SHORT: [&str; 7] = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"];

/// What may stand between a day and its date or time, behind a comma or not.
#[rustfmt::skip]
const BETWEEN: [&str; 9] = ["den ", "dem ", "le ", "el ", "um ", "von ", "à ", "a las ", "de "];
/// What stands directly before a day of the week that says when something is: one day, not each. German names are
/// capitalised.
#[rustfmt::skip]
const WHEN: [&str; 17] = [
    "am", "ab", "bis", "seit", "vom", "zum", "nächsten", "kommenden", "diesen", "vorigen", "vergangenen", "el", "este", "próximo", "del", "al", "pasado",
];
/// Bytes behind a day in which its date or time begins and tells what it is.
const NEAR_BYTES_MAX: usize = 40;

/// The day of the week that a word is.
pub(super) fn day(text: &str, word: &Word) -> Option<Figure> {
    let name = text.get(word.range())?;
    let of = |day: usize| Figure::new(Value::new(day as u128 + 1, 0), Unit::Weekday, word.start, word.end);
    if let Some(day) = DAYS.iter().position(|day| day.eq_ignore_ascii_case(name)) {
        return Some(of(day));
    }
    let rest = &text[word.end..];
    let behind = &rest[..rest.floor_char_boundary(NEAR_BYTES_MAX)];
    if let Some(day) = SHORT.iter().position(|day| *day == name) {
        return tells_time(behind).then(|| of(day));
    }
    let lowered = name.to_lowercase();
    let day = FOREIGN.iter().position(|names| names.contains(&lowered.as_str()))?;
    let date = behind_comma(behind);
    let date = behind_any(date, &BETWEEN).unwrap_or(date);
    (date.starts_with(|c: char| c.is_ascii_digit()) || tells_when(text, word, day)).then(|| of(day))
}

/// Whether what stands before a German or Spanish day of the week says that something is then.
fn tells_when(text: &str, word: &Word, day: usize) -> bool {
    let name = &text[word.range()];
    let french = FOREIGN[day].len().saturating_sub(2);
    let is_french = FOREIGN[day].get(french).is_some_and(|french| name.eq_ignore_ascii_case(french));
    let is_spanish = FOREIGN[day].last().is_some_and(|spanish| name.to_lowercase() == **spanish);
    let before = text[..word.start].trim_end();
    let is_beside = before.len() < word.start;
    let before = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let is_german = !is_spanish && name.starts_with(char::is_uppercase);
    is_beside && !is_french && (is_german || is_spanish) && WHEN.contains(&before.as_str())
}

/// Whether a name is one of English.
pub(in crate::domain::text::figures) fn is_english(name: &str) -> bool {
    DAYS.iter().any(|day| day.eq_ignore_ascii_case(name))
}

fn behind_comma(behind: &str) -> &str {
    let behind = behind.strip_prefix('.').unwrap_or(behind);
    behind.strip_prefix(',').unwrap_or(behind).trim_start_matches([' ', '\u{a0}'])
}

/// Whether what stands behind an abbreviation is a German date or time, or another abbreviation before one: `9–17 Uhr`, `3. Mai`, `3.5.`.
fn tells_time(behind: &str) -> bool {
    let mut rest = behind;
    while let Some(next) = rest.strip_prefix(['-', '–', ',', '.', ' ', '/']) {
        let next = next.trim_start_matches(' ');
        rest = behind_any(next, &SHORT).unwrap_or(next);
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if !(1..=2).contains(&digits) {
        return false;
    }
    let date = rest[digits..].strip_prefix('.').map(|date| date.trim_start_matches(' '));
    let month = |date: &str| {
        date.split(|c: char| !c.is_alphabetic())
            .next()
            .is_some_and(|name| months::foreign(name, false).is_some())
    };
    // `Fr. 3.50` is a price.
    let number = |date: &str| {
        let behind = date.trim_start_matches(|c: char| c.is_ascii_digit());
        (1..=2).contains(&(date.len() - behind.len())) && behind.starts_with('.')
    };
    date.is_some_and(|date| number(date) || month(date))
        || rest
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '-' | '–' | ' '))
            .starts_with("Uhr")
}

#[cfg(test)]
mod tests {
    use super::super::super::{Unit, figures};
    use crate::domain::text::words::Lexicon;

    /// The days of the week of a text.
    fn days(text: &str) -> Vec<&str> {
        let words = Lexicon::default().words(text);
        let days = figures(text, &words).into_iter().filter(|figure| figure.unit == Unit::Weekday);
        days.map(|day| &text[day.range()]).collect()
    }

    #[test]
    fn days_before_dates_and_times_are_known() {
        for (text, day) in [
            ("Die Sitzung ist am Montag, 3. Mai.", "Montag"),
            ("Die Sitzung ist am Dienstag, den 4. Mai.", "Dienstag"),
            ("Sie ist am Mittwoch um 9 Uhr.", "Mittwoch"),
            ("Geöffnet Mo 9–17 Uhr.", "Mo"),
            ("Geöffnet Di, 3. Mai.", "Di"),
            ("Geöffnet Do, 03.05.2025.", "Do"),
            ("La réunion a lieu le lundi 3 mai.", "lundi"),
            ("La reunión es el miércoles, 3 de mayo.", "miércoles"),
            ("It is on Monday.", "Monday"),
            ("Die Sitzung ist am Montag.", "Montag"),
            ("Sie ist am nächsten Sonnabend.", "Sonnabend"),
            ("La reunión es el miércoles.", "miércoles"),
            ("会議は月曜日です。", "月曜日"),
            ("会議は金曜に行われます。", "金曜"),
        ] {
            assert_eq!(days(text), [day], "{text}");
        }
        for text in [
            "Frau Montag kommt.",
            "Montags ist Sitzung.",
            "Il est le lundi.",
            "So 3 people came.",
            "Do 5 pushups.",
            "Mo 17 is a name.",
            "Fr. 3.50 kostet es.",
            "Los lunes abre tarde.",
            "Le mardi gras a 3 jours.",
        ] {
            assert!(days(text).is_empty(), "{text}");
        }
    }
}
