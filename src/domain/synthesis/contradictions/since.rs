//! Since when something is in a state: `is up since 09:40 UTC` and `is down since 09:10 UTC` tell of one moment, now.

/// What stands in a time beside its digits, in lower case and without points.
#[rustfmt::skip]
const OF_TIMES: [&str; 36] = [
    "utc", "gmt", "cet", "cest", "est", "edt", "pst", "pdt", "bst", "am", "pm", "today", "yesterday", "on", "at", "about", "around",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

/// Where a statement's last words end that say since when, where these follow at `from`.
pub(super) fn end_of(text: &str, from: usize) -> Option<usize> {
    let rest = text[from..].strip_prefix(" since ")?.trim_end_matches(['.', '!', ' ']);
    let is_digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_of_time = |word: &str| {
        let plain = word.trim_end_matches(',').replace('.', "").to_lowercase();
        is_digit(&plain) || OF_TIMES.contains(&plain.as_str())
    };
    let is_time = rest.split_whitespace().all(is_of_time) && rest.split_whitespace().any(is_digit);
    is_time.then_some(from + " since ".len() + rest.len())
}
