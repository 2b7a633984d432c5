//! Composition: prose that belongs together, in order, under one tree of headings.
//!
//! The prose stays as it is. Headings of each part are shifted so that its highest one stands at the second level, and a
//! heading that is open already isn't repeated: two parts that both begin with `# Method` make one section, unless the
//! first ends below a deeper heading.

use crate::domain::text::blocks::{Kind, blocks};

const TOP: usize = 2;
const DEEPEST: usize = 6;

/// Joins parts in their order.
pub fn compose_prose<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    // The headings that the text ends below, by level.
    let mut open: [String; DEEPEST + 1] = Default::default();
    for part in parts {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        join(&mut out, part, &mut open);
        out.truncate(out.trim_end().len());
    }
    out
}

fn join(out: &mut String, part: &str, open: &mut [String; DEEPEST + 1]) {
    let found = blocks(part);
    let level_of =
        |kind: Kind| if let Kind::Heading { level } = kind { Some(usize::from(level)) } else { None };
    let highest = found.iter().filter_map(|block| level_of(block.kind)).min().unwrap_or(TOP);
    let mut joined = String::with_capacity(part.len());
    for block in &found {
        let Some(level) = level_of(block.kind) else {
            joined.push_str(&part[block.range.clone()]);
            continue;
        };
        let level = (level - highest + TOP).min(DEEPEST);
        let text = heading_text(&part[block.content(part)]);
        let below = open[level + 1..].iter().any(|heading| !heading.is_empty());
        if open[level] == text && !below {
            continue;
        }
        open[level].clone_from(&text);
        open[level + 1..].iter_mut().for_each(String::clear);
        let marks = "#".repeat(level);
        joined.push_str(&format!("{marks} {text}\n\n"));
    }
    out.push_str(joined.trim_start_matches('\n'));
}

/// A heading without its marks, whether they stand before it or below it.
fn heading_text(heading: &str) -> String {
    let first = heading.lines().next().unwrap_or_default().trim();
    let text = first.trim_start_matches('#').trim();
    let closed = text.trim_end_matches('#');
    // A closing row of marks stands behind a space: the `#` of `C#` is a part of the name.
    let text = if closed.is_empty() || closed.ends_with(' ') { closed.trim_end() } else { text };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_one_tree_and_prose_stays() {
        let first = "# Method\n\nWe *looked*.\n";
        let second = "Method\n======\n\nThen we looked again.\n\n## C#\n\n```\n# no heading\n```\n";
        let expected =
            "## Method\n\nWe *looked*.\n\nThen we looked again.\n\n### C#\n\n```\n# no heading\n```";
        assert_eq!(compose_prose([first, second]), expected);
    }

    #[test]
    fn the_same_heading_below_another_one_is_another_section() {
        let composed = compose_prose(["# A\n\n## Costs\n\none\n\n# B\n\n## Costs\n\ntwo"]);
        assert_eq!(composed.matches("### Costs").count(), 2);
    }
}
