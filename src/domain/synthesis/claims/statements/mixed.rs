//! Items of a word or two in a list whose other items are sentences: `- Paris`, `- Lyon is the second city.`
//!
//! Each is quoted alone. What is bold, or has something below it, heads it.

use std::ops::Range;

use super::edges::{edges, trimmed};
use super::few_words::may_answer;
use super::least::is_sentence;
use super::opening::{ascending, within_marks};
use super::{Said, Statement};
use crate::domain::text::blocks::{Block, Kind};

/// Words and characters of such an item, and how many there are in a list at most.
const WORDS_MAX: usize = 2;
const CHARS_MAX: usize = 24;
const ITEMS_MAX: usize = 8;

/// A list, as far as it is read.
struct List<'t> {
    heading: &'t str,
    indent: usize,
    /// The items that aren't quoted and may be.
    left: Vec<Range<usize>>,
    /// Whether the last item is one of them.
    is_last: bool,
    /// Whether an item is a sentence.
    has_sentence: bool,
}

/// The lists of a text, as far as it is read.
#[derive(Default)]
pub(super) struct Mixed<'t> {
    open: Option<List<'t>>,
    found: Vec<(Range<usize>, &'t str)>,
}

impl<'t> Mixed<'t> {
    /// Takes note of a block, after it was read. `is_left`: it states nothing, and is no list of references.
    pub(super) fn meet(&mut self, text: &'t str, block: &Block, heading: &'t str, is_left: bool) {
        let content = block.content(text);
        let Kind::ListItem { indent, .. } = block.kind else {
            if block.kind == Kind::Paragraph && text[content].starts_with([' ', '\t']) {
                self.head();
            } else {
                self.close();
            }
            return;
        };
        if self.open.as_ref().is_some_and(|open| open.indent < indent) {
            self.head();
            return;
        }
        if self.open.as_ref().is_some_and(|open| open.indent > indent) {
            self.close();
        }
        let (left, is_last, has_sentence) = (Vec::new(), false, false);
        let open = self.open.get_or_insert(List { heading, indent, left, is_last, has_sentence });
        let item = edges(&text[content.clone()]);
        open.has_sentence |= !is_left && is_sentence(item);
        open.is_last = is_left && is_short(&text[content.clone()], item);
        if open.is_last {
            open.left.push(content);
        }
    }

    /// The last item has something below it.
    fn head(&mut self) {
        if let Some(open) = &mut self.open
            && std::mem::take(&mut open.is_last)
        {
            open.left.pop();
        }
    }

    fn close(&mut self) {
        let is_mixed = |open: &List<'_>| open.has_sentence && open.left.len() <= ITEMS_MAX;
        if let Some(open) = self.open.take().filter(is_mixed) {
            self.found.extend(open.left.into_iter().map(|item| (item, open.heading)));
        }
    }

    /// Quotes them.
    pub(super) fn quote(mut self, said: Said<'t, '_>, found: &mut Vec<Statement<'t>>) {
        self.close();
        for (item, heading) in self.found {
            let marks = within_marks(said.marks, item.clone());
            let shown = trimmed(said.text, item, marks);
            let sources = ascending(marks.iter().map(|mark| mark.source).collect());
            let (text, start, subagent) = (&said.text[shown.clone()], shown.start, said.subagent);
            found.push(Statement { text, start, heading, subagent, sources, ..Statement::default() });
        }
    }
}

fn is_short(item: &str, words: &str) -> bool {
    let inside = item
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '•' | '.' | ')' | ' '));
    let inside = inside.strip_prefix("* ").unwrap_or(inside).trim_start();
    let count = words.split_whitespace().filter(|word| !word.starts_with('[')).count();
    !inside.starts_with(['*', '_', '[', '`'])
        && !words.contains('\n')
        && count <= WORDS_MAX
        && words.chars().count() <= CHARS_MAX
        && may_answer(words, false)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn a_word_beside_sentences_of_its_list_is_quoted() {
        const SAID: &str = "Lyon is the second city of the country.";
        for text in [
            format!("- Paris\n- {SAID}\n- Rome"),
            format!("1. Paris\n2. {SAID}\n3. Rome"),
            format!("The cities:\n\n* Paris\n* {SAID}\n* Rome\n\n## More"),
        ] {
            assert_eq!(stated(&text), [("Paris", vec![]), (SAID, vec![]), ("Rome", vec![])], "{text}");
        }
        let cited = format!("- Paris [2]\n- {SAID} [1]");
        assert_eq!(stated(&cited), [("Paris", vec![2]), (SAID, vec![1])]);
    }

    #[test]
    fn what_heads_others_or_stands_in_other_lists_is_not() {
        const SAID: &str = "Lyon is the second city of the country.";
        for text in [
            format!("- **Paris**\n- {SAID}"),
            format!("- Cities\n  - {SAID}\n- {SAID}"),
            format!("- Cities\n\n  Indented.\n- {SAID}"),
            format!("- Overview\n- {SAID}"),
            format!("- Done\n- {SAID}"),
            format!("- [Paris](https://a.example)\n- {SAID}"),
        ] {
            assert!(stated(&text).iter().all(|(said, _)| *said == SAID || *said == "Indented."), "{text}");
        }
    }
}
