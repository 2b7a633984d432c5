//! Bold words that head what follows them: a paragraph of their own, or the beginning of a sentence.

use std::ops::Range;

use super::bold_values::tells_bold_value;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::sentences::is_year;

/// Bytes of a label.
const LABEL_BYTES_MAX: usize = 120;
/// Characters of a label that is shown as a topic.
pub(super) const TOPIC_CHARS_MAX: usize = 48;

/// What names a part of a report at the end of a few words that head it.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "cause", "causes", "steps", "takeaway", "takeaways", "summary", "conclusion", "conclusions", "overview", "background", "recommendation", "recommendations", "finding", "findings", "result",
    "results", "problem", "problems", "solution", "solutions", "details", "verdict", "context", "timeline", "resolution", "mitigation", "answer", "evidence", "caveats", "limitations", "analysis",
    "points", "facts", "line",
    "вывод", "выводы", "итог", "итоги", "ursache", "ursachen", "schritte", "erkenntnisse", "zusammenfassung", "empfehlungen", "ergebnisse", "fazit", "lösung", "hintergrund",
];
/// What an answer has a part on, at the end of a few words that head it: no word that judges, `**High risk.**`
#[rustfmt::skip]
const ASPECTS: &[&str] = &[
    "targets", "choice", "choices", "interactions", "follow-up", "dosage", "dosing", "requirements", "prerequisites", "eligibility", "alternatives", "notification", "obligations", "considerations", "implications",
    "mechanism", "mechanisms", "criteria", "guidelines", "indications", "contraindications", "monitoring", "management", "treatment", "diagnosis", "prognosis", "prevention", "detection", "terms", "ingredients",
    "instructions", "nutrition", "storage", "substitutions", "specifications", "features", "methods", "methodology", "trends", "drivers", "outlook", "guidance",
    "kosten", "förderung", "stromverbrauch", "verbrauch", "voraussetzungen", "anforderungen", "alternativen", "fristen", "nebenwirkungen",
];
/// Words of such a head.
const HEAD_WORDS_MAX: usize = 4;
/// Bytes in front of a name that is said again: an article.
const AGAIN_BYTES_MAX: usize = 8;
/// What is counted in headings, and the words of one that may have numbers.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "priority", "phase", "step", "day", "week", "month", "option", "part", "section", "stage", "tier", "level", "chapter", "item", "scenario", "case", "appendix", "annex", "milestone", "sprint",
    "schritt", "tag", "woche", "teil", "abschnitt", "priorität", "étape", "jour", "paso", "día", "fase",
];
const COUNTED_WORDS_MAX: usize = 8;
/// Words that a heading in capitals may have beside those that name.
const CAPITAL_JOINTS: &[&str] = &["OF", "AND", "THE", "FOR", "IN", "ON", "TO", "A", "AN"];
/// Words that make a sentence of it.
#[rustfmt::skip]
const CAPITAL_VERBS: &[&str] = &[
    "IS", "ARE", "WAS", "WERE", "BE", "DO", "DOES", "NOT", "NO", "NEVER", "ALWAYS", "MUST", "SHALL", "SHOULD", "WILL", "CAN", "MAY", "HAS", "HAVE", "HAD", "IF", "ALL", "ONLY", "YOU", "YOUR", "WE", "IT", "THIS", "THAT",
    "AFTER", "BEFORE", "UNTIL", "BY", "WITH", "WITHOUT", "FROM", "AT",
];

/// Whether a sentence, with its markup, is nothing but emphasised words that head what follows, though it has a stop:
/// `**Root cause.**`. `**Prices fell.**` says something.
pub(super) fn is_head(sentence: &str) -> bool {
    let line = without_number(sentence.trim()).trim_start_matches(['-', ' ']);
    let (bare, stop) = (line.trim_matches(['*', '_', '.', ' ']), ['*', '_', '.']);
    line.starts_with(['*', '_'])
        && line.ends_with(stop)
        && !bare.contains(['*', '_', '[', ',', ':', '\n'])
        && bare.split(' ').count() <= HEAD_WORDS_MAX
        && bare.rsplit(' ').next().is_some_and(|last| {
            let last = last.to_lowercase();
            HEADS.contains(&last.as_str()) || ASPECTS.contains(&last.as_str()) || is_clause(bare)
        })
}

