//! The label that a sentence begins with: `Root cause` of `Root cause: a migration locked the table.`

/// Words and characters of one.
const WORDS_MAX: usize = 4;
const LENGTH_MAX: usize = 30;
/// What says how a sentence is meant, not what it is about, in small letters.
#[rustfmt::skip]
const MEANT: [&str; 31] = [
    "note", "nb", "tip", "hint", "example", "warning", "caution", "important", "update", "source", "hinweis", "beispiel", "achtung", "remarque", "exemple", "nota", "ejemplo",
    "in short", "in brief", "in summary", "in sum", "in conclusion", "bottom line", "summary", "conclusion", "short answer", "kurz", "kurz gesagt", "fazit", "en bref", "en resumen",
];

/// What only a sentence has.
const VERBS: [&str; 8] = ["said", "says", "is", "are", "was", "were", "has", "have"];

/// Whether a label says how a sentence is meant, not what it is about: `Note`.
pub(in crate::domain::synthesis::claims) fn is_meant(label: &str) -> bool {
    MEANT.contains(&label.to_lowercase().as_str())
}

/// The label of a sentence, if it begins with one.
pub(super) fn label(text: &str) -> Option<&str> {
    let head = &text[..text.floor_char_boundary(LENGTH_MAX * 4)];
    let (label, rest) = head.split_once(": ")?;
    let is_name = label.starts_with(char::is_uppercase)
        && label.ends_with(char::is_alphanumeric)
        && !label
            .contains(|c: char| !(c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’' | '/' | '&')));
    let is_short = label.chars().count() <= LENGTH_MAX && label.split(' ').count() <= WORDS_MAX;
    let is_sentence = label.split(' ').any(|word| VERBS.contains(&word));
    (is_name && is_short && !is_sentence && !rest.is_empty() && !is_meant(label)).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_are_told_from_sentences() {
        for (text, expected) in [
            ("Root cause: a migration locked the table.", Some("Root cause")),
            ("Not recommended: pgvector above 10M vectors.", Some("Not recommended")),
            ("Licence: Apache 2.0.", Some("Licence")),
            ("Measured p95: Milvus 18 ms.", Some("Measured p95")),
            ("Teams deploy on their own: lead time fell.", None),
            ("Note: it is old.", None),
            ("In short: it is old.", None),
            ("He said: no.", None),
            ("09:05: error rate rises.", None),
            ("It rose (by 5%): a lot.", None),
            ("\"plan\": \"Basic\"", None),
            ("Ratio 3:1", None),
        ] {
            assert_eq!(label(text), expected, "{text}");
        }
    }
}
