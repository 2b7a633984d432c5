//! A list of references at the end of a text, under a heading of any words or none.
//!
//! The rewriter knows headings by a vocabulary, because it sees 56 bytes at a time. Of a whole text more can be known by
//! its structure: a last section that is nothing but a list of which every item ends with an address, and whose numbers the
//! text cites, or whose heading has a word for references in it (`Fuentes consultadas`, `What I relied on`), is one in
//! any wording and language; so is one without a heading ([`unheaded`]) whose numbers are cited. Everything else at the
//! end of a text stays.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::entries::{LINE_LIMIT, definition, doi};
use super::headings::is_spaced;
use super::{Definition, HEADING_BYTES_MAX, Numbering, rewrite};
use crate::domain::synthesis::claims::is_small_talk;
use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::phrases::has_any;
use crate::domain::text::sentences::sentences;

mod dated;
mod html;
mod labelled;
mod one_line;
mod titled;
mod unheaded;
mod works;

pub use dated::{Works, works_at_end};

/// Bytes of an item that are looked at: more is no reference.
const ITEM_BYTES_MAX: usize = 600;
/// Bytes behind an address that may say when it was read.
const BEHIND_BYTES_MAX: usize = 40;
/// Of more a title doesn't consist: `Smith, J. (2020). What moves prices. Journal of Prices. https://…`
const SENTENCES_MAX: usize = 4;
/// The same before a DOI: only the reference of a paper has one.
const DOI_SENTENCES_MAX: usize = 8;

/// Words of a heading that speak of references, among whatever others; by their beginnings, in lower case.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "sources", "references", "bibliograph", "citations", "footnotes", "consulted", "relied on", "relied upon", "what i read", "where i ", "quellen", "nachweise", "belege", "literatur",
    "fuentes", "referencias", "bibliograf", "consultad", "références", "fonti", "riferimenti", "fontes", "referências", "bronnen", "källor", "kilder", "lähteet", "źródła", "zdroje",
    "источник", "литератур", "джерела", "πηγές", "kaynak", "المصادر", "المراجع", "מקורות", "स्रोत", "संदर्भ", "nguồn", "tham khảo", "อ้างอิง", "แหล่ง", "sumber", "pustaka",
    "参考", "来源", "文献", "引用", "出处", "參考", "來源", "文獻", "出處", "出典", "情報源", "출처", "참고", "인용",
];

/// Words of a heading that announces statements, each of which may show its address.
#[rustfmt::skip]
const STATEMENTS: &[&str] = &[
    "finding", "result", "takeaway", "highlight", "conclusion", "summary", "recommend", "key points", "ergebnis", "erkenntnis", "fazit", "résultat", "conclusiones", "hallazgo",
    "发现", "结论", "要点", "建议", "結論",
];

/// A text without the list of references that it ends with, and what the list says. Linear.
#[must_use]
pub fn without_list(text: &str) -> (Cow<'_, str>, Vec<Definition>) {
    if let Some((body, listed)) = html::find(text) {
        let listed = one_line::in_order(&body, listed);
        return (body, listed);
    }
    let (whole, talk) = text.split_at(before_small_talk(text));
    match find(whole) {
        Some((body, listed)) if talk.trim().is_empty() => (Cow::Borrowed(body), listed),
        Some((body, listed)) => (Cow::Owned(format!("{}\n\n{}", body.trim_end(), talk.trim_start())), listed),
        None => (Cow::Borrowed(text), Vec::new()),
    }
}

/// Where what is said to who asked begins, at the end of a text and in paragraphs of its own; a rule may divide it from the
/// list. The end of the text where there is none.
fn before_small_talk(text: &str) -> usize {
    const PARAGRAPHS_MAX: usize = 3;
    let (mut end, mut begins) = (text.trim_end().len(), text.len());
    for _ in 0..PARAGRAPHS_MAX {
        let Some(at) = memchr::memmem::rfind(&text.as_bytes()[..end], b"\n\n") else { break };
        let paragraph = text[at..end].trim();
        let is_rule = begins < text.len() && paragraph.chars().all(|c| matches!(c, '-' | '*' | '_'));
        let is_talk = paragraph.len() <= ITEM_BYTES_MAX
            && !paragraph.contains("://")
            && is_small_talk(paragraph.trim_start_matches(['*', '_', '>', ' ']));
        if !is_rule && !is_talk {
            break;
        }
        (end, begins) = (text[..at].trim_end().len(), at);
    }
    begins
}

