//! The sentences of a result that state something, with the sources that they cite.

use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::sentences::sentences;

/// A sentence and who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<'t> {
    /// The sentence, verbatim, without markup and citations at its edges.
    pub text: &'t str,
    /// The heading that it stands under; empty where there is none.
    pub heading: &'t str,
    /// Who says it.
    pub subagent: &'t str,
    /// The sources that it cites, ascending.
    pub sources: Vec<usize>,
}

/// The statements of a result in Markdown. `resolve` turns a marker's number into a source. Headings, tables, code, rules
/// and sections of references state nothing.
pub fn statements<'t>(
    text: &'t str,
    subagent: &'t str,
    resolve: &dyn Fn(u32) -> Option<usize>,
) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    let mut heading = "";
    let mut references = false;
    for block in blocks(text) {
        let Some(body) = text.get(block.range.clone()) else { continue };
        match block.kind {
            Kind::Heading { .. } => {
                heading = heading_text(body);
                references = is_references(heading);
            }
            Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote => {
                let label = edges(body);
                if is_references(label.trim_end_matches([':', '：'])) {
                    references = true;
                }
                if !references {
                    read(body, heading, subagent, resolve, &mut found);
                }
            }
            Kind::Code { .. } | Kind::Table | Kind::Rule | Kind::Html => {}
        }
    }
    found
}

fn heading_text(heading: &str) -> &str {
    let first = heading.trim().trim_start_matches('#').lines().next().unwrap_or_default();
    edges(first.trim_end_matches('#'))
}

#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "references", "sources", "bibliography", "works cited", "citations", "reference list", "source list", "sources cited", "参考文献", "参考资料", "来源", "引用", "引用来源", "资料来源", "参考来源",
];

fn is_references(heading: &str) -> bool {
    let bare = heading.trim_start_matches(|c: char| !c.is_alphabetic()).trim_end();
    if bare.len() > 48 {
        return false;
    }
    let lowered = bare.to_lowercase();
    REFERENCES.iter().any(|word| lowered.starts_with(word) && bare.len() <= word.len() + 24)
}

fn read<'t>(
    body: &'t str,
    heading: &'t str,
    subagent: &'t str,
    resolve: &dyn Fn(u32) -> Option<usize>,
    found: &mut Vec<Statement<'t>>,
) {
    for range in sentences(body) {
        let Some(sentence) = body.get(range) else { continue };
        let text = edges(sentence);
        if !states_something(text, is_closed(sentence)) {
            continue;
        }
        let mut sources: Vec<usize> = numbers(sentence).into_iter().filter_map(resolve).collect();
        sources.sort_unstable();
        sources.dedup();
        found.push(Statement { text, heading, subagent, sources });
    }
}

/// Whether it ends like a sentence; a citation may stand behind the stop, or before it.
fn is_closed(sentence: &str) -> bool {
    let stops = ['.', '!', '。', '！', '．'];
    sentence.trim_end_matches([' ', '\n', '*', '_', '"', '”', '’', ')']).ends_with(stops)
        || sentence.rfind('[').is_some_and(|marker| sentence[..marker].trim_end().ends_with(stops))
}

/// A sentence has a few words, isn't a label with a colon, and isn't an entry of references. One that ends like a
/// sentence may be short.
fn states_something(text: &str, closed: bool) -> bool {
    let wide = text.chars().filter(|c| ('\u{3040}'..='\u{9FFF}').contains(c)).take(8).count();
    let words = text.split_ascii_whitespace().take(5).count();
    let (wide_min, words_min) = if closed { (4, 2) } else { (8, 5) };
    (wide >= wide_min || words >= words_min)
        && !text.ends_with([':', '：', '?', '？'])
        && !text.starts_with("http")
        && !entry(text)
}

/// `Title: https://…` or `[3] Title`, an entry of references without a heading.
fn entry(text: &str) -> bool {
    let numbered = text.starts_with(['[', '【'])
        && text
            .get(1..)
            .is_some_and(|rest| rest.trim_start_matches('^').starts_with(|c: char| c.is_ascii_digit()));
    numbered || text.find("http").is_some_and(|at| (text.len() - at) * 3 > text.len())
}

/// Takes markup, white space and citation markers off both ends; the stop of the sentence stays.
pub(in crate::domain::synthesis) fn edges(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text.trim_start_matches(['#', '>', '*', '_', '+', ' ', '\t', '•', '·']);
        text = text.strip_prefix("- ").or_else(|| text.strip_prefix("– ")).unwrap_or(text);
        text = text.trim_end_matches(['*', '_', ' ', '\t', '\\']);
        text = without_marker(without_number(text));
        // A marker before the stop can't go without the stop: what is left must be one piece.
        let open = text.trim_end_matches(['.', '。', ';', '；']);
        text = if without_marker(open) == open { text } else { without_marker(open) };
        if text.len() == before {
            return text;
        }
    }
}

/// A list's number: `1. ` or `2) `.
fn without_number(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let after = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    if (1..=3).contains(&digits) { after.map_or(text, str::trim_start) } else { text }
}

/// A marker `[3]` or `[^3]` at the end.
fn without_marker(text: &str) -> &str {
    for (open, close) in [('[', ']'), ('【', '】'), ('［', '］')] {
        if let Some(inside) = text.strip_suffix(close)
            && let Some(at) = inside.rfind(open)
            && is_marker(&inside[at + open.len_utf8()..])
        {
            return inside[..at].trim_end();
        }
    }
    text
}

fn is_marker(inside: &str) -> bool {
    let mut chars = inside.chars();
    (1..=48).contains(&inside.len())
        && chars.all(|c| c.is_numeric() || matches!(c, ',' | ' ' | '-' | '–' | '^' | '、' | '，' | '†' | 'L'))
        && inside.chars().any(char::is_numeric)
}

/// The numbers of the citation markers of a sentence, ranges written out up to 50.
fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['[', '【', '［']) {
        rest = &rest[open..];
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let Some(close) = rest[first..].find([']', '】', '］']) else { break };
        let inside = &rest[first..first + close];
        let after = rest[first + close..].chars().nth(1);
        if is_marker(inside) && after != Some('(') {
            expand(inside.split('†').next().unwrap_or_default(), &mut found);
        }
        rest = &rest[first + close..];
    }
    found
}

fn expand(inside: &str, found: &mut Vec<u32>) {
    for part in inside.split([',', '，', '、', ' ']) {
        let mut ends = part
            .trim_matches(['^', ' '])
            .split(['-', '–'])
            .map(|number| number.trim_matches('^').parse::<u32>());
        match (ends.next(), ends.next()) {
            (Some(Ok(from)), Some(Ok(to))) if from <= to && to - from < 50 => found.extend(from..=to),
            (Some(Ok(number)), None) => found.push(number),
            _ => {}
        }
    }
}
