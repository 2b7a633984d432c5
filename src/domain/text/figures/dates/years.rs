//! Which numbers of four digits are years.

use super::super::Figure;
use super::{figure, is_year};
use crate::domain::text::words::Word;

/// A year that stands alone: no amount, no part of a name.
pub(super) fn year(text: &str, digits: &str, word: Word) -> Option<Figure> {
    let year = is_year(digits)?;
    let after = &text[word.end..];
    let before = &text[..word.start];
    // A number with a unit or a sign is an amount, and one after a hyphen part of a name.
    let amount = value_follows(after)
        || super::super::units::currency_before(before).0.is_some()
        || super::super::hyphenated(before)
        || before.ends_with(['.', '/', ':'])
            && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit());
    let counts = year < 1900 && !is_dated(before) && counts(after);
    (!amount && !counts).then(|| figure(year, 0, 0, word.start, word.end))
}

/// What is counted by thousands as a rule: `1200 employees` names no year.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "people", "persons", "employees", "workers", "users", "customers", "patients", "participants", "students", "members", "companies", "units", "vehicles", "cars",
    "respondents", "staff", "jobs", "homes", "households", "deaths", "cases", "men", "women", "children", "sites", "stores", "pages", "words", "times", "tests", "requests",
    "mitarbeiter", "menschen", "personen", "beschäftigte", "kunden", "nutzer", "patienten", "personnes", "salariés", "employés", "personas", "empleados", "persone",
];

/// Whether a preposition before it makes it a date: `In 1848 workers rose.`
fn is_dated(before: &str) -> bool {
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
    ["in", "since", "by", "until", "from", "before", "after", "year", "seit", "bis", "en", "depuis", "desde"]
        .iter()
        .any(|other| other.eq_ignore_ascii_case(word))
}

fn counts(after: &str) -> bool {
    let Some(rest) = after.strip_prefix([' ', '\u{a0}']) else { return false };
    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let word = rest[..length].to_lowercase();
    COUNTED.contains(&word.as_str())
}

/// Whether a unit or a scale follows a number.
fn value_follows(after: &str) -> bool {
    let rest = after.strip_prefix([' ', '\u{a0}']).unwrap_or(after);
    if rest.starts_with([
        '%', '％', '万', '亿', '元', '人', '美', '家', '台', '个', '米', '吨', '千', '名', '项', '种', '次',
        '倍',
    ]) {
        return true;
    }
    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let token = &rest[..length];
    // The German word, `sank 2023 um 89 %`, and others that are rarely a unit.
    let joins = token == "um" && rest.len() < after.len() || matches!(token, "rok" | "let" | "an");
    token.is_ascii()
        && !joins
        && (super::super::units::scale(token).is_some()
            || (token.len() > 1 && super::super::units::unit(token).is_some()))
}
