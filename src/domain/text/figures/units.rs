//! Units and scales as data.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use self::index::INDEX;
use super::korean;

mod index;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Nothing that is known here: the word after it says what.
    Plain,
    /// Percent.
    Percent,
    /// Percentage points.
    Points,
    /// A currency by its ISO 4217 code.
    Money(&'static str),
    /// A measure, in its base: seconds, metres, grams …
    Measure {
        /// The base: values of one base compare.
        base: &'static str,
        /// A digest of what it is counted per (`km/h`); 0 where it is per nothing.
        per: u64,
    },
    /// First, second, 第三.
    Ordinal,
    /// `2x`, `twice`, `三倍`.
    Times,
    /// A fraction: numerator × 1,000 + denominator.
    Fraction,
    /// A date: year × 10,000 + month × 100 + day, with 0 where one isn't said; months from 21 are quarters, 31 halves,
    /// 40 a decade.
    Date,
    /// A day of the week, from Monday = 1.
    Weekday,
    /// A name with digits.
    Label,
}

/// A unit as it is written, and what one of it is in the base: `factor × 10^power`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) unit: Unit,
    pub(super) factor: u32,
    pub(super) power: i32,
}

impl Written {
    const fn one(unit: Unit) -> Self {
        Self { unit, factor: 1, power: 0 }
    }
}

impl Unit {
    /// The unit per something: `km/h`.
    pub(super) fn per(self, what: &str) -> Self {
        let per = xxh3_64(what.to_lowercase().as_bytes());
        match self {
            Unit::Measure { base, .. } => Unit::Measure { base, per },
            Unit::Money(base) => Unit::Measure { base, per },
            Unit::Percent => Unit::Measure { base: "%", per },
            Unit::Plain => Unit::Measure { base: "1", per },
            Unit::Points
            | Unit::Ordinal
            | Unit::Times
            | Unit::Fraction
            | Unit::Date
            | Unit::Weekday
            | Unit::Label => self,
        }
    }
}

/// A sign or code of a currency directly before a number, and where it begins.
pub(super) fn currency_before(before: &str) -> (Option<Unit>, usize) {
    let near = before.strip_suffix([' ', '\u{a0}']).unwrap_or(before);
    let may_end = |byte: u8| byte == b'$' || byte.is_ascii_uppercase() || !byte.is_ascii();
    if !near.bytes().next_back().is_some_and(may_end) {
        return (None, before.len());
    }
    for (sign, code) in CURRENCY_SIGNS {
        // A code in letters stands after something that is no letter.
        if let Some(rest) = near.strip_suffix(sign)
            && (near.len() == before.len() || sign.len() == 3)
            && !(sign.as_bytes()[0].is_ascii_alphabetic()
                && rest.ends_with(|c: char| c.is_ascii_alphabetic()))
        {
            return (Some(Unit::Money(code)), rest.len());
        }
    }
    (None, before.len())
}

/// The code of `¥` where nothing tells which currency it is.
pub(super) const YEN_OR_YUAN: &str = "¥";

