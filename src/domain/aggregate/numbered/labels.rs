//! The labels of a list of references that ends a text, where those are no numbers: `[S1] https://…`, `[a]: https://…`.

use std::collections::BTreeSet;

use crate::domain::aggregate::input::SourceInput;

/// Bytes of a line that are looked at.
const LINE_BYTES_MAX: usize = 600;
/// Letters and digits of a label.
const LETTERS_MAX: usize = 2;
const DIGITS_MAX: usize = 3;
/// Sources that are cited by their places.
const PLACES_MAX: usize = 200;

/// The labels, in the order of the text, of a list whose lines all show an address. The text cites all of them, and no
/// other that looks so. Linear.
pub(super) fn labels(text: &str) -> Vec<&str> {
    let (mut labels, mut end) = (Vec::new(), text.trim_end().len());
    while end > 0 {
        let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..end].trim();
        match labelled(line) {
            Some(label) => labels.push(label),
            None if line.is_empty() => {}
            None => break,
        }
        end = begin.saturating_sub(1);
    }
    // Nearly all texts end here.
    if labels.is_empty() {
        return labels;
    }
    labels.reverse();
    let cited: BTreeSet<&str> = text[..end].split('[').skip(1).filter_map(label).collect();
    let listed: BTreeSet<&str> = labels.iter().copied().collect();
    let fits = listed.len() == labels.len() && listed == cited;
    if fits { labels } else { Vec::new() }
}

/// The labels of the places of declared sources, `S1` for the first of them. The text cites by these alone, by none beyond
/// the sources, and lists none itself. Linear.
pub(super) fn of_places(text: &str, sources: &[SourceInput]) -> Vec<String> {
    if !text.contains("[S") || sources.is_empty() || sources.iter().any(|source| source.id.is_some()) {
        return Vec::new();
    }
    let place = |label: &str| label.strip_prefix('S').and_then(|digits| digits.parse::<usize>().ok());
    let is_place = |label: &str| place(label).is_some_and(|place| (1..=sources.len()).contains(&place));
    let mut cited =
        text.split('[').skip(1).filter_map(label).filter(|label| label.starts_with('S')).peekable();
    let has_numbers = text.split('[').skip(1).any(|behind| {
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && behind[digits..].starts_with(']')
    });
    let lists = text.lines().any(|line| line.trim_start_matches(['-', '*', ' ']).starts_with("[S"));
    if cited.peek().is_none() || !cited.all(is_place) || has_numbers || lists {
        return Vec::new();
    }
    (1..=sources.len().min(PLACES_MAX)).map(|place| format!("S{place}")).collect()
}

/// The label of a line that is a reference.
fn labelled(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('[')?;
    let label = label(rest)?;
    let behind = rest[label.len() + 1..].strip_prefix(':').unwrap_or(&rest[label.len() + 1..]);
    let is_reference = line.len() <= LINE_BYTES_MAX && behind.starts_with(' ') && behind.contains("://");
    is_reference.then_some(label)
}

/// The label in a bracket that was opened before `text`: `S1`, `a`. `[x]` is a box, and a link's text is its own.
fn label(text: &str) -> Option<&str> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    let label = &text[..letters + digits];
    let rest = text[label.len()..].strip_prefix(']')?;
    let is_label = letters == 1 && digits == 0
        || (1..=LETTERS_MAX).contains(&letters) && (1..=DIGITS_MAX).contains(&digits);
    (is_label && !matches!(label, "x" | "X") && !rest.starts_with('(')).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_labels_that_the_text_cites() {
        for (text, expected) in [
            (
                "It rose [S1]. It fell [S2].\n\n[S1] https://a.org\n[S2]: B, https://b.org\n",
                &["S1", "S2"][..],
            ),
            ("It rose [a].\n[a] https://a.org", &["a"]),
            ("It rose [S1]. It fell [S2].\n\n[S1] https://a.org", &[]),
            ("It rose [S1].\n\n[S1] https://a.org\n[S2] https://b.org", &[]),
            ("It rose [S1].\n\n[S1] A book", &[]),
            ("It rose.\n\n[S1] https://a.org", &[]),
            ("- [x] done\n\n[x] https://a.org", &[]),
            ("It rose [S1].\n\n[S1] https://a.org\n\nThat is all.", &[]),
            ("It rose [1].\n[1] https://a.org", &[]),
            ("", &[]),
        ] {
            assert_eq!(labels(text), expected, "{text}");
        }
    }
}
