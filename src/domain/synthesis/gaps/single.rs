//! What rests on one source, in a line for all.

use std::borrow::Cow;

/// Bytes of the beginning of a sentence that names a finding.
const BEGINNING_BYTES_MAX: usize = 48;

/// One line for all findings that rest on a single source, with up to three examples; of each its topic and what it says, unless a
/// model's words are both, which aren't quoted, and how many sources it has.
pub fn single_sources<'f>(
    findings: impl Iterator<Item = (Option<(&'f str, &'f str)>, usize)>,
) -> Option<String> {
    let (mut all, mut count) = (0, 0);
    let mut single: Vec<Cow<'_, str>> = Vec::new();
    for (quoted, sources) in findings {
        all += 1;
        if sources == 1 {
            count += 1;
            single.extend(quoted.map(|(topic, content)| name(topic, content)));
        }
    }
    single.sort_unstable();
    single.dedup();
    single.truncate(3);
    let examples = single.iter().map(|topic| format!("“{topic}”")).collect::<Vec<_>>().join(", ");
    match count {
        0 => None,
        1 if single.is_empty() => Some("1 finding rests on a single source.".to_owned()),
        1 => Some(format!("1 finding rests on a single source: {examples}.")),
        _ if single.is_empty() => Some(format!("{count} of {all} findings rest on a single source.")),
        _ => Some(format!("{count} of {all} findings rest on a single source, for example {examples}.")),
    }
}

/// A topic that is a heading or a label; of one that is made of words that stand apart in the sentence, the sentence's beginning.
fn name<'f>(topic: &'f str, content: &'f str) -> Cow<'f, str> {
    let lower = content.to_lowercase();
    let said = topic.to_lowercase();
    let mut words = said.split(' ').filter(|word| !word.is_empty());
    let is_made_up = said.contains(' ') && !lower.contains(&said) && words.all(|word| lower.contains(word));
    let begun = if is_made_up { beginning(content) } else { None };
    begun.map_or(Cow::Borrowed(topic), Cow::Owned)
}

/// The first words of a sentence, without marks and up to what it cites; `None` where those are few.
fn beginning(content: &str) -> Option<String> {
    let head = &content[..content.floor_char_boundary(2 * BEGINNING_BYTES_MAX)];
    let plain = head.split(['[', '\n', '<', '|']).next()?.replace(['*', '_', '`', '“', '”', '"'], "");
    let plain = plain.trim();
    let end = plain.char_indices().take_while(|(at, _)| *at <= BEGINNING_BYTES_MAX);
    let end = end.filter(|(_, c)| *c == ' ').last();
    let is_whole = plain.len() <= BEGINNING_BYTES_MAX;
    let cut = if is_whole { plain } else { &plain[..end?.0] };
    let cut = cut.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_cut = !is_whole || head.len() < content.len() && !head.contains(['[', '\n', '<', '|']);
    (cut.split(' ').nth(2).is_some()).then(|| if is_cut { format!("{cut} …") } else { cut.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_named_by_what_can_be_read() {
        for (topic, content, expected) in [
            (
                "Fund combined council",
                "The fund can be combined with the council's scheme where both agree [1].",
                "The fund can be combined with the council's …",
            ),
            ("Casa de Alba", "La Casa de Alba posee el palacio.", "Casa de Alba"),
            ("Running costs", "They are $900 a year.", "Running costs"),
            ("Prices rose", "Prices **rose**.", "Prices rose"),
            ("Rent law capped", "The **rent** law is capped.", "The rent law is capped"),
        ] {
            assert_eq!(name(topic, content), expected, "{topic}");
        }
    }
}