/// Longer ones first.
#[rustfmt::skip]
const CURRENCY_SIGNS: &[(&str, &str)] = &[
    ("US$", "USD"), ("HK$", "HKD"), ("NT$", "TWD"), ("A$", "AUD"), ("C$", "CAD"), ("S$", "SGD"), ("R$", "BRL"),
    ("USD", "USD"), ("EUR", "EUR"), ("GBP", "GBP"), ("CNY", "CNY"), ("RMB", "CNY"), ("JPY", "JPY"), ("CHF", "CHF"),
    ("HKD", "HKD"), ("INR", "INR"), ("KRW", "KRW"), ("AUD", "AUD"), ("CAD", "CAD"),
    ("$", "USD"), ("＄", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", YEN_OR_YUAN), ("￥", YEN_OR_YUAN), ("₹", "INR"), ("₩", "KRW"),
    ("₽", "RUB"),
];

/// A scale written onto its number: `3bn`, `5k`; `m` and `b` only with a currency.
pub(super) fn scale_attached(tail: &str, money: bool) -> Option<i32> {
    match tail {
        "k" | "K" => Some(3),
        "M" | "mn" | "Mn" | "MM" | "mln" => Some(6),
        "bn" | "Bn" | "BN" | "bln" | "B" => Some(9),
        "tn" | "Tn" | "trn" | "T" => Some(12),
        "m" if money => Some(6),
        "b" if money => Some(9),
        "t" if money => Some(12),
        _ => None,
    }
}

/// A scale at the beginning of a token, and the bytes it takes.
pub(super) fn scale(token: &str) -> Option<(i32, usize)> {
    if let Some(first) = token.as_bytes().first().filter(|byte| byte.is_ascii()) {
        // What no scale begins with is none: nearly every word.
        let may_be = matches!(first.to_ascii_lowercase(), b'b' | b'h' | b'm' | b't');
        let named = |(word, _): &&(&str, i32)| word.eq_ignore_ascii_case(token);
        let power = SCALES.iter().filter(|_| may_be).find(named)?.1;
        return Some((power, token.len()));
    }
    let first = token.chars().next()?;
    let power = match first {
        '十' => 1,
        '百' => 2,
        '千' if !token.starts_with("千克") && !token.starts_with("千米") && !token.starts_with("千瓦") => {
            3
        }
        '万' | '萬' => 4,
        '亿' | '億' => 8,
        _ => return None,
    };
    Some((power, first.len_utf8()))
}

const SCALES: &[(&str, i32)] = &[
    ("hundred", 2),
    ("thousand", 3),
    ("million", 6),
    ("millions", 6),
    ("mn", 6),
    ("mln", 6),
    ("billion", 9),
    ("billions", 9),
    ("bn", 9),
    ("trillion", 12),
    ("trillions", 12),
    // German, French, Spanish, Italian, Portuguese, Dutch. `Billion` alone is the English one.
    ("tsd", 3),
    ("mio", 6),
    ("millionen", 6),
    ("millones", 6),
    ("milioni", 6),
    ("milhões", 6),
    ("miljoen", 6),
    ("mrd", 9),
    ("milliarde", 9),
    ("milliarden", 9),
    ("milliard", 9),
    ("milliards", 9),
    ("miliardi", 9),
    ("bilhões", 9),
    ("miljard", 9),
    ("billionen", 12),
];

/// Scales that end with a point: `5 Mio. Euro`.
pub(super) const SHORTENED: &[&str] = &["Tsd", "Mio", "Mrd", "tsd", "mio", "mrd"];

/// A unit written onto its number: `5ms`, `2x`, `3rd`, `1990s`.
pub(super) fn attached(tail: &str) -> Option<Written> {
    match tail {
        "st" | "nd" | "rd" | "th" | "ST" | "ND" | "RD" | "TH" => Some(Written::one(Unit::Ordinal)),
        "x" | "X" | "×" => Some(Written::one(Unit::Times)),
        _ => symbol(tail).or_else(|| {
            let korean = korean::UNITS.iter().find(|(unit, ..)| *unit == tail);
            korean.map(|&(_, base, factor)| written(base, factor, 0))
        }),
    }
}

/// A unit at the beginning of a token, and the bytes it takes.
pub(super) fn unit(token: &str) -> Option<(Written, usize)> {
    let first = token.chars().next()?;
    if first.is_ascii_alphabetic() || matches!(first, '°' | 'µ' | 'μ' | 'Ω') {
        // Letters that are also words or names only count where they are written onto the number.
        if first.is_ascii() && !INDEX.may_hold(token) {
            return None;
        }
        let written =
            if matches!(token, "A" | "C" | "V" | "a" | "F" | "B" | "K" | "t" | "b" | "v" | "in" | "IN") {
                None
            } else {
                symbol(token).or_else(|| named(token))
            };
        return written.map(|written| (written, token.len()));
    }
    if matches!(first, '\u{430}'..='\u{44F}' | '\u{410}'..='\u{42F}') {
        return named(token).map(|written| (written, token.len()));
    }
    if first == '%' {
        return Some((Written::one(Unit::Percent), 1)); // the commonest, and the only one that begins so
    }
    let (sign, base, factor, power) = signs(first)
        .iter()
        .copied()
        .filter(|entry| token.starts_with(entry.0))
        .max_by_key(|entry| entry.0.len())?;
    Some((written(base, factor, power), sign.len()))
}

fn symbol(token: &str) -> Option<Written> {
    INDEX.symbols.get(token).map(|&(base, factor, power)| written(base, factor, power))
}

type Sign = (&'static str, &'static str, u32, i32);

/// [`SIGNS`] by their first characters, in their order.
static BY_FIRST: LazyLock<Vec<(char, Vec<Sign>)>> = LazyLock::new(|| {
    let mut by_first: Vec<(char, Vec<Sign>)> = Vec::new();
    for sign in SIGNS {
        let Some(first) = sign.0.chars().next() else { continue };
        match by_first.iter_mut().find(|(known, _)| *known == first) {
            Some((_, signs)) => signs.push(*sign),
            None => by_first.push((first, vec![*sign])),
        }
    }
    by_first.sort_by_key(|(first, _)| *first);
    by_first
});

fn signs(first: char) -> &'static [Sign] {
    let found = BY_FIRST.binary_search_by_key(&first, |(first, _)| *first);
    found.map_or(&[], |at| BY_FIRST[at].1.as_slice())
}

