//! The unit of all figures of a table, where it stands beside that: `Revenue by region (in $M):`, `All figures in $M.`

use super::edges::edges;
use crate::domain::text::blocks::{Block, Kind};

/// Bytes of a line that says it.
const BYTES_MAX: usize = 140;
/// Words of a unit: `in thousands of US dollars a year`.
const WORDS_MAX: usize = 7;
/// What is in a unit: `All figures are in $M.`
#[rustfmt::skip]
const OF: &[&str] = &[
    "figures", "values", "amounts", "numbers", "prices", "costs", "revenues", "sales", "data", "units", "unit", "currency", "angaben", "werte", "beträge", "preise", "zahlen", "einheit", "montants", "chiffres",
    "valeurs", "prix", "cifras", "valores", "importes", "precios",
];
/// What may stand around that.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "all", "the", "are", "is", "shown", "given", "stated", "expressed", "reported", "quoted", "listed", "note", "alle", "sind", "tous", "les", "sont", "exprimés", "todas", "todos", "las", "los", "están", "in", "en", "table", "these",
];
/// What begins a unit.
const IN: [&str; 2] = ["in", "en"];
/// Words of units that say how many of what: one of them must be there.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "thousand", "thousands", "million", "millions", "mn", "billion", "billions", "bn", "trillion", "trillions", "tausend", "tsd", "mio", "millionen", "mrd", "milliarden", "milliers", "milliards", "miles", "millones",
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "yen", "yuan", "francs", "usd", "eur", "gbp", "jpy", "cny", "chf", "cad", "aud", "inr", "rmb", "krw", "percent", "prozent", "pourcentage", "000", "000s",
    "kg", "g", "mg", "tonnes", "tons", "tonnen", "km", "m", "cm", "mm", "km²", "m²", "hectares", "litres", "liters", "kwh", "mwh", "gwh", "twh", "kw", "mw", "gw", "gb", "mb", "tb", "ms", "s", "seconds", "minutes", "hours", "days", "years",
    "sekunden", "minuten", "stunden", "tage", "jahre",
];
/// Words that only join these.
const JOINS: [&str; 11] = ["of", "us", "per", "a", "an", "year", "month", "d", "von", "pro", "de"];
/// What makes a unit of a word, alone or with a letter beside it: `$M`, `€m`, `%`.
const SIGNS: [char; 6] = ['$', '€', '£', '¥', '₹', '%'];

/// The unit that a line beside a table says, if that is what the line is for: `in $M` of `All figures in $M.`
pub(super) fn said_alone(line: &str) -> Option<&str> {
    let said = bare(line)?;
    if let Some(unit) = in_chinese(said) {
        return Some(unit);
    }
    let words: Vec<(usize, &str)> = words(said).collect();
    let at = words.iter().position(|(_, word)| is(word, &IN))?;
    let before = &words[..at];
    let is_of = before.iter().any(|(_, word)| is(word, OF));
    let is_only = before.iter().all(|(_, word)| is(word, OF) || is(word, AROUND));
    let unit = &said[words[at].0..];
    (is_of && is_only && is_unit(unit)).then_some(unit)
}

/// The unit that a caption or a heading ends with: `Revenue by region (in $M)`, `Revenue by region in $M`.
pub(super) fn at_end(line: &str) -> Option<&str> {
    let said = bare(line)?;
    if let Some((_, inside)) = said.strip_suffix([')', '）']).and_then(|said| said.rsplit_once(['(', '（']))
    {
        let inside = inside.trim();
        return in_chinese(inside).or_else(|| Some(inside).filter(|inside| is_unit(inside)));
    }
    let (at, _) = words(said).filter(|(_, word)| is(word, &IN)).last()?;
    Some(&said[at..]).filter(|unit| at > 0 && is_unit(unit))
}

/// The unit of a table below `above` and in front of `next`, if one of them says it alone; otherwise what its caption or its heading,
/// where that stands right above it, ends with.
pub(super) fn of_table<'t>(
    text: &'t str,
    (above, heading): (Option<&Block>, &'t str),
    next: Option<&Block>,
) -> &'t str {
    let told = |block: Option<&Block>| {
        block.filter(|block| is_prose(block.kind)).and_then(|block| text.get(block.range.clone()))
    };
    let (before, behind) = (told(above), told(next));
    let alone = || before.and_then(said_alone).or_else(|| behind.and_then(said_alone));
    let caption = || before.and_then(|line| line.trim_end().lines().last()).and_then(at_end);
    alone().or_else(caption).or_else(|| at_end(heading)).unwrap_or_default()
}

/// Whether a paragraph only says the unit of the table above it or below it.
pub(super) fn is_of_neighbour(body: &str, above: Kind, next: Option<&Block>) -> bool {
    (above == Kind::Table || next.is_some_and(|next| next.kind == Kind::Table)) && said_alone(body).is_some()
}

fn is_prose(kind: Kind) -> bool {
    matches!(kind, Kind::Paragraph | Kind::Quote)
}

