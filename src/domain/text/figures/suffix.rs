//! What follows a number: its scale, then its unit.

use super::korean;
use super::units::{self, Unit, Written};
use super::{Bound, Figure, Value};
use crate::domain::text::phrases::{begins_with_any, ends_with_any};

/// Scale and unit of a number.
pub(super) struct Suffix {
    scale: i32,
    unit: Option<Written>,
    bound: Option<Bound>,
    end: usize,
}

impl Suffix {
    /// Reads what follows a number. `tail` are the letters of the same word: `bn` of `3bn`. `None` where they are no
    /// scale and no unit, so that the word is a name.
    pub(super) fn of(text: &str, at: usize, tail: &str, money: bool) -> Option<Self> {
        let (scale, tail) = korean::divided(tail);
        let mut suffix = Self { scale, unit: None, bound: None, end: at + tail.len() };
        if scale > 0 {
            let next = token(text, suffix.end);
            suffix.read_unit(text, next);
            return Some(suffix);
        }
        if !tail.is_empty() {
            suffix.read_tail(tail, money)?;
        }
        if suffix.unit.is_none() {
            let next = suffix.read_scales(text);
            suffix.read_unit(text, next);
        }
        suffix.read_per(text);
        suffix.read_bound(text);
        Some(suffix)
    }

    /// Puts number, scale and unit together.
    pub(super) fn figure(self, value: Value, place: i32, money: Option<Unit>, start: usize) -> Figure {
        let plain = Written { unit: Unit::Plain, factor: 1, power: 0 };
        let written = self.unit.unwrap_or(plain);
        let scale = self.scale.saturating_add(written.power);
        let unit = money.filter(|_| !matches!(written.unit, Unit::Measure { .. })).unwrap_or(written.unit);
        Figure {
            place: place.saturating_add(scale),
            scale,
            factor: written.factor,
            bound: self.bound.unwrap_or(Bound::Exact),
            ..Figure::new(value.times(written.factor).scaled(scale), unit, start, self.end)
        }
    }

    fn read_tail(&mut self, tail: &str, money: bool) -> Option<()> {
        if let Some(scale) = units::scale_attached(tail, money) {
            self.scale = scale;
        } else if !korean::is_counter(tail) {
            self.unit = Some(units::attached(tail)?);
        }
        Some(())
    }

