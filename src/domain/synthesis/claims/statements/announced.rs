//! What a line above announces: `Here is what I found about Berlin:`, or the item that others are nested in.

use super::Statement;
use super::asides::is_small_talk;
use super::boilerplate::{heads_own_work, is_salutation};
use super::edges::edges;
use super::labels::name;
use super::lines::label_start;
use super::steps::Steps;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::sentences::sentences;

/// Words of a line that announces, and bytes that they may have.
const WORDS_MAX: usize = 12;
const BYTES_MAX: usize = 120;
/// The same of the sentence above a quotation, which says who is quoted.
const SPEAKER_WORDS_MAX: usize = 40;
const SPEAKER_BYTES_MAX: usize = 300;
/// Bytes of a line above a list that says what it is of without a colon.
const TITLE_BYTES_MAX: usize = 60;
/// Words of an item that is a label without a colon.
const LABEL_WORDS_MAX: usize = 4;

/// Headings that are known above the one that a statement's own stands below.
pub(in crate::domain::synthesis::claims) const OVER_MAX: usize = 4;

/// What stands around a statement, and isn't a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Around<'t> {
    /// The sentence before it in its paragraph; empty where it is the first.
    pub before: &'t str,
    /// What a line above it announces; empty where none does.
    pub announced: &'t str,
    /// The label of the item that it is nested in; empty where there is none.
    pub within: &'t str,
    /// The line above its list or table that it is true under only, as that denies or restricts it; empty where none does.
    pub lead: &'t str,
    /// The nearest line above its list or table that leads it in, whatever that says; a key of JSON; empty where there is none.
    pub line: &'t str,
    /// The heading that its own stands below; empty where there is none.
    pub section: &'t str,
    /// The headings above that, the nearest first; of a string of JSON its key and those that it stands below. Empty where there are no
    /// more.
    pub over: [&'t str; OVER_MAX],
    /// The words that tell what its subagent was asked from what others were; empty where none do.
    pub asked: &'t str,
    /// Of members of JSON the keys that they stand below, the nearest first; empty where there are no more.
    pub keys: [&'t str; 2],
    /// The nearest of the headings above its own that denies or restricts what stands below it; empty where none does, or its own does.
    pub outer: &'t str,
    /// Whether it is an item of a list, or a row of a table.
    pub is_listed: bool,
    /// What its subagent was asked; empty where it stands under something that tells more.
    pub task: &'t str,
    /// How many sources its result names, where it says of no sentence which of them it is from; otherwise 0.
    pub rests_on: usize,
    /// The numbered list that it is of, by the list's first byte in the text.
    pub numbered: Option<usize>,
}

impl<'t> Around<'t> {
    /// What a line above it announces, where that is a label and no sentence; empty otherwise.
    pub(in crate::domain::synthesis) fn label(&self) -> &'t str {
        // What stands in brackets says more of it: `Monthly cost estimates (3 nodes, 500 GB)`.
        let outside = self.announced.split(" (").next().unwrap_or_default();
        let is_short = outside.split(' ').count() <= LABEL_WORDS_MAX;
        if is_short || self.announced == self.within { self.announced } else { "" }
    }
}

/// The lines that announce what follows, as far as a text is read.
#[derive(Default)]
pub(super) struct Announced<'t> {
    line: &'t str,
    /// The sentence above a quotation; empty where none is, or `line` says it.
    speaker: &'t str,
    /// Items that others are nested in, and their columns.
    items: Vec<Item<'t>>,
    steps: Steps,
}

/// An item that others are nested in.
struct Item<'t> {
    column: usize,
    label: &'t str,
    /// Whether that is a name, which may be long.
    is_name: bool,
}

