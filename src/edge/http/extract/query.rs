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