    /// Reads up to three scales, and returns the token behind them with its end.
    fn read_scales<'t>(&mut self, text: &'t str) -> Option<(&'t str, usize)> {
        for _ in 0..3 {
            let (token, end) = token(text, self.end)?;
            match units::scale(token).or_else(|| self.spanish_thousand(text, token, end)) {
                Some((scale, used)) => {
                    self.scale += scale;
                    self.end = end - (token.len() - used);
                }
                None => return Some((token, end)),
            }
        }
        token(text, self.end)
    }

    /// `mil` before `millones`; elsewhere it is English for million, or a thousandth of an inch.
    fn spanish_thousand(&self, text: &str, word: &str, end: usize) -> Option<(i32, usize)> {
        if word != "mil" {
            return None;
        }
        let next = token(text, end)?.0;
        ["millones", "milhões"].contains(&next).then_some((3, word.len()))
    }

    /// Whether a word behind a number is none of the units that it looks like: `um`, `let` but in Czech, `an` but at an end, and what says
    /// that four digits are a year.
    fn is_other_word(&self, text: &str, token: &str, end: usize) -> bool {
        const YEARS: [&str; 3] = ["rok", "год", "года"];
        const GOING_ON: [&str; 6] = ["et ", "de ", "d'", "d’", "à ", "pour "];
        match token {
            "um" => self.is_german_um(text, token, end),
            "let" => !text.contains(['ě', 'ř', 'ů', 'ž', 'š', 'č', 'á', 'í', 'ý']),
            "an" => {
                let rest = text[end..].trim_start();
                rest.starts_with(char::is_alphanumeric) && !begins_with_any(rest, &GOING_ON)
            }
            _ => {
                YEARS.contains(&token)
                    && text[..self.end].bytes().rev().take_while(u8::is_ascii_digit).count() == 4
            }
        }
    }

    /// Whether `um` behind a number is the German word, not a millionth of a metre: behind a year, or before a number.
    fn is_german_um(&self, text: &str, token: &str, end: usize) -> bool {
        if token != "um" {
            return false;
        }
        let year = text[..self.end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let digits = &text[year..self.end];
        let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        let next = text[end..].trim_start().chars().next();
        is_year || next.is_some_and(|c| c.is_ascii_digit())
    }

    fn read_unit(&mut self, text: &str, next: Option<(&str, usize)>) {
        if self.read_shortened(text) {
            return;
        }
        let Some((token, end)) = next else { return };
        if token.eq_ignore_ascii_case("percentage") {
            let before = std::mem::replace(&mut self.end, end);
            self.read_points(text);
            self.end = if self.unit.is_some() { self.end } else { before };
        } else if let Some((unit, end)) = in_two_words(text, token, end) {
            (self.unit, self.end) = (Some(unit), end);
        } else if let Some(end) = end_of_per_cent(text, token, end) {
            self.unit = Some(Written { unit: Unit::Percent, factor: 1, power: 0 });
            self.end = end;
        } else if self.is_other_word(text, token, end) {
            // No unit: `sank 2023 um 89 %`.
        } else if let Some(unit) = japanese_minutes(text, self.end) {
            self.unit = Some(unit);
            self.end += '分'.len_utf8();
        } else if let Some((unit, used)) = units::unit(token) {
            self.unit = Some(unit);
            self.end = end - (token.len() - used);
            if unit.unit == Unit::Percent {
                self.read_points(text);
            }
        }
    }

    /// The unit behind a scale with a point (`5 Mio. Euro`), and `US dollars`.
    fn read_shortened(&mut self, text: &str) -> bool {
        let (read, rest) = text.split_at(self.end);
        let point = rest.starts_with('.') && ends_with_any(read, units::SHORTENED);
        let at = self.end + usize::from(point);
        // Nearly all numbers stand before neither.
        if !point && !rest.bytes().take(4).any(|byte| byte == b'U') {
            return false;
        }
        let Some((first, end)) = token(text, at) else { return false };
        let nation = first == "US" || first == "U";
        let end = if first == "U" && text[end..].starts_with(".S.") { end + 3 } else { end };
        let found = match nation {
            true => token(text, end).filter(|(word, _)| {
                units::unit(word).is_some_and(|(unit, _)| unit.unit == Unit::Money("USD"))
            }),
            false => point.then_some((first, end)),
        };
        let Some((word, end)) = found else { return false };
        let Some((unit, used)) = units::unit(word) else { return false };
        self.unit = Some(unit);
        self.end = end - (word.len() - used);
        true
    }

    /// `percentage points` are no percents.
    fn read_points(&mut self, text: &str) {
        if let Some((token, end)) = token(text, self.end)
            && ["points", "point", "pts", "pp"].iter().any(|name| name.eq_ignore_ascii_case(token))
        {
            self.unit = Some(Written { unit: Unit::Points, factor: 1, power: 0 });
            self.end = end;
        }
    }

    /// `km/h` is no `km`.
    fn read_per(&mut self, text: &str) {
        let Some(unit) = self.unit else { return };
        let Some(rest) = text.get(self.end..) else { return };
        let Some(rest) = rest.strip_prefix(['/', '／']) else { return };
        let start = text.len() - rest.len();
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()).min(24);
        if let Some(per) = rest.get(..length).filter(|per| !per.is_empty()) {
            self.unit = Some(Written { unit: unit.unit.per(per), ..unit });
            self.end = start + per.len();
        }
    }

    fn read_bound(&mut self, text: &str) {
        let rest = text.get(self.end..).unwrap_or_default();
        if let Some(after) = rest.strip_prefix('+') {
            self.bound = Some(Bound::AtLeast);
            self.end = text.len() - after.len();
        } else if rest.starts_with("以上") {
            self.bound = Some(Bound::AtLeast);
        } else if rest.starts_with("以下") || rest.starts_with("以内") {
            self.bound = Some(Bound::AtMost);
        } else if rest.starts_with("左右") || rest.starts_with('余') {
            self.bound = Some(Bound::About);
        }
    }
}

/// Minutes as Japanese writes them, `150分です`: no time of day, no part of a number or word.
fn japanese_minutes(text: &str, at: usize) -> Option<Written> {
    let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{3096}');
    let behind = text[at..].strip_prefix('分')?.chars().next();
    let before = text[..at].trim_end_matches(|c: char| c.is_ascii_digit());
    let is_part = behind.is_some_and(|c| is_han(c) || c == 'の') || before.ends_with(['時', '时', '点']);
    let minutes = Written { unit: Unit::Measure { base: "s", per: 0 }, factor: 60, power: 0 };
    (!is_part && text.contains(is_kana)).then_some(minutes)
}

