//! Bold words that head what follows them: a paragraph of their own, or the beginning of a sentence.

/// Bytes of a label.
const LABEL_BYTES_MAX: usize = 120;
/// Characters of a label that is shown as a topic.
const TOPIC_CHARS_MAX: usize = 48;

/// Whether a paragraph is one bold line that ends like no sentence and has no figure: `**What to watch out for**`.
pub(super) fn is_label(paragraph: &str) -> bool {
    let line = paragraph.trim();
    let inside = line.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
    inside.is_some_and(|label| {
        let label = without_number(label);
        label.len() <= LABEL_BYTES_MAX
            && !label.ends_with(['.', '!', '。', '！'])
            && !label.contains(['*', '\n', '['])
            && !label.contains(char::is_numeric)
    })
}

fn without_number(label: &str) -> &str {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(['.', ')']).unwrap_or(label).trim()
}

/// What a sentence begins with in bold letters and a colon: of `**Vacuum:** it uses less` and `**Vacuum**: it uses less` the word.
pub(in crate::domain::synthesis::claims) fn lead(sentence: &str) -> Option<&str> {
    let (label, behind) = sentence.strip_prefix("**")?.split_once("**")?;
    let colon = [':', '：'];
    let (bare, rest) = (label.trim().trim_end_matches(colon).trim(), behind.trim_start());
    let is_lead = label.trim().ends_with(colon) || rest.starts_with(colon);
    let says = bare.contains(char::is_alphabetic) && !rest.trim_start_matches(colon).trim().is_empty();
    let is_short = bare.chars().count() <= TOPIC_CHARS_MAX;
    (is_lead && says && is_short && !bare.contains(['[', '*', '\n'])).then(|| without_number(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_bold_lines_that_state_nothing() {
        for label in
            ["**What to watch out for**", "**2. Key findings of the team:**\n\n", "**主要发现和后续建议**"]
        {
            assert!(is_label(label), "{label}");
        }
        for text in [
            "**Prices rose in the whole region.**",
            "**Prices rose by 5% in the region**",
            "**Prices** rose in **the region**",
            "Prices rose in the whole region",
            "**Prices rose in the region [1]**",
        ] {
            assert!(!is_label(text), "{text}");
        }
    }

    #[test]
    fn leads_end_with_a_colon() {
        for (sentence, label) in [
            ("**Vacuum:** it uses less", Some("Vacuum")),
            ("**Vacuum**: it uses less", Some("Vacuum")),
            ("**1. Growth:** prices rose", Some("Growth")),
            ("**真空（VACUUM）**：内存占用最多降低20倍", Some("真空（VACUUM）")),
            ("**Vacuum** uses less", None),
            ("**Vacuum:**", None),
            ("Vacuum: it uses less", None),
            ("**[Vacuum](https://a.example):** it uses less", None),
        ] {
            assert_eq!(lead(sentence), label, "{sentence}");
        }
    }
}