/// Whether a sentence, with its markup, heads what stands behind it in its block: it is a head, or is emphasised and only
/// names what the next sentence begins with, `**Care Fund.** The Care Fund pays for boilers.`
pub(super) fn heads_block(text: &str, sentence: &Range<usize>, end: usize) -> bool {
    heads_what_follows(&text[sentence.clone()], text.get(sentence.end..end).unwrap_or_default())
}

fn heads_what_follows(sentence: &str, behind: &str) -> bool {
    if is_head(sentence) {
        return true;
    }
    let line = without_number(sentence.trim());
    let bare = line.trim_matches(['*', '_', '.', ' ']);
    let is_bold = line.starts_with("**") && line.ends_with(['*', '.']) && line.contains('.');
    if !is_bold || bare.contains(['*', '[', ',', ':', '\n']) || bare.split(' ').count() > HEAD_WORDS_MAX {
        return false;
    }
    let behind = behind.trim_start_matches(['*', '_', ' ', '\n']);
    let lower = behind[..behind.floor_char_boundary(bare.len() + AGAIN_BYTES_MAX)].to_lowercase();
    let name = bare.to_lowercase();
    // Behind an article, and with something said of it.
    let again = lower.strip_prefix(&name).or_else(|| lower.split_once(' ')?.1.strip_prefix(&name));
    again.is_some_and(|rest| rest.starts_with([' ', '\'', '’']))
}

/// Whether words end with the part of a text that they name: `Termination (clause 14.2)`.
fn is_clause(words: &str) -> bool {
    #[rustfmt::skip]
    const PARTS: [&str; 14] = [
        "clause", "section", "sec.", "article", "art.", "paragraph", "para", "chapter", "ziffer", "abschnitt", "klausel", "artikel", "cláusula", "artículo",
    ];
    let inside = words.strip_suffix(')').and_then(|words| words.split_once(" ("));
    let Some((name, inside)) = inside else { return false };
    let (part, number) =
        inside.split_once(' ').unwrap_or_else(|| inside.split_at(inside.floor_char_boundary('§'.len_utf8())));
    let is_part = part == "§" || PARTS.contains(&part.to_lowercase().as_str());
    is_part && name.contains(char::is_alphabetic) && number.starts_with(|c: char| c.is_ascii_digit())
}

/// A head without its number, marks and stop, as what stands behind it in its line is headed by it: `**Drug choice.** Thiazides are first.`
pub(super) fn trimmed_head(head: &str) -> &str {
    without_number(head.trim_matches(['*', '_', ' '])).trim_matches(['*', '_', '.', ' '])
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
            && (!label.contains(char::is_numeric) || is_title(label) && !tells_bold_value(line))
    })
}

/// Whether a line with figures names what stands below it, and states nothing: `Northwind Corp. – FY2024 (ended Dec 31, 2024)`. It has
/// no amount, and outside of brackets no word that a title writes with a capital is small, but one behind a colon or a dash.
fn is_title(label: &str) -> bool {
    /// Bytes of a word that titles have in small letters, too, and words of one.
    const MAX: (usize, usize) = (3, 10);
    let outside = label.split(['(', '（']).next().unwrap_or_default().trim();
    let words = || outside.split_whitespace();
    let is_small = |word: &str| word.len() > MAX.0 && word.starts_with(char::is_lowercase);
    let joins = |word: &str| word.ends_with(':') || matches!(word, "–" | "—" | "-" | "|");
    let is_set_off = words().zip(words().skip(1)).any(|(before, word)| joins(before) && is_small(word));
    let is_worded = |word: &str| word.len() > 1 && word.starts_with(char::is_uppercase);
    !label.contains(['%', '$', '€', '£', '¥', '=', '?'])
        && !label.contains(is_wide)
        && (label.ends_with(')') || label.ends_with(|c: char| c.is_alphanumeric() || c == ':'))
        && words().count() <= MAX.1
        && words().filter(|word| is_worded(word)).count() >= 2
        && words().filter(|word| is_small(word)).count() <= usize::from(is_set_off)
        && !outside.split_whitespace().any(is_small_number)
}

