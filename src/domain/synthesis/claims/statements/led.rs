//! What a paragraph begins with in bold letters: of `**Ana Ruiz** – led a team of 12. Salary: €135k.` both sentences are about her.

use std::ops::Range;

use super::labels::{TOPIC_CHARS_MAX, lead, without_number};
use crate::domain::text::phrases::begins_with_any;

/// What stands between a bold name and what is said of it.
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// The label of a block; empty where it has none.
pub(super) struct Led<'t> {
    label: &'t str,
    block: Range<usize>,
}

impl<'t> Led<'t> {
    /// That of a block of a text.
    pub fn of(text: &'t str, block: &Range<usize>) -> Self {
        let body = text[block.clone()].trim_start();
        Self { label: lead(body).or_else(|| dashed(body)).unwrap_or_default(), block: block.clone() }
    }

    /// The heading of a sentence that begins at `start`, and the label below it: what a block begins with in bold letters says what its
    /// other sentences are about as well.
    pub fn above(&self, text: &str, start: usize, heading: &'t str) -> (&'t str, &'t str) {
        let before = || text[self.block.start..start].trim_matches(['*', ' ', '\n', '-']);
        match heading.is_empty() {
            _ if self.label.is_empty() || before().is_empty() => (heading, ""),
            true => (self.label, ""),
            false => (heading, self.label),
        }
    }
}

/// A bold name before a dash.
fn dashed(body: &str) -> Option<&str> {
    let (label, behind) = body.strip_prefix("**")?.split_once("**")?;
    let is_dashed = begins_with_any(behind, &DASHES);
    let is_name = label.contains(char::is_alphabetic) && !label.contains(['[', '*', '\n', '.']);
    (is_dashed && is_name && label.chars().count() <= TOPIC_CHARS_MAX).then(|| without_number(label.trim()))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const MANAGED: &str = "She has managed eight engineers.";

    fn headed(text: &str) -> Vec<(&'static str, &'static str, &'static str)> {
        let found = read(text, "a").into_iter();
        found.map(|said| (said.heading, said.around.within, said.text)).collect()
    }

    #[test]
    fn what_a_paragraph_begins_with_in_bold_letters_heads_its_other_sentences() {
        const BESIDE: &str = "Nobody else was asked for it.";
        for label in ["**Ana Ruiz** – named by her former VP.", "**Ana Ruiz:** named by her former VP."] {
            let found = headed(&format!("{label} {MANAGED}\n\n{BESIDE}"));
            assert_eq!(found, [("", "", label), ("Ana Ruiz", "", MANAGED), ("", "", BESIDE)]);
            let below = headed(&format!("## Staff\n\n{label} {MANAGED}"));
            assert_eq!(below, [("Staff", "", label), ("Staff", "Ana Ruiz", MANAGED)]);
        }
    }

    #[test]
    fn words_in_bold_letters_within_a_sentence_head_nothing() {
        for text in
            ["**Prices** rose in May.", "**Prices rose in May.**", "Prices – **of all** – rose in May."]
        {
            assert_eq!(headed(&format!("{text} {MANAGED}"))[1], ("", "", MANAGED), "{text}");
        }
    }
}
