//! Dates: years, months, days, quarters, decades, days of the week.

use super::{Figure, Unit, Value, value};
use crate::domain::text::words::{Kind, Word};

mod months;
pub(super) mod weekdays;
mod years;

/// Months of the encoding that are no months: a quarter, a half, a decade.
const QUARTER: u64 = 20;
const HALF: u64 = 30;
const DECADE: u64 = 40;

fn figure(year: u64, month: u64, day: u64, start: usize, end: usize) -> Figure {
    Figure::new(Value::new(u128::from(year * 10_000 + month * 100 + day), 0), Unit::Date, start, end)
}

fn is_year(written: &str) -> Option<u64> {
    if written.len() < 4 {
        return None; // as most numbers are
    }
    let year = plain(written).filter(|_| written.chars().count() == 4)?;
    (1000..2200).contains(&year).then_some(year)
}

/// A number of up to four digits, of any width, and nothing else.
fn plain(written: &str) -> Option<u64> {
    if written.is_empty() || written.len() > 12 {
        return None;
    }
    let mut number = 0;
    for (count, c) in written.chars().enumerate() {
        let digit = c.to_digit(10).or_else(|| value::full_width(c)).filter(|_| count < 4)?;
        number = number * 10 + u64::from(digit);
    }
    Some(number)
}

fn written<'t>(text: &'t str, words: &[Word], at: usize) -> Option<(&'t str, Word)> {
    let word = *words.get(at)?;
    Some((text.get(word.range())?, word))
}

/// A date that begins with digits: `2024-03-04`, `4 March 2024`, `2024年3月4日`, `2024`, `1990s`.
pub(super) fn from_number(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let (digits, word) = written(text, words, at)?;
    // Only Chinese characters behind a number make it a date in Chinese.
    let before_ascii = text.as_bytes().get(word.end).is_none_or(u8::is_ascii);
    // Of digits alone one or two may be a day, four a year, and others are no date.
    if before_ascii && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return match digits.len() {
            1 | 2 => day_first(text, words, at),
            4 if is_year(digits).is_some() => {
                numeric(text, words, at).or_else(|| years::year(text, digits, word))
            }
            _ => None,
        };
    }
    if digits.len() > 12
        || text[..word.start].ends_with(['$', '€', '£', '¥', '￥', '-', '–']) && plain(digits).is_none()
    {
        return None;
    }
    (if before_ascii { None } else { chinese(text, digits, word) })
        .or_else(|| numeric(text, words, at))
        .or_else(|| day_first(text, words, at))
        .or_else(|| decade(digits, word))
        .or_else(|| quarter_after_year(digits, word))
        .or_else(|| years::year(text, digits, word))
}

fn decade(digits: &str, word: Word) -> Option<Figure> {
    let year = is_year(digits.strip_suffix('s')?).filter(|year| year.is_multiple_of(10))?;
    Some(figure(year, DECADE, 0, word.start, word.end))
}

/// `2024Q3`.
fn quarter_after_year(digits: &str, word: Word) -> Option<Figure> {
    let year = is_year(digits.get(..4)?)?;
    let month = part_of_year(digits.get(4..)?)?;
    Some(figure(year, month, 0, word.start, word.end))
}

/// `Q3`, `H1`.
fn part_of_year(letters: &str) -> Option<u64> {
    let bytes = letters.as_bytes();
    let [part, number @ b'1'..=b'4'] = bytes else { return None };
    let number = u64::from(number - b'0');
    match part {
        b'Q' | b'q' => Some(QUARTER + number),
        b'H' | b'h' if number <= 2 => Some(HALF + number),
        _ => None,
    }
}