/// Whether a word is a number that counts or measures something: `12`, `5.5`; not a year.
fn is_small_number(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.starts_with(|c: char| c.is_ascii_digit()) && !is_year(bare)
}

/// Whether a label counts what it heads: `Day 3`, `Option A`.
pub(super) fn is_counted_label(label: &str) -> bool {
    let lower = label.to_lowercase();
    let mut words = lower.split(' ');
    let first = words.next().unwrap_or_default();
    let number = words.next().unwrap_or_default();
    let is_place = number.len() == 1 || number.starts_with(|c: char| c.is_ascii_digit());
    COUNTED.contains(&first) && is_place && words.next().is_none()
}

/// Whether a line that isn't the last of a text heads what follows it, though it has as many words as a sentence: a bold line that
/// counts, or one in capitals. It states nothing, and how far it reaches isn't known here.
pub(super) fn heads(text: &str, line: &Range<usize>) -> bool {
    let said = text[line.clone()].trim();
    let inside = said.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
    let is_bold = inside.is_some_and(|label| {
        label.len() <= LABEL_BYTES_MAX
            && !label.contains(['*', '\n', '['])
            && is_counted(without_number(label))
    });
    (is_bold || is_in_capitals(said)) && !text[line.end..].trim().is_empty()
}

/// Whether a line with numbers heads something: `Priority 1 (within 24 hours)`, `Acme Q3 2025 – Key Takeaways`.
pub(super) fn is_counted(label: &str) -> bool {
    let lower = label.to_lowercase();
    let mut words = lower.split(' ');
    let first = words.next().unwrap_or_default();
    let number = words.next().unwrap_or_default().trim_end_matches([':', '.']);
    let next = words.next().unwrap_or_default();
    let is_numbered = COUNTED.contains(&first)
        && (1..=3).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (next.is_empty()
            || next.starts_with(['(', '–', '—', '-', ':', '/'])
            || lower.contains(&format!("{number}:")));
    let last = lower.trim_end_matches([':', ' ']).rsplit(' ').next().unwrap_or_default();
    !label.contains(['%', '$', '€', '£', '¥'])
        && lower.split(' ').count() <= COUNTED_WORDS_MAX
        && (is_numbered || HEADS.contains(&last))
}

/// Whether a line is a heading in capitals: `ITEM 7: PROTECTED BIKE LANES`. What has a verb, or denies, says something.
fn is_in_capitals(line: &str) -> bool {
    if line.contains(char::is_lowercase)
        || line.len() > LABEL_BYTES_MAX
        || line.contains(['\n', '|', '[', '`', '"'])
    {
        return false;
    }
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '\'' | '’'));
    let words: Vec<&str> = words.filter(|word| word.contains(char::is_uppercase)).collect();
    let names = words.iter().filter(|word| word.len() > 2 && !CAPITAL_JOINTS.contains(word)).count();
    names >= 2
        && !line.ends_with(['.', '!', '?'])
        && !line.contains(['%', '$', '€', '£', '='])
        && !words.iter().any(|word| CAPITAL_VERBS.contains(word))
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

pub(super) fn without_number(label: &str) -> &str {
    let rest = label.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(['.', ')']).unwrap_or(label).trim()
}

/// What a sentence begins with in bold letters and a colon: of `**Vacuum:** it uses less` and `**Vacuum**: it uses less` the word.
pub(in crate::domain::synthesis::claims) fn lead(sentence: &str) -> Option<&str> {
    let (label, behind) = sentence.strip_prefix("**")?.split_once("**")?;
    let colon = [':', '：'];
    let (bare, rest) = (label.trim().trim_end_matches(colon).trim(), behind_markers(behind.trim_start()));
    let is_lead = label.trim().ends_with(colon) || rest.starts_with(colon);
    let says = bare.contains(char::is_alphabetic) && !rest.trim_start_matches(colon).trim().is_empty();
    let is_short = bare.chars().count() <= TOPIC_CHARS_MAX;
    (is_lead && says && is_short && !bare.contains(['[', '*', '\n'])).then(|| without_number(bare))
}

