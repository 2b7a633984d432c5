//! Numbers in letters: English up to the hundreds with scales, fractions and multiples, cardinals of three languages more,
//! Chinese numerals in common use.

mod foreign;

use std::sync::LazyLock;

use super::suffix::Suffix;
use super::{Figure, Unit, Value, dates};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Word;

/// The stems of all words that numbers and dates begin with: most words are none of them.
static BEGINNINGS: LazyLock<KnownTerms<()>> = LazyLock::new(|| {
    let numerals = SMALL.iter().chain(&TENS).chain(&ORDINALS).chain(OTHERS);
    let short = dates::MONTHS.iter().map(|month| &month[..3]);
    let foreign = foreign::NUMBERS.iter().map(|(word, _)| *word);
    let all = numerals
        .chain(&dates::MONTHS)
        .chain(&dates::weekdays::DAYS)
        .chain(&dates::weekdays::SHORT)
        .chain(dates::weekdays::FOREIGN.iter().copied().flatten())
        .copied()
        .chain(short)
        .chain(["sept"])
        .chain(foreign);
    terms::table(all.map(|word| (word, ()))).into()
});

/// Whether a number or date may begin with a word.
pub(super) fn may_begin(word: &Word) -> bool {
    BEGINNINGS.get(word.term).is_some()
}

#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "hundred", "thousand", "million", "billion", "trillion", "dozen", "twice", "double", "twofold", "triple", "thrice", "threefold", "quadruple", "fourfold", "tenfold",
    "half", "halved", "halves", "halving",
];

/// What an English word of a number is.
#[derive(Clone, Copy)]
enum Numeral {
    Small(u32),
    Scale(i32),
    Ordinal(u32),
    Times(u32),
    Half,
}

fn numeral(word: &str) -> Option<Numeral> {
    if !(3..=11).contains(&word.len()) || !word.is_ascii() {
        return None;
    }
    let mut lowered = [0; 11];
    let lowered = lowered.get_mut(..word.len())?;
    lowered.copy_from_slice(word.as_bytes());
    lowered.make_ascii_lowercase();
    let lowered = std::str::from_utf8(lowered).ok()?;
    if let Some(at) = SMALL.iter().position(|name| *name == lowered) {
        return Some(Numeral::Small(at as u32));
    }
    if let Some(at) = TENS.iter().position(|name| *name == lowered) {
        return Some(Numeral::Small((at as u32 + 2) * 10));
    }
    if let Some(at) = ORDINALS.iter().position(|name| *name == lowered) {
        return Some(Numeral::Ordinal(at as u32 + 1));
    }
    match lowered {
        "hundred" => Some(Numeral::Scale(2)),
        "thousand" => Some(Numeral::Scale(3)),
        "million" => Some(Numeral::Scale(6)),
        "billion" => Some(Numeral::Scale(9)),
        "trillion" => Some(Numeral::Scale(12)),
        "dozen" => Some(Numeral::Small(12)),
        "twice" | "double" | "doubled" | "doubles" | "doubling" | "twofold" => Some(Numeral::Times(2)),
        "triple" | "tripled" | "triples" | "tripling" | "thrice" | "threefold" => Some(Numeral::Times(3)),
        "quadruple" | "quadrupled" | "fourfold" => Some(Numeral::Times(4)),
        "tenfold" => Some(Numeral::Times(10)),
        "half" | "halved" | "halves" | "halving" => Some(Numeral::Half),
        _ => None,
    }
}

#[rustfmt::skip]
const SMALL: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
#[rustfmt::skip]
const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
];

