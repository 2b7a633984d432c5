//! Exact decimal values.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

/// An exact decimal: `digits × 10^exponent`, without trailing zeros, so that equal values are equal bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    negative: bool,
    digits: u128,
    exponent: i32,
}

/// Digits that are kept exactly; a number with more is compared by its hash.
const DIGITS_MAX: usize = 27;
/// As many never fit into 64 bits.
const SMALL_DIGITS: usize = 20;

impl Value {
    /// `digits × 10^exponent`.
    pub fn new(mut digits: u128, mut exponent: i32) -> Self {
        while digits > u128::from(u64::MAX) && digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        // Nearly all fit into one word of the machine, which divides much faster.
        if let Ok(mut small) = u64::try_from(digits) {
            while small != 0 && small.is_multiple_of(10) {
                small /= 10;
                exponent += 1;
            }
            digits = u128::from(small);
        }
        Self { negative: false, digits, exponent: if digits == 0 { 0 } else { exponent } }
    }

    /// A value that equals only that of the same letters and digits, whatever their case.
    pub fn hashed(written: &str) -> Self {
        Self::new(u128::from(xxh3_64(written.to_lowercase().as_bytes())), 0)
    }

    /// Times a power of ten.
    pub fn scaled(self, exponent: i32) -> Self {
        Self { exponent: if self.digits == 0 { 0 } else { self.exponent.saturating_add(exponent) }, ..self }
    }

    /// Times a whole number.
    pub fn times(self, factor: u32) -> Self {
        let digits = self.digits.saturating_mul(u128::from(factor));
        Self { negative: self.negative, ..Self::new(digits, self.exponent) }
    }

    /// The sum of two that aren't negative; `None` where it is too large.
    pub fn plus(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let digits = |of: Self| {
            let power = 10_u128.checked_pow(of.exponent.abs_diff(exponent))?;
            of.digits.checked_mul(power).filter(|_| !of.negative)
        };
        Some(Self::new(digits(self)?.checked_add(digits(other)?)?, exponent))
    }

    /// With the other sign.
    pub fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    /// As a whole number, where it is one.
    pub fn whole(self) -> Option<u64> {
        let power = 10_u128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        u64::try_from(self.digits.checked_mul(power)?).ok().filter(|_| !self.negative)
    }

    /// The nearest floating-point number, for comparing sizes only.
    pub fn approximate(self) -> f64 {
        let size = self
            .exactly()
            .unwrap_or_else(|| format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::INFINITY));
        if self.negative { -size } else { size }
    }

    /// The same where digits and power of ten are exact in floating point, as nearly always: one operation rounds once, which
    /// is what parsing gives (Clinger, *How to Read Floating Point Numbers Accurately*, 1990).
    fn exactly(self) -> Option<f64> {
        let power = POWERS.get(self.exponent.unsigned_abs() as usize)?;
        let digits = (self.digits < 1 << f64::MANTISSA_DIGITS).then_some(self.digits as f64)?;
        Some(if self.exponent < 0 { digits / power } else { digits * power })
    }
}

/// The powers of ten that floating point holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Reads `1,200.5`, `12,5`, `1.200.000` or `４２` from the beginning of a word: the value, the power of ten of its last
/// digit and the bytes read. `None` where it is no number but a version (`1.2.3`).
pub(super) fn decimal(word: &str) -> Option<(Value, i32, usize)> {
    if (1..SMALL_DIGITS).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = word.bytes().fold(0, |digits, byte| digits * 10 + u64::from(byte - b'0'));
        return Some((Value::new(u128::from(digits), 0), 0, word.len()));
    }
    let mut digits = 0_u128;
    let (mut count, mut used) = (0, 0);
    // Digits after each separator, and which separator.
    let mut groups: Vec<(char, u32)> = Vec::new();
    for c in word.chars() {
        let digit = c.to_digit(10).or_else(|| full_width(c));
        if let Some(digit) = digit {
            count += 1;
            digits = digits.wrapping_mul(10).wrapping_add(u128::from(digit));
            if let Some(group) = groups.last_mut() {
                group.1 += 1;
            }
        } else if (c == ',' || c == '.') && used > 0 {
            groups.push((c, 0));
        } else {
            break;
        }
        used += c.len_utf8();
    }
    if used == 0 {
        return None;
    }
    let places = places(&groups)?;
    if count > DIGITS_MAX {
        return Some((Value::hashed(&word[..used]), 0, used));
    }
    Some((Value::new(digits, -places), -places, used))
}

/// Whether digits with commas are several values of a row, and no number: `North,80,3100` has no blank before them either.
pub(super) fn are_of_row(text: &str, range: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let (before, behind) = (&bytes[..range.start], &bytes[range.end..]);
    let ends = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'"' | b')' | b'%');
    memchr::memchr(b',', &bytes[range]).is_some()
        && (matches!(before, [.., last, b','] if ends(*last))
            || matches!(behind, [b',', next, ..] if next.is_ascii_alphabetic() || *next == b'"'))
}

/// Whether a number is written like `1.500`: one and a half, or as many thousands, by the language of its text.
pub(super) fn may_be_thousands(written: &str) -> bool {
    if !(5..=7).contains(&written.len()) {
        return false; // most are shorter
    }
    let Some((whole, rest)) = written.split_once('.') else { return false };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&whole.len())
        && rest.len() == 3
        && !whole.starts_with('0')
        && digits(whole)
        && digits(rest)
}

/// The digit that a full-width digit is.
pub(super) fn full_width(c: char) -> Option<u32> {
    ('０'..='９').contains(&c).then(|| c as u32 - '０' as u32)
}

/// How many digits stand after the decimal separator; `None` where the separators are those of no number.
fn places(groups: &[(char, u32)]) -> Option<i32> {
    let Some((&(last, length), before)) = groups.split_last() else { return Some(0) };
    let length = i32::try_from(length).ok()?;
    let thousands = |separator| before.iter().all(|group| *group == (separator, 3));
    match last {
        ',' if length == 3 && thousands(',') => Some(0),
        ',' if before.is_empty() || thousands('.') => Some(length),
        '.' if before.is_empty() => Some(length),
        '.' if thousands(',') => Some(length),
        '.' if length == 3 && thousands('.') => Some(0),
        _ => None,
    }
}

/// Where a sign of a negative number stands directly before it.
pub(super) fn minus_before(before: &str) -> Option<usize> {
    let rest = before.strip_suffix(['-', '−', '－'])?;
    let last = rest.chars().next_back();
    last.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '（' | '[' | '"' | '|')).then_some(rest.len())
}