/// What stands behind the markers before a colon, where it begins with some: of ` [1]: 3 months` the rest.
fn behind_markers(text: &str) -> &str {
    let mut rest = text;
    while let Some((number, behind)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return text;
        }
        rest = behind.trim_start();
    }
    if rest.starts_with([':', '：']) { rest } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_bold_lines_that_state_nothing() {
        for label in [
            "**What to watch out for**",
            "**2. Key findings of the team:**\n\n",
            "**主要发现和后续建议**",
            "**Northwind Corp. – FY2024 (ended Dec 31, 2024)**",
            "**Incident INC-2291: checkout (3 Nov 2025)**",
        ] {
            assert!(is_label(label), "{label}");
        }
        for text in [
            "**Prices rose in the whole region.**",
            "**Prices rose by 5% in the region**",
            "**Prices rose in the region in 2024**",
            "**Revenue in 2024: €798**",
            "**Team Lead: 12 engineers**",
            "**Prices** rose in **the region**",
            "Prices rose in the whole region",
            "**Prices rose in the region [1]**",
        ] {
            assert!(!is_label(text), "{text}");
        }
    }

    #[test]
    fn lines_with_numbers_or_in_capitals_may_head_what_follows() {
        for line in [
            "**Priority 1 (within 24 hours)**",
            "**Day 2: Belém**",
            "**Acme Q3 FY2025 – Key Takeaways**",
            "ITEM 7: PROTECTED BIKE LANES",
            "SUMMARY OF FINDINGS",
        ] {
            let text = format!("{line}\n\nIt rose.");
            assert!(heads(&text, &(0..line.len())) && !heads(line, &(0..line.len())), "{line}");
        }
        for line in [
            "**Prices rose by 5% in the region**",
            "**Day 1 costs $300**",
            "**Phase 2: 30% cheaper**",
            "**Step 1 takes 20 minutes**",
            "DO NOT MIX WITH BLEACH",
            "ALL SALES ARE FINAL",
            "NO REFUNDS AFTER 30 DAYS",
            "REVENUE GREW 5%",
            "NASA",
        ] {
            assert!(!heads(&format!("{line}\n\nIt rose."), &(0..line.len())), "{line}");
        }
    }

    #[test]
    fn what_only_names_the_next_sentences_subject_heads_it() {
        assert!(heads_what_follows("**Care Fund.**", "The Care Fund pays for boilers."));
        assert!(heads_what_follows("1. **Council scheme.**", "The council scheme gives loans."));
        for (head, behind) in [
            ("**Care Fund.**", "It pays for boilers."),
            ("**Prices fell.**", "Prices had risen before."),
            ("Care Fund.", "The Care Fund pays for boilers."),
            ("**Acme won.**", "Acme won."),
        ] {
            assert!(!heads_what_follows(head, behind), "{head}");
        }
    }

    #[test]
    fn heads_with_a_stop_state_nothing() {
        for head in [
            "**Root cause.**",
            "**Краткий вывод.**",
            "1. **Root cause**.",
            "*Next steps.*",
            "__Key takeaways.__",
            "**Nächste Schritte.**",
            "**Blood pressure targets.**",
            "**Drug choice.**",
            "**Stromverbrauch.**",
            "**Termination (clause 14.2).**",
            "**Kündigung (§ 5).**",
            "**Repairs (§9).**",
        ] {
            assert!(is_head(head), "{head}");
        }
        assert!(is_label("**Root cause.**"));
        for text in [
            "**Prices fell.**",
            "**Acme won.**",
            "**High risk.**",
            "Root cause.",
            "**Rust** is the cause.",
            "**The full disk is the root cause.**",
            "**Root cause: the disk.**",
            "**Prices fell (by 5%).**",
            "**Acme won (clause dropped).**",
            "**It rose (2024).**",
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
            ("**Vacuum** [1][2]: it uses less", Some("Vacuum")),
            ("**Vacuum** [1] uses less: so it is", None),
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
