//! A list of references that ends a text in plain lines, right below a label: `Sources:` and `Reuters: https://…` below it. Behind
//! an empty line the word alone is one, and a sign may stand before it: `📚 Sources`.

use super::{Kind, is_label, reference};
use crate::domain::synthesis::citations::{Definition, is_reference_heading};
use crate::domain::text::blocks::Block;
use crate::domain::text::leads::is_one_source;

/// A text without such a list, and what the list says. Linear.
pub(super) fn find<'t>(text: &'t str, blocks: &[Block]) -> Option<(&'t str, Vec<Definition>)> {
    let (mut listed, mut end) = (Vec::new(), text.trim_end().len());
    loop {
        let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..end].trim();
        if let Some(found) = reference(line) {
            listed.push(found);
        } else if !line.is_empty() {
            let title = line.trim_matches(['#', ' ', '*', '_', ':', '：']);
            let title = title.trim_start_matches(|c| is_sign(c) || matches!(c, '*' | '_'));
            // `Source:` names that of what stands above it.
            let is_marked = is_label(line.trim_matches(['*', '_'])) || is_label(line);
            let is_alone = || !line.starts_with('#') && is_apart(&text[..begin]);
            let is_heading = (is_marked || is_alone()) && is_reference_heading(title);
            let is_prose = |block: &Block| !matches!(block.kind, Kind::Code { .. });
            let is_list = blocks.iter().rev().take_while(|block| block.range.end > begin).all(is_prose);
            let count_min = if is_one_source(title) || !is_marked { 2 } else { 1 };
            listed.reverse();
            return (is_heading && is_list && listed.len() >= count_min).then(|| (&text[..begin], listed));
        }
        end = begin.checked_sub(1)?;
    }
}

/// What people put before a heading.
fn is_sign(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_ascii_punctuation()
}

/// Whether an empty line ends a text.
fn is_apart(before: &str) -> bool {
    let end = before.trim_end_matches([' ', '\t', '\r']);
    end.strip_suffix('\n').is_some_and(|end| end.trim_end_matches([' ', '\t', '\r']).ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::super::without_list;

    const LIST: &str = "Reuters: https://a.org/x\nBloomberg: https://b.org";

    #[test]
    fn plain_lines_below_a_label_are_references() {
        for label in ["Sources:", "**Sources:**", "**Sources**", "Quellen:", "*Quellen:*", "Sources used:\n"]
        {
            for list in [
                LIST,
                "Reuters - https://a.org/x\nBloomberg – https://b.org",
                "Rates in July (https://a.org/x)\nBonds (https://b.org)",
                "[Rates](https://a.org/x)\n\nBonds: https://b.org\n",
            ] {
                for body in ["Rates rose.\n\n", "Rates rose.\n"] {
                    let text = format!("{body}{label}\n{list}");
                    let (found, listed) = without_list(&text);
                    assert_eq!((&*found, listed.len()), (body, 2), "{text}");
                    assert_eq!(listed[0].url.as_deref(), Some("https://a.org/x"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_word_behind_an_empty_line_is_a_label() {
        for label in ["📚 Sources", "Sources", "🔗 **Sources**", "📚 Sources:", "Quellen", "References"]
        {
            for list in [LIST, "- [Rates](https://a.org/x)\n- [Bonds](https://b.org)"] {
                let text = format!("Rates rose.\n\n{label}\n{list}");
                let (found, listed) = without_list(&text);
                assert_eq!((&*found, listed.len()), ("Rates rose.\n\n", 2), "{text}");
            }
        }
        for label in ["📚 Books", "Sources say it", "The best sources"] {
            let text = format!("Rates rose.\n\n{label}\n{LIST}");
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
        for text in
            [format!("Rates rose.\nSources\n{LIST}"), "Rates rose.\n\nSources\nA: https://a.org/x".to_owned()]
        {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
        let text = format!("Rates rose.\nThe sources\n{LIST}");
        assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
    }

    #[test]
    fn one_line_is_a_list_below_a_label_of_many() {
        let (body, listed) = without_list("Rates rose.\n\nSources:\nReuters: https://a.org/x");
        assert_eq!((&*body, listed.len()), ("Rates rose.\n\n", 1));
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            format!("Rates rose.\n\nThe best ones:\n{LIST}"),
            format!("Rates rose.\n\nSources say it.\n{LIST}"),
            format!("Rates rose.\n\nSources:\n{LIST}\nThat is all."),
            format!("Rates rose.\n\n```\nSources:\n{LIST}\n"),
            "Rates rose.\n\nSource:\nReuters: https://a.org/x".to_owned(),
            format!("Rates rose.\n\nThe best sources of data:\n{LIST}"),
            "Rates rose.\n\nSources:\nWe asked https://a.org and they told us a lot about it and more.\nBloomberg: https://b.org".to_owned(),
            LIST.to_owned(),
        ] {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }
}