/// `2024-03-04`, `2024/3/4`, `2024.03.04`, `04.03.2024`; `03/2024` and other orders stay numbers.
fn numeric(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let (digits, word) = written(text, words, at)?;
    if let Some((first, rest)) = digits.split_once('.') {
        let (second, third) = rest.split_once('.')?;
        let (year, month, day) = match is_year(first) {
            Some(year) => (year, plain(second)?, plain(third)?),
            None => (is_year(third)?, plain(second)?, plain(first)?),
        };
        return valid(month, day).then(|| figure(year, month, day, word.start, word.end));
    }
    let year = is_year(digits)?;
    let (second, month) = written(text, words, at + 1)?;
    let (third, day) = written(text, words, at + 2)?;
    let joint = text.get(word.end..month.start)?;
    if !matches!(joint, "-" | "/") || text.get(month.end..day.start)? != joint {
        return None;
    }
    let day_digits = third.split(['T', 't']).next()?;
    let (month, day_of) = (plain(second)?, plain(day_digits)?);
    valid(month, day_of).then(|| figure(year, month, day_of, word.start, day.end))
}

fn valid(month: u64, day: u64) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// `2024年3月4日`, `2024年第三季度`, `3月4日`, `2024年`, `2024财年`.
fn chinese(text: &str, digits: &str, word: Word) -> Option<Figure> {
    let number = plain(digits)?;
    let after = &text[word.end..];
    if let Some(rest) = after.strip_prefix('年').or_else(|| after.strip_prefix("财年"))
        && let Some(year) = is_year(digits)
    {
        let end = text.len() - rest.len();
        let rest = rest.strip_prefix('第').unwrap_or(rest);
        let quarter = ["一季度", "二季度", "三季度", "四季度"].iter().position(|name| rest.starts_with(name));
        let half = ["上半年", "下半年"].iter().position(|name| rest.starts_with(name));
        if let Some(quarter) = quarter {
            return Some(figure(
                year,
                QUARTER + 1 + quarter as u64,
                0,
                word.start,
                text.len() - rest.len() + 9,
            ));
        }
        if let Some(half) = half {
            return Some(figure(year, HALF + 1 + half as u64, 0, word.start, end + 9));
        }
        let (month, day, used) = month_and_day(rest).unwrap_or((0, 0, 0));
        return Some(figure(
            year,
            month,
            day,
            word.start,
            if used == 0 { end } else { text.len() - rest.len() + used },
        ));
    }
    if after.starts_with("年代") {
        return Some(figure(0, DECADE, number, word.start, word.end + 6));
    }
    let (month, day, used) = month_and_day(&text[word.start..])?;
    Some(figure(0, month, day, word.start, word.start + used))
}

/// `3月4日` or `3月` at the beginning of a text: month, day or 0, and the bytes read.
fn month_and_day(text: &str) -> Option<(u64, u64, usize)> {
    let (month, used) = small(text)?;
    let rest = text[used..].strip_prefix('月')?;
    let used = text.len() - rest.len();
    if !(1..=12).contains(&month) {
        return None;
    }
    let day = small(rest).and_then(|(day, digits)| {
        let end = rest[digits..].strip_prefix(['日', '号'])?;
        Some((day, text.len() - end.len()))
    });
    let (day, used) = day.unwrap_or((0, used));
    Some((month, day, used))
}

/// A number of up to two digits at the beginning of a text, and its bytes.
fn small(text: &str) -> Option<(u64, usize)> {
    let length = |count| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let digits =
        text.chars().take(3).take_while(|c| c.is_ascii_digit() || value::full_width(*c).is_some()).count();
    let number = text.get(..length(digits))?;
    plain(number).filter(|_| digits <= 2).map(|value| (value, number.len()))
}

/// `4 March 2024`, `4th of March`, `4. März 2024`, `4 de marzo de 2024`.
fn day_first(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let (digits, word) = written(text, words, at)?;
    let day = day_of(digits)?;
    let (mut name, mut place) = written(text, words, at + 1)?;
    let mut next = at + 2;
    let joined = name.eq_ignore_ascii_case("of") || name == "de";
    if joined {
        (name, place) = written(text, words, next)?;
        next += 1;
    }
    if place.start - word.end > 4 {
        return None;
    }
    let month = month(name).or_else(|| months::foreign(name, joined))?;
    let of = written(text, words, next).filter(|(word, of)| *word == "de" && of.start == place.end + 1);
    let (next, from) = of.map_or((next, place.end), |(_, of)| (next + 1, of.end));
    let (year, end) = year_after(text, words, next, from).unwrap_or((0, place.end));
    Some(figure(year, month, day, word.start, end))
}

