//! The markers that nearly all are, read in one pass: `[12]`, `[1, 2]`, `【1-3】`.

use super::{DIGITS_MAX, Item, range};

/// Reads `12]`, `1, 2]` or `1-3]`, which nearly all markers are, as [`parts`](super::parts) does; how many bytes that is.
pub(super) fn plain(text: &str, close: char, items: &mut Vec<Item>) -> Option<usize> {
    let mut rest = text;
    loop {
        let first = digits(&mut rest)?;
        let last = match rest.strip_prefix('-') {
            None => first,
            Some(behind) => {
                rest = behind;
                digits(&mut rest)?
            }
        };
        range::add(first, last, items).ok()?;
        if let Some(behind) = rest.strip_prefix(close) {
            return Some(text.len() - behind.len());
        }
        let behind = rest.strip_prefix(',')?;
        rest = behind.strip_prefix(' ').unwrap_or(behind);
    }
}

/// Reads a number of ASCII digits.
fn digits(text: &mut &str) -> Option<u32> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(count);
    *text = rest;
    let read = |number: &str| number.bytes().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    (1..=DIGITS_MAX).contains(&count).then(|| read(number))
}
