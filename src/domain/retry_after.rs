//! How long a server asks to be left alone: `Retry-After` and `retry-after-ms`.
//!
//! `Retry-After` (RFC 9110 §10.2.3) is a number of seconds or an HTTP-date in one of three forms (§5.6.7). Seconds with a
//! decimal point aren't in the RFC, but servers of language models send them and their clients read them.
//! `retry-after-ms` is what OpenAI and Azure send beside it: milliseconds, more exact.
//!
//! Text from outside: anything else is `None`, which means "nothing was asked"; a huge number saturates. What is done with
//! a delay, and whether it's bearable before a deadline, is decided in `backoff`.

use std::time::UNIX_EPOCH;

use super::time::Timestamp;

#[cfg(test)]
mod tests;

/// The delay in milliseconds that an answer with these two header fields asks for, `None` where neither can be read.
/// `retry-after-ms` goes first, since it's the more exact one.
pub fn requested_delay_ms(
    retry_after_ms: Option<&str>,
    retry_after: Option<&str>,
    now: Timestamp,
) -> Option<u64> {
    retry_after_ms
        .and_then(parse_retry_after_ms)
        .or_else(|| retry_after.and_then(|value| parse_retry_after(value, now)))
}

/// The value of `Retry-After` as milliseconds from `now`; 0 for a date that has passed.
///
/// Dates are whole seconds by the server's clock: where the two clocks differ, the delay does too. A date whose weekday
/// is wrong isn't one. Years of two digits are 1970 to 2069.
pub fn parse_retry_after(value: &str, now: Timestamp) -> Option<u64> {
    let value = trim(value);
    decimal(value, 3).or_else(|| Some(http_date(value)?.since_ms(now)))
}

/// The value of `retry-after-ms` in milliseconds, a fraction of one rounded up.
pub fn parse_retry_after_ms(value: &str) -> Option<u64> {
    decimal(trim(value), 0)
}

/// Without optional whitespace (RFC 9110 §5.6.3).
fn trim(value: &str) -> &str {
    value.trim_matches([' ', '\t'])
}

fn http_date(value: &str) -> Option<Timestamp> {
    let since_epoch = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since_epoch.as_millis()).ok().map(Timestamp)
}

/// Digits, optionally a point and more digits, as a multiple of ten to the power `-places`; what lies beyond is rounded
/// up, for a delay is a lower bound. Not by way of floats: those would let `inf`, `nan`, `1e9` and `-0` in.
fn decimal(value: &str, places: usize) -> Option<u64> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let (kept, beyond) = fraction.split_at(fraction.len().min(places));
    let padding = std::iter::repeat_n(b'0', places - kept.len());
    let scaled = whole
        .bytes()
        .chain(kept.bytes())
        .chain(padding)
        .fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some(scaled.saturating_add(u64::from(beyond.bytes().any(|digit| digit != b'0'))))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
