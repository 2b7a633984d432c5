//! Composition: prose that belongs together, in order, under one tree of headings.
//!
//! What a node inside a tree is for is the heading of a chapter, and what stands below the node is in that chapter.
//! The prose stays as it is, but that nothing in it acts or goes on into the next part: HTML is shown as text, an image is a
//! link, a fence that was left open is closed, a link's label that another part has for another address gets another name, and what is
//! said to who asked is left out. Headings of each part are shifted so that its highest one stands at the second level (in a
//! chapter, below its heading), and a heading that is open already isn't repeated: two parts that both begin with `# Method` make one section, unless the
//! first ends below a deeper heading. A part that begins without a heading where one is open gets its title as one, as it would
//! stand in a section of another part; without a title it goes on there.

use super::{labels_apart, plain, without_small_talk};
use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::clean::quoted_text;

const TOP: usize = 2;
const DEEPEST: usize = 6;
/// Levels of headings.
const LEVELS: usize = DEEPEST - TOP + 1;
/// Bytes of a title that becomes a heading.
const TITLE_BYTES_MAX: usize = 80;

/// A text in a whole.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The chapters that it stands in, the outermost first.
    pub chapters: &'a [String],
    /// What it was asked for.
    pub title: Option<&'a str>,
    /// What it says.
    pub text: &'a str,
}

/// Joins parts in their order.
pub fn compose_prose<'a>(parts: impl IntoIterator<Item = Part<'a>>) -> String {
    let mut out = String::new();
    // The headings that the text ends below, by level.
    let mut open: [String; DEEPEST + 1] = Default::default();
    let parts: Vec<Part<'a>> = parts.into_iter().collect();
    let said: Vec<&str> = parts.iter().map(|part| without_small_talk(part.text)).collect();
    let texts = labels_apart(&said);
    for (part, text) in parts.iter().zip(&texts) {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        let mut chapters: Vec<String> = part.chapters.iter().filter_map(|goal| as_heading(goal)).collect();
        // Below the deepest level there is none: what stands further down stands there, below the goal of its own node.
        if chapters.len() > LEVELS {
            chapters.drain(LEVELS - 1..chapters.len() - 1);
        }
        for (level, chapter) in (TOP..).zip(&chapters) {
            enter(&mut out, &mut open, level, chapter);
        }
        let top = TOP + chapters.len();
        let first = first_heading(text);
        if first.is_none()
            && open[top..].iter().any(|heading| !heading.is_empty())
            && let Some(title) = part.title.and_then(as_heading)
        {
            open[top].clear();
            enter(&mut out, &mut open, top, &title);
        }
        // What begins with the chapter's own heading is a chapter itself, not a section of it.
        let is_chapter = first.is_some() && first.as_ref() == chapters.last();
        join(&mut out, text, &mut open, top - usize::from(is_chapter));
        out.truncate(out.trim_end().len());
    }
    out
}

/// A task may be a page of instructions: that is no heading.
fn as_heading(task: &str) -> Option<String> {
    let task = task.trim();
    let is_title =
        !task.is_empty() && task.len() <= TITLE_BYTES_MAX && !task.contains('\n') && !task.ends_with('.');
    is_title.then(|| plain(task))
}

/// Goes on below a heading, which is written unless it is open.
fn enter(out: &mut String, open: &mut [String; DEEPEST + 1], level: usize, heading: &str) {
    if open[level] != heading {
        out.push_str(&format!("{} {heading}\n\n", "#".repeat(level)));
        open[level..].iter_mut().for_each(String::clear);
        heading.clone_into(&mut open[level]);
    }
}

/// A text of its own that stays as it is, but that nothing in it acts.
pub fn inert_prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    blocks(text).iter().for_each(|block| prose(&mut out, block, text));
    out.truncate(out.trim_end().len());
    out
}

/// The heading that a text begins with.
fn first_heading(text: &str) -> Option<String> {
    let blocks = blocks(text);
    let first = blocks.first().filter(|block| matches!(block.kind, Kind::Heading { .. }))?;
    Some(quoted_text(&heading_text(&text[first.content(text)])))
}