impl<'t> Announced<'t> {
    /// Takes note of a block, before it is read.
    pub(super) fn meet(&mut self, block: &Block, body: &'t str, next: Option<&Block>) {
        self.steps.meet(block, body);
        if block.kind != Kind::Quote {
            let is_quoted =
                block.kind == Kind::Paragraph && next.is_some_and(|next| next.kind == Kind::Quote);
            self.speaker = if is_quoted { speaker(body).unwrap_or_default() } else { "" };
        }
        match block.kind {
            Kind::Heading { .. } => *self = Self::default(),
            Kind::ListItem { indent, .. } => {
                let holds = self.items.iter().take_while(|item| item.column < indent).count();
                self.items.truncate(holds);
            }
            Kind::Paragraph => {
                // What a list was announced by ends with it.
                let was_list = !self.items.is_empty();
                self.items.clear();
                if let Some(line) = line(body).filter(|_| next.is_some()).or_else(|| title(body, next)) {
                    self.line = line;
                } else if was_list {
                    self.line = "";
                }
            }
            Kind::Quote | Kind::Html | Kind::Code { .. } | Kind::Table | Kind::Rule => self.items.clear(),
        }
    }

    /// Gives what was found in a block what stands above it, and takes note of an item that others are nested in.
    pub(super) fn leave(
        &mut self,
        (block, next): (&Block, Option<&Block>),
        body: &'t str,
        found: &mut [Statement<'t>],
    ) {
        self.steps.leave(found);
        let above = self.items.last().filter(|item| !item.label.is_empty());
        let within = above.filter(|item| item.is_name || is_label(item.label));
        // What stands above a label is no part of what that announces.
        let announces_at_end =
            || body.trim_end().ends_with([':', '：']) && line(body).is_some() && sentences(body).len() > 1;
        let is_above = block.kind == Kind::Paragraph
            && (label_start(body).is_some() || !found.is_empty() && announces_at_end());
        let is_spoken = block.kind == Kind::Quote && !self.speaker.is_empty();
        let nearest = if is_spoken { self.speaker } else { self.line };
        let above_it = if is_above { "" } else { nearest };
        for statement in found {
            statement.around.announced = above.map_or(above_it, |item| item.label);
            if let Some(item) = within.filter(|_| statement.around.within.is_empty()) {
                statement.around.within = item.label;
            }
        }
        if matches!(block.kind, Kind::Code { .. }) {
            // It was what the line announced.
            self.line = "";
        }
        let Kind::ListItem { indent, .. } = block.kind else { return };
        let is_nested =
            |next: &Block| matches!(next.kind, Kind::ListItem { indent: column, .. } if column > indent);
        let next = next.filter(|next| is_nested(next));
        let name = next.and_then(|_| name(edges(body)));
        let label = || line(body).or_else(|| Some(edges(body)).filter(|label| is_label(label)));
        let label = name.or_else(|| next.and_then(|_| label())).unwrap_or_default();
        self.items.push(Item { column: indent, label, is_name: name.is_some() });
    }
}

/// A line that ends with a colon; below labels with what they say the last one.
fn line(body: &str) -> Option<&str> {
    let line = body[label_start(body).unwrap_or_default()..].trim();
    let bare = line.trim_end_matches('*').trim_end();
    let announces = bare.ends_with([':', '：'])
        && !line.contains("://")
        && line.len() <= BYTES_MAX
        && !line.contains('\n')
        && line.split(' ').count() <= WORDS_MAX
        && !is_salutation(bare)
        && !heads_own_work(bare.trim_end_matches([':', '：']));
    // What stands before it in its line announces nothing: `It was approved. Its demands:`
    let last = || sentences(line).pop().map_or(line, |last| &line[last]);
    announces
        .then(|| {
            edges(if line.contains(['.', '!', '?', '。', '！', '？']) { last() } else { line })
                .trim_end_matches([':', '：'])
        })
        .map(unbalanced)
}

/// A line without bold marks at its end that nothing in it opens: `**Dose:**` is `**Dose` without its colon, `go with **Postgres**` is whole.
fn unbalanced(line: &str) -> &str {
    let bare = line.trim_end_matches(['*', ':', '：']);
    if line.matches("**").count().is_multiple_of(2) && bare.contains("**") { line } else { bare }
}

/// A line of a few words without a stop right above a list, which says what that is of as one with a colon does: `Population of Arven`.
fn title<'t>(body: &'t str, next: Option<&Block>) -> Option<&'t str> {
    let is_above = next.is_some_and(|next| matches!(next.kind, Kind::ListItem { .. }));
    let line = body.trim();
    // Most paragraphs are no such line.
    if !is_above || line.len() > TITLE_BYTES_MAX || line.contains(['\n', '[', '|', '@']) {
        return None;
    }
    let said = edges(line);
    let begins = |c: char| c.is_uppercase() || c.is_alphabetic() && !c.is_lowercase();
    let is_one = is_label(said)
        && said.starts_with(begins)
        && said.ends_with(char::is_alphanumeric)
        && !is_salutation(said)
        && !is_small_talk(said);
    is_one.then_some(said)
}

