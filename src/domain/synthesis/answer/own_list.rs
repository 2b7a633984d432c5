//! A list of references that an entry brings along: the answer has its own, made from the sheet.

use std::borrow::Cow;

use crate::domain::synthesis::citations::references;

/// The text without its lists of references; as it is where there is none, or nothing else. O(n).
pub(super) fn without(content: &str) -> Cow<'_, str> {
    let sections = references(content).stripped_sections;
    if sections.is_empty() {
        return Cow::Borrowed(content);
    }
    let (mut rest, mut from) = (String::with_capacity(content.len()), 0);
    for section in &sections {
        let start = section.end.saturating_sub(section.bytes);
        rest.push_str(content.get(from..start).unwrap_or_default());
        from = section.end;
    }
    rest.push_str(content.get(from..).unwrap_or_default());
    rest.truncate(rest.trim_end().len());
    if rest.trim().is_empty() { Cow::Borrowed(content) } else { Cow::Owned(rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_of_references_go() {
        for (content, without_list) in [
            ("It rose [c1].\n\n## References\n\n- [A](https://a.example)\n", "It rose [c1]."),
            ("It rose.\n\nSources:\n[1] A https://a.example\n[2] B https://b.example", "It rose."),
            ("It rose.\n\n## Results\n\n- It fell.", "It rose.\n\n## Results\n\n- It fell."),
            ("## References\n\n- https://a.example", "## References\n\n- https://a.example"),
        ] {
            assert_eq!(without(content), without_list);
        }
    }
}