fn find(text: &str) -> Option<(&str, Vec<Definition>)> {
    let tail = text.len() - text.trim_end().len();
    // Nearly all texts end here: the last line of a list has an address, or is a work with its number.
    let last = text[..text.len() - tail].rsplit('\n').next().unwrap_or_default();
    let is_addressed = || last.contains("://") || last.contains("www.") || doi(last).is_some();
    if last.len() > LINE_LIMIT || !is_addressed() && !unheaded::ends_list(last) {
        return None;
    }
    let blocks = blocks(text);
    let (body, listed) = under_heading(text, &blocks)
        .or_else(|| labelled::find(text, &blocks))
        .or_else(|| one_line::find(text, &blocks))
        .or_else(|| unheaded::find(text, &blocks))?;
    Some((body, one_line::in_order(body, listed)))
}

fn under_heading<'t>(text: &'t str, blocks: &[Block]) -> Option<(&'t str, Vec<Definition>)> {
    // What paragraphs list, the last first: it takes reading them to know.
    let mut paragraphs: Vec<Vec<Definition>> = Vec::new();
    let mut is_listed = |block: &Block| match block.kind {
        Kind::ListItem { .. } | Kind::Rule => true,
        Kind::Paragraph => references(block, text).map(|listed| paragraphs.push(listed)).is_some(),
        Kind::Heading { .. } | Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Html => false,
    };
    let first = blocks.iter().rposition(|block| !is_listed(block)).map_or(0, |at| at + 1);
    let heading = blocks.get(first.checked_sub(1)?)?;
    let title = heading_of(heading, text)?;
    let mut listed = Vec::new();
    for block in blocks[first..].iter().filter(|block| block.kind != Kind::Rule) {
        let read = if block.kind == Kind::Paragraph { paragraphs.pop() } else { references(block, text) };
        listed.extend(read?);
    }
    let body = &text[..heading.range.start];
    // A label says what the items below it are, and so does a heading that announces statements.
    let may_be = matches!(heading.kind, Kind::Heading { .. }) && !announces(title);
    let is_one = listed.len() >= 2 && (mentions(title) || may_be && cites(body, &listed));
    is_one.then_some((body, listed))
}

/// What a block says that is nothing but references.
fn references(block: &Block, text: &str) -> Option<Vec<Definition>> {
    lines(text[block.range.clone()].trim()).map(reference).collect()
}

/// The lines of a block: each is an item, as `[1] Title https://…` begins no item of Markdown's.
fn lines(block: &str) -> impl Iterator<Item = &str> {
    block.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// The words of a heading, or of a paragraph that is one: `**Was ich gelesen habe:**`.
fn heading_of<'t>(block: &Block, text: &'t str) -> Option<&'t str> {
    let content = text[block.range.clone()].trim();
    let first = content.lines().next().unwrap_or_default().trim_matches(['#', ' ', '*', '_']);
    let is_label = content.lines().count() == 1 && is_label(content);
    let is_heading = matches!(block.kind, Kind::Heading { .. }) || block.kind == Kind::Paragraph && is_label;
    (is_heading && first.len() <= HEADING_BYTES_MAX).then_some(first)
}

/// Whether a line of prose heads what stands below it: it ends with a colon, or is bold.
fn is_label(line: &str) -> bool {
    line.ends_with([':', '：']) || line.starts_with("**") && line.ends_with("**")
}

/// What an item says that is a title with its address, or an address, and little behind it. What asks or calls may be of a
/// list of questions.
fn reference(item: &str) -> Option<Definition> {
    addressed(item).filter(|found| !found.title.ends_with(['?', '？', '!', '！']))
}

/// The same whatever its title asks.
fn addressed(item: &str) -> Option<Definition> {
    if item.len() > ITEM_BYTES_MAX {
        return None;
    }
    let found = definition(item)?;
    let is_doi = |url: &str| url.starts_with("10.") || doi(url) == Some(0);
    let url = found.url.as_deref();
    let url = url.filter(|url| url.contains("://") || url.starts_with("www.") || is_doi(url))?;
    let sentences_max = if is_doi(url) { DOI_SENTENCES_MAX } else { SENTENCES_MAX };
    // Most items end with their address; looking for it takes longer.
    let behind = if item.ends_with(url) { "" } else { item.rsplit(url).next().unwrap_or_default() };
    (behind.len() <= BEHIND_BYTES_MAX && sentences(&found.title).len() <= sentences_max).then_some(found)
}

