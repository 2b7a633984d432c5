//! A list of references that a text brings along: the answer has its own, made from the sources.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{references, without_list};

/// A text without its lists of references.
pub(in crate::domain::synthesis) struct Entry<'t> {
    /// The text; as it is where there is no list, or nothing else.
    pub text: Cow<'t, str>,
    /// What its list says of its numbers: the keys of their addresses.
    pub numbers: BTreeMap<String, String>,
    /// Whether it is such a list and nothing else.
    pub is_list: bool,
}

/// Reads a text. O(n).
pub(in crate::domain::synthesis) fn read(content: &str) -> Entry<'_> {
    let (text, at_end) = without_list(content);
    let found = references(&text);
    let mut numbers = BTreeMap::new();
    for definition in found.definitions.iter().chain(&at_end) {
        let identity = definition.url.as_deref().and_then(identify);
        if let (Some(number), Some(identity)) = (definition.number, identity) {
            numbers.entry(number.to_string()).or_insert(identity.key);
        }
    }
    let (mut rest, mut from) = (String::new(), 0);
    for section in &found.sections {
        let start = section.end.saturating_sub(section.bytes);
        rest.push_str(text.get(from..start).unwrap_or_default());
        from = section.end;
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    rest.truncate(rest.trim_end().len());
    let has_list = from > 0 || !at_end.is_empty();
    let is_list = has_list && rest.trim().is_empty();
    let text = if has_list && !is_list { Cow::Owned(rest) } else { Cow::Borrowed(content) };
    Entry { text, numbers, is_list }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_of_references_go() {
        for (content, without_list) in [
            ("It rose [c1].\n\n## References\n\n- [A](https://a.example)\n", "It rose [c1]."),
            ("It rose.\n\nSources:\n[1] A https://a.example\n[2] B https://b.example", "It rose."),
            ("It rose [1].\n\n1. [A](https://a.example)", "It rose [1]."),
            ("It rose [1].\n\nSources: [1] https://a.example; [2] https://b.example", "It rose [1]."),
            ("It rose.\n\n## Results\n\n- It fell.", "It rose.\n\n## Results\n\n- It fell."),
            ("## References\n\n- https://a.example", "## References\n\n- https://a.example"),
        ] {
            assert_eq!(read(content).text, without_list);
        }
    }
}
