//! What a paragraph begins with in bold letters: of `**Ana Ruiz** – led a team of 12. Salary: €135k.` both sentences are about her.

use std::ops::Range;

use super::labels::{TOPIC_CHARS_MAX, lead, without_number};
use crate::domain::synthesis::claims::subjects::is_subject;
use crate::domain::synthesis::claims::topic::is_meant;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::words::Lexicon;

/// What stands between a bold name and what is said of it.
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// The label of a block, or the last of several; empty where it has none.
pub(super) struct Led<'t> {
    label: &'t str,
    /// Where that stands.
    start: usize,
}

impl<'t> Led<'t> {
    /// That of a block of a text.
    pub fn of(text: &'t str, block: &Range<usize>) -> Self {
        let body = text[block.clone()].trim_start();
        Self { label: own(body).unwrap_or_default(), start: block.start }
    }

    /// Takes note of a sentence: one with a label of its own ends the reach of the one before, `**Berlin**: … **Munich**: …`, unless it
    /// says how it is meant (`**Note:**`), or is one of the parts of a thing that the one before names (`**Ana Ruiz**: … **Salary:** …`).
    pub fn meet(&mut self, text: &'t str, start: usize, sentence: &'t str) {
        if self.label.is_empty() || start <= self.start || !sentence.starts_with("**") {
            return;
        }
        let Some(label) = own(&text[start..start + sentence.len()]).filter(|label| !is_meant(label)) else {
            return;
        };
        let names = |label: &str| is_subject(label, &mut Lexicon::default());
        if names(label) || !names(self.label) {
            *self = Self { label, start };
        }
    }

    /// The heading of a sentence that begins at `start`, and the label below it: what a block begins with in bold letters says what its
    /// other sentences are about as well.
    pub fn above(&self, text: &str, start: usize, heading: &'t str) -> (&'t str, &'t str) {
        let before = || text[self.start.min(start)..start].trim_matches(['*', ' ', '\n', '-']);
        match heading.is_empty() {
            _ if self.label.is_empty() || before().is_empty() => (heading, ""),
            true => (self.label, ""),
            false => (heading, self.label),
        }
    }
}

/// The label that a text begins with.
fn own(text: &str) -> Option<&str> {
    lead(text).or_else(|| dashed(text))
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
    fn a_label_of_its_own_ends_the_reach_of_the_one_before() {
        let heads = |text: &str| {
            let found = headed(text).into_iter();
            found.map(|(heading, within, _)| format!("{heading}/{within}")).collect::<Vec<_>>()
        };
        for (text, expected) in [
            ("**Berlin**: Rent is €14. **Munich**: Rent is €21. It rose by 4%.", ["/", "/", "Munich/"]),
            ("**Pros:** It is fast. **Cons:** It needs 2 GB. It is closed.", ["/", "/", "Cons/"]),
            ("**Ana** – led a team of 12. **Ben** – worked at Monzo. He is 41.", ["/", "/", "Ben/"]),
            // Parts of what the first one names, and how a sentence is meant.
            (
                "**Ana Ruiz**: She led it. **Price:** It is €135k. She agreed.",
                ["/", "Ana Ruiz/", "Ana Ruiz/"],
            ),
            ("**Berlin**: Rent is €14. **Note:** It was €12 before. It rose.", ["/", "Berlin/", "Berlin/"]),
            ("**Berlin**: Rent is €14. It is **cheap**: see below. It rose.", ["/", "Berlin/", "Berlin/"]),
        ] {
            assert_eq!(heads(text), expected, "{text}");
        }
        assert_eq!(
            heads("## Acme\n\n**Term:** It ends in May. **Liability cap:** It is €5. It holds."),
            ["Acme/", "Acme/", "Acme/Liability cap"]
        );
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