/// A number in letters that begins at a word.
pub(super) fn in_letters(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let word = words[at];
    let Some(first) = numeral(text.get(word.range())?) else {
        let (number, used) = foreign::read(text.get(word.start..)?)?;
        let suffix = Suffix::of(text, word.start + used, "", false)?;
        return Some(suffix.figure(Value::new(u128::from(number), 0), 0, None, word.start));
    };
    match first {
        Numeral::Small(number) => small(text, words, at, number),
        Numeral::Scale(power) => {
            let mut figure =
                Suffix::of(text, word.end, "", false)?.figure(Value::new(1, power), 0, None, word.start);
            figure.place = power;
            Some(figure)
        }
        Numeral::Ordinal(number) => Some(of(number, Unit::Ordinal, word)),
        Numeral::Times(number) => Some(of(number, Unit::Times, word)),
        Numeral::Half => Some(of(1002, Unit::Fraction, word)),
    }
}

fn of(number: u32, unit: Unit, word: Word) -> Figure {
    Figure::new(Value::new(u128::from(number), 0), unit, word.start, word.end)
}

/// `three`, `twenty-five`, `two hundred`, `one million`, `two-thirds`. `one` alone is no figure but a pronoun.
fn small(text: &str, words: &[Word], at: usize, number: u32) -> Option<Figure> {
    let mut number = number;
    let mut last = words[at];
    if let Some(next) = words.get(at + 1).filter(|next| next.start == last.end + 1) {
        match numeral(text.get(next.range())?) {
            Some(Numeral::Small(units))
                if number >= 20 && number.is_multiple_of(10) && (1..10).contains(&units) =>
            {
                number += units;
                last = *next;
            }
            Some(Numeral::Ordinal(parts)) if parts > 2 && (1..20).contains(&number) => {
                return Some(fraction(number, parts, words[at].start, next.end));
            }
            _ => {
                if let Some(parts) = parts(text.get(next.range())?) {
                    return Some(fraction(number, parts, words[at].start, next.end));
                }
            }
        }
    }
    let suffix = Suffix::of(text, last.end, "", false)?;
    let figure = suffix.figure(Value::new(u128::from(number), 0), 0, None, words[at].start);
    (number != 1 || figure.end > last.end).then_some(figure)
}

fn fraction(number: u32, parts: u32, start: usize, end: usize) -> Figure {
    Figure::new(Value::new(u128::from(number * 1000 + parts), 0), Unit::Fraction, start, end)
}

fn parts(word: &str) -> Option<u32> {
    if word.eq_ignore_ascii_case("half") {
        return Some(2);
    }
    if word.eq_ignore_ascii_case("quarters") || word.eq_ignore_ascii_case("quarter") {
        return Some(4);
    }
    let singular = word.strip_suffix(['s', 'S'])?;
    let at = ORDINALS.iter().position(|name| name.eq_ignore_ascii_case(singular))?;
    Some(at as u32 + 1).filter(|parts| *parts > 2)
}

/// What a Chinese character is in a number.
fn digit(c: char) -> Option<u32> {
    let digit = match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    };
    Some(digit)
}

fn power(c: char) -> Option<u32> {
    match c {
        '十' => Some(1),
        '百' => Some(2),
        '千' => Some(3),
        '万' => Some(4),
        '亿' => Some(8),
        _ => None,
    }
}

/// Words in which a numeral counts nothing, or one as much as `a`.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "一些", "一个", "一种", "一样", "一般", "一定", "一直", "一致", "一体", "一方", "一旦", "一系", "一起", "一边", "一面", "一切", "一次", "一步", "一并", "一带",
    "万一", "千万不", "十分", "百姓", "万物", "四处", "三角", "一流", "一线", "一代", "一家", "一项", "一条", "一站", "一律", "一批", "两者", "一款", "一类", "一套",
];