/// The last sentence of a paragraph, where it ends with a colon: longer than other lines it may be, as it is about the quotation alone.
fn speaker(body: &str) -> Option<&str> {
    if !body.trim_end().trim_end_matches('*').ends_with([':', '：']) {
        return None;
    }
    let last = edges(&body[sentences(body).pop()?]).trim_end_matches([':', '：', '*']);
    let is_short =
        last.len() <= SPEAKER_BYTES_MAX && last.split_whitespace().nth(SPEAKER_WORDS_MAX).is_none();
    (is_short && !last.contains('\n')).then_some(last)
}

fn is_label(label: &str) -> bool {
    label.len() <= BYTES_MAX
        && !label.contains('\n')
        && !label.ends_with(['.', '!', '?', '。'])
        && label.split(' ').count() <= LABEL_WORDS_MAX
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    /// What stands in a text below which line.
    fn announced(text: &str) -> Vec<(&'static str, &'static str)> {
        read(text, "a").into_iter().map(|said| (said.text, said.around.announced)).collect()
    }

    #[test]
    fn a_sentence_before_what_announces_is_no_part_of_it() {
        for (line, expected) in [
            ("The plan was approved. Its demands:", "Its demands"),
            ("国家建设数字教育体系。政策主张：", "政策主张"),
            ("What Acme Inc. demands:", "What Acme Inc. demands"),
            ("Version 2.5 brings:", "Version 2.5 brings"),
        ] {
            let found = announced(&format!("{line}\n\n- Strengthen AI in all of the schools."));
            assert_eq!(found.last(), Some(&("Strengthen AI in all of the schools.", expected)));
            assert!(found.iter().rev().skip(1).all(|(_, announced)| announced.is_empty()), "{found:?}");
        }
    }

    #[test]
    fn a_title_in_a_line_above_a_list_says_what_that_is_of() {
        for (line, expected) in [
            ("Population of Arven", "Population of Arven"),
            ("Einwohner von Arven", "Einwohner von Arven"),
            ("阿尔文人口", "阿尔文人口"),
            ("Population of Arven.", ""),
            ("thanks all", ""),
            ("Hello Ana,", ""),
            ("[Arven](https://nine.example)", ""),
            ("It has grown much in the last ten years", ""),
        ] {
            let found = announced(&format!("{line}\n\n- 2011: 45,900\n- 2021: 48,200"));
            let below = found.iter().filter(|(text, _)| text.starts_with("20"));
            assert!(below.clone().count() == 2 && below.clone().all(|said| said.1 == expected), "{found:?}");
        }
        let apart = announced("Population of Arven\n\nIt grew by far.\n\n- 2011: 45,900 people live there.");
        assert!(apart.iter().all(|(_, announced)| announced.is_empty()), "{apart:?}");
    }

    #[test]
    fn a_quotation_keeps_who_is_quoted_however_long_that_is() {
        const SAID: &str = "We will not raise taxes in 2025.";
        const BEHIND: &str = "The opposition disagreed with her.";
        let long = "In her speech to the parliament on 3 May 2024, the minister of finance said the following of the budget";
        for (above, speaker) in [
            (format!("{long}:"), long),
            (format!("{long}：\n"), long),
            (format!("The session was long. {long}:"), long),
        ] {
            let found = announced(&format!("{above}\n\n> {SAID}\n\n{BEHIND}"));
            let quoted = found.iter().find(|(text, _)| *text == SAID);
            assert_eq!(quoted, Some(&(SAID, speaker)), "{above}");
            assert_eq!(found.last(), Some(&(BEHIND, "")), "{above}");
        }
        // What leads in no quotation, or says no speaker.
        assert_eq!(announced(&format!("{long}:\n\n- {SAID}")).last(), Some(&(SAID, "")));
        let closed = announced(&format!("{long}.\n\n> {SAID}"));
        assert_eq!(closed.last(), Some(&(SAID, "")));
    }
}