fn named(token: &str) -> Option<Written> {
    if token.len() < 2 || token.len() > 16 {
        return None;
    }
    let lower = token.to_lowercase();
    let find = |name: &str| INDEX.names.get(name);
    let found = find(&lower).or_else(|| lower.strip_suffix('s').and_then(find));
    let found = found.or_else(|| INDEX.lowered.get(&lower));
    found.map(|&(base, factor, power)| written(base, factor, power))
}

fn written(base: &'static str, factor: u32, power: i32) -> Written {
    let unit = match base {
        "%" => Unit::Percent,
        "pp" => Unit::Points,
        "x" => Unit::Times,
        _ if base.len() == 3 && base.bytes().all(|byte| byte.is_ascii_uppercase()) => Unit::Money(base),
        _ => Unit::Measure { base, per: 0 },
    };
    Written { unit, factor, power }
}

/// Signs and Chinese units.
#[rustfmt::skip]
const SIGNS: &[Sign] = &[
    ("%", "%", 1, 0), ("％", "%", 1, 0), ("‰", "%", 1, -1), ("℃", "°C", 1, 0), ("€", "EUR", 1, 0), ("£", "GBP", 1, 0), ("$", "USD", 1, 0),
    ("个百分点", "pp", 1, 0), ("百分点", "pp", 1, 0), ("个基点", "pp", 1, -2), ("基点", "pp", 1, -2),
    ("秒", "s", 1, 0), ("毫秒", "s", 1, -3), ("微秒", "s", 1, -6), ("纳秒", "s", 1, -9), ("分钟", "s", 60, 0), ("小时", "s", 3600, 0), ("个小时", "s", 3600, 0), ("天", "s", 86_400, 0), ("時間", "s", 3600, 0), ("分間", "s", 60, 0), ("秒間", "s", 1, 0), ("日間", "s", 86_400, 0), ("週間", "s", 604_800, 0), ("年間", "month", 12, 0), ("周", "s", 604_800, 0), ("个月", "month", 1, 0), ("年", "month", 12, 0), ("岁", "岁", 1, 0),
    ("米", "m", 1, 0), ("千米", "m", 1, 3), ("公里", "m", 1, 3), ("厘米", "m", 1, -2), ("毫米", "m", 1, -3), ("微米", "m", 1, -6), ("纳米", "m", 1, -9),
    ("克", "g", 1, 0), ("毫克", "g", 1, -3), ("千克", "g", 1, 3), ("公斤", "g", 1, 3), ("斤", "g", 5, 2), ("吨", "g", 1, 6), ("升", "l", 1, 0), ("毫升", "l", 1, -3),
    ("平方米", "m2", 1, 0), ("平方公里", "m2", 1, 6), ("公顷", "m2", 1, 4), ("亩", "亩", 1, 0), ("立方米", "m3", 1, 0),
    ("千瓦", "W", 1, 3), ("兆瓦", "W", 1, 6), ("瓦", "W", 1, 0), ("千瓦时", "Wh", 1, 3), ("千卡", "cal", 1, 3), ("大卡", "cal", 1, 3), ("卡", "cal", 1, 0), ("度", "°", 1, 0),
    ("倍", "x", 1, 0), ("美元", "USD", 1, 0), ("欧元", "EUR", 1, 0), ("元", "CNY", 1, 0), ("人民币", "CNY", 1, 0), ("日元", "JPY", 1, 0), ("英镑", "GBP", 1, 0), ("港元", "HKD", 1, 0), ("港币", "HKD", 1, 0), ("韩元", "KRW", 1, 0), ("卢比", "INR", 1, 0),
    ("人", "人", 1, 0), ("万人", "人", 1, 4), ("家", "家", 1, 0), ("台", "台", 1, 0), ("个", "个", 1, 0), ("项", "项", 1, 0), ("名", "名", 1, 0), ("所", "所", 1, 0), ("座", "座", 1, 0), ("种", "种", 1, 0), ("次", "次", 1, 0), ("篇", "篇", 1, 0), ("例", "例", 1, 0), ("万", "个", 1, 4),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scale_is_found() {
        for (word, power) in SCALES {
            assert_eq!(scale(word), Some((*power, word.len())), "{word}");
            assert_eq!(
                scale(&word.to_uppercase().replace('Õ', "õ")).map(|found| found.0),
                Some(*power),
                "{word}"
            );
        }
    }
}