/// Whether a word of a title speaks of references.
fn mentions(title: &str) -> bool {
    let lower = title.to_lowercase();
    NAMES.iter().any(|name| {
        let begins_word = |at: usize| !name.starts_with(is_spaced) || !lower[..at].ends_with(is_spaced);
        lower.match_indices(name).any(|(at, _)| begins_word(at))
    })
}

/// Whether a heading says that statements follow.
fn announces(title: &str) -> bool {
    let lower = title.to_lowercase();
    has_any(&lower, STATEMENTS)
}

/// Whether the text cites numbers of the list, and the list has all that it cites.
fn cites(body: &str, listed: &[Definition]) -> bool {
    let numbers: BTreeSet<u32> = listed.iter().filter_map(|found| found.number).collect();
    if numbers.len() < listed.len() {
        return false;
    }
    let own = (1..).zip(&numbers).map(|(key, number)| (*number, key)).collect();
    let report = rewrite(body, &own, &mut Numbering::new()).1;
    !report.citations.is_empty() && report.dangling.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "1. First report, https://a.org/x\n2. [Second](https://b.org) (accessed 2025)\n";

    #[test]
    fn list_of_references_ends_a_text_under_any_words() {
        for heading in [
            "## Fuentes consultadas para este informe",
            "## Nachweise",
            "### Quellen und Belege",
            "## 参考にした資料",
            "**What I relied on:**",
            "Where I got all of this:",
        ] {
            for list in
                [LIST, "- https://a.org/x\n- Second: https://b.org\n", "https://a.org/x\nhttps://b.org"]
            {
                let text = format!("It grew by 4 %.\n\n{heading}\n\n{list}");
                let (body, listed) = without_list(&text);
                assert_eq!((&*body, listed.len()), ("It grew by 4 %.\n\n", 2), "{text}");
                assert_eq!(listed[0].url.as_deref(), Some("https://a.org/x"));
            }
        }
    }

    #[test]
    fn numbers_that_the_text_cites_make_a_list_one_of_references() {
        let text = format!("It grew [1] and fell [2].\n\n## Zum Weiterlesen empfohlen\n\n{LIST}");
        assert_eq!(without_list(&text).0, "It grew [1] and fell [2].\n\n");
        assert_eq!(without_list(&text).1[1].number, Some(2));
        // One that it cites is missing: the list is another.
        let text = text.replace("fell [2]", "fell [3]");
        assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
    }

    #[test]
    fn what_is_said_to_who_asked_may_stand_behind_a_list() {
        for talk in [
            "Let me know if you need more!",
            "*Hope this helps!*\n\nFeel free to ask.",
            "---\n\nI hope this helps. Ask!",
        ] {
            for list in [&format!("---\n{LIST}"), LIST] {
                let text = format!("It grew [1] and fell [2].\n\n{list}\n{talk}\n");
                let (body, listed) = without_list(&text);
                assert!(
                    body.starts_with("It grew [1] and fell [2].\n\n")
                        && body.ends_with(&format!("\n\n{talk}\n")),
                    "{body}"
                );
                assert_eq!((body.contains("a.org"), listed.len()), (false, 2), "{text}");
            }
        }
        for talk in
            ["Both of them are good.", "Let me know, or see https://a.org", "Let me know\n- if you need more"]
        {
            let text = format!("It grew [1] and fell [2].\n\n{LIST}\n{talk}");
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }

    #[test]
    fn statements_below_a_label_stay_whatever_the_text_cites() {
        const ITEMS: &str = "1. Revenue rose by 5%: https://a.org/x\n2. [Costs fell](https://b.org)\n";
        for label in ["Key findings:", "**Key findings:**", "What we saw:", "## Key findings", "## 主要发现"]
        {
            let text = format!("It was a good year [1] [2].\n\n{label}\n\n{ITEMS}");
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }

    #[test]
    fn other_lists_stay() {
        for text in [
            format!("Some are good.\n\n## Open source alternatives\n\n{LIST}"),
            format!("Some are good.\n\n## Tools used\n\n{LIST}"),
            format!("It grew.\n\n## Quellen und Belege\n\n{LIST}\nThat is all."),
            "It grew.\n\n## Quellen und Belege\n\n1. One: https://a.org\n2. We asked people at https://b.org and they \
             told us a lot about what they had done there.\n"
                .to_owned(),
            "It grew.\n\n## Quellen und Belege\n\n1. One: https://a.org\n".to_owned(),
            LIST.to_owned(),
        ] {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }
}