fn day_of(digits: &str) -> Option<u64> {
    if digits.len() > 4 {
        return None; // `31st` has four
    }
    let bare = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let tail = &digits[bare.len()..];
    let ends = || ["st", "nd", "rd", "th"].iter().any(|end| tail.eq_ignore_ascii_case(end));
    // `1er mai`
    let fits = tail.is_empty() || ends() || (bare, tail) == ("1", "er");
    plain(bare).filter(|day| fits && bare.len() <= 2 && (1..=31).contains(day))
}

fn year_after(text: &str, words: &[Word], at: usize, end: usize) -> Option<(u64, usize)> {
    let (digits, word) = written(text, words, at)?;
    let between = text.get(end..word.start)?;
    (between.len() <= 3 && between.chars().all(|c| matches!(c, ' ' | ',' | '.'))).then_some(())?;
    Some((is_year(digits)?, word.end))
}

/// A date that begins with letters: `March 4, 2024`, `March 2024`, `June`, `Q3 2024`, `FY2024`, `Monday`.
pub(super) fn from_word(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let (name, word) = written(text, words, at)?;
    if !(2..=10).contains(&name.len()) {
        return None;
    }
    if let Some(day) = weekdays::day(text, &word) {
        return Some(day);
    }
    if name.len() > 9 || !name.is_ascii() {
        return None;
    }
    if let Some(figure) = part_in_words(text, words, at) {
        return Some(figure);
    }
    if let Some(part) = part_of_year(name) {
        let (year, end) = year_after(text, words, at + 1, word.end).unwrap_or((0, word.end));
        return Some(figure(year, part, 0, word.start, end));
    }
    if let Some(year) = name.strip_prefix("FY").and_then(is_year) {
        return Some(figure(year, 0, 0, word.start, word.end));
    }
    month_first(text, words, at, month(name)?)
}

/// `third quarter of 2024`, `first half`.
fn part_in_words(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let (name, word) = written(text, words, at)?;
    let number =
        ["first", "second", "third", "fourth"].iter().position(|known| known.eq_ignore_ascii_case(name))?;
    let (part, place) = written(text, words, at + 1).filter(|(_, part)| part.start == word.end + 1)?;
    let month = match part {
        "quarter" => QUARTER + 1 + number as u64,
        "half" if number < 2 => HALF + 1 + number as u64,
        _ => return None,
    };
    let of = written(text, words, at + 2).filter(|(word, of)| *word == "of" && of.start == place.end + 1);
    let (next, from) = of.map_or((at + 2, place.end), |(_, of)| (at + 3, of.end));
    let (year, end) = year_after(text, words, next, from).unwrap_or((0, place.end));
    // The first half of a match is no part of a year.
    (part == "quarter" || year > 0).then(|| figure(year, month, 0, word.start, end))
}

fn month_first(text: &str, words: &[Word], at: usize, month: u64) -> Option<Figure> {
    let (name, word) = written(text, words, at)?;
    if let Some((year, end)) = year_after(text, words, at + 1, word.end) {
        return Some(figure(year, month, 0, word.start, end));
    }
    let next = written(text, words, at + 1)
        .filter(|(_, next)| next.kind == Kind::Number && next.start - word.end <= 2);
    if let Some((day, place)) = next.and_then(|(digits, place)| Some((day_of(digits)?, place))) {
        let (year, end) = year_after(text, words, at + 2, place.end).unwrap_or((0, place.end));
        return Some(figure(year, month, day, word.start, end));
    }
    // Alone, only the names that are nothing else.
    let alone = name.len() > 3
        && !["march", "sept", "mar", "may"].iter().any(|other| name.eq_ignore_ascii_case(other));
    alone.then(|| figure(0, month, 0, word.start, word.end))
}

#[rustfmt::skip]
pub(super) const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
];

fn month(name: &str) -> Option<u64> {
    let full = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name));
    let short = || MONTHS.iter().position(|month| name.len() == 3 && month[..3].eq_ignore_ascii_case(name));
    let sept = || name.eq_ignore_ascii_case("sept").then_some(8);
    full.or_else(short).or_else(sept).map(|month| month as u64 + 1)
}
