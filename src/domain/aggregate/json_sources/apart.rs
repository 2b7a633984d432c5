//! Whether data says which of its sources says what: each claim with addresses of its own, rows with the ids of documents.

use super::{LISTS, sources};
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::json::members;
use crate::domain::text::phrases::has_any;

/// What is in the name of a member that names a source.
const IN_NAMES: [&str; 8] =
    ["sourc", "citation", "citing", "referenc", "evidence", "footnote", "provenance", "bibliograph"];
/// Words of such a name.
const WORDS: [&str; 18] = [
    "cite",
    "cited",
    "cites",
    "ref",
    "refs",
    "doc",
    "docs",
    "document",
    "documents",
    "url",
    "urls",
    "uri",
    "uris",
    "href",
    "link",
    "links",
    "page",
    "pages",
];

/// Whether JSON says nothing of where its parts are from, but for a list of all that is declared at its top.
pub(in crate::domain::aggregate) fn tells_none_apart(json: &str, declared: &[SourceInput]) -> bool {
    let is_silent = |json: &str| !json.contains("://") && !names_sources(json);
    if is_silent(json) {
        return true;
    }
    let Some(members) = members(json) else { return false };
    let is_own_list = |key: &str, value: &str| {
        LISTS.iter().any(|list| key.eq_ignore_ascii_case(list)) && sources(value).as_deref() == Some(declared)
    };
    let (own, others): (Vec<_>, Vec<_>) = members.iter().partition(|(key, value)| is_own_list(key, value));
    own.len() == 1 && others.iter().all(|(key, value)| !is_naming(key) && is_silent(value))
}

/// Whether JSON has a member that names a source, at any depth. A string that only looks like one counts as well: what is told
/// apart in a way that nobody knows isn't known to be together. Linear.
pub(in crate::domain::aggregate) fn names_sources(json: &str) -> bool {
    json.match_indices(':').any(|(colon, _)| {
        let key = json[..colon].trim_end().strip_suffix('"');
        key.and_then(|key| key.rsplit_once('"')).is_some_and(|(_, key)| is_naming(key))
    })
}

fn is_naming(key: &str) -> bool {
    // `sourceUrl` has two words.
    let mut words = String::with_capacity(key.len());
    let mut is_after_small = false;
    for c in key.chars() {
        if is_after_small && c.is_uppercase() {
            words.push(' ');
        }
        is_after_small = c.is_lowercase();
        words.extend(c.to_lowercase());
    }
    let in_name = words.replace(' ', "");
    has_any(&in_name, &IN_NAMES)
        || words.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "https://a.example/x";
    const B: &str = "https://b.example/y";

    fn is_together(json: &str) -> bool {
        let declared = [A, B].map(|url| SourceInput::from_text(url).unwrap());
        tells_none_apart(json, &declared)
    }

    #[test]
    fn data_that_names_no_source_tells_none_apart() {
        for json in [
            r#"{"answer": "The limit is 5 MB."}"#,
            r#"[{"plan": "Basic", "price": 5}, {"plan": "Pro", "price": 12}]"#,
            r#"{"city": "Rome", "refund": "none", "hourly": 3, "preferred": true}"#,
            r#"{"answer": "The limit is 5 MB.", "sources": ["https://a.example/x", "https://b.example/y"]}"#,
        ] {
            assert!(is_together(json), "{json}");
        }
    }

    #[test]
    fn data_that_cites_in_a_way_of_its_own_tells_apart() {
        for json in [
            r#"{"answer": "The limit is 5 MB.", "sources": [2]}"#,
            r#"{"answer": "The limit is 5 MB.", "sources": ["https://b.example/y"]}"#,
            r#"[{"claim": "The limit is 5 MB.", "source": "Alpha"}]"#,
            r#"[{"claim": "The limit is 5 MB.", "docId" : "d1"}]"#,
            r#"[{"claim": "The limit is 5 MB.", "REF": 1}]"#,
            r#"{"answer": "See https://a.example/x for the limit."}"#,
            r#"{"claims": [{"claim": "It is 5 MB.", "source_ids": [1]}], "sources": ["https://a.example/x", "https://b.example/y"]}"#,
        ] {
            assert!(!is_together(json), "{json}");
        }
    }
}