/// A number in Chinese characters: `三种`, `两个`, `十五年`, `三亿`, `第三`, `三分之二`, `百分之十`, `一半`, `翻番`.
pub(super) fn chinese(text: &str, at: usize) -> Option<Figure> {
    let rest = text.get(at..)?;
    let first = rest.chars().next()?;
    if let Some(figure) = japanese_weekday(rest, at) {
        return Some(figure);
    }
    if digit(first).is_none() && power(first).is_none() && !matches!(first, '第' | '翻' | '星' | '周') {
        return None;
    }
    if let Some(after) = rest.strip_prefix('第') {
        let (value, used) = read(after)?;
        return Some(Figure::new(Value::new(value, 0), Unit::Ordinal, at, at + '第'.len_utf8() + used));
    }
    if let Some(after) = rest.strip_prefix("百分之") {
        let (value, used) = read(after)?;
        return Some(Figure::new(Value::new(value, 0), Unit::Percent, at, at + 9 + used));
    }
    if rest.starts_with("一半") {
        return Some(fraction(1, 2, at, at + 6));
    }
    if rest.starts_with("翻番") || rest.starts_with("翻倍") {
        return Some(Figure::new(Value::new(2, 0), Unit::Times, at, at + 6));
    }
    if let Some(day) = rest.strip_prefix("星期").or_else(|| rest.strip_prefix('周')).and_then(weekday) {
        let end = at + rest.find(|c: char| digit(c).is_some() || matches!(c, '日' | '天'))? + 3;
        return Some(Figure::new(Value::new(day, 0), Unit::Weekday, at, end));
    }
    if digit(first).is_none() && power(first).is_none() || begins_with_any(rest, WORDS) {
        return None;
    }
    let (value, used) = read(rest)?;
    let after = &rest[used..];
    if let Some((parts, more)) = after.strip_prefix("分之").and_then(read) {
        // 三分之二 is two of three.
        let denominator = u32::try_from(value).ok()?;
        return Some(fraction(
            u32::try_from(parts).ok()?.min(1000),
            denominator.min(999),
            at,
            at + used + 6 + more,
        ));
    }
    let figure = Suffix::of(text, at + used, "", false)?.figure(Value::new(value, 0), 0, None, at);
    // A numeral alone is mostly part of a word: it counts only with what it counts.
    let several = used >= 6 && rest[..used].chars().any(|c| power(c).is_some());
    (figure.end > at + used || several).then_some(figure)
}

/// `月曜日`, `火曜`.
fn japanese_weekday(rest: &str, at: usize) -> Option<Figure> {
    const DAYS: [char; 7] = ['月', '火', '水', '木', '金', '土', '日'];
    let mut characters = rest.chars();
    let first = characters.next()?;
    let day = DAYS.iter().position(|day| *day == first)?;
    let is_day = characters.next() == Some('曜');
    let length = if characters.next() == Some('日') { 9 } else { 6 };
    is_day.then(|| Figure::new(Value::new(day as u128 + 1, 0), Unit::Weekday, at, at + length))
}

fn weekday(rest: &str) -> Option<u128> {
    let first = rest.chars().next()?;
    match first {
        '日' | '天' => Some(7),
        _ => digit(first).filter(|day| (1..=6).contains(day)).map(u128::from),
    }
}

/// Reads a numeral: its value and the bytes read.
fn read(text: &str) -> Option<(u128, usize)> {
    let (mut total, mut section, mut current) = (0_u128, 0_u128, None);
    let mut used = 0;
    for c in text.chars().take(16) {
        if let Some(digit) = digit(c) {
            current = Some(current.map_or(u128::from(digit), |before: u128| before * 10 + u128::from(digit)));
        } else if let Some(power) = power(c) {
            let factor = 10_u128.checked_pow(power)?;
            if power >= 4 {
                let units = current.take().unwrap_or(if used == 0 { 1 } else { 0 });
                // `亿亿亿亿亿` is no figure.
                total = total.checked_add(section)?.checked_add(units)?.checked_mul(factor)?;
                section = 0;
            } else {
                section = section.checked_add(current.take().unwrap_or(1) * factor)?;
            }
        } else if let Some(digit) = c.to_digit(10).filter(|_| used == 0 && current.is_none()) {
            current = Some(u128::from(digit));
        } else if let (Some(digit), Some(before)) = (c.to_digit(10), current) {
            current = Some(before * 10 + u128::from(digit));
        } else {
            break;
        }
        used += c.len_utf8();
    }
    let value = total.checked_add(section)?.checked_add(current.unwrap_or(0))?;
    (used > 0).then_some((value, used))
}
