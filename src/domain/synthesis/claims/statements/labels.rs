//! Bold words that head what follows them: a paragraph of their own, or the beginning of a sentence.

/// Bytes of a label.
const LABEL_BYTES_MAX: usize = 120;
/// Characters of a label that is shown as a topic.
const TOPIC_CHARS_MAX: usize = 48;

/// What names a part of a report at the end of a few words that head it.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "cause", "causes", "steps", "takeaway", "takeaways", "summary", "conclusion", "conclusions", "overview", "background", "recommendation", "recommendations", "finding", "findings", "result",
    "results", "problem", "problems", "solution", "solutions", "details", "verdict", "context", "timeline", "resolution", "mitigation", "answer", "evidence", "caveats", "limitations", "analysis",
    "points", "facts", "line",
    "ursache", "ursachen", "schritte", "erkenntnisse", "zusammenfassung", "empfehlungen", "ergebnisse", "fazit", "lösung", "hintergrund",
];
/// Words of such a head.
const HEAD_WORDS_MAX: usize = 4;

/// Whether a sentence, with its markup, is nothing but emphasised words that head what follows, though it has a stop:
/// `**Root cause.**`. `**Prices fell.**` says something.
pub(super) fn is_head(sentence: &str) -> bool {
    let line = without_number(sentence.trim()).trim_start_matches(['-', ' ']);
    let (bare, stop) = (line.trim_matches(['*', '_', '.', ' ']), ['*', '_', '.']);
    line.starts_with(['*', '_'])
        && line.ends_with(stop)
        && !bare.contains(['*', '_', '[', ',', ':', '\n'])
        && bare.split(' ').count() <= HEAD_WORDS_MAX
        && bare.rsplit(' ').next().is_some_and(|last| HEADS.contains(&last.to_lowercase().as_str()))
}

/// Whether a paragraph is one bold line that ends like no sentence and has no figure, `**What to watch out for**`, or a head.
pub(super) fn is_label(paragraph: &str) -> bool {
    let line = paragraph.trim();
    let inside = line.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
    inside.is_some_and(|label| {
        let label = without_number(label);
        label.len() <= LABEL_BYTES_MAX
            && (!label.ends_with(['.', '!', '。', '！']) || is_head(line))
            && !label.contains(['*', '\n', '['])
            && !label.contains(char::is_numeric)
    })
}

/// The name in bold letters that a line is, with no sentence behind it: of `**PostgreSQL** (v17)` and `**1. Hotel Gracery** ⭐ 4.3/5`
/// the name. Above a list it heads its items.
pub(super) fn name(paragraph: &str) -> Option<&str> {
    /// Bytes of a name, and characters of what stands behind it.
    const MAX: (usize, usize) = (96, 48);
    let (name, behind) = paragraph.trim().strip_prefix("**")?.split_once("**")?;
    let (name, behind) = (without_number(name.trim()), behind.trim());
    let stops = ['.', '!', '?', ':', ',', ';', '。', '！', '？', '：', '，'];
    let cites =
        || name.match_indices('[').any(|(at, _)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    let is_name = name.contains(char::is_alphabetic)
        && name.len() <= MAX.0
        && !name.ends_with(stops)
        && !name.contains(['\n', '*'])
        && !name.contains("](")
        && !cites();
    let is_aside = behind.is_empty()
        || !behind.starts_with(|c: char| c.is_alphanumeric() || stops.contains(&c) || c == '\'')
            && !behind.ends_with(stops)
            && !behind.contains(['\n', '*'])
            && behind.chars().count() <= MAX.1;
    (is_name && is_aside).then_some(name)
}

/// Whether a word is what a part of a report is called by: `summary`.
pub(super) fn names_part(word: &str) -> bool {
    HEADS.contains(&word)
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
    fn heads_with_a_stop_state_nothing() {
        for head in [
            "**Root cause.**",
            "1. **Root cause**.",
            "*Next steps.*",
            "__Key takeaways.__",
            "**Nächste Schritte.**",
        ] {
            assert!(is_head(head), "{head}");
        }
        assert!(is_label("**Root cause.**"));
        for text in [
            "**Prices fell.**",
            "**Acme won.**",
            "Root cause.",
            "**Rust** is the cause.",
            "**The full disk is the root cause.**",
            "**Root cause: the disk.**",
            "**Root cause [1].**",
        ] {
            assert!(!is_head(text), "{text}");
        }
    }

    #[test]
    fn names_may_have_a_few_marks_behind_them() {
        for (line, expected) in [
            ("**1. Hotel Gracery Shinjuku** ⭐ 4.3/5\n", Some("Hotel Gracery Shinjuku")),
            ("**PostgreSQL** (v17)", Some("PostgreSQL")),
            ("**[HIGH] CVE-2024-1234**", Some("[HIGH] CVE-2024-1234")),
            ("**iPhone 16**", Some("iPhone 16")),
            ("**iPhone 16**:", None),
            ("**Pro** — $29 per month", Some("Pro")),
            ("**Prices rose by 5%** in the region", None),
            ("**Prices rose by 5%.**", None),
            ("**Rust** (2015) is a language.", None),
            ("**Rust**, a language", None),
            ("**Growth [1]**", None),
            ("**Growth:** 5%", None),
            ("**Rust** and **Go**", None),
            ("Rust (2015)", None),
        ] {
            assert_eq!(name(line), expected, "{line}");
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