/// A unit that is written in two words, and its end: `basis points`, `square miles`.
fn in_two_words(text: &str, first: &str, end: usize) -> Option<(Written, usize)> {
    #[rustfmt::skip]
    const AREAS: [(&str, &str, i32); 11] = [
        ("kilometer", "m2", 6), ("kilometre", "m2", 6), ("km", "m2", 6), ("meter", "m2", 0), ("metre", "m2", 0), ("m", "m2", 0), ("mile", "mi2", 0), ("mi", "mi2", 0), ("foot", "ft2", 0), ("feet", "ft2", 0), ("ft", "ft2", 0),
    ];
    let is_basis = first == "basis";
    let is_short = first == "sq";
    if !is_basis && !is_short && first != "square" {
        return None;
    }
    // `sq. ft`.
    let end = end + usize::from(is_short && text[end..].starts_with('.'));
    let (second, end) = token(text, end)?;
    let name = second.strip_suffix('s').unwrap_or(second);
    let area = || AREAS.iter().find(|(area, ..)| *area == name);
    let (unit, power) = match is_basis {
        true => (Unit::Points, Some(-2).filter(|_| name == "point")?),
        false => area().map(|(_, base, power)| (Unit::Measure { base, per: 0 }, *power))?,
    };
    Some((Written { unit, factor: 1, power }, end))
}

/// Where the percent that is written in two words ends: `per cent`, `pour cent`, `por ciento`.
fn end_of_per_cent(text: &str, token_before: &str, end: usize) -> Option<usize> {
    if !["per", "pour", "por"].contains(&token_before) {
        return None;
    }
    let (cent, end) = token(text, end)?;
    ["cent", "ciento"].contains(&cent).then_some(end)
}

/// The next token that may be a scale or unit, after one space or hyphen at most, and where it ends: a word, a sign, or
/// up to four characters of a run of Chinese ones.
fn token(text: &str, at: usize) -> Option<(&str, usize)> {
    ascii_token(text, at).unwrap_or_else(|| any_token(text, at))
}

/// The same, where ASCII alone tells; `None` where it doesn't.
fn ascii_token(text: &str, at: usize) -> Option<Option<(&str, usize)>> {
    let bytes = text.as_bytes();
    let start = at + usize::from(matches!(bytes.get(at), Some(b' ' | b'-')));
    let first = bytes.get(start).filter(|byte| byte.is_ascii())?;
    let end = match first {
        b'A'..=b'Z' | b'a'..=b'z' => {
            let length = bytes[start..].iter().position(|byte| !byte.is_ascii_alphanumeric());
            length.map_or(bytes.len(), |length| start + length)
        }
        b'%' | b'$' => bytes.len().min(start + 4),
        _ => return Some(None),
    };
    let is_told = bytes[start..end].is_ascii() && bytes.get(end).is_none_or(u8::is_ascii);
    is_told.then(|| Some((&text[start..end], end)))
}

fn any_token(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let inner = rest.strip_prefix([' ', '\u{a0}', '\u{202f}', '\u{2009}', '-', '‑']).unwrap_or(rest);
    let hyphen = rest.starts_with(['-', '‑']);
    let first = inner.chars().next()?;
    let start = at + (rest.len() - inner.len());
    let is_letter = first.is_ascii_alphabetic() || matches!(first, '\u{410}'..='\u{44F}');
    let length = if is_letter || matches!(first, '°' | 'µ' | 'μ' | 'Ω') {
        inner
            .find(|c: char| !c.is_alphanumeric() && !matches!(c, '°' | '²' | '³') || is_han(c))
            .unwrap_or(inner.len())
    } else if is_han(first) || matches!(first, '%' | '％' | '‰' | '℃' | '€' | '£' | '$') {
        inner.char_indices().nth(4).map_or(inner.len(), |(end, _)| end)
    } else {
        return None;
    };
    (length > 0 && !(hyphen && is_han(first))).then(|| (&inner[..length], start + length))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_told_from_ascii_are_those_of_any_text() {
        let mut told = 0;
        for head in ["", " ", "-", "\u{a0}", "‑", "  ", "- "] {
            for token in
                ["", "km", "%", "%个", "$", "$5 bn", "m²", "kmé", "千米", "x2", ".", "°C", "a-b", "km。"]
            {
                for tail in ["", " of all", "/h", "é", "千"] {
                    let text = format!("5{head}{token}{tail}");
                    let Some(found) = ascii_token(&text, 1) else { continue };
                    told += 1;
                    assert_eq!(found, any_token(&text, 1), "{text:?}");
                }
            }
        }
        assert!(told > 150, "only {told} are told");
    }
}
