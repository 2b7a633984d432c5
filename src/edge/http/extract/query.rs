//! The parameters of a query, read once for all operations.

use crate::domain::text::clean::one_line;
use crate::domain::verdict::{Code, Refusal};

/// Characters of a value that a refusal repeats: as many as of a name.
const SHOWN_CHARS_MAX: usize = 64;

/// The parameters of a query, decoded.
pub fn form_pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// The parameters of a query, of which those named `once` have one value: who gives two means one of them, and nobody knows which.
/// A proxy may have looked at the other one.
///
/// # Errors
/// `invalid_event` where one of them is there twice.
pub fn single_pairs(query: &str, once: &[&str]) -> Result<Vec<(String, String)>, Refusal> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (name, value) in form_pairs(query) {
        if once.contains(&name.as_str()) && pairs.iter().any(|(other, _)| *other == name) {
            let text = format!("`{name}` is given more than once");
            return Err(Refusal::at(Code::InvalidEvent, "", text));
        }
        pairs.push((name, value));
    }
    Ok(pairs)
}

/// The same, of an operation that knows these parameters.
///
/// # Errors
/// As [`single_pairs`] and [`refuse_near_miss`].
pub fn known_pairs(query: &str, once: &[&str]) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = single_pairs(query, once)?;
    pairs.iter().try_for_each(|(name, _)| refuse_near_miss(name, once))?;
    Ok(pairs)
}

/// Refuses a name that is nearly one of those that are known, in another case, with other separators, as a plural or without its unit:
/// whoever gives it gets something else than what it asks for. What is further off is passed over, as clients and proxies add
/// parameters of their own: `_`, `t`, and the `lastEventId` of scripts that stand in for an `EventSource`.
///
/// # Errors
/// `unknown_field` where it is.
pub fn refuse_near_miss(name: &str, known: &[&str]) -> Result<(), Refusal> {
    let bare = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let given = bare(name);
    if known.contains(&name) || given == "lasteventid" {
        return Ok(());
    }
    let is_near = |known: &str| {
        let known = bare(known);
        let longer = |short: &str, long: &str, end: &str| long.strip_suffix(end) == Some(short);
        given == known
            || longer(&known, &given, "s")
            || longer(&given, &known, "s")
            || longer(&given, &known, "ms")
    };
    match known.iter().find(|known| is_near(known)) {
        Some(known) => {
            let text = format!("the parameter `{}` isn't known; `{known}` is", shown(name));
            Err(Refusal::at(Code::UnknownField, "", text))
        }
        None => Ok(()),
    }
}

/// A value as a refusal repeats it.
pub fn shown(value: &str) -> String {
    one_line(value, SHOWN_CHARS_MAX)
}

/// A parameter that is a count.
///
/// # Errors
/// `invalid_event` where it isn't a whole number from 0.
pub fn number(name: &str, value: &str) -> Result<usize, Refusal> {
    value.parse().map_err(|_| {
        let text = format!("`{name}` is a whole number, not `{}`", shown(value));
        Refusal::at(Code::InvalidEvent, "", text)
    })
}

/// A parameter that is a switch; its name alone switches it on.
///
/// # Errors
/// `invalid_event` where it is something else.
pub fn flag(name: &str, value: &str) -> Result<bool, Refusal> {
    match value {
        "true" | "1" | "" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let text = format!("`{name}` is `true` or `false`, not `{}`", shown(value));
            Err(Refusal::at(Code::InvalidEvent, "", text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_of_known_names_are_refused_and_other_names_are_passed_over() {
        let known =
            ["type", "subagent", "wait_ms", "raw", "hours", "result_key", "last_event_id", "limit", "last"];
        for near in
            ["types", "Type", "subagents", "wait", "waitMs", "wait-ms", "RAW", "hour", "resultKey", "limits"]
        {
            let refusal = refuse_near_miss(near, &known).unwrap_err();
            assert_eq!(refusal.code, Code::UnknownField, "{near}");
            assert!(refusal.detail.contains(&format!("`{near}` isn't known")), "{}", refusal.detail);
        }
        let others = ["", "_", "t", "ts", "time", "v", "lastEventId", "token", "w", "ms", "key", "cast"];
        for other in known.iter().chain(&others) {
            assert_eq!(refuse_near_miss(other, &known), Ok(()), "{other}");
        }
    }
}
