//! How a text that is always told as a whole has grown.

use serde_json::Value;

/// The fields of a payload that hold its text, in order: documentation, generic, voice, action workflow.
const TEXT_FIELDS: [&str; 4] = ["answer", "content", "transcript", "summary"];

/// The text of a normalised payload (docs/adapters.md); `None` where it is data.
pub(super) fn text_of(payload: &Value) -> Option<&str> {
    let text = TEXT_FIELDS.iter().find_map(|field| payload.get(field)?.as_str())?;
    Some(text).filter(|text| !text.is_empty())
}

/// What a text is to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Growth<'a> {
    /// The same.
    Same,
    /// It goes on with this.
    By(&'a str),
    /// It is another one.
    Anew(&'a str),
}

/// Compares `new` with `old`.
pub(super) fn growth<'a>(old: &str, new: &'a str) -> Growth<'a> {
    match new.strip_prefix(old) {
        Some("") => Growth::Same,
        Some(tail) => Growth::By(tail),
        None => Growth::Anew(new),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_taken_from_the_field_that_has_one() {
        assert_eq!(text_of(&json!({"answer": "a", "content": "b"})), Some("a"));
        assert_eq!(text_of(&json!({"content": "b"})), Some("b"));
        assert_eq!(text_of(&json!({"transcript": "c", "final": true})), Some("c"));
        assert_eq!(text_of(&json!({"summary": "d"})), Some("d"));
        assert_eq!(text_of(&json!({"answer": "", "content": ""})), None);
        assert_eq!(text_of(&json!({"content": {"rows": 1}})), None);
        assert_eq!(text_of(&json!([1])), None);
    }

    #[test]
    fn text_grows_only_where_the_old_one_is_its_beginning() {
        assert_eq!(growth("", "ä"), Growth::By("ä"));
        assert_eq!(growth("ä", "äö"), Growth::By("ö"));
        assert_eq!(growth("äö", "äö"), Growth::Same);
        assert_eq!(growth("äö", "ä"), Growth::Anew("ä"));
        assert_eq!(growth("a", "b"), Growth::Anew("b"));
        assert_eq!(growth("a", ""), Growth::Anew(""));
    }
}