/// Writes a part, its highest heading at the level `top`.
fn join(out: &mut String, part: &str, open: &mut [String; DEEPEST + 1], top: usize) {
    let found = blocks(part);
    let level_of =
        |kind: Kind| if let Kind::Heading { level } = kind { Some(usize::from(level)) } else { None };
    let highest = found.iter().filter_map(|block| level_of(block.kind)).min().unwrap_or(top);
    let mut joined = String::with_capacity(part.len());
    for block in &found {
        let Some(level) = level_of(block.kind) else {
            prose(&mut joined, block, part);
            continue;
        };
        let level = (level - highest + top).min(DEEPEST);
        let text = quoted_text(&heading_text(&part[block.content(part)]));
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

fn prose(out: &mut String, block: &Block, part: &str) {
    let text = &part[block.range.clone()];
    match block.kind {
        Kind::Code { fenced, closed } => {
            out.push_str(text);
            if fenced && !closed {
                let open = text.trim_start();
                // As deep as it was opened: in an item of a list it belongs to that.
                let indent = text[..text.len() - open.len()].rsplit('\n').next().unwrap_or_default();
                let mark = if open.starts_with('~') { '~' } else { '`' };
                let run = open.chars().take_while(|c| *c == mark).count();
                out.truncate(out.trim_end().len());
                *out += &format!("\n{indent}{}\n", mark.to_string().repeat(run));
            }
        }
        Kind::Heading { .. } | Kind::Paragraph | Kind::Rule | Kind::Html => out.push_str(&quoted_text(text)),
        Kind::ListItem { .. } | Kind::Quote => out.push_str(&nested(text)),
        // No code goes on from one cell into the next.
        Kind::Table => {
            let mut cell = String::new();
            for piece in text.split_inclusive(['|', '\n']) {
                cell.push_str(piece);
                if !cell.ends_with("\\|") {
                    out.push_str(&quoted_text(&cell));
                    cell.clear();
                }
            }
            out.push_str(&quoted_text(&cell));
        }
    }
}

/// What may hold blocks of its own, such as a heading: no code goes on behind those, so where something would act but for
/// code, a line is looked at for itself.
fn nested(text: &str) -> String {
    let bare = text.replace('`', "");
    if quoted_text(&bare) == bare {
        return quoted_text(text);
    }
    text.split_inclusive('\n').map(quoted_text).collect()
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

    fn compose(parts: &[(Option<&str>, &str)]) -> String {
        compose_prose(parts.iter().map(|&(title, text)| Part { chapters: &[], title, text }))
    }

    #[test]
    fn headings_become_one_tree_and_prose_stays() {
        let first = "# Method\n\nWe *looked*.\n";
        let second = "Method\n======\n\nThen we looked again.\n\n## C#\n\n```\n# no heading\n```\n";
        let expected =
            "## Method\n\nWe *looked*.\n\nThen we looked again.\n\n### C#\n\n```\n# no heading\n```";
        assert_eq!(compose(&[(None, first), (None, second)]), expected);
    }

    #[test]
    fn no_part_acts_or_swallows_the_next() {
        let parts = [
            "# A\n\n<!-- open\n\n<b>bold</b> ![p](https://a.example/p)",
            "```rust\nlet a = 1;",
            "# B\n\nend `<b>`",
        ];
        let expected = "## A\n\n&lt;!-- open\n\nbold \\![p](https://a.example/p)\n\n\
            ```rust\nlet a = 1;\n```\n\n## B\n\nend `<b>`";
        assert_eq!(compose(&parts.map(|part| (None, part))), expected);
    }

    #[test]
    fn no_part_leads_elsewhere_than_to_the_web() {
        let part = "# [x](javascript:y)\n\n[y](data:text/html,x) [z]\n\n[z]: javascript:y\n\n| a |\n|---|\n| `b | [c](javascript:d) ` |\n\n> # `\n> [e](javascript:f) `";
        let expected = "## [x\\](javascript:y)\n\n[y\\](data:text/html,x) [z]\n\n[z\\]: javascript:y\n\n\
            | a |\n|---|\n| \\`b | [c\\](javascript:d) \\` |\n\n> # \\`\n> [e\\](javascript:f) \\`";
        assert_eq!(compose(&[(None, part)]), expected);
    }

    #[test]
    fn the_same_heading_below_another_one_is_another_section() {
        let part = "# A\n\n## Costs\n\none\n\n# B\n\n## Costs\n\ntwo";
        let composed = compose(&[(None, part)]);
        assert_eq!(composed.matches("### Costs").count(), 2);
    }

    #[test]
    fn a_part_without_a_heading_stands_below_none_of_another_part() {
        let parts = [
            (Some("Wind"), "## Wind\n\nIt is cheap."),
            (Some("Sun [1]"), "Its costs fell."),
            (None, "So did others."),
        ];
        let expected = "## Wind\n\nIt is cheap.\n\n## Sun \\[1\\]\n\nIts costs fell.\n\nSo did others.";
        assert_eq!(compose(&parts), expected);
    }

    #[test]
    fn each_text_stands_below_the_goal_of_its_own_node_however_deep_that_is() {
        let goals: Vec<String> = (1..=9).map(|at| format!("Deep {at}")).collect();
        let parts = (3..=9).map(|at| Part { chapters: &goals[..at], title: Some("Leaf"), text: "So it is." });
        let expected = "## Deep 1\n\n### Deep 2\n\n#### Deep 3\n\nSo it is.\n\n##### Deep 4\n\nSo it is.\n\n###### Deep 5\n\nSo it is.\n\n\
            ###### Deep 6\n\nSo it is.\n\n###### Deep 7\n\nSo it is.\n\n###### Deep 8\n\nSo it is.\n\n###### Deep 9\n\nSo it is.";
        assert_eq!(compose_prose(parts), expected);
        let headed = Part { chapters: &goals, title: None, text: "# Deep 9\n\n## More\n\nSo it is." };
        assert!(
            compose_prose([headed]).ends_with("##### Deep 4\n\n###### Deep 9\n\n###### More\n\nSo it is.")
        );
    }

    #[test]
    fn what_inner_nodes_are_for_are_chapters() {
        let (costs, wind) = (["Costs".to_owned()], ["Costs".to_owned(), "Wind".to_owned()]);
        let long = ["Write about the risks.".to_owned()];
        let parts: [(&[String], &str, &str); 7] = [
            (&[], "Preface", "All is cheap."),
            (&costs, "Costs", "Costs fell."),
            (&wind, "Onshore", "# Onshore\n\nIt fell most."),
            (&wind, "Offshore", "So it did at sea."),
            (&costs, "Sun", "It fell, too."),
            (&costs, "Costs", "# Costs\n\n## Water\n\nIt didn't."),
            (&long, "Risks", "There are few."),
        ];
        let parts = parts.iter().map(|&(chapters, title, text)| Part { chapters, title: Some(title), text });
        let expected = "All is cheap.\n\n## Costs\n\nCosts fell.\n\n### Wind\n\n#### Onshore\n\nIt fell most.\n\n\
            #### Offshore\n\nSo it did at sea.\n\n### Sun\n\nIt fell, too.\n\n## Costs\n\n### Water\n\nIt didn't.\n\n\
            ## Risks\n\nThere are few.";
        assert_eq!(compose_prose(parts), expected);
    }
}
