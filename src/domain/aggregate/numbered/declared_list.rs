//! A list of references without heading and addresses at the end of a text: the author's declared sources once more.
//!
//! `1. Alpha Report` may be anything. It is the declared source number 1 again where it has its title or its address, all
//! lines at the end are such, and the text before them cites one of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::sources::{bare, local_map};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{Definition, Numbering, entries_of, rewrite};

/// Bytes of a line that are looked at: more is no reference.
const LINE_BYTES_MAX: usize = 600;
/// Words that may stand behind a title, behind a mark: who published it, and when.
const BEHIND_WORDS_MAX: usize = 5;

/// The text without such a list. Linear.
pub(super) fn without_declared<'t>(text: &'t str, sources: &[SourceInput]) -> &'t str {
    // Nearly all texts end here.
    let line = text.trim_end().rsplit('\n').next().unwrap_or_default();
    if sources.is_empty() || number_of(line).is_none() {
        return text;
    }
    let places = local_map(sources, &[], &BTreeSet::new()).places;
    let (mut begin, mut end, mut last, mut count) = (text.len(), text.trim_end().len(), u32::MAX, 0);
    while end > 0 {
        let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..end].trim();
        if !line.is_empty() {
            let Some(number) = declared(line, sources, &places).filter(|number| *number < last) else {
                break;
            };
            (begin, last, count) = (start, number, count + 1);
        }
        end = start.saturating_sub(1);
    }
    let body = &text[..begin];
    let above = body.trim_end();
    let is_introduced = above.ends_with([':', '：']) || above.rsplit('\n').next().is_some_and(is_heading);
    if count < 2 || above.is_empty() || is_introduced {
        return text;
    }
    let own: BTreeMap<u32, u32> = places.keys().map(|number| (*number, *number)).collect();
    let cited = rewrite(body, &own, &mut Numbering::new()).1.citations;
    if cited.iter().any(|citation| citation.source >= last) { body } else { text }
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("**") && line.ends_with("**")
}

/// The number that a line begins with.
fn number_of(line: &str) -> Option<u32> {
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    entries_of(line).first()?.number
}

/// The number of a line that is nothing but a declared source of that number.
fn declared(line: &str, sources: &[SourceInput], places: &BTreeMap<u32, usize>) -> Option<u32> {
    let number = number_of(line)?;
    let [Definition { title, url, .. }] = entries_of(line).try_into().ok()?;
    let source = sources.get(*places.get(&number)?)?;
    let key = |url: &Option<String>| Some(identify(url.as_deref()?)?.key);
    let is_address = url.is_some() && key(&url) == key(&source.url);
    let is_title = url.is_none() && source.title.as_deref().is_some_and(|own| is_titled(&title, own));
    (is_address || is_title).then_some(number)
}

/// Whether a line is a source's title, behind which its publisher or year may stand: `Alpha Report (Reuters, 2024)`. `Alpha
/// charges 5 euros` says something of Alpha.
fn is_titled(line: &str, own: &str) -> bool {
    let is_own = |title: &str| bare(title) == bare(own);
    let marks = line.char_indices().filter(|(_, c)| matches!(c, '(' | '[' | ',' | '–' | '—' | '，' | '（'));
    let behind = |(at, _)| line[at..].split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    !own.trim().is_empty()
        && (is_own(line)
            || marks.into_iter().any(|mark: (usize, char)| {
                behind(mark).count() <= BEHIND_WORDS_MAX && is_own(&line[..mark.0])
            }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "Revenue rose by 5% [1]. Costs fell.\n\n";

    fn sources() -> Vec<SourceInput> {
        let source = |title: &str, url: &str| SourceInput {
            title: Some(title.to_owned()),
            url: Some(url.to_owned()),
            ..SourceInput::default()
        };
        vec![source("Alpha Report", "https://a.example/x"), source("Beta", "https://b.example/y")]
    }

    #[test]
    fn the_declared_sources_once_more_are_left_out() {
        for list in [
            "1. Alpha Report\n2. Beta\n",
            "[1] Alpha Report\n\n[2] Beta (Reuters, 2024)",
            "1. alpha report\n2. Another title, https://b.example/y",
        ] {
            assert_eq!(without_declared(&format!("{BODY}{list}"), &sources()), BODY, "{list}");
        }
    }

    #[test]
    fn other_lists_stay() {
        for text in [
            format!("{BODY}1. Beta\n2. Alpha Report"),
            format!("{BODY}1. Alpha Report\n2. Beta\n3. Gamma"),
            format!("{BODY}1. Alpha report charges 2.9 % plus 30 cents\n2. Beta charges 13 cents"),
            format!("{BODY}1. Alpha Reports\n2. Beta"),
            format!("{BODY}2. Beta"),
            format!("{BODY}The best are:\n1. Alpha Report\n2. Beta"),
            format!("{BODY}## Tools\n\n1. Alpha Report\n2. Beta"),
            "Revenue rose by 5%.\n\n1. Alpha Report\n2. Beta".to_owned(),
            "1. Alpha Report\n2. Beta".to_owned(),
        ] {
            assert_eq!(without_declared(&text, &sources()), text);
        }
        let text = format!("{BODY}1. Alpha Report\n2. Beta");
        assert_eq!(without_declared(&text, &[]), text);
    }
}