/// A line without marks, brackets and stops around it.
fn bare(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() || line.len() > BYTES_MAX || line.contains('\n') {
        return None;
    }
    let said =
        edges(line).trim_matches(['*', '_', ' ']).trim_end_matches(['.', ':', '。', '：', '*', '_', ' ']);
    let inside = said.strip_prefix(['(', '（', '[']).and_then(|said| said.strip_suffix([')', '）', ']']));
    Some(inside.unwrap_or(said))
}

/// `单位：百万元`
fn in_chinese(said: &str) -> Option<&str> {
    const CHARS_MAX: usize = 12;
    let unit = said.strip_prefix("单位").or_else(|| said.strip_prefix("単位"))?;
    let is_one = unit.starts_with([':', '：']) && unit.chars().count() <= CHARS_MAX;
    is_one.then_some(said)
}

/// Whether words are nothing but a unit, with or without `in` in front.
fn is_unit(said: &str) -> bool {
    let (mut has, mut count) = (false, 0);
    for (_, word) in words(said) {
        count += 1;
        let is_one = is(word, UNITS) || is_sign(word);
        has |= is_one;
        if !(is_one || is(word, &JOINS) || count == 1 && is(word, &IN)) {
            return false;
        }
    }
    has && count <= WORDS_MAX
}

/// `$M`, `US$`, `€`, `%`.
fn is_sign(word: &str) -> bool {
    const LETTERS_MAX: usize = 3;
    let rest: String = word.chars().filter(|c| !SIGNS.contains(c)).collect();
    rest.len() < word.len()
        && rest.chars().count() <= LETTERS_MAX
        && rest.chars().all(|c| c.is_ascii_alphabetic() || c == '\'')
}

/// The words with their places, without stops around them.
fn words(said: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = said.as_ptr() as usize;
    said.split(|c: char| c.is_whitespace() || matches!(c, '/' | '\'' | '’' | ',')).filter_map(move |word| {
        let word = word.trim_matches(['.', ':', '(', ')', '"', '*', '_']);
        (!word.is_empty()).then(|| (word.as_ptr() as usize - base, word))
    })
}

fn is(word: &str, of: &[&str]) -> bool {
    of.iter()
        .any(|known| known.eq_ignore_ascii_case(word) || !word.is_ascii() && word.to_lowercase() == **known)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::{at_end, said_alone};

    const TABLE: &str = "| region | rev |\n|---|---|\n| EMEA | 44.9 |\n| APAC | 30.1 |";

    #[test]
    fn a_line_that_says_a_unit_is_told_from_others() {
        for (line, unit) in [
            ("All figures in $M.", "in $M"),
            ("*Values in $M.*", "in $M"),
            ("(Amounts are in thousands of euros)", "in thousands of euros"),
            ("Prices in EUR", "in EUR"),
            ("Alle Angaben in Mio. €.", "in Mio. €"),
            ("单位：百万元", "单位：百万元"),
        ] {
            assert_eq!(said_alone(line), Some(unit), "{line}");
        }
        for line in [
            "All figures in the report are old.",
            "Sales in Germany rose.",
            "Prices in EUR and in two other currencies differ.",
            "The company has values in $M.",
            "Growth in 2024",
            "It costs 5 dollars.",
            "",
        ] {
            assert_eq!(said_alone(line), None, "{line}");
        }
        for (line, unit) in [
            ("Revenue by region (in $M):", "in $M"),
            ("**Revenue by region ($ million)**", "$ million"),
            ("Revenue by region in $M", "in $M"),
            ("Umsatz (in Tsd. €)", "in Tsd. €"),
            ("营收（单位：亿元）", "单位：亿元"),
        ] {
            assert_eq!(at_end(line), Some(unit), "{line}");
        }
        for line in [
            "Revenue by region (2024)",
            "Revenue in Europe",
            "In euros",
            "Sales (EMEA)",
            "Trends in millions of homes",
        ] {
            assert_eq!(at_end(line), None, "{line}");
        }
    }

    #[test]
    fn rows_have_the_unit_that_stands_beside_their_table() {
        const SAID: &str = "EMEA grew fastest of all of the regions.";
        for text in [
            format!("Revenue by region (in $M):\n\n{TABLE}"),
            format!("### Revenue by region in $M\n\n{TABLE}"),
            format!("All figures in $M.\n\n{TABLE}\n\n{SAID}"),
            format!("{SAID}\n\n{TABLE}\n\n*Values in $M.*"),
        ] {
            let found = read(&text, "a");
            let units: Vec<_> = found.iter().filter_map(|said| said.row.map(|row| row.unit)).collect();
            assert_eq!(units, ["in $M", "in $M"], "{text}");
            // What it is the unit of needs no finding of its own.
            assert!(!found.iter().any(|said| said.text.contains("$M")), "{text}");
        }
        let apart = read(&format!("{SAID} All figures in $M.\n\n## Costs\n\n{SAID}\n\n{TABLE}"), "a");
        assert!(apart.iter().all(|said| said.row.is_none_or(|row| row.unit.is_empty())));
        let alone = read(&format!("All figures in $M.\n\n{SAID}"), "a");
        assert_eq!(alone.len(), 2);
    }
}
